"""The actions of a seat, and the one place where they become calls of the session.

A participant's window and an agent propose the same frozen values; the session does not depend on which of
the two holds a seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from negoplatform.agent_api.actions import (
    FormalQuit,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import Event, Message
from negoplatform.core.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import BY_HUMAN, ActionOrigin, Session
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat


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
    | AcceptOffer
    | FormalQuit
    | ShowTyping
    | ShareDraft
    | ProposeChange
)
"""The agent API's actions without their timing: an acceptance names its offer, and nothing is scheduled."""


def perform_action(
    session: Session, seat: Seat, action: SeatAction, origin: ActionOrigin = BY_HUMAN
) -> Event:
    """Propose an action to the session; delays are the caller's to wait for.

    Returns:
        The recorded event.

    Raises:
        Refused: With the reason, after the session has recorded the refusal.
    """
    match action:
        case SendMessage(text, subtype, preference=preference, batna=batna, to=to):
            message = Message(text, subtype, preference, batna)
            return session.send_message(seat, message, origin._replace(to=to) if to else origin)
        case SendOffer(offer):
            return session.send_offer(seat, offer, origin)
        case SendExpression(expression, duration_ms):
            return session.send_expression(seat, expression, duration_ms, origin)
        case AcceptOffer(offer_id):
            return session.formal_accept(seat, offer_id, origin)
        case FormalQuit():
            return session.formal_quit(seat, origin)
        case ShowTyping(duration_ms):
            return session.show_typing(seat, duration_ms, origin)
        case ShareDraft(draft):
            return session.offer_in_progress(seat, draft, origin)
        case ProposeChange(updates):
            # Nothing else changes a seat's notes, so a change without a version is meant for the newest.
            newest = session.state.record.version
            base = newest if action.base_version is None else action.base_version
            return session.propose_change(Proposer(ProposerKind.SEAT, seat), updates, base, origin)
        case _:
            assert_never(action)
