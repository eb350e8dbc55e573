"""The chips of an interpretation: their texts, and their alternatives."""

from __future__ import annotations

from dataclasses import replace

from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import NumberIssue
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.games import load_game
from negoplatform.language import is_language_parsed
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.interpretation.interpretation_chips import ChipView, term_chips

NAMES = {"agent": "Rowan"}


def apples(human: int, agent: int) -> Allocation:
    return Allocation({"human": human, "agent": agent}, 6 - human - agent)


def chip(game: GameSpec, offer: Offer, *missing: str) -> ChipView:
    (made,) = term_chips(offer, missing, game, "human", NAMES, ENGLISH)
    return made


def test_units_are_listed_from_none_to_all_and_a_number_stands_for_ones_own(practice: GameSpec) -> None:
    made = chip(practice, Offer({"apples": apples(2, 4)}))

    assert (made.title, made.words) == ("apples", ("you 2", "Rowan 4"))
    assert made.options[0] == "0 for you, 6 for Rowan"
    assert made.terms[5] == apples(5, 1)
    assert (made.chosen, made.counts) == (2, True)


def test_units_are_counted_up_and_down_and_exchanged(practice: GameSpec) -> None:
    made = chip(practice, Offer({"apples": apples(2, 4)}))
    none = chip(practice, Offer({"apples": apples(0, 6)}))
    even = chip(practice, Offer({"apples": apples(3, 3)}))

    assert (made.less, made.more, made.swapped) == (apples(1, 5), apples(3, 3), apples(4, 2))
    assert (none.less, even.swapped) == (None, None)


def test_what_is_undecided_stays_so_while_units_are_counted(practice: GameSpec) -> None:
    made = chip(practice, Offer({"apples": apples(2, 1)}))

    assert made.words == ("you 2", "Rowan 1", "3 undecided")
    assert (made.less, made.more) == (apples(1, 1), apples(3, 1))


def test_a_value_is_chosen_from_those_of_its_issue(practice: GameSpec) -> None:
    made = chip(practice, Offer({"day": "Sunday"}))

    assert (made.title, made.words) == ("day", ("Sunday",))
    assert made.terms == practice.issue("day").values  # type: ignore[union-attr]
    assert (made.less, made.more, made.swapped) == (None, None, None)


def test_a_missing_term_has_a_chip_without_words(practice: GameSpec) -> None:
    made = chip(practice, Offer(), "apples")

    assert (made.words, made.chosen) == ((), None)
    assert len(made.options) == 7


def test_a_number_steps_and_lists_those_around_it(practice: GameSpec) -> None:
    price = NumberIssue("price", 0, 10_000, 10, unit="€")
    game = replace(practice, issues=(price,))

    made = chip(game, Offer({"price": 5_000}))

    assert (made.words, made.less, made.more) == (("€5,000",), 4_990, 5_010)
    assert len(made.terms) == 101
    assert made.terms[made.chosen or 0] == 5_000
    assert chip(game, Offer({"price": 0})).less is None


def test_chips_stand_in_the_order_of_the_game() -> None:
    game = load_game(bundled("games") / "job_candidate.json")
    first, second = (issue.name for issue in game.issues[:2])
    value = game.issue(second).values[0]  # type: ignore[union-attr]

    made = term_chips(Offer({second: value}), (first,), game, game.seats[0], {}, ENGLISH)

    assert [each.issue for each in made] == [first, second]


def test_words_of_two_languages_are_read() -> None:
    assert [is_language_parsed(code) for code in ("en", "de", "he", "")] == [True, True, False, False]


def test_issues_are_also_known_by_the_names_that_are_shown(practice: GameSpec) -> None:
    game = with_localized_names(practice, "de")

    assert {"Äpfel", "Apfel"} <= set(game.issue("apples").synonyms)
    assert ("Sunday", ("Sun", "Sonntag", "Ernte am Sonntag")) in game.issue("day").value_synonyms  # type: ignore[union-attr]
    assert with_localized_names(practice, "en") == practice
