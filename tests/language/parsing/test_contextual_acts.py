"""The meaning of a yes in its context."""

from __future__ import annotations

import pytest

from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_context import DialogueContext, DialogueTurn, dialogue_context
from negoplatform.language.parsing.parser import parse
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable

GAME = load_game(bundled("games") / "campsite.json")
ME, OTHER = GAME.seats
THEIRS = Offer({issue.name: Allocation({ME: 1, OTHER: 2}) for issue in GAME.issues})
MINE = Offer({issue.name: Allocation({ME: 2, OTHER: 1}) for issue in GAME.issues})
IN_WORDS = "2 food, 2 water and 2 firewood for you, 1 food, 1 water and 1 firewood for me"


def after(*talk: DialogueTurn, accepted: bool = False) -> DialogueContext:
    """Return a context where the other's offer is on the table, or mine if they have accepted it."""
    on_table, maker = (MINE, ME) if accepted else (THEIRS, OTHER)
    return DialogueContext(
        GAME, ME, on_table, maker, (DialogueTurn(maker, offer=on_table), *talk), accepted=accepted
    )


@pytest.mark.parametrize("yes", ["yes", "Yes, please!", "ok", "Yes, exactly."])
@pytest.mark.parametrize("asked", [f"So you want {IN_WORDS}? Please send it as an offer.", f"{IN_WORDS}?"])
def test_a_yes_to_terms_that_the_other_asks_for_is_these_terms(yes: str, asked: str) -> None:
    reading = parse(yes, after(DialogueTurn(ME, "I want more."), DialogueTurn(OTHER, asked)))

    assert reading.offer == MINE
    assert reading.echoes
    assert not reading.accepts


@pytest.mark.parametrize(
    "talk",
    [
        (),
        (DialogueTurn(OTHER, "1 food, 1 water and 1 firewood for you, the rest for me?"),),
        (DialogueTurn(OTHER, f"I will not agree to {IN_WORDS}."),),
        (DialogueTurn(OTHER, f"{IN_WORDS}? Please send it as an offer."), DialogueTurn(OTHER, offer=THEIRS)),
        (DialogueTurn(OTHER, f"{IN_WORDS}? Please send it as an offer."), DialogueTurn(ME, "Hm.")),
        (
            DialogueTurn(OTHER, f"{IN_WORDS}? Please send it."),
            DialogueTurn(OTHER, "Could you accept my offer?"),
        ),
    ],
    ids=["nothing said", "same terms", "no question", "offered since", "I spoke since", "asked since"],
)
def test_every_other_yes_is_one_to_the_offer_on_the_table(talk: tuple[DialogueTurn, ...]) -> None:
    assert parse("Yes.", after(*talk)).accepts


@pytest.mark.parametrize(
    "asked",
    [
        "May I think about this a little longer?",
        "Would you change something about my offer?",
        "Is something wrong with it?",
        "Which part do you mean?",
    ],
)
def test_a_yes_to_another_question_accepts_nothing(asked: str) -> None:
    assert not parse("Yes.", after(DialogueTurn(OTHER, asked))).accepts


@pytest.mark.parametrize(
    "asked",
    ["Do we have a deal?", "Is that a yes to my proposal?", "Does my offer suit you?", "What do you say?"],
)
def test_a_yes_to_being_asked_for_it_accepts(asked: str) -> None:
    assert parse("Yes.", after(DialogueTurn(OTHER, asked))).accepts


@pytest.mark.parametrize(
    "text", ["fine, but 2 water for me", "I accept if I also get 1 food", "deal, with 2 food for me"]
)
def test_a_yes_with_a_change_adapts_the_offer_of_the_other(text: str) -> None:
    reading = parse(text, after())

    assert reading.adapts
    assert not reading.accepts


@pytest.mark.parametrize(
    "text", ["ok the food is not enough. 2 food for me", "Great! I want 2 food", "ok no. 2 food"]
)
def test_an_ok_before_other_terms_is_no_yes_to_the_rest(text: str) -> None:
    assert not parse(text, after()).adapts


def test_a_plain_acceptance_is_of_the_offer_on_the_table_whatever_was_asked() -> None:
    asked = after(DialogueTurn(OTHER, f"{IN_WORDS}? Please send it as an offer."))

    assert parse("I accept your offer.", asked).accepts
    assert not parse("Yes, but what about water?", asked).plain


@pytest.mark.parametrize("yes", ["yes", "alright then", "Great, deal!"])
def test_a_yes_to_ones_own_offer_confirms_it_once_the_other_has_accepted(yes: str) -> None:
    assert parse(yes, after(accepted=True)).accepts


def test_whether_the_other_has_accepted_is_seen_on_the_table() -> None:
    table = TrialTable(GAME)
    table.start()
    offer = table.participant(ME).offers(MINE)
    before = dialogue_context(table.state, ME)
    table.participant(OTHER).accepts(offer)

    assert (before.accepted, dialogue_context(table.state, ME).accepted) == (False, True)
    assert not dialogue_context(table.state, OTHER).accepted
    accepting = next(iter(table.state.transcript.iter_backwards()))
    assert not dialogue_context(table.state, ME, before=accepting.seq).accepted


@pytest.mark.parametrize("text", ["Ok, I take it.", "I take the deal", "agreed", "Agreed, thanks!"])
def test_an_acceptance_in_other_words(text: str) -> None:
    assert parse(text, after()).accepts


@pytest.mark.parametrize(
    "text",
    [
        "Agreed to disagree.",
        "I would have accepted.",
        "You agreed already.",
        "I accepted that before.",
        "I hope we find something that works for both of us.",
        "I hope we have a deal.",
        "Of course, you are very welcome.",
    ],
)
def test_what_only_speaks_of_accepting_accepts_nothing(text: str) -> None:
    assert not parse(text, after()).accepts


def test_going_to_somebody_else_is_a_threat() -> None:
    reading = parse("If you don't accept this I will find someone else", after())

    assert reading.has(MessageSubtype.THREAT_NEG)
