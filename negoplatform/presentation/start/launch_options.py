"""What is wished for before a session: on the command line, and in the fields of the start window."""

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
    """What the command line asked for.

    Args:
        game: A game's name or file; None to choose in the window.
        agent: An agent's name or file; None to choose in the window.
        seed: The seed; None to draw one.
        participant: The participant's code; None to draw one.
        seat: The participant's seat; None for the usual one.
        time_limit: Seconds; None for the game's own.
        agent_config: A JSON file with the agent's settings.
        profiles: Profiles by seat, in place of what the game chooses itself.
        resume: The log, or the folder, of an unfinished session to go on with; None to start anew.
        briefing: Whether a participant reads the rules before the clock starts.
        opening_delay: Seconds for which the agent waits at the start; None for the usual time.
        closing_time: Seconds for last words after the end; None for the usual time.
        show_left_on_table: Whether the end tells if another deal would have been better for both.
        practice: Whether a participant practises before their first negotiation.
        watch: The file of an agent that its author is writing; every game is played with what is saved there.
        language: The window's language at the start.
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
    """A participant's code."""
    return f"P-{secrets.token_hex(2).upper()}"


def draw_seed() -> int:
    """A seed."""
    return secrets.randbelow(2**31)


def parse_seed(text: str, translate: Language) -> int:
    """A seed as it was typed.

    Raises:
        NegoError: If it is none.
    """
    if not text.isdecimal() or len(text) > 15:
        raise NegoError(translate("The seed must be a whole number, 0 or more, not {text}.", text=repr(text)))
    return int(text)


def parse_minutes(minutes: str, translate: Language) -> float | None:
    """A time limit in seconds, as it was typed in minutes; None if nothing was.

    Raises:
        NegoError: If it is no number.
    """
    if not minutes:
        return None
    try:
        return float(minutes.replace(",", ".")) * 60
    except ValueError:
        raise NegoError(
            translate("The time limit must be a number of minutes, not {text}.", text=repr(minutes))
        ) from None
