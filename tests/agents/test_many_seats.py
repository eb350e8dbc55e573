"""Shipped agents at tables of three, four and eight seats: who answers an offer, and who accepts it."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.offer_from_values import TermSpec
from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.domain.agreement_rules import Turns
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind
from tests.agents.seating import BIDDERS, below_reservation, of, shipped
from tests.many_seats import EVERY_GAME, heirs

Terms = dict[str, TermSpec]

VOICES = {"fair": "neutral", "negochat": "warm"}

OFFERERS = tuple(name for name in BIDDERS if name != "fair")
"""Bidders that do not talk."""

ALL_FOR_DANA: Terms = {"paintings": (6, 0, 0), "chairs": (4, 0, 0), "garden": "dana"}
NOTHING_FOR_DANA: Terms = {"paintings": (0, 3, 3), "chairs": (0, 2, 2), "garden": "kim"}
BAD_FOR_KIM: Terms = {"paintings": (2, 4, 0), "chairs": (1, 3, 0), "garden": "robin"}


def heirs_with(**agents: str) -> TrialTable:
    """Return a table of three heirs with an agent in each of some seats; the others are scripted."""
    table = TrialTable(heirs())
    for seat, name in agents.items():
        table.seat(shipped(name), seat)
    return table


def makers(table: TrialTable) -> list[str]:
    """Return the seats that have made offers, in order."""
    return [event.sender for event in of(table, EventType.SEND_OFFER)]


@pytest.mark.parametrize("game", EVERY_GAME)
@pytest.mark.parametrize("name", OFFERERS)
def test_offers_are_answered_one_by_one_at_every_table(name: str, game: str) -> None:
    table = TrialTable(EVERY_GAME[game]())
    for seat in table.state.game.seats:
        table.seat(shipped(name), seat)

    table.wait(310)

    assert of(table, EventType.AGENT_FAILED) == []
    assert len(of(table, EventType.SEND_OFFER)) <= 210, "one answer at a time, each after a second and a half"
    assert len(of(table, EventType.ACTION_REFUSED)) <= 2
    for seat in table.state.game.seats:
        assert below_reservation(table, seat) == []


@pytest.mark.parametrize("name", OFFERERS)
def test_only_one_of_several_opens(name: str) -> None:
    table = heirs_with(robin=name, kim=name)

    table.wait(1.9)

    assert makers(table) == ["robin"]


@pytest.mark.parametrize("name", OFFERERS)
def test_a_greeting_without_an_offer_speaks_of_none(name: str) -> None:
    table = heirs_with(robin=name, kim=name)
    taking_turns = TrialTable(heirs(turns=Turns.ALTERNATING))
    taking_turns.seat(shipped(name), "kim")

    for each in (table, taking_turns):
        each.wait(1)
        assert {event.get_text() for event in of(each, EventType.SEND_MESSAGE)} == {"Hello!"}


@pytest.mark.parametrize("name", OFFERERS)
def test_an_offer_is_answered_by_the_next_seat_alone(name: str) -> None:
    table = heirs_with(robin=name, kim=name)
    table.start()

    table.participant("dana").offers(ALL_FOR_DANA)
    table.wait(2.4)

    assert makers(table) == ["dana", "robin"]


def test_nobody_replaces_its_own_offer_before_all_others_could_answer_it() -> None:
    alone, beside = heirs_with(robin="linear"), heirs_with(robin="linear", kim="fair")

    for table in (alone, beside):
        table.start()
        table.wait(150)

    times = [event.t for event in of(alone, EventType.SEND_OFFER)]
    assert 2 <= len(times) <= 5, "33 seconds apart"
    assert set(makers(beside)) == {"robin", "kim"}


def test_once_the_next_seat_accepts_the_one_after_it_answers() -> None:
    table = heirs_with(kim="boulware")
    table.start()
    table.participant("dana").offers(BAD_FOR_KIM)
    table.wait(2)
    before = makers(table)

    table.participant("robin").accepts()
    table.wait(2)

    assert before == ["dana"], "it is robin who answers first"
    assert makers(table) == ["dana", "kim"]


def test_a_seat_that_is_silent_is_passed_over() -> None:
    table = heirs_with(kim="boulware")
    table.start()

    table.participant("dana").offers(BAD_FOR_KIM)
    table.wait(24)
    waiting = makers(table)
    table.wait(8)

    assert waiting == ["dana"]
    assert makers(table)[:2] == ["dana", "kim"]


def test_a_seat_that_types_is_not_silent() -> None:
    table = heirs_with(kim="boulware")
    table.start()
    table.participant("dana").offers(BAD_FOR_KIM)

    for _ in range(5):
        table.wait(10)
        table.participant("robin").types()

    assert makers(table) == ["dana"]


def test_a_good_offer_is_accepted_in_the_order_of_the_seats_and_confirmed_at_last() -> None:
    table = heirs_with(robin="conceder", kim="conceder")
    table.start()
    table.wait(120)
    last = len(table.events)
    table.participant("dana").offers(NOTHING_FOR_DANA)
    table.wait(5)

    accepted = [event.sender for event in table.events[last:] if event.type == EventType.FORMAL_ACCEPT]
    assert accepted == ["robin", "kim"]
    assert of(table, EventType.ACTION_REFUSED) == []


def test_its_own_offer_is_confirmed_only_when_nobody_else_is_missing() -> None:
    table = heirs_with(dana="boulware")
    table.wait(2)

    table.participant("robin").accepts()
    table.wait(3)
    early = [event.sender for event in of(table, EventType.FORMAL_ACCEPT)]
    table.participant("kim").accepts()
    table.wait(3)

    assert early == ["robin"]
    assert [event.sender for event in of(table, EventType.FORMAL_ACCEPT)] == ["robin", "kim", "dana"]


@pytest.mark.parametrize("name", ["fair", "negochat"])
def test_a_reminder_does_not_say_that_one_acceptance_is_missing_where_several_are(name: str) -> None:
    table = heirs_with(kim=name)
    table.start()
    table.participant("dana").offers({"paintings": (0, 0, 6), "chairs": (0, 0, 4), "garden": "kim"})
    table.wait(60)
    for _ in range(2):
        table.participant("robin").says("Kim, do we have a deal?", MessageSubtype.OFFER_ACCEPT)
        table.wait(30)

    assert [event.sender for event in of(table, EventType.FORMAL_ACCEPT)] == ["kim"]
    written = [event.get_text() or "" for event in of(table, EventType.SEND_MESSAGE) if event.sender == "kim"]
    said = [text[:1].upper() + text[1:] for text in (one.removeprefix("Robin, ") for one in written)]
    assert [text for text in said if has_kind(text, "several_missing", VOICES[name])], said
    assert not [text for text in said if has_kind(text, "yours_missing", VOICES[name])]
