"""What makes a reading doubtful, and sentences that were once read wrongly or not at all."""

from __future__ import annotations

import pytest

from negoplatform.domain.game import GameSpec
from negoplatform.language.division import divisions_of
from negoplatform.language.lexicon import lexicon_of
from negoplatform.language.reading import SURE, Doubt
from negoplatform.language.sureness import Reason, surest
from negoplatform.language.understanding import understand
from negoplatform.language.vocabulary import understanding_data
from tests.language.test_offers import campsite, resources, situation, told

__all__ = ["campsite", "resources"]  # pytest finds the fixtures of another file where they are imported.

DOUBTED = [
    ("My proposal for myself is 2 food, 2 firewood, and you can have the water", Reason.OWNER),
    ("Let us say 2 3 firewood for me", Reason.NUMBER),
    ("We agreed on 2 food before. I take 2 water.", Reason.NUMBER),
    ("I take food and 2 water", Reason.KIND),
    ("Give me some food or 2 water", Reason.OR),
    ("If you get all the water I have nothing to drink", Reason.SUPPOSED),
    ("2 food for me, split the rest", Reason.REST),
    ("I give you 3 firewood if you carry 2 water", Reason.STALE),
]

MENDED = [
    # Lists that go on.
    ("I want 2 firewood and 2 water. 1 food.", "firewood 2:1 food 1:2 water 2:1"),
    (
        "It would be: 2 food for me, 3 water. For you, 3 firewood and 1 food.",
        "firewood 0:3 food 2:1 water 3:0",
    ),
    ("Me 2 water 2 food and for you 1 water 1 food", "food 2:1 water 2:1"),
    ("You, 1 food, 2 water. Me, 2 food and 1 water.", "food 2:1 water 1:2"),
    ("3 water for me and 1 firewood, and then 2 firewood for you", "firewood 1:2 water 3:0"),
    ("I'm fine with 1 firewood and food each", "firewood 1:2 food 1:2"),
    ("You have 2 water and 1 food. I have 1 water and 2 food.", "food 2:1 water 1:2"),
    ("Today I have 2 water and 1 food.", ""),
    # Numbers before their issue, and beside others.
    ("I would give you 2 and I take 1 food", "food 1:2"),
    ("I could give you an extra water and I keep 2", "water 2:1"),
    ("I'd settle for 2 food instead of 3", "food 2:1"),
    # Reasons that end, and reasons that are none.
    (
        "I take the firewood because it is hard for me to get any and you take 1 water and 1 food",
        "firewood 3:0 food 2:1 water 2:1",
    ),
    ("Since we have the basics, would you swap 3 food for 3 water?", "food 3:0 water 0:3"),
    ("As I understand it, you would get 1 water and 2 food?", "food 1:2 water 2:1"),
    ("I take 2 water and you get 2 food since firewood matters to you", "food 1:2 water 2:1"),
    # Words that only look like a negation, a tale or an alternative.
    ("I have no problem letting you have all 3 water", "water 0:3"),
    ("Like I said, I would like 2 water", "water 2:1"),
    ("That leaves me without food or wood. How about you take 2 food and I have 1?", "food 1:2"),
    ("That would leave you with 2 food", "food 1:2"),
    ("That would leave me with 2 food", ""),
    # Alternatives, exchanges and what is not said.
    ("I need 2 food. Otherwise I take 2 water.", ""),
    ("I trade you my food for your firewood", ""),
    ("I'd like to keep the food", ""),
    ("It is hard to survive if I give you all the water", ""),
    ("Give up 1 firewood if I may secure 3 water?", ""),
    ("I exchange you one of your food for 1 water", ""),
    ("I give 2 food to you for 1 water", "food 1:2 water 1:2"),
    # What the speaker would do, where nobody is said to get it.
    ("I would do 2 food and 1 water", "food 2:1 water 1:2"),
    ("I'd be willing to do 1 firewood, 2 food and no water", "firewood 1:2 food 2:1 water 0:3"),
    ("I can do 2 food for 1 water", ""),
    ("Give 2 food and 1 water please", "food 2:1 water 1:2"),
    ("Give 2 food, I give you 3 water", "food 2:1 water 0:3"),
    ("Fine take all the food", "food 0:3"),
    # Corrections, and questions whether it is so.
    ("No, I meant you take 1 food", "food 2:1"),
    ("I said that I would get 2 water", "water 2:1"),
    ("So I have 2 food and 1 firewood?", "firewood 1:2 food 2:1"),
    ("What do you say to this offer: you have 1 food and 2 water", "food 2:1 water 1:2"),
    # Reasons with numbers count; those without do not.
    ("Since I give you all the water, can I have 2 food?", "food 2:1 water 0:3"),
    # "For you" behind something else, and "to me" before a verb.
    ("Can I have 2 food and 1 water, would that be a fair split for you?", "food 2:1 water 1:2"),
    ("Would you agree to me taking 2 food and 1 water?", "food 2:1 water 1:2"),
    ("How important is the food to you?", ""),
    # Ratios without issues, vague bundles, and what would be bad.
    ("How about we do 2 for 1?", ""),
    ("All I need is a bunch of firewood", ""),
    ("If I give you 2 food, 1 water and 1 firewood I have nothing left", ""),
    ("I don't know if I can give you all the food", ""),
    ("If I had 2 food I would be happy", ""),
    ("I won't take less than 2 water", ""),
    ("How about 1 water and 2 food packages for me?", "food 2:1 water 1:2"),
    # The last proposal counts where what was said before it says otherwise.
    ("I'd give you all the water. How about I take 2 water and 1 food?", "food 1:2 water 2:1"),
]

ELSE = [
    ("I take 3 of the bananas and you take everything else", "bananas 3:1 grain 0:5 spices 0:3 wood 0:3"),
    ("I take 3 bananas and you take the rest", ""),
    ("2 bananas for me, split the rest", ""),
]


@pytest.mark.parametrize(("text", "reason"), DOUBTED)
def test_what_the_offer_leaves_out_is_a_reason_to_doubt_it(
    campsite: GameSpec, text: str, reason: Reason
) -> None:
    lexicon = lexicon_of(campsite, "en")
    where = situation(campsite, ("I get 2 food and 2 firewood and all the water",))

    (way, *_) = divisions_of(lexicon.tokens(text), where, lexicon)

    assert reason in way.reasons
    assert way.sure <= surest((reason,), "en")
    assert understand(text, where).offer is None


def test_every_reason_keeps_a_reading_from_being_sure() -> None:
    assert set(understanding_data("en", "sureness")["at_most"]) == set(Reason)
    assert all(surest((reason,), "en") < SURE for reason in Reason)
    assert surest((), "en") == 1


@pytest.mark.parametrize(("text", "expected"), MENDED)
def test_a_sentence_that_was_read_wrongly_is_read_rightly(
    campsite: GameSpec, text: str, expected: str
) -> None:
    assert told(understand(text, situation(campsite))) == expected


@pytest.mark.parametrize(("text", "expected"), ELSE)
def test_everything_else_is_all_that_was_not_named(resources: GameSpec, text: str, expected: str) -> None:
    assert told(understand(text, situation(resources))) == expected


def test_the_rest_of_one_issue_or_of_all_is_asked_about(resources: GameSpec) -> None:
    reading = understand("I take 3 bananas and you take the rest", situation(resources))

    assert reading.offers
    assert reading.doubt is Doubt.WHICH_ISSUE
