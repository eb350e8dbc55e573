"""Left column of the table and of the console: a card without contents takes no place."""

from __future__ import annotations

import pytest

from negoplatform.gui.avatars.agent_avatar import load_avatar
from negoplatform.gui.bargaining.side_cards import BargainingSideCards
from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.side_column import SideCards, SideColumn
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.bargaining.issue_progress_view import ProgressView
from tests.x_server import Screen

pytestmark = pytest.mark.window


@pytest.mark.parametrize("size", [(320, 640), (800, 500)], ids=["tall", "wide"])
def test_an_observer_without_preferences_has_no_empty_card(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    theme = Theme("Console", Appearance(), print)
    pictures = IssuePhotoCache(theme, GamePictureSet())
    built: list[BargainingSideCards] = []

    def build(parent: object) -> SideCards:
        built.append(BargainingSideCards(parent, theme, pictures))  # type: ignore[arg-type]  # a widget
        return built[0].cards

    avatars = {seat: load_avatar(None, None, name=seat) for seat in ("a", "b")}
    column = SideColumn(theme.root, theme, avatars, build, gaze_target=lambda _gaze: None)
    column.frame.place(x=0, y=0, width=size[0], height=size[1])
    built[0].show((), ProgressView((), "0 of 0 agreed"))
    theme.root.geometry("900x700")
    theme.root.update()

    cards = built[0].cards

    assert cards.foot is not None
    assert cards.main.frame.winfo_manager() == ""
    foot = cards.foot.frame
    below = column.others.frame.winfo_y() + column.others.frame.winfo_height()
    assert 0 < foot.winfo_y() - below <= theme.px(13)
    theme.root.destroy()
