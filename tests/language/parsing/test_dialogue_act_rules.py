from __future__ import annotations

import time

import pytest

from negoplatform.core.events import MessageSubtype, Preference, Relation
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.contextual_acts import ContextualActs, contextual_acts
from negoplatform.language.parsing.dialogue_act_rules import utterance_acts
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.interpretation import DialogueAct, Need
from negoplatform.language.parsing.parser import parse
from negoplatform.language.parsing.words.lexicon import lexicon_of
from negoplatform.plugins.program_and_user_folders import bundled

CAMPSITE = load_game(bundled("games") / "campsite.json")
JOB = load_game(bundled("games") / "job_candidate.json")
M = MessageSubtype
ALL_FOOD = Offer({"food": Allocation({"agent": 3, "human": 0})})
PROPOSED = "I take 2 food and you take the rest, ok?"


def situation_after(*said: str, game: GameSpec = CAMPSITE) -> DialogueContext:
    """Return the context of the first seat after the other has said something."""
    speaker, other = game.seats
    return DialogueContext(game, speaker, history=tuple(DialogueTurn(other, text) for text in said))


def hear(text: str, *before: str, game: GameSpec = CAMPSITE) -> ContextualActs:
    lexicon = lexicon_of(game, "en")
    return contextual_acts(lexicon.tokenize(text), situation_after(*before, game=game), lexicon)


def subtypes(text: str, *before: str) -> set[MessageSubtype]:
    return {act.subtype for act in hear(text, *before).acts}


def preferences(text: str, *before: str, game: GameSpec = CAMPSITE) -> set[Preference]:
    return {act.preference for act in hear(text, *before, game=game).acts if act.preference is not None}


def needs(text: str, *before: str) -> set[tuple[Need, str | None]]:
    return {(act.need, act.issue) for act in hear(text, *before).acts if act.need is not None}


@pytest.mark.parametrize(
    ("text", "subtype"),
    [
        ("Hello!", M.GREETING),
        ("hey there", M.GREETING),
        ("Good morning", M.GREETING),
        ("Bye", M.FAREWELL),
        ("Take care!", M.FAREWELL),
        ("Have a great day!", M.FAREWELL),
        ("Thank you so much", M.THANKS),
        ("thx", M.THANKS),
        ("Sorry about that", M.APOLOGY),
        ("I apologize", M.APOLOGY),
        ("you are an idiot", M.GENERIC_NEG),
        ("shut up", M.GENERIC_NEG),
        ("fuck off", M.GENERIC_NEG),
        ("this is going nowhere", M.GENERIC_NEG),
        ("I quit", M.THREAT_NEG),
        ("I promise to make it up to you", M.PROMISE),
        ("next time I will help you", M.PROMISE),
        ("You are right", M.CONFIRMATION),
        ("Understood.", M.CONFIRMATION),
        ("Just to be clear: you keep the rest", M.CLARIFICATION),
        ("That is not what I meant", M.CLARIFICATION),
        ("I don't understand", M.CONFUSION),
        ("What do you mean?", M.CONFUSION),
        ("How are you today?", M.GENERIC_POS),
        ("Nice to meet you", M.GENERIC_POS),
        ("It was a pleasure doing business with you", M.GENERIC_POS),
        ("You are being unfair", M.GENERIC_NEG),
        ("That's ridiculous", M.GENERIC_NEG),
        ("I accept your offer", M.OFFER_ACCEPT),
        ("I don't accept", M.OFFER_REJECT),
        ("That does not work for me", M.OFFER_REJECT),
        ("I can't agree to that", M.OFFER_REJECT),
        ("no deal", M.OFFER_REJECT),
        ("What would you suggest?", M.OFFER_REQUEST_POS),
        ("Make me an offer", M.OFFER_REQUEST_POS),
        ("Is that the best you can do?", M.OFFER_REQUEST_NEG),
        ("You have to do better", M.OFFER_REQUEST_NEG),
        ("How about you take the food?", M.OFFER_PROPOSE),
        ("What do you need most?", M.PREF_REQUEST),
        ("What are your preferences?", M.PREF_REQUEST),
        ("which one do you need?", M.PREF_REQUEST),
        ("Do you need water?", M.PREF_SPECIFIC_REQUEST),
        ("Why do you need so much food?", M.PREF_SPECIFIC_REQUEST),
        ("I'd rather not say", M.PREF_WITHHOLD),
        ("That is none of your business", M.PREF_WITHHOLD),
        ("What do you get without a deal?", M.BATNA_REQUEST),
        ("What is your bottom line?", M.BATNA_REQUEST),
        ("I have a better offer elsewhere", M.BATNA_INFO),
        ("Could you do me a favour?", M.FAVOR_REQUEST),
        ("I will do you that favor", M.FAVOR_ACCEPT),
        ("I can't do you that favor", M.FAVOR_REJECT),
        ("You did me a favour, here is one in return", M.FAVOR_RETURN),
        ("I may have to walk away", M.THREAT_POS),
        ("I'm afraid I might have to leave", M.THREAT_POS),
        ("Take it or leave it.", M.THREAT_NEG),
        ("Do better, or I walk away.", M.THREAT_NEG),
        ("That's my final offer", M.THREAT_NEG),
        ("I don't need this deal", M.THREAT),
        ("Are you still there?", M.TIMING_REQUEST),
        ("How much time is left?", M.TIMING_REQUEST),
        ("Let me think.", M.TIMING_INFO),
        ("Give me a moment, please", M.TIMING_INFO),
        ("We are running out of time", M.TIMING),
    ],
)
def test_words_do_what_people_mean_by_them(text: str, subtype: MessageSubtype) -> None:
    assert subtype in subtypes(text)


@pytest.mark.parametrize(
    "text",
    ["", "?", "asdf qwer", "The lamp is green.", "not bad", "a deal is a deal for some", "2 plus 2"],
)
def test_what_is_not_recognised_is_nothing(text: str) -> None:
    assert hear(text).acts == ()


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("food matters more to me than water", Preference("food", Relation.GREATER, "water")),
        ("I prefer food to water", Preference("food", Relation.GREATER, "water")),
        ("I'd rather have food than firewood", Preference("food", Relation.GREATER, "firewood")),
        ("water is less important than wood", Preference("water", Relation.LESS, "firewood")),
        ("food and water are equally important to me", Preference("food", Relation.EQUAL, "water")),
        ("I need water most", Preference("water", Relation.BEST)),
        ("Food is my top priority", Preference("food", Relation.BEST)),
        ("what I need the most is firewood", Preference("firewood", Relation.BEST)),
        ("I care least about firewood", Preference("firewood", Relation.WORST)),
        ("Water is the least important to me", Preference("water", Relation.WORST)),
        ("do you prefer food or water?", Preference("food", Relation.GREATER, "water", is_question=True)),
        ("is water important to you?", Preference("water", Relation.BEST, is_question=True)),
    ],
)
def test_orders_are_stated_and_asked_about(text: str, stated: Preference) -> None:
    assert stated in preferences(text)


def test_a_list_in_order_states_every_step_of_it() -> None:
    stated = preferences("food first, then water, then firewood")

    assert Preference("food", Relation.GREATER, "water") in stated
    assert Preference("water", Relation.GREATER, "firewood") in stated


def test_issues_of_any_game_are_ranked() -> None:
    assert preferences("The salary matters most to me", game=JOB) == {Preference("salary", Relation.BEST)}
    assert preferences("I care more about the car than the pension", game=JOB) == {
        Preference("car", Relation.GREATER, "pension")
    }


@pytest.mark.parametrize(
    ("text", "need"),
    [
        ("I need food", (Need.SELF, "food")),
        ("we are running low on water", (Need.SELF, "water")),
        ("I forgot my firewood", (Need.SELF, "firewood")),
        ("Water is very important to me", (Need.SELF, "water")),
        ("my kids need water", (Need.OTHERS, "water")),
        ("I want food for my children", (Need.OTHERS, "food")),
        ("I don't need firewood", (Need.NONE, "firewood")),
        ("I have plenty of wood", (Need.NONE, "firewood")),
        ("I'm good on water", (Need.NONE, "water")),
        ("I can do without food", (Need.NONE, "food")),
        ("Firewood? I don't need it", (Need.NONE, "firewood")),
        ("I get cold easily at night", (Need.SELF, None)),
    ],
)
def test_needs_are_told_apart_by_whose_they_are(text: str, need: tuple[Need, str | None]) -> None:
    assert need in needs(text)


def test_a_need_names_every_issue_of_its_list() -> None:
    assert needs("I need food and some more water") == {(Need.SELF, "food"), (Need.SELF, "water")}


def test_a_question_states_no_need() -> None:
    assert needs("Do you need food?") == set()
    assert needs("Should I need firewood?") == set()
    assert needs("Can I have more water?") == set()


def test_a_hope_of_having_enough_is_no_plenty() -> None:
    assert (Need.NONE, "water") not in needs("I hope I have enough water")
    assert (Need.NONE, "water") in needs("I have enough water")


def test_what_is_said_of_an_issue_is_not_said_again_of_nothing() -> None:
    assert needs("my kids need water") == {(Need.OTHERS, "water")}


def test_the_longer_pattern_counts() -> None:
    assert M.TIMING_REQUEST in subtypes("How much time is left?")
    assert M.TIMING not in subtypes("How much time is left?")


def test_talk_of_what_is_negotiated_is_not_small() -> None:
    assert M.GENERIC_POS in subtypes("We stay in a tent.")
    assert M.GENERIC_POS not in subtypes("We keep the wood in a tent.")


def test_the_value_of_no_deal_is_read_with_its_points() -> None:
    stated = [act.batna for act in hear("I get 20 points without a deal").acts if act.subtype == M.BATNA_INFO]

    assert stated == [20]


@pytest.mark.parametrize(
    ("asked", "answer", "act"),
    [
        (PROPOSED, "yes", DialogueAct(M.OFFER_ACCEPT, 0.92)),
        (PROPOSED, "no", DialogueAct(M.OFFER_REJECT, 0.92)),
        ("Could you do me a favour?", "sure", DialogueAct(M.FAVOR_ACCEPT, 0.9)),
        ("Could you do me a favour?", "no, sorry", DialogueAct(M.FAVOR_REJECT, 0.9)),
        ("Is water important to you?", "yes", DialogueAct(M.PREF_INFO, 0.9, need=Need.SELF, issue="water")),
        (
            "Is water important to you?",
            "not really",
            DialogueAct(M.PREF_INFO, 0.9, need=Need.NONE, issue="water"),
        ),
        (
            "What do you need most?",
            "Food.",
            DialogueAct(M.PREF_INFO, 0.9, Preference("food", Relation.BEST), need=Need.SELF, issue="food"),
        ),
        (
            "What do you need least?",
            "firewood",
            DialogueAct(
                M.PREF_INFO, 0.9, Preference("firewood", Relation.WORST), need=Need.NONE, issue="firewood"
            ),
        ),
        (
            "Do you prefer food or water?",
            "water",
            DialogueAct(M.PREF_INFO, 0.9, Preference("water", Relation.GREATER, "food"), issue="water"),
        ),
        ("Are you still there?", "yes", DialogueAct(M.CONFIRMATION, 0.9)),
    ],
)
def test_a_short_answer_means_what_was_asked(asked: str, answer: str, act: DialogueAct) -> None:
    assert act in hear(answer, asked).acts


def test_yes_is_no_acceptance_where_nothing_was_proposed() -> None:
    assert M.OFFER_ACCEPT not in subtypes("yes")
    assert M.OFFER_ACCEPT not in subtypes("yes", "Is water important to you?")


def test_an_answer_goes_to_what_the_other_asked_last_and_not_to_what_was_answered() -> None:
    speaker, other = CAMPSITE.seats
    talk = (
        DialogueTurn(other, PROPOSED),
        DialogueTurn(speaker, "Let me think."),
        DialogueTurn(other, "Is water important to you?"),
    )
    lexicon = lexicon_of(CAMPSITE, "en")

    acts = contextual_acts(
        lexicon.tokenize("yes"), DialogueContext(CAMPSITE, speaker, history=talk), lexicon
    ).acts

    assert [act.subtype for act in acts] == [M.PREF_INFO]


def test_what_was_answered_is_asked_no_more() -> None:
    speaker, other = CAMPSITE.seats
    talk = (DialogueTurn(other, PROPOSED), DialogueTurn(speaker, "No."), DialogueTurn(other, "I see."))
    lexicon = lexicon_of(CAMPSITE, "en")

    acts = contextual_acts(
        lexicon.tokenize("yes"), DialogueContext(CAMPSITE, speaker, history=talk), lexicon
    ).acts

    assert M.OFFER_ACCEPT not in {act.subtype for act in acts}


def test_how_about_you_asks_for_preferences_behind_a_statement_of_one() -> None:
    assert M.PREF_REQUEST in subtypes("I need water. How about you?")
    assert M.PREF_REQUEST not in subtypes("I'm fine, how about you?")


@pytest.mark.parametrize(
    "text",
    [
        "I accept",
        "I accept!",
        "deal",
        "Deal!",
        "agreed",
        "Agreed. Thank you!",
        "sounds good, let's do it",
        "Yes, deal",
        "ok",
        "Okay, that works for me",
        "It's a deal",
        "I'm happy with that. Thanks!",
        "I can live with that",
        "sure",
    ],
)
def test_a_plain_yes_to_an_offer_accepts(text: str) -> None:
    assert hear(text, PROPOSED).accepts


@pytest.mark.parametrize(
    "text",
    [
        "deal?",
        "Do we have a deal?",
        "if you give me the water, deal",
        "Deal, if I get the wood",
        "sounds fair, but can I have one more water?",
        "I accept, but only with the car",
        "I don't accept",
        "I can't accept that",
        "no deal",
        "not a deal",
        "I would accept if you add one",
        "Could you accept that?",
        "I like your offer, but this is not my final yes yet.",
        "ok, let me think",
        "Yes, how about 2 food for me?",
        "I almost agree",
        "I accept. Are you sure?",
        "Deal or no deal?",
        "maybe",
        "thanks",
        "",
    ],
)
def test_anything_less_than_plain_accepts_nothing(text: str) -> None:
    assert not hear(text, PROPOSED).accepts


def test_words_that_make_an_offer_of_their_own_accept_only_the_same_one() -> None:
    speaker, other = CAMPSITE.seats
    there = DialogueContext(CAMPSITE, speaker, ALL_FOOD, other, (DialogueTurn(other, offer=ALL_FOOD),))

    assert parse("Deal! You take all the food.", there).accepts
    assert not parse("Deal! I take all the food.", there).accepts


@pytest.mark.parametrize("text", ["ok, and I would like 9 hours", "deal, and I get 9 hours"])
def test_who_agrees_to_a_part_and_adds_terms_of_other_issues_accepts_the_part(text: str) -> None:
    part, whole = Offer({"car": "With leased car"}), Offer({"car": "With leased car", "hours": "8 hours"})
    reading = parse(text, standing(part))

    assert reading.accepts
    assert reading.offer == Offer({"hours": "9 hours"})
    assert not parse(text, standing(whole)).accepts
    assert not parse(text, situation_after(game=JOB)).accepts
    assert not parse("I accept, but only with 9 hours", standing(part)).accepts


def standing(offer: Offer) -> DialogueContext:
    """Return the context of the first seat with the other's offer on the table."""
    speaker, other = JOB.seats
    return DialogueContext(JOB, speaker, offer, other, (DialogueTurn(other, offer=offer),))


@pytest.mark.parametrize(
    "text", ["never", "not a chance", "nah", "hell no", "no thanks", "no no no", "wait, no"]
)
def test_a_plain_no_to_an_offer_refuses(text: str) -> None:
    assert M.OFFER_REJECT in subtypes(text, PROPOSED)
    assert M.OFFER_REJECT not in subtypes(text)


@pytest.mark.parametrize(
    ("text", "relation"),
    [
        ("what matters least to you?", Relation.WORST),
        ("What matters most?", Relation.BEST),
        ("What do you need most?", Relation.BEST),
    ],
)
def test_a_question_for_what_matters_most_or_least_names_no_issue(text: str, relation: Relation) -> None:
    assert preferences(text) == {Preference("", relation, None, True)}
    assert preferences(f"I need food. {text}") == {Preference("", relation, None, True)}
    assert M.PREF_REQUEST in subtypes(text)


def test_a_question_whether_something_is_fine_proposes_nothing_by_itself() -> None:
    assert M.OFFER_PROPOSE not in subtypes("Is that ok?")
    assert M.GENERIC_POS not in subtypes("what else?")
    assert M.BATNA_INFO not in subtypes("can I have 3 food if you get all the water?")
    assert M.BATNA_INFO in subtypes("I get 20 if we do not agree")


def test_a_text_that_settles_something_proposes() -> None:
    acts = parse("90,000 and the fast track", situation_after(game=JOB)).acts

    assert M.OFFER_PROPOSE in {act.subtype for act in acts}


def test_the_issues_that_are_spoken_of_are_told() -> None:
    lexicon = lexicon_of(CAMPSITE, "en")

    acts = utterance_acts(lexicon.tokenize("I have water, what about the wood?"), lexicon, "en")

    assert acts.about == ("water", "firewood")


@pytest.mark.parametrize("text", ["yes " * 2500, "i need " * 1400, "food, " * 1600, "how about you? " * 700])
def test_long_texts_take_no_time(text: str) -> None:
    hear("warm")
    began = time.process_time()

    hear(text)

    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("text", "issue"),
    [
        ("Hi, what salary do you have in mind?", "salary"),
        ("Which pension do you want?", "pension"),
        ("How much salary would you like?", "salary"),
        ("What is your salary expectation?", "salary"),
        ("What can you offer on the pension?", "pension"),
    ],
)
def test_a_question_about_one_issue_names_it(text: str, issue: str) -> None:
    reading = parse(text, situation_after(game=JOB))

    asked = [act.issue for act in reading.acts if act.subtype == M.PREF_SPECIFIC_REQUEST]
    assert issue in asked
    assert reading.about == (issue,)
    assert reading.offer is None


def test_a_question_after_a_need_is_about_no_issue_of_its_own() -> None:
    acts = hear("I need water. How about you?").acts

    assert [(act.subtype, act.issue) for act in acts] == [(M.PREF_INFO, "water"), (M.PREF_REQUEST, None)]
