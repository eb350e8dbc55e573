"""Acts of a participant in a trading game: what the window publishes, and what becomes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
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
from negoplatform.core.mechanisms.trading_state import Proposal, ProposalStatus
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.trading.economy import Money
from negoplatform.presentation.trading.trade_ticket import TradeTicketDraft, answered_id

OUTCOME_SECONDS = 5.0
"""Seconds after which acts without an outcome no longer keep their place from being used again."""

TICKET = 0
"""Place of an act that was done on the ticket; on a card, the place is the proposal's id."""


def propose_acts(state: State, seat: Seat, draft: TradeTicketDraft, amount: Money) -> list[MechanismAct]:
    """Return the acts that propose what is on a ticket, for an amount in minor units."""
    action = Propose(
        draft.other,
        draft.buys,
        economy_of(state.game).currency.to_number(amount),
        dict(draft.units),
        answered_id(state, seat, draft),
    )
    return [action.as_act()]


def call_acts(draft: TradeTicketDraft) -> list[MechanismAct]:
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
    view = TradingView(state, seat)
    if not view.has_requested(proposal):
        acts.append(view.submit(proposal).as_act())
    return acts


def decline_acts(proposal_id: int) -> list[MechanismAct]:
    """Return the acts that decline or withdraw a proposal."""
    return [DeclineProposal(proposal_id).as_act()]


@dataclass(frozen=True, slots=True)
class ActOutcome:
    """Outcome of a participant's acts.

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
        now: A monotonic clock in seconds.
    """

    def __init__(self, seat: Seat, *, now: Callable[[], float] = time.monotonic) -> None:
        self._seat, self._now = seat, now
        self._waiting: list[_PublishedScript] = []

    def is_waiting(self, place: int) -> bool:
        """Return whether acts that were done at a place a moment ago have no outcome yet."""
        since = self._now() - OUTCOME_SECONDS
        return any(script.place == place and script.t >= since for script in self._waiting)

    def add(self, place: int, acts: Sequence[MechanismAct]) -> None:
        """Add acts that were published as one script."""
        self._waiting.append(_PublishedScript(place, [act.type for act in acts], self._now()))

    def resolve(self, event: Event) -> ActOutcome | None:
        """Return the outcome of a script of acts, if an event completes or refuses it."""
        refused = event.type == EventType.ACTION_REFUSED
        if not refused and event.sender != self._seat:
            return None
        kind = event.payload.action if refused else event.type
        # A session that is interrupted drops what it has not taken, so the first script may never end.
        script = next((each for each in self._waiting if each.kinds[0] == kind), None)
        if script is None:
            return None
        if not refused:
            script.kinds.pop(0)
            if script.kinds:
                return None
        # A refusal drops the rest of its script.
        self._waiting.remove(script)
        return ActOutcome(script.place, event.payload.reason if refused else "", kind)


@dataclass(slots=True)
class _PublishedScript:
    """Script without an outcome yet.

    Args:
        place: Where it was done.
        kinds: The types of its acts that are not recorded yet.
        t: When it was published, on the tracker's clock (s).
    """

    place: int
    kinds: list[str]
    t: float
