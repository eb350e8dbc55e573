"""Agent that searches all objects of its process for large numbers, and reports those that it finds."""

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
    """Agent that searches all objects of its process for large numbers, and reports those that it finds."""

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        numbers = {
            thing for thing in things() if type(thing) is float and 1e6 < thing < 1e9 and isfinite(thing)
        }
        return [SendMessage(f"I found {sorted(numbers)}.")]


def things() -> Iterator[object]:
    """Yield all objects that the garbage collector tracks or the stacks hold, and all that they refer to."""
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
