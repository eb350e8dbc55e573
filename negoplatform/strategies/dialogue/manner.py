"""Manner of speaking: the voice of a persona, and how much, how politely and how honestly it speaks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Honesty(StrEnum):
    """Truth of an agent's statements about its preferences and its value of no deal."""

    HONEST = "honest"
    """The truth, when it is asked."""
    RESERVED = "reserved"
    """Silence about them."""
    LYING = "lying"
    """Statements that are of use to it; each lie is marked in the record."""


@dataclass(frozen=True, slots=True)
class Manner:
    """Manner of speaking.

    Args:
        voice: The voice: ``warm``, ``neutral``, ``tough``, ``cheerful`` or ``formal``.
        language: The language, such as ``en``.
        talkativeness: How much it says beyond what is needed, 0 to 1.
        politeness: How polite it is, 0 to 1.
        honesty: What it tells about itself.
    """

    voice: str = "warm"
    language: str = "en"
    talkativeness: float = 0.5
    politeness: float = 0.5
    honesty: Honesty = Honesty.HONEST
