"""Preparation of agents for their seats, in this process or in a separate one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from uuid import uuid4

from negoplatform.app.catalogue.catalogue import find_shipped_agent
from negoplatform.app.catalogue.credentials import credentials_for, endpoints_for
from negoplatform.app.session.session_runner import seat_rng
from negoplatform.app.session.team_setup import team_isolation, team_spawner
from negoplatform.core.rounds import SINGLE_ROUND, Round
from negoplatform.domain.agent_appearance import AgentAppearance
from negoplatform.domain.agent_limits import END_SESSION, AgentBudget
from negoplatform.domain.errors import AgentError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.formats.agent_limits import load_budget
from negoplatform.formats.agent_permissions import SandboxLevel, permission_words, service_address
from negoplatform.formats.log_header import AgentIsolation, Occupant
from negoplatform.hosting.agent_process_proxy import AgentProcess, make_process, output_name
from negoplatform.hosting.agent_process_requests import AgentStartRequest
from negoplatform.hosting.agent_runner import AgentGame, AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.kept_responder import KeptResponder
from negoplatform.hosting.responder import FallbackAgent, LastingResponder, SeatAssignment
from negoplatform.hosting.staying_agent import ReplayableGame, StayingAgent
from negoplatform.hosting.teams.team_responder import TeamResponder
from negoplatform.plugins.agent_loader import (
    AgentPlugin,
    display_name,
    make_agent,
    reported_avatar,
    reported_debriefing,
)
from negoplatform.plugins.agent_team import AgentTeam

R = TypeVar("R", bound=LastingResponder)


MOST_DECLARED_SECONDS = 60.0
"""Most seconds for loading or for an answer that an agent gives itself, unless its game gives more."""

_TIMES = ("load_seconds", "soft_seconds", "hard_seconds")
_TIMING_KEYS = ("act_delay", "interrupt", "opening_delay", "msg_delay", "tick_interval", "jitter")
_NEVER_MORE = ("strikes", "restarts", "memory_mb", "cpu_seconds", "file_mb")


class OutputFile:
    """File for an agent's output; moved next to the log once there is one.

    Args:
        path: Its place until then.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._existed = path.exists()
        path.parent.mkdir(parents=True, exist_ok=True)

    def move_to(self, path: Path) -> None:
        """Move the file, if the system allows it for an open file."""
        try:
            retry_while_held(lambda: self.path.replace(path))
        except OSError:
            return  # it stays in its place, and no output is lost
        self.path = path

    def discard(self) -> None:
        """Delete the file, unless it has output from an earlier run."""
        if self._existed:
            return
        with suppress(OSError):
            self.path.unlink(missing_ok=True)


STARTING_PATTERN = ".starting-*.txt"
"""Names of output files whose session has no folder yet."""


@dataclass(frozen=True, slots=True)
class PreparedAgent:
    """Agent ready for a seat: the plugin, its settings, its timing, and the assignment that creates it.

    ``avatar`` is the name of its picture (see ``gui/avatars/agent_avatar.py``); empty for a plain one.
    ``debriefing`` is the text about it that a participant reads after the session; empty if there is none.
    ``staying`` is set for an agent that stays after the session; the caller that prepared it has to stop it.
    ``isolation`` is the sandbox of its process; None if it runs in this one.
    """

    plugin: AgentPlugin
    config: Mapping[str, Any]
    timing: AgentTiming
    name: str
    assignment: SeatAssignment
    process: AgentProcess | TeamResponder | None = None
    output: OutputFile | None = None
    avatar: str = ""
    debriefing: str = ""
    staying: StayingAgent[Any] | None = None
    isolation: AgentIsolation | None = None

    @property
    def appearance(self) -> AgentAppearance:
        """Name and face of the agent."""
        return AgentAppearance.of(self.name, self.avatar, self.plugin.file)

    def shown_as(self, settings: Mapping[str, str]) -> PreparedAgent:
        """Return the agent with the ``name`` and the ``avatar`` in these settings, whatever it reports."""
        return replace(self, name=settings.get("name", self.name), avatar=settings.get("avatar", self.avatar))

    def stop_process(self) -> None:
        """End the agent's process, if it has one."""
        if self.process is not None:
            self.process.stop()

    def discard(self) -> None:
        """Release an agent whose game will not be played."""
        self.stop_process()
        if self.staying is not None:
            self.staying.stop()
        if self.output is not None:
            self.output.discard()

    def occupant(self) -> Occupant:
        """Return the agent's entry in the log's header."""
        return Occupant(
            kind="agent",
            name=self.name,
            agent=self.plugin.name,
            file=self.plugin.file.name,
            sha256=self.plugin.sha256,
            version=self.plugin.manifest.version or None,
            config=dict(self.config),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRounds:
    """Rounds of a seat's agent: its place among them, and what is carried over from earlier games.

    Args:
        place: The place of its game among the rounds.
        record: The sections with which the session's record begins.
        played: The games that it has played, oldest first.
        living: Its responder in the last of them, if that may still be running.
        stays: Whether it stays after the game.
    """

    place: Round = SINGLE_ROUND
    record: Mapping[str, Any] = field(default_factory=dict)
    played: Sequence[ReplayableGame] = ()
    living: KeptResponder[Any] | None = None
    stays: bool = False


NO_ROUNDS = SeatRounds()
"""Rounds of an agent with a single game."""


def prepare_in_process(
    plugin: AgentPlugin,
    seat: Seat,
    config: Mapping[str, Any],
    *,
    game: GameSpec,
    seed: int = 0,
    session_id: str = "",
    rounds: SeatRounds = NO_ROUNDS,
    advises: bool = False,
) -> PreparedAgent:
    """Prepare an agent for a seat, in this process.

    Args:
        plugin: The agent.
        seat: Its seat.
        config: Its settings.
        game: The game, with resolved profiles.
        seed: The seed of its random numbers.
        session_id: The session's id; empty where it has none.
        rounds: What is carried over from earlier games.
        advises: Whether it advises the person in the seat.

    Raises:
        NegoError: If it, its timing or its budget cannot be set so, or it cannot play the game.
    """
    plugin.check_plays(game)
    config = plugin.resolve_settings(config)
    timing, budget = agent_timing(config, game), agent_budget(config, game.rules.agents, plugin.options)
    played = replace(_agent_game(seat, config, game, seed, session_id, rounds), advises=advises)

    def spawn_of(agent: AgentPlugin, _limits: AgentBudget) -> Callable[[AgentGame], AgentRunner]:
        return lambda one: _start_in_process(agent, one)

    assignment, responder, staying = _seat_agent(plugin, played, budget, spawn_of, rounds)
    first = _voice(responder)
    return PreparedAgent(
        plugin,
        config,
        timing,
        display_name(first.agent),
        assignment,
        avatar=reported_avatar(first.agent),
        debriefing=plugin.manifest.debriefing or reported_debriefing(first.agent),
        staying=staying,
    )


def prepare_in_subprocess(
    plugin: AgentPlugin,
    seat: Seat,
    config: Mapping[str, Any],
    *,
    game: GameSpec,
    seed: int,
    output: Path | None = None,
    warm_process: AgentProcess | None = None,
    session_id: str = "",
    rounds: SeatRounds = NO_ROUNDS,
    games: int = 1,
    is_rerun: bool = False,
    advises: bool = False,
) -> PreparedAgent:
    """Prepare an agent for a seat, in a separate process; otherwise the same as :func:`prepare_in_process`.

    Args:
        plugin: The agent.
        seat: Its seat.
        config: Its settings.
        game: The game, with resolved profiles.
        seed: The seed of its random numbers.
        output: The file for its output; None: its output is dropped.
        warm_process: A process that has been started already, with no agent or with this one.
        session_id: The session's id; empty where it has none.
        rounds: What is carried over from earlier games.
        games: The most independent games for which its process is used.
        is_rerun: Whether a log is run again: then its process has more time for each reaction.
        advises: Whether it advises the person in the seat.

    Raises:
        NegoError: If it cannot be prepared; then no process is left, not even the warm one, and no new file.
    """
    printed: OutputFile | None = None
    try:
        printed = None if output is None else OutputFile(output)
        config = plugin.resolve_settings(config)
        played = _agent_game(seat, config, game, seed, session_id, rounds, printed)
        played = replace(played, advises=advises)
        return _prepare_in_subprocess(plugin, played, printed, warm_process, rounds, games, is_rerun)
    except BaseException:
        if warm_process is not None:
            warm_process.stop()
        if printed is not None:
            printed.discard()
        raise


def _prepare_in_subprocess(
    plugin: AgentPlugin,
    played: AgentGame,
    printed: OutputFile | None,
    warm_process: AgentProcess | None,
    rounds: SeatRounds,
    games: int,
    is_rerun: bool,
) -> PreparedAgent:
    game, config = played.game, played.config or {}
    plugin.check_plays(game)
    timing, budget = agent_timing(config, game), agent_budget(config, game.rules.agents, plugin.options)
    spares = [] if warm_process is None else [warm_process]

    def spawn_of(agent: AgentPlugin, logged_limits: AgentBudget) -> Callable[[AgentGame], AgentProcess]:
        limits = logged_limits.for_rerun() if is_rerun else logged_limits

        def spawn(one: AgentGame) -> AgentProcess:
            # The file moves when the session begins; earlier games have none.
            output = None if printed is None or one.output is None else printed.path
            request = replace(_start_request(agent, replace(one, output=output), limits), games=games)
            return make_process(request, spare=spares.pop() if spares else None)

        return spawn

    assignment, responder, staying = _seat_agent(plugin, played, budget, spawn_of, rounds)
    first = _voice(responder)
    if isinstance(plugin, AgentTeam) and isinstance(responder, TeamResponder):
        isolation = team_isolation(plugin, responder.sandboxes, config, _isolation)
    else:
        isolation = _isolation(first.sandbox, plugin, config)
    return PreparedAgent(
        plugin,
        config,
        timing,
        first.name or "Agent",
        assignment,
        responder if staying is None else None,
        printed,
        avatar=first.avatar,
        debriefing=plugin.manifest.debriefing or first.debriefing,
        staying=staying,
        isolation=isolation,
    )


def _isolation(reached: SandboxLevel, plugin: AgentPlugin, config: Mapping[str, Any]) -> AgentIsolation:
    allowed = permission_words(plugin.manifest.permissions)
    named = map(service_address, endpoints_for(plugin, config))
    if network := list(dict.fromkeys((*allowed.get("network", ()), *named))):
        allowed["network"] = network
    return AgentIsolation(reached.name, reached.landlock, reached.seccomp, allowed)


def _agent_game(
    seat: Seat,
    config: Mapping[str, Any],
    game: GameSpec,
    seed: int,
    session_id: str,
    rounds: SeatRounds,
    printed: OutputFile | None = None,
) -> AgentGame:
    return AgentGame(
        seat=seat,
        game=game,
        rng_state=seat_rng(seed, seat).getstate(),
        round=rounds.place,
        config=config,
        record=rounds.record,
        session_id=session_id,
        output=None if printed is None else printed.path,
    )


def _seat_agent(
    plugin: AgentPlugin,
    played: AgentGame,
    budget: AgentBudget,
    spawn_of: Callable[[AgentPlugin, AgentBudget], Callable[[AgentGame], R]],
    rounds: SeatRounds,
) -> tuple[SeatAssignment, R | TeamResponder, StayingAgent[Any] | None]:
    """Return the assignment of an agent to its seat, its first responder, and the agent if it stays."""
    spawn: Callable[[AgentGame], R | TeamResponder]
    if isinstance(plugin, AgentTeam):
        game = played.game
        budget_of = lambda one, config: agent_budget(config, game.rules.agents, one.options)  # noqa: E731 - of one line
        spawn = team_spawner(plugin, budget_of, spawn_of)
    else:
        spawn = spawn_of(plugin, budget)
    fallback = None
    if budget.fallback != END_SESSION:
        other = _fallback(budget.fallback, played.game)
        theirs = replace(played, config=other.settings)
        fallback = FallbackAgent(other.name, other.sha256, lambda: spawn_of(other, budget)(theirs))
    if rounds.stays:
        staying = StayingAgent(played, spawn, played=rounds.played, living=rounds.living)
        return SeatAssignment(staying.make, budget, fallback), staying.responder, staying
    first = spawn(played)
    ready = [first]
    make = lambda: ready.pop() if ready else spawn(played)  # noqa: E731 - of two lines
    return SeatAssignment(make, budget, fallback), first, None


def _voice(responder: Any) -> Any:
    """Return the responder whose agent is asked for name, face and debriefing: of a team, the speaker's."""
    return responder.speaker if isinstance(responder, TeamResponder) else responder


def _start_in_process(plugin: AgentPlugin, played: AgentGame) -> AgentRunner:
    if plugin.own_process:
        raise NegoError(f"{plugin.name} only runs in a process of its own, and here there is none.")
    agent = make_agent(plugin, played.seat, deepcopy(dict(played.config or {})), played.game)
    agent.is_adviser = played.advises
    rng = Random()
    rng.setstate(played.rng_state)
    return AgentRunner(agent, rng, played.round)


def process_spawner(plugin: AgentPlugin, budget: AgentBudget) -> Callable[[AgentGame], AgentProcess]:
    """Return a function that starts an agent in a process, in its first game."""
    return lambda played: make_process(_start_request(plugin, played, budget))


def _start_request(plugin: AgentPlugin, played: AgentGame, budget: AgentBudget) -> AgentStartRequest:
    config = played.config or {}
    return AgentStartRequest(
        seat=played.seat,
        game=played.game,
        file=plugin.file,
        class_name=plugin.class_name,
        sha256=plugin.sha256,
        config=config,
        environment=credentials_for(plugin, config),
        permissions=plugin.manifest.permissions,
        endpoints=endpoints_for(plugin, config),
        rng_state=played.rng_state,
        budget=budget,
        output=played.output,
        session_id=played.session_id,
        round=played.round,
        record=played.record,
        advises=played.advises,
    )


def _fallback(name: str, game: GameSpec) -> AgentPlugin:
    other = find_shipped_agent(name)
    other.check_plays(game)
    return other


def output_path(folder: Path, seat: Seat) -> Path:
    """Return the file for an agent's output, next to the log."""
    return folder / output_name(seat)


def starting_output_path(sessions: Path, seat: Seat) -> Path:
    """Return a file for an agent's output until its session has a folder."""
    return sessions / STARTING_PATTERN.replace("*", f"{uuid4().hex[:12]}-{seat}")


def agent_timing(config: Mapping[str, Any], game: GameSpec | None = None) -> AgentTiming:
    """Return the timing of an agent's scripts: from its settings, or from the game where they set nothing.

    Raises:
        AgentError: If the settings cannot be used.
    """
    timing = config.get("timing", {})
    if not isinstance(timing, dict) or not set(timing) <= set(_TIMING_KEYS):
        raise AgentError(f"An agent's timing may set {', '.join(_TIMING_KEYS)}, and nothing else.")
    usual = None if game is None else game.rules.opening_delay_seconds
    return AgentTiming(**{"opening_delay": usual or 0.0, **timing})


def agent_budget(
    config: Mapping[str, Any], default: AgentBudget, options: Mapping[str, Any] | None = None
) -> AgentBudget:
    """Return the budget in an agent's settings.

    Args:
        config: The settings, as a person has made them.
        default: The game's budget.
        options: The schema of the settings; an agent may declare a ``budget`` of its own there. It takes no
            more by that, except some time to answer.

    Raises:
        InputFileError: If they are no valid budget.
    """
    declared = (options or {}).get("properties", {}).get("budget", {}).get("default", {})
    own = load_budget(
        declared if isinstance(declared, dict) else {}, default, "The agent's settings", "budget"
    )
    least = {name: min(getattr(own, name), getattr(default, name)) for name in _NEVER_MORE}
    times = {
        name: min(getattr(own, name), max(getattr(default, name), MOST_DECLARED_SECONDS)) for name in _TIMES
    }
    return load_budget(
        config.get("budget", {}),
        replace(own, **least, **times, fallback=default.fallback),
        "The agent's settings",
        "budget",
    )
