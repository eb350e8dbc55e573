"""The guided practice: its steps follow what the participant does, and its partner says yes."""

from __future__ import annotations

import pytest

from negoplatform.app.session.practice_session import (
    OPENING_OFFER,
    PARTNER,
    PERSON,
    PracticePartner,
    complete_offer,
    practice_game,
)
from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.core.events import EndedBy
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import DialogueContext, parse
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.practice_guide import (
    GuideOptions,
    GuideView,
    PracticeStep,
    guide_view,
    practice_words,
)
from negoplatform.testing import TrialTable

WORDS = practice_words(ENGLISH)


def divided(apples: int, bananas: int, undecided: int = 0) -> Offer:
    return Offer(
        {
            "apples": Allocation({PERSON: apples, PARTNER: 4 - apples}),
            "bananas": Allocation({PERSON: bananas, PARTNER: 4 - bananas - undecided}, undecided=undecided),
        }
    )


class Practice:
    """Practice at a table whose clock the test controls."""

    def __init__(self, *, reads_talk: bool = True) -> None:
        self.guide = GuideOptions(lambda _step: None, reads_talk)
        self.table = TrialTable(practice_game(WORDS, language="en", reads_talk=reads_talk))
        self.table.seat(PracticePartner(WORDS, 2 if reads_talk else 1))

    def view(self, *, can_send: bool = False) -> GuideView:
        self.table.wait(5)
        return guide_view(
            self.table.state, PERSON, WORDS.partner, ENGLISH, can_send=can_send, guide=self.guide
        )

    def step(self) -> PracticeStep:
        return self.view().step

    def ended_by(self) -> str | None:
        self.table.wait(5)
        ending = self.table.state.ending
        return None if ending is None else ending.ended_by


def test_each_step_ends_with_what_the_person_does() -> None:
    practice = Practice()
    person = practice.table.human

    assert practice.step() is PracticeStep.HELLO
    person.says("hi")
    assert practice.step() is PracticeStep.OFFER
    person.offers(divided(3, 1))
    assert practice.step() is PracticeStep.WORDS
    person.offers(divided(4, 0))
    assert practice.step() is PracticeStep.ACCEPT
    person.accepts()
    assert practice.step() is PracticeStep.DONE


@pytest.mark.parametrize("step", [PracticeStep.HELLO, PracticeStep.OFFER, PracticeStep.WORDS])
def test_time_alone_ends_no_step(step: PracticeStep) -> None:
    practice = Practice()
    if step > PracticeStep.HELLO:
        practice.table.human.says("hi")
        practice.table.wait(5)
    if step > PracticeStep.OFFER:
        practice.table.human.offers(divided(3, 1))

    practice.table.wait(1800)

    assert practice.step() is step


@pytest.mark.parametrize("offer", [divided(4, 4), divided(0, 0), divided(2, 1, undecided=3)])
def test_whatever_is_offered_ends_in_a_deal(offer: Offer) -> None:
    practice = Practice()

    practice.table.human.offers(divided(3, 1))
    practice.table.wait(5)
    practice.table.human.offers(offer)
    assert practice.step() is PracticeStep.ACCEPT
    practice.table.human.accepts()

    assert practice.ended_by() is EndedBy.AGREEMENT


def test_the_first_offer_of_the_partner_can_be_accepted() -> None:
    practice = Practice()
    practice.table.human.says("hi")
    practice.table.wait(5)

    practice.table.human.accepts()

    assert practice.ended_by() is EndedBy.AGREEMENT
    assert practice.step() is PracticeStep.DONE


def test_where_typed_words_are_not_read_no_offer_is_typed() -> None:
    practice = Practice(reads_talk=False)

    first = practice.view().progress
    practice.table.human.says("שלום")
    practice.table.wait(5)
    practice.table.human.offers(divided(3, 1))

    assert first == "Practice · 1 of 3"
    assert practice.view().progress == "Practice · 3 of 3"
    assert practice.step() is PracticeStep.ACCEPT


def test_what_is_asked_for_next_is_framed() -> None:
    practice = Practice()
    practice.table.human.says("hi")

    building, ready = practice.view(), practice.view(can_send=True)

    assert building.targets[0] == "apples.human.more"
    assert ready.targets[0] == "send_offer"


def test_an_offer_is_completed_in_favour_of_the_participant() -> None:
    assert complete_offer(Offer({"apples": Allocation({PERSON: 1}, undecided=3)})) == divided(4, 4)
    assert complete_offer(OPENING_OFFER) == OPENING_OFFER


def test_the_offer_that_the_practice_proposes_to_type_is_complete_and_good() -> None:
    game = practice_game(WORDS, language="en", reads_talk=True)

    assert "I get 4 apples and you get 4 bananas" in guide_text(PracticeStep.WORDS)
    assert game.is_complete(divided(4, 0))
    assert game.preferences[PERSON].utility(divided(4, 0)) > game.preferences[PERSON].utility(divided(3, 1))


def guide_text(step: PracticeStep) -> str:
    practice = Practice()
    practice.table.human.offers(divided(3, 1))
    assert practice.step() is step
    return practice.view().text


def test_a_german_practice_reads_the_offer_that_it_proposes_to_type() -> None:
    game = with_localized_names(practice_game(WORDS, language="de", reads_talk=True), "de")

    reading = parse(
        "Ich bekomme 4 Äpfel und Sie bekommen 4 Bananen",
        DialogueContext(game, PERSON, language=game.rules.effective_reading_language),
    )

    assert reading.plain
    assert reading.offer == Offer(
        {"apples": Allocation({PERSON: 4, PARTNER: 0}), "bananas": Allocation({PERSON: 0, PARTNER: 4})}
    )
