"""Preparation of the agents without a seat in a visit's games: the participant's adviser, and principals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.logged_agents import with_logged_settings, with_recorded_answers
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    SeatRounds,
    output_path,
    prepare_in_process,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.principal_setup import prepare_principals
from negoplatform.app.session.resume import shown_as_logged
from negoplatform.app.session.session_plan import adviser_name
from negoplatform.app.study.adviser_and_principals import stage_adviser, stage_principals
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.eventlog.reader import SessionLog
from negoplatform.formats.log_header import Occupant, StudySession
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.study.stages import PlayedGame


@dataclass(frozen=True, slots=True)
class SeatlessAgents:
    """Adviser and principals of one session, ready for it; they never stay for the next one.

    Args:
        advisers: The participant's adviser by the participant's seat; empty: there is none.
        principals: The principals' plug-ins, by name.
    """

    advisers: Mapping[Seat, PreparedAgent]
    principals: Mapping[str, PreparedAgent]


@dataclass(frozen=True, slots=True)
class SeatlessPlugins:
    """Plug-ins of a game's adviser and principals, with their settings, before they are prepared.

    Args:
        adviser: The adviser; None: there is none.
        principals: The principals' plug-ins, by name.
    """

    adviser: ChosenAgent | None
    principals: Mapping[str, AgentPlugin]

    @classmethod
    def of_step(
        cls, folder: StudyFolder, played: PlayedGame, game: GameSpec, language: str
    ) -> SeatlessPlugins:
        """Return those of a step's game.

        Args:
            folder: The study.
            played: The negotiation or round.
            game: Its game.
            language: The language of the visit.

        Raises:
            NegoError: If one cannot be used.
        """
        adviser = stage_adviser(folder, played)
        principals = stage_principals(folder, played, game)
        return cls(None if adviser is None else adviser.with_language(language), principals)

    def prepare(
        self,
        game: GameSpec,
        seat: Seat,
        study: StudySession,
        *,
        seed: int,
        session_id: str,
        output: Path,
        record: Mapping[str, Any],
        in_program: bool,
        others: Iterable[Mapping[str, PreparedAgent]],
    ) -> SeatlessAgents:
        """Prepare them for a new session.

        Args:
            game: The game as it is played.
            seat: The participant's seat.
            study: The session's place in the study.
            seed: The session's seed.
            session_id: The session's id.
            output: The folder of sessions, for the output of their processes.
            record: The sections with which the session's record begins.
            in_program: Whether they run in this process.
            others: The other prepared agents of the session.

        Raises:
            NegoError: If one cannot be prepared; then they are all released.
        """
        advisers: dict[Seat, PreparedAgent] = {}
        try:
            if self.adviser is not None:
                advisers[seat] = _prepare_adviser(
                    self.adviser.plugin,
                    seat,
                    self.adviser.config,
                    output=starting_output_path(output, adviser_name(seat)),
                    in_program=in_program,
                    game=game,
                    seed=seed,
                    session_id=session_id,
                    rounds=SeatRounds(place=study.place(), record=record),
                )
            principals = prepare_principals(
                game,
                self.principals,
                seed=seed,
                session_id=session_id,
                output=output,
                in_program=in_program,
            )
        except BaseException:
            discard_all(advisers, *others)
            raise
        return SeatlessAgents(advisers, principals)

    def restore(
        self, log: SessionLog, *, in_program: bool, others: Iterable[Mapping[str, PreparedAgent]]
    ) -> SeatlessAgents:
        """Prepare those of an interrupted session in their state before its first event.

        Args:
            log: Its log, with a game that can be played.
            in_program: Whether they run in this process.
            others: The other prepared agents of the session.

        Raises:
            NegoError: If one has changed since, or cannot be prepared; then they are all released.
        """
        header, folder = log.header, log.path.parent
        advisers: dict[Seat, PreparedAgent] = {}
        study = header.study
        assert study is not None, "sessions of visits have one"
        try:
            for seat, who in header.advisers.items():
                plugin = _unchanged(who, None if self.adviser is None else self.adviser.plugin)
                prepared = _prepare_adviser(
                    plugin,
                    seat,
                    with_recorded_answers(log, seat, plugin, who.config),
                    output=output_path(folder, adviser_name(seat)),
                    in_program=in_program,
                    game=header.game,
                    seed=header.seed or 0,
                    session_id=header.session_id,
                    rounds=SeatRounds(place=study.place(), record=header.record),
                )
                advisers[seat] = shown_as_logged(prepared, who)
            principals = prepare_principals(
                header.game,
                {name: _unchanged(who, self.principals.get(name)) for name, who in header.principals.items()},
                seed=header.seed or 0,
                session_id=header.session_id,
                output=folder,
                in_program=in_program,
                logged={name: who.config for name, who in header.principals.items()},
            )
        except BaseException:
            discard_all(advisers, *others)
            raise
        return SeatlessAgents(advisers, principals)


def discard_all(*agents: Mapping[str, PreparedAgent]) -> None:
    """Release prepared agents whose session will not be played."""
    for some in agents:
        for one in some.values():
            one.discard()


def _prepare_adviser(
    plugin: AgentPlugin,
    seat: Seat,
    config: Mapping[str, Any],
    *,
    output: Path,
    in_program: bool,
    **about: Any,
) -> PreparedAgent:
    if in_program:
        return prepare_in_process(plugin, seat, config, advises=True, **about)
    return prepare_in_subprocess(plugin, seat, config, output=output, advises=True, **about)


def _unchanged(who: Occupant, plugin: AgentPlugin | None) -> AgentPlugin:
    """Return a plug-in without its present settings, if it is the one that played."""
    if plugin is None or plugin.sha256 != who.sha256:
        raise NegoError(
            f"The plug-in {who.agent!r} ({who.file}) is missing, or has changed since this was played; "
            "restore the unchanged file."
        )
    return with_logged_settings(plugin)
