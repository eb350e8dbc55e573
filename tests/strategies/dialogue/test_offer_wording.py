"""Words that go with an offer: what it changes, and no more than that."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import MessageSubtype
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.strategies.dialogue import Dialogue, Manner
from negoplatform.strategies.dialogue.dialogue import Script
from negoplatform.strategies.dialogue.offer_wording import Reply, introduce, react, takes_back
from negoplatform.testing import TrialTable
from tests.agents.kinds import has_kind, parts_of
from tests.strategies.expressive.table import game

Units = dict[str, tuple[int, int]]
"""Units for the person and for the agent, by issue."""

FIRST: Units = {"food": (0, 3), "water": (0, 3), "firewood": (1, 2)}
KINDER: Units = {"food": (1, 2), "water": (0, 3), "firewood": (1, 2)}
KINDEST: Units = {"food": (1, 2), "water": (2, 1), "firewood": (1, 2)}
DEARER: Units = {"food": (0, 3), "water": (0, 3), "firewood": (0, 3)}
SWAPPED: Units = {"food": (0, 3), "water": (1, 2), "firewood": (0, 3)}
GREEDY: Units = {"food": (3, 0), "water": (3, 0), "firewood": (3, 0)}
LESS_GREEDY: Units = {"food": (3, 0), "water": (1, 2), "firewood": (3, 0)}

NOT_TALKATIVE = Manner(talkativeness=0)
"""Manner of an agent that gives no reasons unasked."""


def offer_of(units: Units) -> Offer:
    return Offer({name: Allocation({"human": a, "agent": b}) for name, (a, b) in units.items()})


def at(
    first: Units | None = None, *theirs: Units, manner: Manner = NOT_TALKATIVE
) -> tuple[AgentContext, Dialogue]:
    """Return a context after an offer of the agent, if any, and the person's, with a dialogue."""
    table = TrialTable(game(), seed=3)
    table.start()
    if first is not None:
        table.agent.offers(offer_of(first))
    for offer in theirs:
        table.human.offers(offer_of(offer))
    ctx = table.context("agent")
    dialogue = Dialogue(ctx, manner)
    for offer in theirs:
        dialogue.memory.record_offer("human", offer_of(offer))
    return ctx, dialogue


def text_of(script: Script) -> str:
    return " ".join(action.text for action in script if isinstance(action, SendMessage))


@pytest.mark.parametrize(
    ("kind", "first", "then", "told"),
    [
        ("", None, FIRST, "open_whole"),
        ("", None, {"food": (0, 3)}, "open_terms"),
        ("", FIRST, KINDER, "concede"),
        ("", FIRST, DEARER, "take_back"),
        ("", FIRST, SWAPPED, "trade"),
        ("", FIRST, FIRST, "same_again"),
        ("", {"food": (0, 3)}, {"food": (1, 2)}, "concede"),
        ("", {"food": (1, 2)}, {"food": (0, 3)}, "take_back"),
        ("", {"food": (0, 3)}, {"food": (0, 3)}, "same_again"),
        ("", {"food": (0, 3)}, {"food": (0, 3), "water": (0, 3)}, "next_terms"),
        ("offer_asked", None, FIRST, "offer_asked"),
        ("stay_offer", FIRST, KINDER, "stay_offer"),
        ("stay_offer", FIRST, DEARER, "take_back"),
        ("complete_theirs", None, FIRST, "complete_theirs"),
        ("complete_theirs", FIRST, DEARER, "take_back"),
        ("final_whole", FIRST, KINDER, "final_whole"),
        ("final_whole", FIRST, DEARER, "take_back"),
        ("take_yours", FIRST, DEARER, "take_yours"),
        ("favor_used", FIRST, DEARER, "favor_used"),
    ],
)
def test_words_claim_no_more_than_the_offer_holds(
    kind: str, first: Units | None, then: Units, told: str
) -> None:
    ctx, dialogue = at(first)

    words = introduce(dialogue, ctx, offer_of(then), kind=kind)

    assert parts_of(text_of(words)) == [{told}]


@pytest.mark.parametrize(("then", "told"), [(FIRST, "counter_whole"), ({"food": (0, 3)}, "counter_terms")])
def test_a_first_offer_that_answers_one_is_a_counter_offer(then: Units, told: str) -> None:
    ctx, dialogue = at(None, GREEDY)

    words = introduce(dialogue, ctx, offer_of(then), answers=Reply("human", offer_of(GREEDY)))

    assert has_kind(text_of(words), told)


def test_a_concession_names_what_it_gives_and_nothing_else() -> None:
    ctx, dialogue = at(FIRST)

    text = text_of(introduce(dialogue, ctx, offer_of(KINDER)))

    assert "1 package of food for you" in text
    assert "water" not in text
    assert "firewood" not in text


def test_a_trade_names_what_it_gives_and_what_it_asks_for() -> None:
    ctx, dialogue = at(FIRST)

    text = text_of(introduce(dialogue, ctx, offer_of(SWAPPED)))

    assert "1 package of water for you" in text
    assert "3 packages of firewood for me" in text


def test_who_answers_a_concession_with_one_names_both() -> None:
    ctx, dialogue = at(FIRST, GREEDY, LESS_GREEDY)

    text = text_of(introduce(dialogue, ctx, offer_of(KINDER), answers=Reply("human", offer_of(LESS_GREEDY))))

    assert has_kind(text, "concede_back")
    assert "2 packages of water for me" in text
    assert "1 package of food for you" in text


def test_where_the_other_has_not_moved_a_concession_thanks_for_nothing() -> None:
    ctx, dialogue = at(FIRST, GREEDY, GREEDY)

    words = introduce(dialogue, ctx, offer_of(KINDER), answers=Reply("human", offer_of(GREEDY)))

    assert has_kind(text_of(words), "concede")
    assert not has_kind(text_of(words), "concede_back")


def test_what_is_worth_no_more_to_the_other_is_called_no_concession() -> None:
    ctx, _ = at(FIRST)
    dialogue = Dialogue(ctx, NOT_TALKATIVE, worth_to_others=lambda _: 0.5)

    words = introduce(dialogue, ctx, offer_of(KINDER))

    assert parts_of(text_of(words)) in ([{"reshuffle"}], [{"counter_whole"}])


@pytest.mark.parametrize(
    ("first", "then", "taken"),
    [
        (None, FIRST, False),
        (FIRST, FIRST, False),
        (FIRST, KINDER, False),
        (KINDER, FIRST, True),
        (FIRST, DEARER, True),
        (KINDEST, KINDER, True),
        ({"food": (1, 2)}, {"food": (0, 3)}, True),
        ({"food": (1, 2)}, {"food": (1, 2), "water": (0, 3)}, False),
    ],
)
def test_a_concession_is_taken_back_where_an_offer_asks_for_more(
    first: Units | None, then: Units, taken: bool
) -> None:
    ctx, dialogue = at(first)

    assert takes_back(dialogue, ctx, offer_of(then)) is taken


def test_who_takes_back_remembers_it_and_who_concedes_has_nothing_to_remember() -> None:
    ctx, dialogue = at(FIRST)

    introduce(dialogue, ctx, offer_of(KINDER))
    before = dialogue.memory.took_back
    introduce(dialogue, ctx, offer_of(DEARER))

    assert not before
    assert dialogue.memory.took_back


def test_a_talkative_agent_gives_a_reason_for_what_it_keeps_and_a_silent_one_does_not() -> None:
    talkative, silent = (at(manner=Manner(talkativeness=share)) for share in (1, 0))

    told, kept = (introduce(dialogue, ctx, offer_of(FIRST)) for ctx, dialogue in (talkative, silent))

    reasons = talkative[0].briefing.reasons_for("food", offer_of(FIRST).get("food"), "agent")
    assert reasons
    assert any(reason in text_of(told) for reason in reasons)
    assert len(kept) == 1


def test_the_reason_for_a_next_step_is_about_what_the_step_adds() -> None:
    ctx, dialogue = at({"food": (0, 3)}, manner=Manner(talkativeness=1))
    longer = offer_of({"food": (0, 3), "water": (0, 3)})

    text = text_of(introduce(dialogue, ctx, longer))

    reasons = {
        issue: ctx.briefing.reasons_for(issue, longer.get(issue), "agent") for issue in ("food", "water")
    }
    assert any(reason in text for reason in reasons["water"])
    assert not any(reason in text for reason in reasons["food"])


def test_who_asks_for_what_matters_least_to_it_does_not_say_how_little_it_needs_it() -> None:
    ctx, dialogue = at(FIRST, manner=Manner(talkativeness=1))
    least = dialogue.importance()[-1]

    text = text_of(introduce(dialogue, ctx, offer_of(DEARER)))

    assert least == "firewood"
    assert "firewood" in text
    assert ctx.briefing.reasons_for("firewood", None, "agent")
    assert not any(reason in text for reason in ctx.briefing.reasons_for("firewood", None, "agent"))


def test_words_for_an_offer_are_marked_as_a_proposal() -> None:
    ctx, dialogue = at(FIRST)

    words = introduce(dialogue, ctx, offer_of(KINDER))

    assert [action.subtype for action in words if isinstance(action, SendMessage)] == [
        MessageSubtype.OFFER_PROPOSE
    ]


# Reactions


def reaction(*theirs: Units, ratio: float | None = None, politeness: float = 0.5) -> str:
    """Return the first reaction of an agent that talks much."""
    ctx, dialogue = at(FIRST, *theirs, manner=Manner(talkativeness=1, politeness=politeness))
    answers = Reply("human", offer_of(theirs[-1]), ratio)
    for _ in range(40):  # it is silent now and then
        if text := text_of(react(dialogue, ctx, answers, wanted=None, conceding=False)):
            return text
    return ""


@pytest.mark.parametrize(
    ("theirs", "ratio", "told"),
    [
        ((GREEDY, LESS_GREEDY), 0.6, "react_better"),
        ((LESS_GREEDY, GREEDY), 0.6, "react_worse"),
        ((GREEDY, GREEDY), 0.6, "react_same"),
        ((GREEDY,), 0.2, "react_far"),
        ((KINDEST,), 0.9, "react_near"),
        ((GREEDY,), None, "refuse_plain"),
    ],
)
def test_a_reaction_fits_the_offer(theirs: tuple[Units, ...], ratio: float | None, told: str) -> None:
    assert has_kind(reaction(*theirs, ratio=ratio), told)


@pytest.mark.parametrize(
    ("politeness", "told"), [(0.1, "refuse_blunt"), (0.5, "refuse_plain"), (0.71, "refuse_polite")]
)
def test_a_no_is_as_polite_as_the_agent_is_set(politeness: float, told: str) -> None:
    text = reaction(GREEDY, politeness=politeness)

    assert has_kind(text, told) or has_kind(text, "thanks_offer")
    assert politeness > 0.7 or has_kind(text, told)


def test_who_is_about_to_concede_says_no_plain_no() -> None:
    ctx, dialogue = at(FIRST, GREEDY, GREEDY, manner=Manner(talkativeness=1))

    said = [
        text_of(react(dialogue, ctx, Reply("human", offer_of(GREEDY)), wanted=None, conceding=True))
        for _ in range(20)
    ]

    assert set(said) == {""}


def test_a_no_names_the_issue_that_falls_short() -> None:
    ctx, dialogue = at(FIRST, GREEDY, manner=Manner(talkativeness=1))
    wanted = offer_of({"food": (3, 0), "water": (3, 0), "firewood": (0, 3)})

    said = [
        text_of(react(dialogue, ctx, Reply("human", offer_of(GREEDY)), wanted=wanted, conceding=False))
        for _ in range(12)
    ]

    named = [text for text in said if has_kind(text, "refuse_issue")]
    assert named
    assert all("firewood" in text for text in named)


def test_an_agent_that_says_no_more_than_is_needed_reacts_to_nothing() -> None:
    ctx, dialogue = at(FIRST, GREEDY)

    said = [
        react(dialogue, ctx, Reply("human", offer_of(GREEDY)), wanted=None, conceding=False)
        for _ in range(20)
    ]

    assert said == [[]] * 20
    assert react(dialogue, ctx, Reply("human", EMPTY_OFFER), wanted=None, conceding=False) == []
