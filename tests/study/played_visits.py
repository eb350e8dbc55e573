"""Finished visits for tests, with real sessions: two agents play each game on a virtual clock."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.study.participant_code import KnownCode
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.step_games import step_agent, step_game, step_seat, step_seed, study_session
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.seat_map import SeatMap
from tests.study.visits import act


@dataclass(frozen=True)
class Played:
    """A finished visit.

    Args:
        folder: The study.
        data: Its data.
        code: The participant's code.
        visit: The id of the visit.
    """

    folder: StudyFolder
    data: StudyData
    code: str
    visit: str

    @property
    def data_dir(self) -> Path:
        """The computer's data folder."""
        return self.data.root.parent.parent


def played_visit(
    folder: StudyFolder,
    code: str = "P-01",
    *,
    station: str = "pc01",
    data: StudyData | None = None,
    seconds_per_act: float = 0.0,
) -> Played:
    """Go through a study to its end, with real sessions, as data that is no test.

    Args:
        folder: The study.
        code: The participant's code.
        station: The computer.
        data: The data; that of the user's folder unless given.
        seconds_per_act: What the visit's clock is ahead of the time of day after each act.
    """
    data = data or study_data(folder, folder.data_dir, is_test=False)
    begun, acts, rng = time.monotonic(), 0, Random(f"{code}/{station}")

    def clock() -> float:
        return time.monotonic() - begun + acts * seconds_per_act

    columns = folder.codes.rows.get(code, {}) if folder.codes is not None else {}
    known = KnownCode(code, columns, ())
    run = VisitRun.begin(folder, data, known, station=station, language="en", clock=clock, durable=False)
    while run.state.ended is None:
        acts += 1
        if run.step.game is not None:
            _play(run)
        else:
            act(run, rng)
    run.close()
    return Played(folder, data, code, run.state.header.visit)


def _play(run: VisitRun) -> None:
    """Play the game of the open step: the linear agent in the person's seat against the partner."""
    state, step = run.state, run.step
    seed, game = step_seed(state, step), step_game(state, run.folder, step)
    mine, partner = step_seat(step, game), step_agent(state, run.folder, step)
    assert partner is not None
    agents = {}
    for seat in game.seats:
        who = (run.folder.agent("linear"), {}) if seat == mine else (partner.plugin, partner.config)
        agents[seat] = prepare_in_process(who[0], seat, who[1], game=game, seed=seed)
    plan = SessionPlan(
        game=game,
        seed=seed,
        human_seat=mine,
        participant=state.header.code,
        agents=SeatMap(agents),
        study=study_session(state, step),
    )
    log = plan.create_log(run.data.sessions, durable=False)
    run.open_session(plan.session_id, log.path.parent.name)
    clock = VirtualClock()
    runner = SessionRunner(game, seed=seed, clock=clock, log=log, report=print, session_id=plan.session_id)
    for seat, agent in agents.items():
        runner.assign(seat, agent.assignment, agent.timing)
    run_session(runner, clock)
    log.close()
    ended = runner.session.state
    assert ended.ending is not None
    run.close_session(
        plan.session_id,
        last_hash=log.last_hash,
        ended_by=ended.ending.ended_by,
        points=final_points(mechanism_of(game.mechanism), ended, [mine])[mine],
        agreement=ended.ending.ended_by is EndedBy.AGREEMENT,
    )
