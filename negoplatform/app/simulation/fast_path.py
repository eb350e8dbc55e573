"""Choice between the two paths of a simulated game, and the agents of the fast one."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from copy import deepcopy
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from negoplatform.agent_api.bidder import Bidder
from negoplatform.app.session.agent_setup import agent_timing
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import seat_rng
from negoplatform.app.simulation.bidder_context import NeedsFullPathError, SeatFacts
from negoplatform.app.simulation.bidder_engine import (
    BidderGame,
    BidderGameRecord,
    BidderSeat,
    GameFacts,
)
from negoplatform.app.simulation.full_path import prepare_seat, prepare_seats
from negoplatform.app.simulation.game_results import GameCourse, GamePath
from negoplatform.app.simulation.index_engine import IndexedGame, IndexGame, IndexPlayer
from negoplatform.app.simulation.simulated_game import SimulatedGame
from negoplatform.core.mechanisms.bargaining import points_before_time_costs
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import Points
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.plugins.agent_loader import AgentPlugin, hash_of, load_agent_class
from negoplatform.plugins.agent_team import AgentTeam

NOT_CALLED = frozenset(
    {
        *("handle_event", "on_send_offer", "on_formal_quit", "on_action_refused"),
        *("_comment_on", "_say", "_speaks"),
    }
)
"""Methods that the engine does not call where a session does: an agent may have none of its own."""

CHECKED_ONCE = frozenset({"on_time", "bids_again", "bid_in_silence"})
"""Methods that the engine looks at once, in the agent's class."""

SHORTEST_TICK = 0.01
"""Shortest time in seconds between two ticks on the fast path; shorter ones may crowd an instant."""

MOST_CLASSES = 100
"""Agents that are kept from one run to the next."""


@dataclass(frozen=True, slots=True)
class _Suited:
    """Agent as it plays on the fast path in a seat; without a class where it does not.

    It holds the plugin, by whose identity it is found again.
    """

    plugin: AgentPlugin
    agent_class: type[Bidder] | None = None
    config: Mapping[str, Any] = field(default_factory=dict)
    timing: AgentTiming = field(default_factory=AgentTiming)


_Ready = tuple[GameFacts, Sequence[_Suited], IndexGame | None]
"""Facts of a game, its agents, and the game by indices of outcomes if both have index strategies."""


class FastPath:
    """Player of the games of a run whose agents are bidders and make no messages.

    An agent that turns out to need the full path is not tried again in the same run.

    Args:
        kind: The game, with what its games have in common.
        logs: The folder for a log of every game; None: no logs.
    """

    def __init__(self, kind: SimulatedGame, logs: Path | None) -> None:
        self._kind = kind
        self._logs = logs
        self._suited: dict[tuple[int, Seat], _Suited] = {}
        self._by_index = logs is None
        self._prepared: dict[tuple[object, ...], _Ready | None] = {}
        self._without_draws: dict[IndexGame, GameCourse] = {}
        self.error: BaseException | None = None
        """Error that ended the last game on the fast path; an agent's appears on the full path again."""

    @staticmethod
    def suits(game: GameSpec) -> bool:
        """Return whether a game can be played on the fast path at all."""
        return (
            game.mechanism == BARGAINING
            and len(game.seats) == 2
            and game.acceptances_needed == 2
            and not game.announcements
            and not game.teams
            and game.own_state is None
            and not game.assistants
            and not game.principals
            and game.rules.time_tick_seconds >= SHORTEST_TICK
        )

    def play(self, game: GameSpec, agents: Sequence[AgentPlugin], seed: int) -> GameCourse | None:
        """Play a game; None: it has to be played on the full path.

        Args:
            game: The game, with resolved profiles.
            agents: The agents, in the order of seats.
            seed: The game's seed.

        Raises:
            NegoError: If an agent cannot be prepared, or the log cannot be written.
        """
        self.error = None
        ready = self._ready(game, agents, seed)
        if ready is None:
            return None
        facts, suited, by_index = ready
        if by_index is not None and self._by_index:
            course = self._play_by_index(by_index, seed)
            if course is not None:
                return course
        bidders: list[BidderSeat] = []
        try:
            bidders = [self._bidder(facts.seats[i], each, seed, game) for i, each in enumerate(suited)]
            record = BidderGame(facts, bidders, keep_events=self._logs is not None).play()
            if not all(_is_plain(bidder.agent, game) for bidder in bidders):
                return None
        except NeedsFullPathError:
            for plugin, of_seat in zip(agents, facts.seats, strict=True):
                if of_seat.gave_up:
                    self._suited[id(plugin), of_seat.seat] = _Suited(plugin)
                    self._prepared.clear()
            return None
        except BaseException as error:  # noqa: BLE001 - played again on the full path, which records it
            self._keep_error(error)
            if not all(_is_plain(bidder.agent, game) for bidder in bidders):
                self.error = None  # in a session they play otherwise
            return None
        if self._logs is not None:
            self._write_log(game, agents, seed, record)
        return _course(record, _points(game, record), GamePath.FAST)

    def index_player(self, game: GameSpec, plugin: AgentPlugin, place: int, seed: int) -> IndexPlayer | None:
        """Return an agent as it plays by indices of outcomes in a seat; None: it cannot.

        Args:
            game: The game, with resolved profiles, which :meth:`suits`.
            plugin: The agent.
            place: The place of the seat in the game's order.
            seed: The seed of a game, for the first one that it plays.

        Raises:
            NegoError: If it cannot be prepared.
        """
        facts, indexed = self._kind.facts(game)
        suited = self._suited_agent(game, plugin, game.seats[place], seed)
        if suited.agent_class is None or not indexed.is_suited:
            return None
        try:
            return self._player(facts, indexed, place, suited)
        except NeedsFullPathError:
            return None

    def _player(
        self, facts: GameFacts, indexed: IndexedGame, place: int, suited: _Suited
    ) -> IndexPlayer | None:
        assert suited.agent_class is not None
        make = partial(self._agent, facts.seats[place], suited, facts.game)
        return indexed.player(place, suited.agent_class, suited.config, suited.timing, make)

    def _ready(self, game: GameSpec, agents: Sequence[AgentPlugin], seed: int) -> _Ready | None:
        """Return what the games of two agents have in common; None: they need the full path."""
        key = (game.chosen, *map(id, agents))
        if key not in self._prepared:
            places = zip(game.seats, agents, strict=True)
            suited = [self._suited_agent(game, plugin, seat, seed) for seat, plugin in places]
            facts, indexed = self._kind.facts(game)
            if any(each.agent_class is None for each in suited):
                self._prepared[key] = None
            else:
                self._prepared[key] = facts, suited, self._index_game(facts, indexed, suited)
        return self._prepared[key]

    def _index_game(
        self, facts: GameFacts, indexed: IndexedGame, suited: Sequence[_Suited]
    ) -> IndexGame | None:
        """Return the game by indices of outcomes; None: its bidders have to play it themselves."""
        if not self._by_index or not indexed.is_suited:
            return None
        players: list[IndexPlayer] = []
        try:
            for i, each in enumerate(suited):
                player = self._player(facts, indexed, i, each)
                if player is None:
                    return None
                players.append(player)
        except NeedsFullPathError:
            return None
        except BaseException as error:  # noqa: BLE001 - the bidders play without it
            self._keep_error(error)
            return None
        return IndexGame(facts.game, indexed.offers, players)

    def _play_by_index(self, game: IndexGame, seed: int) -> GameCourse | None:
        """Play a game by indices of outcomes; None: its bidders have to play it themselves.

        Where no random number is drawn, the game is the same with every other seed, and is played once.
        """
        if game in self._without_draws:
            return self._without_draws[game]
        try:
            record = game.play(seed)
            course = _course(record, game.points(record), GamePath.INDEXED)
        except NeedsFullPathError:
            return None
        except BaseException as error:  # noqa: BLE001 - the bidders play without it
            self._keep_error(error)
            self._by_index = False
            return None
        if not game.has_drawn:
            self._without_draws[game] = course
        return course

    def _keep_error(self, error: BaseException) -> None:
        if isinstance(error, KeyboardInterrupt) and current_thread() is main_thread():
            raise error
        self.error = error

    def _suited_agent(self, game: GameSpec, plugin: AgentPlugin, seat: Seat, seed: int) -> _Suited:
        key = (id(plugin), seat)
        if key not in self._suited:
            found, config = _loaded(game, plugin, seat, seed)
            timing = agent_timing(config, game)
            plain = not (timing.interrupt or timing.is_delayed or timing.tick_interval)
            if found is not None and plain:
                self._suited[key] = _Suited(plugin, found, config, timing)
            else:
                self._suited[key] = _Suited(plugin)
        return self._suited[key]

    def _bidder(self, facts: SeatFacts, suited: _Suited, seed: int, game: GameSpec) -> BidderSeat:
        return BidderSeat(self._agent(facts, suited, game), seat_rng(seed, facts.seat), suited.timing)

    def _agent(self, facts: SeatFacts, suited: _Suited, game: GameSpec) -> Bidder:
        assert suited.agent_class is not None
        with redirect_stdout(io.StringIO()):  # as where it is set up in the usual way
            agent = suited.agent_class(facts.seat)
            agent.configure(deepcopy(dict(suited.config)))
            agent.check_game(facts.visible)
        if not _is_plain(agent, game):
            raise NeedsFullPathError
        return agent

    def _write_log(
        self, game: GameSpec, agents: Sequence[AgentPlugin], seed: int, record: BidderGameRecord
    ) -> None:
        assert self._logs is not None
        prepared = prepare_seats(game, tuple(agents), seed, None, None, session_id="")
        plan = SessionPlan(game=game, seed=seed, human_seat=None, participant="", agents=prepared)
        writer = plan.create_log(self._logs, durable=False)
        for event in record.events:
            writer.write(event)
        writer.close()


_Loaded = tuple[type[Bidder] | None, Mapping[str, Any]]
"""Class of an agent, None where it may not play on the fast path, and its settings."""

_LOADED: dict[tuple[object, ...], tuple[AgentPlugin, _Loaded]] = {}
"""Agents that have been made once, by their file, class, name and settings."""


def _loaded(game: GameSpec, plugin: AgentPlugin, seat: Seat, seed: int) -> _Loaded:
    """Return the class and the settings of an agent.

    An agent is made in the usual way before it is made here for the first time: its errors have sentences
    there, and its code may not run for ever. Later games make it without that limit.

    Raises:
        NegoError: If it cannot be prepared, or its file has changed.
    """
    key = (plugin.file, plugin.class_name, plugin.sha256, plugin.name, repr(plugin.settings))
    earlier = _LOADED.get(key)
    files = plugin.members if isinstance(plugin, AgentTeam) else (plugin,)
    if earlier is not None and earlier[0] == plugin and all(map(_is_unchanged, files)):
        return earlier[1]
    prepare_seat(game, plugin, seat, seed, None, None, session_id="")
    suited: type[Bidder] | None = None
    if not isinstance(plugin, AgentTeam):
        found = load_agent_class(plugin.file, plugin.class_name, plugin.sha256)
        suited = found if issubclass(found, Bidder) and _keeps_methods(found) else None
    loaded: _Loaded = (suited, plugin.resolve_settings(plugin.settings))
    if len(_LOADED) >= MOST_CLASSES:
        _LOADED.clear()
    _LOADED[key] = plugin, loaded
    return loaded


_SEEN: dict[Path, tuple[str, tuple[int, int, int]]] = {}
"""Files with the hash that they had, and their number, size and time of change (ns) then."""


def _is_unchanged(plugin: AgentPlugin) -> bool:
    """Return whether an agent's file is the one that was found; one that was written is read again."""
    try:
        found = plugin.file.stat()
    except OSError:
        return False
    seen = (plugin.sha256, (found.st_ino, found.st_size, found.st_mtime_ns))
    if _SEEN.get(plugin.file) != seen:
        if hash_of(plugin.file) != plugin.sha256:
            return False
        _SEEN[plugin.file] = seen
    return True


def _keeps_methods(agent_class: type[Bidder]) -> bool:
    """Return whether a class has overridden nothing that the engine does in its own way."""
    looks_up = agent_class.__getattribute__ is object.__getattribute__
    return looks_up and all(getattr(agent_class, name) is getattr(Bidder, name) for name in NOT_CALLED)


def _is_plain(agent: Bidder, game: GameSpec) -> bool:
    """Return whether an agent makes no messages, and has not replaced a method of its class in itself."""
    is_quiet = agent.quiet is True or not game.rules.talk
    return is_quiet and vars(agent).keys().isdisjoint(NOT_CALLED | CHECKED_ONCE)


def _points(game: GameSpec, record: BidderGameRecord) -> SeatMap[Points | None]:
    points: list[tuple[Seat, Points | None]] = []
    for seat in game.seats:
        worth = points_before_time_costs(game, seat, record.ending)
        if worth is not None:
            progress = game.rules.progress(record.ended_at, len(record.offers))
            worth = game.preferences[seat].points_at(worth, record.ended_at, progress)
        points.append((seat, worth))
    return SeatMap(points)


def _course(record: BidderGameRecord, points: SeatMap[Points | None], path: GamePath) -> GameCourse:
    refused: dict[Seat, str] = {}
    for seat, sentence in record.refusals:
        refused.setdefault(seat, sentence)
    return GameCourse(
        ending=record.ending,
        ended_at=record.ended_at,
        points=points,
        offers=record.offers,
        refusals=Counter(seat for seat, _ in record.refusals),
        first_refusals=refused,
        path=path,
    )
