"""Mechanisms by the names that game files use."""

from __future__ import annotations

from negoplatform.core.mechanisms.bargaining import Bargaining
from negoplatform.core.mechanisms.base import Mechanism

MECHANISMS: dict[str, Mechanism] = {"bargaining": Bargaining()}


def mechanism_of(name: str) -> Mechanism:
    """Return the mechanism of that name.

    Raises:
        KeyError: If there is none; game files are checked for it when they are read.
    """
    return MECHANISMS[name]
