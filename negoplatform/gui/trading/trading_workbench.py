"""Workbench of trading: goods and money, proposals as cards, the trade ticket and waiting requests."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping, Sequence
from typing import Any

from negoplatform.agent_api.actions import MechanismAct
from negoplatform.app.session.participant_controller import RepeatFilter
from negoplatform.core.mechanisms.trading import PROPOSE
from negoplatform.core.mechanisms.trading_state import Proposal, trading_state
from negoplatform.core.state import State
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.chat.chat_panel import ChatPanel
from negoplatform.gui.table.side_column import SideCards
from negoplatform.gui.table.workbench import WorkbenchHost
from negoplatform.gui.trading.account_panel import AccountPanel
from negoplatform.gui.trading.dialogues_panel import DialoguesPanel
from negoplatform.gui.trading.proposal_card import ProposalCardActions
from negoplatform.gui.trading.requests_panel import RequestsPanel
from negoplatform.gui.trading.ticket_panel import WIDTH, TicketChange, TradeTicketActions, TradeTicketPanel
from negoplatform.presentation.chat.address_view import EVERYONE
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.table.table_view import TableView
from negoplatform.presentation.table.work_presenter import WorkView
from negoplatform.presentation.trading.dialogue_history import DialogueHistory
from negoplatform.presentation.trading.lowered_score import lowered_score, lowered_score_question
from negoplatform.presentation.trading.proposal_cards import ALL, shown_reason
from negoplatform.presentation.trading.ticket_history import TicketHistory
from negoplatform.presentation.trading.trade_ticket import answer_draft, counter_draft
from negoplatform.presentation.trading.trading_acts import (
    TICKET,
    ActOutcome,
    ActTracker,
    call_acts,
    confirm_acts,
    decline_acts,
    propose_acts,
)
from negoplatform.presentation.trading.trading_presenter import TradingPresenter, TradingWorkView
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry

LOW = 330
"""Height of the middle column, for 96 dpi, below which several others leave no room for the faces."""


class TradingWorkbench:
    """Workbench of trading; see :class:`~negoplatform.gui.table.workbench.Workbench`."""

    _host: WorkbenchHost
    _presenter: TradingPresenter
    _chat: ChatPanel
    _account: AccountPanel
    _dialogues: DialoguesPanel
    _ticket: TradeTicketPanel
    _requests: RequestsPanel

    def __init__(self) -> None:
        self._history: DialogueHistory | None = None
        self._tracker: ActTracker | None = None
        self._tickets = TicketHistory()
        self._chosen: Seat = ALL
        self._problems: dict[int, str] = {}
        self._outcomes: list[ActOutcome] = []
        self._sent: object = None
        self._newest = 0
        self._repeats = RepeatFilter(restart_on_repeat=True)

    @property
    def reader(self) -> None:
        """No reader: typed text is simply sent."""
        return

    # Construction

    def build(self, host: WorkbenchHost) -> None:
        """Begin with an appearance; what is on the ticket stays."""
        assert isinstance(host.presenter.work, TradingPresenter)
        self._host, self._presenter = host, host.presenter.work
        if self._history is None:
            self._history, self._tracker = DialogueHistory(host.seat), ActTracker(host.seat)
        self._presenter.prepared = self._presenter.ticket.completed(self._tickets.draft)

    def build_side(self, parent: tk.Misc) -> SideCards:
        """Build the card of goods and money."""
        self._account = AccountPanel(parent, self._host.theme)
        return SideCards(self._account)

    def build_in_talk(self, middle: tk.Widget, chat: ChatPanel) -> None:
        """Build the proposals, above the chat."""
        theme, self._chat = self._host.theme, chat
        self._dialogues = DialoguesPanel(
            middle,
            theme,
            actions=ProposalCardActions(confirm=self._confirm, counter=self._counter, decline=self._decline),
            on_choose=self._choose,
            focus_home=self._focus_home,
        )
        frame = self._dialogues.frame
        frame.pack(fill="x", before=chat.frame, padx=theme.px(8), pady=theme.px(6))
        # Tab reaches it before the chat, in reading order.
        frame.lower(chat.frame)
        middle.bind("<Configure>", lambda event: self._fit(event.height), add="+")

    def _fit(self, height: int) -> None:
        """Divide a middle column of a height in pixels; faces give way to the last lines of the chat."""
        self._dialogues.fit(height)
        if len(self._host.game.seats) > 2 and height < self._host.theme.px(LOW):
            self._chat.emotion_area.grid_remove()
        else:
            self._chat.emotion_area.grid()

    def build_column(self, parent: tk.Frame) -> tk.Widget:
        """Build the ticket and, below it, the waiting requests."""
        theme = self._host.theme
        column = theme.frame(parent, theme.colours.ground)
        # The chat keeps its width however long a name is.
        column.configure(width=theme.px(WIDTH))
        column.grid_propagate(False)
        column.columnconfigure(0, weight=1)
        column.rowconfigure(0, weight=1)
        self._ticket = TradeTicketPanel(
            column,
            theme,
            actions=TradeTicketActions(
                change=self._change,
                propose=self._propose,
                ask=self._ask,
                clear=self._clear,
                undo=self.undo,
                redo=self.redo,
                type_words=self._type_words,
            ),
        )
        self._ticket.frame.grid(row=0, column=0, sticky="nsew")
        self._requests = RequestsPanel(column, theme, on_call_off=self._decline, focus_home=self._focus_home)
        self._requests.frame.grid(row=1, column=0, sticky="ew", pady=(theme.px(8), 0))
        self._requests.frame.grid_remove()
        return column

    def tab_name(self, translate: Language) -> str:
        """Return the name of the ticket's tab."""
        return translate("Trade")

    # What is shown

    def begin(self, state: State, saved: Mapping[str, Any] | None) -> None:
        """Begin with an empty ticket, or the one of an interrupted session."""
        work = (saved or {}).get("work")
        if isinstance(work, dict):
            self._tickets = TicketHistory.from_document(work.get("ticket"), state.game, self._host.seat)
            tab = work.get("tab")
            self._chosen = tab if isinstance(tab, str) else ALL
        self._presenter.prepared = self._presenter.ticket.completed(self._tickets.draft)

    def update(self, state: State) -> None:
        """Read what has happened, and what became of the participant's acts."""
        if self._history is None or self._tracker is None:
            return
        for event in self._history.update(state):
            outcome = self._tracker.resolve(event)
            if outcome is not None:
                self._settle(state, outcome)
            if event.type == PROPOSE and event.sender == self._host.seat:
                self._newest = event.seq

    def view(self, state: State, now: float) -> TradingWorkView:
        """Return the view at a session time in seconds."""
        assert self._history is not None, "the view comes after the widgets"
        return self._presenter.view(
            state,
            now,
            history=self._history,
            chosen=self._chosen,
            problems=self._problems,
            can_cancel=self._tickets.can_cancel,
        )

    def show(self, view: TableView[WorkView]) -> bool:
        """Show a view; return whether the card of goods needs another height."""
        work = view.work
        assert isinstance(work, TradingWorkView)
        self._dialogues.show(work.dialogues)
        changed = self._account.show(work.account)
        if view.end is None:
            self._ticket.show(work.ticket)
            self._requests.show(work.requests, can_act=work.ticket.can_edit)
            if work.requests:
                self._requests.frame.grid()
            else:
                self._requests.frame.grid_remove()
        self._announce_outcomes()
        return changed

    def add_lines(self, lines: Sequence[TranscriptEntry]) -> None:
        """Do nothing: the lines have no other place than the chat."""

    def widgets(self) -> dict[str, tk.Misc]:
        """Return the controls by their names in UI tests."""
        return {
            **self._account.widgets(),
            **self._dialogues.widgets(),
            **self._ticket.widgets(),
            **self._requests.widgets(),
        }

    def click_home(self) -> tk.Misc | None:
        """Return None: after a click, what is typed is a message."""
        return None

    def newest_act_place(self) -> tuple[int, int] | None:
        """Return the place of the participant's newest proposal."""
        return self._dialogues.place_of(self._newest)

    def close_cards(self) -> bool:
        """Close nothing: there are no cards over the table."""
        return False

    def prepare_offer(self, offer: Offer) -> None:
        """Do nothing: there are no offers."""

    def prepared_offer(self) -> None:
        """Return None: there are no offers."""

    def hold(self) -> None:
        """Do nothing: nothing is sent without the participant."""

    def close(self) -> None:
        """Do nothing: nothing is open over the column."""

    def to_document(self) -> dict[str, Any]:
        """Return the ticket and the chosen tab as JSON values."""
        return {"work": {"ticket": self._tickets.to_document(), "tab": self._chosen}}

    # The ticket

    def undo(self) -> None:
        """Undo the last change of the ticket."""
        self._step(self._tickets.undone())

    def redo(self) -> None:
        """Redo what was undone."""
        self._step(self._tickets.redone())

    def _change(self, change: TicketChange) -> None:
        completed = self._presenter.ticket.completed(self._tickets.draft)
        self._step(self._tickets.changed(change(completed)))

    def _clear(self) -> None:
        self._step(self._tickets.cancelled() if self._tickets.can_cancel else self._tickets.cleared())

    def _step(self, tickets: TicketHistory) -> None:
        if tickets == self._tickets:
            return
        before, self._tickets = self._tickets.draft.other, tickets
        if self._chosen != ALL and tickets.draft.other not in (before, ""):
            self._chosen = tickets.draft.other
        self._problems.pop(TICKET, None)
        self._presenter.prepared = self._presenter.ticket.completed(tickets.draft)
        self._host.redraw()
        score, change, hint = self._ticket.texts
        self._host.announce("ticket", score=score, change=change, hint=hint)
        self._host.save()

    def _choose(self, seat: Seat) -> None:
        """Show another dialogue; ticket and message field are then for its seat too.

        What the ticket answers stays with its seat, and a message that was begun keeps its recipients.
        """
        self._chosen = seat
        if seat != ALL and self._tickets.draft.answers is None and not self._has_left(seat):
            self._change(lambda draft: draft.with_other(seat))
        if not self._chat.text and self._host.game.rules.talk:
            self._host.choose_address(EVERYONE if seat == ALL else (seat,))
        self._host.redraw()
        self._host.announce("dialogue", seat=seat)
        self._host.save()

    # Acts of the participant

    def _propose(self) -> None:
        newest, draft = self._host.updates.newest, self._presenter.prepared
        if newest is None:
            return
        state = newest.view.state
        typed = self._presenter.ticket.typed(state, draft)
        view = self._presenter.ticket.view(state, draft, "")
        if view.can_propose and typed.amount is not None:
            self._act(TICKET, propose_acts(state, self._host.seat, draft, typed.amount))

    def _ask(self) -> None:
        draft = self._presenter.prepared
        if draft.other:
            self._act(TICKET, call_acts(draft))

    def _confirm(self, proposal_id: int) -> None:
        """Accept or confirm the proposal that the participant saw; ask first if it lowers the score."""
        proposal = self._proposal(proposal_id)
        newest = self._host.updates.newest
        if proposal is None or newest is None:
            return
        state = newest.view.state
        lowered = lowered_score(state, self._host.seat, proposal)
        if lowered is None:
            self._perform(proposal)
            return
        self._host.participant.note_warning(
            "lower_score",
            proposal_id=proposal_id,
            score=round(float(lowered.now), 6),
            score_after=round(float(lowered.after), 6),
        )
        terms = self._presenter.cards.terms_text(state, proposal)
        question = lowered_score_question(state, terms, lowered, self._presenter.translate)
        self._host.dialogs.ask(question, lambda: self._perform(proposal))

    def _perform(self, proposal: Proposal) -> None:
        newest = self._host.updates.newest
        if newest is not None:
            # As it is now: the other side may have accepted it, or withdrawn it, while the question stood.
            own = trading_state(newest.view.state).proposals[self._host.seat]
            current = own.get(proposal.proposal_id, proposal)
            self._act(proposal.proposal_id, confirm_acts(newest.view.state, self._host.seat, current))

    def _decline(self, proposal_id: int) -> None:
        self._act(proposal_id, decline_acts(proposal_id))

    def _counter(self, proposal_id: int) -> None:
        """Put a proposal on the ticket, or begin one that answers a call."""
        newest = self._host.updates.newest
        if newest is None or self._history is None:
            return
        state, seat = newest.view.state, self._host.seat
        call, proposal = self._history.calls.get(proposal_id), self._proposal(proposal_id)
        if call is not None:
            draft = answer_draft(call)
        elif proposal is not None:
            draft = counter_draft(state, seat, proposal)
        else:
            return
        self._step(self._tickets.answering(draft))
        self._host.announce("counter_open")
        # After the click itself, which leads to the message field.
        self._ticket.frame.after_idle(self._focus_amount)

    def _proposal(self, proposal_id: int) -> Proposal | None:
        """Return a proposal with its present state."""
        newest = self._host.updates.newest
        if newest is None or self._history is None:
            return None
        live: Proposal | None = trading_state(newest.view.state).proposals[self._host.seat].get(proposal_id)
        known = self._history.proposals.get(proposal_id)
        return live or (known.terms if known is not None else None)

    def _act(self, place: int, acts: list[MechanismAct]) -> None:
        """Publish acts as one script, unless the same are on their way, or were published just before."""
        if self._tracker is None or not acts or not self._host.updates.running:
            return
        if self._tracker.is_waiting(place) or self._repeats.is_repeat((place, tuple(acts))):
            return
        self._problems.pop(place, None)
        self._sent = self._tickets.draft if place == TICKET else self._sent
        self._tracker.add(place, acts)
        self._host.participant.act(*acts)
        self._host.poll_soon()

    def _settle(self, state: State, outcome: ActOutcome) -> None:
        """Take note of what became of acts: a proposal that was made leaves the ticket."""
        translate = self._presenter.translate
        reason = shown_reason(outcome.reason, state, self._host.presenter.names, translate)
        if reason:
            self._problems[outcome.place] = reason
        elif outcome.kind == PROPOSE and self._tickets.draft == self._sent:
            if self._ticket.has_focus:
                self._focus_home()
            self._tickets = self._tickets.sent()
            self._presenter.prepared = self._presenter.ticket.completed(self._tickets.draft)
            self._host.save()
        self._outcomes.append(outcome)

    def _announce_outcomes(self) -> None:
        outcomes, self._outcomes = self._outcomes, []
        for outcome in outcomes:
            if outcome.reason:
                self._host.announce("act_refused", place=outcome.place, text=self._problems[outcome.place])
            else:
                self._host.announce("act_done", place=outcome.place, kind=outcome.kind)

    def _has_left(self, seat: Seat) -> bool:
        newest = self._host.updates.newest
        return newest is not None and seat in trading_state(newest.view.state).left

    def _type_words(self, char: str) -> None:
        """Type a letter that is no part of an amount into the message field."""
        if self._host.game.rules.talk:
            self._chat.entry.focus_set()
            self._chat.entry.insert("insert", char)

    def _focus_amount(self) -> None:
        if self._ticket.frame.winfo_exists():
            self._host.focus("ticket.amount")

    def _focus_home(self) -> None:
        self._chat.home.focus_set()
