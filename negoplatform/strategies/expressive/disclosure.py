"""What an expressive agent tells about itself: the truth, nothing, or something else."""

from __future__ import annotations

from itertools import pairwise

from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Preference, Relation
from negoplatform.domain.utility import Points
from negoplatform.strategies.expressive.opponent_model import ExpressiveOpponentModel, own_tables, span

Ranking = dict[str, float]
"""How much each issue matters; the larger, the more."""


class PlainWords:
    """Tells the truth when it is asked, one fact at a time, or keeps it to itself.

    Args:
        style: ``warm``, ``neutral`` or ``tough``.
        language: The folder of ``language/data/words`` that its sentences come from.
        open_about_preferences: Whether it tells what matters to it.
        open_about_limit: Whether it tells its value of no deal.
    """

    def __init__(
        self,
        style: str = "warm",
        *,
        language: str = "en",
        open_about_preferences: bool = True,
        open_about_limit: bool = False,
    ) -> None:
        self.style = style
        self.language = language
        self.open_about_preferences = open_about_preferences
        self.open_about_limit = open_about_limit
        self.truth: Ranking = {}
        self._disclosed: list[Preference] = []
        self._limit: Points = 0

    def begin(self, ctx: AgentContext) -> None:
        """A new game."""
        self.truth = {name: span(table) for name, table in own_tables(ctx).items()}
        self._disclosed = []
        self._limit = ctx.reservation_value

    def ranking(self, other: ExpressiveOpponentModel) -> Ranking:  # noqa: ARG002 - what is said may hang on who listens
        """How much each issue matters, as it says."""
        return self.truth

    def limit(self, highest: Points) -> Points:  # noqa: ARG002
        """Its value of no deal, as it says.

        Args:
            highest: The points of its best deal.
        """
        return self._limit

    def fact(self, other: ExpressiveOpponentModel) -> Preference | None:
        """Something about its preferences that it has not told yet; None if there is nothing left."""
        left = (fact for fact in ranking_facts(self.ranking(other)) if fact not in self._disclosed)
        return self._disclose(next(left, None))

    def fact_about(self, issue: str, other: ExpressiveOpponentModel) -> Preference | None:
        """Return the most telling fact about an issue; None if it says none."""
        return self._disclose(issue_fact(issue, self.ranking(other)))

    def answer(self, asked: Preference, other: ExpressiveOpponentModel) -> Preference | None:
        """Return the answer to a question about its preferences; None if it says none.

        Args:
            asked: What is asked: how two issues compare, or what matters most or least. A question that
                names no issue of the game is answered by the best or the worst itself.
            other: Who asks.
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

    def is_true(self, said: Preference) -> bool:
        """Return whether a statement of its own is true."""
        return is_true_of(said, self.truth)


class LyingWords(PlainWords):
    """Says that it wants what the other wants, and that it can do without a deal.

    Whoever seems to give up what is dear gets more for it. Until it knows what the other wants it turns its
    own order round; what it has said once it sticks to.

    Args:
        style: ``warm``, ``neutral`` or ``tough``.
        language: The folder of ``language/data/words`` that its sentences come from.
        claims: Its stated value of no deal, as a share of its best deal; never less than the true one.
    """

    def __init__(self, style: str = "warm", *, language: str = "en", claims: float = 0.6) -> None:
        super().__init__(style, language=language, open_about_limit=True)
        self.claims = claims
        self._claimed_ranking: Ranking | None = None

    def begin(self, ctx: AgentContext) -> None:
        """A new game, with a new story."""
        super().begin(ctx)
        self._claimed_ranking = None

    def ranking(self, other: ExpressiveOpponentModel) -> Ranking:
        """Return the order that it claims to have."""
        if self._claimed_ranking is None:
            if other.orderings.statements:
                ranks = other.orderings.expected_ranks()
                self._claimed_ranking = {issue: -rank for issue, rank in ranks.items()}
            else:
                self._claimed_ranking = {issue: -worth for issue, worth in self.truth.items()}
        return self._claimed_ranking

    def limit(self, highest: Points) -> Points:
        """Return the value of no deal that it claims to have."""
        return max(super().limit(highest), round(self.claims * highest))


def ranking_facts(ranking: Ranking) -> list[Preference]:
    """Return all that can be told about a ranking, the most telling first."""
    order = sorted(ranking, key=lambda issue: -ranking[issue])
    told = [comparison(one, next_one, ranking) for one, next_one in pairwise(order)]
    if len(order) > 1 and ranking[order[0]] > ranking[order[1]]:
        told.insert(0, Preference(order[0], Relation.BEST))
    if len(order) > 1 and ranking[order[-1]] < ranking[order[-2]]:
        told.append(Preference(order[-1], Relation.WORST))
    return told


def extreme_fact(asked: Preference, ranking: Ranking) -> Preference | None:
    """What matters most, or least; of several that do, that the one that was asked about is among them.

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
    """Return the most telling fact about one issue; None if there is no other issue."""
    mine = [fact for fact in ranking_facts(ranking) if issue in (fact.issue1, fact.issue2)]
    alone = [fact for fact in mine if fact.issue2 is None]
    return next(iter([*alone, *mine]), None)


def comparison(one: str, other: str, ranking: Ranking) -> Preference:
    """How two issues compare, the one that matters more first."""
    if ranking[one] == ranking[other]:
        return Preference(one, Relation.EQUAL, other)
    first, second = (one, other) if ranking[one] > ranking[other] else (other, one)
    return Preference(first, Relation.GREATER, second)


def is_true_of(said: Preference, ranking: Ranking) -> bool:
    """Return whether a statement is true of a ranking; ties are no untruth about best and worst."""
    worth = ranking[said.issue1]
    match said.relation:
        case Relation.BEST:
            return worth == max(ranking.values())
        case Relation.WORST:
            return worth == min(ranking.values())
        case Relation.GREATER:
            return worth > ranking[said.issue2 or said.issue1]
        case Relation.LESS:
            return worth < ranking[said.issue2 or said.issue1]
        case Relation.EQUAL:
            return worth == ranking[said.issue2 or said.issue1]
