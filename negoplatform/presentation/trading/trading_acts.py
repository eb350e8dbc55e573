"""Acts of a participant in a trading game: what the window publishes, and what becomes of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from negoplatform.agent_api.actions import MechanismAct
from negoplatform.agent_api.mechanism_actions import (
    AcceptProposal,
    CallForProposals,
    DeclineProposal,
    Propose,
)
from negoplatform.agent_api.trading_view import TradingView
from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.trading_state import (
    Proposal,
    ProposalStatus,
    economy_of,
    trading_state,
    transaction_id_of,
)
from negoplatform.core.state import State
from negoplatform.domain.economy import Money
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.trading.trade_ticket import TicketDraft, answered_id

TICKET = 0
"""Place of an act that was done on the ticket; on a card, the place is the proposal's id."""


def propose_acts(state: State, seat: Seat, draft: TicketDraft, amount: Money) -> list[MechanismAct]:
    """Return the acts that propose what is on a ticket, for an amount in minor units."""
    action = Propose(
        draft.other,
        draft.buys,
        economy_of(state.game).currency.to_number(amount),
        dict(draft.units),
        answered_id(state, seat, draft),
    )
    return [action.as_act()]


def call_acts(draft: TicketDraft) -> list[MechanismAct]:
    """Return the acts that ask the ticket's seat for an offer about the goods on the ticket."""
    goods = tuple(name for name, _ in draft.units)
    return [CallForProposals(draft.other, draft.buys, goods).as_act()]


def confirm_acts(state: State, seat: Seat, proposal: Proposal) -> list[MechanismAct]:
    """Return the acts that accept a proposal, or confirm its acceptance, and request its transaction.

    The session takes them as one script. Only what is missing is done: a request that has expired is
    submitted again, without another acceptance.
    """
    acts = []
    by_maker = proposal.maker == seat
    if proposal.status is (ProposalStatus.ACCEPTED if by_maker else ProposalStatus.OPEN):
        acts.append(AcceptProposal(proposal.proposal_id).as_act())
    waits = trading_state(state).waiting_request(
        seat, proposal.other(seat), transaction_id_of(proposal.proposal_id)
    )
    if waits is None:
        acts.append(TradingView(state, seat).submit(proposal).as_act())
    return acts


def decline_acts(proposal_id: int) -> list[MechanismAct]:
    """Return the acts that decline or withdraw a proposal."""
    return [DeclineProposal(proposal_id).as_act()]


@dataclass(frozen=True, slots=True)
class ActOutcome:
    """What became of a participant's acts.

    Args:
        place: Where they were done: ``TICKET``, or the id of a proposal.
        reason: Why they were refused; empty: they were recorded.
        kind: The type of the last act.
    """

    place: int
    reason: str
    kind: str


class ActTracker:
    """Acts of a participant without an outcome yet, in the order in which they were published.

    Args:
        seat: Seat of the participant.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._waiting: list[tuple[int, list[str]]] = []

    @property
    def waiting(self) -> bool:
        """Whether any acts have no outcome yet."""
        return bool(self._waiting)

    def is_waiting(self, place: int) -> bool:
        """Return whether acts that were done at a place have no outcome yet."""
        return any(each == place for each, _ in self._waiting)

    def add(self, place: int, acts: Sequence[MechanismAct]) -> None:
        """Add acts that were published as one script."""
        self._waiting.append((place, [act.type for act in acts]))

    def resolve(self, event: Event) -> ActOutcome | None:
        """Return the outcome of a script of acts, if an event completes or refuses it."""
        if not self._waiting:
            return None
        place, kinds = self._waiting[0]
        if event.type == EventType.ACTION_REFUSED and event.payload.action == kinds[0]:
            # A refusal drops the rest of its script.
            self._waiting.pop(0)
            return ActOutcome(place, event.payload.reason, kinds[0])
        if event.sender != self._seat or event.type != kinds[0]:
            return None
        done = kinds.pop(0)
        if kinds:
            return None
        self._waiting.pop(0)
        return ActOutcome(place, "", done)
