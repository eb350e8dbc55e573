"""Faces: expressions distinguishable at any size, and changes without a jump."""

from __future__ import annotations

from dataclasses import fields
from itertools import combinations, pairwise

import pytest
from PIL import Image, ImageChops, ImageStat

from negoplatform.core.events import Expression
from negoplatform.domain.agent_appearance import CHARACTER_NAMES, DEFAULT_CHARACTERS
from negoplatform.gui.avatars.animated_portrait import STEPS, blink_frames, glance_frames, transition_frames
from negoplatform.gui.avatars.bust import CLOTHES, HAIR_STYLES
from negoplatform.gui.avatars.face_drawing import (
    draw_emoji,
    draw_portrait,
    paint_portrait,
)
from negoplatform.gui.avatars.face_parameters import (
    CLOSED_UP_TO,
    FACES,
    Face,
    blinking_face,
    face_at_intensity,
    interpolate_faces,
)
from negoplatform.presentation.agent_characters import CHARACTERS, character_for
from negoplatform.presentation.expression_words import PARTICIPANTS_EXPRESSIONS

SMALL, LARGE = 34, 148

CHANGED = 40
"""Difference, 0 to 255, above which a pixel counts as changed."""


def changed(first: Image.Image, second: Image.Image) -> float:
    """Return the share of pixels that changed."""
    difference = ImageChops.difference(first.convert("RGB"), second.convert("RGB")).convert("L")
    return ImageStat.Stat(difference.point(lambda value: 255 if value > CHANGED else 0)).mean[0] / 255


@pytest.mark.parametrize("name", CHARACTERS)
@pytest.mark.parametrize(("size", "least"), [(SMALL, 0.02), (LARGE, 0.012)])
def test_no_expression_of_a_person_looks_like_another(name: str, size: int, least: float) -> None:
    drawn = {e: draw_portrait(CHARACTERS[name], e, size, "#ffffff") for e in Expression}

    alike = {(a, b) for a, b in combinations(Expression, 2) if changed(drawn[a], drawn[b]) < least}

    assert alike == set()


@pytest.mark.parametrize("size", [18, 36])
def test_the_yellow_faces_of_the_emotions_differ_without_their_colours(size: int) -> None:
    drawn = {}
    for expression in PARTICIPANTS_EXPRESSIONS:
        ground = Image.new("RGBA", (size, size), "#ffffff")
        ground.alpha_composite(draw_emoji(expression, size))
        drawn[expression] = ground.convert("L")

    alike = {(a, b) for a, b in combinations(drawn, 2) if changed(drawn[a], drawn[b]) < 0.04}

    assert alike == set()


def test_the_people_look_different() -> None:
    drawn = [draw_portrait(person, Expression.NEUTRAL, SMALL, "#ffffff") for person in CHARACTERS.values()]

    assert all(changed(first, second) > 0.12 for first, second in combinations(drawn, 2))


def test_every_persons_hair_and_clothes_can_be_drawn_and_none_is_left_over() -> None:
    assert {person.style for person in CHARACTERS.values()} == set(HAIR_STYLES)
    assert {person.clothes for person in CHARACTERS.values()} == set(CLOTHES)


def test_a_mix_ends_exactly_where_it_should() -> None:
    happy, sad = FACES[Expression.HAPPY], FACES[Expression.SAD]

    assert interpolate_faces(happy, sad, 0) == interpolate_faces(happy, sad, -0.1) == happy
    assert interpolate_faces(happy, sad, 1) == interpolate_faces(happy, sad, 1.1) == sad
    assert interpolate_faces(Face(smile=-1, eye=1), Face(smile=1, eye=0.5), 0.25) == Face(
        smile=-0.5, eye=0.875
    )


def test_the_same_face_is_drawn_the_same_way_each_time() -> None:
    person, face = CHARACTERS["noa"], FACES[Expression.SCARED]

    first, second = (paint_portrait(person, face, LARGE, "#1a202c") for _ in range(2))

    assert first is not second
    assert first.tobytes() == second.tobytes()


@pytest.mark.parametrize("size", [SMALL, 79, 81, LARGE, 297])
def test_a_portrait_has_the_size_that_was_asked_for_and_the_ground_around_it(size: int) -> None:
    drawn = draw_portrait(CHARACTERS["kim"], Expression.HAPPY, size, "#1a202c")

    assert (drawn.size, drawn.mode) == ((size, size), "RGB")
    corners = [(x, y) for x in (0, size - 1) for y in (0, size - 1)]
    assert {drawn.getpixel(corner) for corner in corners} == {(0x1A, 0x20, 0x2C)}


def test_a_yellow_face_is_transparent_around() -> None:
    drawn = draw_emoji(Expression.HAPPY, 20)

    assert drawn.size == (20, 20)
    assert drawn.getpixel((0, 0))[3] == 0  # type: ignore[index]  # four parts: it is RGBA
    assert drawn.getpixel((10, 3))[3] == 255  # type: ignore[index]


def test_closed_eyes_change_a_face_and_nothing_around_it() -> None:
    person, face = CHARACTERS["jules"], FACES[Expression.NEUTRAL]

    awake, asleep = (paint_portrait(person, blinking_face(face, share), LARGE, "#ffffff") for share in (0, 1))

    box = ImageChops.difference(awake, asleep).getbbox()
    assert box is not None
    assert box[1] > 0.4 * LARGE
    assert box[3] < 0.58 * LARGE


def test_an_agents_name_always_leads_to_the_same_person() -> None:
    keys = {person: key for key, person in CHARACTERS.items()}

    found = [keys[character_for(name)] for name in ("Agent", "Boulware", "Fair", "Mirror")]

    assert found == ["jules", "ariel", "mika", "kim"]
    assert character_for(" ROWAN ") is CHARACTERS["rowan"]


def test_every_character_that_an_agent_can_have_is_drawn() -> None:
    assert set(CHARACTER_NAMES) == set(CHARACTERS)


def test_names_lead_to_many_people() -> None:
    assert len({character_for(f"Agent {number}") for number in range(60)}) == len(DEFAULT_CHARACTERS)


def test_a_change_moves_in_small_steps_to_exactly_the_other_expression() -> None:
    start, end = FACES[Expression.SAD], FACES[Expression.HAPPY]

    smiles = [start.smile, *(frame.face.smile for frame in transition_frames(start, end))]

    assert len(smiles) == STEPS + 1
    assert transition_frames(start, end)[-1].face == end
    steps = [after - before for before, after in pairwise(smiles)]
    assert all(0 < step < 0.2 * (end.smile - start.smile) for step in steps)
    assert 250 < sum(frame.ms for frame in transition_frames(start, end)) < 350


def test_a_blink_and_a_glance_end_where_they_began() -> None:
    face = FACES[Expression.ANGRY]

    assert blink_frames(face)[-1].face == glance_frames(face, 1)[-1].face == face
    assert min(frame.face.eye for frame in blink_frames(face)) == 0
    assert sum(frame.ms for frame in blink_frames(face)) < 200
    assert [frame.face.gaze for frame in glance_frames(face, -1)][:2] == pytest.approx([-0.35, -0.7])


# Intensities


@pytest.mark.parametrize("expression", Expression)
def test_an_intensity_leads_from_neutral_to_the_whole_expression(expression: Expression) -> None:
    neutral, whole = FACES[Expression.NEUTRAL], FACES[expression]

    assert face_at_intensity(expression, 0) == neutral
    assert face_at_intensity(expression, 1) == whole
    for name in (field.name for field in fields(Face)):
        values = [getattr(face_at_intensity(expression, step / 10), name) for step in range(11)]
        assert values in (sorted(values), sorted(values, reverse=True)), name


@pytest.mark.parametrize("expression", Expression)
def test_a_mild_expression_has_a_closed_mouth_and_no_tears(expression: Expression) -> None:
    mild = face_at_intensity(expression, CLOSED_UP_TO)

    assert (mild.mouth, mild.tongue, mild.tear, mild.sweat) == (0, 0, 0, 0)


@pytest.mark.parametrize("name", CHARACTERS)
@pytest.mark.parametrize("size", [40, LARGE])
def test_a_mood_of_half_the_intensity_can_be_seen_on_every_person(name: str, size: int) -> None:
    calm = draw_portrait(CHARACTERS[name], Expression.NEUTRAL, size, "#ffffff")

    for expression in set(Expression) - {Expression.NEUTRAL}:
        mild = draw_portrait(CHARACTERS[name], expression, size, "#ffffff", 0.5)
        assert changed(calm, mild) > 0.002, expression


@pytest.mark.parametrize("name", CHARACTERS)
def test_an_angry_face_is_redder_and_has_dark_lowered_brows(name: str) -> None:
    person = CHARACTERS[name]
    calm, angry = (
        draw_portrait(person, expression, LARGE, "#ffffff")
        for expression in (Expression.NEUTRAL, Expression.ANGRY)
    )

    cheek, brow = ((round(x * LARGE), round(y * LARGE)) for x, y in ((0.36, 0.55), (0.453, 0.461)))
    red, green, _blue = angry.getpixel(cheek)  # type: ignore[misc]  # three parts: it is RGB
    was_red, was_green, _was_blue = calm.getpixel(cheek)  # type: ignore[misc]
    assert red - green > was_red - was_green
    before, after = (drawn.convert("L").getpixel(brow) for drawn in (calm, angry))
    assert after < 0.8 * before  # type: ignore[operator]  # one part: it is grey
