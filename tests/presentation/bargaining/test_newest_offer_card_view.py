"""The card of the newest offer: its state, and the actions that it allows."""

from __future__ import annotations

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.agreement_rules import Outvoted, Quota
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Offer
from negoplatform.presentation.bargaining.counter_offer_draft import CounterOfferDraft
from negoplatform.presentation.bargaining.draft_offer import Draft, DraftChange
from negoplatform.presentation.bargaining.newest_offer_card_view import CounterOfferView, NewestOfferCardView
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.offers.offer_valuation import NoDealComparison
from negoplatform.presentation.table.table_view import paused
from negoplatform.testing import TrialTable
from tests.games import three_seats, with_rules
from tests.presentation.bargaining_desk import BargainingDesk
from tests.presentation.rent_game import CAR, KEYS, PRICE, rent

DESK = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)
FAIR = {"bananas": (4, 0), "grain": (3, 2), "wood": (0, 3), "spices": (0, 3)}


def card(table: TrialTable, draft: Draft | None = None, began: int | None = None) -> NewestOfferCardView:
    """Return the card as the human sees it."""
    view = view_of(table.state, Observer("human"))
    shown = DESK.table(view, table.state.t, draft or Draft(table.state.game), counter_base_id=began).work.card
    assert shown is not None
    return shown


def counter(table: TrialTable, draft: Draft, began: int) -> CounterOfferView:
    shown = card(table, draft, began).counter
    assert shown is not None
    return shown


def test_before_the_first_offer_there_is_no_card(table: TrialTable) -> None:
    table.start()

    assert DESK.table(view_of(table.state, Observer("human")), 0.0, Draft(table.state.game)).work.card is None


def test_the_other_sides_offer_can_be_accepted_countered_and_declined(table: TrialTable) -> None:
    offer = table.agent.offers(FAIR)

    shown = card(table)

    assert (shown.seq, shown.status) == (offer.seq, "on the table")
    assert (shown.accept, shown.can_accept, shown.can_answer, shown.worse_than_no_deal) == (
        "Accept",
        True,
        True,
        False,
    )
    assert shown.hint == "It’s a deal once Rowan confirms it too."


@pytest.mark.parametrize("talk", [True, False])
def test_an_offer_is_declined_by_a_message_so_only_where_there_is_talk(game: GameSpec, talk: bool) -> None:
    table = TrialTable(with_rules(game, talk=talk))
    table.agent.offers(FAIR)

    shown = card(table)

    assert (shown.can_answer, shown.can_decline) == (True, talk)


def test_a_partial_offer_cannot_be_accepted_and_says_why(table: TrialTable) -> None:
    table.agent.offers(bananas=(2, 2))

    shown = card(table)

    assert (shown.can_accept, shown.can_answer) == (False, True)
    assert shown.hint == "This offer isn’t complete, so you can’t accept it yet."


def test_an_offer_below_no_deal_is_marked(table: TrialTable) -> None:
    table.agent.offers(bananas=(0, 4), grain=(3, 2), wood=(1, 2), spices=(0, 3))

    assert card(table).worse_than_no_deal


def test_a_declined_offer_stays_on_the_table_and_is_not_declined_twice(table: TrialTable) -> None:
    table.agent.offers(FAIR)
    table.human.says("No.", MessageSubtype.OFFER_REJECT)

    shown = card(table)

    assert (shown.declined, shown.can_accept) == (True, True)
    assert shown.hint == "You declined it. It’s still on the table."
    table.agent.offers(FAIR)
    assert not card(table).declined


def test_ones_own_offer_waits_and_is_finalised_once_it_was_accepted(table: TrialTable) -> None:
    offer = table.human.offers(FAIR)
    waiting = card(table)
    table.agent.says("No.", MessageSubtype.OFFER_REJECT)
    declined = card(table)
    table.agent.accepts(offer)
    accepted = card(table)

    assert (waiting.status, waiting.has_controls) == ("waiting for Rowan", False)
    assert (declined.status, declined.has_controls) == ("declined by Rowan", False)
    assert (accepted.status, accepted.accept) == ("accepted by Rowan", "Finalise the deal")
    assert (accepted.can_accept, accepted.can_answer) == (True, False)


def test_an_offer_that_was_accepted_waits_for_its_maker_and_is_the_deal_in_the_end(table: TrialTable) -> None:
    offer = table.agent.offers(FAIR)
    table.human.accepts(offer)
    waiting = card(table)
    table.agent.accepts(offer)

    assert (waiting.status, waiting.accept, waiting.can_answer) == ("accepted by you", "", False)
    assert waiting.hint == "It’s a deal once Rowan confirms it too."
    assert (card(table).status, card(table).has_controls) == ("your deal", False)


def test_after_walking_away_the_last_offer_is_no_deal(table: TrialTable) -> None:
    table.agent.offers(FAIR)
    table.human.quits()

    assert (card(table).status, card(table).has_controls) == ("no deal", False)


def test_while_the_session_stands_still_nothing_can_be_pressed(table: TrialTable) -> None:
    table.agent.offers(FAIR)
    view = DESK.table(view_of(table.state, Observer("human")), 0.0, Draft(table.state.game))

    shown = paused(view, ENGLISH).work.card

    assert shown is not None
    assert not shown.enabled
    assert shown.can_answer


# The counter-offer


@pytest.fixture
def flat() -> TrialTable:
    """Table at a game with all kinds of issue, where Rowan has made an offer."""
    table = TrialTable(rent())
    table.start()
    table.agent.offers(price=150, notice=1, car="without", keys=(1, 3))
    return table


def began(table: TrialTable) -> tuple[int, Draft]:
    """Return the newest offer's number, and a draft with its terms."""
    event = next(event for event in table.state.transcript.iter_backwards() if event.type == "SEND_OFFER")
    return event.seq, Draft(table.state.game).replaced_by(event.get_offer())


def test_a_counter_offer_begins_without_changes_and_cannot_be_sent_as_it_is(flat: TrialTable) -> None:
    offer, draft = began(flat)

    shown = counter(flat, draft, offer)

    assert (shown.heading, shown.theirs) == ("Your counter-offer", "Rowan’s offer: 13 points")
    assert shown.changes == ("", "", "", "")
    assert (shown.worth, shown.can_send, shown.notice) == ("13 points", False, "")
    assert shown.compared == "3 points better than no deal, as much as Rowan’s offer"


def test_what_differs_from_their_offer_is_marked_and_its_worth_is_live(flat: TrialTable) -> None:
    offer, draft = began(flat)
    draft = draft.move(KEYS, "agent", "human", 2).choose(CAR, "with").write(PRICE, "200")

    shown = counter(flat, draft, offer)

    assert shown.changes == ("Rowan offered €150", "", "Rowan offered without", "Rowan offered 1")
    assert (shown.worth, shown.can_send) == ("13 points", True)
    assert shown.versus is NoDealComparison.BETTER


def test_terms_that_their_offer_left_open_are_marked_too(flat: TrialTable) -> None:
    flat.agent.offers(price=150)
    offer, draft = began(flat)

    shown = counter(flat, draft.choose(CAR, "with"), offer)

    assert shown.changes == ("", "", "left open by Rowan", "")
    assert shown.worth == "16 to 27 points"
    assert shown.compared == "better than no deal in any case"


def test_an_offer_that_is_replaced_meanwhile_is_told_and_compared_with(flat: TrialTable) -> None:
    offer, draft = began(flat)
    flat.agent.offers(price=140, notice=1, car="without", keys=(1, 3))

    shown = counter(flat, draft, offer)

    assert shown.notice.startswith("Rowan has made a new offer. Your terms are kept")
    assert shown.changes == ("Rowan offered €140", "", "", "")


def test_once_ones_own_offer_stands_nothing_is_countered_any_more(flat: TrialTable) -> None:
    offer, draft = began(flat)
    flat.human.offers(draft.offer)

    assert card(flat, draft, offer).counter is None


class Held:
    """Draft that is changed from outside, as the screen does it."""

    def __init__(self, game: GameSpec) -> None:
        self.draft = Draft(game)

    def change(self, change: DraftChange, _typed: str = "", /) -> None:
        self.draft = change(self.draft)


def test_the_draft_of_before_comes_back_when_a_counter_offer_is_cancelled(flat: TrialTable) -> None:
    held = Held(flat.state.game)
    held.change(lambda draft: draft.choose(CAR, "with"))
    countering = CounterOfferDraft("human", on_change=held.change)

    opened = countering.open(flat.state, held.draft)
    inside = held.draft.offer
    held.change(lambda draft: draft.choose(CAR, None))
    cancelled = countering.cancel()

    assert (opened, cancelled, countering.base_offer_id) == (True, True, None)
    assert inside == began(flat)[1].offer
    assert held.draft.offer == Offer({"car": "with"})
    assert not countering.cancel()


def test_a_counter_offer_goes_on_over_a_new_offer_and_is_over_with_ones_own(flat: TrialTable) -> None:
    held = Held(flat.state.game)
    countering = CounterOfferDraft("human", on_change=held.change)
    countering.open(flat.state, held.draft)
    first = countering.base_offer_id
    flat.agent.offers(price=140, notice=1, car="without", keys=(1, 3))
    countering.update(flat.state)
    still = countering.base_offer_id

    flat.human.offers(held.draft.offer)
    countering.update(flat.state)

    assert first is not None
    assert (still, countering.base_offer_id) == (first, None)
    assert held.draft.offer.terms, "what was prepared stays in the builder"


def test_ones_own_offer_cannot_be_countered(flat: TrialTable) -> None:
    flat.human.offers(car="with")
    held = Held(flat.state.game)

    assert not CounterOfferDraft("human", on_change=held.change).open(flat.state, held.draft)
    assert held.draft == Draft(flat.state.game)


@pytest.mark.parametrize(
    ("outvoted", "status"), [(Outvoted.BOUND, "your deal"), (Outvoted.LEFT_OUT, "deal without you")]
)
def test_a_deal_is_shown_as_the_participants_unless_it_leaves_them_out(
    outvoted: Outvoted, status: str
) -> None:
    table = TrialTable(three_seats(agreement=Quota(2), outvoted=outvoted))
    offer = table.participant("green").offers(coins=(2, 1, 1), colour="red")
    table.participant("blue").accepts(offer)
    table.participant("green").accepts(offer)
    view = view_of(table.state, Observer("red"))
    presenter = BargainingDesk("red", {"green": "Ada", "blue": "Ben"}, ENGLISH)

    shown = presenter.table(view, table.state.t, Draft(table.state.game)).work.card

    assert shown is not None
    assert shown.status == status
