"""Statements of an agent about its preferences and its value of no deal: true, withheld or false."""

from __future__ import annotations

from itertools import pairwise

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Preference, Relation
from negoplatform.domain.utility import Points
from negoplatform.strategies.dialogue.manner import Honesty
from negoplatform.strategies.dialogue.opponent_model import (
    ExpressiveOpponentModel,
    issue_importance,
    own_tables,
)

Ranking = dict[str, float]
"""Importance of each issue; the larger, the more important."""


class PlainWords:
    """Policy that answers questions truthfully, one fact at a time, or not at all.

    Args:
        style: The voice: ``warm``, ``neutral``, ``tough``, ``cheerful`` or ``formal``.
        language: The folder of ``language/data/words`` with its sentences.
        open_about_preferences: Whether it states its preferences.
        open_about_limit: Whether it states its value of no deal.
        talkativeness: How much it says beyond what is needed, 0 to 1.
        politeness: How polite it is, 0 to 1.
    """

    honesty = Honesty.HONEST
    """Kind of its statements, where it makes any."""

    def __init__(
        self,
        style: str = "warm",
        *,
        language: str = "en",
        open_about_preferences: bool = True,
        open_about_limit: bool = False,
        talkativeness: float = 0.5,
        politeness: float = 0.5,
    ) -> None:
        self.style = style
        self.language = language
        self.talkativeness = talkativeness
        self.politeness = politeness
        if not open_about_preferences:
            self.honesty = Honesty.RESERVED
        self.open_about_preferences = open_about_preferences
        self.open_about_limit = open_about_limit
        self.truth: Ranking = {}
        self._disclosed: list[Preference] = []
        self._limit: Points = 0

    def begin(self, ctx: AgentContext) -> None:
        """Begin a new game."""
        self.truth = issue_importance(ctx, own_tables(ctx))
        self._disclosed = []
        self._limit = ctx.reservation_value

    def ranking(self, other: ExpressiveOpponentModel) -> Ranking:  # noqa: ARG002 - the answer may depend on the other seat
        """Return the stated importance of each issue."""
        return self.truth

    def limit(self, highest: Points) -> Points:  # noqa: ARG002
        """Return the stated value of no deal.

        Args:
            highest: The points of its best deal.
        """
        return self._limit

    def fact(self, other: ExpressiveOpponentModel) -> Preference | None:
        """Return a fact about its preferences that it has not stated yet; None if there is none left."""
        left = (fact for fact in ranking_facts(self.ranking(other)) if fact not in self._disclosed)
        return self._disclose(next(left, None))

    def fact_about(self, issue: str, other: ExpressiveOpponentModel) -> Preference | None:
        """Return the most informative fact about an issue; None if it states none."""
        return self._disclose(issue_fact(issue, self.ranking(other)))

    def answer(self, asked: Preference, other: ExpressiveOpponentModel) -> Preference | None:
        """Return the answer to a question about its preferences; None if it gives none.

        Args:
            asked: The question: how two issues compare, or which matters most or least. A question without
                an issue of the game is answered by the best or the worst itself.
            other: The seat that asks.
        """
        ranking = self.ranking(other)
        if asked.relation in (Relation.BEST, Relation.WORST):
            return self._disclose(extreme_fact(asked, ranking))
        if asked.issue1 not in ranking:
            return None
        if asked.issue2 not in ranking:
            return self._disclose(issue_fact(asked.issue1, ranking))
        return self._disclose(comparison(asked.issue1, asked.issue2, ranking))

    def _disclose(self, fact: Preference | None) -> Preference | None:
        if not self.open_about_preferences or fact is None:
            return None
        self._disclosed.append(fact)
        return fact

    def is_true(self, statement: Preference) -> bool:
        """Return whether a statement of its own is true."""
        return is_true_of(statement, self.truth)


class LyingWords(PlainWords):
    """Policy that claims to want what the other wants, and to do well without a deal.

    A seat that seems to give up an important issue gets more for it. Until it knows the other's preferences,
    it reverses its own order; it never contradicts an earlier statement.

    Args:
        style: The voice.
        language: The folder of ``language/data/words`` with its sentences.
        claims: Its stated value of no deal, as a share of its best deal; never less than the true one.
        talkativeness: How much it says beyond what is needed, 0 to 1.
        politeness: How polite it is, 0 to 1.
    """

    honesty = Honesty.LYING

    def __init__(
        self,
        style: str = "warm",
        *,
        language: str = "en",
        claims: float = 0.6,
        talkativeness: float = 0.5,
        politeness: float = 0.5,
    ) -> None:
        super().__init__(
            style,
            language=language,
            open_about_limit=True,
            talkativeness=talkativeness,
            politeness=politeness,
        )
        self.claims = claims
        self._claimed_ranking: Ranking | None = None

    def begin(self, ctx: AgentContext) -> None:
        """Begin a new game, with a new story."""
        super().begin(ctx)
        self._claimed_ranking = None

    def ranking(self, other: ExpressiveOpponentModel) -> Ranking:
        """Return the claimed order of issues."""
        if self._claimed_ranking is None:
            if other.orderings.statements:
                ranks = other.orderings.expected_ranks()
                self._claimed_ranking = {issue: -rank for issue, rank in ranks.items()}
            else:
                self._claimed_ranking = {issue: -worth for issue, worth in self.truth.items()}
        return self._claimed_ranking

    def limit(self, highest: Points) -> Points:
        """Return the claimed value of no deal."""
        return max(super().limit(highest), round(self.claims * highest))


def ranking_facts(ranking: Ranking) -> list[Preference]:
    """Return all facts about a ranking, the most informative first."""
    order = sorted(ranking, key=lambda issue: -ranking[issue])
    facts = [comparison(one, next_one, ranking) for one, next_one in pairwise(order)]
    if len(order) > 1 and ranking[order[0]] > ranking[order[1]]:
        facts.insert(0, Preference(order[0], Relation.BEST))
    if len(order) > 1 and ranking[order[-1]] < ranking[order[-2]]:
        facts.append(Preference(order[-1], Relation.WORST))
    return facts


def extreme_fact(asked: Preference, ranking: Ranking) -> Preference | None:
    """Return the most or least important issue as a fact; of ties the issue that the question names.

    None if there is only one issue.
    """
    pick = max if asked.relation is Relation.BEST else min
    found = [issue for issue in ranking if ranking[issue] == pick(ranking.values())]
    if len(ranking) == 1:
        return None
    if len(found) == 1:
        return Preference(found[0], asked.relation)
    one = asked.issue1 if asked.issue1 in found else found[0]
    return comparison(one, next(issue for issue in found if issue != one), ranking)


def issue_fact(issue: str, ranking: Ranking) -> Preference | None:
    """Return the most informative fact about an issue; None if there is no other issue."""
    mine = [fact for fact in ranking_facts(ranking) if issue in (fact.issue1, fact.issue2)]
    alone = [fact for fact in mine if fact.issue2 is None]
    return next(iter([*alone, *mine]), None)


def comparison(one: str, other: str, ranking: Ranking) -> Preference:
    """Return the comparison of two issues, the more important one first."""
    if ranking[one] == ranking[other]:
        return Preference(one, Relation.EQUAL, other)
    first, second = (one, other) if ranking[one] > ranking[other] else (other, one)
    return Preference(first, Relation.GREATER, second)


def is_true_of(statement: Preference, ranking: Ranking) -> bool:
    """Return whether a statement is true of a ranking; a tie makes neither best nor worst untrue."""
    worth = ranking[statement.issue1]
    match statement.relation:
        case Relation.BEST:
            return worth == max(ranking.values())
        case Relation.WORST:
            return worth == min(ranking.values())
        case Relation.GREATER:
            return worth > ranking[statement.issue2 or statement.issue1]
        case Relation.LESS:
            return worth < ranking[statement.issue2 or statement.issue1]
        case Relation.EQUAL:
            return worth == ranking[statement.issue2 or statement.issue1]
