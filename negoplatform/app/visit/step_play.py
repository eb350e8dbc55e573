"""Play of the games of a visit without a window: agents in all seats, on a virtual clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

from negoplatform.app.session.agent_setup import PreparedAgent, prepare_in_process
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.visit.played_sessions import find_session_log, study_game
from negoplatform.app.visit.step_games import has_counting_end
from negoplatform.app.visit.visit_agents import VisitAgents
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.events import Event
from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.core.rules_faults import final_points
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.writer import LogWriter
from negoplatform.hosting.wizard_control import Suggestion, WizardControl

FASTEST_VERDICT, SLOWEST_VERDICT = 1.0, 8.0
"""Seconds in which a simulated wizard answers a suggestion, at least and at most."""

SHARE_SENT, SHARE_DROPPED = 0.75, 0.1
"""Shares of suggestions that a simulated wizard sends and drops; the others time out."""


class SimulatedWizard:
    """Wizard of a rehearsal: sends most suggestions, drops a few, and leaves the others unanswered.

    In manual mode the others are sent as well, because nothing else acts for the seat then.

    Args:
        control: The control of the seat.
        runner: The session's runner.
        rng: The wizard's random numbers.
    """

    def __init__(self, control: WizardControl, runner: SessionRunner, rng: Random) -> None:
        self._control, self._runner, self._rng = control, runner, rng
        control.on_made = self._consider

    def _consider(self, suggestion: Suggestion) -> None:
        drawn, seconds = self._rng.random(), self._rng.uniform(FASTEST_VERDICT, SLOWEST_VERDICT)
        drops = drawn >= 1 - SHARE_DROPPED
        if drawn >= SHARE_SENT and not drops and self._control.mode is not WizardMode.MANUAL:
            return
        due = round(self._runner.session.now() + seconds, 3)

        def answer() -> None:
            self._control.answer(suggestion.number, send=not drops)

        self._runner.scheduler.call_at(due, answer)


class StepPlay:
    """Play of one visit's games; the seats of people are agents', and a wizard is simulated.

    Args:
        run: The visit.
        person: Returns the agent that plays a game for a person; a new one in each game.
        report: Called with errors of agents.
        isolated: Whether the partners' agents run in processes.
        on_end: Called with the seconds that a game took, before its end is recorded in the visit.
    """

    def __init__(
        self,
        run: VisitRun,
        *,
        person: Callable[[GameSpec], ChosenAgent],
        report: Callable[[BaseException], object],
        isolated: bool = False,
        on_end: Callable[[float], object] = lambda _seconds: None,
    ) -> None:
        self._run = run
        self._person = person
        self._report = report
        self._on_end = on_end
        self._agents = VisitAgents(run, isolated=isolated, report=report)

    def play(self) -> float:
        """Play the game of the open step to its end and record it; return the seconds that it took.

        A session that was interrupted goes on.

        Raises:
            NegoError: If it cannot be played.
        """
        opened = self._run.state.sessions.get(self._run.step.id)
        if opened is not None:
            return self._resume(opened.session)
        plan = self._agents.plan(ends=True)
        log = plan.create_log(self._run.data.sessions, durable=False)
        plan.move_agent_output(log.path.parent)
        self._run.open_session(plan.session_id, log.path.parent.name)
        return self._finish(plan, log, ())

    def stop(self) -> None:
        """Stop the agents that stay."""
        self._agents.stop()

    def _resume(self, session: str) -> float:
        reopened = LogWriter.reopen(find_session_log(self._run.data, session))
        log = reopened.log
        game = study_game(self._run.folder, log.header)
        plan = self._agents.resumed_plan(replace(log, header=replace(log.header, game=game)))
        return self._finish(plan, reopened.writer, log.events)

    def _finish(self, plan: SessionPlan, log: LogWriter, events: tuple[Event, ...]) -> float:
        mine, clock = plan.human_seat, VirtualClock()
        assert mine is not None, "a participant has a seat"
        clock.advance_to(events[-1].t if events else 0.0)
        runner = SessionRunner(
            plan.game,
            seed=plan.seed,
            clock=clock,
            log=log,
            report=self._report,
            session_id=plan.session_id,
            record=plan.record,
        )
        people = {seat: self._participant(plan, seat) for seat in plan.codes_of_people}
        agents = {**dict(plan.agents.items()), **people}
        runner.assign_assistants({name: one.assignment for name, one in plan.assistants.items()})
        for seat in plan.game.seats:
            host = runner.assign(
                seat, agents[seat].assignment, agents[seat].timing, wizard=plan.wizards.get(seat)
            )
            if host.wizard is not None:
                SimulatedWizard(host.wizard, runner, Random(f"{plan.seed}/wizard/{seat}"))
        for seat, adviser in plan.advisers.items():
            runner.assign_adviser(seat, adviser.assignment, adviser.timing)
        for name, principal in plan.principals.items():
            runner.assign_principal(name, principal.assignment)
        runner.resume(events)
        for kind, data in plan.notes:
            runner.session.note(kind, **data)
        runner.run_on(clock)
        log.close()
        plan.stop_agents()
        ended = runner.session.state
        assert ended.ending is not None, "a game with a deadline ends"
        self._on_end(clock())
        self._run.close_session(
            plan.session_id,
            last_hash=log.last_hash,
            ended_by=ended.ending.ended_by,
            points=final_points(mechanism_of(plan.game.mechanism), ended, [mine])[mine],
            agreement=has_counting_end(plan.game, ended.ending),
        )
        return clock()

    def _participant(self, plan: SessionPlan, seat: Seat) -> PreparedAgent:
        """Return the agent that plays for a person."""
        person = self._person(plan.game)
        return prepare_in_process(person.plugin, seat, person.config, game=plan.game, seed=plan.seed)
