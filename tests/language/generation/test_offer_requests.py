"""Terms of offer requests: what is asked in words is read as exactly these terms."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from negoplatform.app.support.localized_game_names import with_localized_names
from negoplatform.core.events import Message, MessageSubtype
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer, Term
from negoplatform.formats.games import load_game
from negoplatform.language import DialogueContext, parse_message
from negoplatform.language.generation import read_requested_terms, requested_terms_in_words

ROOT = Path(__file__).parents[3]
SHIPPED = [
    path
    for path in sorted([*ROOT.glob("games/*.json"), *ROOT.glob("games/*/game.json")])
    if load_game(path).issues
]
DRAFTS = 150

FRAMES = {
    "en": "What would you give me for this: {}?",
    "de": "Was geben Sie mir dafür: {}?",
    "he": "מה הייתם נותנים לי תמורת זה: {}?",
}


def random_term(game: GameSpec, issue: object, rng: Random) -> Term | None:
    match issue:
        case QuantityIssue():
            first = rng.randint(0, issue.quantity)
            second = rng.choice([0, issue.quantity - first, rng.randint(0, issue.quantity - first)])
            units = {game.seats[0]: first, game.seats[1]: second}
            return Allocation(units, issue.quantity - first - second) if first + second else None
        case CategoricalIssue():
            return rng.choice(issue.values)
        case NumberIssue():
            return rng.choice(issue.values)
    raise AssertionError(issue)


def random_draft(game: GameSpec, rng: Random) -> Offer:
    """Return terms for some issues, and for at least one."""
    share = rng.random()
    terms = {issue.name: random_term(game, issue, rng) for issue in game.issues if rng.random() < share}
    decided = {name: term for name, term in terms.items() if term is not None}
    return Offer(decided) if decided else random_draft(game, rng)


@pytest.mark.parametrize("language", ["en", "de", "he"])
@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.parent.name + path.stem)
def test_the_terms_of_any_draft_are_read_exactly_as_they_were_meant(path: Path, language: str) -> None:
    game, rng = load_game(path), Random(f"{path.stem}{language}")
    if language == "de":
        game = with_localized_names(game, language)

    for _ in range(DRAFTS):
        speaker, draft = rng.choice(game.seats), random_draft(game, rng)
        text = FRAMES[language].format(requested_terms_in_words(draft, game, speaker, language))

        assert read_requested_terms(text, game, speaker, language) == draft, text


@pytest.mark.parametrize("subtype", [MessageSubtype.OFFER_REQUEST_POS, MessageSubtype.OFFER_REQUEST_NEG])
def test_a_request_is_interpreted_with_its_terms(practice: GameSpec, subtype: MessageSubtype) -> None:
    context = DialogueContext(practice, "human")
    text = "What would you give me for this: 2 apples for you and picking on Sunday?"

    reading = parse_message(Message(text, subtype), context)

    terms = Offer({"apples": Allocation({"agent": 2}, 4), "day": "Sunday"})
    assert (reading.offers, reading.about) == ((terms,), ("apples", "day"))
    assert reading.subtype is subtype
    assert reading.offer is None, "it proposes nothing"
    assert not reading.accepts


@pytest.mark.parametrize(
    "text",
    [
        "What would you suggest? Please send me an offer.",
        "What would you give me for this: 2 apples?",
        "What would you give me for this: 7 apples for you?",
        "What would you give me for this: 2 apples for you or picking on Sunday?",
        "What would you give me for this: 4 apples for me, 3 apples for you?",
        "What would you give me for this: ?",
        "What would you give me for this: picking on Sunday and 2 apples for you?",
        "What would you give me for this: " + "2 apples for you, " * 500 + "?",
    ],
)
def test_words_that_are_no_exact_terms_are_not_guessed(practice: GameSpec, text: str) -> None:
    reading = parse_message(
        Message(text, MessageSubtype.OFFER_REQUEST_POS), DialogueContext(practice, "human")
    )

    assert reading.offers == ()


def test_terms_that_two_issues_share_are_not_guessed() -> None:
    practice = load_game(ROOT / "games" / "practice.json")
    apples = practice.issue("apples")
    assert isinstance(apples, QuantityIssue)
    twins = (apples, QuantityIssue("pears", 6, label=apples.label, spoken=apples.spoken))
    game = GameSpec("twins", twins, practice.seats, practice.preferences)
    text = "What would you give me for this: 2 apples for you?"

    assert read_requested_terms(text, game, "human", "en") is None


def test_a_draft_without_terms_has_no_words(practice: GameSpec) -> None:
    assert requested_terms_in_words(EMPTY_OFFER, practice, "human", "en") == ""
