"""Plug-ins without a seat in a study's negotiations: the participant's adviser, and the game's principals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from negoplatform.app.session.agent_placement import participant_seat
from negoplatform.app.session.agent_setup import prepare_in_process
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.session.principal_setup import prepare_principals
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import PRINCIPAL_ROLE, AgentPlugin
from negoplatform.study.stages import NamedPluginModel, PlayedGame


def stage_adviser(folder: StudyFolder, played: PlayedGame) -> ChosenAgent | None:
    """Return the agent that advises the participant, with its settings; None: there is none.

    Args:
        folder: The study, which is searched for it before the catalogue.
        played: The negotiation or round.

    Raises:
        NegoError: If it cannot be used.
    """
    if played.adviser is None:
        return None
    named = _model(played.adviser)
    return ChosenAgent(folder.agent(named.agent or ""), named.settings)


def stage_principals(folder: StudyFolder, played: PlayedGame, game: GameSpec) -> dict[str, AgentPlugin]:
    """Return the plug-in of each principal of a game, with its settings.

    Settings of the game's file belong to its own plug-in: they count only where the study names no other.

    Args:
        folder: The study, which is searched for them before the catalogue.
        played: The negotiation or round.
        game: Its game.

    Raises:
        NegoError: If a principal does not exist or has no plug-in, or the plug-in cannot be used or is
            none for principals.
    """
    for name in played.principals:
        if name not in game.principals:
            there = ", ".join(game.principals) or "none"
            raise NegoError(f"{game.name} has no principal {name!r}; it has {there}.")
    found = {}
    for name, spec in game.principals.items():
        named = _model(played.principals.get(name, NamedPluginModel()))
        wanted = named.agent or spec.agent
        if not wanted:
            raise NegoError(
                f"No plug-in decides for the principal {name!r} of {game.name}; name one in the stage's "
                "principals, or in the game's file."
            )
        plugin = folder.agent(wanted, (PRINCIPAL_ROLE,))
        of_game = {} if named.agent else spec.settings
        found[name] = replace(plugin, settings={**plugin.settings, **of_game, **named.settings})
    return found


def command_findings(
    folder: StudyFolder, played: PlayedGame, game: GameSpec, where: str
) -> Iterator[tuple[bool, str, str]]:
    """Yield what is wrong with the adviser and the principals of a negotiation, and what needs attention.

    They are set up once, as their settings may be checked only then.

    Args:
        folder: The study.
        played: The negotiation or round.
        game: Its game.
        where: Its place in the study file.

    Yields:
        Whether it is an error, its place, and the reason.
    """
    game = game.resolve_profiles(0, played.profile)
    seat = participant_seat(game, played.seat)
    try:
        adviser = stage_adviser(folder, played)
        if adviser is not None:
            prepare_in_process(adviser.plugin, seat, adviser.config, game=game).discard()
            if adviser.endpoint_warning:
                yield False, f"{where}.adviser", adviser.endpoint_warning.rstrip(".")
    except NegoError as error:
        yield True, f"{where}.adviser", _reason(error)
    try:
        principals = stage_principals(folder, played, game)
        for one in prepare_principals(game, principals, seed=0, in_program=True).values():
            one.discard()
    except NegoError as error:
        yield True, f"{where}.principals", _reason(error)


def seatless_agents(folder: StudyFolder, played: PlayedGame, game: GameSpec) -> Iterator[AgentPlugin]:
    """Yield the adviser and the principals' plug-ins that are not in the study's own folder.

    Raises:
        NegoError: If one cannot be used.
    """
    adviser = stage_adviser(folder, played)
    found = [] if adviser is None else [adviser.plugin]
    for plugin in (*found, *stage_principals(folder, played, game).values()):
        if not plugin.file.resolve().is_relative_to(folder.root.resolve()):
            yield plugin


def _model(named: str | NamedPluginModel) -> NamedPluginModel:
    return NamedPluginModel(agent=named) if isinstance(named, str) else named


def _reason(error: NegoError) -> str:
    reason = str(error).rstrip(".")
    return reason[:1].lower() + reason[1:]
