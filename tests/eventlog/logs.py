"""Logs for tests: played at a trial table, written by the real writer."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.hash_chain import RollingHash, add_hash
from negoplatform.eventlog.observer_export import join_lines
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.log_header import AgentIsolation, Header, Occupant

if TYPE_CHECKING:
    from negoplatform.testing import TrialTable

AT = "2025-01-31T12:00:00.000Z"

SESSION_ID = "0123456789ab"
"""Session id in these headers; a table has it only if it is given it."""


SECRET_PROGRAM = Occupant(
    "agent",
    "Robin",
    agent="secret_boulware",
    file="secret_file.py",
    sha256="5ec2e7" * 10,
    config={"secret_exponent": 0.2},
)
"""Program of which others see no more than its name."""


def header_for(game: GameSpec) -> Header:
    """Return a header with everything that an export has to hide."""
    return Header(
        session_id=SESSION_ID,
        created_at=AT,
        app_version="0.1.0",
        seed=424242,
        game=game,
        seats=SeatMap(
            (
                seat,
                Occupant("human", "Participant", participant="P-SECRET-07") if i == 0 else SECRET_PROGRAM,
            )
            for i, seat in enumerate(game.seats)
        ),
        principals={name: replace(SECRET_PROGRAM, name=name) for name in game.principals},
        assistants={name: replace(SECRET_PROGRAM, name=name) for name in game.assistants},
        isolation={game.seats[-1]: AgentIsolation("full", 7, True, {"write": ["secret_folder"]})},
    )


def recorded(folder: Path, game: GameSpec, play: Callable[[TrialTable], object]) -> Path:
    """Return the log of a game that was played as given."""
    # Not at the top: programs that are started and killed hundreds of times need only a header.
    from negoplatform.testing import TrialTable

    log = LogWriter(folder / "session", header_for(game), at=lambda: AT)
    table = TrialTable(game, log=log, agents_may_fail=True)
    play(table)
    log.close()
    return folder / "session" / LOG_NAME


def lines_of(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a log without their hashes; the header, line 1 in messages, is line 0 here."""
    lines: list[dict[str, Any]] = [json.loads(line) for line in path.read_bytes().splitlines()]
    return [{key: value for key, value in line.items() if key != "hash"} for line in lines]


def rehashed(data: bytes) -> bytes:
    """Return the bytes of a log, sound or not, with the chain of hashes recomputed over its objects."""
    running: RollingHash = sha256()
    lines = []
    for line in data.splitlines(keepends=True):
        whole = line
        if line.endswith(b"}\n"):
            bare = re.sub(rb', ?"hash": ?"[0-9a-f]{64}"}\n\Z', b"}\n", line)
            whole, running = add_hash(bare, running)
        else:
            running.update(line)
        lines.append(whole)
    return b"".join(lines)


def rewrite(path: Path, lines: list[dict[str, Any]]) -> Path:
    """Replace the lines of a log, as a forger would who knows how its hashes are computed."""
    texts = [json.dumps(line, ensure_ascii=False) + "\n" for line in lines]
    path.write_bytes(join_lines([text.encode("utf-8") for text in texts]))
    return path
