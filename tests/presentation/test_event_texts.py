"""Texts of single events, for an observer and for each seat."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from negoplatform.core.events import (
    Accepted,
    Announced,
    Drafting,
    EndedBy,
    Ending,
    Event,
    EventType,
    Expression,
    ExpressionShown,
    Failure,
    Message,
    Note,
    OfferMade,
    Refusal,
    Resumed,
    Tick,
    Typing,
)
from negoplatform.core.immutable.frozen_json import FrozenJson
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind, StateProposal
from negoplatform.domain.agreement_rules import Outvoted
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat_map import PLATFORM
from negoplatform.presentation.event_texts import event_text
from negoplatform.presentation.i18n import ENGLISH

ALL_NAMES = {"human": "P01", "agent": "Robin"}


def event(kind: str, payload: object, sender: str = PLATFORM, to: tuple[str, ...] = ()) -> Event:
    return Event(7, 3.0, kind, sender, payload, to=to)


QUIT = event(EventType.FORMAL_QUIT, None, "agent")
REFUSED = event(EventType.ACTION_REFUSED, Refusal("SEND_OFFER", "Too late."), to=("human",))
LEFT = event(EventType.GAME_END, Ending(EndedBy.QUIT, "agent"))

ONLY_OBSERVED = [
    event(EventType.AGENT_FAILED, Failure("agent", "It raised ValueError.", 1)),
    event(EventType.NOTE, Note(NoteKind.AGENT_RESTARTED, MappingProxyType({"seat": "agent"}))),
    event(EventType.TYPING, Typing(), "agent"),
    event(EventType.OFFER_IN_PROGRESS, Drafting(), "agent"),
    event(EventType.TIME, Tick(3.0, None)),
    event("tax_law", Announced('{"rate": 2}')),
    event(EventType.RESUMED, Resumed()),
]
"""Events without a line in a participant's transcript."""

READ_BY_ALL = [
    event(EventType.SEND_MESSAGE, Message("Hello"), "agent"),
    event(EventType.SEND_OFFER, OfferMade(Offer({"day": "Sunday"})), "agent"),
    event(EventType.SEND_EXPRESSION, ExpressionShown(Expression.HAPPY, 2000), "agent"),
    event(EventType.FORMAL_ACCEPT, Accepted(5), "agent"),
    event(EventType.GAME_START, None),
    QUIT,
    REFUSED,
    LEFT,
]


@pytest.mark.parametrize("each", [*ONLY_OBSERVED, *READ_BY_ALL], ids=lambda each: str(each.type))
def test_an_observer_reads_words_about_every_event(each: Event) -> None:
    assert event_text(each, None, ALL_NAMES, ENGLISH) not in ("", str(each.type))


@pytest.mark.parametrize("each", ONLY_OBSERVED, ids=lambda each: str(each.type))
def test_a_participant_reads_nothing_about_what_only_the_log_holds(each: Event) -> None:
    assert event_text(each, "human", {"agent": "Robin"}, ENGLISH) == ""


@pytest.mark.parametrize("each", READ_BY_ALL, ids=lambda each: str(each.type))
def test_a_participant_reads_what_happens_at_the_table(each: Event) -> None:
    assert event_text(each, "human", {"agent": "Robin"}, ENGLISH)


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"mandate": {"reservation_value": 14}}, "head gives Robin a mandate: reservation value 14"),
        ({"info": {"text": "Be tough."}}, "head gives Robin a command"),
        ({"mandate": {"reservation_value": 14}, "actions": [{"do": "accept"}]}, "head gives Robin a command"),
    ],
)
def test_an_observer_reads_the_values_of_a_mandate(form: dict[str, object], words: str) -> None:
    commands = FrozenJson({"commands": {"head": {"1": {"to": "agent", **form}}}})
    given = StateProposal(Proposer(ProposerKind.PRINCIPAL, "head"), 0, commands, accepted=True)

    assert event_text(event(EventType.STATE_PROPOSED, given), None, ALL_NAMES, ENGLISH) == words


def test_the_same_event_reads_by_the_seat_of_its_reader() -> None:
    readers = [("human", {"agent": "Robin"}), ("agent", {"human": "Participant"}), (None, ALL_NAMES)]

    assert [[event_text(each, *reader, ENGLISH) for reader in readers] for each in (QUIT, LEFT, REFUSED)] == [
        ["Robin walks away", "You walk away", "Robin walks away"],
        ["The other side walked away: no deal", "You walked away: no deal", "Robin walked away: no deal"],
        ["Too late.", "Too late.", "Refused for P01: Too late."],
    ]


@pytest.mark.parametrize(
    ("outvoted", "of_blue", "of_all"),
    [
        (
            Outvoted.BOUND,
            "Ada and Ben have a deal that counts for you too",
            "Ada and Ben have a deal that counts for Cleo too",
        ),
        (
            Outvoted.LEFT_OUT,
            "Ada and Ben have a deal without you",
            "Ada and Ben have a deal without Cleo",
        ),
    ],
)
def test_a_deal_that_not_all_signed_says_who_did_and_what_it_means_for_the_others(
    outvoted: Outvoted, of_blue: str, of_all: str
) -> None:
    names = {"red": "Ada", "green": "Ben", "blue": "Cleo"}
    deal = Offer({"colour": "red"})
    end = event(EventType.GAME_END, Ending(EndedBy.AGREEMENT, "red", deal, 5, signed_by=("red", "green")))

    texts = [
        event_text(end, seat, {s: n for s, n in names.items() if s != seat}, ENGLISH, outvoted=outvoted)
        for seat in ("red", "blue", None)
    ]

    assert texts == ["You have a deal with Ben", of_blue, of_all]
