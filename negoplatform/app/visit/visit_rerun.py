"""Rerun of the agents of a whole visit: each replays all of its rounds in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from negoplatform.app.catalogue.logged_agents import find_logged_agent
from negoplatform.app.session.agent_setup import agent_budget, process_spawner
from negoplatform.app.session.resume import logged_game
from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.simulation.rerun import agent_of_hash, rerun_seatless
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import AGENTS, StudyFolder
from negoplatform.app.visit.played_sessions import (
    PlayedSession,
    find_session_log,
    played_games,
    read_played,
    study_game,
)
from negoplatform.core.events import DecidedBy
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, read_visit
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.hosting.staying_agent import EarlierGames, MemoryDifference
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.policy_files import POLICY_SUFFIX, is_policy_file
from negoplatform.study.visit_events import SessionClosed


@dataclass(frozen=True, slots=True)
class VisitRerun:
    """Result of a rerun of a visit.

    Args:
        headers: The headers of the sessions, by their ids.
        agents: The number of agents that were run, each through all sessions that it remembers, and of the
            advisers and the principals of all sessions.
        acts: The number of their logged acts, pieces of advice and commands.
        differences: Their departures from the logs and those of assistants, in the order of the sessions.
        assistants: The number of assistants that were run, in all sessions.
    """

    headers: Mapping[str, Header]
    agents: int
    acts: int
    differences: tuple[MemoryDifference, ...]
    assistants: int

    @property
    def sessions(self) -> int:
        """Number of sessions."""
        return len(self.headers)


def rerun_visit(
    visit: Path, data_dir: Path, *, agents: Sequence[str] = (), study: StudyFolder | None = None
) -> VisitRerun:
    """Run the agents of a visit's sessions again, with advisers, principals and assistants.

    What they do is compared with the logs.

    Args:
        visit: The visit's folder, or its log.
        data_dir: The user's folder, which is searched for agents and games.
        agents: Agents in other places, as ``PATH`` or ``PATH:Class``.
        study: The study, whose agents and games are used too.

    Raises:
        NegoError: If a log is missing or not sound, or an agent is not available unchanged.
    """
    log = visit / VISIT_LOG_NAME if visit.is_dir() else visit
    record = read_visit(log)
    data = StudyData(log.resolve().parent.parent.parent, record.header.is_test)
    game_of = _games(data_dir, study)
    closed = [event.session for event in record.events if isinstance(event, SessionClosed)]
    sessions = [read_played(find_session_log(data, session), game_of) for session in closed]
    if not sessions:
        raise NegoError(
            f"{log}: no session of this visit is over; sessions are expected in {data.root / SESSIONS}."
        )
    named = [*agents, *_study_agents(study)]
    differences: list[MemoryDifference] = []
    runs = acts = 0
    for chain in _chains(sessions):
        for index in range(len(chain[-1].others)):
            runs += 1
            acts += sum(_acts(session, index) for session in chain)
            differences += _rerun(chain, index, data_dir, named)
    headers = {session.log.header.session_id: session.log.header for session in sessions}
    assistants = 0
    for session in sessions:
        seatless = rerun_seatless(session.log, data_dir, named)
        runs, acts = runs + seatless.agents, acts + seatless.acts
        assistants += seatless.assistants
        session_id = session.log.header.session_id
        differences += [MemoryDifference(session_id, one) for one in seatless.differences]
    order = {session: n for n, session in enumerate(closed)}
    differences.sort(key=lambda one: (not one.divergence.is_loss, order[one.session_id], one.divergence.seq))
    return VisitRerun(headers, runs, acts, tuple(differences), assistants)


def _games(data_dir: Path, study: StudyFolder | None) -> Callable[[Header], GameSpec]:
    if study is None:
        return lambda header: logged_game(header, data_dir)
    return lambda header: study_game(study, header)


def _study_agents(study: StudyFolder | None) -> Iterator[str]:
    if study is not None:
        folder = study.root / AGENTS
        policies = [path for path in folder.glob(f"*{POLICY_SUFFIX}") if is_policy_file(path)]
        yield from map(str, sorted([*folder.rglob("*.py"), *policies]))


def _chains(sessions: Sequence[PlayedSession]) -> Iterator[list[PlayedSession]]:
    """Yield the sessions of each agent, without series that are the beginning of a longer one."""
    by_id = {session.log.header.session_id: session for session in sessions}
    followed = {(*one.study.earlier[:n],) for one in sessions for n in range(1, len(one.study.earlier) + 1)}
    for session in sessions:
        own = (*session.study.earlier, session.log.header.session_id)
        if own not in followed:
            yield [by_id[one] for one in own]


def _acts(session: PlayedSession, index: int) -> int:
    seat = session.others[index]
    return sum(event.sender == seat and event.decided_by is DecidedBy.AGENT for event in session.log.events)


def _rerun(
    chain: Sequence[PlayedSession], index: int, data_dir: Path, named: Sequence[str]
) -> Sequence[MemoryDifference]:
    """Replay the sessions of one agent, and return its departures from the logs."""
    first = chain[0]
    who = first.log.header.seats[first.others[index]]
    plugin = _plugin(who, data_dir, named)
    games = played_games(chain, index, plugin)
    budget = agent_budget(who.config, first.log.header.game.rules.agents)
    games_again = EarlierGames(games, process_spawner(plugin, budget.for_rerun()))
    games_again.replay_all()
    return list(games_again.differences)


def _plugin(who: Occupant, data_dir: Path, named: Sequence[str]) -> AgentPlugin:
    wanted = agent_of_hash(named, who.sha256)
    return find_logged_agent(who, data_dir, wanted, named=True)
