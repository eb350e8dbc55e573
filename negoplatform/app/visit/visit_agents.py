"""Agents of a visit's sessions: new ones, and, in rounds, those that stay from one session to the next."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.logged_agents import with_logged_settings, with_recorded_answers
from negoplatform.app.session.agent_placement import prepare_agents
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    SeatRounds,
    output_path,
    prepare_in_process,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.app.session.assistant_setup import (
    AssistantPlaces,
    assigned_assistants,
    prepare_assistants,
)
from negoplatform.app.session.chosen_agent import ChosenAgent, prepare_named_agents
from negoplatform.app.session.resume import logged_plan, restore_seatless, shown_as_logged
from negoplatform.app.session.session_plan import SessionPlan, new_session_id, with_usual_limit
from negoplatform.app.visit.played_sessions import (
    PlayedSession,
    find_session_log,
    played_games,
    read_played,
    study_game,
)
from negoplatform.app.visit.seatless_agents import SeatlessPlugins
from negoplatform.app.visit.step_games import (
    keeps_agent,
    sessions_before,
    step_agent,
    step_game,
    step_partner,
    step_seat,
    step_seed,
    study_session,
)
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks import carried_sections
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import LostLinkAction
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.reader import SessionLog
from negoplatform.formats.log_header import StudySession
from negoplatform.hosting.kept_responder import KeptResponder
from negoplatform.hosting.staying_agent import StayingAgent
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.study.partners import PartnerModel, partner_code
from negoplatform.study.visit_steps import VisitStep


class VisitAgents:
    """Agents of one visit's sessions.

    An agent stays for all rounds with its partner. It is used again if it is still running, has played
    exactly the sessions that the visit's log names, and has received all of their events; otherwise a new
    agent replays their logs.

    Args:
        run: The visit.
        isolated: Whether each agent runs in a process of its own.
        report: Called with the differences from the logs when an agent replays its earlier rounds.
        adapt: Returns a new game as it is played here, given the participant's seat and the agent; None
            where a second person plays.
    """

    def __init__(
        self,
        run: VisitRun,
        *,
        isolated: bool,
        report: Callable[[BaseException], object],
        adapt: Callable[[GameSpec, Seat, ChosenAgent | None], GameSpec] = lambda game, _seat, _agent: game,
    ) -> None:
        self._run = run
        self._isolated = isolated
        self._report = report
        self._adapt = adapt
        self._staying: dict[tuple[str, int], tuple[StayingAgent[Any], tuple[str, ...]]] = {}
        self._played: dict[str, PlayedSession] = {}

    def plan(self, *, ends: bool = False) -> SessionPlan:
        """Return the plan of a new session for the open step, with its agents ready.

        Args:
            ends: Whether a game without a time limit gets the usual one of simulations.

        Raises:
            NegoError: If an agent cannot be prepared; the others are stopped then.
        """
        state, step = self._run.state, self._run.step
        game = step_game(state, self._run.folder, step)
        if ends:
            game = with_usual_limit(game)
        mine, seed, session = step_seat(step, game), step_seed(state, step), new_session_id()
        seatless = self._seatless(game)
        study = study_session(state, step, sessions_before(state, step))
        partner, agent = step_partner(state, step), step_agent(state, self._run.folder, step)
        game = self._adapt(game, mine, agent)
        others = game.others(mine)
        carried = self._carried(study, game.others(mine))
        outputs = {seat: starting_output_path(self._run.data.sessions, seat) for seat in game.others(mine)}

        def prepare(named: GameSpec, seat: Seat, agent: ChosenAgent) -> PreparedAgent:
            return self._prepare(
                agent.plugin,
                seat,
                agent.config,
                rounds=self._rounds(step, study, named.others(mine).index(seat), agent.plugin, carried),
                game=named,
                seed=seed,
                session_id=session,
                output=outputs[seat],
            )

        self._stop_others(step)
        people = dict.fromkeys(others, partner_code(state.header.code)) if partner.person else {}
        wizard, data_dir = partner.wizard_settings, self._run.folder.data_dir
        seats = tuple(seat for seat in others if seat not in people)
        places = AssistantPlaces((mine, *people), seats, seats if wizard is not None else ())
        game, helping = assigned_assistants(game, places, data_dir, in_program=not self._isolated)
        taken = {} if agent is None else dict.fromkeys(others, agent)
        game, agents = prepare_named_agents(game, taken, prepare)
        self._keep(step, study, session, agents)
        assistants = prepare_assistants(
            game,
            helping,
            seed=seed,
            session_id=session,
            output=self._run.data.sessions,
            record=carried,
            in_program=not self._isolated,
            others=[agents],
        )
        ready = seatless.prepare(
            game,
            mine,
            study,
            seed=seed,
            session_id=session,
            output=self._run.data.sessions,
            record=carried,
            in_program=not self._isolated,
            others=[agents, assistants],
        )
        return SessionPlan(
            game=game,
            seed=seed,
            human_seat=mine,
            participant=state.header.code,
            agents=agents,
            session_id=session,
            people=people,
            wizards={} if wizard is None else dict.fromkeys(agents, wizard),
            advisers=ready.advisers,
            principals=ready.principals,
            lost_link=partner.lost_link_rule,
            stand_ins=self._stand_ins(partner, people, study, game, seed, session),
            study=study,
            carried=carried,
            notes=self._notes(agents),
            assistants=assistants,
        )

    def resumed_plan(self, log: SessionLog) -> SessionPlan:
        """Return the plan of the open step's session that was interrupted, with its agents ready.

        Args:
            log: Its log, with a game that can be played.

        Raises:
            NegoError: If an agent cannot be prepared; the others are stopped then.
        """
        header, step = log.header, self._run.step
        study = header.study
        if study is None or study.visit != self._run.state.header.visit or study.step != step.id:
            raise InputFileError(log.path, "line 1", f"this is no session of the step {step.id!r}")
        others = tuple(seat for seat, who in header.seats.items() if who.kind == "agent")
        partner = step_partner(self._run.state, step)
        agent = step_agent(self._run.state, self._run.folder, step)

        def prepare(seat: Seat) -> PreparedAgent:
            who = header.seats[seat]
            plugin = None if agent is None else with_logged_settings(agent.plugin)
            if plugin is None or who.sha256 != plugin.sha256:
                raise NegoError(
                    f"The agent {who.agent!r} ({who.file}) is missing, or has changed since this was "
                    "played; restore the unchanged file."
                )
            prepared = self._prepare(
                plugin,
                seat,
                with_recorded_answers(log, seat, plugin, who.config),
                rounds=self._rounds(step, study, others.index(seat), plugin, header.record),
                game=header.game,
                seed=header.seed or 0,
                session_id=header.session_id,
                output=output_path(log.path.parent, seat),
            )
            return shown_as_logged(prepared, who)

        self._stop_others(step)
        agents = prepare_agents(others, prepare)
        self._keep(step, study, header.session_id, agents)
        plan = logged_plan(log, header.game, agents)
        stand_ins = self._stand_ins(
            partner, plan.people, study, header.game, plan.seed, header.session_id, log.path.parent
        )
        assistants = restore_seatless(
            "assistants",
            log,
            header.game,
            self._run.folder.data_dir,
            agent_file=lambda _name: None,
            output=log.path.parent,
        )
        seatless = self._seatless(header.game).restore(
            log, in_program=not self._isolated, others=[agents, stand_ins, assistants]
        )
        return replace(
            plan,
            advisers=seatless.advisers,
            principals=seatless.principals,
            stand_ins=stand_ins,
            notes=(*plan.notes, *self._notes(agents)),
            assistants=assistants,
        )

    def stop(self) -> None:
        """Stop all agents that stay; from any thread."""
        for agent, _ in list(self._staying.values()):
            agent.stop()
        self._staying.clear()

    def _seatless(self, game: GameSpec) -> SeatlessPlugins:
        played, language = self._run.step.game, self._run.state.header.language
        assert played is not None, "the step has a game"
        return SeatlessPlugins.of_step(self._run.folder, played, game, language)

    def _prepare(
        self,
        plugin: AgentPlugin,
        seat: Seat,
        config: Mapping[str, Any],
        *,
        rounds: SeatRounds,
        game: GameSpec,
        seed: int,
        session_id: str,
        output: Path,
    ) -> PreparedAgent:
        about: dict[str, Any] = {"game": game, "seed": seed, "session_id": session_id, "rounds": rounds}
        if self._isolated:
            return prepare_in_subprocess(plugin, seat, config, output=output, **about)
        return prepare_in_process(plugin, seat, config, **about)

    def _stand_ins(
        self,
        partner: PartnerModel,
        people: Iterable[Seat],
        study: StudySession,
        game: GameSpec,
        seed: int,
        session: str,
        folder: Path | None = None,
    ) -> SeatMap[PreparedAgent]:
        """Prepare the agents that take the seats of people whose connections are lost; usually none.

        Args:
            partner: The partner.
            people: The seats of the people who join.
            study: The place in the study.
            game: The game.
            seed: The session's seed.
            session: The session's id.
            folder: The session's folder; None: it has none yet.
        """
        rule = partner.lost_link_rule
        if rule.action is not LostLinkAction.AGENT:
            return SeatMap()
        plugin = self._run.folder.agent(rule.agent)

        def prepare(seat: Seat) -> PreparedAgent:
            output = (
                starting_output_path(self._run.data.sessions, seat)
                if folder is None
                else output_path(folder, seat)
            )
            rounds = SeatRounds(place=study.place(), record={})
            return self._prepare(
                plugin, seat, {}, rounds=rounds, game=game, seed=seed, session_id=session, output=output
            )

        return prepare_agents(people, prepare)

    def _stop_others(self, step: VisitStep) -> None:
        """Stop the agents of other rounds, which no session follows."""
        rounds = step.id.rpartition(".")[0]
        for key in [key for key in self._staying if not key[0].startswith(f"{rounds}/")]:
            self._staying.pop(key)[0].stop()

    def _keep(
        self, step: VisitStep, study: StudySession, session: str, agents: SeatMap[PreparedAgent]
    ) -> None:
        """Keep the agents that stay."""
        rounds = step.id.rpartition(".")[0]
        for index, agent in enumerate(agents.values()):
            key = (f"{rounds}/{study.partner}", index)
            if agent.staying is not None:
                self._staying[key] = (agent.staying, (*study.earlier, session))

    def _rounds(
        self,
        step: VisitStep,
        study: StudySession,
        index: int,
        plugin: AgentPlugin,
        record: Mapping[str, Any],
    ) -> SeatRounds:
        """Return what is carried over for the agent of a seat."""
        sessions = [self._session(session) for session in study.earlier]
        earlier = tuple(session.result(session.others[index]) for session in sessions)
        return SeatRounds(
            place=study.place(earlier),
            record=record,
            played=played_games(sessions, index, plugin),
            living=self._living(step, study, index),
            stays=keeps_agent(step),
        )

    def _living(self, step: VisitStep, study: StudySession, index: int) -> KeptResponder[Any] | None:
        """Return the responder of the agent that has played the sessions before; None: there is none."""
        key = (f"{step.id.rpartition('.')[0]}/{study.partner}", index)
        agent, sessions = self._staying.pop(key, (None, ()))
        if agent is None:
            return None
        if agent.kept is None or sessions != study.earlier:
            agent.stop()
            return None
        return agent.kept

    def _session(self, session: str) -> PlayedSession:
        if session not in self._played:
            path = find_session_log(self._run.data, session)
            folder = self._run.folder
            self._played[session] = read_played(path, lambda header: study_game(folder, header))
        return self._played[session]

    def _carried(self, study: StudySession, seats: Sequence[Seat]) -> dict[str, Any]:
        """Return the sections with which the record of a session begins: of the last one before it."""
        if not study.earlier:
            return {}
        last = self._session(study.earlier[-1])
        return carried_sections(last.state.record, dict(zip(last.others, seats, strict=False)))

    def _notes(self, agents: SeatMap[PreparedAgent]) -> tuple[tuple[NoteKind, Mapping[str, Any]], ...]:
        """Return notes about agents that acted differently when they replayed earlier rounds."""
        notes: list[tuple[NoteKind, Mapping[str, Any]]] = []
        for seat, agent in agents.items():
            if agent.staying is None or not agent.staying.differences:
                continue
            first = agent.staying.differences[0]
            about = {"session": first.session_id, "event": first.divergence.seq}
            notes.append(
                (NoteKind.MEMORY_DIFFERS, {"seat": seat, **about, "reason": first.divergence.reason})
            )
            where = f"the session {first.session_id} at event {first.divergence.seq}"
            self._report(
                NegoError(
                    f"The agent at {seat} replayed earlier rounds and differs from the log of "
                    f"{where}: {first.divergence.reason}."
                )
            )
        return tuple(notes)
