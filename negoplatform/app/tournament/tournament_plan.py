"""Plan of a tournament: its agents and games as they are found, and the blocks of games to be played."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from unicodedata import normalize

import negoplatform
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_placement import split_settings_file
from negoplatform.app.session.session_plan import read_settings, with_limits
from negoplatform.app.simulation.agent_processes import SimulationProcesses
from negoplatform.app.simulation.full_path import prepare_seat
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import AgentError, InputFileError, NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_manifest import AGENT_FILE
from negoplatform.formats.games import dump_game
from negoplatform.formats.tournament_file import EntrantModel, TournamentModel, check_entrant_name
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.plugins.program_and_user_folders import bundled

SEEDS_PER_BLOCK = 20
"""Games of a block: one to three seconds of agents that compute, and the most that an ended worker loses."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """Agent of a tournament.

    Args:
        plugin: The agent, with its name and settings in the tournament.
        sha256: The hash of its code: its file, or all files of its folder if it has one of its own.
    """

    plugin: AgentPlugin
    sha256: str

    @property
    def name(self) -> str:
        """The agent's name in the tournament."""
        return self.plugin.name


@dataclass(frozen=True, slots=True)
class EnteredGame:
    """Game of a tournament.

    Args:
        spec: The game with the deadline and the rule of talk of the tournament.
        sha256: The hash of its content.
    """

    spec: GameSpec
    sha256: str


@dataclass(frozen=True, slots=True)
class RecordOptions:
    """Parts of a game that are recorded.

    Args:
        measures: Whether it is measured.
        models_at: Points of progress, 0 to 1, at which agents are asked for their opponent models.
        keep_logs: The games whose logs are kept: ``none``, ``failed`` or ``all``.
    """

    measures: bool = True
    models_at: tuple[float, ...] = ()
    keep_logs: str = "none"


@dataclass(frozen=True, slots=True)
class GameBlock:
    """Block of games: those of one pair in one seating and one game, with seeds one after the other.

    Args:
        key: The hash of everything on which the results depend; the name of the block's files.
        game: The game.
        agents: The agents, in the order of the game's seats.
        first_seed: The first game's seed.
        games: The number of games.
        options: What is recorded of them.
        program: The hash of the program's code.
    """

    key: str
    game: GameSpec
    agents: tuple[AgentPlugin, AgentPlugin]
    first_seed: int
    games: int
    options: RecordOptions
    program: str

    @property
    def label(self) -> str:
        """The block in words: ``campsite, fair against linear, seeds 1 to 20``."""
        one, other = (agent.name for agent in self.agents)
        last = self.first_seed + self.games - 1
        seeds = f"seed {last}" if self.games == 1 else f"seeds {self.first_seed} to {last}"
        return f"{self.game.name}, {one} against {other}, {seeds}"


@dataclass(frozen=True, slots=True)
class TournamentPlan:
    """Tournament with its agents and games.

    Args:
        model: The content of its file.
        entrants: The agents, in the order of the file.
        games: The games, in the order of the file.
        program: The hash of the program's code.
    """

    model: TournamentModel
    entrants: tuple[Entrant, ...]
    games: tuple[EnteredGame, ...]
    program: str

    @property
    def has_shipped_agents_alone(self) -> bool:
        """Whether all agents come with the program."""
        return all(bundled("agents") in entrant.plugin.file.parents for entrant in self.entrants)

    @property
    def options(self) -> RecordOptions:
        """Parts of each game that are recorded."""
        points = () if self.model.models is None else tuple(self.model.models.at)
        return RecordOptions(self.model.measures, points, self.model.keep_logs)

    def blocks(self) -> list[GameBlock]:
        """Return all blocks of games, in the order of the tables."""
        return [
            self._block(game, seating, first, count)
            for game in self.games
            for seating in self._seatings()
            for first, count in self._seed_blocks()
        ]

    def _seatings(self) -> Iterator[tuple[Entrant, Entrant]]:
        for i, one in enumerate(self.entrants):
            if self.model.self_play:
                yield one, one
            for other in self.entrants[i + 1 :]:
                yield one, other
                if self.model.seatings == "both":
                    yield other, one

    def _seed_blocks(self) -> Iterator[tuple[int, int]]:
        first, n = self.model.seeds.from_, self.model.seeds.n
        for start in range(first, first + n, SEEDS_PER_BLOCK):
            yield start, min(SEEDS_PER_BLOCK, first + n - start)

    def _block(
        self, game: EnteredGame, seating: tuple[Entrant, Entrant], first: int, count: int
    ) -> GameBlock:
        key = _hash_of_values(
            "negoplatform.tournament-block/1",
            self.program,
            game.sha256,
            [[who.name, who.plugin.class_name, who.sha256, who.plugin.settings] for who in seating],
            [first, count],
            [self.options.measures, self.options.models_at, self.options.keep_logs],
        )
        one, other = seating
        return GameBlock(key, game.spec, (one.plugin, other.plugin), first, count, self.options, self.program)


def plan_tournament(model: TournamentModel, folder: Path, data_dir: Path) -> TournamentPlan:
    """Return the plan of a tournament, with its agents and games.

    Args:
        model: The content of the file.
        folder: The folder to which paths in it are relative.
        data_dir: The user's folder.

    Raises:
        NegoError: If an agent or a game cannot be found or does not fit a tournament.
    """
    entrants = tuple(_entrant(wanted, folder, data_dir) for wanted in model.agents)
    _check_distinct("agents", [who.name for who in entrants], "give one of them another name")
    games = [_game(wanted, model, folder, data_dir) for wanted in _expanded(model.games, folder)]
    _check_distinct("games", [game.name for game in games], "rename one of them in its file")
    for game in games:
        for who in entrants:
            who.plugin.check_plays(game)
    entered = tuple(EnteredGame(game, _hash_of_values(dump_game(game))) for game in games)
    return TournamentPlan(model, entrants, entered, program_hash())


def _entrant(wanted: str | EntrantModel, folder: Path, data_dir: Path) -> Entrant:
    if isinstance(wanted, str):
        name, file = split_settings_file(wanted)
        settings = {} if file is None else read_settings(folder / file)
        called = None if file is None else f"{Path(name).stem}@{file.stem}"
    else:
        name, called, settings = wanted.agent, wanted.name, wanted.settings
    plugin = find_agent(_located(name, folder), data_dir, in_program=True)
    # A colon, as in the names of NegMAS' negotiators, cannot be in the name of a folder on Windows.
    called = called or plugin.name.replace(":", ".")
    try:
        check_entrant_name(called)
    except ValueError as error:
        raise NegoError(
            f'{called!r} is no name of an agent in a tournament: {error}. Write {{"agent": …, "name": …}} '
            "in a tournament file."
        ) from None
    plugin = replace(plugin, name=called, settings={**plugin.settings, **settings})
    try:
        plugin.resolve_settings(plugin.settings)
    except AgentError as error:
        raise NegoError(f"{plugin.name}: {error}") from None
    return Entrant(plugin, _code_hash(plugin))


def check_entrants(plan: TournamentPlan) -> None:
    """Make every agent once for each seat of each game, so that no game is played if one refuses.

    Raises:
        NegoError: If an agent does not take its settings, or a game in a seat.
    """
    seed = plan.model.seeds.from_
    with SimulationProcesses(games=1) as processes:
        for game in plan.games:
            settled = game.spec.resolve_profiles(seed)
            for who in plan.entrants:
                own = processes if who.plugin.own_process else None
                for seat in settled.seats:
                    try:
                        prepare_seat(settled, who.plugin, seat, seed, None, own, session_id="")
                    except NegoError as error:
                        raise NegoError(f"{who.name} cannot play {settled.name} as {seat}: {error}") from None


def _game(wanted: str, model: TournamentModel, folder: Path, data_dir: Path) -> GameSpec:
    game = find_game(_located(wanted, folder), data_dir)
    if game.mechanism != BARGAINING:
        raise NegoError(
            f"{game.name} is a game of the kind {game.mechanism!r}; a tournament is of games with offers. "
            "Use 'negoplatform simulate' for it."
        )
    if len(game.seats) != 2:
        raise NegoError(
            f"{game.name} has {len(game.seats)} seats; a tournament is of games with two. Use "
            "'negoplatform simulate' for it."
        )
    game = replace(game, rules=replace(game.rules, talk=model.talk))
    if model.deadline is not None:
        game = with_limits(game, model.deadline.seconds, model.deadline.offers)
    if not game.rules.has_deadline:
        raise NegoError(
            f"{game.name} has no deadline; give the tournament one, such as "
            '"deadline": {"offers": 100}, or --deadline-offers 100.'
        )
    return game


def _expanded(wanted: Sequence[str], folder: Path) -> Iterator[str]:
    """Yield names and paths of games, with the files that match a pattern in its place.

    Raises:
        NegoError: If there are none.
    """
    for text in wanted:
        if "*" not in text:
            yield text
            continue
        at = Path(text)
        root = Path(at.anchor) if at.is_absolute() else folder
        try:
            found = sorted(root.glob(str(at.relative_to(at.anchor)) if at.is_absolute() else text))
        except ValueError as error:
            raise NegoError(f"{text} is no pattern of files ({error}).") from None
        if not found:
            raise NegoError(f"No file matches {text} in the folder {root.absolute()}.")
        yield from (str(path.absolute()) for path in found)


def _located(wanted: str, folder: Path) -> str:
    """Return a path relative to a folder as a path, and a name from the catalogue as it is."""
    is_path = "/" in wanted or "\\" in wanted or wanted.endswith((".py", ".json")) or ".py:" in wanted
    return str(folder / wanted) if is_path else wanted


def _check_distinct(kind: str, names: Sequence[str], remedy: str) -> None:
    alike: dict[str, str] = {}
    for name in names:
        # Names that differ in case alone are one folder of logs on Windows and macOS.
        earlier = alike.setdefault(normalize("NFC", name).casefold(), name)
        if earlier == name and names.count(name) > 1:
            raise NegoError(f"Two {kind} of the tournament are called {name!r}; {remedy}.")
        if earlier != name:
            raise NegoError(
                f"Two {kind} of the tournament are called {earlier!r} and {name!r}, which is one name for "
                f"files on Windows and macOS; {remedy}."
            )


def _hash_of_values(*values: Any) -> str:
    text = json.dumps(values, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _code_hash(plugin: AgentPlugin) -> str:
    """Return the hash of an agent's file, or of all files of its folder if it has one of its own."""
    if plugin.file.name != AGENT_FILE:
        return plugin.sha256
    return hash_of_files([plugin.file.parent])


def hash_of_files(folders: Sequence[Path]) -> str:
    """Return the hash of the names and contents of all files in folders, except compiled ones.

    Raises:
        InputFileError: If a file cannot be read.
    """
    digest = hashlib.sha256()
    for folder in folders:
        try:
            for name, path in sorted(_files_of(str(folder), "")):
                with open(path, "rb") as file:  # noqa: PTH123 - a thousand files: Path takes half of the time
                    content = hashlib.sha256(file.read()).hexdigest()
                digest.update(f"{name}\0{content}\n".encode("utf-8", "surrogatepass"))
        except OSError as error:
            unread = Path(error.filename or folder)
            raise InputFileError(unread, "", f"it cannot be read ({error.strerror})") from None
    return digest.hexdigest()


def _files_of(folder: str, inside: str) -> Iterator[tuple[str, str]]:
    """Yield the name inside of a folder, with slashes, and the path of every file that is not compiled."""
    with os.scandir(folder) as entries:
        for entry in entries:
            name = f"{inside}{entry.name}"
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "__pycache__":
                    yield from _files_of(entry.path, f"{name}/")
            elif entry.is_file():
                yield name, entry.path


@cache
def program_hash() -> str:
    """Return the hash of the program's own code, of the agents that come with it, and of Python's version."""
    package = Path(negoplatform.__file__).parent
    agents = bundled("agents")
    code = hash_of_files([package] if package in agents.parents else [package, agents])
    return _hash_of_values(code, sys.version_info[:2])
