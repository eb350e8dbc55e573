"""The counterpart's face in a real window: moods, blends between two faces, and the direction of the eyes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PIL import Image, ImageTk

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.agent_avatar import Avatar
from negoplatform.gui.avatars.animated_portrait import Portrait, with_eyes
from negoplatform.gui.avatars.face_drawing import paint_portrait
from negoplatform.gui.avatars.face_parameters import Face, face_at_intensity
from negoplatform.gui.table.counterpart_panel import CounterpartPanel
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.agent_characters import CHARACTERS
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.face_mood import ShownFace
from negoplatform.presentation.table.table_view import OtherView
from tests.x_server import Screen

pytestmark = pytest.mark.window

SIZE, CARD = 96, "#ffffff"
ANGRY, CALM = ShownFace(Expression.ANGRY), ShownFace()
FROWN = ShownFace(Expression.ANGRY, 0.4)

MakeTheme = Callable[[Appearance], Theme]


@pytest.fixture
def make_theme(screen: Screen, monkeypatch: pytest.MonkeyPatch) -> Iterator[MakeTheme]:
    """Function that opens a window; the window must report no problem."""
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    problems: list[BaseException] = []
    themes: list[Theme] = []

    def make(appearance: Appearance) -> Theme:
        theme = Theme("Face", appearance, problems.append)
        theme.fit(600, 500, least=(300, 300))
        themes.append(theme)
        return theme

    yield make
    for theme in themes:
        theme.root.update()
        theme.root.destroy()
    assert problems == []


def run_for(theme: Theme, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        theme.root.update()
        time.sleep(0.005)


def portrait_in(theme: Theme) -> Portrait:
    portrait = Portrait(theme.root, theme, SIZE, ground=CARD, character=CHARACTERS["kim"])
    portrait.frame.pack()
    theme.root.update()
    return portrait


def shown(portrait: Portrait) -> bytes:
    return ImageTk.getimage(portrait._picture).convert("RGB").tobytes()


def painted(portrait: Portrait, face: Face) -> bytes:
    return paint_portrait(CHARACTERS["kim"], face, portrait._size, CARD).tobytes()


def test_a_face_blends_into_another_and_from_there_into_the_mood(make_theme: MakeTheme) -> None:
    theme = make_theme(Appearance())
    portrait = portrait_in(theme)
    calm, angry = (face_at_intensity(face.expression, face.intensity) for face in (CALM, ANGRY))
    assert shown(portrait) == painted(portrait, calm)

    portrait.show(ANGRY)
    between = set()
    end = time.monotonic() + 2
    while shown(portrait) != painted(portrait, angry) and time.monotonic() < end:
        between.add(shown(portrait))
        run_for(theme, 0.01)
    portrait.show(FROWN)
    run_for(theme, 0.8)

    assert len(between) > 3
    assert shown(portrait) == painted(portrait, face_at_intensity(Expression.ANGRY, 0.4))


def test_the_eyes_turn_to_a_place_and_back(make_theme: MakeTheme) -> None:
    theme = make_theme(Appearance())
    portrait = portrait_in(theme)

    portrait.show(FROWN, (0.8, 0.6))
    run_for(theme, 0.8)
    turned = shown(portrait)
    portrait.show(FROWN)
    run_for(theme, 0.5)

    frown = face_at_intensity(Expression.ANGRY, 0.4)
    assert turned == painted(portrait, with_eyes(frown, (0.8, 0.6)))
    assert shown(portrait) == painted(portrait, frown)


def test_with_reduced_motion_a_face_changes_at_once_and_eyes_stay(make_theme: MakeTheme) -> None:
    portrait = portrait_in(make_theme(replace(Appearance(), reduce_motion=True)))

    portrait.show(FROWN, (0.8, 0.6))

    assert shown(portrait) == painted(portrait, face_at_intensity(Expression.ANGRY, 0.4))


def test_an_agents_own_pictures_fade_into_each_other_and_a_faint_mood_shows_the_neutral_one(
    make_theme: MakeTheme,
) -> None:
    theme = make_theme(Appearance())
    portrait = portrait_in(theme)
    red, blue = (200, 30, 30), (30, 30, 200)
    portrait.set_pictures(
        {
            Expression.NEUTRAL: Image.new("RGB", (60, 60), red),
            Expression.ANGRY: Image.new("RGB", (60, 60), blue),
        }
    )

    def middle() -> tuple[int, ...]:
        found = ImageTk.getimage(portrait._picture).convert("RGB").getpixel((SIZE // 2, SIZE // 2))
        assert isinstance(found, tuple)
        return found

    portrait.show(ANGRY)
    run_for(theme, 0.8)
    angry = middle()
    portrait.show(FROWN, (0.5, 0.5))
    run_for(theme, 0.8)
    assert (angry, middle()) == (blue, red)
    portrait.show(CALM)  # the same picture
    assert middle() == red


@pytest.mark.parametrize(("target", "side"), [((900, 400), 1), ((-900, 400), -1)])
def test_the_eyes_look_to_the_side_of_the_window_where_the_line_is(
    make_theme: MakeTheme, target: tuple[int, int], side: int
) -> None:
    theme = make_theme(Appearance())
    asked: list[str] = []

    def place_of(gaze: str) -> tuple[int, int]:
        asked.append(gaze)
        return target

    panel = CounterpartPanel(theme.root, theme, Avatar(CHARACTERS["kim"]), gaze_target=place_of)
    panel.frame.place(x=0, y=0, width=300, height=260)
    panel.arrange(300, 260)
    view = OtherView("agent", "Kim", Expression.NEUTRAL, "Looks calm", "")
    panel.show(view)
    theme.root.update()

    panel.show(replace(view, gaze="line"))
    run_for(theme, 0.5)
    assert panel._portrait is not None
    eyes = panel._portrait._eyes
    panel.show(view)

    assert asked == ["line"]
    assert eyes[0] == side
    assert 0 < eyes[1] <= 1
    assert panel._portrait._eyes == (0.0, 0.0)
