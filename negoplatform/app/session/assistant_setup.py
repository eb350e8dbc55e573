"""Assistants of a session: which plug-ins, for which seats, and their preparation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from negoplatform.app.session.agent_placement import find_agent_with_settings
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    SeatRounds,
    prepare_in_process,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import RESERVED_NAMES, Seat, SeatMap
from negoplatform.plugins.agent_loader import ASSISTANT_ROLES, AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled

COACH, COACH_PLUGIN = "coach", "agenda"
"""Name and plug-in of the assistant that ``--coach`` and a study's ``coach`` add."""

MOST_ASSISTANTS = 16
"""Most assistants of a session."""


@dataclass(frozen=True, slots=True)
class AssistantPlaces:
    """Seats from which the seats of assistants follow.

    Args:
        people: The seats of people, the participant's first; none where only agents play.
        agents: The seats of agents, in the game's order.
        wizards: The seats of agents that a wizard operates.
    """

    people: tuple[Seat, ...]
    agents: tuple[Seat, ...]
    wizards: tuple[Seat, ...] = ()


def with_assistants(
    game: GameSpec, added: Iterable[AssistantSpec] = (), *, coach: bool | None = None
) -> GameSpec:
    """Return a game with further assistants.

    Args:
        game: The game, with the assistants of its file.
        added: The further ones; one of the same name replaces the game's.
        coach: True adds an agenda that is shown to the participant, unless there is one; False removes those
            that are; None leaves them.

    Raises:
        NegoError: If a name is taken, cannot be one or is given twice, or there are too many.
    """
    found = dict(game.assistants)
    named: set[str] = set()
    for spec in added:
        if spec.name in named:
            raise NegoError(
                f"Two assistants are named {spec.name!r}; give one another name, such as "
                f"{spec.name}2={spec.plugin}."
            )
        named.add(spec.name)
        taken = spec.name in game.seats or spec.name in game.principals or spec.name in RESERVED_NAMES
        if taken:
            raise NegoError(
                f"An assistant cannot be named {spec.name!r}: this name is taken; choose another."
            )
        replaced = game.assistants.get(spec.name)
        if replaced is None:
            found[spec.name] = spec
        else:  # another plug-in for the same purpose
            shown = spec.coach or replaced.coach
            found[spec.name] = replace(spec, seat=spec.seat or replaced.seat, coach=shown)
    if coach is False:
        found = {name: spec for name, spec in found.items() if not spec.coach}
    elif coach and not any(spec.coach for spec in found.values()):
        found[COACH] = replace(found.get(COACH, AssistantSpec(COACH, COACH_PLUGIN)), coach=True)
    if len(found) > MOST_ASSISTANTS:
        raise NegoError(f"A session has {MOST_ASSISTANTS} assistants at most, not {len(found)}.")
    return game if found == dict(game.assistants) else replace(game, assistants=SeatMap(found))


def assigned_assistants(
    game: GameSpec, places: AssistantPlaces, data_dir: Path, *, in_program: bool = False
) -> tuple[GameSpec, dict[str, AgentPlugin]]:
    """Return a game whose assistants have their kinds and their seats, and their plug-ins by name.

    Args:
        game: The game.
        places: Who sits where.
        data_dir: The user's folder, which is searched for plug-ins.
        in_program: Whether all run inside the program.

    Raises:
        NegoError: If a plug-in does not exist, is no assistant or does not know this kind of game, or an
            assistant does not fit the session; a sentence.
    """
    specs: dict[str, AssistantSpec] = {}
    plugins: dict[str, AgentPlugin] = {}
    for name, spec in game.assistants.items():
        plugin = find_agent_with_settings(spec.plugin, data_dir, in_program=in_program, roles=ASSISTANT_ROLES)
        plugin.check_plays(game)
        kind = AssistantKind(plugin.role)
        seat = spec.seat or _default_seat(spec, kind, game, places)
        _check(spec, kind, seat, places)
        settings = {**plugin.settings, **spec.settings}
        specs[name] = replace(spec, assistant=plugin.name, seat=seat, kind=kind, settings=settings)
        plugins[name] = plugin
    return replace(game, assistants=SeatMap(specs)), plugins


def _default_seat(spec: AssistantSpec, kind: AssistantKind, game: GameSpec, places: AssistantPlaces) -> Seat:
    """Return the seat whose view an assistant reads where none is set."""
    participant = places.people[:1]
    others = (*places.wizards, *places.agents)[:1]
    is_for_participant = spec.coach or kind is AssistantKind.DEBRIEF
    return next(
        iter((*participant, *others) if is_for_participant else (*others, *participant)), game.seats[0]
    )


def _check(spec: AssistantSpec, kind: AssistantKind, seat: Seat, places: AssistantPlaces) -> None:
    """Raise NegoError if an assistant does not fit its kind or its session."""
    if spec.coach and kind is not AssistantKind.AGENDA:
        raise NegoError(
            f"The assistant {spec.name!r} is of the kind {kind.value}, and only an agenda can be a coach, "
            "which is shown to the participant; remove 'coach', or choose an agenda."
        )
    if spec.coach and places.people and seat not in places.people:
        raise NegoError(
            f"The assistant {spec.name!r} is a coach, which is for a participant, and an agent has the seat "
            f"{seat!r}; choose the seat of a person."
        )
    if kind is AssistantKind.INSIGHTS and not places.agents:
        raise NegoError(
            f"The assistant {spec.name!r} is asked after the acts of agents, and no agent plays in this "
            "session; remove it."
        )


def is_shipped(plugin: AgentPlugin) -> bool:
    """Return whether a plug-in belongs to the program, and so may run inside it."""
    return bundled("agents").resolve() in plugin.file.resolve().parents


def prepare_assistants(
    game: GameSpec,
    plugins: Mapping[str, AgentPlugin],
    *,
    seed: int,
    session_id: str = "",
    output: Path | None = None,
    record: Mapping[str, Any] | None = None,
    in_program: bool = False,
    logged: Mapping[str, Mapping[str, Any]] | None = None,
    others: Iterable[Mapping[str, PreparedAgent]] = (),
    is_rerun: bool = False,
) -> dict[str, PreparedAgent]:
    """Prepare the assistants of a session: shipped ones in this process, others in processes of their own.

    Args:
        game: The game, with the kinds and seats of its assistants.
        plugins: The plug-ins by the assistants' names.
        seed: The session's seed.
        session_id: The session's id.
        output: The folder for the output of their processes; None: it is dropped.
        record: The sections with which the session's record begins.
        in_program: Whether all run in this process.
        logged: Their settings in a log, by name, in place of those of the game.
        others: The other prepared agents of the session.
        is_rerun: Whether a log is run again: then their processes have more time for each reaction.

    Raises:
        NegoError: If one cannot be prepared; then they are all released.
    """
    prepared: dict[str, PreparedAgent] = {}
    rounds = SeatRounds(record={} if record is None else record)
    try:
        for name, plugin in plugins.items():
            config = dict(game.assistants[name].settings if logged is None else logged[name])
            shared: dict[str, Any] = {
                "game": game,
                "seed": seed,
                "session_id": session_id,
                "rounds": rounds,
            }
            if in_program or is_shipped(plugin):
                prepared[name] = prepare_in_process(plugin, name, config, **shared)
            else:
                place = None if output is None else starting_output_path(output, name)
                prepared[name] = prepare_in_subprocess(
                    plugin, name, config, output=place, is_rerun=is_rerun, **shared
                )
    except BaseException:
        for agents in (prepared, *others):
            for one in agents.values():
                one.discard()
        raise
    return prepared
