"""Rules of each kind of game."""

from negoplatform.core.mechanisms.base import (
    COMMON_ACTS,
    ActAudience,
    ActRule,
    Fact,
    Mechanism,
    fact,
    game_end,
)
from negoplatform.core.mechanisms.registry import MECHANISMS, mechanism_of, register

__all__ = [
    "COMMON_ACTS",
    "MECHANISMS",
    "ActAudience",
    "ActRule",
    "Fact",
    "Mechanism",
    "fact",
    "game_end",
    "mechanism_of",
    "register",
]
