"""The table screen of a game with several others in a window of its own, on a virtual clock."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Iterator, Mapping
from contextlib import suppress
from queue import SimpleQueue
from tkinter import ttk
from typing import Any, cast

from negoplatform.app.session.participant_actions import ParticipantProposal, ProposalPerformer
from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.visibility import Observer, view_of, visible_event, visible_game
from negoplatform.domain.errors import Refused
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.bargaining.bargaining_workbench import BargainingWorkbench
from negoplatform.gui.table.others_panel import OthersPanel
from negoplatform.gui.table.side_column import SideColumn
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.table.workbench import Workbench
from negoplatform.gui.theming.bidi_label import BidiLabel
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.popup_list import use_popup_lists
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance
from negoplatform.testing import TrialTable
from tests.several_seats import NAMES


class SessionAtOnce:
    """Stand-in for a live session: the test moves the other seats, and proposals are performed at once."""

    def __init__(self, table: TrialTable, seat: Seat) -> None:
        self.seat, self.participant = seat, "P01"
        self.updates: SimpleQueue[SessionUpdate] = SimpleQueue()
        self.drafts: list[Mapping[str, Any]] = []
        self._table = table
        self._observer = Observer(seat)
        self.game = visible_game(table.state.game, self._observer)
        self._performer = ProposalPerformer(table.session, seat)
        table.subscribe(self._publish)

    def start(self) -> None:
        self._table.start()

    def propose(self, *script: ParticipantProposal) -> None:
        with suppress(Refused):
            self._performer.perform(script)

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        self.drafts.append(draft)

    def finish_closing(self) -> None:
        pass

    def _publish(self, published: PublishedEvent) -> None:
        event = visible_event(published.event, self._observer)
        if event is not None:
            view = view_of(published.state, self._observer)
            self.updates.put(SessionUpdate(view, event, time.monotonic() - published.event.t))


class SeveralWindow:
    """Window of a participant in the first seat of a game; the other seats do what the test says."""

    def __init__(
        self,
        game: GameSpec,
        appearance: Appearance | None = None,
        size: tuple[int, int] = (1280, 800),
        saved_draft: Mapping[str, Any] | None = None,
        workbench: Workbench | None = None,
        **inputs: Any,
    ) -> None:
        self.problems: list[BaseException] = []
        self.table = TrialTable(game)
        self.session = SessionAtOnce(self.table, game.seats[0])
        self.workbench = workbench or BargainingWorkbench()
        self.theme = Theme("Several", appearance or Appearance(), self.problems.append)
        use_popup_lists(self.theme)
        self.theme.fit(*size, least=(200, 200))
        self.theme.root.update()
        self.screen = TableScreen(
            self.theme,
            TableScreenInputs(
                cast("ParticipantSeat", self.session),
                {seat: NAMES.get(seat, seat.title()) for seat in game.seats[1:]},
                self.workbench,
                saved_draft=saved_draft,
                **inputs,
            ),
            announcer=UiTestAnnouncer(self.theme.root, active=False),
            on_appearance=lambda _appearance: None,
            on_done=lambda: None,
        )
        self.screen.frame.pack(fill="both", expand=True)
        self.run()
        self.theme.root.focus_force()
        self.widgets["entry" if game.rules.talk else "transcript"].focus_set()
        self.run(0.1)

    def run(self, seconds: float = 0.25) -> None:
        """Let the window show what has happened."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.theme.root.update()
            time.sleep(0.01)
        assert self.problems == []

    @property
    def widgets(self) -> dict[str, tk.Misc]:
        """The controls by name."""
        return self.screen._panels.widgets()

    @property
    def seats(self) -> tuple[Seat, ...]:
        """All seats."""
        return self.session.game.seats

    @property
    def side(self) -> SideColumn:
        """The column with the others."""
        return self.screen._panels._side

    @property
    def ticks(self) -> list[str]:
        """The names of those with a tick."""
        assert isinstance(self.side.others, OthersPanel)
        return [row.name for row in self.side.others.rows if row.is_ticked]

    @property
    def field_colour(self) -> str:
        """The colour of the message field."""
        return str(self.widgets["entry"].cget("background"))

    @property
    def texts(self) -> list[str]:
        """The texts of all visible labels of the chat."""
        chat = self.screen._panels.chat.frame
        return [label.logical_text for label in _labels(chat) if label.winfo_viewable()]

    @property
    def all_texts(self) -> list[str]:
        """The texts that are visible anywhere, except those on canvases."""
        return [label.logical_text for label in _labels(self.screen.frame) if label.winfo_viewable()]

    def write(self, text: str) -> None:
        """Type a text into the message field."""
        field = self.screen._panels.chat.line
        for char in text:
            field.type(char)
        self.run(0.1)

    def press(self, *keys: str) -> None:
        """Press keys where the focus is."""
        for key in keys:
            focused = self.theme.root.focus_get()
            assert focused is not None
            focused.event_generate(f"<{key}>")
            self.run(0.1)
        self.run()

    def press_button(self, name: str) -> None:
        """Press a named button."""
        button = self.widgets[name]
        assert isinstance(button, ttk.Button)
        button.invoke()
        self.run()

    def offers(self, seat: Seat, **terms: Any) -> Offer:
        """Let a seat send an offer."""
        return self.table.participant(seat).offers(**terms).get_offer()

    def close(self) -> None:
        """Close the window."""
        self.screen.frame.destroy()
        self.theme.root.update()
        self.theme.root.destroy()
        assert self.problems == []


def _labels(widget: tk.Misc) -> Iterator[BidiLabel]:
    for child in widget.winfo_children():
        if isinstance(child, BidiLabel):
            yield child
        yield from _labels(child)
