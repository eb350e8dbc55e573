"""Play of the games of a visit without a window: agents in all seats, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable

from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.session_plan import SessionPlan, with_time_limit
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.simulation.simulate import DEFAULT_LIMIT
from negoplatform.app.study.step_games import step_agent, step_game, step_seat, step_seed, study_session
from negoplatform.app.study.visit_run import VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.seat_map import Seat, SeatMap


class StepPlay:
    """Play of one visit's games; the participant's seat is an agent's.

    Args:
        run: The visit.
        person: The agent that negotiates for the participant.
        report: Called with errors of agents.
    """

    def __init__(
        self, run: VisitRun, *, person: ChosenAgent, report: Callable[[BaseException], object]
    ) -> None:
        self._run = run
        self._person = person
        self._report = report

    def play(self) -> float:
        """Play the game of the open step to its end and record it; return the seconds that it took.

        Raises:
            NegoError: If it cannot be played.
        """
        run, step = self._run, self._run.step
        seed, game = step_seed(run.state, step), step_game(run.state, run.folder, step)
        if game.rules.deadline_seconds is None:
            game = with_time_limit(game, DEFAULT_LIMIT)
        mine = step_seat(step, game)
        partner = step_agent(run.state, run.folder, step)
        agents: dict[Seat, PreparedAgent] = {}
        for seat in game.seats:
            who = self._person if seat == mine else partner
            agents[seat] = prepare_in_process(who.plugin, seat, who.config, game=game, seed=seed)
        plan = SessionPlan(
            game=game,
            seed=seed,
            human_seat=mine,
            participant=run.state.header.code,
            agents=SeatMap(agents),
            study=study_session(run.state, step),
        )
        return self._play_session(plan, mine)

    def _play_session(self, plan: SessionPlan, mine: Seat) -> float:
        log = plan.create_log(self._run.data.sessions, durable=False)
        self._run.open_session(plan.session_id, log.path.parent.name)
        clock = VirtualClock()
        runner = SessionRunner(
            plan.game,
            seed=plan.seed,
            clock=clock,
            log=log,
            report=self._report,
            session_id=plan.session_id,
        )
        for seat, who in plan.agents.items():
            runner.assign(seat, who.assignment, who.timing)
        run_session(runner, clock)
        ended = runner.session.state
        assert ended.ending is not None, "a game with a deadline ends"
        self._run.close_session(
            plan.session_id,
            last_hash=log.last_hash,
            ended_by=ended.ending.ended_by,
            points=final_points(mechanism_of(plan.game.mechanism), ended, [mine])[mine],
            agreement=ended.ending.ended_by is EndedBy.AGREEMENT,
        )
        return clock()
