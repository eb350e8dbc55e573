"""History of a seat's dialogues in a trading game: every proposal with its present state.

======== ========================= ===========
state    event                     next state
======== ========================= ===========
OPEN     its recipient accepts     ACCEPTED
ACCEPTED its maker confirms        MATCHED
any live a proposal that answers   ANSWERED
any live its recipient declines    DECLINED
any live its maker declines        WITHDRAWN
any live one of the two leaves     LEFT
any live its trade is settled      SETTLED
======== ========================= ===========
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from negoplatform.core.events import Event, EventType
from negoplatform.core.mechanisms.trading_facts import (
    TRANSACTION_CONFIRMATION,
    TRANSACTION_ERROR,
    TRANSACTION_EXPIRED,
)
from negoplatform.core.mechanisms.trading_state import (
    Proposal,
    ProposalAccepted,
    ProposalCall,
    ProposalDeclined,
    ProposalMade,
    proposal_id_of,
)
from negoplatform.core.state import State
from negoplatform.domain.game import economy_of
from negoplatform.domain.seat_map import Seat


class CardState(StrEnum):
    """State of a proposal on its card."""

    OPEN = "open"
    """Without an answer of its recipient."""
    ACCEPTED = "accepted"
    """Accepted by its recipient."""
    MATCHED = "matched"
    """Accepted by both."""
    SETTLED = "settled"
    """Settled: goods and money have been exchanged."""
    ANSWERED = "answered"
    """Replaced by another proposal of its recipient."""
    DECLINED = "declined"
    """Declined by its recipient."""
    WITHDRAWN = "withdrawn"
    """Withdrawn by its maker."""
    LEFT = "left"
    """Void, since one of the two has left the market."""

    @property
    def is_live(self) -> bool:
        """Whether the proposal can still lead to a trade."""
        return self in (CardState.OPEN, CardState.ACCEPTED, CardState.MATCHED)


@dataclass(frozen=True, slots=True)
class DialogueProposal:
    """Proposal of a dialogue.

    Args:
        terms: What was proposed.
        state: Its present state.
        error: Data of the last ``transaction-error`` about it; None: there was none.
        t: The session time (s) at which it was made.
        since: The session time (s) at which it got into its state.
    """

    terms: Proposal
    state: CardState
    error: Mapping[str, Any] | None
    t: float
    since: float

    @property
    def has_expired(self) -> bool:
        """Whether its transaction was requested by one side, and the other's request did not come in time."""
        return self.error is not None and self.error["error_code"] == TRANSACTION_EXPIRED


@dataclass(frozen=True, slots=True)
class DialogueCall:
    """Call for proposals of a dialogue.

    Args:
        call_id: The seq of its event.
        caller: The seat that made it.
        recipient: The seat to which it was made.
        buyer: Whether the caller wants to buy.
        goods: Names of the goods it is about; none means any.
        answered: Whether its recipient has made a proposal since.
    """

    call_id: int
    caller: Seat
    recipient: Seat
    buyer: bool
    goods: tuple[str, ...]
    answered: bool = False

    def other(self, seat: Seat) -> Seat:
        """Return the side that is not the given one."""
        return self.recipient if seat == self.caller else self.caller


class DialogueHistory:
    """Dialogues of one seat, read from its transcript; each event is read once.

    Args:
        seat: The seat.
    """

    def __init__(self, seat: Seat) -> None:
        self._seat = seat
        self._count = 0
        self._proposals: dict[int, DialogueProposal] = {}
        self._calls: dict[int, DialogueCall] = {}

    @property
    def proposals(self) -> Mapping[int, DialogueProposal]:
        """All proposals that the seat has made or received, oldest first, by id."""
        return self._proposals

    @property
    def calls(self) -> Mapping[int, DialogueCall]:
        """All calls for proposals that the seat has made or received, oldest first, by id."""
        return self._calls

    def update(self, state: State) -> list[Event]:
        """Read the events that were not read yet, and return them; ``state`` as visible to the seat."""
        if state.transcript_length(self._seat) < self._count:
            self._count = 0
            self._proposals.clear()
            self._calls.clear()
        events = state.transcript_of(self._seat, after=self._count)
        self._count += len(events)
        for event in events:
            self.read(state, event)
        return events

    def read(self, state: State, event: Event) -> None:
        """Read one event; of an observer of several seats, events of all of them."""
        match event.payload:
            case ProposalCall(buyer, goods):
                self._calls[event.seq] = DialogueCall(event.seq, event.sender, event.to[0], buyer, goods)
            case ProposalMade():
                self._propose(state, event, event.payload)
            case ProposalAccepted(proposal_id):
                proposal = self._proposals.get(proposal_id)
                by_maker = proposal is not None and event.sender == proposal.terms.maker
                self._move(proposal_id, CardState.MATCHED if by_maker else CardState.ACCEPTED, event.t)
            case ProposalDeclined(proposal_id):
                proposal = self._proposals.get(proposal_id)
                by_maker = proposal is not None and event.sender == proposal.terms.maker
                self._move(proposal_id, CardState.WITHDRAWN if by_maker else CardState.DECLINED, event.t)
            case _ if event.type == EventType.FORMAL_QUIT:
                for proposal_id, proposal in self._proposals.items():
                    if event.sender in (proposal.terms.maker, proposal.terms.recipient):
                        self._move(proposal_id, CardState.LEFT, event.t)
            case _ if event.type == TRANSACTION_CONFIRMATION:
                self._move(self._find(event), CardState.SETTLED, event.t)
            case _ if event.type == TRANSACTION_ERROR:
                proposal_id = self._find(event)
                proposal = self._proposals.get(proposal_id)
                if proposal is not None:
                    self._proposals[proposal_id] = replace(proposal, error=event.data)

    def _propose(self, state: State, event: Event, made: ProposalMade) -> None:
        if made.answers is not None:
            answered = self._proposals.get(made.answers)
            if answered is not None and answered.terms.recipient == event.sender:
                self._move(made.answers, CardState.ANSWERED, event.t)
        for call_id, call in self._calls.items():
            if (call.recipient, call.caller) == (event.sender, event.to[0]):
                self._calls[call_id] = replace(call, answered=True)
        terms = Proposal.from_event(event, economy_of(state.game))
        self._proposals[event.seq] = DialogueProposal(terms, CardState.OPEN, None, event.t, event.t)

    def _find(self, event: Event) -> int:
        """Return the id of the proposal that a fact about a transaction belongs to; 0: of none."""
        data = event.data
        pair = set(data.get("pair", (data.get("buyer"), data.get("seller"))))
        proposal_id = proposal_id_of(data["transaction_id"]) or 0
        proposal = self._proposals.get(proposal_id)
        if proposal is None or pair != {proposal.terms.maker, proposal.terms.recipient}:
            return 0
        return proposal_id

    def _move(self, proposal_id: int, state: CardState, t: float) -> None:
        proposal = self._proposals.get(proposal_id)
        if proposal is not None and proposal.state.is_live:
            self._proposals[proposal_id] = replace(proposal, state=state, error=None, since=t)
