"""The emotions that a face can show."""

from __future__ import annotations

from enum import StrEnum


class Expression(StrEnum):
    """Emotions that a face can show; participants get the first five."""

    NEUTRAL = "NEUTRAL"
    HAPPY = "HAPPY"
    SAD = "SAD"
    ANGRY = "ANGRY"
    SURPRISED = "SURPRISED"
    DISGUSTED = "DISGUSTED"
    SCARED = "SCARED"
    CONTEMPT = "CONTEMPT"
