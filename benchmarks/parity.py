"""Parity of the shipped strategies with plain loops of the published formulas, and with NegMAS.

Run it with ``python -m benchmarks.parity [GAMES]``; each pair is played at that many drawn games (3). The
shipped agents play through ``simulate``, without talk and with alternating turns; the plain loop has a list
of utilities for each side, the formulas, and nothing else. Nine of the 39 pairs are not compared with NegMAS,
which has another tit-for-tat and another exponential curve.

NegMAS 0.16 is needed in an environment of its own, whose interpreter ``NEGMAS_PYTHON`` names; without it, its
columns are left out. It plays each pair twice: with its own clock, which is at ``(i + 1) / (offers + 1)``
after ``i`` offers, and with curves that are given the time here, ``i / offers``.

Games with ties follow, where outcomes are worth the same to a side: there the agreement depends on which of
equal bids is made, which is drawn here, and in turn in NegMAS.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log
from pathlib import Path
from random import Random
from typing import Any, Protocol

from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.simulate import Seatings, simulate
from negoplatform.core.events import EndedBy
from negoplatform.domain.game import GameSpec, Preferences, Rules, Turns
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility

SEATS = ("first", "second")
OFFERS = 100
"""Offers after which a game ends, of both sides together."""
SHAPE = (5, 5, 4)
"""Number of values of each issue: 100 outcomes."""
NEGMAS_SCRIPT = Path(__file__).with_name("negmas_parity.py")

Agreement = tuple[int, int] | None
"""Points of both sides; None without an agreement."""

Match = tuple[GameSpec, tuple["Strategy", "Strategy"], int]
"""Game, pair and seed."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """Side of a pair.

    Args:
        label: Its name in the table.
        agent: The shipped agent.
        settings: The shipped agent's settings.
        in_negmas: Whether NegMAS has the same formula.
    """

    label: str
    agent: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    in_negmas: bool = True


def _polynomial(exponent: float) -> Strategy:
    return Strategy(f"polynomial {exponent:g}", "linear", {"exponent": exponent, "quiet": True})


MICRO = Strategy("micro", "micro", {"quiet": True})
EXPONENTIAL = Strategy(
    "exponential 1", "linear", {"family": "exponential", "k": 0.02, "quiet": True}, in_negmas=False
)
TIT_FOR_TAT = Strategy("tit_for_tat", "tit_for_tat", {"quiet": True}, in_negmas=False)
POLYNOMIALS = tuple(_polynomial(exponent) for exponent in (0.1, 0.2, 0.5, 1.0, 2.0, 5.0))


def pairs() -> list[tuple[Strategy, Strategy]]:
    """Return the 30 pairs that NegMAS can play too, then 9 others."""
    shared = (*POLYNOMIALS, MICRO)
    both = [(one, other) for at, one in enumerate(shared) for other in shared[at:]]
    turned = [(POLYNOMIALS[5], POLYNOMIALS[1]), (MICRO, POLYNOMIALS[3])]
    others = [(TIT_FOR_TAT, other) for other in (*shared, TIT_FOR_TAT)] + [(EXPONENTIAL, POLYNOMIALS[1])]
    return both + turned + others


def drawn_game(seed: int, *, ties: bool = False) -> GameSpec:
    """Return a game of 100 outcomes; without ties, no two of them are worth the same to a side."""
    rng, most = Random(seed), 10 if ties else 1000
    issues = tuple(
        CategoricalIssue(name, tuple(f"{name}{at}" for at in range(count)))
        for name, count in zip("abc", SHAPE, strict=True)
    )
    while True:
        preferences = {}
        for seat in SEATS:
            tables = {issue.name: {value: rng.randint(0, most) for value in issue.values} for issue in issues}
            preferences[seat] = Preferences(AdditiveUtility(seat, tables), rng.randint(most // 3, most))
        rules = Rules(deadline_offers=OFFERS, turns=Turns.ALTERNATING, talk=False)
        game = GameSpec(f"drawn_{seed}", issues, SEATS, SeatMap(preferences), rules=rules)
        levels = [len(set(points_of_outcomes(game, seat))) for seat in SEATS]
        if ties or min(levels) == game.count_outcomes():
            return game


def points_of_outcomes(game: GameSpec, seat: str) -> list[int]:
    """Return a seat's points of all outcomes, in the order of the game."""
    utility = game.preferences[seat].utility
    return [int(utility(outcome)) for outcome in game.outcomes()]


def played_here(match: Match) -> Agreement:
    """Return the agreement of the shipped agents."""
    game, pair, seed = match
    plugins = [
        replace(find_agent(side.agent, Path("none")), name=f"{side.agent}_{at}", settings=side.settings)
        for at, side in enumerate(pair)
    ]
    (result,) = simulate(game, plugins, games=1, seed=seed, logs=None, report=_raise, how=Seatings.GIVEN)
    if result.failures or result.refusals:
        raise SystemExit(f"{game.name}, {[side.label for side in pair]}: {result.first_failures}")
    if result.ended_by is not EndedBy.AGREEMENT:
        return None
    first, second = (int(result.points[seat] or 0) for seat in SEATS)
    return first, second


def _raise(error: BaseException) -> None:
    raise error


class PlainSide(Protocol):
    """Side of the plain loop; outcomes are places in its list of utilities."""

    def least(self, time: float) -> float:
        """Return the least points that it accepts at a time from 0 to 1."""

    def bid(self, time: float) -> int:
        """Return the outcome that it offers."""

    def hear(self, outcome: int) -> None:
        """Observe an offer of the other side."""


class PlainBids:
    """Utilities of one side, and its outcomes from worst to best."""

    def __init__(self, points: Sequence[int], reservation: int) -> None:
        self.points = points
        self.reservation = reservation
        self.upwards = sorted(range(len(points)), key=points.__getitem__)
        self.levels = [points[outcome] for outcome in self.upwards]
        self.worst, self.best = self.levels[0], self.levels[-1]

    def at_least(self, points: float) -> int:
        """Return the outcome with the least points that reach a number."""
        return self.upwards[bisect_left(self.levels, points)]


class PlainTimeDependent:
    """Time-dependent tactic of Faratin, Sierra and Jennings (1998)."""

    def __init__(self, bids: PlainBids, settings: Mapping[str, Any]) -> None:
        self.bids = bids
        self.exponent = settings.get("exponent", 1.0)
        self.k = settings.get("k", 0.0)
        self.exponential = settings.get("family") == "exponential"

    def least(self, time: float) -> float:
        """Return the demand at a time, rounded to 9 digits: an outcome may be worth it exactly."""
        if self.exponential:
            conceded = exp((1 - time) ** self.exponent * log(self.k))
        else:
            conceded = self.k + (1 - self.k) * time ** (1 / self.exponent)
        end = max(self.bids.worst, self.bids.reservation)
        return round(self.bids.best - conceded * (self.bids.best - end), 9)

    def bid(self, time: float) -> int:
        """Return the outcome at the demand."""
        return self.bids.at_least(self.least(time))

    def hear(self, outcome: int) -> None:
        """Do nothing."""


class PlainMiCRO:
    """MiCRO, de Jonge (2022); repetitions are drawn."""

    def __init__(self, bids: PlainBids, rng: Random) -> None:
        self.points = bids.points
        self.order = [o for o in reversed(bids.upwards) if bids.points[o] >= bids.reservation]
        self.made = 0
        self.heard: set[int] = set()
        self.rng = rng

    def concedes(self) -> bool:
        """Return whether the next offer is a new one."""
        return self.made <= len(self.heard) and self.made < len(self.order)

    def least(self, time: float) -> float:
        """Return the points of the lowest offer that it is ready to make."""
        return self.points[self.order[self.made if self.concedes() else self.made - 1]]

    def bid(self, time: float) -> int:
        """Return the next outcome, or one that it has offered before."""
        if self.concedes():
            self.made += 1
            return self.order[self.made - 1]
        return self.rng.choice(self.order[: self.made])

    def hear(self, outcome: int) -> None:
        """Count an offer of the other side."""
        self.heard.add(outcome)


class PlainTitForTat:
    """Relative tit-for-tat of Faratin, Sierra and Jennings (1998) over one step, on demands in points."""

    FIRST_STEP = 0.05

    def __init__(self, bids: PlainBids) -> None:
        self.bids = bids
        self.target = float(bids.best)
        self.last: int | None = None

    def least(self, time: float) -> float:
        """Return the target."""
        return self.target

    def bid(self, time: float) -> int:
        """Return the outcome at the target."""
        return self.bids.at_least(self.target)

    def hear(self, outcome: int) -> None:
        """Change its demand in proportion to the change of the other's."""
        best, worst, levels = self.bids.best, self.bids.worst, self.bids.levels
        demand, now = self.target - worst, best - self.bids.points[outcome]
        if self.last is None:
            below = levels[max(bisect_left(levels, self.target) - 1, 0)]
            demand -= max(self.target - below, self.FIRST_STEP * (best - worst))
        elif self.last <= 0:
            demand = best - worst if now > self.last else demand
        else:
            demand = demand * now / self.last
        self.last = now
        self.target = max(min(worst + demand, best), self.bids.reservation)


def plain_side(strategy: Strategy, bids: PlainBids, rng: Random) -> PlainSide:
    """Return a side of the plain loop."""
    if strategy.agent == "micro":
        return PlainMiCRO(bids, rng)
    if strategy.agent == "tit_for_tat":
        return PlainTitForTat(bids)
    return PlainTimeDependent(bids, strategy.settings)


def played_plainly(match: Match) -> Agreement:
    """Return the agreement of the plain loop: each side accepts the offer on the table, or makes the next."""
    game, pair, seed = match
    points = [points_of_outcomes(game, seat) for seat in SEATS]
    reservations = [int(game.preferences[seat].reservation_value) for seat in SEATS]
    rng = Random(seed)
    sides = [
        plain_side(strategy, PlainBids(own, reservation), rng)
        for strategy, own, reservation in zip(pair, points, reservations, strict=True)
    ]
    on_table = None
    for made in range(OFFERS + 1):
        side, own, time = sides[made % 2], points[made % 2], made / OFFERS
        if on_table is not None:
            side.hear(on_table)
            if own[on_table] >= max(side.least(time), reservations[made % 2]):
                return points[0][on_table], points[1][on_table]
        if made < OFFERS:
            on_table = side.bid(time)
    return None


def played_by_negmas(python: str, matches: Sequence[Match]) -> list[dict[str, Agreement]]:
    """Return the agreements of NegMAS by clock (``own``, ``aligned``), a dict for each match."""
    documents = [
        {
            "points": [points_of_outcomes(game, seat) for seat in SEATS],
            "reservations": [game.preferences[seat].reservation_value for seat in SEATS],
            "strategies": [{"agent": side.agent, "exponent": side.settings.get("exponent")} for side in pair],
            "offers": OFFERS,
        }
        for game, pair, _ in matches
    ]
    answer = subprocess.run(
        [python, str(NEGMAS_SCRIPT)], input=json.dumps(documents), capture_output=True, text=True, check=False
    )
    if answer.returncode:
        raise SystemExit(f"NegMAS failed:\n{answer.stderr[-2000:]}")
    found = json.loads(answer.stdout)
    return [{clock: tuple(each) if each else None for clock, each in match.items()} for match in found]


def in_words(agreement: Agreement) -> str:
    """Return an agreement as text."""
    return "-" if agreement is None else f"{agreement[0]}/{agreement[1]}"


def print_table(rows: Sequence[tuple[Strategy, Strategy]], games: int, python: str | None) -> None:
    """Print how many games of each pair end with the same agreement elsewhere, and those that do not."""
    keys = [(at, number) for at in range(len(rows)) for number in range(games)]
    matches = {(at, n): (drawn_game(1000 * n + at), rows[at], 1000 * n + at) for at, n in keys}
    here = {key: played_here(match) for key, match in matches.items()}
    columns = {"plain loop": {key: played_plainly(match) for key, match in matches.items()}}
    if python is not None:
        shared = [key for key in keys if all(side.in_negmas for side in rows[key[0]])]
        peers = played_by_negmas(python, [matches[key] for key in shared])
        for clock in ("aligned", "own"):
            found = [peer[clock] for peer in peers]
            columns[f"NegMAS, {clock} clock"] = dict(zip(shared, found, strict=True))
    print(f"{'pair':36}" + "".join(f"{name:>24}" for name in columns))
    for at, pair in enumerate(rows):
        cells = []
        for found_by_key in columns.values():
            equal = [here[key] == found_by_key[key] for key in keys if key[0] == at and key in found_by_key]
            cells.append(f"{sum(equal)} of {len(equal)}" if equal else "")
        print(f"{pair[0].label + ' - ' + pair[1].label:36}" + "".join(f"{cell:>24}" for cell in cells))
    for name, found_by_key in columns.items():
        print(f"{same_pairs(here, found_by_key)} pairs reach the same agreements as the {name}")
    for name, found_by_key in columns.items():
        for key, other in found_by_key.items():
            if other != here[key]:
                labels = " - ".join(side.label for side in rows[key[0]])
                print(f"{name}: {labels}, game {matches[key][2]}: {in_words(here[key])}, {in_words(other)}")


def same_pairs(ones: Mapping[tuple[int, int], Agreement], others: Mapping[tuple[int, int], Agreement]) -> str:
    """Return how many pairs reach the same agreements in all games, as text."""
    unlike = {key[0] for key, agreement in others.items() if agreement != ones[key]}
    total = len({key[0] for key in others})
    return f"{total - len(unlike)} of {total}"


def print_ties(rows: Sequence[tuple[Strategy, Strategy]], games: int, python: str | None) -> None:
    """Print the same counts for games in which outcomes are worth the same."""
    keys = [(at, number) for at in range(len(rows)) for number in range(games)]
    matches = {(at, n): (drawn_game(1000 * n + at, ties=True), rows[at], 1000 * n + at) for at, n in keys}
    here = {key: played_here(match) for key, match in matches.items()}
    again = {key: played_here((game, pair, -seed - 1)) for key, (game, pair, seed) in matches.items()}
    plain = {key: played_plainly(match) for key, match in matches.items()}
    print(f"with ties: {same_pairs(here, again)} pairs as with another seed")
    print(f"with ties: {same_pairs(here, plain)} pairs as the plain loop")
    if python is not None:
        found = [peer["aligned"] for peer in played_by_negmas(python, list(matches.values()))]
        peers = dict(zip(keys, found, strict=True))
        print(f"with ties: {same_pairs(here, peers)} pairs as NegMAS, aligned clock")


def main(games: int) -> None:
    """Print a row for each pair, and the counts."""
    python = os.environ.get("NEGMAS_PYTHON")
    if python is None:
        print("NEGMAS_PYTHON is not set: without NegMAS.")
    rows = pairs()
    print_table(rows, games, python)
    print_ties([pair for pair in rows if all(side.in_negmas for side in pair)], games, python)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
