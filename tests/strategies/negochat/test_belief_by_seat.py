"""Belief of NegoChat about several other seats."""

from __future__ import annotations

from random import Random

import pytest

from negoplatform.core.events import EventType
from negoplatform.core.record.notes_and_tasks import get_state
from negoplatform.domain.agreement_rules import Agreement
from negoplatform.domain.errors import AgentError
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.strategies.negochat.belief_by_seat import BeliefBySeat
from negoplatform.strategies.negochat.negotiation_model_builder import (
    NegotiationModel,
    NegotiationModelOptions,
    build_negotiation_model,
)
from negoplatform.testing import TrialTable
from tests.agents.seating import of, shipped
from tests.games import three_seats
from tests.many_seats import heirs

ALL_FOR_ROBIN = Offer(
    {
        "paintings": Allocation({"dana": 0, "robin": 6, "kim": 0}),
        "chairs": Allocation({"dana": 0, "robin": 4, "kim": 0}),
        "garden": "robin",
    }
)
EVEN = Offer(
    {
        "paintings": Allocation({"dana": 2, "robin": 2, "kim": 2}),
        "chairs": Allocation({"dana": 1, "robin": 1, "kim": 2}),
        "garden": "dana",
    }
)


def model_of(seat: str = "dana", **rules: object) -> NegotiationModel:
    """Return the model of a game of three heirs, for a seat that sees nothing of the others."""
    return build_negotiation_model(
        heirs(**rules).redacted_for([seat]), seat, NegotiationModelOptions(), Random(1)
    )


def belief_of(model: NegotiationModel) -> BeliefBySeat:
    """Return the belief about several seats."""
    assert isinstance(model.belief, BeliefBySeat)
    return model.belief


def bid(model: NegotiationModel, offer: Offer) -> tuple[int, ...]:
    """Return an offer as a bid of the model."""
    return tuple(level for _, level in sorted(model.space.terms(offer).items()))


def test_an_offer_of_one_seat_says_nothing_about_another() -> None:
    model = model_of()
    belief = belief_of(model)
    before = belief.by_seat["kim"].posterior

    belief.observe("robin")
    belief.observe_offer(bid(model, EVEN), 1)

    assert belief.by_seat["kim"].posterior == before
    assert belief.by_seat["robin"].posterior != before


def test_the_others_are_worth_what_the_worst_off_of_them_gets() -> None:
    model = model_of()

    joint = belief_of(model).type.utility

    assert joint.of(bid(model, ALL_FOR_ROBIN)) == 0, "kim gets nothing"
    assert joint.of(bid(model, EVEN)) > 0


def test_where_a_majority_is_enough_the_one_who_likes_it_counts() -> None:
    model = model_of(agreement=Agreement.MAJORITY)

    assert belief_of(model).type.utility.of(bid(model, ALL_FOR_ROBIN)) == 1


def test_a_seat_likes_the_value_that_names_it() -> None:
    model = model_of()
    of_robin = belief_of(model).by_seat["robin"].types[0].utility

    garden = model.space.issue("garden")
    worth = {
        str(value): of_robin.level_utility(garden, level)
        for level, value in enumerate(model.space.levels(garden))
    }

    assert worth["robin"] > 0
    assert worth["kim"] == worth["dana"] == 0


def test_its_notes_hold_what_it_believes_about_each() -> None:
    table = TrialTable(heirs())
    table.seat(shipped("negochat"), "kim")
    table.wait(2)
    table.participant("robin").offers(paintings=(1, 4, 1), chairs=(2, 1, 1), garden="dana")
    table.wait(10)

    noted = get_state(table.state.record)["notes"]["kim"]["belief"]["by_seat"]

    assert set(noted) == {"dana", "robin"}
    assert noted["dana"]["posterior"] != noted["robin"]["posterior"]


def test_preferences_that_are_shown_are_known_for_that_seat_alone() -> None:
    table = TrialTable(three_seats(visible=("red",)))
    table.seat(shipped("negochat"), "blue")
    table.wait(2)

    noted = get_state(table.state.record)["notes"]["blue"]["belief"]["by_seat"]

    assert noted["red"] == {"type": "known", "posterior": {"known": 1.0}}
    assert set(noted["green"]["posterior"]) == {"mirror", "even", "crossed"}


def test_thresholds_of_an_author_are_refused_in_a_sentence() -> None:
    agent = shipped("negochat", thresholds={"mirror": [10]})
    agent.agent_id = "dana"

    with pytest.raises(AgentError, match="are for games of two seats; heirs has 3"):
        agent.check_game(heirs())


def test_it_offers_what_all_can_accept() -> None:
    table = TrialTable(heirs())
    for seat in ("dana", "robin", "kim"):
        table.seat(shipped("qo_agent"), seat)

    table.wait(10)

    (first, *_) = of(table, EventType.SEND_OFFER)
    for seat in ("dana", "robin", "kim"):
        assert heirs().preferences[seat].utility(first.get_offer()) >= 4
