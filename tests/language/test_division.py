from __future__ import annotations

import sys
from dataclasses import replace

from negoplatform.app.folders import bundled
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation
from negoplatform.formats.games import load_game
from negoplatform.language.discourse import Memory
from negoplatform.language.division import memory_of
from negoplatform.language.situation import Said, Situation

CAMPSITE = load_game(bundled("games") / "campsite.json")
ONE, TWO = CAMPSITE.seats


def remembered(game: GameSpec, *talk: Said) -> Memory:
    return memory_of(Situation(game, ONE, talk=talk))


def test_the_same_words_are_remembered_for_who_said_them() -> None:
    mine = remembered(CAMPSITE, Said(ONE, "I take 2 food."))
    theirs = remembered(CAMPSITE, Said(TWO, "I take 2 food."))

    assert mine.standing["food"] == Allocation({ONE: 2, TWO: 1})
    assert theirs.standing["food"] == Allocation({ONE: 1, TWO: 2})


def test_the_same_words_are_remembered_for_who_sits_at_the_table() -> None:
    more = replace(CAMPSITE, seats=(*CAMPSITE.seats, "third"))

    two = remembered(CAMPSITE, Said(ONE, "You take 2 water."))
    three = remembered(more, Said(ONE, "You take 2 water."))

    assert two.standing["water"] == Allocation({ONE: 1, TWO: 2})
    assert "water" not in three.standing


def test_the_same_words_come_to_something_else_after_other_words() -> None:
    more = Said(ONE, "I take one more food.")
    after_one = remembered(CAMPSITE, Said(ONE, "I take 1 food."), more)
    after_two = remembered(CAMPSITE, Said(ONE, "I take 2 food."), more)

    assert after_one.spoken == after_two.spoken
    assert after_one != after_two


def test_what_is_remembered_does_not_keep_the_game() -> None:
    game = replace(CAMPSITE, name="short-lived")
    before = sys.getrefcount(game)

    remembered(game, Said(ONE, "I would take 3 firewood and 1 water."), Said(TWO, "Then I get all the food."))

    assert sys.getrefcount(game) == before
