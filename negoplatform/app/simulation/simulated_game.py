"""Game as it is simulated, with all that its games have in common, which is computed once."""

from __future__ import annotations

import pickle
from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock, local

from negoplatform.analysis.outcome_measures import MeasuredGame
from negoplatform.app.session.session_plan import with_usual_limit
from negoplatform.app.simulation.bidder_engine import GameFacts
from negoplatform.app.simulation.index_engine import IndexedGame
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap

MOST_GAMES = 8
"""Games that a thread keeps from one run to the next; a tournament plays one after the other."""

MOST_CHOICES = 64
"""Choices of profiles of which the facts of a game are kept."""


class SimulatedGame:
    """Game with its usual limit, its choices of profiles, and its facts and measures by choice of profiles.

    Args:
        game: The game, with the seats that are taken.
    """

    def __init__(self, game: GameSpec) -> None:
        self.game = with_usual_limit(game)
        self._depends_on_seed = bool(game.profiles) or game.economy is not None
        self._settled: GameSpec | None = None
        self._facts: dict[SeatMap[str], tuple[GameFacts, IndexedGame]] = {}
        self._measured: dict[SeatMap[str], MeasuredGame | str] = {}
        self._lock = Lock()

    def settled(self, seed: int, profiles: Mapping[Seat, str] | None) -> GameSpec:
        """Return the game of a seed, with resolved profiles.

        Raises:
            NegoError: If a seat has no such profile.
        """
        if self._depends_on_seed or profiles:
            return self.game.resolve_profiles(seed, profiles)
        if self._settled is None:
            self._settled = self.game.resolve_profiles(seed)
        return self._settled

    def facts(self, settled: GameSpec) -> tuple[GameFacts, IndexedGame]:
        """Return the facts of one of its games for the fast path, and its outcomes; for one thread alone."""
        found = self._facts.get(settled.chosen)
        if found is None:
            if len(self._facts) >= MOST_CHOICES:
                self._facts.clear()
            facts = GameFacts(settled)
            found = self._facts[settled.chosen] = facts, IndexedGame(facts)
        return found

    def measured(self, settled: GameSpec) -> MeasuredGame | str:
        """Return one of its games for the measures, or a sentence that says why it cannot be measured.

        Any thread may call it.
        """
        with self._lock:
            if settled.chosen not in self._measured:
                if len(self._measured) >= MOST_CHOICES:
                    self._measured.clear()
                try:
                    self._measured[settled.chosen] = MeasuredGame(settled)
                except NegoError as error:
                    self._measured[settled.chosen] = str(error)
            return self._measured[settled.chosen]


class _Known(local):
    """Games that a thread has simulated, by their pickled bytes, the last one at the end."""

    def __init__(self) -> None:
        self.games: OrderedDict[bytes, tuple[GameSpec, SimulatedGame]] = OrderedDict()


_KNOWN = _Known()


def simulated_game(game: GameSpec) -> SimulatedGame:
    """Return a game as it is simulated: the one of an earlier run of this thread with the same game, if any.

    Two games are the same if they are one object, or if their pickled bytes are equal: games that compare
    equal may have points of different types, which a log shows.
    """
    known = _KNOWN.games
    for key, (earlier, found) in known.items():
        if earlier is game:
            known.move_to_end(key)
            return found
    try:
        # Its class is loaded anew from its file for each run.
        key = b"" if game.own_state is not None else pickle.dumps(game)
    except Exception:  # noqa: BLE001 - whatever an author's utility raises; it is not kept then
        key = b""
    if not key:
        return SimulatedGame(game)
    if key not in known:
        known[key] = game, SimulatedGame(game)
        if len(known) > MOST_GAMES:
            known.popitem(last=False)
    known.move_to_end(key)
    return known[key][1]
