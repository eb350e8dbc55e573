"""Rules of each kind of game."""

from negoplatform.core.mechanisms.base import Mechanism
from negoplatform.core.mechanisms.registry import MECHANISMS, mechanism_of

__all__ = [
    "MECHANISMS",
    "Mechanism",
    "mechanism_of",
]
