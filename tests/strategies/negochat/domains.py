"""The job candidate domain, and a game small enough to be computed by hand."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.strategies.negochat.belief import Belief, OpponentType
from negoplatform.strategies.negochat.bid_space import Bid, BidSpace, BidTerms, BidUtility, own_utility
from negoplatform.strategies.negochat.bid_thresholds import ThresholdTable
from negoplatform.strategies.negochat.issue_negotiation import IssueNegotiation
from negoplatform.strategies.negochat.published_job_candidate import PublishedJobCandidate
from tests.games import make_game

ROLES = ("employer", "candidate")
TYPES = ("short_term", "compromise", "long_term")


def job_candidate(**profiles: str) -> GameSpec:
    """Return the shipped game; both sides are short-term unless given otherwise."""
    game = find_game(str(bundled("games") / "job_candidate.json"), bundled("games"))
    return game.resolve_profiles(1, profiles)


def as_seen(role: str, **profiles: str) -> GameSpec:
    """Return the game as a seat sees it: the other side's preferences are private."""
    return job_candidate(**profiles).redacted_for([role])


def published(role: str, game: GameSpec | None = None) -> PublishedJobCandidate:
    """Return the published data of a role."""
    found = PublishedJobCandidate.for_space(BidSpace(game or job_candidate(), role, Random(1)))
    assert found is not None
    return found


OWN = {"a": {"x": 30, "y": 20, "z": 0}, "b": {"x": 20, "y": 10, "z": 0}, "c": {"x": 9, "y": 5, "z": 0}}
"""Own points of the small game: the best bid is x x x, with 59."""

OTHER = {"a": {"x": 0, "y": 10, "z": 20}, "b": {"x": 0, "y": 20, "z": 40}, "c": {"x": 0, "y": 3, "z": 6}}
"""Points of the small game's other side, which cares most about b."""

KEEN = {"a": {"x": 0, "y": 30, "z": 60}, "b": {"x": 0, "y": 2, "z": 4}, "c": {"x": 0, "y": 1, "z": 2}}
"""Points of another type, which cares most about a."""


def small_game() -> GameSpec:
    """Return the game with the issues a, b and c, each with the values x, y and z."""
    issues = tuple(CategoricalIssue(name, ("x", "y", "z")) for name in OWN)
    return make_game({"agent": OWN, "human": OTHER}, issues=issues)


def small_space() -> BidSpace:
    """Return all 27 bids of the small game."""
    return BidSpace(small_game(), "agent", Random(1))


def type_of(space: BidSpace, points: dict[str, dict[str, int]], name: str = "other") -> OpponentType:
    """Return a type with these points."""

    def part(issue: int, level: int) -> int:
        return points[space.name(issue)][str(space.levels(issue)[level])]

    return OpponentType(name, BidUtility(space, part))


def small_talk(
    *rows: Sequence[float],
    gap: float = 200,
    least: float = 0,
    time_effect: float = 0,
    order: Sequence[int] = (0, 1, 2),
    kinds: Sequence[dict[str, dict[str, int]]] = (OTHER,),
    eases: bool = False,
) -> IssueNegotiation:
    """Return a negotiation of the small game with thresholds by turn, for each type."""
    space = small_space()
    types = [type_of(space, points, f"type {n}") for n, points in enumerate(kinds)]
    belief = Belief(types, [1] * len(types))
    table = ThresholdTable(rows, gap, rounding=0)
    own = own_utility(space)
    return IssueNegotiation(
        space, own, belief, table, order, least=least, time_effect=time_effect, eases=eases
    )


def bid(letters: str) -> Bid:
    """Return a bid from its letters: ``xyz`` is x for a, y for b and z for c."""
    return tuple("xyz".index(letter) for letter in letters)


def terms(**chosen: str) -> BidTerms:
    """Return terms of the small game, such as ``terms(a="x")``."""
    return {"abc".index(issue): "xyz".index(value) for issue, value in chosen.items()}
