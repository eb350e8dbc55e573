"""Any text yields an interpretation that fits the game, in short time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from negoplatform.domain.errors import OfferError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.interpretation import Ambiguity, Interpretation
from negoplatform.language.parsing.parser import parse
from negoplatform.language.parsing.words.language_vocabulary import load_parsing_data
from negoplatform.language.parsing.words.lexical_tagger import Tag
from tests.games import three_seats

GAMES = Path(__file__).parents[3] / "games"
CAMPSITE = load_game(GAMES / "campsite.json")
JOB = load_game(GAMES / "job_candidate.json")
RESOURCES = load_game(GAMES / "resource_exchange.json")

WORDS = sorted(
    {words[0] for words in load_parsing_data("en", "vocabulary")["tags"].values()}
    | {"i", "you", "we", "food", "water", "firewood", "wood", "coins", "red", "salary", "90,000", "car"}
    | {"0", "1", "2", "3", "4", "99", "two", "all", "both", "?", ".", ",", "or", "not", "each", "one more"}
)
SENTENCES = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join)
TEXTS = st.one_of(SENTENCES, st.text(max_size=200))
HOSTILE = [
    "9" * 10_000,
    "9,999" * 2_000,
    "two " * 2_500,
    "i take 2 food and " * 600,
    "or 2 food " * 1_000,
    "food " * 2_000,
    "1.2.3.4.5 " * 1_000,
    "twenty-" * 1_500,
    "a'" * 5_000,
    "?!" * 5_000,
    "all of the " * 1_000,
    "for " * 2_500,
    "\x00\x01\x1b[31m\u202e\ufeff 2 food",
    "אני רוצה 2 food ו-3 מים",
    "أريد ٢ ماء",
    "🙂" * 3_000,
    "I take 99999999999999999999 food",
    "I take -2 food and 1e9 water and 2.5 firewood",
    "{0} %s $(rm) <b>2 food</b>",
    "",
    " \n\t ",
]


def checked(text: str, situation: DialogueContext) -> Interpretation:
    """Return an interpretation, once it has its text, a confidence from 0 to 1, and no offer twice."""
    reading = parse(text, situation)

    assert reading.text == text
    assert 0 <= reading.sure <= 1
    assert bool(reading.sure) <= bool(reading.offers)
    assert len(set(reading.offers)) == len(reading.offers)
    return reading


def misfits(game: GameSpec, reading: Interpretation) -> list[str]:
    """Return the reasons for which offers of an interpretation do not fit a game."""
    reasons = []
    for offer in reading.offers:
        try:
            game.check_offer(offer)
        except OfferError as error:
            reasons.append(str(error))
    return reasons


@given(
    game=st.sampled_from([CAMPSITE, JOB, RESOURCES, three_seats()]),
    said=st.lists(TEXTS, min_size=1, max_size=5),
)
def test_any_text_gives_offers_that_fit_the_game(game: GameSpec, said: list[str]) -> None:
    seats = game.seats
    talk = tuple(DialogueTurn(seats[i % len(seats)], text) for i, text in enumerate(said))

    reading = checked(said[0], DialogueContext(game, seats[0], history=talk))

    assert misfits(game, reading) == []


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_read_soon(text: str) -> None:
    talk = tuple(DialogueTurn(CAMPSITE.seats[i % 2], text) for i in range(20))
    begun = time.process_time()

    reading = checked(text, DialogueContext(CAMPSITE, "human", history=talk))

    # Far more than it takes, and far less than quadratic time.
    assert time.process_time() - begun < 2
    assert misfits(CAMPSITE, reading) == []


def test_a_reading_does_not_change_when_it_is_asked_for_again() -> None:
    talk = (
        DialogueTurn("agent", "You said 2 food for me, or 2 water?"),
        DialogueTurn("human", "2 food and you get the rest"),
    )
    situation = DialogueContext(CAMPSITE, "agent", history=talk)

    assert parse("Then one more water, or 1 food", situation) == parse(
        "Then one more water, or 1 food", situation
    )


def test_two_alternatives_are_both_told_and_neither_is_sure() -> None:
    reading = parse("I take 2 food or 2 water", DialogueContext(CAMPSITE, "human"))

    assert [offer.issues for offer in reading.offers] == [("food",), ("water",)]
    assert reading.offer is None
    assert reading.doubt is Ambiguity.EITHER


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        ("I'll give you some food for water", Ambiguity.HOW_MANY),
        ("I take 4 food", Ambiguity.IMPOSSIBLE),
        ("I take 2 food and you take 2 food", Ambiguity.IMPOSSIBLE),
        ("You can have 2", Ambiguity.WHICH_ISSUE),
        ("Let's split the food", Ambiguity.HOW_MANY),
    ],
)
def test_what_is_missing_is_named(text: str, doubt: Ambiguity) -> None:
    reading = parse(text, DialogueContext(CAMPSITE, "human"))

    assert reading.offer is None
    assert reading.doubt is doubt


def test_an_offer_with_a_vague_part_says_what_it_says() -> None:
    reading = parse("I take 2 food and some water", DialogueContext(CAMPSITE, "human"))

    assert reading.offer == Offer({"food": Allocation({"human": 2, "agent": 1})})
    assert reading.doubt is None


def test_a_condition_and_a_wish_are_told() -> None:
    where = DialogueContext(CAMPSITE, "human")

    assert parse("If you give me 2 food, I give you 2 water", where).conditional
    assert parse("I really need 2 water", where).soft
    assert not parse("I take 2 water", where).soft


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_word_of_the_vocabulary_does_one_thing_that_the_grammar_knows(language: str) -> None:
    tags = load_parsing_data(language, "vocabulary")["tags"]
    words = [word for some in tags.values() for word in some]

    assert set(tags) <= set(Tag)
    assert len(words) == len(set(words)), sorted({word for word in words if words.count(word) > 1})


def test_the_offer_on_the_table_is_what_one_more_is_added_to() -> None:
    table = Offer({"food": Allocation({"human": 1, "agent": 2})})

    reading = parse("I need one more food", DialogueContext(CAMPSITE, "human", table, "agent"))

    assert reading.offers[0] == Offer({"food": Allocation({"human": 2, "agent": 1})})


def test_with_three_at_the_table_only_the_own_share_is_plain() -> None:
    game = three_seats()

    mine = parse("I take 2 coins", DialogueContext(game, game.seats[0]))
    yours = parse("You take 2 coins", DialogueContext(game, game.seats[0]))

    assert mine.offer == Offer({"coins": Allocation({game.seats[0]: 2}, undecided=2)})
    assert yours.offer is None
    assert yours.doubt is Ambiguity.WHO


def test_a_list_with_a_word_that_nobody_knows_is_not_confirmed_by_enter() -> None:
    where = DialogueContext(JOB, "candidate")

    assert not parse("job programmer; 20%; blue; 10 hours", where).plain
    assert parse("job programmer; 20%; 10 hours", where).plain


def test_the_salary_and_the_car_of_the_issue() -> None:
    reading = parse("I'd take the car if the salary stays at 90,000", DialogueContext(JOB, "candidate"))

    assert reading.offers[:1] == (Offer({"car": "With leased car", "salary": "90,000 USD"}),)
    assert reading.conditional


def test_nothing_is_read_into_small_talk() -> None:
    reading = parse("What a lovely day!", DialogueContext(CAMPSITE, "human", EMPTY_OFFER))

    assert reading.offers == ()
    assert reading.sure == 0
