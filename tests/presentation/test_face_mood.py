"""Faces between expressions: the resting mood, and the mood that expressions leave."""

from __future__ import annotations

import pytest

from negoplatform.core.events import Expression
from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART, CounterpartSettings
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.face_mood import (
    MOOD_GAIN,
    MOOD_HALF_LIFE,
    MOOD_LIMIT,
    FaceReader,
    LoggedExpression,
    ShownFace,
    face_at,
)
from negoplatform.testing import TrialTable
from tests.games import with_rules

ANGRY, HAPPY, NEUTRAL, SAD = Expression.ANGRY, Expression.HAPPY, Expression.NEUTRAL, Expression.SAD
CALM = ShownFace(NEUTRAL)


def shown(*faces: tuple[float, float, Expression]) -> tuple[LoggedExpression, ...]:
    """Return logged expressions from their start, their end and their kind."""
    return tuple(LoggedExpression(seq, *face) for seq, face in enumerate(faces, start=1))


def face(t: float, *faces: tuple[float, float, Expression], **settings: object) -> ShownFace:
    return face_at(shown(*faces), CounterpartSettings(**settings), t)  # type: ignore[arg-type]


def test_without_a_setting_and_without_expressions_a_face_is_neutral() -> None:
    assert face(0) == face(500) == CALM


@pytest.mark.parametrize("intensity", [0.1, 0.5, 0.8, 1.0])
def test_the_resting_mood_is_the_face_at_its_intensity(intensity: float) -> None:
    assert face(3, mood=SAD, mood_intensity=intensity) == ShownFace(SAD, intensity)


def test_a_resting_mood_of_no_intensity_is_neutral() -> None:
    assert face(3, mood=SAD, mood_intensity=0) == CALM


def test_an_expression_is_the_face_while_it_is_shown() -> None:
    assert face(11.9, (10, 12, ANGRY), mood=HAPPY) == ShownFace(ANGRY)


def test_an_expression_leaves_a_mood_that_halves_in_its_half_life_and_is_gone_later() -> None:
    times = (12, 12 + MOOD_HALF_LIFE, 12 + 2 * MOOD_HALF_LIFE, 12 + 4 * MOOD_HALF_LIFE)

    left = [face(t, (10, 12, ANGRY)) for t in times]

    assert left == [ShownFace(ANGRY, MOOD_GAIN), ShownFace(ANGRY, 0.2), ShownFace(ANGRY, 0.1), CALM]


def test_a_frown_lasts_for_tens_of_seconds() -> None:
    assert [face(t, (10, 12, ANGRY)).expression for t in (20, 30, 40)] == [ANGRY, ANGRY, ANGRY]


def test_repeated_expressions_add_up_to_a_limit() -> None:
    many = [(10.0 * n, 10.0 * n + 2, ANGRY) for n in range(10)]

    levels = [face(many[n][1], *many[: n + 1]).intensity for n in range(10)]

    assert levels == sorted(levels)
    assert levels[0] < levels[1] < levels[-1] == MOOD_LIMIT


def test_another_expression_weakens_the_mood_and_takes_over() -> None:
    alone = face(15, (10, 12, ANGRY))
    then_happy = face(15, (10, 12, ANGRY), (12, 14, HAPPY))

    assert alone.expression is ANGRY
    assert then_happy.expression is HAPPY
    assert then_happy.intensity < face(15, (12, 14, HAPPY)).intensity


def test_a_neutral_expression_ends_the_mood_that_was_left() -> None:
    assert face(15, (10, 12, ANGRY), (13, 14, NEUTRAL)) == CALM
    assert face(15, (10, 12, ANGRY), (13, 14, NEUTRAL), mood=SAD).expression is SAD


def test_a_surprise_leaves_nothing() -> None:
    assert face(12, (10, 12, Expression.SURPRISED)) == CALM


def test_an_expression_that_is_cut_short_fades_from_there() -> None:
    assert face(60, (0, 600, ANGRY), (10, 12, HAPPY)) == face(60, (0, 10, ANGRY), (10, 12, HAPPY))


def test_a_weak_resting_mood_gives_way_and_a_strong_one_stays() -> None:
    assert face(15, (10, 12, ANGRY), mood=HAPPY, mood_intensity=0.2).expression is ANGRY
    strong = face(15, (10, 12, ANGRY), mood=HAPPY, mood_intensity=1.0)
    assert (strong.expression, strong.intensity < 1) == (HAPPY, True)
    assert face(300, (10, 12, ANGRY), mood=HAPPY, mood_intensity=1.0) == ShownFace(HAPPY)


def test_an_expression_of_the_resting_mood_strengthens_it() -> None:
    assert face(12, (10, 12, SAD), mood=SAD).intensity == 0.9
    assert face(12, (10, 12, SAD), mood=SAD, mood_intensity=1.0).intensity == 1.0


def test_a_face_is_the_same_whichever_moments_were_looked_at_before(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, counterpart=CounterpartSettings(SAD, 0.3)))
    states = []
    for expression, wait in ((ANGRY, 4.0), (ANGRY, 9.0), (HAPPY, 30.0), (NEUTRAL, 5.0)):
        table.agent.shows(expression)
        states.append((table.state, table.state.t))
        table.wait(wait)
        table.human.says("Hm.")
        states.append((table.state, table.state.t))

    one = FaceReader()
    forwards = [one.face(state, "agent", t) for state, t in states]
    backwards = [one.face(state, "agent", t) for state, t in reversed(states)][::-1]
    # The newest state gives the faces of earlier events too.
    from_the_end = [one.face(states[-1][0], "agent", t, before=state.version) for state, t in states]

    assert forwards == backwards == from_the_end
    assert forwards[0] == ShownFace(ANGRY)
    assert len(set(forwards)) > 4


def test_a_person_has_no_mood(game: GameSpec) -> None:
    table = TrialTable(with_rules(game, counterpart=CounterpartSettings(SAD, 1.0)))
    table.human.shows(ANGRY)
    reader = FaceReader(["human"])

    assert reader.face(table.state, "human", 1.0) == ShownFace(ANGRY)
    assert reader.face(table.state, "human", 2.5) == CALM


def test_the_newest_offer_of_a_seat_is_known(game: GameSpec) -> None:
    table = TrialTable(game)
    reader = FaceReader()
    assert reader.last_offer_at(table.state, "human") is None

    table.wait(3)
    table.human.offers(grain=(3, 2))
    table.wait(2)
    table.agent.offers(grain=(2, 3))

    assert reader.last_offer_at(table.state, "human") == 3.0


def test_the_default_settings_have_no_mood() -> None:
    assert face_at((), DEFAULT_COUNTERPART, 0) == CALM
