"""Screen for the experimenter: where a wizard and a second person join the study, and with which codes."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial

from negoplatform.app.joining.join_codes import shown_code
from negoplatform.app.joining.join_place import ALL_NETWORKS, JoinPlace
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.domain.joining_settings import LOOPBACK
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.i18n import Language

WIDTH, AROUND = 640, 100
"""Width of the contents, and minimum by which the window is wider, for 96 dpi."""


class JoiningScreen:
    """Address, codes and commands of those who join, shown before the first participant comes.

    Args:
        theme: Theme of the window.
        study_title: Title of the study.
        place: Where windows join.
        announcer: Reports the positions of controls to UI tests.
        on_listen: Called with another address to listen at; it builds this screen again.
        on_continue: Called to go on to the first participant.
    """

    def __init__(
        self,
        theme: Theme,
        study_title: str,
        place: JoinPlace,
        *,
        announcer: UiTestAnnouncer,
        on_listen: Callable[[str], None],
        on_continue: Callable[[], None],
    ) -> None:
        self._theme, self._announcer, self._place = theme, announcer, place
        px, c, translate = theme.px, theme.colours, theme.translate
        self._width = min(WIDTH, round(theme.width) - AROUND)
        self.frame = theme.frame(theme.root, c.ground)
        card = theme.card(self.frame, 26)
        card.place(relx=0.5, rely=0.5, anchor="center")
        theme.label(card, study_title, "big", wrap=self._width).pack(anchor=theme.west)
        theme.label(
            card,
            translate(
                "For the experimenter: others take part in this study. They type the command of "
                "their role on their computer, and stay connected for all participants. Write this "
                "down: it is not "
                "shown again."
            ),
            "body",
            c.muted,
            wrap=self._width,
        ).pack(anchor=theme.west, pady=(px(4), px(10)))
        self._add_networks(card, on_listen)
        for role in place.codes:
            self._add_role(card, role)
        button = theme.button(card, translate("Continue"), "Primary.TButton", on_continue)
        button.pack(anchor=theme.east, pady=(px(14), 0))
        announcer.register("continue", button)
        button.focus_set()

    def close(self) -> None:
        """Do nothing: there are no timers."""

    def _add_networks(self, card: tk.Misc, on_listen: Callable[[str], None]) -> None:
        """Add the choice of the networks in which others can join."""
        theme, translate, is_local = self._theme, self._theme.translate, self._place.is_loopback
        row = theme.frame(card)
        row.pack(fill="x")
        choices = (
            ("local", translate("From this computer"), LOOPBACK, is_local),
            ("network", translate("From this network"), ALL_NETWORKS, not is_local),
        )
        for name, text, address, is_chosen in choices:
            style = "Chosen.Small.Toggle.TButton" if is_chosen else "Small.Toggle.TButton"
            button = theme.button(row, text, style, partial(on_listen, address))
            button.pack(side=theme.start, padx=theme.padx(0, 6))
            self._announcer.register(f"listen.{name}", button)
        if not is_local:
            note = translate(
                "Anyone in this network can try to join, and can read what is sent. Use a network "
                "that belongs to your laboratory."
            )
            theme.label(card, note, "small", theme.colours.muted, wrap=self._width).pack(
                anchor=theme.west, pady=(theme.px(6), 0)
            )

    def _add_role(self, card: tk.Misc, role: JoinRole) -> None:
        theme, px = self._theme, self._theme.px
        theme.label(card, role_title(role, theme.translate), "bold", wrap=self._width).pack(
            anchor=theme.west, pady=(px(12), 0)
        )
        # Left to right in every language: it is typed as it stands here.
        code = theme.label(card, shown_code(self._place.codes[role]), "big", wrap=self._width)
        code.pack(anchor=theme.west)
        command = theme.label(card, self._place.command(role), "body", theme.colours.muted, wrap=self._width)
        command.pack(anchor=theme.west)


def role_title(role: JoinRole, translate: Language) -> str:
    """Return what a role does, for the experimenter."""
    match role.kind:
        case RoleKind.WIZARD:
            return translate("Wizard: decides what the partner says and offers")
        case RoleKind.SEAT:
            return translate("Second person: takes the partner’s seat")
        case _:
            return translate("Experimenter: watches both sides")
