"""Actions that an agent may return. A returned list is a script: it is performed in order."""

from __future__ import annotations

import reprlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any

from negoplatform.core.events import Expression, MessageSubtype, Preference, clean_text
from negoplatform.core.immutable.frozen_json import FrozenJson, copy_json
from negoplatform.core.mechanisms.base import COMMON_ACTS
from negoplatform.core.mechanisms.registry import find_act_rule
from negoplatform.domain.errors import AgentError, Refused
from negoplatform.domain.offer import Offer, exact_str

_FLUSHABLE_SUBTYPES = frozenset({MessageSubtype.GENERIC_POS, MessageSubtype.GENERIC_NEG})

MAX_SCRIPT_ACTIONS = 100
"""Most actions in one answer; more are a mistake in a loop."""

MAX_PROPOSAL_BYTES = 1024 * 1024
"""Most bytes of JSON in one ProposeChange; the session takes fewer, and refuses more with a reason."""

MAX_PROPOSAL_KEYS = 10_000
"""Most keys and lists in one ProposeChange: every reader of the log goes through all of them."""

MAX_RECIPIENTS = 100
"""Most seats that one action is addressed to."""

MAX_SEAT_NAME = 100
"""Most characters of a seat's name."""

MAX_DELAY_MS = 10 * 86_400_000
"""Ten days: no session lasts as long."""


def _check_ms(name: str, value: object) -> None:
    if type(value) not in (int, float) or not 0 <= value <= MAX_DELAY_MS:  # type: ignore[operator]
        raise AgentError(f"{name} is a number of milliseconds from 0 to {MAX_DELAY_MS:,}.")


@dataclass(frozen=True, slots=True)
class SendMessage:
    """Send a message.

    Args:
        text: The text.
        subtype: The speech act.
        delay_ms: Pause before this action, counted from the one before it.
        preference: A preference that the text states or asks about.
        batna: A stated value of no deal, in points.
        to: The recipients; none means everyone.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
            None: only small talk (GENERIC_POS, GENERIC_NEG) is.
    """

    text: str
    subtype: MessageSubtype = MessageSubtype.GENERIC
    delay_ms: float = 0
    _: KW_ONLY
    preference: Preference | None = None
    batna: float | None = None
    to: tuple[str, ...] = ()
    flushable: bool | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.text, str):
            raise AgentError(f"SendMessage needs a text, not {_describe_value(self.text)}.")
        # Plain values only: the answers of an author's own class may differ from one moment to the next.
        object.__setattr__(self, "text", exact_str(self.text))
        try:
            object.__setattr__(self, "subtype", MessageSubtype(self.subtype))
        except ValueError:
            raise AgentError(f"{self.subtype!r} is no MessageSubtype.") from None
        object.__setattr__(self, "to", _seats(self.to, "A message"))
        _check_ms("delay_ms", self.delay_ms)
        if self.flushable is None:
            object.__setattr__(self, "flushable", self.subtype in _FLUSHABLE_SUBTYPES)


@dataclass(frozen=True, slots=True, init=False)
class SendOffer:
    """Propose an offer, complete or partial.

    Args:
        offer: The offer.
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    offer: Offer
    delay_ms: float = 0
    _: KW_ONLY
    flushable: bool = False

    # By hand, because offers are most actions: the dataclass's own takes twice as long.
    def __init__(self, offer: Offer, delay_ms: float = 0, *, flushable: bool = False) -> None:
        if not isinstance(offer, Offer):
            raise AgentError(
                f"SendOffer needs an Offer, such as ctx.make_offer(...) makes, not {_describe_value(offer)}."
            )
        if type(delay_ms) is not float or not 0 <= delay_ms <= MAX_DELAY_MS:
            _check_ms("delay_ms", delay_ms)
        _set_offer(self, offer)
        _set_delay_ms(self, delay_ms)
        _set_flushable(self, flushable)


_set_offer, _set_delay_ms, _set_flushable = (
    vars(SendOffer)[slot].__set__ for slot in ("offer", "delay_ms", "flushable")
)


@dataclass(frozen=True, slots=True)
class SendExpression:
    """Show an emotion.

    Args:
        expression: The emotion.
        duration_ms: How long the face shows it before it is neutral again.
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    expression: Expression
    duration_ms: int = 2000
    delay_ms: float = 0
    _: KW_ONLY
    flushable: bool = True

    def __post_init__(self) -> None:
        try:
            object.__setattr__(self, "expression", Expression(self.expression))
        except ValueError:
            raise AgentError(f"{self.expression!r} is no Expression.") from None
        _check_ms("duration_ms", self.duration_ms)
        object.__setattr__(self, "duration_ms", round(self.duration_ms))
        _check_ms("delay_ms", self.delay_ms)


@dataclass(frozen=True, slots=True)
class FormalAccept:
    """Formally accept the offer that is on the table when this is decided; another one is never bound.

    Args:
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    delay_ms: float = 0
    _: KW_ONLY
    flushable: bool = False

    def __post_init__(self) -> None:
        _check_ms("delay_ms", self.delay_ms)


@dataclass(frozen=True, slots=True)
class FormalQuit:
    """Walk away, which ends a bargaining game for everyone.

    Args:
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    delay_ms: float = 0
    _: KW_ONLY
    flushable: bool = False

    def __post_init__(self) -> None:
        _check_ms("delay_ms", self.delay_ms)


@dataclass(frozen=True, slots=True)
class ShowTyping:
    """Show the sign "is typing".

    Args:
        duration_ms: How long, unless the message comes earlier.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    duration_ms: int = 1000
    _: KW_ONLY
    flushable: bool = True

    def __post_init__(self) -> None:
        _check_ms("duration_ms", self.duration_ms)
        object.__setattr__(self, "duration_ms", round(self.duration_ms))


@dataclass(frozen=True, slots=True)
class Schedule:
    """Schedule a later decision. It runs alongside the script and does not delay it.

    Args:
        delay_ms: Counted from the decision, not from the action before.
        callback: Called with a fresh context; returns an action, a list of actions or None.
            Instead of a callback an action may be given.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    delay_ms: float
    callback: Callable[[Any], Any] | Action
    _: KW_ONLY
    flushable: bool = False

    def __post_init__(self) -> None:
        _check_ms("delay_ms", self.delay_ms)
        if not callable(self.callback) and not isinstance(self.callback, ACTIONS):
            raise AgentError(f"Schedule needs something to call, not {self.callback!r}.")


@dataclass(frozen=True, slots=True)
class ProposeChange:
    """Propose a change of the session's record: the agent's own notes and tasks.

    The session decides; a refusal arrives as ``on_action_refused``. Only the experimenter and the agent
    itself see these, so they are the place for an agent's reasoning: an estimate, a reason, a plan.

    Args:
        updates: The changes, such as ``{"notes": {ctx.seat: {"mood": "hopeful"}}}``: JSON values, merged
            into the present ones; None deletes a key.
        base_version: The version of the record that the decision is based on, such as the ``base_version``
            of ``ctx.get_proposed_state_diff(updates)``: refused if it has changed since. None: the newest.
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat speaks, offers, accepts or quits.
    """

    updates: Mapping[str, Any]
    base_version: int | None = None
    delay_ms: float = 0
    _: KW_ONLY
    flushable: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.updates, Mapping):
            raise AgentError(
                f"ProposeChange needs a mapping of sections, not {_describe_value(self.updates)}."
            )
        try:
            # Bounded, because a list of lists of lists may be small in memory and without end as text.
            copied = copy_json(self.updates, MAX_PROPOSAL_BYTES)
        except Refused as refusal:
            raise AgentError(f"ProposeChange: {refusal}") from None
        if _count_keys_and_lists(copied) > MAX_PROPOSAL_KEYS:
            raise AgentError(
                f"ProposeChange: There are more than {MAX_PROPOSAL_KEYS:,} keys and lists in it."
            )
        object.__setattr__(self, "updates", FrozenJson(copied))
        _check_ms("delay_ms", self.delay_ms)


@dataclass(frozen=True, slots=True)
class MechanismAct:
    """Perform an act of the game's mechanism, in a kind of game that is no bargaining.

    Args:
        type: The type of act, in capitals, such as ``PLACE_BID``.
        payload: Its payload, of the class that the mechanism declares for this type.
        to: The seat that it is addressed to, where the mechanism has it addressed.
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat does something that makes it pointless.
    """

    type: str
    payload: Any
    to: tuple[str, ...] = ()
    delay_ms: float = 0
    _: KW_ONLY
    flushable: bool = False

    def __post_init__(self) -> None:
        rule = find_act_rule(self.type) if isinstance(self.type, str) else None
        if rule is None or self.type in COMMON_ACTS:
            raise AgentError(
                f"{self.type!r} is no act of a mechanism; common acts have actions of their own."
            )
        if type(self.payload) is not rule.payload_class:
            wanted = rule.payload_class.__name__
            raise AgentError(f"{self.type} needs a payload {wanted}, not {_describe_value(self.payload)}.")
        object.__setattr__(self, "type", exact_str(self.type))
        object.__setattr__(self, "to", _seats(self.to, "An act"))
        _check_ms("delay_ms", self.delay_ms)


def _seats(to: object, what: str) -> tuple[str, ...]:
    if type(to) is tuple and not to:
        return ()
    to = (to,) if isinstance(to, str) else to
    if not isinstance(to, list | tuple) or not all(isinstance(seat, str) for seat in to):
        raise AgentError(f"{what} is for a list of seats, not for {reprlib.repr(to)}.")
    if len(to) > MAX_RECIPIENTS:
        raise AgentError(f"{what} is for {MAX_RECIPIENTS} seats at most, not for {len(to):,}.")
    seats = tuple(exact_str(seat) for seat in to)
    for seat in seats:
        # Such a text could be sent neither to the session from another process, nor to its log.
        if len(seat) > MAX_SEAT_NAME or seat != clean_text(seat):
            raise AgentError(f"{what} is for seats, and {reprlib.repr(seat)} is no name of a seat.")
    return seats


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismAction(ABC):
    """Action that is a short form of an act of the game's mechanism; its own values may be positional.

    Args:
        delay_ms: Pause before this action, counted from the one before it.
        flushable: Dropped, if still waiting, when another seat does something that makes it pointless.
    """

    delay_ms: float = 0
    flushable: bool = False
    _made: MechanismAct = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_made", self._make_act())

    def as_act(self) -> MechanismAct:
        """Return the act, with the values that the action was made with."""
        return self._made

    @abstractmethod
    def _make_act(self) -> MechanismAct:
        """Return a new act.

        Raises:
            AgentError: If a value is wrong; a sentence.
        """


NormalizedAction = (
    SendMessage
    | SendOffer
    | SendExpression
    | FormalAccept
    | FormalQuit
    | ShowTyping
    | ProposeChange
    | MechanismAct
    | Schedule
)
"""An action without short forms, as :func:`normalize_actions` returns it."""

Action = NormalizedAction | MechanismAction
"""Action of a handler, which returns a list of them."""

ACTIONS = (
    SendMessage,
    SendOffer,
    SendExpression,
    FormalAccept,
    FormalQuit,
    ShowTyping,
    ProposeChange,
    MechanismAct,
    Schedule,
)
"""The classes of :data:`NormalizedAction`, for checks."""


def normalize_actions(returned: object, source: str) -> list[NormalizedAction]:
    """Return the actions that a handler or a callback returned, short forms as acts.

    Raises:
        AgentError: If it returned anything but a list of actions or None.
    """
    if returned is None:
        return []
    if not isinstance(returned, list | tuple):
        raise AgentError(f"{source} returned {_describe_value(returned)}; return a list of actions, or None.")
    if len(returned) > MAX_SCRIPT_ACTIONS:
        raise AgentError(f"{source} returned {len(returned):,} actions; {MAX_SCRIPT_ACTIONS} are the most.")
    actions: list[NormalizedAction] = []
    for action in returned:
        if type(action) in ACTIONS:
            actions.append(action)
        elif isinstance(action, MechanismAction):
            actions.append(action.as_act())
        else:
            raise AgentError(f"{source} returned a list with {_describe_value(action)}, which is no action.")
    return actions


def _count_keys_and_lists(value: Any) -> int:
    """Return the number of keys and lists in a JSON value, itself included; an empty object counts as one."""
    if isinstance(value, dict):
        return max(1, len(value)) + sum(map(_count_keys_and_lists, value.values()))
    if isinstance(value, list):
        return 1 + sum(map(_count_keys_and_lists, value))
    return 0


def _describe_value(value: object) -> str:
    """Return a value for a sentence; one of a foreign class by its class, as its repr may be long or vary."""
    if value is None or type(value) in (bool, int, float, str):
        return reprlib.repr(value)
    return f"a {type(value).__name__}"
