"""Storage of the last choice in the start window, without the participant's code and the seed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.held_files import WINDOW_HELD_TIMEOUT, retry_while_held
from negoplatform.presentation.start.start_choice import SeatAgent, StartChoice

FILE_NAME = "start.json"


def write_choice(data_dir: Path, choice: StartChoice) -> None:
    """Store a choice for the next start.

    Raises:
        OSError: If the file cannot be written.
    """
    stored = {
        "game": choice.game,
        "agent": choice.agent,
        "game_file": None if choice.game_file is None else str(choice.game_file),
        "agent_file": None if choice.agent_file is None else str(choice.agent_file),
        "minutes": choice.minutes,
        "seat": choice.seat,
        "seats": choice.seats,
        "profiles": dict(choice.profiles),
        "counterpart": dict(choice.counterpart),
        "offer_requests": choice.offer_requests,
        "entered": {agent: dict(fields) for agent, fields in choice.entered.items()},
        "unfolded": choice.unfolded,
        "seat_agents": {
            seat: {"agent": agent.name, "file": None if agent.file is None else str(agent.file)}
            for seat, agent in choice.seat_agents.items()
        },
    }
    data_dir.mkdir(parents=True, exist_ok=True)
    # Replaced atomically: half a file would be unreadable.
    temporary = data_dir / f".{FILE_NAME}.part"
    temporary.write_bytes((json.dumps(stored, ensure_ascii=False) + "\n").encode("utf-8", "replace"))
    retry_while_held(lambda: temporary.replace(data_dir / FILE_NAME), timeout=WINDOW_HELD_TIMEOUT)


def read_choice(data_dir: Path) -> StartChoice | None:
    """Return the stored choice; None if there is none, or if it is invalid."""
    try:
        stored = json.loads((data_dir / FILE_NAME).read_text(encoding="utf-8"))
        return StartChoice(
            game=_check_text(stored["game"]),
            agent=_check_text(stored["agent"]),
            participant="",
            seed="",
            minutes=_check_text(stored["minutes"]),
            seat=None if stored["seat"] is None else _check_text(stored["seat"]),
            # Files of earlier versions have none.
            seats=_check_count(stored.get("seats")),
            profiles=SeatMap(
                (_check_text(seat), _check_text(name)) for seat, name in stored["profiles"].items()
            ),
            counterpart={
                _check_text(name): _check_entry(value)
                # Files of earlier versions have none.
                for name, value in stored.get("counterpart", {}).items()
            },
            offer_requests=stored.get("offer_requests") is not False,
            entered={
                _check_text(agent): {_check_text(name): _check_entry(value) for name, value in fields.items()}
                for agent, fields in stored["entered"].items()
            },
            game_file=_check_path(stored["game_file"]),
            agent_file=_check_path(stored["agent_file"]),
            unfolded=stored["unfolded"] is True,
            seat_agents=SeatMap(
                (_check_text(seat), SeatAgent(_check_text(agent["agent"]), _check_path(agent["file"])))
                # Files of earlier versions have none.
                for seat, agent in stored.get("seat_agents", {}).items()
            ),
        )
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _check_text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value


def _check_entry(value: Any) -> str | bool:
    return value if isinstance(value, bool) else _check_text(value)


def _check_count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _check_path(value: Any) -> Path | None:
    return None if value is None else Path(_check_text(value))
