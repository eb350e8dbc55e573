"""Games and agents of an environment, by name or as they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from numbers import Integral
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_placement import default_human_seat
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import user_folder
from negoplatform.training.episode import LARGEST_SEED, EpisodeSettings

QUIET = "quiet"
"""Setting of agents that makes them neither speak nor show a face."""


def find_settings(
    game: GameSpec | str | Path,
    opponents: Mapping[Seat, AgentPlugin | str],
    *,
    step_seconds: float,
    codec: str | None,
    log: Path | str | None,
    opponent: AgentPlugin | str | None = None,
    learner: Seat | None = None,
) -> EpisodeSettings:
    """Return the settings of an environment's episodes.

    Args:
        game: The game, or its name or file.
        opponents: The agents by seat: names, files or plug-ins. Those that are named are quiet, if they can
            be.
        step_seconds: Session time of a step, in seconds.
        codec: The name of the codec; None: the usual one.
        log: The folder for logs; None: no logs.
        opponent: The agent of all seats that have no other, except the learner's; None: learners take them.
        learner: The learner's seat, where ``opponent`` is given; None: the first that a participant does not
            take.

    Raises:
        NegoError: If there is no such game or agent, or they do not fit.
    """
    if not isinstance(opponents, Mapping):
        raise NegoError(f"Opponents are agents by seat, such as {{'agent': 'boulware'}}, not {opponents!r}.")
    if log is not None and not (isinstance(log, str | Path) and str(log)):
        raise NegoError(f"The logs go into a folder, given by its path, not {log!r}.")
    data_dir = user_folder()
    found = game if isinstance(game, GameSpec) else find_game(str(game), data_dir)
    named: dict[Seat, AgentPlugin | str] = dict(opponents)
    if strange := [seat for seat in named if seat not in found.seats]:
        raise NegoError(f"{found.name} has no seat {strange[0]!r}; its seats are {', '.join(found.seats)}.")
    if opponent is not None:
        free = [seat for seat in found.seats if seat not in named]
        own = learner if learner is not None or not free else usual_seat(found, free)
        if own not in found.seats:
            raise NegoError(f"{found.name} has no seat {own!r}; its seats are {', '.join(found.seats)}.")
        named = {seat: named.get(seat, opponent) for seat in found.seats if seat != own}
    agents = {seat: _agent(who, data_dir) for seat, who in named.items()}
    return EpisodeSettings(
        found,
        agents,
        step_seconds=step_seconds,
        codec=codec,
        log=None if log is None else Path(log),
    )


def usual_seat(game: GameSpec, seats: Sequence[Seat]) -> Seat:
    """Return the seat of a learner among some seats, unless another one is chosen.

    It is the first that a participant does not take, so that a policy has the same seat against people.

    Args:
        game: The game.
        seats: The seats, at least one.
    """
    return next((seat for seat in seats if seat != default_human_seat(game)), seats[0])


def _agent(who: object, data_dir: Path) -> AgentPlugin:
    if isinstance(who, str | Path):
        return quiet(find_agent(str(who), data_dir))
    if not isinstance(who, AgentPlugin):
        raise NegoError(f"An opponent is the name, the file or the plug-in of an agent, not {who!r}.")
    return who


def checked_seed(seed: object, name: str = "The seed") -> int:
    """Return a seed as a whole number.

    Args:
        seed: The seed; NumPy's whole numbers too.
        name: Its name at the beginning of a sentence.

    Raises:
        NegoError: If it is no whole number from 0 to :data:`LARGEST_SEED`.
    """
    number = -1 if isinstance(seed, bool) or not isinstance(seed, Integral) else int(seed)
    if not 0 <= number <= LARGEST_SEED:
        raise NegoError(f"{name} is a whole number from 0 to {LARGEST_SEED}, not {seed!r}.")
    return number


def checked_options(options: Mapping[str, Any] | None) -> Mapping[str, Any]:
    """Return the options of a reset; none if there are none.

    Raises:
        NegoError: If they are no mapping.
    """
    if options is not None and not isinstance(options, Mapping):
        raise NegoError(f"The options of a reset are a mapping such as {{'game_seed': 7}}, not {options!r}.")
    return options or {}


def game_seed_of(options: Mapping[str, Any] | None, drawn: int) -> int:
    """Return the seed of an episode's session: ``game_seed`` of the options of a reset, or the drawn one.

    Raises:
        NegoError: If the options are no mapping, or the seed is none.
    """
    given = checked_options(options)
    return checked_seed(given["game_seed"], "game_seed") if "game_seed" in given else drawn


def quiet(plugin: AgentPlugin) -> AgentPlugin:
    """Return an agent without words and faces, if it has such a setting and nothing is said about it."""
    options: Mapping[str, Any] = (plugin.options or {}).get("properties", {})
    if QUIET not in options or QUIET in plugin.settings:
        return plugin
    return replace(plugin, settings={**plugin.settings, QUIET: True})
