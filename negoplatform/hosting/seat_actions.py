"""The actions of a seat, and the one place where they become acts.

A participant's window and an agent propose the same frozen values; the session does not depend on which of
the two holds a seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import (
    NOTHING,
    Accepted,
    Drafting,
    Event,
    EventType,
    ExpressionShown,
    Message,
    OfferMade,
    Typing,
    clean_text,
    new_tuple,
)
from negoplatform.core.mechanisms.bargaining import ACCEPT_OFFER_ON_TABLE
from negoplatform.core.record.notes_and_tasks_proposals import Proposer
from negoplatform.core.session import BY_HUMAN, ActionOrigin, Session
from negoplatform.core.state import State
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.hosting.agent_runner import ScheduledCall


@dataclass(frozen=True, slots=True)
class AcceptOffer:
    """Formally accept one offer, and no other.

    Args:
        offer_id: The offer that the participant saw, or that was on the table when an agent decided.
    """

    offer_id: int


@dataclass(frozen=True, slots=True)
class ShareDraft:
    """Show that an offer is being built.

    Args:
        draft: The offer as it is now; recorded only where the game shares drafts.
    """

    draft: Offer


SeatAction = (
    SendMessage
    | SendOffer
    | SendExpression
    | FormalAccept
    | AcceptOffer
    | FormalQuit
    | ShowTyping
    | ShareDraft
    | MechanismAct
    | ProposeChange
)
"""The agent API's actions without their timing, and what only a participant's window proposes."""


class Act(NamedTuple):
    """Act of a seat as the session takes it.

    Args:
        type: Its type.
        payload: Its payload.
        to: The seats that it is addressed to.
        refers: Whether the mechanism resolves the payload in the state in which the act was decided.
    """

    type: str
    payload: Any
    to: tuple[Seat, ...] = ()
    refers: bool = False


def as_act(action: SeatAction | Schedule | ScheduledCall, seen: State) -> Act | None:
    """Return the act of an action; None for a proposed change, which is no act.

    Args:
        action: The action.
        seen: The state in which it was decided.

    Raises:
        TypeError: For a callback, which is called and not performed.
    """
    match action:
        case SendOffer(offer):
            return new_tuple(Act, (EventType.SEND_OFFER, OfferMade(offer), (), False))
        case SendMessage(text, subtype, preference=preference, batna=batna, to=to):
            message = Message(clean_text(text), subtype, preference, batna)
            return new_tuple(Act, (EventType.SEND_MESSAGE, message, to, False))
        case SendExpression(expression, duration_ms):
            return Act(EventType.SEND_EXPRESSION, ExpressionShown(expression, duration_ms))
        case FormalAccept():
            return Act(EventType.FORMAL_ACCEPT, ACCEPT_OFFER_ON_TABLE, refers=True)
        case AcceptOffer(offer_id):
            return Act(EventType.FORMAL_ACCEPT, Accepted(offer_id))
        case FormalQuit():
            return Act(EventType.FORMAL_QUIT, NOTHING)
        case ShowTyping(duration_ms):
            return Act(EventType.TYPING, Typing(duration_ms))
        case ShareDraft(draft):
            return Act(EventType.OFFER_IN_PROGRESS, Drafting(draft if seen.game.rules.share_drafts else None))
        case MechanismAct(kind, payload, to):
            return Act(kind, payload, to, refers=True)
        case ProposeChange():
            return None
        case _:
            raise TypeError(f"{type(action).__name__} is no act")


def perform_action(
    session: Session,
    seat: Seat,
    action: SeatAction | Schedule | ScheduledCall,
    origin: ActionOrigin = BY_HUMAN,
    proposer: Proposer | None = None,
    seen: State | None = None,
) -> Event:
    """Propose an action to the session; delays are the caller's to wait for.

    Args:
        session: The session.
        seat: The acting seat.
        action: The action.
        origin: The origin of the action.
        proposer: The proposer of the seat's changes, as issued for the session; only for a ProposeChange.
        seen: The state in which an agent decided it; the present one unless given.

    Returns:
        The recorded event.

    Raises:
        Refused: With the reason, after the session has recorded the refusal.
    """
    decided_in = session.state if seen is None else seen
    act = as_act(action, decided_in)
    if act is not None:
        kind, payload, to, refers = act
        addressed = origin._replace(to=to) if to else origin
        return session.act(seat, kind, payload, addressed, decided_in if refers else None)
    if not isinstance(action, ProposeChange) or proposer is None:
        raise TypeError(f"{type(action).__name__} needs a proposer.")
    # Nothing else changes a seat's notes, so a change without a version is meant for the newest.
    newest = session.state.record.version
    base = newest if action.base_version is None else action.base_version
    return session.propose_change(proposer, action.updates, base, origin)
