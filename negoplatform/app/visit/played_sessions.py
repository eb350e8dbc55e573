"""Sessions of a visit that are over, and the games that an agent has played in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from negoplatform.app.catalogue.logged_agents import with_logged_settings, with_recorded_answers
from negoplatform.app.session.agent_setup import agent_budget, agent_timing
from negoplatform.app.session.session_runner import seat_rng
from negoplatform.app.session.session_start import fallback_folders
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rounds import EarlierRound
from negoplatform.core.rules_faults import final_points
from negoplatform.core.state import State
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.formats.log_header import Header, StudySession
from negoplatform.hosting.agent_runner import AgentGame
from negoplatform.hosting.staying_agent import ReplayableGame
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.game_state_loader import with_matching_state_plugin


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """Session of a visit that is over.

    Args:
        log: Its log, with a game that can be played.
        state: The state at its end.
        others: The seats of the agents, in the game's order.
    """

    log: SessionLog
    state: State
    others: tuple[Seat, ...]

    @property
    def study(self) -> StudySession:
        """Place in the study."""
        assert self.log.header.study is not None, "sessions of visits have one"
        return self.log.header.study

    def result(self, seat: Seat) -> EarlierRound:
        """Return the result for the agent of a seat."""
        ending = self.state.ending
        assert ending is not None, "it is over"
        points = final_points(mechanism_of(self.state.game.mechanism), self.state, [seat])[seat]
        return EarlierRound(self.study.round, self.log.header.game.name, ending.ended_by, ending.deal, points)


def find_session_log(data: StudyData, session: str) -> Path:
    """Return the log of a session of a study, also where it had to be continued in another folder.

    Raises:
        InputFileError: If there is none.
    """
    found: list[Path] = []
    for folder in (data.sessions, *fallback_folders(data.root)):
        for place in folder.glob(f"*-{session}*"):
            target = redirect_target(place / LOG_NAME)
            found += [path for path in (place / LOG_NAME, target) if path is not None and path.is_file()]
    if found:
        # On a full disk there may be no redirect; the log that was continued is the longest.
        return max(found, key=lambda path: path.stat().st_size)
    reason = f"the log of the session {session} is missing; restore its folder"
    raise InputFileError(data.sessions, "", reason)


def study_game(folder: StudyFolder, header: Header) -> GameSpec:
    """Return the game of a session of a study, with its state class if it has one.

    Raises:
        NegoError: If that class is missing from the study, or has changed.
    """
    game = header.game
    if game.own_state is None:
        return game
    game = with_matching_state_plugin(game, [folder.game(game.name)])
    if game.own_state is not None and game.own_state.state_class is None:
        raise NegoError(
            f"{game.own_state.file} of {game.name} is missing from the study, or has changed; "
            "restore the unchanged file."
        )
    return game


def read_played(path: Path, game_of: Callable[[Header], GameSpec]) -> PlayedSession:
    """Return a session of a study that is over, from its log.

    Args:
        path: The log.
        game_of: Returns the game of a log, ready to be played.

    Raises:
        NegoError: If it is not sound or not over, or belongs to no study.
    """
    log = read_log(path)
    log = replace(log, header=replace(log.header, game=game_of(log.header)))
    state = replay(log).state
    if log.header.study is None:
        raise InputFileError(path, "line 1", "this session belongs to no study")
    if state.ending is None:
        raise InputFileError(path, "", "this session is not over, so no other follows it")
    others = tuple(seat for seat, who in log.header.seats.items() if who.kind == "agent")
    return PlayedSession(log, state, others)


def played_games(
    sessions: Sequence[PlayedSession], index: int, plugin: AgentPlugin
) -> tuple[ReplayableGame, ...]:
    """Return the games of one agent in sessions that followed each other.

    Args:
        sessions: The sessions.
        index: The agent's place among the agents of each session.
        plugin: The agent.

    Raises:
        NegoError: If another agent played.
    """
    games: list[ReplayableGame] = []
    earlier: tuple[EarlierRound, ...] = ()
    plugin = with_logged_settings(plugin)
    for session in sessions:
        header, seat = session.log.header, session.others[index]
        who = header.seats[seat]
        if who.sha256 != plugin.sha256:
            raise NegoError(
                f"The agent {who.agent!r} ({who.file}) has changed since the round before; "
                "restore the unchanged file."
            )
        config = with_recorded_answers(session.log, seat, plugin, who.config)
        game = AgentGame(
            seat=seat,
            game=header.game,
            rng_state=seat_rng(header.seed or 0, seat).getstate(),
            round=session.study.place(earlier),
            config=config,
            record=header.record,
            session_id=header.session_id,
        )
        budget = agent_budget(config, header.game.rules.agents, plugin.options)
        games.append(ReplayableGame(game, session.log.events, agent_timing(config, header.game), budget))
        earlier = (*earlier, session.result(seat))
    return tuple(games)
