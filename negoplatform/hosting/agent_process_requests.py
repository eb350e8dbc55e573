"""Requests to an agent's process: to start an agent, to play another game, and to describe a file."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from negoplatform.core.events import clean_text
from negoplatform.core.record.notes_and_tasks import EMPTY_RECORD, parse_template
from negoplatform.core.rounds import SINGLE_ROUND, Round
from negoplatform.core.visibility import observer_of, visible_game, visible_record_sections
from negoplatform.domain.agent_limits import DEFAULT_BUDGET, AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions
from negoplatform.formats.agent_protocol import LONGEST_REQUEST, encode_json_line
from negoplatform.formats.dataclass_codec import dump
from negoplatform.formats.games import dump_game
from negoplatform.formats.strict_json import read_bytes
from negoplatform.hosting.agent_runner import AgentGame, RngState
from negoplatform.hosting.sandbox.readable_paths import sandbox_rules

HANG_MARGIN = 1.0 if os.name == "posix" else 0.3
"""Seconds beyond the budget after which a process ends itself, should its parent not have ended it.

Fewer on Windows, where its parent waits for the traceback that it writes then: a signal that asks for one
does not exist there.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentStartRequest:
    """Data that an agent's process receives before the game.

    Args:
        seat: The agent's seat.
        game: The game; only the part that the seat may see is sent.
        file: The file of the agent's class.
        class_name: The agent's class.
        sha256: The hash of that file; another file is refused.
        rng_state: The state of its random number generator. Not a seed: from the session's seed follow the
            draws of other seats.
        config: The agent's configuration, JSON values.
        environment: Keys that its settings name. They are sent over the transport alone: other programs can
            read what a process is started with.
        permissions: What it may reach beyond its seat, from its agent.json.
        endpoints: Addresses of services that its settings name; their ports may be connected to.
        budget: The agent's budget.
        output: The file for its output; None: output is dropped.
        session_id: The session's id; empty where it has none.
        round: The place of the game among those that the agent plays in a row.
        record: The sections with which the session's record begins.
        games: The most independent games for which the process is used.
        advises: Whether it advises the person in its seat.
    """

    seat: Seat
    game: GameSpec
    file: Path
    class_name: str
    sha256: str
    rng_state: RngState
    config: Mapping[str, Any] = field(default_factory=dict)
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    permissions: AgentPermissions = NO_PERMISSIONS
    endpoints: Sequence[str] = ()
    budget: AgentBudget = DEFAULT_BUDGET
    output: Path | None = None
    session_id: str = ""
    round: Round = SINGLE_ROUND
    record: Mapping[str, Any] = field(default_factory=dict)
    games: int = 1
    advises: bool = False

    def encode(self, *, with_output: bool = False, again: bool = False) -> bytes:
        """Return the request as a line of the protocol.

        Args:
            with_output: Whether it names the file for the output, which otherwise is passed open.
            again: Whether the process has played a game already, and so is in its sandbox.

        Raises:
            NegoError: If the configuration is not JSON, the request is too long, the name of a file is not
                UTF-8, the file of the game's state plugin is missing or has changed, or a folder that the
                agent may write cannot be made.
        """
        document = {
            "kind": "start",
            **_game_document(self, with_output=with_output),
            "agent": _python_file(self.file, self.sha256),
            "class_name": self.class_name,
            "config": dict(self.config),
            **({"advises": True} if self.advises else {}),
            "environment": dict(self.environment),
            "load_seconds": self.budget.load_seconds + HANG_MARGIN,
            "hang_seconds": self.budget.hard_seconds + HANG_MARGIN,
            "limits": _limits(self.budget, games=self.round.of * self.games),
            "sandbox": {} if again else self._sandbox_rules(),
        }
        return _encode_request(document, self.file, self.game)

    def _sandbox_rules(self) -> dict[str, Any]:
        rules = sandbox_rules(
            self.file,
            permissions=self.permissions,
            endpoints=self.endpoints,
            private=_private_folders(self.output),
        )
        return rules.model_dump()


def encode_next_game(started: AgentStartRequest, following: AgentGame, *, with_output: bool) -> bytes:
    """Return the request for another game of the same agent as a line of the protocol.

    Args:
        started: The request with which the agent was started.
        following: The game.
        with_output: Whether the request names the file for the output.

    Raises:
        NegoError: As :meth:`AgentStartRequest.encode`.
    """
    document = {
        "kind": "next",
        **_game_document(following, with_output=with_output),
        "config": None if following.config is None else dict(following.config),
        "load_seconds": started.budget.load_seconds + HANG_MARGIN,
    }
    return _encode_request(document, started.file, following.game)


def encode_describe(
    file: Path, sha256: str, budget: AgentBudget, output: Path | None, *, with_output: bool
) -> bytes:
    """Return the request for the agents in a file as a line of the protocol.

    Args:
        file: The file.
        sha256: The hash of the file; another file is refused.
        budget: The budget of the process.
        output: The file for its output; None: output is dropped.
        with_output: Whether the request names that file.

    Raises:
        NegoError: If the name of the file is not UTF-8.
    """
    document = {
        "kind": "describe",
        "file": _python_file(file, sha256),
        "load_seconds": budget.load_seconds + HANG_MARGIN,
        "limits": _limits(budget),
        "sandbox": sandbox_rules(file, private=_private_folders(output)).model_dump(),
        "output": _output_path(output) if with_output else None,
    }
    return encode_json_line(document)


def _python_file(path: Path, sha256: str) -> dict[str, str]:
    place = str(path.resolve())
    if not _is_utf8(place):
        raise NegoError(
            f"{clean_text(place)}: the name of the file, or of a folder that it is in, is no UTF-8, so it "
            "cannot be sent to an agent's process; rename it."
        )
    return {"path": place, "sha256": sha256}


def _is_utf8(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _state_file(game: GameSpec) -> dict[str, str] | None:
    """Return the file from which the game's state plugin was loaded, with its content."""
    own = game.own_state
    if own is None or own.state_class is None:
        return None
    file = getattr(sys.modules.get(own.state_class.__module__), "__file__", None)
    if file is None:
        raise NegoError(f"{game.name}: the file {own.file} of the game's own state is not at hand.")
    source = read_bytes(Path(file))
    if hashlib.sha256(source).hexdigest() != own.sha256:
        raise NegoError(f"{file} has changed since the game was chosen; choose it again.")
    return {**_python_file(Path(file), own.sha256), "source": source.decode("latin-1")}


def _output_path(path: Path | None) -> str | None:
    """Return the path of the output file as sent to a process; a link at the path itself is not resolved."""
    if path is None:
        return None
    place = str(path.parent.resolve() / path.name)
    return place if _is_utf8(place) else None  # output is not worth a session


def _game_document(request: AgentStartRequest | AgentGame, *, with_output: bool) -> dict[str, Any]:
    """Return the part of a request about one game, as the agent's seat may see it."""
    observer = observer_of(request.game, request.seat)
    game = visible_game(request.game, observer)
    record = parse_template(request.record) if request.record else EMPTY_RECORD
    document = {
        "seat": request.seat,
        "session_id": request.session_id,
        "game": dump_game(game),
        "state": _state_file(game),
        "chance": request.rng_state,
        "record": visible_record_sections(record, observer),
        "output": _output_path(request.output) if with_output else None,
    }
    if request.round != SINGLE_ROUND:
        document["round"] = dump(request.round)
    return document


def _encode_request(document: Mapping[str, Any], file: Path, game: GameSpec) -> bytes:
    try:
        line = encode_json_line(document)
    except (TypeError, ValueError) as error:
        raise NegoError(f"{file}: the agent's settings are no JSON ({error}).") from None
    if len(line) > LONGEST_REQUEST:
        raise NegoError(
            f"{game.name}: the game takes {len(line):,} bytes, and an agent's process takes "
            f"{LONGEST_REQUEST:,} at the most; make its tables smaller."
        )
    return line


def _limits(budget: AgentBudget, *, games: int = 1) -> dict[str, int]:
    return {
        "memory_mb": budget.memory_mb,
        # The system counts the time of the process, which plays all of an agent's games.
        "cpu_seconds": budget.cpu_seconds * games,
        "file_mb": budget.file_mb,
    }


def _private_folders(output: Path | None) -> tuple[Path, ...]:
    """Return the folder of an output file: the logs are in it."""
    return () if output is None else (output.parent,)
