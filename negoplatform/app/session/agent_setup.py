"""Preparation of agents for their seats, in this process or in a separate one."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.app.catalogue.catalogue import find_shipped_agent
from negoplatform.app.catalogue.credentials import credentials_for
from negoplatform.app.session.session_runner import seat_rng
from negoplatform.domain.agent_appearance import AgentAppearance
from negoplatform.domain.agent_limits import END_SESSION, AgentBudget
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.agent_limits import load_budget
from negoplatform.formats.log_header import Occupant
from negoplatform.hosting.agent_process_proxy import (
    AgentProcess,
    AgentStartRequest,
    make_process,
    output_name,
)
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import FallbackAgent, Responder, ResponderFactory, SeatAssignment
from negoplatform.plugins.agent_loader import (
    AgentPlugin,
    display_name,
    make_agent,
    reported_avatar,
    reported_debriefing,
)


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
            self.path.replace(path)
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
    """

    plugin: AgentPlugin
    config: Mapping[str, Any]
    timing: AgentTiming
    name: str
    assignment: SeatAssignment
    process: AgentProcess | None = None
    output: OutputFile | None = None
    avatar: str = ""
    debriefing: str = ""

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


def prepare_in_process(
    plugin: AgentPlugin, seat: Seat, config: Mapping[str, Any], *, game: GameSpec, seed: int = 0
) -> PreparedAgent:
    """Prepare an agent for a seat, in this process.

    Args:
        plugin: The agent.
        seat: Its seat.
        config: Its settings.
        game: The game, with resolved profiles.
        seed: The seed of its random numbers.

    Raises:
        NegoError: If it, its timing or its budget cannot be set so, or it cannot play the game.
    """
    plugin.check_plays(game)
    config = plugin.resolve_settings(config)
    timing, budget = agent_timing(config, game), agent_budget(config, game.rules.agents, plugin.options)
    agent = make_agent(plugin, seat, deepcopy(dict(config)), game)
    fallback = None
    if budget.fallback != END_SESSION:
        other = _fallback(budget.fallback, game)
        fallback = FallbackAgent(other.name, other.sha256, _in_process_factory(other, seat, {}, game, seed))
    assignment = SeatAssignment(
        _in_process_factory(plugin, seat, config, game, seed, agent), budget, fallback
    )
    return PreparedAgent(
        plugin,
        config,
        timing,
        display_name(agent),
        assignment,
        avatar=reported_avatar(agent),
        debriefing=plugin.manifest.debriefing or reported_debriefing(agent),
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
) -> PreparedAgent:
    """Prepare an agent for a seat, in a separate process; otherwise the same as :func:`prepare_in_process`.

    Args:
        plugin: The agent.
        seat: Its seat.
        config: Its settings.
        game: The game, with resolved profiles.
        seed: The seed of its random numbers.
        output: The file for its output; None: its output is dropped.
        warm_process: A process that has been started already.
        session_id: The session's id; empty where it has none.

    Raises:
        NegoError: If it cannot be prepared; then no process is left, not even the warm one, and no new file.
    """
    printed: OutputFile | None = None
    try:
        printed = None if output is None else OutputFile(output)
        return _prepare_in_subprocess(plugin, seat, config, game, seed, printed, warm_process, session_id)
    except BaseException:
        if warm_process is not None:
            warm_process.stop()
        if printed is not None:
            printed.discard()
        raise


def _prepare_in_subprocess(
    plugin: AgentPlugin,
    seat: Seat,
    config: Mapping[str, Any],
    game: GameSpec,
    seed: int,
    printed: OutputFile | None,
    spare: AgentProcess | None,
    session_id: str,
) -> PreparedAgent:
    plugin.check_plays(game)
    config = plugin.resolve_settings(config)
    timing, budget = agent_timing(config, game), agent_budget(config, game.rules.agents, plugin.options)

    def start_request(agent: AgentPlugin, config: Mapping[str, Any]) -> AgentStartRequest:
        return AgentStartRequest(
            seat=seat,
            game=game,
            file=agent.file,
            class_name=agent.class_name,
            sha256=agent.sha256,
            config=config,
            environment=credentials_for(agent, config),
            rng_state=seat_rng(seed, seat).getstate(),
            budget=budget,
            output=None if printed is None else printed.path,
            session_id=session_id,
        )

    fallback = None
    if budget.fallback != END_SESSION:
        other = _fallback(budget.fallback, game)
        fallback = FallbackAgent(
            other.name, other.sha256, lambda: make_process(start_request(other, other.settings))
        )
    process = make_process(start_request(plugin, config), spare=spare)
    ready = [process]

    def make() -> Responder:
        return ready.pop() if ready else make_process(start_request(plugin, config))

    assignment = SeatAssignment(make, budget, fallback)
    name = process.name or "Agent"
    return PreparedAgent(
        plugin,
        config,
        timing,
        name,
        assignment,
        process,
        printed,
        avatar=process.avatar,
        debriefing=plugin.manifest.debriefing or process.debriefing,
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
    if not isinstance(timing, dict) or not set(timing) <= {"act_delay", "interrupt", "opening_delay"}:
        raise AgentError(
            "An agent's timing may set act_delay, interrupt and opening_delay, and nothing else."
        )
    usual = None if game is None else game.rules.opening_delay_seconds
    return AgentTiming(**{"opening_delay": usual or 0.0, **timing})


def agent_budget(
    config: Mapping[str, Any], default: AgentBudget, options: Mapping[str, Any] | None = None
) -> AgentBudget:
    """Return the budget in an agent's settings.

    Args:
        config: The settings.
        default: The game's budget.
        options: The schema of the settings; an agent that declares a ``budget`` gives its own default there.

    Raises:
        InputFileError: If they are no valid budget.
    """
    declared = (options or {}).get("properties", {}).get("budget", {}).get("default", {})
    said = config.get("budget", {})
    whole = {**declared, **said} if isinstance(said, dict) and isinstance(declared, dict) else said
    return load_budget(whole, default, "The agent's settings", "budget")


def _in_process_factory(
    plugin: AgentPlugin,
    seat: Seat,
    config: Mapping[str, Any],
    game: GameSpec,
    seed: int,
    ready: NegotiationAgent | None = None,
) -> ResponderFactory:
    """Return a factory of responders in this process, the first for an agent that is ready."""
    spare = [] if ready is None else [ready]

    def make() -> Responder:
        agent = spare.pop() if spare else make_agent(plugin, seat, deepcopy(dict(config)), game)
        return AgentRunner(agent, seat_rng(seed, seat))

    return make
