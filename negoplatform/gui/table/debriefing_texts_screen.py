"""Debriefing after a session: what was not true in it, and further texts of the game and the agents."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from negoplatform.domain.game_display_texts import paragraphs
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.scrolled_frame import ScrolledFrame
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.localized_names import displayable

WIDTH = 620
"""Width of the text, for 96 dpi."""

MAX_HEIGHT, CHROME_HEIGHT = 460, 260
"""Greatest height of the text, and the height of the space above and below it, for 96 dpi."""


class DebriefingScreen:
    """Page with one button, which has no focus at first: no key closes the page before it was read.

    Args:
        theme: The window's theme.
        texts: The texts of the page.
        heading: Its heading.
        announcer: Reports the button's position to UI tests.
        on_close: Called when the button is pressed.
    """

    def __init__(
        self,
        theme: Theme,
        texts: Sequence[str],
        *,
        heading: str,
        announcer: UiTestAnnouncer,
        on_close: Callable[[], None],
    ) -> None:
        px, translate = theme.px, theme.translate
        self.frame = theme.frame(theme.root, theme.colours.ground)
        card = theme.card(self.frame, 28)
        card.place(relx=0.5, rely=0.47, anchor="center")
        theme.label(card, heading, "big", wrap=WIDTH).pack(anchor=theme.west)
        rows = ScrolledFrame(
            card, theme, width=WIDTH, height=min(MAX_HEIGHT, round(theme.height) - CHROME_HEIGHT)
        )
        rows.frame.pack(fill="x", pady=(px(10), 0))
        for text in texts:
            for paragraph in paragraphs(text):
                words = theme.label(rows.inside, displayable(paragraph), "body", wrap=WIDTH - 16)
                words.pack(anchor=theme.west, pady=(0, px(10)))
        rows.bind_scrolling(rows.inside)
        button = theme.button(card, translate("Finish"), "Primary.TButton", on_close, icon="check")
        button.pack(anchor=theme.east, pady=(px(14), 0))
        announcer.register("debriefing.close", button)
        self.frame.focus_set()
