"""Mechanisms by the names that game files use: the one place where they are registered."""

from __future__ import annotations

import re
from functools import cache

from negoplatform.core.events import EventType
from negoplatform.core.mechanisms import harberger as harberger  # registers its rules of phases
from negoplatform.core.mechanisms.bargaining import Bargaining
from negoplatform.core.mechanisms.base import COMMON_ACTS, ActRule, Mechanism
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.trading import Trading

BARGAINING = Bargaining.name
"""Name of the mechanism of games with issues."""

MECHANISMS: dict[str, Mechanism] = {}


def register(mechanism: Mechanism) -> None:
    """Register a mechanism, so that games of its kind can be read, played and replayed.

    Raises:
        ValueError: If its name or one of its types is taken, a type has the wrong case, or an agent's handler
            of it would also be that of another type.
    """
    if mechanism.name in MECHANISMS:
        raise ValueError(f"There is a mechanism {mechanism.name!r} already.")
    # The acts of bargaining are the only ones that every program knows by name.
    known = () if isinstance(mechanism, Bargaining) else EventType.__members__
    for kind in mechanism.acts:
        taken = kind in known or find_act_rule(kind) is not None
        if taken or not re.fullmatch(r"[A-Z][A-Z0-9_]*", kind):
            raise ValueError(f"The act {kind!r} of {mechanism.name!r} is not in capitals, or taken.")
    for kind in mechanism.facts:
        if not re.fullmatch(r"[a-z][a-z0-9-]*", kind) or is_fact(kind):
            raise ValueError(f"The fact {kind!r} of {mechanism.name!r} is not in small letters, or taken.")
    handlers: dict[str, str] = {handler_name(kind): kind for kind in known}
    for other in MECHANISMS.values():
        handlers |= {handler_name(kind): str(kind) for kind in (*other.acts, *other.facts)}
    for kind in (*mechanism.acts, *mechanism.facts):
        name = handler_name(kind)
        if name in handlers:
            raise ValueError(
                f"{kind!r} of {mechanism.name!r} and {handlers[name]!r} would share the handler {name}."
            )
        handlers[name] = kind
    MECHANISMS[mechanism.name] = mechanism


@cache
def handler_name(event_type: str) -> str:
    """Return the name of an agent's handler of a type of event: ``on_send_offer``, ``on_tax_announced`` …"""
    return f"on_{event_type.lower().replace('-', '_')}"


def mechanism_of(name: str) -> Mechanism:
    """Return the mechanism of that name.

    Raises:
        KeyError: If there is none; game files are checked for it when they are read.
    """
    return MECHANISMS[name]


def find_act_rule(kind: str) -> ActRule | None:
    """Return the rule of a type of act, of whichever mechanism; None if there is no such act."""
    if kind in COMMON_ACTS:
        return COMMON_ACTS[kind]
    for mechanism in MECHANISMS.values():
        if kind in mechanism.acts:
            return mechanism.acts[kind]
    return None


def is_event_type(kind: object) -> bool:
    """Return whether something is a type of event, of any sender, other than an announced one."""
    return isinstance(kind, str) and (kind in EventType.__members__ or find_act_rule(kind) is not None)


def is_confidential(kind: str) -> bool:
    """Return whether a type of event is a fact that tells a seat its own preferences."""
    return any(kind in mechanism.confidential_facts for mechanism in MECHANISMS.values())


def is_fact(kind: str) -> bool:
    """Return whether a type of event is a fact of a registered mechanism."""
    return any(kind in mechanism.facts for mechanism in MECHANISMS.values())


register(Bargaining())
register(Trading())
register(Market())
