"""Search for all that objects lead to in this process, waiting entries of queues included."""

from __future__ import annotations

import functools
import gc
import types
from collections.abc import Iterator

SHARED = (type, types.ModuleType, types.FrameType, functools._lru_cache_wrapper)
"""Types of shared objects: importable by every program, or calls that run."""


def reachable(*roots: object) -> Iterator[object]:
    """Yield all that objects lead to, as the garbage collector follows them.

    Modules, classes, running calls and a function's globals are left out.
    """
    seen: dict[int, object] = {}
    waiting = list(roots)
    while waiting:
        found = waiting.pop()
        if id(found) in seen or isinstance(found, SHARED):
            continue
        seen[id(found)] = found  # held, so that no two objects have one id
        yield found
        if isinstance(found, types.FunctionType):
            waiting += [found.__closure__, found.__defaults__, found.__kwdefaults__, found.__dict__]
        else:
            waiting += gc.get_referents(found)
