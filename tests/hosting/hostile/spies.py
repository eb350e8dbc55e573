"""Agent that walks everything that its process holds for large numbers, and says which it found."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from math import isfinite
from types import FrameType

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event


class Spies(NegotiationAgent):
    """Agent that walks everything that its process holds for large numbers, and says which it found."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        numbers = {
            thing for thing in things() if type(thing) is float and 1e6 < thing < 1e9 and isfinite(thing)
        }
        return [SendMessage(f"I found {sorted(numbers)}.")]


def things() -> Iterator[object]:
    """Return all that the garbage collector and the stacks lead to, and what that leads to."""
    seen = gc.get_objects()
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        seen.extend(frame.f_locals.values())
        seen.extend(frame.f_globals.values())
        frame = frame.f_back
    for thing in seen:
        yield thing
        for other in gc.get_referents(thing):
            yield other
            yield from gc.get_referents(other)
