"""JSON forms of the actions in an agent's script."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields
from enum import Enum
from functools import cache, lru_cache
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr, TypeAdapter, model_validator

from negoplatform.agent_api.actions import (
    MAX_DELAY_MS,
    MAX_RECIPIENTS,
    Action,
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
from negoplatform.core.events import Preference
from negoplatform.core.mechanisms.registry import find_act_rule
from negoplatform.domain.errors import AgentError
from negoplatform.domain.offer import exact_str
from negoplatform.formats.dataclass_codec import ModelOf, Shape, describe, dump, form, load
from negoplatform.formats.event_payloads import OFFER
from negoplatform.formats.strict_json import StrictModel

Milliseconds = Annotated[float | int, Field(ge=0, le=MAX_DELAY_MS)]
Serial = Annotated[int, Field(ge=1, le=2**53)]

INVALID = "?"
"""Placeholder for a value of the wrong type in an agent's action; the session refuses it with a sentence."""


def _dump_stated_preference(stated: object) -> dict[str, Any] | str | None:
    if stated is None:
        return None
    if not isinstance(stated, Preference):
        return INVALID
    issues = [
        exact_str(issue) if isinstance(issue, str) else INVALID
        for issue in (stated.issue1, stated.issue2 or "")
    ]
    issue2 = None if stated.issue2 is None else issues[1]
    document: dict[str, Any] = dump(Preference(issues[0], stated.relation, issue2, stated.is_question))
    return document


def _dump_number(stated: object) -> float | int | str | None:
    if stated is None:
        return None
    if isinstance(stated, bool) or not isinstance(stated, int | float):
        return INVALID
    number = int(stated) if isinstance(stated, int) else float(stated)
    return number if abs(number) <= 2**53 else INVALID  # false for NaN too


def _dump_version(version: object) -> int | None:
    return version if version is None or (type(version) is int and 0 <= version <= 2**53) else -1


def _load_stated_preference(checked: Any) -> Any:
    return checked if checked is None or checked == INVALID else checked.value()


def _describe_action(action_class: type[Any], name: str, **types: Any) -> None:
    describe(
        action_class,
        tag={"do": name},
        delay_ms=Milliseconds,
        duration_ms=Annotated[int, Field(ge=0, le=MAX_DELAY_MS)],
        flushable=Shape(bool, None, bool),
        **types,
    )


_describe_action(
    SendMessage,
    "message",
    preference=Shape(
        form(Preference) | Literal["?"] | None, _load_stated_preference, _dump_stated_preference
    ),
    batna=Shape(float | int | Literal["?"] | None, None, _dump_number),
    to=Annotated[tuple[str, ...], Field(max_length=MAX_RECIPIENTS)],
)
_describe_action(SendOffer, "offer", offer=OFFER)
_describe_action(SendExpression, "expression")
_describe_action(FormalAccept, "accept")
_describe_action(FormalQuit, "quit")
_describe_action(ShowTyping, "typing")
_describe_action(
    ProposeChange,
    "propose",
    base_version=Shape(Annotated[int, Field(ge=-1, le=2**53)] | None, None, _dump_version),
)


class MechanismActStep(StrictModel):
    """Act of a mechanism, whose payload has the form that its rule declares."""

    do: Literal["act"] = "act"
    type: str
    payload: dict[str, Any]
    to: Annotated[tuple[str, ...], Field(max_length=MAX_RECIPIENTS)]
    delay_ms: Milliseconds
    flushable: bool

    @model_validator(mode="after")
    def _check_payload(self) -> MechanismActStep:
        rule = find_act_rule(self.type)
        if rule is None:
            raise ValueError(f"{self.type!r} is no act that is known here")
        checked = _payload_form(self.type).validate_json(json.dumps(self.payload))
        self._payload = load(rule.payload_class, checked)
        return self

    _payload: Any = PrivateAttr()

    def value(self) -> MechanismAct:
        """Return the action."""
        return MechanismAct(self.type, self._payload, self.to, self.delay_ms, flushable=self.flushable)


def checked_act(act: MechanismAct) -> MechanismAct:
    """Return an act with a payload that its author cannot change any more, as a log will hold it.

    Raises:
        AgentError: If a log could not hold it.
    """
    step = None
    with suppress(Exception):  # a payload of an author's making may raise anything
        fresh = _fresh_act(act)
        if fresh is not None:
            return fresh
        text = json.dumps(dump_step(act), allow_nan=False)
        step = MechanismActStep.model_validate_json(text).value()
    if step is None:
        raise AgentError(f"The payload of its {act.type} has values of a wrong type, or too large.")
    return step


def _fresh_act(act: MechanismAct) -> MechanismAct | None:
    """Return a copy of an act with a flat payload of plain values; None for any other, or an invalid one."""
    payload: Any = act.payload
    kind: Any = type(payload)
    values = tuple([getattr(payload, name) for name in _field_names(kind)])
    kinds = tuple([type(value) for value in values])
    if type(act.delay_ms) not in PLAIN_TYPES or not all(
        each in PLAIN_TYPES or issubclass(each, Enum) for each in kinds
    ):
        return None
    if not _can_be_logged(act.type, kind, kinds, values):
        return None
    return MechanismAct(act.type, kind(*values), act.to, act.delay_ms, flushable=bool(act.flushable))


PLAIN_TYPES = frozenset({str, int, float, bool, type(None)})
"""Types of immutable values, which JSON holds as they are."""


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind) if field.init)


@lru_cache(maxsize=2048)
def _can_be_logged(
    kind: str,
    payload_class: Any,
    kinds: tuple[Any, ...],  # noqa: ARG001 - 1, 1.0 and True are equal, and different in a log
    values: tuple[Any, ...],
) -> bool:
    """Return whether a log can hold a payload; most orders have been seen before."""
    try:
        _payload_form(kind).validate_json(json.dumps(dump(payload_class(*values)), allow_nan=False))
    except Exception:  # noqa: BLE001 - whatever the values raise
        return False
    return True


@cache
def _payload_form(kind: str) -> TypeAdapter[Any]:
    rule = find_act_rule(kind)
    return TypeAdapter(form(rule.payload_class if rule else None))


class CallStep(StrictModel):
    """Scheduled callback, by its number."""

    do: Literal["call"] = "call"
    number: Serial
    delay_ms: Milliseconds
    flushable: bool


_ACTIONS = (
    SendMessage
    | SendOffer
    | SendExpression
    | FormalAccept
    | FormalQuit
    | ShowTyping
    | ProposeChange
    | MechanismActStep
)

ActionModel = Annotated[Any, ModelOf(Annotated[_ACTIONS, Field(discriminator="do")])]
"""Form of an action, with the action as its ``value()``."""

ScriptStepModel = Annotated[Any, ModelOf(Annotated[_ACTIONS | CallStep, Field(discriminator="do")])]
"""Form of an action, with the action as its ``value()``, or a CallStep."""


def dump_step(action: Action) -> dict[str, Any]:
    """Return an action as a JSON value, which :data:`ScriptStepModel` reads.

    Raises:
        TypeError: For a callback, which stays in the agent's process.
    """
    if isinstance(action, Schedule):
        raise TypeError("a callback is kept, not sent")
    if isinstance(action, MechanismAct):
        return {
            "do": "act",
            "type": action.type,
            "payload": dump(action.payload),
            "to": list(action.to),
            "delay_ms": action.delay_ms,
            "flushable": bool(action.flushable),
        }
    step: dict[str, Any] = dump(action)
    return step


def load_step(step: Mapping[str, Any]) -> Action:
    """Return the action of a JSON value that :func:`dump_step` returned.

    Raises:
        ValueError: If it is the value of none.
    """
    action: Action = _step_form().validate_json(json.dumps(step, default=dict)).value()
    return action


@cache
def _step_form() -> TypeAdapter[Any]:
    return TypeAdapter(ActionModel)


def dump_callback(number: int, delay_ms: float, flushable: bool) -> dict[str, Any]:
    """Return a callback, by its number, as a JSON value."""
    return {"do": "call", "number": number, "delay_ms": delay_ms, "flushable": flushable}
