"""Cards of bargaining in the left column: preferences, and the progress of the issues."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Sequence

from negoplatform.gui.bargaining.preferences_panel import PreferencesPanel
from negoplatform.gui.bargaining.progress_panel import ProgressPanel
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.table.side_column import SideCards
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.bargaining.issue_progress_view import ProgressView
from negoplatform.presentation.bargaining.priorities_layout import PrioritySection


class BargainingSideCards:
    """The two cards.

    Args:
        parent: The parent of the cards.
        theme: The window's theme.
        pictures: The pictures of the game's issues.
    """

    def __init__(self, parent: tk.Misc, theme: Theme, pictures: IssuePhotoCache) -> None:
        # In visual order, which is the order of Tab.
        self._priorities = PreferencesPanel(parent, theme, pictures)
        self._progress = ProgressPanel(parent, theme)
        self.cards = SideCards(self._priorities, self._progress)

    def show(self, sections: Sequence[PrioritySection], progress: ProgressView) -> bool:
        """Update the cards; return whether their contents changed."""
        changed = self._priorities.show(sections)
        return self._progress.show(progress) or changed

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the scrollbar of the preferences by its name in UI tests."""
        return {"priorities.bar": self._priorities.scrollbar}
