"""Model of one game for an agent of this family: bids, types, thresholds, the order of issues, turns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.strategies.negochat.belief import PRECISION, Belief, OpponentType
from negoplatform.strategies.negochat.belief_by_seat import BeliefBySeat
from negoplatform.strategies.negochat.bid_space import BidSpace, BidUtility, own_utility
from negoplatform.strategies.negochat.bid_thresholds import (
    PerTypeThresholds,
    QuantileThresholds,
    Thresholds,
    ThresholdTable,
)
from negoplatform.strategies.negochat.generated_opponent_types import (
    generated_types,
    generated_types_of,
    importance,
    oracle_type,
    time_effect,
)
from negoplatform.strategies.negochat.published_job_candidate import PublishedJobCandidate

TURNS = 14
"""Turns of a game with a deadline, as published: 28 minutes, 2 minutes each."""

NO_DEADLINE_SECONDS = 600.0
"""Deadline that an agent assumes in a game without one."""

AUTO, PUBLISHED, COMPUTED, GENERATED = "auto", "published", "computed", "generated"


@dataclass(frozen=True, slots=True)
class NegotiationModelOptions:
    """Options of the negotiation model; the rest follows from the game.

    Args:
        tables: ``auto`` for the published ones where they were made for this game, role and these own points,
            else our substitute; ``published`` for the same, with a note in the record where they do not fit;
            ``computed`` for our substitute everywhere.
        thresholds: Figures by the types' names, turn by turn, in place of all these.
        types: ``auto``, ``published`` or, for our substitute, ``generated``, likewise.
        use_visible: Whether the other's preferences, where the game shows them, are the single certain type.
        turn_seconds: Length of a turn; None: the period of the game's time cost, else a fourteenth of the
            time.
        culture: Culture of the order of issues, where it is published; ``own`` and elsewhere: by own
            importance.
        prior: Initial probability of each type, in their order; None: all equal.
        precision: The weight of a point in Luce numbers.
    """

    tables: str = AUTO
    thresholds: Mapping[str, Sequence[float]] | None = None
    types: str = AUTO
    use_visible: bool = True
    turn_seconds: float | None = None
    culture: str = "usa"
    prior: Sequence[float] | None = None
    precision: float = PRECISION


@dataclass(frozen=True, slots=True)
class NegotiationModel:
    """Model of one game.

    Args:
        space: The bids.
        own: The own side's utility.
        belief: The belief about the other side.
        thresholds: The threshold for every type and turn.
        order: The issues in the order in which they are to be settled.
        turn_seconds: Length of a turn.
        time_effect: Points that a turn costs the own side.
        published: The published data of this role; None in another game.
        threshold_source: The source of the thresholds: ``published``, ``computed`` or ``given``.
        summary: The choices made, for the record.
    """

    space: BidSpace
    own: BidUtility
    belief: Belief | BeliefBySeat
    thresholds: Thresholds
    order: list[int]
    turn_seconds: float
    time_effect: float
    published: PublishedJobCandidate | None
    threshold_source: str
    summary: dict[str, Any]

    def turn_at(self, seconds: float) -> int:
        """Return the turn, from 1, at a session time."""
        return int(seconds / self.turn_seconds) + 1


def build_negotiation_model(
    game: GameSpec,
    seat: Seat,
    options: NegotiationModelOptions,
    rng: Random,
    opponent_utility: Callable[[Offer], Points] | None = None,
    seen: Mapping[Seat, Callable[[Offer], Points]] | None = None,
) -> NegotiationModel:
    """Return the model of one game.

    Args:
        game: The game as the seat sees it.
        seat: The own seat.
        options: The options.
        rng: Random numbers for the first current type, and for the sample of a large game.
        opponent_utility: The other side's points of an offer, where the game shows them; else None.
        seen: With several other seats, the points of those whose preferences the game shows, by seat.

    Raises:
        AgentError: If a table or a prior does not fit the types, or tables are set for more than two seats.
    """
    space = BidSpace(game, seat, rng)
    own = own_utility(space)
    turn_seconds = options.turn_seconds or _turn_seconds(game, seat)
    effect = time_effect(game, seat, turn_seconds)
    if len(game.seats) > 2:
        return _model_by_seat(space, own, options, rng, seen or {})
    published = PublishedJobCandidate.for_space(space)
    types, types_from = _types(space, own, published, options, effect, opponent_utility)
    prior = _prior(options.prior, types)
    thresholds, tables_from = _thresholds(
        own, types, types_from, published, options, effect, game.preferences[seat].reservation_value
    )
    ordered = options.culture if published is not None and options.culture != "own" else "own importance"
    order = (
        published.order(options.culture)
        if published is not None and options.culture != "own"
        else importance(space, own)
    )
    names = ", ".join(kind.name for kind in types)
    summary = {
        "tables": tables_from + _mismatch_note(options.tables, tables_from),
        "types": f"{types_from}{_mismatch_note(options.types, types_from)}: {names}",
        "turn_seconds": round(turn_seconds, 3),
        "order": f"{ordered}: {', '.join(space.name(issue) for issue in order)}",
        "bids": f"{len(space.bids)}, {'all' if space.complete else 'a sample'}",
    }
    belief = Belief.with_drawn_type(types, prior, rng)
    return NegotiationModel(
        space, own, belief, thresholds, order, turn_seconds, effect, published, tables_from, summary
    )


def _model_by_seat(
    space: BidSpace,
    own: BidUtility,
    options: NegotiationModelOptions,
    rng: Random,
    seen: Mapping[Seat, Callable[[Offer], Points]],
) -> NegotiationModel:
    """Return the model of a game of more than two seats, with types for each other seat."""
    game, seat = space.game, space.seat
    if options.thresholds is not None:
        raise AgentError(f"Own thresholds are for games of two seats; {game.name} has {len(game.seats)}.")
    turn_seconds = options.turn_seconds or _turn_seconds(game, seat)
    effect = time_effect(game, seat, turn_seconds)
    beliefs: dict[Seat, Belief] = {}
    for other in game.others(seat):
        points = seen.get(other) if options.use_visible else None
        types = (
            generated_types_of(other, space, own, effect, options.precision)
            if points is None
            else [oracle_type(space, points)]
        )
        beliefs[other] = Belief.with_drawn_type(types, _prior(options.prior, types), rng)
    belief = BeliefBySeat(beliefs, game.acceptances_needed - 1)
    least = game.preferences[seat].reservation_value
    order = importance(space, own)
    names = dict.fromkeys(kind.name for one in belief.members for kind in one.types)
    source = GENERATED if any(len(one.types) > 1 for one in belief.members) else "known"
    summary = {
        "tables": COMPUTED + _mismatch_note(options.tables, COMPUTED),
        "types": f"{source}{_mismatch_note(options.types, source)}: {', '.join(names)}",
        "turn_seconds": round(turn_seconds, 3),
        "order": f"own importance: {', '.join(space.name(issue) for issue in order)}",
        "bids": f"{len(space.bids)}, {'all' if space.complete else 'a sample'}",
    }
    thresholds = QuantileThresholds(own, belief.types, effect, least=least)
    return NegotiationModel(
        space, own, belief, thresholds, order, turn_seconds, effect, None, COMPUTED, summary
    )


def _turn_seconds(game: GameSpec, seat: Seat) -> float:
    cost = game.preferences[seat].time_cost
    if cost is not None:
        return cost.period_seconds
    return (game.rules.deadline_seconds or NO_DEADLINE_SECONDS) / TURNS


def _types(
    space: BidSpace,
    own: BidUtility,
    published: PublishedJobCandidate | None,
    choices: NegotiationModelOptions,
    effect: float,
    seen: Callable[[Offer], Points] | None,
) -> tuple[list[OpponentType], str]:
    """Return the types, and their source."""
    if choices.use_visible and seen is not None:
        return [oracle_type(space, seen)], "known"
    if published is not None and choices.types != GENERATED:
        return published.types(choices.precision), PUBLISHED
    return generated_types(space, own, effect, choices.precision), GENERATED


def _prior(prior: Sequence[float] | None, types: Sequence[OpponentType]) -> Sequence[float]:
    if prior is None or len(types) == 1:
        return [1.0] * len(types)
    if len(prior) != len(types) or min(prior) < 0 or not sum(prior):
        names = ", ".join(kind.name for kind in types)
        raise AgentError(f"The prior says how likely each type is: one share for each of {names}.")
    return prior


def _thresholds(
    own: BidUtility,
    types: Sequence[OpponentType],
    types_from: str,
    published: PublishedJobCandidate | None,
    choices: NegotiationModelOptions,
    effect: float,
    least: float,
) -> tuple[Thresholds, str]:
    """Return the thresholds, and their source."""
    computed = QuantileThresholds(own, types, effect, least=least)
    if choices.thresholds is not None:
        return _custom_thresholds(choices.thresholds, types, computed), "given"
    if choices.tables != COMPUTED and published is not None and types_from == PUBLISHED:
        table = published.thresholds(own)
        if table is not None:
            return table, PUBLISHED
    return computed, COMPUTED


def _mismatch_note(chosen: str, used: str) -> str:
    """Return a note for the record where published data were requested that do not exist for this game."""
    in_vain = chosen == PUBLISHED and used in (COMPUTED, GENERATED)
    return " (published ones do not fit here)" if in_vain else ""


def _custom_thresholds(
    tables: Mapping[str, Sequence[float]], types: Sequence[OpponentType], computed: QuantileThresholds
) -> Thresholds:
    """Return an author's figures unchanged, with computed ones for types that they leave out."""
    names = [kind.name for kind in types]
    if not any(name in tables for name in names):
        raise AgentError(f"Thresholds are given by the names of types; here these are {', '.join(names)}.")
    if any(not row for row in tables.values()):
        raise AgentError("A table of thresholds holds one number for each turn, at least one.")
    return PerTypeThresholds(
        {
            k: (ThresholdTable([tables[name]], rounding=0.0), 0) if name in tables else (computed, k)
            for k, name in enumerate(names)
        }
    )
