"""Presenter of trading for one seat: its part of the table's views, without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.mechanisms.trading_state import ProposalStatus, trading_state, trading_terms
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec, economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.seat_styles import NamedSeats
from negoplatform.presentation.table.work_presenter import HeaderWorth, SeatRow, WorkResult, WorkRules
from negoplatform.presentation.trading.account_view import (
    TradingAccountView,
    WaitingRequestView,
    account_view,
    seconds_left,
    waiting_requests,
)
from negoplatform.presentation.trading.dialogue_history import DialogueHistory
from negoplatform.presentation.trading.money_texts import (
    change_between,
    change_colour,
    change_text,
    score_text,
)
from negoplatform.presentation.trading.proposal_cards import (
    DialoguesView,
    ProposalCards,
    confirmation_until,
    has_just_ended,
    seconds_until,
)
from negoplatform.presentation.trading.trade_ticket import (
    EMPTY_TICKET,
    TradeTicket,
    TradeTicketDraft,
    TradeTicketView,
)
from negoplatform.presentation.trading.trading_result import trading_result
from negoplatform.presentation.trading.trading_rules import trading_help, trading_phrases, trading_rules
from negoplatform.presentation.trading.trading_transcript import trading_entry
from negoplatform.presentation.transcript.transcript_entries import TranscriptEntry


@dataclass(frozen=True, slots=True)
class TradingWorkView:
    """View of what only a trading game shows.

    Args:
        account: The participant's goods and money.
        dialogues: The proposals.
        ticket: The trade ticket.
        requests: The requests that wait for the other side's, oldest first.
    """

    account: TradingAccountView
    dialogues: DialoguesView
    ticket: TradeTicketView
    requests: tuple[WaitingRequestView, ...]

    @property
    def can_send(self) -> bool:
        """Whether the ticket can be proposed."""
        return self.ticket.can_propose

    @property
    def note(self) -> str:
        """Why the ticket cannot be proposed; empty if it can."""
        return self.ticket.reason

    def disabled(self) -> Self:
        """Return the view for a frozen session: readable, with everything disabled."""
        return replace(self, dialogues=self.dialogues.disabled(), ticket=self.ticket.disabled())


class TradingPresenter:
    """Presenter of trading for one seat.

    Args:
        seat: Seat of the participant.
        names: Displayed names of the other seats, in the game's order.
        translate: Translation into the window's language.
    """

    def __init__(self, seat: Seat, names: Mapping[Seat, str], translate: Language) -> None:
        self._seat, self._names = seat, names
        self._history: DialogueHistory | None = None
        self.translate = translate
        """Translation into the window's language."""
        seats = NamedSeats.of(seat, names)
        self.cards = ProposalCards(seats, translate)
        """Maker of the cards' views."""
        self.ticket = TradeTicket(seats, translate)
        """Maker of the ticket's view."""
        self.prepared: TradeTicketDraft = EMPTY_TICKET
        """The ticket with whose effect the header compares the score."""

    help = staticmethod(trading_help)

    def view(
        self,
        state: State,
        now: float,
        *,
        history: DialogueHistory,
        chosen: Seat,
        problems: Mapping[int, str],
        can_cancel: bool = False,
    ) -> TradingWorkView:
        """Return the view at a session time in seconds.

        Args:
            state: The session as visible to the seat.
            now: Session time in seconds.
            history: The seat's dialogues, up to date.
            chosen: The seat of the chosen tab.
            problems: Why the last act at a place was not possible: at the ticket (0) or at a proposal.
            can_cancel: Whether a counter-proposal can be given up for the ticket before it.
        """
        self._history = history
        return TradingWorkView(
            account=account_view(state, self._seat, self.translate),
            dialogues=self.cards.dialogues(state, history, chosen, problems, now),
            ticket=self.ticket.view(state, self.prepared, problems.get(0, ""), can_cancel=can_cancel),
            requests=waiting_requests(state, self._seat, self._names, now, self.translate),
        )

    # What every mechanism has

    def header(self, state: State, at: float) -> HeaderWorth:  # noqa: ARG002 - time changes no score
        """Return the score, and what the trade on the ticket would make of it."""
        translate, currency = self.translate, economy_of(state.game).currency
        mechanism = mechanism_of(state.game.mechanism)
        result = mechanism.points(state, self._seat)
        standing = mechanism.standing(state, self._seat) if result is None else result
        if standing is None:
            return HeaderWorth("", translate("No result"))
        points = score_text(standing, currency, translate)
        if state.ending is not None:
            return HeaderWorth(points, translate("your result"))
        can_leave = self._seat not in trading_state(state).left
        effect = self.ticket.effect(state, self.prepared)
        if effect is None:
            return HeaderWorth(points, translate("your score"), can_walk_away=can_leave)
        change = change_between(effect.now, effect.after, currency)
        compared = translate(
            "{after} with this ticket ({change})",
            after=score_text(effect.after, currency, translate),
            change=change_text(change, currency, translate),
        )
        return HeaderWorth(
            points,
            translate("your score"),
            compared=compared,
            versus=change_colour(change, currency),
            colours_points=False,
            can_walk_away=can_leave,
        )

    def time_key(self, state: State, now: float) -> tuple[object, ...]:
        """Return the seconds that are left of the requests that wait, and what has just ended."""
        waits = trading_terms(state.game).request_expires_seconds
        left = [seconds_left(request, waits, now) for request in trading_state(state).requests[self._seat]]
        proposals = [] if self._history is None else self._history.proposals.values()
        for proposal in proposals:
            until = confirmation_until(state, self._seat, proposal)
            if until is not None:
                left.append(seconds_until(until, now))
        return (*left, sum(has_just_ended(proposal, now) for proposal in proposals))

    def walk_away_question(self, state: State, now: float) -> ConfirmationQuestion:  # noqa: ARG002 - time changes no score
        """Return the question before leaving the game, with the score that the participant keeps."""
        translate, currency = self.translate, economy_of(state.game).currency
        standing = mechanism_of(state.game.mechanism).standing(state, self._seat) or 0
        kept = score_text(standing, currency, translate)
        return ConfirmationQuestion(
            title=translate("Leave the game?"),
            text=translate("You can’t come back. Your score stays {score}.", score=kept),
            yes_label=translate("Leave the game"),
            no_label=translate("Keep trading"),
            style="Danger.TButton",
        )

    def phrases(self, state: State, now: float, *, can_talk: bool) -> PhrasesView:  # noqa: ARG002 - the same always
        """Return the menu of phrases."""
        groups = trading_phrases(self.translate)
        return PhrasesView(groups, (), None, can_talk)

    def talk_note(self, state: State) -> str:  # noqa: ARG002 - words are never read
        """Return an empty note: words are sent as they are."""
        return ""

    def seat_row(self, state: State, seat: Seat) -> SeatRow:
        """Return how many proposals of a seat wait for the participant, or that it has left."""
        translate, trading = self.translate, trading_state(state)
        if seat in trading.left:
            return SeatRow(activity=translate("has left"))
        if state.ending is not None:
            return SeatRow()
        theirs = [each for each in trading.proposals[self._seat].values() if each.other(self._seat) == seat]
        if any(each.maker == self._seat and each.status is ProposalStatus.ACCEPTED for each in theirs):
            return SeatRow(activity=translate("has accepted: please confirm"))
        waiting = sum(each.maker == seat and each.status is ProposalStatus.OPEN for each in theirs)
        if not waiting:
            return SeatRow()
        return SeatRow(activity=translate.plural("{n} proposal for you", "{n} proposals for you", waiting))

    def transcript_entries(self, state: State, event: Event) -> Sequence[TranscriptEntry]:
        """Return the line of an act or a fact of trading."""
        entry = trading_entry(state, event, self._seat, self._names, self.translate)
        return () if entry is None else (entry,)

    def result(self, state: State, improvement: ParetoImprovement | None) -> WorkResult:  # noqa: ARG002 - of bargaining
        """Return the score, the first and the last holdings, and the trades."""
        return trading_result(state, self._seat, self._names, self.translate)

    def rules(self, game: GameSpec) -> WorkRules:
        """Return the sentences on the page of rules; ``game`` as visible to the seat."""
        return trading_rules(game, self._seat, self._names, self.translate)
