"""Rerun of a log's agents on their logged inputs, to compare their actions with the log."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.agent_teams import logged_members
from negoplatform.app.catalogue.logged_agents import agent_file_path
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.resume import logged_game, restore_agents, restore_seatless
from negoplatform.app.session.session_runner import seat_seed
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import DecidedBy, Event, EventType, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import ProposerKind, StateProposal
from negoplatform.core.visibility import ViewProjector, observer_of, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import replay
from negoplatform.formats.log_header import Occupant
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.assistants.assistant_replay import AssistantReplay
from negoplatform.hosting.logged_step_matching import Divergence
from negoplatform.hosting.principals.principal_replay import PrincipalReplay
from negoplatform.hosting.staying_agent import restored_events
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.plugins.agent_team import TEAM_PREFIX


@dataclass(frozen=True, slots=True)
class Resimulation:
    """Result of a rerun.

    Args:
        agents: The number of agents that were run, with advisers and principals; 0 in a session of people
            alone.
        acts: The number of their logged acts, pieces of advice and commands.
        differences: Their departures from the log and those of assistants, the first one first.
        assistants: The number of assistants that were run.
        learners: The number of programs that learn, whose acts are taken from the log as those of people.
    """

    agents: int
    acts: int
    differences: tuple[Divergence, ...]
    assistants: int = 0
    learners: int = 0


def resimulate(log: SessionLog, data_dir: Path, agents: Sequence[str] = ()) -> Resimulation:
    """Run the agents of a complete log again, each in a separate process.

    They start with the logged seed and settings and receive the logged inputs at the logged times; all their
    actions are compared with the log, and times are not: an agent has more time for a reaction than its
    budget allows in a session. What people and programs that learn did is taken from the log.

    Args:
        log: The log.
        data_dir: The user's folder, which is searched for agents.
        agents: Agents in other places, as ``PATH`` or ``PATH:Class``.

    Raises:
        NegoError: If the log cannot be replayed, holds no agent, or an agent is not available unchanged.
    """
    if log.header.view != "complete" or log.header.seed is None:
        raise NegoError(f"{log.path}: only a complete log says what the agents saw; this one was exported.")
    if log.header.study is not None and log.header.study.earlier:
        raise NegoError(
            f"{log.path}: its agent remembers earlier rounds; run all of them again with "
            "negoplatform resimulate --visit VISIT_FOLDER."
        )
    if log.header.forked is not None:
        raise NegoError(
            f"{log.path}: this session was forked from {log.header.forked.session_id}, and its agents were "
            "not there from the start; run the agents of that one again."
        )
    game = logged_game(log.header, data_dir)
    log = replace(log, header=replace(log.header, game=game))
    replay(log)

    def among_those(seat: Seat) -> str | None:
        who = log.header.seats[seat]
        if (who.agent or "").startswith(TEAM_PREFIX):
            return "\n".join(agent_of_hash(agents, member.sha256) or "" for member in logged_members(who))
        return agent_of_hash(agents, who.sha256)

    seats = restore_agents(log, game, data_dir, agent_file=among_those, named=True, is_rerun=True)
    try:
        seatless = rerun_seatless(log, data_dir, agents)
        occupants = {**log.header.seats, **log.header.principals}
        learners = [name for name, who in occupants.items() if who.is_learner]
        by_agents = (event for event in log.events if event.decided_by is DecidedBy.AGENT)
        if not seats and any(_decider(event) not in learners for event in by_agents):
            raise NegoError(
                f"{log.path}: no agent took part in this session, and yet an agent decided in it."
            )
        published_events = _published(log)
        found = [
            difference
            for seat, agent in seats.items()
            for difference in _rerun_agent(seat, agent, log, published_events, advises=False)
        ]
    finally:
        _stop(seats)
    by_agent = (DecidedBy.AGENT, DecidedBy.FALLBACK)
    acts = sum(event.decided_by in by_agent and event.sender in seats for event in log.events)
    differences = sorted([*found, *seatless.differences], key=lambda one: (not one.is_loss, one.seq))
    return Resimulation(
        len(seats) + seatless.agents,
        acts + seatless.acts,
        tuple(differences),
        seatless.assistants,
        len(learners),
    )


def _decider(event: Event) -> str:
    """Return the name of the seat or principal that decided an event; of a refusal, its recipient."""
    if event.type == EventType.ACTION_REFUSED and len(event.to) == 1:
        return event.to[0]
    return event.sender


def rerun_seatless(log: SessionLog, data_dir: Path, agents: Sequence[str] = ()) -> Resimulation:
    """Run the advisers, the principals and the assistants of a complete log again; not the agents in seats.

    Args:
        log: The log, with a game that is ready to be played.
        data_dir: The user's folder, which is searched for their plug-ins.
        agents: Plug-ins in other places, as ``PATH`` or ``PATH:Class``.

    Raises:
        NegoError: If a plug-in is not available unchanged.
    """
    header, game = log.header, log.header.game
    if not (header.advisers or header.principals or header.assistants):
        return Resimulation(0, 0, ())
    everyone: list[Mapping[str, PreparedAgent]] = []

    def kept(restored: Mapping[str, PreparedAgent]) -> Mapping[str, PreparedAgent]:
        everyone.append(restored)
        return restored

    def file_among(occupants: Mapping[str, Occupant]) -> Callable[[str], str | None]:
        return lambda name: agent_of_hash(agents, occupants[name].sha256)

    shared: dict[str, Any] = {"named": True, "is_rerun": True}
    try:
        advisers = kept(
            restore_agents(
                log,
                game,
                data_dir,
                agent_file=file_among(header.advisers),
                occupants=header.advisers,
                **shared,
            )
        )
        principals = kept(
            restore_seatless(
                "principals", log, game, data_dir, agent_file=file_among(header.principals), **shared
            )
        )
        assistants = kept(
            restore_seatless(
                "assistants", log, game, data_dir, agent_file=file_among(header.assistants), **shared
            )
        )
        published_events = _published(log)
        found: list[Divergence] = []
        for seat, adviser in advisers.items():
            found += _rerun_agent(seat, adviser, log, published_events, advises=True)
        for name, principal in principals.items():
            found += _rerun_principal(name, principal, game, published_events)
        for name, assistant in assistants.items():
            found += _rerun_assistant(name, assistant, game, published_events)
    finally:
        _stop(*everyone)
    acts = sum(
        isinstance(event.payload, Note) and event.payload.kind is NoteKind.ADVISED for event in log.events
    )
    acts += sum(is_of_principal(event, principals) for event in log.events)
    return Resimulation(len(advisers) + len(principals), acts, tuple(found), len(assistants))


def agent_of_hash(agents: Iterable[str], wanted: str | None) -> str | None:
    """Return the agent whose file has a hash, out of ``PATH`` and ``PATH:Class``; None: there is none."""
    return next((agent for agent in agents if hash_of(Path(agent_file_path(agent))) == wanted), None)


def _published(log: SessionLog) -> list[PublishedEvent]:
    header = log.header
    return restored_events(
        header.game, log.events, session_id=header.session_id, record=header.initial_record
    )


def _stop(*agents: Mapping[str, PreparedAgent]) -> None:
    """End the processes of prepared agents."""
    for some in agents:
        for agent in some.values():
            agent.stop_process()


def _rerun_agent(
    seat: Seat,
    agent: PreparedAgent,
    log: SessionLog,
    published_events: Sequence[PublishedEvent],
    *,
    advises: bool,
) -> list[Divergence]:
    """Return the differences between one agent's actions and the log; its process is ended."""
    game = log.header.game
    observer = observer_of(game, seat)
    viewer = ViewProjector(observer, deepcopy(visible_game(game, observer)))
    timing = agent.timing.seeded(seat_seed(log.header.seed or 0, seat))
    return _replayed(AgentReplay(seat, agent.assignment, viewer, timing, advises=advises), published_events)


def _rerun_assistant(
    name: str, assistant: PreparedAgent, game: GameSpec, published_events: Sequence[PublishedEvent]
) -> list[Divergence]:
    """Return the differences between one assistant's proposals and the log; its process is ended."""
    observer = observer_of(game, name)
    viewer = ViewProjector(observer, deepcopy(visible_game(game, observer)))
    return _replayed(AssistantReplay(name, assistant.assignment, viewer), published_events)


def _replayed(agent_replay: AgentReplay, published_events: Sequence[PublishedEvent]) -> list[Divergence]:
    """Return the differences that a replay finds; its responder is stopped."""
    try:
        for published in published_events:
            agent_replay.apply_event(published)
    finally:
        agent_replay.responder.stop()
    ended_at = published_events[-1].state.ended_at if published_events else None
    return agent_replay.differences(ended_at)


def _rerun_principal(
    name: str, principal: PreparedAgent, game: GameSpec, published_events: Sequence[PublishedEvent]
) -> list[Divergence]:
    """Return the differences between one principal's commands and the log; its process is ended."""
    observer = observer_of(game, name)
    viewer = ViewProjector(observer, deepcopy(visible_game(game, observer)))
    replayed = PrincipalReplay(name, game, replace(principal.assignment, fallback=None), viewer)
    try:
        for published in published_events:
            replayed.apply_event(published)
    finally:
        replayed.responder.stop()
    ended_at = published_events[-1].state.ended_at if published_events else None
    timing = game.principals[name].timing
    longest = timing.act_delay + timing.jitter
    return replayed.differences(ended_at, longest)


def is_of_principal(event: Event, principals: Mapping[str, PreparedAgent]) -> bool:
    """Return whether an event is a command of one of some principals."""
    proposal = event.payload
    return (
        isinstance(proposal, StateProposal)
        and proposal.proposer.kind is ProposerKind.PRINCIPAL
        and proposal.proposer.name in principals
    )
