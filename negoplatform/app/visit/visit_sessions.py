"""Sessions of a visit in the window: opened, resumed after a crash, and closed in the visit's log.

The order of calls is :meth:`VisitSessions.prepare`, :meth:`VisitSessions.opened` before the game begins, and
:meth:`VisitSessions.closed` after it. If the program ends in between, the next ``prepare`` handles the log
that it finds:

- a log without events that the visit does not name was never shown, and is deleted;
- a named log without GAME_START was not begun: it is deleted, and a new session is opened;
- a named log without GAME_END is resumed;
- a named log with GAME_END only has to be recorded: :meth:`VisitSessions.closed_already`.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import rmtree

from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.resume import close_interrupted, resume_session
from negoplatform.app.session.session_start import OpenSession, open_session
from negoplatform.app.visit.played_sessions import find_session_log, study_game
from negoplatform.app.visit.step_games import game_in_window, has_counting_end
from negoplatform.app.visit.visit_agents import VisitAgents
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.events import EventType
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.reader import ValidPrefix, read_sound_part, read_whole_part
from negoplatform.eventlog.replay import replay
from negoplatform.study.visit_events import SessionClosed, SessionOpened


class VisitSessions:
    """Sessions of one visit; agents stay from one round to the next.

    Args:
        run: The visit.
        report: Called with errors that stop nothing, for the crash file.
    """

    def __init__(self, run: VisitRun, *, report: Callable[[BaseException], object]) -> None:
        self._run = run
        self._report = report
        self._agents = VisitAgents(run, isolated=True, report=report, adapt=self._in_window)

    def prepare(self) -> OpenSession | None:
        """Return the session of the open step, ready to be played: a new one, or the interrupted one.

        It takes seconds, and may be called on any thread; the visit's log is not written. None: the session
        is over, and :meth:`closed_already` records that.

        Raises:
            NegoError: If there is no game in the step, or it cannot be played.
        """
        self._discard_unnamed()
        opened = self._opened()
        if opened is not None:
            path = find_session_log(self._run.data, opened.session)
            found = read_whole_part(path)
            if found.events:
                game = study_game(self._run.folder, found.header)
                if replay(replace(found, header=replace(found.header, game=game))).state.ending is not None:
                    return None
                return resume_session(
                    path,
                    self._run.data.root,
                    self._report,
                    game_of=lambda header: study_game(self._run.folder, header),
                    plan_of=self._agents.resumed_plan,
                )
            _discard(path)
        return open_session(self._agents.plan(), self._run.data.root, self._report)

    def opened(self, session: OpenSession) -> None:
        """Record a session that :meth:`prepare` returned, before its game begins; once for each.

        Raises:
            NegoError: If it cannot be recorded.
        """
        known = self._opened()
        if known is None or known.session != session.plan.session_id:
            self._run.open_session(session.plan.session_id, session.log.path.parent.name)

    def closed(self, session: OpenSession) -> None:
        """Record the end of a session whose log is closed, and go on with the visit.

        A session that had to stop without an end is ended as aborted first.

        Raises:
            NegoError: If its log cannot be read, or its end cannot be recorded.
        """
        self._record_end(session.log.path)

    def closed_already(self) -> None:
        """Record the end of the open step's session, which was over when the program ended.

        Raises:
            NegoError: If there is no such session, or its end cannot be recorded.
        """
        opened = self._opened()
        if opened is None:
            raise NegoError("No session of this step is open.")
        self._record_end(find_session_log(self._run.data, opened.session))

    def stop(self) -> None:
        """Stop all agents that stay; from any thread."""
        self._agents.stop()

    def _in_window(self, game: GameSpec, seat: Seat, agent: ChosenAgent | None) -> GameSpec:
        """Return a game with the times and the texts that a participant needs."""
        return game_in_window(game, seat, agent, self._run.state.header.language)

    def _opened(self) -> SessionOpened | None:
        session = self._run.state.sessions.get(self._run.step.id)
        if isinstance(session, SessionClosed):
            raise NegoError(f"The game of the step {self._run.step.id!r} is over.")
        return session

    def _record_end(self, path: Path) -> None:
        found = self._ended(path)
        game = study_game(self._run.folder, found.header)
        state = replay(replace(found, header=replace(found.header, game=game))).state
        if state.ending is None:
            raise NegoError(f"{path}: this session is not over.")
        mine = found.header.people[0]
        points = final_points(mechanism_of(game.mechanism), state, [mine])
        self._run.close_session(
            found.header.session_id,
            last_hash=found.last_hash,
            ended_by=state.ending.ended_by,
            points=points[mine],
            agreement=has_counting_end(game, state.ending),
        )

    def _ended(self, path: Path) -> ValidPrefix:
        """Return a log that has an end; one without an end is ended as aborted."""
        found = read_whole_part(path)
        if not any(event.type == EventType.GAME_END for event in found.events):
            close_interrupted(path, self._run.data.root)
            found = read_whole_part(path)
        return found

    def _discard_unnamed(self) -> None:
        """Delete logs of this step that have no event and that the visit does not name."""
        header, opened = self._run.state.header, self._opened()
        for path in self._run.data.sessions.glob(f"*-{header.code}-*/{LOG_NAME}"):
            try:
                part = read_sound_part(path)
            except NegoError:
                continue
            study = part.header.study
            if study is None or (study.visit, study.step) != (header.visit, self._run.step.id):
                continue
            named = opened is not None and part.header.session_id == opened.session
            if not (named or part.events or part.problem or is_being_written(path)):
                _discard(path)


def _discard(log: Path) -> None:
    with suppress(OSError):
        rmtree(log.parent)
