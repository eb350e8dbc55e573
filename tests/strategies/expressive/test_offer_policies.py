"""Demands, proposals and acceptances of expressive agents."""

from __future__ import annotations

from itertools import pairwise

from negoplatform.core.events import EventType, MessageSubtype, Preference, Relation
from negoplatform.domain.offer import Offer
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel
from negoplatform.strategies.expressive import (
    BuildingOffers,
    CompetitiveOffers,
    ConcedingOffers,
    ExpressiveAgentState,
    PlainWords,
    Policies,
)
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.games import burdens, categorical_only, coins_only, make_game, with_rules
from tests.strategies.expressive.table import Mixed, game, offered, quiet, seated

ALL = {"bananas": (4, 0), "grain": (5, 0), "wood": (3, 0), "spices": (3, 0)}


def offering(offers: ConcedingOffers) -> Policies:
    """Return policies of an agent that only responds, with these offers."""
    return quiet(offers=offers)


def worth(table: TrialTable, offer: Offer) -> float:
    return float(table.state.game.preferences["agent"].utility(offer))


def mind_at(table: TrialTable, policies: Policies | None = None) -> ExpressiveAgentState:
    return ExpressiveAgentState(table.context("agent"), policies or Policies())


def test_the_conceding_one_gives_way_by_a_step_each_time_that_it_is_refused() -> None:
    table = seated(offering(ConcedingOffers(start=1.0, step=0.2, least=0.3)), game("resource_exchange"))

    for _ in range(6):
        table.human.offers(ALL)
        table.wait(12)

    demands = [worth(table, event.get_offer()) for event in offered(table)]
    best, least = max(map(table.context("agent").utility, table.context("agent").outcomes())), 10
    steps = [least + gain * (best - least) for gain in (0.8, 0.6, 0.4, 0.3)]
    assert all(demand >= step for demand, step in zip(demands, steps, strict=False))
    assert demands[0] > demands[1] > demands[2] > demands[3]
    assert demands[0] < best


def test_what_it_has_come_down_to_it_accepts() -> None:
    table = seated(offering(ConcedingOffers(start=1.0, step=0.4, least=0.2)), game("resource_exchange"))
    table.human.offers(ALL)
    table.wait(12)
    asked = worth(table, offered(table)[-1].get_offer())

    table.human.offers(offered(table)[-1].get_offer())
    table.wait(12)

    assert asked < 50
    assert of(table, EventType.FORMAL_ACCEPT, "agent")


def test_the_competitive_one_wants_more_than_the_other() -> None:
    table = seated()
    mind = mind_at(table)
    ctx, offers = table.context("agent"), CompetitiveOffers(share=0.6)
    offers.begin(ctx, mind)
    offers.demand = 0.0

    for offer in ctx.outcomes():
        own, other = mind.deals.gain(ctx.utility(offer)), mind.deals.worth_to_others(offer)
        enough = (
            ctx.utility(offer) >= ctx.reservation_value and own >= 0.6 * (own + other) and own + other > 0
        )
        assert offers.accepts(ctx, mind, offer) is enough
    proposal = offers.proposal(ctx, mind)
    assert proposal is not None
    assert offers.accepts(ctx, mind, proposal)


class Boasting(PlainWords):
    """Words that claim 20 points without a deal."""

    def limit(self, highest: float) -> float:
        return 20


def test_the_competitive_one_takes_nothing_below_the_limit_that_it_presents() -> None:
    table = seated()
    mind = mind_at(table, Policies(words=Boasting()))
    ctx, offers = table.context("agent"), CompetitiveOffers(share=0.0)

    taken = {ctx.utility(offer) for offer in ctx.outcomes() if offers.accepts(ctx, mind, offer)}

    assert min(taken) >= 20
    assert ctx.reservation_value < 20


def test_shortly_before_the_end_the_competitive_one_takes_a_smaller_part() -> None:
    table = seated()
    table.wait(570)
    mind = mind_at(table, Policies(words=Boasting()))
    ctx, offers = table.context("agent"), CompetitiveOffers(share=0.9, final_share=0.3)

    taken = [offer for offer in ctx.outcomes() if offers.accepts(ctx, mind, offer)]

    assert min(map(ctx.utility, taken)) < 20
    assert all(ctx.utility(offer) >= ctx.reservation_value for offer in taken)


def test_the_building_one_settles_one_issue_and_goes_on_to_the_next() -> None:
    played = game("job_candidate")
    table = TrialTable(played, seed=3)
    table.seat(Mixed(offering(BuildingOffers())), "employer")
    candidate = table.participant("candidate")
    table.wait(5)
    candidate.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(6)
    for _ in range(8):
        standing = of(table, EventType.SEND_OFFER, "employer")[-1].get_offer()
        if played.is_complete(standing):
            break
        candidate.offers(standing)
        table.wait(6)

    offers = [event.get_offer() for event in of(table, EventType.SEND_OFFER, "employer")]
    assert [len(offer) for offer in offers] == [1, 2, 3, 4, 5, 6]
    for before, after in pairwise(offers):
        assert all(after.get(name) == term for name, term in before.terms)


def test_a_yes_in_words_to_a_part_is_built_upon_too() -> None:
    played = game("job_candidate")
    table = TrialTable(played, seed=3)
    table.seat(Mixed(offering(BuildingOffers())), "employer")
    table.wait(5)
    table.participant("candidate").says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(6)

    table.participant("candidate").says("Yes.", MessageSubtype.OFFER_ACCEPT)
    table.wait(9)

    first, second = (event.get_offer() for event in of(table, EventType.SEND_OFFER, "employer"))
    assert (len(first), len(second)) == (1, 2)
    assert second.get(first.issues[0]) == first.get(first.issues[0])
    assert of(table, EventType.FORMAL_ACCEPT) == []


def test_where_a_part_could_be_bound_the_building_one_proposes_the_whole() -> None:
    table = seated(offering(BuildingOffers()), with_rules(game("resource_exchange"), allow_partial=True))

    table.human.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
    table.wait(6)

    assert table.state.game.is_complete(offered(table)[-1].get_offer())


def test_a_partial_offer_is_completed_where_that_is_good_enough() -> None:
    table = seated(offering(ConcedingOffers()), game("resource_exchange"))

    table.human.offers(bananas=(1, 3))
    table.wait(5)

    offer = offered(table)[-1].get_offer()
    assert table.state.game.is_complete(offer)
    assert offer.units("bananas", "human") >= 1
    assert offer.units("bananas", "agent") >= 3


def test_a_chore_is_worth_less_to_the_other_the_more_of_it_there_is() -> None:
    table = TrialTable(burdens())
    ctx = table.context("agent")
    other = ExpressiveOpponentModel(ctx, "human")

    few, many = (other.estimate_utility(ctx.make_offer(chores={"human": n, "agent": 10 - n})) for n in (2, 8))

    assert few > many


def test_where_preferences_are_public_they_are_used_and_elsewhere_never_looked_at() -> None:
    tables = {"human": {"coins": [0, 9, 9, 9, 9]}, "agent": {"coins": list(range(5))}}
    (coins,) = coins_only().issues
    seen, hidden = (make_game(tables, issues=(coins,), visible=some) for some in (("human",), ()))

    estimates = []
    for played in (seen, hidden):
        ctx = TrialTable(played).context("agent")
        estimates.append(
            [
                ExpressiveOpponentModel(ctx, "human").estimate_utility(ctx.make_offer(coins=n))
                for n in range(5)
            ]
        )

    assert estimates[0] == [1, 1, 1, 1, 0]
    assert estimates[1] == [1, 0.75, 0.5, 0.25, 0]


def test_statements_weigh_the_issues_by_their_expected_places() -> None:
    other = ExpressiveOpponentModel(TrialTable(game()).context("agent"), "human")

    other.update_from_preference(Preference("firewood", Relation.BEST))
    other.update_from_preference(Preference("food", Relation.WORST))

    assert other.weights() == {"food": 1 / 6, "water": 2 / 6, "firewood": 3 / 6}


def test_without_a_fixed_pie_nothing_is_known_at_first() -> None:
    ctx = TrialTable(categorical_only()).context("agent")

    fixed, open_minded = (
        ExpressiveOpponentModel(ctx, "human"),
        ExpressiveOpponentModel(ctx, "human", fixed_pie=False),
    )

    assert fixed.estimate_utility(ctx.make_offer(colour="red", size="large")) == 1
    assert {open_minded.estimate_utility(offer) for offer in ctx.outcomes()} == {0.5}


def test_offers_correct_a_wrong_guess() -> None:
    ctx = TrialTable(categorical_only()).context("agent")
    other = ExpressiveOpponentModel(ctx, "human")
    liked = ctx.make_offer(colour="blue", size="small")
    before = other.estimate_utility(liked)

    for _ in range(8):
        other.update_from_offer(liked)

    assert before == 0
    assert other.estimate_utility(liked) > 0.6


def test_no_deal_below_no_deal_is_ever_found() -> None:
    ctx = seated(None, game("resource_exchange")).context("agent")
    mind = ExpressiveAgentState(ctx, Policies())

    found = mind.deals.best(-1000)

    assert found is not None
    assert ctx.utility(found) >= ctx.reservation_value
