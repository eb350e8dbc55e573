"""Favours, kept from round to round."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.strategies.dialogue.opponent_model import LevelTables
from negoplatform.strategies.expressive import Behaviour, ConcedingOffers, FavourPolicy, Ledger, Policies
from negoplatform.strategies.expressive.favour_ledger import FAVOUR_VALUE, is_important
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.strategies.expressive.table import Mixed, comes_from, game, notes, seated, words

DULL: LevelTables = {"a": {0: 0.0, 1: 3.0}, "b": {0: 0.0, 1: 2.0}}
IMPORTANT: LevelTables = {"a": {0: 0.0, 1: 4.0}, "b": {0: 0.0, 1: 2.0}}


def test_a_game_is_important_if_one_issue_stands_out() -> None:
    assert is_important(IMPORTANT)
    assert not is_important(DULL), "1.5 times is not more than 1.5 times"
    assert is_important({"alone": {0: 0.0, 1: 1.0}})


def round_of(
    ledger: Ledger, *, asked: bool = False, granted: bool = False, deal: tuple[float, float] | None
) -> None:
    """Record one round with its deal and its favour."""
    ledger.begin()
    if asked:
        ledger.handle_request()
    if granted:
        ledger.record_granted()
    ledger.close_round(*(deal or (None, 0.5)))


def test_the_fair_one_does_a_favour_in_advance_and_no_second_one_before_it_is_returned() -> None:
    ledger = Ledger("fair")
    ledger.begin()

    assert ledger.handle_request()
    assert ledger.bonus == -FAVOUR_VALUE
    ledger.close_round(0.3, 0.7)
    ledger.begin()
    assert ledger.done == 1
    assert not ledger.handle_request()

    round_of(ledger, granted=True, deal=(0.8, 0.4))
    assert ledger.done == 0
    ledger.begin()
    assert ledger.handle_request()


def test_the_fair_one_returns_a_favour_of_its_own_accord_in_a_game_that_is_not_important() -> None:
    ledger = Ledger("fair")
    round_of(ledger, granted=True, deal=(0.8, 0.4))
    ledger.begin()

    assert not ledger.decide_return(IMPORTANT)
    assert ledger.decide_return(DULL)
    ledger.close_round(0.4, 0.6)
    assert ledger.done == 0


def test_the_fair_one_asks_only_in_important_games_and_not_while_it_owes_one() -> None:
    ledger = Ledger("fair")
    ledger.begin()

    assert not ledger.should_request(DULL)
    assert ledger.should_request(IMPORTANT)
    assert not ledger.should_request(IMPORTANT), "once a round"

    round_of(ledger, granted=True, deal=(0.8, 0.4))
    ledger.begin()
    assert not ledger.should_request(IMPORTANT)


def test_the_limited_one_does_a_favour_only_for_one_that_it_got() -> None:
    ledger = Ledger("limited")
    ledger.begin()

    assert not ledger.handle_request()
    round_of(ledger, granted=True, deal=(0.8, 0.4))
    ledger.begin()
    assert not ledger.decide_return(DULL), "it waits to be asked"
    assert ledger.handle_request()


def test_the_betraying_one_promises_everything_and_does_nothing() -> None:
    ledger = Ledger("betraying")
    ledger.begin()

    assert ledger.handle_request()
    assert ledger.bonus == 0
    round_of(ledger, granted=True, deal=(0.8, 0.4))
    ledger.begin()
    assert not ledger.decide_return(DULL)
    assert ledger.should_request(DULL)


def test_a_favour_that_was_promised_and_not_done_is_remembered() -> None:
    ledger = Ledger("fair")

    round_of(ledger, granted=True, deal=(0.4, 0.6))

    assert (ledger.done, ledger.broken) == (0, 1)
    ledger.begin()
    assert not ledger.handle_request()


def test_words_offers_and_deals_are_counted_apart() -> None:
    ledger = Ledger("fair")
    ledger.begin()
    ledger.handle_request()

    assert (ledger.promised, ledger.offered, ledger.done) == (1, 0, 0)
    ledger.record_offer(0.4, 0.6, by_other=False)
    assert (ledger.promised, ledger.offered, ledger.done) == (1, 1, 0)
    ledger.close_round(0.4, 0.6)
    ledger.begin()
    assert (ledger.promised, ledger.offered, ledger.done) == (0, 0, 1)


def test_without_a_deal_nothing_was_done_and_nothing_broken() -> None:
    ledger = Ledger("fair")

    round_of(ledger, asked=True, granted=True, deal=None)

    assert (ledger.done, ledger.broken) == (0, 0)


def favouring(way: str) -> Policies:
    quiet = Behaviour(opens_after=500, asks=False, prompts=0, ledger=Ledger(way))
    return Policies(ConcedingOffers(start=0.7, step=0), behaviour=quiet)


def round_with(agent: NegotiationAgent) -> TrialTable:
    """Play a round in which the person asks for a favour and accepts the agent's offer."""
    agent.reset()
    table = TrialTable(game("resource_exchange"), seed=3)
    table.seat(agent)
    table.wait(5)
    table.human.says("Would you do me a favour?", MessageSubtype.FAVOR_REQUEST)
    table.wait(9)
    if of(table, EventType.SEND_OFFER, "agent"):
        table.human.accepts()
    table.wait(20)
    return table


def answers(table: TrialTable) -> list[MessageSubtype]:
    return [
        event.payload.subtype
        for event in of(table, EventType.SEND_MESSAGE, "agent")
        if event.payload.subtype.startswith("FAVOR")
    ]


def test_the_memory_of_a_favour_survives_the_round() -> None:
    agent = Mixed(favouring("fair"))

    first, second = round_with(agent), round_with(agent)

    assert answers(first)[-1] is MessageSubtype.FAVOR_ACCEPT
    assert first.state.ending is not None
    assert answers(second)[-1] is MessageSubtype.FAVOR_REJECT
    assert agent.mixed.behaviour.ledger.done == 1


@pytest.mark.parametrize(("way", "lies"), [("fair", 0), ("betraying", 1)])
def test_a_promise_that_will_not_be_kept_is_marked_as_a_lie(way: str, lies: int) -> None:
    table = seated(favouring(way), game("resource_exchange"))

    table.human.says("Would you do me a favour?", MessageSubtype.FAVOR_REQUEST)
    table.wait(9)

    assert answers(table)[-1] is MessageSubtype.FAVOR_ACCEPT
    assert [lie["about"] for lie in notes(table, "lie")] == ["favour"] * lies
    assert notes(table, "ledger")[-1]["said"] == 1


def test_a_favour_is_in_the_offer() -> None:
    asked, plain = (seated(favouring("fair"), game("resource_exchange")) for _ in range(2))
    asked.human.says("Would you do me a favour?", MessageSubtype.FAVOR_REQUEST)
    plain.human.says("Your offer?", MessageSubtype.OFFER_REQUEST_POS)
    for table in (asked, plain):
        table.wait(9)

    worth = asked.state.game.preferences["agent"].utility
    with_favour, without = (
        worth(of(table, EventType.SEND_OFFER, "agent")[-1].get_offer()) for table in (asked, plain)
    )
    assert with_favour < without


def test_ways_are_named() -> None:
    assert [Ledger(way).way for way in ("none", "fair", "limited", "betraying")] == list(FavourPolicy)
    with pytest.raises(ValueError, match="generous"):
        Ledger("generous")


def ledger_with(way: str, *, done: int = 0, broken: int = 0) -> Ledger:
    ledger = Ledger(way)
    ledger.done, ledger.broken = done, broken
    return ledger


@pytest.mark.parametrize(
    ("way", "counts", "kind"),
    [
        ("none", {}, "favor_reject"),
        ("limited", {}, "favor_reject_first"),
        ("limited", {"done": 1}, "favor_reject_owed"),
        ("fair", {"done": 1}, "favor_reject_owed"),
        ("fair", {"broken": 1}, "favor_reject_broken"),
        ("fair", {}, "favor_accept"),
        ("fair", {"done": -1}, "favor_return"),
        ("limited", {"done": -1}, "favor_return"),
    ],
)
def test_what_it_says_to_a_request_is_what_its_ledger_says(
    way: str, counts: dict[str, int], kind: str
) -> None:
    ledger = ledger_with(way, **counts)
    behaviour = Behaviour(opens_after=500, asks=False, prompts=0, ledger=ledger)
    table = seated(Policies(behaviour=behaviour))

    table.human.says("Would you do me a favour?", MessageSubtype.FAVOR_REQUEST)
    table.wait(6)

    assert comes_from(words(table)[1], kind), words(table)


def test_the_betraying_one_that_asks_for_a_favour_lies_about_returning_it() -> None:
    behaviour = Behaviour(opens_after=20, asks=False, prompts=0, ledger=Ledger("betraying"))
    table = seated(Policies(behaviour=behaviour))

    table.wait(14)

    assert answers(table) == [MessageSubtype.FAVOR_REQUEST]
    assert [lie["about"] for lie in notes(table, "lie")] == ["favour"]


def test_a_subclass_may_use_the_names_of_agent_api_1_0() -> None:
    class Tired:
        def why_not(self) -> str:
            return "tired"

    class Generous(Tired, Ledger):
        def is_asked(self) -> bool:
            self.said += 1
            return super().is_asked() or self.asked  # type: ignore[misc]  # a type checker knows only the present names

    ledger = Generous("none")

    assert (ledger.handle_request(), ledger.refusal_reason(), ledger.why_not()) == (False, "tired", "tired")
    ledger.asked = True
    assert ledger.handle_request()
    assert (ledger.promised, ledger.has_requested) == (2, True)
