"""Requests for an offer, computed without a window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.core.events import Message, MessageSubtype
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.games import load_game
from negoplatform.language import DialogueContext, parse_message
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_request_view import OfferRequestsView, offer_requests_view
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.table.table_view import paused
from negoplatform.testing import TrialTable
from tests.games import with_rules
from tests.language.generation.test_offer_requests import SHIPPED, random_draft
from tests.presentation.bargaining_desk import BargainingDesk

PART = Offer({"apples": Allocation({"agent": 2}, 4)})
WHOLE = Offer({"apples": Allocation({"human": 4, "agent": 2}), "day": "Sunday"})


@pytest.fixture
def table(practice: GameSpec) -> TrialTable:
    table = TrialTable(practice)
    table.start()
    return table


def shown(
    table: TrialTable, offer: Offer | None = None, translate: Language = ENGLISH
) -> OfferRequestsView | None:
    """Return the requests as the human sees them, with a draft of these terms."""
    state = view_of(table.state, Observer("human")).state
    draft = Draft(state.game) if offer is None else Draft(state.game, offer)
    return offer_requests_view(state, "human", draft, translate)


def requests(table: TrialTable, offer: Offer | None = None) -> tuple[Message | None, Message | None]:
    """Return the messages of both requests; None for a disabled one."""
    view = shown(table, offer)
    assert view is not None
    return view.in_return.message, view.fairer.message


def test_an_empty_draft_asks_for_nothing(table: TrialTable) -> None:
    assert requests(table) == (None, None)


def test_a_draft_asks_what_the_other_side_would_give_for_its_terms(table: TrialTable) -> None:
    assert requests(table, PART) == (
        Message("What would you give me for this: 2 apples for you?", MessageSubtype.OFFER_REQUEST_POS),
        None,
    )


def test_a_draft_with_an_invalid_number_asks_for_nothing(table: TrialTable) -> None:
    state = view_of(table.state, Observer("human")).state
    draft = Draft(state.game, PART, invalid_entries=(("apples", "many"),))

    view = offer_requests_view(state, "human", draft, ENGLISH)

    assert view is not None
    assert view.in_return.message is None


def test_an_offer_of_the_other_side_can_be_asked_to_be_fairer(table: TrialTable) -> None:
    table.agent.offers(WHOLE)

    assert requests(table)[1] == Message(
        "Can you make your offer fairer to me?", MessageSubtype.OFFER_REQUEST_NEG
    )


def test_before_any_offer_a_complete_draft_can_be_asked_to_be_fairer(table: TrialTable) -> None:
    text = "Can you make this fairer to me: 4 apples for me, 2 apples for you and picking on Sunday?"

    assert requests(table, WHOLE)[1] == Message(text, MessageSubtype.OFFER_REQUEST_NEG)


def test_nobody_is_asked_to_make_the_participants_own_offer_fairer(table: TrialTable) -> None:
    table.human.offers(WHOLE)

    in_return, fairer = requests(table, WHOLE)

    assert in_return is not None
    assert fairer is None


def test_every_disabled_request_says_why(table: TrialTable) -> None:
    empty = shown(table)
    table.human.offers(WHOLE)
    own = shown(table, PART)

    assert empty is not None
    assert own is not None
    assert empty.in_return.hint == "First decide something in the builder."
    assert empty.fairer.hint == "There’s no offer yet, and your draft isn’t complete."
    assert own.fairer.hint == "Your own offer is on the table now."


def test_nothing_can_be_asked_after_the_end_or_in_a_pause(table: TrialTable) -> None:
    table.agent.offers(WHOLE)
    presenter = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)
    state = view_of(table.state, Observer("human"))
    frozen = paused(
        presenter.table(state, 0.0, Draft(state.state.game, WHOLE)), ENGLISH
    ).work.builder.requests
    table.agent.quits()

    assert frozen is not None
    assert (frozen.in_return.message, frozen.fairer.message) == (None, None)
    assert requests(table, WHOLE) == (None, None)


@pytest.mark.parametrize("rule", ["offer_requests", "talk"])
def test_a_rule_of_the_game_leaves_the_requests_out(practice: GameSpec, rule: str) -> None:
    table = TrialTable(with_rules(practice, **{rule: False}))
    table.start()

    assert shown(table, WHOLE) is None


@pytest.mark.parametrize("language", ["en", "de", "he"])
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name + path.stem)
def test_the_terms_of_a_request_are_read_exactly_in_a_window_of_any_language(
    path: Path, language: str
) -> None:
    game, rng = load_game(path).resolve_profiles(1), Random(path.stem)
    rules = replace(game.rules, reading_language="" if language == "en" else language)
    game = with_localized_names(replace(game, rules=rules), language)
    translate = Language.load(language).for_game(game.name)
    table = TrialTable(game)
    table.start()

    for _ in range(40):
        seat, draft = rng.choice(game.seats), random_draft(game, rng)
        state = view_of(table.state, Observer(seat)).state
        view = offer_requests_view(state, seat, Draft(game, draft), translate)

        assert view is not None
        assert view.in_return.message is not None
        reading = parse_message(view.in_return.message, DialogueContext(game, seat, language=language))
        assert reading.offers == (draft,), view.in_return.message.text
        words = translate("What would you give me for this: {terms}?", terms="")
        assert view.in_return.message.text.startswith(words.removesuffix("?"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("de", "Was geben Sie mir dafür: 2 Essen für Sie?"),
        ("he", "מה תיתנו לי תמורת זה: 2 אוכל לכם?"),
    ],
)
def test_a_shipped_game_is_worded_by_the_names_that_the_window_shows(language: str, text: str) -> None:
    game = with_localized_names(load_game(SHIPPED[0].parent / "campsite.json").resolve_profiles(1), language)
    table = TrialTable(game)
    table.start()

    view = shown(
        table,
        Offer({"food": Allocation({"agent": 2}, 1)}),
        Language.load(language).for_game(game.name),
    )

    assert view is not None
    assert view.in_return.message is not None
    assert view.in_return.message.text == text


def test_another_games_own_names_are_worded_in_english_and_kept_together_in_a_hebrew_window(
    practice: GameSpec,
) -> None:
    game = replace(practice, name="orchard", rules=replace(practice.rules, reading_language="he"))
    table = TrialTable(game)
    table.start()

    view = shown(table, PART, Language.load("he").for_game(game.name))

    assert view is not None
    assert view.in_return.message is not None
    assert view.in_return.message.text.endswith(": \u200e2 apples for you\u200e?")
    reading = parse_message(view.in_return.message, DialogueContext(game, "human", language="he"))
    assert reading.offers == (PART,)
