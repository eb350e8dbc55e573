"""Advice and teams in the words that a participant reads."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.agent_api.actions import FormalAccept, FormalQuit, SendMessage, SendOffer
from negoplatform.agent_api.offer_from_values import TermSpec
from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.app.session.participant_seat import ShownAdvice
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.advice_view import AdviceView, advice_view, no_advice_view
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.work_presenters import WORK_PRESENTERS
from negoplatform.testing import TrialTable

NAMES = {"dairy": "Sasha", "council": "Jules", "school": "Tal"}
PLAN: dict[str, TermSpec] = {"day": "Saturday", "fee": 60}


@pytest.fixture
def fair() -> GameSpec:
    """Game harvest_fair."""
    return find_game("harvest_fair", Path("nowhere"))


def shown(game: GameSpec, *steps: object, has_text: bool = False) -> AdviceView:
    table = TrialTable(game)
    table.start()
    advice = ShownAdvice(1, steps)  # type: ignore[arg-type]  # steps of a script
    return advice_view(advice, table.state, "orchard", NAMES, ENGLISH, has_text=has_text)


def test_an_offer_and_words_can_be_taken_over(fair: GameSpec) -> None:
    offer = TrialTable(fair).context("orchard").make_offer(PLAN)

    view = shown(fair, SendMessage("How about this?"), SendOffer(offer))

    assert view.lines == ("“How about this?”", "Offer: Day: Saturday; Stand fee: €60 (24.8 points)")
    assert (view.use_label, view.offer, view.text) == ("Use", offer, "How about this?")


def test_words_are_added_to_what_is_typed(fair: GameSpec) -> None:
    assert shown(fair, SendMessage("Yes."), has_text=True).use_label == "Add to my text"


def test_words_for_one_other_say_so(fair: GameSpec) -> None:
    assert shown(fair, SendMessage("Yes.", to=("dairy",))).lines == ("“Yes.” (only to Sasha)",)


@pytest.mark.parametrize(
    ("step", "sentence"),
    [
        (FormalAccept(), "Accept the offer on the table."),
        (FormalQuit(), "Walk away without a deal."),
    ],
    ids=["accept", "quit"],
)
def test_no_button_takes_over_what_binds(fair: GameSpec, step: object, sentence: str) -> None:
    view = shown(fair, step)

    assert view.lines == (sentence,)
    assert view.use_label == ""


@pytest.mark.parametrize(
    ("maker", "sentence"), [("council", "Accept Jules’s offer"), ("orchard", "Finalise the deal")]
)
def test_an_advised_acceptance_is_named_as_its_button_is(fair: GameSpec, maker: str, sentence: str) -> None:
    table = TrialTable(fair)
    table.start()
    table.participant(maker).offers(PLAN)

    view = advice_view(
        ShownAdvice(1, (FormalAccept(),)), table.state, "orchard", NAMES, ENGLISH, has_text=False
    )

    assert view.lines == (sentence,)


def test_long_advice_is_cut_on_the_card_and_complete_in_the_message_field(fair: GameSpec) -> None:
    view = shown(fair, *(SendMessage("x" * 2000) for _ in range(6)))

    assert [len(line) for line in view.lines] == [240] * 4 + [1]
    assert len(view.text) == 6 * 2000 + 5


def test_line_breaks_do_not_make_the_card_higher(fair: GameSpec) -> None:
    view = shown(fair, SendMessage("One." + "\n" * 200 + "Two.\u2028\tThree."))

    assert view.lines == ("“One. Two. Three.”",)


@pytest.mark.parametrize(
    ("has_stopped", "sentence"),
    [
        (False, "Your adviser has no new suggestion."),
        (True, "Your adviser has stopped. There will be no more suggestions."),
    ],
)
def test_an_adviser_without_advice_says_so(has_stopped: bool, sentence: str) -> None:
    view = no_advice_view(ENGLISH, has_stopped=has_stopped)

    assert (view.number, view.lines, view.use_label) == (0, (sentence,), "")


def test_the_table_and_the_rules_name_the_team(fair: GameSpec) -> None:
    table = TrialTable(fair)
    table.start()
    make_work = WORK_PRESENTERS[fair.mechanism]()
    presenter = TablePresenter("orchard", NAMES, ENGLISH, make_work)

    sentences = [text for _, texts in presenter.rules(fair).sections for text in texts]

    assert "Your team: you and Sasha (dairy)." in sentences
    assert "An agent of your team accepts an offer only when more than half of you want it." in sentences
