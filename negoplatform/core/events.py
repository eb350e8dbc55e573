"""Events of a session, in the order in which they happened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from enum import StrEnum
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, NamedTuple

from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.domain.expression import Expression as Expression  # re-exported
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.domain.seat_map import Seat

new_tuple = tuple.__new__
"""``new_tuple(Event, (1, 0.5, …))`` is ``Event(1, 0.5, …)``, every field given, without a Python-level call.

For the few named tuples that are created with each event; it takes less than half of the time.
"""


class EventType(StrEnum):
    """The kinds of event; a mechanism may register further ones under its own names."""

    # str's own hash: an enumeration would look its name up in Python at every set membership test.
    __hash__ = str.__hash__

    SEND_MESSAGE = "SEND_MESSAGE"
    SEND_OFFER = "SEND_OFFER"
    SEND_EXPRESSION = "SEND_EXPRESSION"
    OFFER_IN_PROGRESS = "OFFER_IN_PROGRESS"
    TIME = "TIME"
    FORMAL_ACCEPT = "FORMAL_ACCEPT"
    FORMAL_QUIT = "FORMAL_QUIT"
    GAME_START = "GAME_START"
    GAME_END = "GAME_END"
    TYPING = "TYPING"
    ACTION_REFUSED = "ACTION_REFUSED"
    STATE_PROPOSED = "STATE_PROPOSED"
    AGENT_FAILED = "AGENT_FAILED"
    RESUMED = "RESUMED"
    NOTE = "NOTE"


SEND_OFFER: Final = EventType.SEND_OFFER
GAME_START: Final = EventType.GAME_START
GAME_END: Final = EventType.GAME_END
"""Members for code that runs at every event: in Python 3.11 looking one up takes twenty times as long."""


class MessageSubtype(StrEnum):
    """Speech act of a message: the union of the acts of the field's platforms."""

    GENERIC = "GENERIC"
    GREETING = "GREETING"
    FAREWELL = "FAREWELL"
    THANKS = "THANKS"
    APOLOGY = "APOLOGY"
    PROMISE = "PROMISE"
    CONFIRMATION = "CONFIRMATION"
    CLARIFICATION = "CLARIFICATION"
    CONFUSION = "CONFUSION"
    GENERIC_POS = "GENERIC_POS"
    GENERIC_NEG = "GENERIC_NEG"
    OFFER_PROPOSE = "OFFER_PROPOSE"
    OFFER_ACCEPT = "OFFER_ACCEPT"
    OFFER_REJECT = "OFFER_REJECT"
    OFFER_REQUEST_POS = "OFFER_REQUEST_POS"
    OFFER_REQUEST_NEG = "OFFER_REQUEST_NEG"
    PREF_INFO = "PREF_INFO"
    PREF_REQUEST = "PREF_REQUEST"
    PREF_SPECIFIC_REQUEST = "PREF_SPECIFIC_REQUEST"
    PREF_WITHHOLD = "PREF_WITHHOLD"
    BATNA_REQUEST = "BATNA_REQUEST"
    BATNA_INFO = "BATNA_INFO"
    FAVOR_REQUEST = "FAVOR_REQUEST"
    FAVOR_ACCEPT = "FAVOR_ACCEPT"
    FAVOR_REJECT = "FAVOR_REJECT"
    FAVOR_RETURN = "FAVOR_RETURN"
    THREAT = "THREAT"
    THREAT_POS = "THREAT_POS"
    THREAT_NEG = "THREAT_NEG"
    TIMING_REQUEST = "TIMING_REQUEST"
    TIMING_INFO = "TIMING_INFO"
    TIMING = "TIMING"


class Relation(StrEnum):
    """Relation between the issues of a stated preference."""

    GREATER = "GREATER"
    LESS = "LESS"
    EQUAL = "EQUAL"
    BEST = "BEST"
    WORST = "WORST"


class EndedBy(StrEnum):
    """Reason for the end of a game."""

    AGREEMENT = "agreement"
    TIMEOUT = "timeout"
    QUIT = "quit"
    AGENT_FAILURE = "agent_failure"
    ABORTED = "aborted"
    COMPLETED = "completed"
    """The game ran its course; not in bargaining."""


class DecidedBy(StrEnum):
    """Decision maker behind a seat's action."""

    HUMAN = "human"
    AGENT = "agent"
    WIZARD = "wizard"
    PRINCIPAL = "principal"
    FALLBACK = "fallback"


@dataclass(frozen=True, slots=True)
class Preference:
    """A stated preference, or a question about one.

    Args:
        issue1: The first issue.
        relation: GREATER, LESS and EQUAL compare it with issue2; BEST and WORST stand alone.
        issue2: The issue that it is compared with; None with BEST and WORST.
        is_question: Whether it asks rather than states.
    """

    issue1: str
    relation: Relation
    issue2: str | None = None
    is_question: bool = False

    def __post_init__(self) -> None:
        # An author may write "BEST" or 1; logs use the values behind them.
        object.__setattr__(self, "relation", Relation(self.relation))
        object.__setattr__(self, "is_question", bool(self.is_question))


@dataclass(frozen=True, slots=True)
class Message:
    """Text, its speech act, and what it states about preferences or the value of no deal."""

    text: str
    subtype: MessageSubtype = MessageSubtype.GENERIC
    preference: Preference | None = None
    batna: float | None = None


@dataclass(frozen=True, slots=True)
class OfferMade:
    """An offer that was sent."""

    offer: Offer


@dataclass(frozen=True, slots=True)
class ExpressionShown:
    """An emotion, shown for a number of milliseconds."""

    expression: Expression
    duration_ms: int = 2000


@dataclass(frozen=True, slots=True)
class Drafting:
    """Sign that an offer is being built; with the draft itself only where the game shares drafts."""

    draft: Offer | None = None


@dataclass(frozen=True, slots=True)
class Typing:
    """Sign that a message is being typed, shown for a number of milliseconds or until the message comes."""

    duration_ms: int = 1000


@dataclass(frozen=True, slots=True)
class Accepted:
    """The offer that was formally accepted, by its id."""

    offer_id: int


@dataclass(frozen=True, slots=True)
class Nothing:
    """Payload of an event that is fully described by its type."""


NOTHING = Nothing()


@dataclass(frozen=True, slots=True)
class Tick:
    """Session time in seconds, and the remaining time (None without a deadline)."""

    elapsed: float
    remaining: float | None


@dataclass(frozen=True, slots=True)
class Ending:
    """End of a game.

    Args:
        ended_by: The reason for the end.
        by: The seat that ended it, where one did.
        deal: The binding offer; None without agreement.
        deal_id: The offer_id of the deal.
        reason: A sentence, where the end needs one.
        signed_by: The seats that have accepted the deal, in the game's order; empty without a deal, and if
            all of them have.
    """

    ended_by: EndedBy
    by: Seat | None = None
    deal: Offer | None = None
    deal_id: int | None = None
    reason: str = ""
    signed_by: tuple[Seat, ...] = ()

    def is_signed_by(self, seat: Seat) -> bool:
        """Return whether a seat of the game has accepted the deal; False without one."""
        return self.deal is not None and (not self.signed_by or seat in self.signed_by)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Refused event type, with a reason that its reader can act on."""

    action: str
    reason: str


class FailureKind(StrEnum):
    """Consequence of a failure for an agent's answer."""

    SLOW = "slow"
    """The answer came late, and counts."""
    FAILED = "failed"
    """No answer: the agent raised, or its answer was invalid."""
    ACT = "act"
    """A step of the answer could not even be tried."""
    LOST = "lost"
    """No answer, and none to come: the process ended, or had to be killed."""
    MEMBER = "member"
    """Failure of one member of a team of agents; the answer of the others counts."""


@dataclass(frozen=True, slots=True)
class Failure:
    """An agent's failure: its seat, a sentence, the number of failures so far, and the kind."""

    seat: Seat
    reason: str
    strikes: int
    kind: FailureKind = FailureKind.FAILED


@dataclass(frozen=True, slots=True)
class Resumed:
    """Resumption of an interrupted session, with the number of bytes of a torn last line set aside."""

    torn_bytes: int = 0


@dataclass(frozen=True, slots=True)
class Note:
    """Entry in the log that is not part of the state; ``data`` holds JSON values."""

    kind: NoteKind
    data: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Announced:
    """Announcement of the game to its seats: data for agents and states, text for people.

    Args:
        json: A JSON object as text, and so immutable.
        text: The same in words; empty: people are shown nothing.
    """

    json: str = "{}"
    text: str = ""

    @property
    def data(self) -> dict[str, Any]:
        """The data, a new copy each time."""
        found: dict[str, Any] = _value_of(self.json)[0]
        return found


@lru_cache(maxsize=64)
def shared_data(text: str) -> Mapping[str, Any]:
    """Return the data of an announcement's JSON text, for the platform's own code, which only reads them.

    Rules, state and log read the data of a new event one after the other.
    """
    found: dict[str, Any] = _value_of(text)[0]
    return found


def announced(data: Mapping[str, Any], text: str = "") -> Announced:
    """Return announced data as JSON text, in the one form that logs are read into."""
    return Announced(_json_text(data), text)


# Made once: json.dumps makes an encoder at each call, and json.loads looks for what these texts do not have.
_json_text = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode
_value_of = json.JSONDecoder().raw_decode


Payload = (
    Message
    | OfferMade
    | ExpressionShown
    | Drafting
    | Typing
    | Accepted
    | Nothing
    | Tick
    | Ending
    | Refusal
    | Failure
    | Announced
    | StateProposal
    | Resumed
    | Note
)


class Event(NamedTuple):
    """A fact of a session.

    A named tuple, like every value that is created with each event: it is immutable, and takes a third of
    a frozen dataclass's time to create.

    Attributes:
        seq: 1, 2, 3 … without gaps within a session.
        t: Session time in seconds, rounded to the millisecond.
        type: The kind of fact; an EventType or a name that the mechanism or the game registered.
        sender: A seat, or ``platform``.
        payload: A frozen value, one shape per type.
        to: The recipients; none means everyone.
        cause: The seq of the event that this one answers.
        decided_by: The decision maker behind a seat's action. Seen by the experimenter only, like cause.
        decided_at: The session time of an agent's decision. Seen by the experimenter only.
    """

    seq: int
    t: float
    type: str
    sender: Seat
    payload: Any
    to: tuple[Seat, ...] = ()
    cause: int | None = None
    decided_by: DecidedBy | None = None
    decided_at: float | None = None

    @property
    def event_type(self) -> str:
        """Type under the name that typed states use for it."""
        return str(self.type)

    @property
    def data(self) -> dict[str, Any]:
        """Data of an announcement, a new copy each time; empty for every other event."""
        return self.payload.data if isinstance(self.payload, Announced) else {}

    def get_text(self) -> str:
        """Return the text of a message; empty for every other event."""
        return self.payload.text if isinstance(self.payload, Message) else ""

    def get_offer(self) -> Offer:
        """Return the offer that was sent (or shared as a draft, or agreed); empty for every other event."""
        match self.payload:
            case OfferMade(offer):
                return offer
            case Drafting(draft=Offer() as offer) | Ending(deal=Offer() as offer):
                return offer
            case _:
                return EMPTY_OFFER

    def get_expression(self) -> Expression | None:
        """Return the emotion that was shown; None for every other event."""
        return self.payload.expression if isinstance(self.payload, ExpressionShown) else None

    def get_preference(self) -> Preference | None:
        """Return the preference that a message states or asks about; None where there is none."""
        return self.payload.preference if isinstance(self.payload, Message) else None

    def redacted(self) -> Event:
        """Return the same event as the seats may see it."""
        if self[6:] == PUBLIC_ORIGIN:
            return self
        return new_tuple(
            Event, (self.seq, self.t, self.type, self.sender, self.payload, self.to, None, None, None)
        )


PUBLIC_ORIGIN = (None, None, None)
"""Cause, decision maker and time of decision of an event as the seats see it: its last three fields."""


def payload_fields(payload: object) -> dict[str, Any]:
    """Return the fields of a payload that have a value, by name; empty where it is no dataclass."""
    if not is_dataclass(payload):
        return {}
    found = {each.name: getattr(payload, each.name) for each in fields(payload)}
    return {name: part for name, part in found.items() if part not in (None, "", ())}


def clean_text(text: str) -> str:
    """Return text fit for a log: lone surrogates and control characters (except line breaks) are replaced.

    A lone surrogate, pasted into a chat line, cannot be written as UTF-8; a NUL ends a C string.
    """
    if type(text) is str and text.isprintable():
        return text  # most texts; neither a lone surrogate nor a control character is printable
    sound = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c in "\n\t" or (c.isprintable() or ord(c) >= 0xA0) else " " for c in sound)
