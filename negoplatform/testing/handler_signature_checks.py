"""Check of an agent's methods: whether they are the platform's handlers, and can be called."""

from __future__ import annotations

import inspect
from collections.abc import Collection, Iterator, Mapping
from difflib import get_close_matches
from types import CodeType, MappingProxyType

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.trading_agents import MarketAgent, TradingAgent
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.registry import handler_name
from negoplatform.core.visibility import EXPERIMENTER_ONLY_EVENTS
from negoplatform.testing.finding import Remark, Severity

METHOD_PARAMETERS = {
    "__init__": ("agent_id",),
    "configure": ("config",),
    "reset": (),
    "handle_event": ("ctx", "event"),
    "get_name": (),
    "get_avatar": (),
    "get_description": (),
}
"""Methods that the platform calls besides the handlers of events, with their arguments."""

INIT_ADVICE = (
    'def __init__(self, agent_id="agent") and in it super().__init__(agent_id), since it is made with an id '
    "and without one; or leave it out: what belongs to one game is set in reset() or on_game_start"
)
"""Definition of an agent's ``__init__``, if it needs one at all."""

HANDLER_PARAMETERS = {
    **{f"on_{kind.lower()}": ("ctx", "event") for kind in EventType if kind not in EXPERIMENTER_ONLY_EVENTS},
    **{name: ("ctx", "event") for name in vars(NegotiationAgent) if name.startswith("on_")},
}
"""Handlers of the events that a seat may see, with their arguments."""

MARKET_AGENT_PARAMETERS = {"on_turn": ("ctx",), "on_decide": ("ctx",)}
"""Methods that ``MarketAgent`` calls, with their arguments."""

PLATFORM_CLASSES = frozenset({*TradingAgent.__mro__, *MarketAgent.__mro__})
"""Base classes whose methods are not the author's."""


def handler_remarks(
    agent: type[NegotiationAgent],
    announced: Collection[str] = (),
    other_kinds: Mapping[str, str] = MappingProxyType({}),
) -> list[Remark]:
    """Return a remark for each method that the platform cannot call as it is written, or will never call.

    Args:
        agent: The agent's class.
        announced: The types of event that the games announce, and those of the kinds of game that the agent
            plays; handlers may be named after them.
        other_kinds: The handlers that only kinds of game call that the agent does not play, with the kind.
    """
    called = _called_on_self(agent)
    of_games = {handler_name(kind) for kind in announced}
    takes = _parameters(agent)
    remarks: list[Remark] = []
    for name in dir(agent):
        if not _is_own(agent, name):
            continue
        if name in other_kinds and name not in of_games:
            remarks += [] if name in called else [_of_another_kind(agent, name, other_kinds[name])]
        elif name in takes or name in of_games:
            remarks += _signature_remarks(agent, name, takes.get(name, ("ctx", "event")))
        elif name.startswith("on_") and name not in called:
            remarks.append(_unknown(agent, name))
    return remarks


def _parameters(agent: type) -> dict[str, tuple[str, ...]]:
    """Return the methods of an agent that the platform calls, with their arguments."""
    more = MARKET_AGENT_PARAMETERS if issubclass(agent, MarketAgent) else {}
    return {**METHOD_PARAMETERS, **HANDLER_PARAMETERS, **more}


def _of_another_kind(agent: type[NegotiationAgent], name: str, kind: str) -> Remark:
    sentence = (
        f"{name} is called only in games of the kind {kind}, and this agent plays "
        f"{', '.join(agent.mechanisms)}: leave it out, or add the kind to mechanisms."
    )
    return Remark(("unknown handler", name), Severity.ERROR, _place(agent, name), sentence)


def _is_own(agent: type, name: str) -> bool:
    """Return whether a method is the author's: defined in a class below the platform's."""
    owner = next(base for base in agent.__mro__ if name in vars(base))
    return owner not in PLATFORM_CLASSES


def _signature_remarks(agent: type, name: str, takes: tuple[str, ...]) -> Iterator[Remark]:
    where = _place(agent, name)
    wanted = INIT_ADVICE if name == "__init__" else f"def {name}({', '.join(('self', *takes))})"
    given = inspect.getattr_static(agent, name)
    about = "signature", name
    if not inspect.isfunction(given):
        kind = type(given).__name__
        yield Remark(about, Severity.ERROR, where, f"{name} is a {kind}, no plain method; write {wanted}.")
    elif inspect.iscoroutinefunction(given):
        yield Remark(about, Severity.ERROR, where, f"{name} is written async def; write {wanted}.")
    else:
        try:
            inspect.signature(given).bind(None, *takes)
            if name == "__init__":
                inspect.signature(given).bind(None)  # tests create an agent without an id
        except TypeError as error:
            written = f"{name}{inspect.signature(given)}"
            sentence = (
                f"{name} cannot be called as the platform calls it ({error}): "
                f"it is written {written}; write {wanted}."
            )
            yield Remark(about, Severity.ERROR, where, sentence)


def _unknown(agent: type, name: str) -> Remark:
    near = get_close_matches(name, HANDLER_PARAMETERS, n=1, cutoff=0.6)
    where = _place(agent, name)
    if near:
        sentence = f"The platform never calls {name}; perhaps {near[0]} is meant: rename it."
        return Remark(("unknown handler", name), Severity.ERROR, where, sentence)
    kind = name.removeprefix("on_").replace("_", "-")
    sentence = (
        f"{name} is called only in a game that announces {kind!r}, and none of these games does: name the "
        f"game (--game), or, if it is a helper of your own, give it another name; the platform's own "
        f"handlers are {_listed(HANDLER_PARAMETERS)}."
    )
    return Remark(("unknown handler", name), Severity.WARNING, where, sentence)


def _listed(names: Collection[str]) -> str:
    return ", ".join(sorted(names))


def _place(agent: type, name: str) -> str:
    code = getattr(inspect.getattr_static(agent, name), "__code__", None)
    return f"{agent.__name__}.{name}" + (f", line {code.co_firstlineno}" if code else "")


def _called_on_self(agent: type) -> set[str]:
    """Return the names of attributes that the author's methods use."""
    waiting = [
        getattr(method, "__code__", None)
        for base in agent.__mro__
        if base not in PLATFORM_CLASSES
        for method in vars(base).values()
    ]
    found: set[str] = set()
    while waiting:
        code = waiting.pop()
        if isinstance(code, CodeType):
            found.update(code.co_names)
            waiting.extend(code.co_consts)  # lambdas and comprehensions are code of their own
    return found
