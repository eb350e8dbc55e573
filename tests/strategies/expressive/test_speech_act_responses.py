"""Every speech act gets a suitable response."""

from __future__ import annotations

import pytest

from negoplatform.core.events import EventType, Expression, MessageSubtype, Preference, Relation
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.language import DialogueAct, Interpretation, Need
from negoplatform.language.generation import VOICES, templates
from negoplatform.strategies.dialogue.disclosures import extreme_fact
from negoplatform.strategies.dialogue.message_answers import main_act
from negoplatform.strategies.dialogue.opponent_model import ExpressiveOpponentModel
from negoplatform.strategies.expressive import (
    CompetitiveOffers,
    ConcedingOffers,
    Faces,
    LyingWords,
    PlainWords,
)
from negoplatform.testing import TrialTable
from tests.agents.seating import of
from tests.games import categorical_only, with_rules
from tests.strategies.expressive.table import (
    Mixed,
    comes_from,
    game,
    notes,
    offered,
    quiet,
    said,
    seated,
    tells,
    words,
)

Act = MessageSubtype


@pytest.mark.parametrize("act", Act)
@pytest.mark.parametrize("voice", VOICES)
def test_every_speech_act_is_answered(act: MessageSubtype, voice: str) -> None:
    table = seated(quiet(words=PlainWords(voice)))
    before = len(words(table))

    table.human.says("So?", act)
    table.wait(12)

    assert len(words(table)) > before


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (Act.GREETING, "greeting_back"),
        (Act.FAREWELL, "farewell"),
        (Act.THANKS, "thanks"),
        (Act.APOLOGY, "apology"),
        (Act.PROMISE, "promise"),
        (Act.CONFIRMATION, "confirmation"),
        (Act.CLARIFICATION, "clarification"),
        (Act.CONFUSION, "meaning_none"),
        (Act.GENERIC_POS, "small_talk_pos"),
        (Act.GENERIC_NEG, "small_talk_neg"),
        (Act.OFFER_PROPOSE, "ask_for_offer"),
        (Act.OFFER_REJECT, "ask_for_offer"),
        (Act.PREF_WITHHOLD, "pref_withheld"),
        (Act.BATNA_REQUEST, "batna_request_answer"),
        (Act.BATNA_INFO, "batna_noted"),
        (Act.FAVOR_REQUEST, "favor_reject"),
        (Act.FAVOR_ACCEPT, "favor_taken"),
        (Act.FAVOR_RETURN, "favor_taken"),
        (Act.FAVOR_REJECT, "favor_refused"),
        (Act.TIMING, "timing"),
        (Act.TIMING_INFO, "take_time"),
        (Act.TIMING_REQUEST, "timing_answer"),
    ],
)
def test_the_answer_fits(act: MessageSubtype, kind: str) -> None:
    table = seated(quiet())

    table.human.says("So?", act)
    table.wait(12)

    assert comes_from(words(table)[-1], kind), words(table)[-1]


@pytest.mark.parametrize("act", [Act.OFFER_REQUEST_POS, Act.OFFER_REQUEST_NEG])
def test_asked_for_an_offer_it_makes_one_and_asked_again_a_better_one(act: MessageSubtype) -> None:
    table = seated(quiet())
    worth = table.state.game.preferences["human"].utility

    for _ in range(4):
        table.human.says("Your offer, please.", act)
        table.wait(12)

    offers = [worth(event.get_offer()) for event in offered(table)]
    assert len(offers) >= 3
    assert offers[-1] > offers[0]


def test_a_plain_no_is_followed_by_another_offer() -> None:
    table = seated(quiet())
    table.human.says("An offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(12)

    table.human.says("No.", Act.OFFER_REJECT)
    table.wait(12)

    first, second = (event.get_offer() for event in offered(table))
    assert first != second


def test_a_plain_yes_binds_nobody_and_it_asks_for_the_formal_one() -> None:
    table = seated(quiet())
    table.human.says("An offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(12)

    table.human.says("Yes.", Act.OFFER_ACCEPT)
    table.wait(12)

    assert comes_from(words(table)[-1], "offer_agreed")
    assert of(table, EventType.FORMAL_ACCEPT) == []


def test_a_yes_with_further_terms_is_asked_for_as_one_offer() -> None:
    table = seated(quiet())
    table.agent.offers(Offer({"food": Allocation({"human": 2, "agent": 1})}))

    table.human.says("Ok, and 2 water for me.")
    table.wait(12)

    assert comes_from(words(table)[-1], "send_as_offer_yes", "send_as_offer_open", "send_as_offer_no")
    assert "food" in words(table)[-1]
    assert "water" in words(table)[-1]


def test_a_threat_moves_the_conceding_one_and_not_the_competitive_one() -> None:
    soft, hard = seated(quiet()), seated(quiet(offers=CompetitiveOffers(), words=PlainWords("tough")))

    for table in (soft, hard):
        table.human.says("I may have to leave.", Act.THREAT_NEG)
        table.wait(12)

    assert len(offered(soft)) == 1
    assert offered(hard) == []
    assert comes_from(words(hard)[-1], "threat_answer", voice="tough")


def test_confusion_is_answered_by_what_it_offered_last() -> None:
    table = seated(quiet())
    table.human.says("An offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(12)

    table.human.says("What?", Act.CONFUSION)
    table.wait(12)

    assert comes_from(words(table)[-1], "meaning_offer")
    assert "for you and the rest for me" in words(table)[-1]
    assert said(table)[-1].payload.subtype is Act.CLARIFICATION


def own_order(table: TrialTable) -> list[str]:
    tables = table.state.game.preferences["agent"].utility.additive.tables  # type: ignore[attr-defined]
    return sorted(tables, key=lambda name: -max(tables[name].values()))


def test_asked_for_its_preferences_it_tells_one_true_fact_after_the_other() -> None:
    table = seated(quiet())
    best, middle, worst = own_order(table)

    for _ in range(6):
        table.human.says("What do you like?", Act.PREF_REQUEST)
        table.wait(12)

    told = [event.get_preference() for event in said(table) if event.payload.subtype is Act.PREF_INFO]
    assert told == [
        Preference(best, Relation.BEST),
        Preference(best, Relation.GREATER, middle),
        Preference(middle, Relation.GREATER, worst),
        Preference(worst, Relation.WORST),
    ]
    assert notes(table, "lie") == []


def test_a_question_about_two_issues_is_answered_by_how_they_compare() -> None:
    table = seated(quiet())
    best, _, worst = own_order(table)

    tells(table, Act.PREF_SPECIFIC_REQUEST, Preference(worst, Relation.GREATER, best, is_question=True))
    table.wait(12)

    assert said(table)[-1].get_preference() == Preference(best, Relation.GREATER, worst)


def test_one_that_is_not_open_keeps_it_to_itself() -> None:
    table = seated(quiet(words=PlainWords(open_about_preferences=False)))

    table.human.says("What do you like?", Act.PREF_REQUEST)
    table.wait(12)

    assert comes_from(words(table)[-1], "pref_withhold")
    assert said(table)[-1].get_preference() is None


def test_a_contradiction_is_asked_about() -> None:
    table = seated(quiet())
    tells(table, Act.PREF_INFO, Preference("food", Relation.BEST))
    table.wait(12)

    tells(table, Act.PREF_INFO, Preference("water", Relation.BEST))
    table.wait(12)

    assert comes_from(words(table)[-1], "pref_contradiction")
    assert "food" in words(table)[-1]
    assert "water" in words(table)[-1]


def test_another_value_of_no_deal_is_asked_about() -> None:
    table = seated(quiet())
    tells(table, Act.BATNA_INFO, batna=5)
    table.wait(12)

    tells(table, Act.BATNA_INFO, batna=9)
    table.wait(12)

    assert comes_from(words(table)[-1], "batna_contradiction")


def test_what_it_hears_about_preferences_moves_its_offers() -> None:
    likes_water, likes_wood = (seated(quiet(offers=ConcedingOffers(step=0.2))) for _ in range(2))

    for table, best in ((likes_water, "water"), (likes_wood, "firewood")):
        tells(table, Act.PREF_INFO, Preference(best, Relation.BEST))
        table.wait(12)
        for _ in range(4):
            table.human.says("An offer?", Act.OFFER_REQUEST_POS)
            table.wait(12)

    given = [
        sum(event.get_offer().units(name, "human") for event in offered(table))
        for table, name in ((likes_water, "water"), (likes_wood, "water"))
    ]
    assert given[0] > given[1]


def test_a_lie_is_told_once_and_for_all_and_marked_in_the_record() -> None:
    table = seated(quiet(words=LyingWords()))
    _, _, worst = own_order(table)

    table.human.says("What do you like?", Act.PREF_REQUEST)
    table.wait(12)
    table.human.says("What do you have otherwise?", Act.BATNA_REQUEST)
    table.wait(12)

    about_food, about_limit = (event.payload for event in said(table)[-2:])
    assert about_food.preference == Preference(worst, Relation.BEST)
    assert about_limit.batna > table.state.game.preferences["agent"].reservation_value
    assert [(lie["about"], lie["count"]) for lie in notes(table, "lie")] == [("preference", 1), ("batna", 2)]
    assert notes(table, "lie")[0]["said"] == about_food.text


def test_one_that_tells_its_true_limit_tells_no_lie() -> None:
    table = seated(quiet(words=PlainWords(open_about_limit=True)))

    table.human.says("What do you have otherwise?", Act.BATNA_REQUEST)
    table.wait(12)

    assert said(table)[-1].payload.batna == table.state.game.preferences["agent"].reservation_value
    assert notes(table, "lie") == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I would take 2 food and you take the rest", "send_as_offer_no"),
        ("qwrt zxcv", "unclear"),
        ("Hello there", "greeting_back"),
    ],
)
def test_typed_words_are_answered_by_what_they_mean(text: str, kind: str) -> None:
    table = seated(quiet())

    table.human.says(text)
    table.wait(12)

    assert comes_from(words(table)[-1], kind), words(table)[-1]


def test_an_offer_in_words_is_no_offer() -> None:
    table = seated(quiet())

    table.human.says("I take 1 food and you take everything else")
    table.wait(12)

    assert of(table, EventType.SEND_OFFER) == []
    assert of(table, EventType.FORMAL_ACCEPT) == []
    assert "food" in words(table)[-1]


def test_a_typed_yes_to_its_offer_asks_for_the_formal_one() -> None:
    table = seated(quiet())
    table.human.says("An offer, please.", Act.OFFER_REQUEST_POS)
    table.wait(12)

    table.human.says("I accept your offer.")
    table.wait(12)

    assert comes_from(words(table)[-1], "offer_agreed")
    assert of(table, EventType.FORMAL_ACCEPT) == []


def test_without_a_deadline_there_is_no_time_left_to_tell() -> None:
    table = seated(quiet(), categorical_only())

    table.human.says("How much time?", Act.TIMING_REQUEST)
    table.wait(12)

    assert comes_from(words(table)[-1], "timing_no_deadline")


def test_two_polite_agents_stop_thanking_each_other() -> None:
    played: GameSpec = with_rules(game(), deadline_seconds=120.0)
    table = TrialTable(played)
    for seat in played.seats:
        table.seat(Mixed(quiet()), seat)
    table.wait(12)

    table.human.says("Thank you!", Act.THANKS)
    table.wait(80)

    assert len(of(table, EventType.SEND_MESSAGE)) < 12


@pytest.mark.parametrize(
    ("style", "shown", "answered"),
    [
        ("warm", Expression.ANGRY, Expression.SAD),
        ("tough", Expression.ANGRY, Expression.ANGRY),
        ("neutral", Expression.SURPRISED, Expression.NEUTRAL),
    ],
)
def test_a_face_is_answered_with_a_face_and_words(
    style: str, shown: Expression, answered: Expression
) -> None:
    table = seated(quiet(faces=Faces(style), words=PlainWords(style)))

    table.human.shows(shown)
    table.wait(12)

    assert of(table, EventType.SEND_EXPRESSION, "agent")[-1].get_expression() is answered
    assert comes_from(words(table)[-1], f"face_{shown.lower()}", voice=style)


def test_what_it_takes_for_the_others_order_is_noted_for_the_experimenter() -> None:
    table = seated(quiet())

    tells(table, Act.PREF_INFO, Preference("water", Relation.BEST))
    table.wait(12)
    tells(table, Act.PREF_INFO, Preference("food", Relation.EQUAL, "firewood"))
    table.wait(12)

    assert notes(table, "believes")[-1] == {"human": [["water"], ["food", "firewood"]]}


def test_it_does_not_give_itself_the_lie_before_the_end() -> None:
    table = seated(quiet(words=LyingWords(claims=0.8), offers=ConcedingOffers(step=0.3)))
    table.human.says("What do you have otherwise?", Act.BATNA_REQUEST)
    table.wait(12)
    claimed = said(table)[-1].payload.batna

    for _ in range(6):
        table.human.says("Your offer?", Act.OFFER_REQUEST_POS)
        table.wait(12)

    worth = table.state.game.preferences["agent"].utility
    assert offered(table)
    assert all(worth(event.get_offer()) >= claimed for event in offered(table))


@pytest.mark.parametrize("act", [Act.PREF_REQUEST, Act.PREF_SPECIFIC_REQUEST, Act.PREF_INFO])
def test_a_question_about_preferences_is_answered_by_what_was_asked(act: MessageSubtype) -> None:
    table = seated(quiet())
    best, middle, worst = own_order(table)
    asked_and_told = [
        (Preference(middle, Relation.WORST, is_question=True), Preference(worst, Relation.WORST)),
        (Preference(middle, Relation.BEST, is_question=True), Preference(best, Relation.BEST)),
        (
            Preference(middle, Relation.GREATER, best, is_question=True),
            Preference(best, Relation.GREATER, middle),
        ),
    ]

    for asked, told in asked_and_told:
        tells(table, act, asked)
        table.wait(12)

        assert said(table)[-1].get_preference() == told


def test_what_was_told_as_an_answer_is_not_told_as_news() -> None:
    table = seated(quiet())
    best, middle, _ = own_order(table)
    tells(table, Act.PREF_REQUEST, Preference(best, Relation.BEST, is_question=True))
    table.wait(12)

    table.human.says("What else?", Act.PREF_REQUEST)
    table.wait(12)

    assert said(table)[-1].get_preference() == Preference(best, Relation.GREATER, middle)


@pytest.mark.parametrize("relation", [Relation.BEST, Relation.WORST])
def test_issues_that_matter_the_same_are_told_as_equals(relation: Relation) -> None:
    ranking = {"a": 1.0, "b": 1.0, "c": 1.0}

    assert extreme_fact(Preference("c", relation), ranking) == Preference("c", Relation.EQUAL, "a")
    assert extreme_fact(Preference("a", relation), {"a": 1.0}) is None
    assert extreme_fact(Preference("", relation), {"a": 1.0, "b": 1.0}) == Preference(
        "a", Relation.EQUAL, "b"
    )


def test_a_question_that_the_reading_found_beside_the_act_is_the_one_that_is_answered() -> None:
    asked = Preference("food", Relation.WORST, is_question=True)
    found = Interpretation(
        "", (DialogueAct(Act.PREF_REQUEST), DialogueAct(Act.PREF_SPECIFIC_REQUEST, preference=asked))
    )

    main = main_act(found)

    assert main is not None
    assert (main.subtype, main.preference) == (Act.PREF_REQUEST, asked)


@pytest.mark.parametrize("sure", [(0.4, 0.8), (0.8, 0.4)])
def test_a_no_counts_by_its_surest_reading(sure: tuple[float, float]) -> None:
    regrets = DialogueAct(Act.APOLOGY, 0.9)
    found = Interpretation("", (regrets, *(DialogueAct(Act.OFFER_REJECT, each) for each in sure)))
    unsure = Interpretation("", (regrets, *(DialogueAct(Act.OFFER_REJECT, 0.4) for _ in sure)))

    answered = [main_act(reading) for reading in (found, unsure)]

    assert [act and act.subtype for act in answered] == [Act.OFFER_REJECT, Act.APOLOGY]


@pytest.mark.parametrize(
    "text",
    [
        "Water matters most to me. I take 3 water and you take all the food",
        "No deal. I need water most of all.",
        "I need water most, and I accept your offer",
    ],
)
def test_a_contradiction_beside_something_else_is_asked_about_too(text: str) -> None:
    table = seated(quiet())
    tells(table, Act.PREF_INFO, Preference("food", Relation.BEST))
    table.wait(12)

    table.human.says(text)
    table.wait(12)

    asked = [event for event in said(table) if comes_from(event.get_text(), "pref_contradiction")]
    assert len(asked) == 1
    assert notes(table, "believes")[-1]["human"][0] == ["water"]


def test_needs_that_are_typed_move_what_it_believes() -> None:
    def weight_of_water(text: str) -> float:
        table, agent = TrialTable(game(), seed=3), Mixed(quiet())
        table.seat(agent)
        table.human.says(text)
        table.wait(12)
        assert agent.state is not None
        return agent.state.others["human"].weights()["water"]

    wanted, neither, unwanted = map(
        weight_of_water, ("I really need water.", "Nice weather.", "I do not need water.")
    )
    assert wanted > neither > unwanted


def test_a_need_counts_for_an_issue_and_no_need_against_it() -> None:
    other = ExpressiveOpponentModel(TrialTable(game()).context("agent"), "human")
    before = other.weights()

    other.update_from_need("water", Need.SELF)
    wanted = other.weights()
    other.update_from_need("water", Need.NONE)
    other.update_from_need("water", Need.NONE)

    assert wanted["water"] > before["water"]
    assert other.weights()["water"] < before["water"]
    assert sum(wanted.values()) == pytest.approx(1)


def test_one_that_lies_sticks_to_its_story_whatever_it_learns() -> None:
    table = seated(quiet(words=LyingWords()))
    best, _, worst = own_order(table)
    table.human.says("What do you like?", Act.PREF_REQUEST)
    table.wait(12)

    tells(table, Act.PREF_INFO, Preference(best, Relation.BEST))
    table.wait(12)
    tells(table, Act.PREF_SPECIFIC_REQUEST, Preference(worst, Relation.GREATER, best, is_question=True))
    table.wait(12)

    told = [event.get_preference() for event in said(table) if event.payload.subtype is Act.PREF_INFO]
    assert told[0] == Preference(worst, Relation.BEST)
    assert told[-1] == Preference(worst, Relation.GREATER, best)


def test_every_statement_of_preference_is_answered_as_long_as_there_is_something_new_to_say() -> None:
    table = seated(quiet(words=PlainWords("neutral", open_about_preferences=False)))
    answers = sum(len(templates("en", "neutral")[kind]) for kind in ("pref_noted", "confirmation"))

    for i in range(answers + 2):
        before = len(words(table))
        tells(table, Act.PREF_INFO, Preference("food", Relation.GREATER, ("water", "firewood")[i % 2]))
        table.wait(12)

        assert len(words(table)) == before + (i < answers), i
    assert len(set(words(table))) == len(words(table))


def test_two_courtesies_in_a_row_are_answered_and_the_third_is_not_until_there_is_other_talk() -> None:
    table = seated(quiet())
    for _ in range(2):
        before = len(words(table))
        table.human.says("I promise to be fair.", Act.PROMISE)
        table.wait(12)
        assert comes_from(words(table)[-1], "promise")
        assert len(words(table)) == before + 1

    table.human.says("Thank you!", Act.THANKS)
    table.wait(12)
    silent = len(words(table))
    table.human.says("What do you like?", Act.PREF_REQUEST)
    table.wait(12)
    table.human.says("Thank you!", Act.THANKS)
    table.wait(12)

    assert silent == before + 1
    assert comes_from(words(table)[-1], "thanks")
