"""Seats that a text addresses by name, in a game of more than two."""

from __future__ import annotations

from dataclasses import replace

import pytest

from negoplatform.domain.seat_map import SeatMap
from negoplatform.language import DialogueContext, find_addressees
from negoplatform.language.parsing.seats.seat_mentions import find_seats, seat_names
from negoplatform.language.parsing.words.lexicon import lexicon_of
from tests.games import three_seats
from tests.many_seats import heirs, roof

ENGLISH = [
    ("Robin, would you give Kim the garden?", ("robin",)),
    ("Robin would you give Kim the garden?", ("robin",)),
    ("hey Robin, what matters to you?", ("robin",)),
    ("what about you, Kim?", ("kim",)),
    ("And you Kim?", ("kim",)),
    ("no, Kim, that is too little", ("kim",)),
    ("Hi Robin and Kim!", ("robin", "kim")),
    ("Robin and Kim, 2 each for you", ("robin", "kim")),
    ("@kim take it", ("kim",)),
    ("Kim?", ("kim",)),
    ("Deal, Robin?", ("robin",)),
    ("Give Kim the garden, Robin", ("robin",)),
    ("thanks Robin!", ("robin",)),
    ("Robin please take the chairs", ("robin",)),
    ("Robin, take it. Kim, what do you say?", ("robin", "kim")),
    ("What do you think Robin?", ("robin",)),
    ("Are you there Robin?", ("robin",)),
    ("Robin is that enough for you?", ("robin",)),
    ("Robin you want too much", ("robin",)),
    ("Robin I need the garden", ("robin",)),
    ("Hi Robin", ("robin",)),
    ("Robin!!!", ("robin",)),
    ("question for Robin: what do you want?", ("robin",)),
    ("What does Robin think?", ("robin",)),
    ("What would Robin say to that?", ("robin",)),
    ("Would Robin agree to two chairs?", ("robin",)),
    ("Thoughts Robin?", ("robin",)),
    ("Deal Robin?", ("robin",)),
    ("For Robin?", ()),
    ("Does Robin get the garden?", ()),
    ("Does Kim’s offer suit you?", ()),
    ("Do you think Robin gets too much?", ()),
    ("I wonder what Robin would say", ()),
    ("Do you agree with Robin?", ()),
    ("Do you trust Robin?", ()),
    ("Would you give the garden to Robin?", ()),
    ("What do you want from Robin", ()),
    ("You and Robin", ()),
    ("Robin is giving you 2 chairs", ()),
    ("Robin gets 2 paintings", ()),
    ("What do you think about Kim?", ()),
    ("Robin: 2 paintings, Kim: 1, me: 3", ()),
    ("Dana's offer is good", ()),
    ("2 for me, 3 for Robin, 1 for Kim", ()),
    ("Robin.", ()),
    ("I like Kim's idea, Robin's not", ()),
    ("everyone gets one", ()),
    ("I agree with Kim", ()),
    ("Robin, Kim and I get 2 each", ()),
    ("Robin and Kim get 3 each", ()),
    ("nothing of the kind", ()),
]

GERMAN = [
    ("Robin, würdest du Kim den Garten geben?", ("robin",)),
    ("Robin nimmst du die Stühle?", ("robin",)),
    ("Und du, Kim?", ("kim",)),
    ("Was ist mit dir, Robin?", ("robin",)),
    ("Kim, nimm die Stühle", ("kim",)),
    ("Danke Kim!", ("kim",)),
    ("Was denkst du Robin?", ("robin",)),
    ("Hallo Robin", ("robin",)),
    ("Was denkt Robin?", ("robin",)),
    ("Was würde Robin dazu sagen?", ("robin",)),
    ("Einverstanden Robin?", ("robin",)),
    ("Für Robin?", ()),
    ("Bekommt Robin den Garten?", ()),
    ("Was hältst du von Robin?", ()),
    ("Robin bekommt 2 Bilder", ()),
    ("2 für mich, 3 für Robin und 1 für Kim", ()),
    ("Robins Angebot ist gut", ()),
    ("Kim: 2, Robin: 3, ich: 1", ()),
]


@pytest.mark.parametrize(("text", "seats"), ENGLISH)
def test_a_text_addresses_those_whom_it_calls_and_nobody_whom_it_only_mentions(
    text: str, seats: tuple[str, ...]
) -> None:
    assert find_addressees(text, DialogueContext(heirs(), "dana")).seats == seats


@pytest.mark.parametrize(("text", "seats"), GERMAN)
def test_a_german_text_does_so_too(text: str, seats: tuple[str, ...]) -> None:
    assert find_addressees(text, DialogueContext(heirs(), "dana", language="de")).seats == seats


@pytest.mark.parametrize("text", ["hi everyone", "What do you two think?", "both of you ask for too much"])
def test_a_text_may_address_everyone(text: str) -> None:
    assert find_addressees(text, DialogueContext(heirs(), "dana")).everyone


@pytest.mark.parametrize("text", ["Hallo zusammen", "Was wollt ihr?", "Leute, so wird das nichts"])
def test_a_german_text_may_address_everyone(text: str) -> None:
    assert find_addressees(text, DialogueContext(heirs(), "dana", language="de")).everyone


@pytest.mark.parametrize("text", ["all right", "everyone gets one", "2 for all", "Robin, what about you?"])
def test_a_word_for_all_is_not_always_an_address(text: str) -> None:
    assert not find_addressees(text, DialogueContext(heirs(), "dana")).everyone


def test_nobody_addresses_themselves() -> None:
    assert find_addressees("Dana, would you?", DialogueContext(heirs(), "dana")).seats == ()


def test_with_two_seats_nobody_is_called_by_name() -> None:
    game = replace(heirs(), seats=("dana", "robin"))

    assert find_addressees("Robin, would you?", DialogueContext(game, "dana")).seats == ()


def test_a_seat_is_called_by_the_name_of_whoever_sits_there_too() -> None:
    game = replace(three_seats(), names=SeatMap({"green": "Maya", "blue": "Noor"}))

    assert find_addressees("Noor, would you?", DialogueContext(game, "red")).seats == ("blue",)
    assert find_addressees("blue, would you?", DialogueContext(game, "red")).seats == ("blue",)


def test_a_name_that_two_have_names_neither() -> None:
    game = replace(three_seats(), names=SeatMap({"green": "Maya", "blue": "Maya"}))

    assert find_addressees("Maya, would you?", DialogueContext(game, "red")).seats == ()


def test_a_seat_whose_name_is_a_number_is_called_with_a_sign() -> None:
    where = DialogueContext(roof(), "one")

    assert find_addressees("two, please", where).seats == ()
    assert find_addressees("@two please", where).seats == ("two",)


def test_a_language_that_cannot_be_parsed_addresses_nobody() -> None:
    assert find_addressees("Robin, vous ?", DialogueContext(heirs(), "dana", language="fr")).seats == ()


def test_the_genitive_of_a_name_mentions_its_seat_as_an_owner() -> None:
    lexicon = lexicon_of(heirs(), "de")

    found = find_seats(lexicon.tokenize("Kims Angebot ist gut"), seat_names(heirs(), lexicon), lexicon)

    assert [(each.start, each.seat, each.is_owner) for each in found] == [(0, "kim", True)]
