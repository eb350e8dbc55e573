"""Typed text for one of several others: the words are for them, an offer or acceptance for everyone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, Message
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.testing import TrialTable
from tests.inline_participant import AtOnce, participant_at
from tests.presentation.interpretation.typed_text import TypedAt
from tests.several_seats import others_of, village

SOME = Offer({"water": Allocation({"mill": 4, "farm": 1, "inn": 1})})


@pytest.fixture
def typed() -> TypedAt:
    """Participant who types, and talks to the farm alone."""
    game = village(3)
    table = TrialTable(game)
    typed = TypedAt(table, live=AtOnce(table, "mill"), names=others_of(game))
    typed.address = ("farm",)
    return typed


def addresses(typed: TypedAt) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield what the participant sent, and to whom."""
    sent: list[Event] = [event for event in typed.table.events if event.sender == "mill"]
    return ((str(event.type), event.to) for event in sent)


def test_talk_goes_to_the_chosen_one(typed: TypedAt) -> None:
    typed.types("Hello there")

    assert list(addresses(typed)) == [("SEND_MESSAGE", ("farm",))]


def test_who_gets_a_text_is_known_where_it_is_interpreted(typed: TypedAt) -> None:
    typed.types("You get 4 water")
    typed.address = ()
    typed.types("You get 4 water")

    assert typed.recipients == [("farm",), ()]


def test_enter_makes_no_private_words_public(typed: TypedAt) -> None:
    typed.types("4 water for me", offers=(SOME,), sure=0.95, plain=True)

    assert typed.heading == "Send this as an offer?"
    assert not typed.armed
    assert typed.shown is not None
    assert typed.shown.notes == "Only Robin gets your words, but an offer goes to everyone."


def test_the_words_of_an_offer_stay_private_and_the_offer_is_public(typed: TypedAt) -> None:
    typed.types("4 water for me", offers=(SOME,), sure=0.95, plain=True)

    typed.reader.confirm(0)

    assert list(addresses(typed)) == [("SEND_MESSAGE", ("farm",)), ("SEND_OFFER", ())]


def test_plain_words_that_are_only_said_end_the_question(typed: TypedAt) -> None:
    typed.types("4 water for me", offers=(SOME,), sure=0.95, plain=True)

    typed.reader.send_text_only()

    assert list(addresses(typed)) == [("SEND_MESSAGE", ("farm",))]
    assert typed.heading == ""


def test_doubtful_words_that_are_only_said_stay_private_when_their_offer_follows(typed: TypedAt) -> None:
    typed.types("4 water for me", offers=(SOME,), sure=0.95)
    typed.reader.send_text_only()

    typed.reader.confirm(0)

    assert list(addresses(typed)) == [("SEND_MESSAGE", ("farm",)), ("SEND_OFFER", ())]


def test_a_wish_is_said_to_the_chosen_one_at_once(typed: TypedAt) -> None:
    typed.wishes("I was hoping for 4 water", SOME)

    assert list(addresses(typed)) == [("SEND_MESSAGE", ("farm",))]
    assert typed.heading == "Send this as an offer?"


def test_a_yes_to_one_is_no_acceptance_before_a_click(typed: TypedAt) -> None:
    water, hours = dict.fromkeys(("mill", "farm", "inn"), 2), dict.fromkeys(("mill", "farm", "inn"), 1)
    typed.table.participant("farm").offers(water=water, hours=hours, place="Church")
    typed.look()
    typed.types("I accept", accepts=True, sure=0.95, plain=True)

    assert not typed.armed
    assert typed.shown is not None
    assert typed.shown.notes == "Only Robin gets your words, but everyone sees that you accept."
    typed.reader.confirm(0)
    assert list(addresses(typed)) == [("SEND_MESSAGE", ("farm",)), ("FORMAL_ACCEPT", ())]


def test_other_recipients_drop_what_waits_and_the_words_stay(typed: TypedAt) -> None:
    typed.types("4 water for me", offers=(SOME,), sure=0.95, plain=True)

    typed.address = ()
    typed.reader.on_address_changed()

    assert typed.heading == ""
    assert typed.spoken == []
    assert typed.notes()[-1]["verdict"] == "withdrawn"
    typed.types("4 water for me", offers=(SOME,), sure=0.95, plain=True)
    assert typed.armed


def test_other_recipients_leave_the_offer_of_words_that_were_said(typed: TypedAt) -> None:
    typed.wishes("I was hoping for 4 water", SOME)

    typed.address = ()
    typed.reader.on_address_changed()

    assert typed.heading == "Send this as an offer?"


class Listener(NegotiationAgent):
    """Agent that records the messages that it gets, and the offers that it reads in them."""

    def __init__(self) -> None:
        super().__init__("listener")
        self.heard: list[tuple[str, tuple[Offer, ...]]] = []

    def on_send_message(self, ctx: AgentContext, event: Event) -> None:
        self.heard.append((event.get_text(), () if ctx.reading is None else ctx.reading.offers))


def test_the_recipients_agent_reads_private_words_as_all_others_and_no_other_agent_gets_them() -> None:
    table, (farm, inn) = TrialTable(village(3)), (Listener(), Listener())
    table.seat(farm, at="farm")
    table.seat(inn, at="inn")
    table.wait(1)

    participant_at(AtOnce(table, "mill")).send_message(Message("I propose 4 water for me."), ("farm",))
    table.wait(2)

    wanted = Offer({"water": Allocation({"mill": 4}, undecided=2)})
    assert farm.heard == [("I propose 4 water for me.", (wanted,))]
    assert inn.heard == []
