"""Texts that Enter may confirm, and texts that it must not: sentences of newcomers."""

from __future__ import annotations

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import Allocation, Offer, Term
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn
from negoplatform.language.parsing.interpretation import AnnotationKind, Interpretation
from negoplatform.language.parsing.parser import parse
from negoplatform.plugins.program_and_user_folders import bundled

PRACTICE = load_game(bundled("games") / "practice.json")
JOB = load_game(bundled("games") / "job_candidate.json")
SIX = Offer({"apples": Allocation({"human": 0, "agent": 6}), "day": "Saturday"})
LOW = Offer({"salary": "60,000 USD", "car": "Without leased car", "hours": "10 hours"})


def after_six(text: str) -> Interpretation:
    """Return the interpretation of a text after the other side has offered to take all six apples."""
    return parse(text, DialogueContext(PRACTICE, "human", SIX, "agent", (DialogueTurn("agent", offer=SIX),)))


def after_low(text: str) -> Interpretation:
    """Return the interpretation of a candidate's text after a low offer."""
    return parse(
        text, DialogueContext(JOB, "candidate", LOW, "employer", (DialogueTurn("employer", offer=LOW),))
    )


def apples(mine: int) -> dict[str, Term]:
    """Return a division of the six apples."""
    return {"apples": Allocation({"human": mine, "agent": 6 - mine})}


@pytest.mark.parametrize(
    "text",
    [
        "lol no way, all six? lets just split them 3-3",
        "you want all six?? come on",
        "yeah right",
        "why would i ever give you all of them?",
        "my friend got 4 apples last time",
        "you get 1 apple? no way",
        "6 for you? no",
        "sure, take all 6 and my house as well",
        "I get 2 apples and you get 4 grapes",
        "you take 4 apples and some pears",
        "ok but",
        "deal?",
        "no deal",
    ],
)
def test_refusals_questions_reports_and_irony_are_not_confirmed_by_enter(text: str) -> None:
    assert not after_six(text).plain


@pytest.mark.parametrize("text", ["yeah right", "fine, 4 for you and 2 for me", "ok but 3 apples for me"])
def test_other_terms_are_no_acceptance(text: str) -> None:
    assert not after_six(text).accepts or text == "yeah right"
    assert not after_six("yeah right").plain


@pytest.mark.parametrize(
    ("text", "mine"),
    [
        ("50/50", 3),
        ("half half", 3),
        ("split them 3-3", 3),
        ("3 apples each!!", 3),
        ("fine, 4 for you and 2 for me", 2),
        ("so your getting 4 apples and i get 2", 2),
        ("ur getting 4", 2),
    ],
)
def test_ratios_and_contractions_are_read(text: str, mine: int) -> None:
    assert [dict(offer.terms) for offer in after_six(text).offers] == [apples(mine)]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("90k max", {"salary": "90,000 USD"}),
        ("I can't go above 90k", {"salary": "90,000 USD"}),
        ("8 hours max", {"hours": "8 hours"}),
    ],
)
def test_limits_are_read_and_not_confirmed_by_enter(text: str, terms: dict[str, Term]) -> None:
    reading = after_low(text)

    assert dict(reading.offers[0].terms) == terms
    assert reading.soft
    assert not reading.plain


def test_a_yes_to_one_issue_is_its_term() -> None:
    assert dict(after_low("salary is fine").offers[0].terms) == {"salary": "60,000 USD"}


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        (
            "I'll give you 90k and a car, but then I want 10 hour days. Deal?",
            {"salary": "90,000 USD", "car": "With leased car", "hours": "10 hours"},
        ),
        (
            "Look, let's meet halfway: 90,000, 9 hours, and you get the car",
            {"salary": "90,000 USD", "hours": "9 hours", "car": "With leased car"},
        ),
        (
            "ninety thousand and no car, take it or leave it",
            {"salary": "90,000 USD", "car": "Without leased car"},
        ),
    ],
)
def test_ordinary_offers_are_held_out(text: str, terms: dict[str, Term]) -> None:
    situation = DialogueContext(
        JOB, "employer", history=(DialogueTurn("candidate", "I would like 120,000 USD and a car."),)
    )

    assert dict(parse(text, situation).offers[0].terms) == terms


@pytest.mark.parametrize("text", ["Deal!", "ok", "I accept your offer.", "sounds good to me", "yes"])
def test_plain_acceptances_are_confirmed_by_enter(text: str) -> None:
    reading = after_six(text)

    assert reading.accepts
    assert reading.plain


@pytest.mark.parametrize("text", ["einverstanden", "ja gerne", "passt"])
def test_german_acceptances_are_read(text: str) -> None:
    situation = DialogueContext(PRACTICE, "human", SIX, "agent", (DialogueTurn("agent", offer=SIX),), "de")

    assert parse(text, situation).accepts


@pytest.mark.parametrize("text", ["nein", "auf keinen Fall", "das ist mir zu wenig"])
def test_german_refusals_are_read(text: str) -> None:
    situation = DialogueContext(PRACTICE, "human", SIX, "agent", (DialogueTurn("agent", offer=SIX),), "de")
    reading = parse(text, situation)

    assert reading.refuses or reading.has(MessageSubtype.OFFER_REJECT)
    assert not reading.plain


def test_german_offers_are_read() -> None:
    situation = DialogueContext(PRACTICE, "human", SIX, "agent", (DialogueTurn("agent", offer=SIX),), "de")

    reading = parse("2 apples für mich, 4 für dich", situation)

    assert reading.offer == Offer({"apples": Allocation({"human": 2, "agent": 4})})


def test_a_yes_never_confirms_words_that_were_not_surely_read() -> None:
    vague = DialogueTurn("agent", "Perhaps you would take some of the apples, or 3 or so, and I the rest?")
    situation = DialogueContext(PRACTICE, "human", history=(DialogueTurn("human", "hm"), vague))

    assert not parse("yes", situation).echoes


PARAPHRASE = (
    "So you are thinking of this: Salary: 90,000 USD, Without leased car, Working hours: 9 hours? "
    "Please send it as an offer, so that it counts."
)


@pytest.mark.parametrize("yes", ["yes", "ok", "k", "yes please"])
def test_a_yes_after_a_paraphrase_never_accepts_the_older_offer(yes: str) -> None:
    talk = (
        DialogueTurn("candidate", offer=LOW),
        DialogueTurn("employer", "90k, no car, 9h"),
        DialogueTurn("candidate", PARAPHRASE),
    )

    reading = parse(yes, DialogueContext(JOB, "employer", LOW, "candidate", talk))

    assert not reading.accepts
    assert reading.echoes
    assert dict(reading.offers[0].terms) == {
        "salary": "90,000 USD", "car": "Without leased car", "hours": "9 hours"
    }  # fmt: skip


@pytest.mark.parametrize(
    "text", ["no car", "no damn car", "zero car", "WITHOUT a car, can you even read", "90k, 9 hours, no car"]
)
def test_a_denied_value_is_never_read_as_the_value(text: str) -> None:
    table = Offer({**dict(LOW.terms), "car": "With leased car"})
    talk = (DialogueTurn("candidate", offer=table),)

    reading = parse(text, DialogueContext(JOB, "employer", table, "candidate", talk))

    assert all(offer.get("car") in (None, "Without leased car") for offer in reading.offers)


@pytest.mark.parametrize(
    "text",
    [
        "you aint getting 3 apples",
        "stop asking me to take 1 apple",
        "usually I get 3 apples",
        "lol you get 3 apples",
        "how generous, I get 1 apple",
        "I get 3 apples and the tent",
        "about 2 apples for me",
        "would you take 3 apples",
        "you get 3 apples if it rains",
        "you get 2 apples. You sure?",
        "2 apples for me, scratch that, 1 apple",
        "you want me to take 1 apple",
        "probably ok",
        "oh sure, great",
    ],
)
def test_words_that_may_change_the_meaning_are_not_confirmed_by_enter(text: str) -> None:
    assert not after_six(text).plain


@pytest.mark.parametrize(
    "text",
    [
        "2 apples for me, ok?",
        "you take 4 apples, deal?",
        "2 apples for me. Deal?",
        "how about 3 apples for me",
    ],
)
def test_a_closing_question_asks_for_a_yes_only(text: str) -> None:
    assert not any(part.kind == AnnotationKind.QUESTION for part in after_six(text).parts)


def test_a_yes_to_what_was_not_surely_read_is_no_acceptance_for_agents() -> None:
    vague = DialogueTurn(
        "employer", "So you want about 90k or so, and perhaps 9 hours? Would you send that as an offer?"
    )
    talk = (DialogueTurn("employer", offer=LOW), vague)

    reading = parse("yes", DialogueContext(JOB, "candidate", LOW, "employer", talk))

    assert not reading.accepts
    assert reading.echoes or not reading.has(MessageSubtype.OFFER_ACCEPT)
