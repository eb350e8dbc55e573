"""Resuming or closing a session that was interrupted."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from negoplatform.app.catalogue.catalogue import find_agent, list_games
from negoplatform.app.catalogue.logged_agents import (
    find_logged_agent,
    with_logged_settings,
    with_recorded_answers,
)
from negoplatform.app.catalogue.search_path import keep_from_agents
from negoplatform.app.session.agent_placement import prepare_agents
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    SeatRounds,
    output_path,
    prepare_in_subprocess,
)
from negoplatform.app.session.assistant_setup import prepare_assistants
from negoplatform.app.session.log_proofs import LogProofs
from negoplatform.app.session.principal_setup import prepare_principals
from negoplatform.app.session.session_data_autosave import SessionDataAutosave
from negoplatform.app.session.session_plan import ResumePoint, SessionPlan, adviser_name
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.app.session.session_start import OpenSession, session_with_log
from negoplatform.core.events import EndedBy
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.rounds import SINGLE_ROUND
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import LostLinkAction, LostLinkRule
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.failover import check_free_space
from negoplatform.eventlog.reader import SessionLog, read_whole_part
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.writer import LogWriter
from negoplatform.formats.dataclass_codec import dump
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.plugins.game_state_loader import with_matching_state_plugin

CLOSED = "The session was interrupted, and closed afterwards."


def resume_session(
    path: Path,
    data_dir: Path,
    report: Callable[[BaseException], object],
    *,
    game_of: Callable[[Header], GameSpec] | None = None,
    plan_of: Callable[[SessionLog], SessionPlan] | None = None,
    joinable: bool = False,
) -> OpenSession:
    """Prepare an interrupted session to go on, with its log recovered and its agents ready.

    Args:
        path: Its log, or its folder.
        data_dir: The user's folder.
        report: Called with errors that stop nothing, for the crash file.
        game_of: Returns the game of a log, ready to be played; None: it is looked for in the catalogue.
        plan_of: Returns the plan of a session with its agents, from its log; None: they are looked for in
            the catalogue.
        joinable: Whether other windows can join, as a session with several people or a wizard needs.

    Raises:
        NegoError: If it cannot go on; a sentence. No event of the log is changed then; if an agent cannot be
            prepared, a cut-off last line may have been moved to a file next to the log.
    """
    found = read_whole_part(path)
    if (len(_people(found)) > 1 or found.header.wizards) and not (joinable or plan_of is not None):
        raise NegoError(
            f"{found.path}: others take part in this session from windows of their own; resume it with "
            f"'negoplatform play --resume {found.path} --listen'."
        )
    check_free_space(found.path.parent)
    game = logged_game(found.header, data_dir) if game_of is None else game_of(found.header)
    if replay(replace(found, header=replace(found.header, game=game))).state.ending is not None:
        raise NegoError(f"{found.path}: this session is over, so there is nothing to resume.")
    LogProofs.of_data_folder(data_dir).check_unfinished(found)
    reopened = LogWriter.reopen(path)
    try:
        log = reopened.log
        if log.header != found.header or log.events != found.events:
            raise NegoError(f"{log.path}: the log was changed while it was being opened; try again.")
        if plan_of is None:
            session_data = SessionDataAutosave(
                data_dir, log.header.session_id, lambda sentence: report(NegoError(sentence))
            )
            seats = restore_agents(
                log, game, data_dir, agent_file=session_data.agent_file, output=log.path.parent
            )

            def seatless(kind: Literal["assistants", "principals"]) -> Mapping[str, PreparedAgent]:
                file = partial(session_data.agent_file, kind=kind)
                return restore_seatless(kind, log, game, data_dir, agent_file=file, output=log.path.parent)

            advisers = restore_agents(
                log,
                game,
                data_dir,
                agent_file=partial(session_data.agent_file, kind="advisers"),
                output=log.path.parent,
                occupants=log.header.advisers,
            )
            plan = replace(
                logged_plan(log, game, seats),
                advisers=advisers,
                stand_ins=_restored_stand_ins(log, game, data_dir),
                principals=seatless("principals"),
                assistants=seatless("assistants"),
            )
        else:
            plan = plan_of(replace(log, header=replace(log.header, game=game)))
    except BaseException:
        reopened.writer.close()
        raise
    past = ResumePoint(log.events, reopened.torn_bytes)
    return session_with_log(plan, reopened.writer, data_dir, report, past)


def logged_plan(log: SessionLog, game: GameSpec, agents: SeatMap[PreparedAgent]) -> SessionPlan:
    """Return the plan of a logged session of one or more participants, without agents that stand in.

    Args:
        log: The log.
        game: Its game, ready to be played.
        agents: Its agents.

    Raises:
        NegoError: If it is not a session of participants, with agents in the other seats.
    """
    (human, code), *others = _people(log)
    return SessionPlan(
        game=game,
        seed=log.header.seed or 0,
        human_seat=human,
        participant=code,
        agents=agents,
        people=dict(others),
        wizards=log.header.wizards,
        lost_link=log.header.lost_link,
        session_id=log.header.session_id,
        study=log.header.study,
        carried=log.header.record,
        notes=tuple(_isolation_notes(log.header, agents)),
    )


def _isolation_notes(
    header: Header, agents: SeatMap[PreparedAgent]
) -> Iterator[tuple[NoteKind, Mapping[str, Any]]]:
    """Yield a note for each agent that has another sandbox than at the start, as on another computer."""
    for seat, agent in agents.items():
        before, now = header.isolation.get(seat), agent.isolation
        if before is not None and now is not None and before != now:
            about = {"seat": seat, "before": dump(before), "now": dump(now)}
            yield NoteKind.ISOLATION_DIFFERS, about


def close_interrupted(path: Path, data_dir: Path) -> None:
    """End the log of an interrupted session as aborted, at the time of its last event.

    Args:
        path: Its log.
        data_dir: The user's folder, with the proofs of sessions that had ended.

    Raises:
        NegoError: If it is over, is being written, or is damaged; then nothing is changed. If its end cannot
            be written, a cut-off last line may have been moved to a file next to the log.
    """
    found = read_whole_part(path)
    if replay(found).state.ending is not None:
        raise NegoError(f"{found.path}: this session is over, so there is nothing to close.")
    LogProofs.of_data_folder(data_dir).check_unfinished(found)
    reopened = LogWriter.reopen(path)
    try:
        log = reopened.log
        state = replay(log).state
        if state.ending is not None:
            raise NegoError(f"{log.path}: this session is over, so there is nothing to close.")
        runner = SessionRunner(
            log.header.game,
            seed=log.header.seed or 0,
            clock=lambda: state.t,
            log=reopened.writer,
            report=lambda _error: None,
            session_id=log.header.session_id,
            record=log.header.initial_record,
        )
        runner.resume(log.events, reopened.torn_bytes)
        runner.session.end(EndedBy.ABORTED, CLOSED)
    except BaseException:
        reopened.writer.close()
        raise
    runner.finish()


def logged_game(header: Header, data_dir: Path) -> GameSpec:
    """Return the game of a log, with its state class if it has one.

    Raises:
        NegoError: If that class is not available unchanged.
    """
    game = header.game
    if game.own_state is None:
        return game
    rows = list_games(data_dir)
    wanted = game.own_state.sha256
    game = with_matching_state_plugin(game, [row.item for row in rows if row.item is not None])
    if game.own_state is not None and game.own_state.state_class is None:
        for row in rows:
            if row.untrusted is not None and row.untrusted.sha256 == wanted:
                raise NegoError(f"{row.untrusted.path} is {row.reason}")
        raise NegoError(
            f"{game.own_state.file} of {game.name} is not here as it was when this was played; put its "
            f"folder, unchanged, into {data_dir / 'games'}."
        )
    return game


def restore_agents(
    log: SessionLog,
    game: GameSpec,
    data_dir: Path,
    *,
    agent_file: Callable[[Seat], str | None],
    named: bool = False,
    output: Path | None = None,
    occupants: Mapping[Seat, Occupant] | None = None,
    is_rerun: bool = False,
) -> SeatMap[PreparedAgent]:
    """Prepare the agents of a log, each in a separate process, in their state before the first event.

    Programs that learn are left out: what they do depends on a training that is not in the log.

    Args:
        log: The log.
        game: Its game, ready to be played.
        data_dir: The user's folder, which is searched for agents.
        agent_file: Returns the file of a seat's agent: ``PATH`` or ``PATH:Class``; None if unknown.
        named: Whether a person has just named these files, and so trusts them.
        output: The folder for their output; None: it is dropped.
        occupants: The advisers of the log by the seats of the people; None: its agents are prepared.
        is_rerun: Whether the log is run again: then their processes have more time for each reaction.

    Raises:
        NegoError: If one is not available unchanged, or cannot be prepared.
    """
    keep_from_agents(log.path)
    advises = occupants is not None
    if occupants is None:
        occupants = dict(log.header.seats)
    place = SINGLE_ROUND if log.header.study is None else log.header.study.place()

    def prepare(seat: Seat) -> PreparedAgent:
        who = occupants[seat]
        plugin = with_logged_settings(find_logged_agent(who, data_dir, agent_file(seat), named))
        prepared = prepare_in_subprocess(
            plugin,
            seat,
            with_recorded_answers(log, seat, plugin, who.config),
            game=game,
            seed=log.header.seed or 0,
            output=None if output is None else output_path(output, adviser_name(seat) if advises else seat),
            session_id=log.header.session_id,
            rounds=SeatRounds(place=place, record=log.header.record),
            is_rerun=is_rerun,
            advises=advises,
        )
        return shown_as_logged(prepared, who)

    seats = (seat for seat, who in occupants.items() if who.kind == "agent" and not who.is_learner)
    return prepare_agents(seats, prepare)


def restore_seatless(
    kind: Literal["assistants", "principals"],
    log: SessionLog,
    game: GameSpec,
    data_dir: Path,
    *,
    agent_file: Callable[[str], str | None],
    named: bool = False,
    output: Path | None = None,
    is_rerun: bool = False,
) -> Mapping[str, PreparedAgent]:
    """Prepare the assistants or the principals of a log in their state before the first event.

    Args:
        kind: Which of the two.
        log: The log.
        game: Its game, ready to be played.
        data_dir: The user's folder, which is searched for their plug-ins.
        agent_file: Returns the file of a plug-in by its name in the game: ``PATH`` or ``PATH:Class``; None if
            unknown.
        named: Whether a person has just named these files, and so trusts them.
        output: The folder for the output of their processes; None: it is dropped.
        is_rerun: Whether the log is run again: then their processes have more time for each reaction.

    Raises:
        NegoError: If one is not available unchanged, or cannot be prepared.
    """
    header = log.header
    all_occupants = header.assistants if kind == "assistants" else header.principals
    occupants = {name: who for name, who in all_occupants.items() if not who.is_learner}
    plugins = {
        name: with_logged_settings(find_logged_agent(who, data_dir, agent_file(name), named))
        for name, who in occupants.items()
    }
    shared: dict[str, Any] = {
        "seed": header.seed or 0,
        "session_id": header.session_id,
        "output": output,
        "logged": {name: who.config for name, who in occupants.items()},
        "is_rerun": is_rerun,
    }
    if kind == "assistants":
        return prepare_assistants(game, plugins, record=header.record, **shared)
    return prepare_principals(game, plugins, **shared)


def shown_as_logged(prepared: PreparedAgent, who: Occupant) -> PreparedAgent:
    """Return an agent as the participant knows it, whatever name and avatar it reports."""
    seen = {"name": who.name or prepared.name, "avatar": who.config.get("avatar")}
    return prepared.shown_as({key: text for key, text in seen.items() if isinstance(text, str)})


def _restored_stand_ins(log: SessionLog, game: GameSpec, data_dir: Path) -> SeatMap[PreparedAgent]:
    """Prepare the agents that take the seats of people whose connections are lost."""
    rule, people = log.header.lost_link, [seat for seat, _ in _people(log)]
    if rule.action is not LostLinkAction.AGENT:
        return SeatMap()
    return prepare_stand_ins(
        rule,
        people,
        game=game,
        seed=log.header.seed or 0,
        session_id=log.header.session_id,
        data_dir=data_dir,
        output=log.path.parent,
    )


def prepare_stand_ins(
    rule: LostLinkRule,
    people: Sequence[Seat],
    *,
    game: GameSpec,
    seed: int,
    session_id: str,
    data_dir: Path,
    output: Path | None = None,
) -> SeatMap[PreparedAgent]:
    """Prepare the agents that take the seats of people whose connections are lost.

    Args:
        rule: The rule of the session.
        people: The seats of the people who join.
        game: The game, with resolved profiles.
        seed: The session's seed.
        session_id: The session's id.
        data_dir: The user's folder, which is searched for the agent.
        output: The folder for the output of their processes; None: it is dropped.

    Returns:
        The agents by seat; none unless the rule names one.

    Raises:
        NegoError: If the agent does not exist, or cannot play the game.
    """
    if rule.action is not LostLinkAction.AGENT:
        return SeatMap()
    plugin = find_agent(rule.agent, data_dir)

    def prepare(seat: Seat) -> PreparedAgent:
        return prepare_in_subprocess(
            plugin,
            seat,
            {},
            game=game,
            seed=seed,
            output=None if output is None else output_path(output, seat),
            session_id=session_id,
        )

    return prepare_agents(people, prepare)


def _people(log: SessionLog) -> list[tuple[Seat, str]]:
    """Return the seats and codes of the participants, the first one's first."""
    if log.header.view != "complete":
        raise NegoError(f"{log.path}: this log was exported for one observer, so it cannot go on.")
    people = [(seat, log.header.seats[seat].participant or "") for seat in log.header.people]
    if not people:
        raise NegoError(f"{log.path}: this session has agents alone and no participant, so it cannot go on.")
    return people
