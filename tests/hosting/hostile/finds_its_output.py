"""Agent that searches all objects of its process for the file that its prints go to."""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from types import FrameType

from negoplatform.agent_api.actions import Action, SendMessage
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event

NAMED = re.compile(r"the-file-for-print[s]")
"""The name that the test gives the file; this pattern does not match itself."""


def found() -> list[str]:
    """Return the type names of the objects that contain the file's name."""
    return [type(thing).__name__ for thing in things() if names_it(thing)]


def names_it(thing: object) -> bool:
    """Return whether an object is a text or bytes with the name in it."""
    if isinstance(thing, bytes):
        return b"the-file-for-" in thing and NAMED.search(thing.decode("utf-8", "replace")) is not None
    return isinstance(thing, str) and NAMED.search(thing) is not None


def things() -> Iterator[object]:
    """Yield all objects that the garbage collector tracks or the stacks hold, and all that they refer to."""
    seen = gc.get_objects()
    for frame in sys._current_frames().values():
        above: FrameType | None = frame
        while above is not None:
            seen.extend(above.f_locals.values())
            above = above.f_back
    for thing in seen:
        yield thing
        for other in gc.get_referents(thing):
            yield other
            if not gc.is_tracked(other):  # else it has its own turn
                yield from gc.get_referents(other)


WHEN_LOADED = found()


class FindsItsOutput(NegotiationAgent):
    """Agent that searches all objects of its process for the file that its prints go to."""

    def configure(self, config: dict[str, object]) -> None:
        self.when_configured = found()

    def handle_event(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(f"{WHEN_LOADED} {self.when_configured} {found()}")]
