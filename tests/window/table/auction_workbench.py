"""Workbench of the auction of the tests: one field for the bid, and no panels in the chat."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from negoplatform.agent_api.actions import MechanismAct
from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.state import Phase, State
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.table.side_column import CardStyle, SideCards
from negoplatform.gui.table.workbench import WorkbenchHost
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.chat.phrases import PhrasesView, common_groups
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.table.work_presenter import (
    USUAL_RULES,
    HeaderWorth,
    SeatRow,
    WorkHelp,
    WorkResult,
    WorkRules,
    WorkView,
)
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry
from tests.mechanisms.sealed_bid import PLACE_BID, BidPlaced, auction_of


@dataclass(frozen=True, slots=True)
class AuctionView:
    """View of the auction: the account in words, and whether a bid can be placed."""

    account: str
    can_send: bool
    note: str = ""

    def disabled(self) -> Self:
        return replace(self, can_send=False)


class AuctionPresenter:
    """Presenter of the auction for one seat."""

    def __init__(self, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._seat, self._names, self._translate = seat, names, translate

    @staticmethod
    def help(_translate: Language, *, several: bool = False, rules: Rules = USUAL_RULES) -> WorkHelp:
        return WorkHelp(
            places=("On the right: your bid.",),
            reading=(),
            sections=(("How you bid", ("Type an amount." if several else "Type it.",)),),
            ends=("It ends after the last round.",),
            recorded="Bids are saved.",
            seen="Nobody sees your bids.",
            for_everyone="Faces are for everyone.",
        )

    def view(self, state: State, bid: str) -> AuctionView:
        account = auction_of(state).accounts[self._seat]
        running = state.phase is Phase.NEGOTIATING
        return AuctionView(f"{account.money} and {account.units}", running and bid.isdigit())

    def header(self, state: State, at: float) -> HeaderWorth:
        return HeaderWorth(str(auction_of(state).accounts[self._seat].money), f"in hand at {at:.0f} s")

    def time_key(self, _state: State, _now: float) -> tuple[object, ...]:
        return ()

    def walk_away_question(self, _state: State, _now: float) -> ConfirmationQuestion:
        return ConfirmationQuestion(title="Leave?", text="You keep it all.", yes_label="Leave", no_label="No")

    def phrases(self, _state: State, _now: float, *, can_talk: bool) -> PhrasesView:
        return PhrasesView(common_groups(self._translate), (), None, can_talk)

    def talk_note(self, _state: State) -> str:
        return ""

    def seat_row(self, state: State, seat: Seat) -> SeatRow:
        return SeatRow(activity="has left" if seat in auction_of(state).left else "")

    def transcript_entries(self, _state: State, event: Event, /) -> Sequence[TranscriptEntry]:
        if event.type != PLACE_BID:
            return ()
        return (TranscriptEntry("note", "", f"You bid {event.payload.price}", seq=event.seq, t=event.t),)

    def result(self, state: State, _improvement: ParetoImprovement | None) -> WorkResult:
        points = mechanism_of(state.game.mechanism).points(state, self._seat)
        return WorkResult(points=f"You have {points}.", facts=(("Rounds", str(auction_of(state).round)),))

    def rules(self, game: GameSpec) -> WorkRules:
        return WorkRules(
            how=("Bid in every round.",),
            ends_when=("It ends after the last round.",),
            without=(),
            who_sees=("Nobody sees your bids.",),
            matters=(f"You collect {len(game.seats)} things.",),
        )


class AccountCard:
    """Card with the account."""

    def __init__(self, parent: tk.Misc, theme: Theme) -> None:
        self._frame = theme.card(parent, 12)
        self.label = theme.label(self._frame, "")
        self.label.pack()

    @property
    def frame(self) -> tk.Widget:
        return self._frame

    def height(self, _width: int, _style: CardStyle, /) -> int:
        return self._frame.winfo_reqheight()

    def arrange(self, width: int, height: int, style: CardStyle, /) -> None:
        pass


class AuctionWorkbench:
    """Workbench of the auction."""

    def __init__(self) -> None:
        self._bid = ""
        self.lines: list[TranscriptEntry] = []
        self.begun = self.held = self.closed = False

    @property
    def reader(self) -> None:
        return None

    def build(self, host: WorkbenchHost) -> None:
        assert isinstance(host.presenter.work, AuctionPresenter)
        self._host, self._presenter = host, host.presenter.work

    def build_side(self, parent: tk.Misc) -> SideCards:
        self.account = AccountCard(parent, self._host.theme)
        return SideCards(self.account)

    def build_in_talk(self, middle: tk.Widget, chat: ChatPanel) -> None:
        self.strip = self._host.theme.label(middle, "Sold so far: nothing")
        self.strip.pack(before=chat.frame, fill="x")

    def build_column(self, parent: tk.Frame) -> tk.Widget:
        theme = self._host.theme
        column = theme.card(parent, 12)
        self.field = tk.Entry(column)
        self.field.insert(0, self._bid)
        self.send = theme.button(column, "Bid", "Primary.TButton", self._send)
        self.field.pack()
        self.send.pack()
        return column

    def tab_name(self, _translate: Language) -> str:
        return "Bid"

    def begin(self, _state: State, saved: Mapping[str, Any] | None) -> None:
        self.begun = True
        self._bid = str((saved or {}).get("work", {}).get("bid", ""))
        self.field.insert(0, self._bid)

    def update(self, state: State) -> None:
        pass

    def view(self, state: State, _now: float) -> AuctionView:
        return self._presenter.view(state, self._bid)

    def show(self, view: TableView[WorkView]) -> bool:
        work = view.work
        assert isinstance(work, AuctionView)
        self.send.configure(state="normal" if work.can_send else "disabled")
        changed = self.account.label.logical_text != work.account
        self.account.label.write(work.account)
        return changed

    def add_lines(self, lines: Sequence[TranscriptEntry]) -> None:
        self.lines += lines

    def widgets(self) -> dict[str, tk.Misc]:
        return {"bid": self.field, "send_bid": self.send}

    def click_home(self) -> tk.Misc | None:
        """Return None: after a click, what is typed is a message."""
        return None

    def newest_act_place(self) -> tuple[int, int] | None:
        return None

    def undo(self) -> None:
        self._bid = ""
        self._host.redraw()

    def redo(self) -> None:
        pass

    def close_cards(self) -> bool:
        return False

    def prepare_offer(self, offer: Offer) -> None:
        """Do nothing: there are no offers."""

    def prepared_offer(self) -> None:
        """Return None: there are no offers."""

    def hold(self) -> None:
        self.held = True

    def close(self) -> None:
        self.closed = True

    def to_document(self) -> dict[str, Any]:
        assert self.begun, "nothing is kept before the first state"
        return {"work": {"bid": self._bid}}

    def write(self, bid: str) -> None:
        """Type a bid."""
        self.field.insert("end", bid)
        self._bid = self.field.get()
        self._host.redraw()
        self._host.save()

    def _send(self) -> None:
        self._host.participant.act(MechanismAct(PLACE_BID, BidPlaced(int(self._bid))))
        self._host.poll_soon()
