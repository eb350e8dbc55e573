"""Options of a session, from the command line and from the fields of the start window."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat import Seat
from negoplatform.presentation.i18n import Language


@dataclass(frozen=True, slots=True)
class LaunchOptions:
    """Options given on the command line.

    Args:
        game: Name or file of a game; None to choose in the window.
        agent: Name or file of an agent; None to choose in the window.
        seed: Seed; None to draw one.
        participant: Code of the participant; None to draw one.
        seat: Seat of the participant; None for the default seat.
        time_limit: Time limit in seconds; None for the game's own.
        agent_config: JSON file with the agent's settings.
        profiles: Profiles by seat, instead of the game's own choice.
        resume: Log, or folder, of an unfinished session to resume; None for a new session.
        briefing: Whether the participant reads the rules before the clock starts.
        opening_delay: Seconds for which the agent waits at the start; None for the default.
        closing_time: Seconds for last messages after the end; None for the default.
        show_left_on_table: Whether the end reveals if another deal would have been better for both.
        practice: Whether a participant without earlier sessions begins with a guided practice.
        watch: File of an agent that its author is editing; every game uses the version saved by then.
        language: Code of the window's language at the start.
    """

    game: str | None = None
    agent: str | None = None
    seed: int | None = None
    participant: str | None = None
    seat: str | None = None
    time_limit: float | None = None
    agent_config: Path | None = None
    profiles: Mapping[Seat, str] = field(default_factory=dict)
    resume: Path | None = None
    briefing: bool = True
    opening_delay: float | None = None
    closing_time: float | None = None
    show_left_on_table: bool = False
    practice: bool = True
    watch: str | None = None
    language: str = "en"


def draw_code() -> str:
    """Draw a participant's code."""
    return f"P-{secrets.token_hex(2).upper()}"


def draw_seed() -> int:
    """Draw a seed."""
    return secrets.randbelow(2**31)


def parse_seed(text: str, translate: Language) -> int:
    """Return a seed from typed text.

    Raises:
        NegoError: If the text is no seed.
    """
    if not text.isdecimal() or len(text) > 15:
        raise NegoError(translate("The seed must be a whole number, 0 or more, not {text}.", text=repr(text)))
    return int(text)


def parse_minutes(minutes: str, translate: Language) -> float | None:
    """Return a time limit in seconds from typed minutes; None for an empty text.

    Raises:
        NegoError: If the text is no number.
    """
    if not minutes:
        return None
    try:
        return float(minutes.replace(",", ".")) * 60
    except ValueError:
        raise NegoError(
            translate("The time limit must be a number of minutes, not {text}.", text=repr(minutes))
        ) from None
