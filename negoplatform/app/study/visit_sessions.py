"""Sessions of a visit's games in the window: opened, or resumed, and recorded in the visit's log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_subprocess, starting_output_path
from negoplatform.app.session.chosen_agent import ChosenAgent, prepare_named_agents
from negoplatform.app.session.participant_rule_defaults import with_window_rules, with_window_texts
from negoplatform.app.session.resume import resume_session
from negoplatform.app.session.session_plan import SessionPlan, new_session_id
from negoplatform.app.session.session_start import OpenSession, open_session
from negoplatform.app.study.step_games import step_agent, step_game, step_seat, step_seed, study_session
from negoplatform.app.study.visit_run import VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.reader import read_whole_part
from negoplatform.eventlog.replay import replay
from negoplatform.study.visit_events import SessionOpened


class VisitSessions:
    """Sessions of one visit.

    Args:
        run: The visit.
        report: Called with errors that stop nothing.
    """

    def __init__(self, run: VisitRun, *, report: Callable[[BaseException], object]) -> None:
        self._run = run
        self._report = report
        self._open: OpenSession | None = None

    def prepare(self) -> OpenSession | None:
        """Open a session for the open step, or resume the one that it has; slow.

        None: the session is over, and :meth:`closed_already` records that.

        Raises:
            NegoError: If it cannot be opened.
        """
        opened = self._run.state.sessions.get(self._run.step.id)
        if not isinstance(opened, SessionOpened):
            self._open = open_session(self._plan(), self._run.data.root, self._report)
            return self._open
        path = self._run.data.sessions / opened.folder
        if replay(read_whole_part(path)).state.ending is not None:
            return None
        self._open = resume_session(path, self._run.data.root, self._report)
        return self._open

    def opened(self, session: OpenSession) -> None:
        """Record that a session was opened, unless that is recorded already."""
        if self._run.step.id not in self._run.state.sessions:
            self._run.open_session(session.plan.session_id, session.log.path.parent.name)

    def closed(self, session: OpenSession) -> None:
        """Record the end of a session.

        Raises:
            NegoError: If it has none.
        """
        self._open = None
        self._record(session.log.path)

    def closed_already(self) -> None:
        """Record the end of the open step's session, which was over when the program ended."""
        opened = self._run.state.sessions[self._run.step.id]
        assert isinstance(opened, SessionOpened), "its end is not recorded yet"
        self._record(self._run.data.sessions / opened.folder)

    def stop(self) -> None:
        """End all processes."""
        if self._open is not None:
            self._open.plan.stop_agents()

    def _record(self, path: Path) -> None:
        log = read_whole_part(path)
        state = replay(log).state
        if state.ending is None:
            raise NegoError(f"{log.path}: this session has not ended yet.")
        mine = next(seat for seat, who in log.header.seats.items() if who.kind == "human")
        points = final_points(mechanism_of(log.header.game.mechanism), state, [mine])[mine]
        self._run.close_session(
            log.header.session_id,
            last_hash=log.last_hash,
            ended_by=state.ending.ended_by,
            points=points,
            agreement=state.ending.ended_by is EndedBy.AGREEMENT,
        )

    def _plan(self) -> SessionPlan:
        run, step = self._run, self._run.step
        language, session_id = run.state.header.language, new_session_id()
        seed, game = step_seed(run.state, step), step_game(run.state, run.folder, step)
        mine = step_seat(step, game)
        game = with_window_rules(game, mine, language=language)
        partners = dict.fromkeys(game.others(mine), step_agent(run.state, run.folder, step))
        game = with_window_texts(game, partners, language)

        def prepare(named: GameSpec, seat: Seat, agent: ChosenAgent) -> PreparedAgent:
            return prepare_in_subprocess(
                agent.plugin,
                seat,
                agent.config,
                game=named,
                seed=seed,
                output=starting_output_path(run.data.sessions, seat),
                session_id=session_id,
            )

        game, agents = prepare_named_agents(game, partners, prepare)
        return SessionPlan(
            game=game,
            seed=seed,
            human_seat=mine,
            participant=run.state.header.code,
            agents=agents,
            session_id=session_id,
            study=study_session(run.state, step),
        )
