"""Screen with the rules of a game, before it is played."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from pathlib import Path

from negoplatform.gui.pictures.game_picture_set import GamePictureSet
from negoplatform.gui.pictures.issue_picture_cache import IssuePhotoCache
from negoplatform.gui.study.step_actions import StepActions
from negoplatform.gui.study.step_frame import StepFrame
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.study.step_page import StepPage
from negoplatform.presentation.table.work_presenter import IssueReasons

PICTURE = 18
"""Size of an issue's picture, for 96 dpi."""


class BriefingScreen(StepFrame):
    """Rules of a game, as the rules page shows them, in one column.

    Args:
        theme: Theme of the window.
        page: What is shown.
        actions: Actions of the participant.
        announcer: Reports the positions of controls to UI tests.
        picture: Returns the file of a picture.
    """

    def __init__(
        self,
        theme: Theme,
        page: StepPage,
        actions: StepActions,
        *,
        announcer: UiTestAnnouncer,
        picture: Callable[[str], Path | None],
    ) -> None:
        super().__init__(theme, page, actions, announcer=announcer, picture=picture)
        rules, px = page.rules, theme.px
        assert rules is not None, "a briefing has rules"
        self._photos = IssuePhotoCache(theme, GamePictureSet())
        self._add(rules.subtitle, "body", theme.colours.muted, above=0)
        for index, (heading, paragraphs) in enumerate(rules.sections):
            self._add(heading, "bold", above=12)
            for text in paragraphs:
                self._add(text, "body", above=2)
            if index == rules.issues_section:
                for issue in rules.issues:
                    self._add_issue(issue)
        theme.frame(self.body).pack(pady=px(4))
        self.add_continue(theme.translate("Continue"), actions.go_on)
        self.finish()

    def _add(self, text: str, font: str, colour: str = "", *, above: float) -> None:
        theme = self.theme
        label = theme.label(self.body, text, font, colour)
        label.pack(anchor=theme.west, pady=(theme.px(above), theme.px(2)))
        self.wrap(label)

    def _add_issue(self, issue: IssueReasons) -> None:
        theme, c, px = self.theme, self.theme.colours, self.theme.px
        head = theme.frame(self.body)
        head.pack(anchor=theme.west, pady=(px(5), 0))
        photo = self._photos.get(issue.picture, px(PICTURE))
        if photo is not None:
            image = tk.Label(head, image=photo, bg=c.card, bd=0, padx=0, pady=0)
            image.pack(side=theme.start, padx=theme.padx(0, 6))
        theme.label(head, issue.title).pack(side=theme.start)
        theme.label(head, issue.points, "small", c.muted).pack(side=theme.start, padx=theme.padx(8, 0))
        indent = PICTURE + 6 if photo is not None else 0
        reasons = theme.label(self.body, issue.reasons, "small", c.muted)
        reasons.pack(anchor=theme.west, padx=theme.padx(indent, 0))
        self.wrap(reasons, px(indent))
