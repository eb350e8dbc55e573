"""Check of the plug-ins that a game's file names for its principals and assistants."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path

from negoplatform.analysis.games.game_finding import GameFinding, note, warning
from negoplatform.app.session.agent_placement import find_agent_with_settings
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.assistant_setup import (
    AssistantPlaces,
    assigned_assistants,
    is_shipped,
    prepare_assistants,
)
from negoplatform.app.session.principal_setup import prepare_principals
from negoplatform.domain.assistant_settings import AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import SeatMap
from negoplatform.plugins.agent_loader import PRINCIPAL_ROLE


def check_game_plugins(game: GameSpec, data_dir: Path) -> list[GameFinding]:
    """Return what is wrong with the plug-ins of a game's principals and assistants, in the game's order.

    Each is set up once, as its settings may be checked only then: a shipped one in this process, others in
    processes of their own.

    Args:
        game: The game.
        data_dir: The user's folder, which is searched for plug-ins.
    """
    game = game.resolve_profiles(0)
    found: list[GameFinding] = []
    for name, principal in game.principals.items():
        found += _principal_findings(game, principal, f"principals.{name}", data_dir)
    for name, assistant in game.assistants.items():
        found += _faults(partial(_set_up_assistant, game, assistant, data_dir), f"assistants.{name}")
    return found


def _principal_findings(
    game: GameSpec, spec: PrincipalSpec, place: str, data_dir: Path
) -> Iterator[GameFinding]:
    if spec.agent:
        yield from _faults(lambda: _set_up_principal(game, spec, data_dir), place)
        return
    yield note(
        place,
        f"The file names no plug-in for this principal; each session needs --principal {spec.name}=PLUGIN.",
    )


def _set_up_principal(game: GameSpec, spec: PrincipalSpec, data_dir: Path) -> Mapping[str, PreparedAgent]:
    plugin = find_agent_with_settings(spec.agent, data_dir, roles=(PRINCIPAL_ROLE,))
    plugin = replace(plugin, settings={**plugin.settings, **spec.settings})
    return prepare_principals(game, {spec.name: plugin}, seed=0, in_program=is_shipped(plugin))


def _set_up_assistant(game: GameSpec, spec: AssistantSpec, data_dir: Path) -> Mapping[str, PreparedAgent]:
    alone = replace(game, assistants=SeatMap([(spec.name, spec)]))
    # Who sits where is decided by each session.
    alone, plugins = assigned_assistants(alone, AssistantPlaces((), game.seats), data_dir)
    return prepare_assistants(alone, plugins, seed=0)


def _faults(set_up: Callable[[], Mapping[str, PreparedAgent]], place: str) -> Iterator[GameFinding]:
    """Yield the reason why a plug-in cannot be set up; nothing if it can."""
    try:
        for prepared in set_up().values():
            prepared.discard()
    except NegoError as error:
        yield warning(place, str(error))
