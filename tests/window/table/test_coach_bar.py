"""Checklist of a coach: it leaves room for the table, whatever a plug-in plans."""

from __future__ import annotations

import pytest

from negoplatform.core.record.notes_and_tasks import TaskStatus
from negoplatform.gui.chat.coach_bar import MOST_LINES, CoachBar
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.assistant_texts import PlanItem
from tests.x_server import Screen

pytestmark = pytest.mark.window


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_long_checklist_ends_after_three_lines_with_an_ellipsis(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    monkeypatch.setenv("DISPLAY", screen.env["DISPLAY"])
    theme = Theme("Coach", Appearance(language=language), print)
    bar = CoachBar(theme.root, theme)
    bar.frame.pack(fill="x")
    theme.root.geometry("800x600")
    theme.root.deiconify()
    theme.root.update()
    heights = []

    for count in (3, 40):
        bar.show([PlanItem(f"{number} Hours of tidying up", TaskStatus.PENDING) for number in range(count)])
        theme.root.update()
        heights.append(bar.frame.winfo_height())
        placed = [child for child in bar.items.winfo_children() if child.winfo_manager()]
        ends = {child.winfo_y() + child.winfo_height() for child in placed}
        assert max(ends) <= bar.items.winfo_height()
        assert all(child.winfo_x() >= 0 for child in placed)
        assert all(child.winfo_x() + child.winfo_width() <= bar.items.winfo_width() for child in placed)

    assert 3 < len(placed) < 40
    assert placed[0].cget("text") == "…"
    assert heights[1] <= heights[0] * MOST_LINES
    theme.root.destroy()
