"""Requests for an offer in a participant's session: the rule, and what a hurried hand sends."""

from __future__ import annotations

from typing import cast

import pytest

from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_rule_defaults import with_window_rules
from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.app.session.practice_session import practice_game
from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.practice_guide import practice_words
from negoplatform.testing import TrialTable
from tests.app.session.test_participant_controller import Now, happened
from tests.games import with_rules
from tests.inline_participant import AtOnce

FAIRER = Message("Can you make your offer fairer to me?", MessageSubtype.OFFER_REQUEST_NEG)
IN_RETURN = Message("What would you give me for this: 2 bananas for you?", MessageSubtype.OFFER_REQUEST_POS)


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def participant(table: TrialTable, now: Now) -> ParticipantController:
    table.start()
    return ParticipantController(cast("ParticipantSeat", AtOnce(table)), now=now)


def test_the_same_request_twice_within_two_seconds_is_sent_once(
    participant: ParticipantController, table: TrialTable, now: Now
) -> None:
    first = participant.send_offer_request(FAIRER)
    now.t += 1.9
    again = participant.send_offer_request(FAIRER)

    assert (first, again) == (True, False)
    assert happened(table) == ["SEND_MESSAGE"]


def test_a_request_is_sent_again_after_two_seconds_and_another_one_at_once(
    participant: ParticipantController, table: TrialTable, now: Now
) -> None:
    participant.send_offer_request(FAIRER)
    participant.send_offer_request(IN_RETURN)
    now.t += 2.1
    participant.send_offer_request(IN_RETURN)

    assert happened(table) == ["SEND_MESSAGE"] * 3


def test_a_phrase_of_the_same_words_is_no_repeat(
    participant: ParticipantController, table: TrialTable
) -> None:
    participant.send_offer_request(FAIRER)
    participant.send_message(FAIRER)

    assert happened(table) == ["SEND_MESSAGE"] * 2


@pytest.mark.parametrize(
    ("own", "asked", "found"), [(True, True, True), (True, False, False), (False, True, False)]
)
def test_the_command_line_can_only_leave_the_buttons_out(
    practice: GameSpec, own: bool, asked: bool, found: bool
) -> None:
    game = with_rules(practice, offer_requests=own)

    assert with_window_rules(game, "human", offer_requests=asked).rules.offer_requests is found


def test_the_guided_practice_has_no_such_buttons() -> None:
    game = practice_game(practice_words(ENGLISH), language="en", reads_talk=True)

    assert not game.rules.offer_requests
