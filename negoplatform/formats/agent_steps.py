"""An agent's script as JSON, and back."""

from __future__ import annotations

from typing import Annotated, Any, Literal, assert_never

from pydantic import Field

from negoplatform.agent_api.actions import (
    MAX_DELAY_MS,
    Action,
    FormalAccept,
    FormalQuit,
    ProposeChange,
    Schedule,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.core.events import Expression, MessageSubtype, Preference
from negoplatform.domain.offer import exact_str
from negoplatform.formats.event_payloads import OfferModel, PreferenceModel, dump_offer, load_offer
from negoplatform.formats.strict_json import StrictModel

Milliseconds = Annotated[float | int, Field(ge=0, le=MAX_DELAY_MS)]
Serial = Annotated[int, Field(ge=1, le=2**53)]

INVALID = "?"
"""Stands for what an author put where something else belongs: the session refuses it in its own words."""


class MessageStep(StrictModel):
    """SendMessage. What an author put in place of a number or a preference is a ``?``, to be refused."""

    do: Literal["message"] = "message"
    text: str
    subtype: MessageSubtype
    preference: PreferenceModel | Literal["?"] | None
    batna: float | int | Literal["?"] | None
    to: Annotated[list[str], Field(max_length=100)]
    delay_ms: Milliseconds
    flushable: bool

    def value(self) -> Action:
        """The action."""
        stated: Any = self.preference
        if isinstance(stated, PreferenceModel):
            stated = Preference(stated.issue1, stated.relation, stated.issue2, stated.is_question)
        batna: Any = self.batna
        return SendMessage(
            self.text,
            self.subtype,
            self.delay_ms,
            preference=stated,
            batna=batna,
            to=tuple(self.to),
            flushable=self.flushable,
        )


class OfferStep(StrictModel):
    """SendOffer."""

    do: Literal["offer"] = "offer"
    offer: OfferModel
    delay_ms: Milliseconds
    flushable: bool

    def value(self) -> Action:
        """The action."""
        return SendOffer(load_offer(self.offer), self.delay_ms, flushable=self.flushable)


class ExpressionStep(StrictModel):
    """SendExpression."""

    do: Literal["expression"] = "expression"
    expression: Expression
    duration_ms: Annotated[int, Field(ge=0, le=MAX_DELAY_MS)]
    delay_ms: Milliseconds
    flushable: bool

    def value(self) -> Action:
        """The action."""
        return SendExpression(self.expression, self.duration_ms, self.delay_ms, flushable=self.flushable)


class AcceptStep(StrictModel):
    """FormalAccept."""

    do: Literal["accept"] = "accept"
    delay_ms: Milliseconds
    flushable: bool

    def value(self) -> Action:
        """The action."""
        return FormalAccept(self.delay_ms, flushable=self.flushable)


class QuitStep(StrictModel):
    """FormalQuit."""

    do: Literal["quit"] = "quit"
    delay_ms: Milliseconds
    flushable: bool

    def value(self) -> Action:
        """The action."""
        return FormalQuit(self.delay_ms, flushable=self.flushable)


class TypingStep(StrictModel):
    """ShowTyping."""

    do: Literal["typing"] = "typing"
    duration_ms: Annotated[int, Field(ge=0, le=MAX_DELAY_MS)]
    flushable: bool

    def value(self) -> Action:
        """The action."""
        return ShowTyping(self.duration_ms, flushable=self.flushable)


class ProposeStep(StrictModel):
    """ProposeChange; a version that is none is -1, to be refused."""

    do: Literal["propose"] = "propose"
    updates: dict[str, Any]
    base_version: Annotated[int, Field(ge=-1, le=2**53)] | None
    delay_ms: Milliseconds
    flushable: bool

    def value(self) -> Action:
        """The action."""
        return ProposeChange(self.updates, self.base_version, self.delay_ms, flushable=self.flushable)


class CallStep(StrictModel):
    """A callback, under the number that it is kept by."""

    do: Literal["call"] = "call"
    number: Serial
    delay_ms: Milliseconds
    flushable: bool


ActionStep = MessageStep | OfferStep | ExpressionStep | AcceptStep | QuitStep | TypingStep | ProposeStep
ScriptStepModel = Annotated[ActionStep | CallStep, Field(discriminator="do")]


def dump_step(action: Action) -> dict[str, Any]:
    """An action as a JSON value; :data:`ScriptStepModel` reads it.

    Raises:
        TypeError: For a callback, which stays where it is.
    """
    match action:
        case SendMessage():
            step = {
                "do": "message",
                "text": action.text,
                "subtype": action.subtype.value,
                "preference": _dump_stated_preference(action.preference),
                "batna": _dump_number(action.batna),
                "to": list(action.to),
            }
        case SendOffer(offer):
            step = {"do": "offer", "offer": dump_offer(offer)}
        case SendExpression(expression, duration_ms):
            step = {"do": "expression", "expression": expression.value, "duration_ms": duration_ms}
        case FormalAccept():
            step = {"do": "accept"}
        case FormalQuit():
            step = {"do": "quit"}
        case ShowTyping(duration_ms):
            return {"do": "typing", "duration_ms": duration_ms, "flushable": bool(action.flushable)}
        case ProposeChange(updates, base_version):
            sound = base_version is None or (type(base_version) is int and 0 <= base_version <= 2**53)
            step = {
                "do": "propose",
                "updates": dict(updates),
                "base_version": base_version if sound else -1,
            }
        case Schedule():
            raise TypeError("a callback is kept, not sent")
        case _:
            assert_never(action)
    return {**step, "delay_ms": action.delay_ms, "flushable": bool(action.flushable)}


def dump_callback(number: int, delay_ms: float, flushable: bool) -> dict[str, Any]:
    """A callback that is kept under a number, as a JSON value."""
    return {"do": "call", "number": number, "delay_ms": delay_ms, "flushable": flushable}


def _dump_stated_preference(stated: object) -> dict[str, Any] | str | None:
    if stated is None:
        return None
    if not isinstance(stated, Preference):
        return INVALID
    issues = [
        exact_str(issue) if isinstance(issue, str) else INVALID
        for issue in (stated.issue1, stated.issue2 or "")
    ]
    return {
        "issue1": issues[0],
        "relation": stated.relation.value,
        "issue2": None if stated.issue2 is None else issues[1],
        "is_question": stated.is_question,
    }


def _dump_number(stated: object) -> float | int | str | None:
    if stated is None:
        return None
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return INVALID
    number = int(stated) if isinstance(stated, int) else float(stated)
    return number if abs(number) <= 2**53 else INVALID  # which no NaN is, either
