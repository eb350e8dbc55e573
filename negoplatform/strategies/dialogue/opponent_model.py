"""Model of another seat, from its statements and its offers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from negoplatform.agent_api.context import AgentContext
from negoplatform.agent_api.frequency_opponent_model import FrequencyEstimate, Level
from negoplatform.core.events import Preference
from negoplatform.domain.errors import NotVisible
from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import named_seat
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.domain.seat_map import Seat
from negoplatform.domain.utility import Points
from negoplatform.language import Need
from negoplatform.strategies.issue_importance_orderings import Orderings

GUESS_WEIGHT_IN_OFFERS = 3
"""Number of offers after which their levels count as much as the guess about values."""

STATEMENT_WEIGHT_IN_OFFERS = 6
"""Number of offers after which their steadiness counts as much as the statements about issues."""

_NEED_FACTORS = {Need.SELF: 1.3, Need.OTHERS: 1.2, Need.NONE: 0.6}

LevelTables = dict[str, dict[Level, float]]
"""Utility of each level of each issue."""


class ExpressiveOpponentModel:
    """Model that one agent has of another seat.

    Weights of issues come from the orderings that agree with its statements: an issue that is expected at
    place r of n counts ``n - r``. The utility of levels is guessed from the agent's own table. Offers correct
    both, by the frequency model. Where the game shows the seat's preferences they are used, and nothing is
    guessed.

    Args:
        ctx: The agent's context.
        seat: The seat whose preferences are estimated.
        fixed_pie: Whether it is assumed to want the same issues as the agent, and the opposite values,
            as long as there is no other evidence. Otherwise all issues count the same, and all values.
    """

    def __init__(self, ctx: AgentContext, seat: Seat, *, fixed_pie: bool = True) -> None:
        self.seat = seat
        self.orderings = Orderings(issue.name for issue in ctx.issues)
        self.batna: float | None = None
        """Last stated value of no deal."""
        self.version = 0
        """Version of the estimates: it changes whenever one may have changed."""
        self._true = _VisiblePreferences.of(ctx, seat)
        self._offers = FrequencyEstimate(ctx.game, seat)
        self._needs = {issue.name: 1.0 for issue in ctx.issues}
        self._issues = ctx.issues
        self._own = own_tables(ctx)
        self._fixed_pie = fixed_pie
        self._owners = {issue.name: _owners(issue, ctx.game) for issue in ctx.issues}
        self._tables: LevelTables | None = None
        self._contradiction: tuple[Preference, Preference] | None = None

    def update_from_offer(self, offer: Offer) -> None:
        """Learn from an offer of the seat."""
        self._offers.hear(offer)
        self._invalidate()

    def update_from_preference(self, statement: Preference) -> Preference | None:
        """Learn from a statement of the seat.

        Returns:
            The oldest statement that this one contradicts, which is dropped; None if it contradicts none.
        """
        conflict = self.orderings.conflict(statement)
        if conflict is not None and self._contradiction is None:
            self._contradiction = conflict, statement
        self.orderings.add(statement)
        self._invalidate()
        return conflict

    def pop_contradiction(self) -> tuple[Preference, Preference] | None:
        """Return two statements that contradict each other, the older first, once, for a question."""
        found, self._contradiction = self._contradiction, None
        return found

    def update_from_need(self, issue: str, need: Need) -> None:
        """Learn that the seat wants an issue, or has enough of it."""
        self._needs[issue] = self._needs[issue] * _NEED_FACTORS[need]
        self._invalidate()

    def estimate_utility(self, offer: Offer) -> float:
        """Return the estimated utility of an offer for it, 0 to 1; undecided parts count 0."""
        if self._true is not None:
            return self._true.share(offer)
        tables = self.tables()
        return sum(tables[name][self.level(term)] for name, term in offer.terms)

    @property
    def is_known(self) -> bool:
        """Whether the game shows its preferences, so that nothing is an estimate and nothing changes."""
        return self._true is not None

    @property
    def has_evidence(self) -> bool:
        """Whether it knows more than the agent's own preferences: the seat's own, an offer or a statement."""
        stated = bool(self.orderings.statements) or any(need != 1.0 for need in self._needs.values())
        return self.is_known or self._offers.heard > 0 or stated

    def level(self, term: Term) -> Level:
        """Return its level of a term."""
        return term.of(self.seat) if isinstance(term, Allocation) else term

    def tables(self) -> LevelTables:
        """Return its estimated utility of each level of each issue; the best levels add up to 1."""
        if self._tables is None:
            self._tables = self._estimated()
        return self._tables

    def weights(self) -> dict[str, float]:
        """Return its estimated weight of each issue; together 1."""
        count = len(self._issues)
        if self.orderings.statements:
            ranks = self.orderings.expected_ranks()
            weights = {name: count - rank for name, rank in ranks.items()}
        elif self._fixed_pie:
            spans = {name: span(table) for name, table in self._own.items()}
            weights = spans if any(spans.values()) else dict.fromkeys(spans, 1.0)
        else:
            weights = dict.fromkeys(self._own, 1.0)
        stated = _scaled({name: weight * self._needs[name] for name, weight in weights.items()})
        trust = self._offers.heard / (self._offers.heard + STATEMENT_WEIGHT_IN_OFFERS)
        asked = self._offers.weights
        return {name: (1 - trust) * stated[name] + trust * asked[name] for name in stated}

    def _estimated(self) -> LevelTables:
        weights = self.weights()
        trust = self._offers.heard / (self._offers.heard + GUESS_WEIGHT_IN_OFFERS)
        tables = {}
        for issue in self._issues:
            guess, asked = self._guess(issue), self._offers.scores(issue.name)
            trusted = 0.0 if isinstance(issue, QuantityIssue) else trust
            tables[issue.name] = {
                level: weights[issue.name] * ((1 - trusted) * score + trusted * asked[level])
                for level, score in guess.items()
            }
        return tables

    def _guess(self, issue: Issue) -> dict[Level, float]:
        """Return a score from 0 to 1 for each level, before any offer."""
        own = self._own[issue.name]
        if isinstance(issue, QuantityIssue):
            # Levels that are bad for one side are assumed to be bad for the other.
            burden = own[issue.quantity] < own[0]
            shares = {units: units / issue.quantity for units in range(issue.quantity + 1)}
            return {units: 1 - share if burden else share for units, share in shares.items()}
        width = span(own)
        if self._owners[issue.name]:
            return {level: float(self._owners[issue.name].get(level) == self.seat) for level in own}
        if not self._fixed_pie or not width:
            return dict.fromkeys(own, 0.5)
        return {level: (max(own.values()) - worth) / width for level, worth in own.items()}

    def _invalidate(self) -> None:
        if self._true is None:
            self._tables = None
            self.version += 1


@dataclass(frozen=True, slots=True)
class _VisiblePreferences:
    """Preferences that the game shows.

    Args:
        points: The points of an offer.
        lowest: The points of the worst offer, interactions of issues aside.
        highest: The points of the best.
    """

    points: Callable[[Offer], Points]
    lowest: Points
    highest: Points

    @staticmethod
    def of(ctx: AgentContext, seat: Seat) -> _VisiblePreferences | None:
        """Return a seat's preferences, where they are visible."""
        points = partial(ctx.get_opponent_utility, seat=seat)
        try:
            points(EMPTY_OFFER)
        except NotVisible:
            return None
        tables = [[points(offer) for offer in offers.values()] for offers in _single(ctx, seat).values()]
        return _VisiblePreferences(points, sum(map(min, tables)), sum(map(max, tables)))

    def share(self, offer: Offer) -> float:
        """Return the points of an offer as a share of the range, 0 to 1."""
        width = self.highest - self.lowest
        return min(1.0, max(0.0, float((self.points(offer) - self.lowest) / width))) if width else 1.0


def _owners(issue: Issue, game: GameSpec) -> dict[Level, Seat]:
    """Return the seat that each value names, in a game of more than two; empty unless several are named."""
    if not isinstance(issue, CategoricalIssue) or len(game.seats) == 2:
        return {}
    named = {value: named_seat(value, game) for value in issue.values}
    found: dict[Level, Seat] = {value: seat for value, seat in named.items() if seat is not None}
    return found if len(set(found.values())) > 1 else {}


def own_tables(ctx: AgentContext) -> LevelTables:
    """Return the agent's own points for each level of each issue."""
    return {
        name: {level: float(ctx.utility(offer)) for level, offer in offers.items()}
        for name, offers in _single(ctx, ctx.seat).items()
    }


def _single(ctx: AgentContext, seat: Seat) -> dict[str, dict[Level, Offer]]:
    """Return an offer with one issue alone for each level that the issue can have for a seat."""
    offers: dict[str, dict[Level, Offer]] = {}
    for issue in ctx.issues:
        terms: dict[Level, Term] = {level: level for level in levels(issue)}
        if isinstance(issue, QuantityIssue):
            other, *_ = ctx.game.others(seat)
            for units in range(issue.quantity + 1):
                terms[units] = Allocation([(seat, units), (other, issue.quantity - units)])
        offers[issue.name] = {level: Offer({issue.name: term}) for level, term in terms.items()}
    return offers


def levels(issue: Issue) -> list[Level]:
    """Return the levels that an issue can have for one seat: its units, or the values."""
    return list(range(issue.quantity + 1) if isinstance(issue, QuantityIssue) else issue.values)


def span(table: Mapping[Level, float]) -> float:
    """Return the range of an issue: its best level's points less its worst level's."""
    return max(table.values()) - min(table.values())


def issue_importance(ctx: AgentContext, tables: LevelTables) -> dict[str, float]:
    """Return what each issue can change for this seat: of goods alone what a unit is worth, as people count.

    Args:
        ctx: The context.
        tables: The seat's points for each level of each issue.
    """
    goods = all(isinstance(issue, QuantityIssue) for issue in ctx.issues)
    units = {issue.name: issue.quantity for issue in ctx.issues if isinstance(issue, QuantityIssue)}
    return {name: span(table) / (units[name] if goods else 1) for name, table in tables.items()}


def _scaled(weights: Mapping[str, float]) -> dict[str, float]:
    total = sum(weights.values())
    return {name: weight / total for name, weight in weights.items()}
