"""Unsent input is restored as the participant left it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from negoplatform.app.session.session_data_store import StoredDraft
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.bargaining.draft_codec import dump_draft, load_draft
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.table.unsent_codec import dump_unsent, unsent_text
from tests.presentation.rent_game import CAR, KEYS, NOTICE, PRICE, rent


def through_a_file(document: dict[str, Any]) -> dict[str, Any]:
    """Return a document after it was saved and loaded."""
    kept: dict[str, Any] = json.loads(json.dumps(document))
    return StoredDraft.model_validate(kept).model_dump()


def test_every_kind_of_term_and_half_typed_numbers_come_back() -> None:
    game = rent()
    draft = Draft(game).give(KEYS, "human").choose(CAR, "with").write(PRICE, "150").write(NOTICE, "1,2,")

    kept = through_a_file(dump_unsent(dump_draft(draft), "How ab", answered=1))

    assert load_draft(kept, game) == draft
    assert load_draft(kept, game).invalid_text(NOTICE) == "1,2,"
    assert unsent_text(kept, ["Hello"]) == "How ab"


def test_an_empty_draft_comes_back_empty(game: GameSpec) -> None:
    kept = through_a_file(dump_unsent(dump_draft(Draft(game)), ""))

    assert load_draft(kept, game) == Draft(game)
    assert load_draft(None, game) == Draft(game)
    assert unsent_text(kept, ["Hello"]) == ""
    assert unsent_text(None, []) == ""


def test_what_another_mechanism_keeps_is_stored_beside_the_words() -> None:
    kept = through_a_file(dump_unsent({"work": {"price": 7}}, "How ab", answered=1))

    assert kept["work"] == {"price": 7}
    assert unsent_text(kept, ["Hello"]) == "How ab"


@pytest.mark.parametrize(
    "kept",
    [
        {},
        {"offer": 3, "fields": 4, "words": 5},
        {"offer": 3, "fields": 4, "words": "", "sent": 6, "answered": "7"},
        {"offer": {"no such issue": 1}, "fields": {"no such issue": "x"}, "words": ""},
        {"offer": {"price": 151}, "fields": {}, "words": ""},
        {"offer": {"price": True}, "fields": {}, "words": ""},
        {"offer": {"price": ["150"]}, "fields": {}, "words": ""},
        {"offer": {"car": "on fire"}, "fields": {"car": "x", "price": 4, "notice": "1.5"}, "words": ""},
        {"offer": {"keys": {"human": 9, "undecided": 0}}, "fields": {}, "words": ""},
        {"offer": {"keys": {"human": "9"}}, "fields": {}, "words": ""},
        {"offer": {"keys": {"stranger": 4}}, "fields": {}, "words": ""},
    ],
)
def test_what_does_not_fit_the_game_is_left_out_and_stops_nothing(kept: dict[str, Any]) -> None:
    game = rent()

    assert load_draft(kept, game) == Draft(game)
    assert unsent_text(kept, []) == ""


def test_words_that_were_said_at_the_last_moment_do_not_come_back_as_unsaid(game: GameSpec) -> None:
    kept = through_a_file(dump_unsent(dump_draft(Draft(game)), "Shall we say three? ", answered=1))

    assert unsent_text(kept, ["Hello", "Shall we say three?"]) == ""
    assert unsent_text(kept, ["Hello", None]) == "Shall we say three? "


def test_words_that_were_said_before_come_back_when_they_are_typed_again(game: GameSpec) -> None:
    kept = through_a_file(dump_unsent(dump_draft(Draft(game)), "Yes", answered=2))

    assert unsent_text(kept, ["Hello", "Yes"]) == "Yes"


def test_of_messages_on_their_way_those_come_back_that_were_not_said(game: GameSpec) -> None:
    kept = through_a_file(dump_unsent(dump_draft(Draft(game)), "three", ["one", "two"], answered=1))

    assert unsent_text(kept, ["Hello"]) == "one two three"
    assert unsent_text(kept, ["Hello", "one"]) == "two three"
    assert unsent_text(kept, ["Hello", None, "two"]) == "one three"
    assert unsent_text(kept, ["Hello", "one", "two"]) == "three"
    assert unsent_text(kept, ["Hello", "one", "two", "three"]) == ""


def test_what_was_kept_without_a_count_comes_back_unless_it_was_said_last() -> None:
    kept: dict[str, Any] = {"offer": None, "fields": {}, "words": "Shall we say three? "}

    assert unsent_text(through_a_file(kept), ["Shall we say three?", None]) == ""
    assert unsent_text(through_a_file(kept), ["Shall we say three?", "Well"]) == "Shall we say three? "
