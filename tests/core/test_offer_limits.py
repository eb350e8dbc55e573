"""Games that end by the number of their offers."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.core.events import EndedBy, EventType
from negoplatform.core.mechanisms.bargaining import bargaining_state
from negoplatform.core.mechanisms.bargaining_feature_vectors import OfferCount, bargaining_features
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.domain.game import LAST_ANSWER_SECONDS, Acceptance
from negoplatform.domain.no_deal import no_deal_value
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.testing import TrialTable
from tests.games import coins_only, three_seats
from tests.mechanisms.test_laws import violation

HALF = {"coins": (2, 2)}
MINE = {"coins": (4, 0)}


def table_with(offers: int, **rules: Any) -> TrialTable:
    """Return a started table of two seats with this number of offers."""
    table = TrialTable(coins_only(deadline_offers=offers, **rules))
    table.start()
    return table


def test_after_the_last_offer_no_other_is_legal_and_a_sentence_says_why() -> None:
    table = table_with(2)
    table.human.offers(MINE)
    before = table.context("agent")
    table.agent.offers(HALF)

    with pytest.raises(Refused, match="No offers are left in this game"):
        table.human.offers(HALF)

    after = table.context("human")
    assert before.may_move()
    assert EventType.SEND_OFFER in before.legal
    assert not after.may_move()
    assert after.legal == {EventType.OFFER_IN_PROGRESS, EventType.FORMAL_ACCEPT, EventType.FORMAL_QUIT}
    assert table.events[-1].type == EventType.ACTION_REFUSED


def test_the_last_offer_can_still_be_accepted() -> None:
    table = table_with(1, acceptance=Acceptance.MAKER_ACCEPTS)
    table.human.offers(HALF)
    table.wait(LAST_ANSWER_SECONDS - 1)

    table.agent.accepts()

    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_in_turns_the_last_offer_passes_the_turn_for_an_acceptance() -> None:
    table = table_with(2, turns=Turns.ALTERNATING, acceptance=Acceptance.MAKER_ACCEPTS)
    table.human.offers(MINE)
    table.agent.offers(HALF)

    legal = table.context("human").legal
    table.human.accepts()

    assert EventType.SEND_OFFER not in legal
    assert table.state.ending is not None
    assert table.state.ending.ended_by is EndedBy.AGREEMENT


def test_a_last_offer_without_an_answer_ends_the_game_by_timeout_after_a_minute() -> None:
    table = table_with(1)
    table.wait(7)
    offer = table.human.offers(HALF)

    table.play_out()

    end = next(event for event in table.events if event.type == EventType.GAME_END)
    assert end.t == offer.t + LAST_ANSWER_SECONDS
    assert end.payload.ended_by is EndedBy.TIMEOUT


def test_an_earlier_deadline_in_seconds_ends_the_game_first() -> None:
    table = table_with(1, deadline_seconds=30.0)
    table.human.offers(HALF)

    table.play_out()

    end = next(event for event in table.events if event.type == EventType.GAME_END)
    assert end.t == 30.0


def test_the_context_counts_the_offers_of_all_seats() -> None:
    table = TrialTable(three_seats(deadline_offers=4, deadline_seconds=100.0))
    table.start()
    seen = []
    for seat in ("red", "green", "blue", "red"):
        context = table.context(seat)
        seen.append((context.progress, context.remaining_offers))
        table.participant(seat).offers(coins=(2, 1, 1), colour="red")

    last = table.context("green")

    assert seen == [(0.0, 4), (0.25, 3), (0.5, 2), (0.75, 1)]
    assert (last.progress, last.remaining_offers) == (1.0, 0)


def test_without_the_rule_progress_is_the_time_and_nothing_without_any_deadline() -> None:
    timed, endless = TrialTable(coins_only(deadline_seconds=40.0)), TrialTable(coins_only())
    for table in (timed, endless):
        table.start()
        table.wait(10)
        table.human.offers(HALF)

    assert (timed.context("agent").progress, timed.context("agent").remaining_offers) == (0.25, None)
    assert (endless.context("agent").progress, endless.context("agent").remaining_offers) == (0.0, None)


def test_the_count_is_a_public_feature_of_games_with_the_rule_alone() -> None:
    table, other = table_with(3), TrialTable(coins_only())
    other.start()
    table.human.offers(HALF)

    shown = bargaining_features(table.state)[PLATFORM][-1]

    assert isinstance(shown, OfferCount)
    assert (shown.made, shown.left) == (1, 2)
    assert len(bargaining_features(other.state)[PLATFORM]) == 1


def test_a_refused_offer_does_not_count() -> None:
    table = table_with(2)
    with pytest.raises(NegoError):
        table.human.offers({"coins": (5, 5)})

    table.human.offers(HALF)

    assert bargaining_state(table.state).offer_count == 1
    assert table.context("agent").remaining_offers == 1


def test_no_deal_is_worth_the_reservation_value_once_the_offers_are_over() -> None:
    game = coins_only(deadline_offers=2)
    preferences = game.preferences["human"]

    assert no_deal_value(game, preferences, 5.0).timeout_value == preferences.reservation_value


def test_a_log_that_ends_before_the_last_answer_is_due_is_no_log_of_a_session() -> None:
    table = table_with(1)
    table.human.offers(HALF)
    table.play_out()
    at = next(i for i, event in enumerate(table.events) if event.type == EventType.GAME_END)
    whole, end = table.events[: at + 1], table.events[at]

    earlier = [event for event in whole if event.t < end.t - 1]
    forged = [*earlier, end._replace(seq=len(earlier) + 1, t=end.t - 1)]

    assert violation(table.state.game, whole) == ""
    assert violation(table.state.game, forged) == "the time was not up"
