"""What was chosen in the start window last, kept for the next start; never a participant's code or a seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negoplatform.domain.seat import SeatMap
from negoplatform.presentation.start.choices import StartChoice

FILE_NAME = "start.json"


def write_choice(data_dir: Path, choice: StartChoice) -> None:
    """Keep a choice for the next start.

    Raises:
        OSError: If it cannot be written.
    """
    kept = {
        "game": choice.game,
        "agent": choice.agent,
        "game_file": None if choice.game_file is None else str(choice.game_file),
        "agent_file": None if choice.agent_file is None else str(choice.agent_file),
        "minutes": choice.minutes,
        "seat": choice.seat,
        "profiles": dict(choice.profiles),
        "entered": {agent: dict(fields) for agent, fields in choice.entered.items()},
        "unfolded": choice.unfolded,
    }
    data_dir.mkdir(parents=True, exist_ok=True)
    # Whole or not at all, as half a file would be none.
    half = data_dir / f".{FILE_NAME}.part"
    half.write_bytes((json.dumps(kept, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
    half.replace(data_dir / FILE_NAME)


def read_choice(data_dir: Path) -> StartChoice | None:
    """Return the choice that was kept; None if there is none, or it makes no sense."""
    try:
        kept = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
        return StartChoice(
            game=_check_text(kept["game"]),
            agent=_check_text(kept["agent"]),
            participant="",
            seed="",
            minutes=_check_text(kept["minutes"]),
            seat=None if kept["seat"] is None else _check_text(kept["seat"]),
            profiles=SeatMap(
                (_check_text(seat), _check_text(name)) for seat, name in kept["profiles"].items()
            ),
            entered={
                _check_text(agent): {_check_text(name): _check_entry(value) for name, value in fields.items()}
                for agent, fields in kept["entered"].items()
            },
            game_file=_check_path(kept["game_file"]),
            agent_file=_check_path(kept["agent_file"]),
            unfolded=kept["unfolded"] is True,
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


def _check_entry(value: Any) -> str | bool:
    return value if isinstance(value, bool) else _check_text(value)


def _check_path(value: Any) -> Path | None:
    return None if value is None else Path(_check_text(value))
