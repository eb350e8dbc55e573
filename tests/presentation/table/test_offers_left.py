"""The window's words about a game that ends by the number of its offers, computed without a window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.game import LAST_ANSWER_SECONDS, TimeCost
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingView
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.refusals_for_translation import REFUSAL_MESSAGES
from negoplatform.presentation.replay.event_words import GeneralWords
from negoplatform.presentation.start.plugin_cards import limits_text
from negoplatform.presentation.table.table_view import HeaderView, TableView
from negoplatform.presentation.transcript.transcript_entries import transcript_entries
from negoplatform.testing import TrialTable
from tests.games import coins_only
from tests.presentation.bargaining_desk import BargainingDesk

HALF = {"coins": (2, 2)}


def seen(table: TrialTable, now: float = 0.0, translate: Language = ENGLISH) -> TableView[BargainingView]:
    """Return the view of the human."""
    desk = BargainingDesk("human", {"agent": "Rowan"}, translate)
    return desk.table(view_of(table.state, Observer("human")), now, Draft(table.state.game))


def clock(header: HeaderView) -> tuple[str, str]:
    """Return the clock of a header, and its label."""
    return header.clock, header.clock_words


def table_with(offers: int, **rules: Any) -> TrialTable:
    """Return a started table of two seats with this number of offers."""
    table = TrialTable(coins_only(deadline_offers=offers, **rules))
    table.start()
    return table


def test_without_a_limit_of_time_the_clock_counts_the_offers() -> None:
    table = table_with(3)
    shown = [seen(table).header]
    for maker in (table.human, table.agent):
        maker.offers(HALF)
        shown.append(seen(table).header)

    assert [clock(header) for header in shown] == [
        ("3", "offers left"),
        ("2", "offers left"),
        ("1", "offer left"),
    ]
    assert [header.left for header in shown] == pytest.approx([1, 2 / 3, 1 / 3])
    assert [header.urgent for header in shown] == [False, False, True]


def test_beside_a_limit_of_time_the_offers_stand_in_the_label_of_the_clock() -> None:
    table = table_with(20, deadline_seconds=600.0)

    table.human.offers(HALF)

    assert clock(seen(table, 60.0).header) == ("09:00", "time left, 19 offers left")
    assert seen(table, 60.0).header.left == pytest.approx(0.9)


def test_the_time_to_answer_the_last_offer_runs_on_the_clock() -> None:
    table = table_with(1, deadline_seconds=600.0)
    table.agent.offers(HALF)

    first, later = seen(table, 0.0), seen(table, 45.0)

    assert clock(first.header) == ("01:00", "to answer the last offer")
    assert clock(later.header) == ("00:15", "to answer the last offer")
    assert later.header.urgent


def test_a_deadline_that_comes_before_that_stays_on_the_clock() -> None:
    table = table_with(1, deadline_seconds=30.0)
    table.agent.offers(HALF)

    assert clock(seen(table, 10.0).header) == ("00:20", "last minute, 0 offers left")


def test_the_builder_says_that_an_offer_is_the_last_and_what_is_left_to_do() -> None:
    table = table_with(2)
    notes = [seen(table).work.note]
    table.human.offers(HALF)
    notes.append(seen(table).work.note)
    table.agent.offers(HALF)
    notes.append(seen(table).work.note)

    assert notes == [
        "Nothing chosen yet.",
        "The next offer is the last one  ·  Nothing chosen yet.",
        "This is the last offer: accept it, or leave it",
    ]


def test_after_the_last_offer_the_draft_cannot_be_sent_but_the_offer_can_be_accepted() -> None:
    table = table_with(1)
    draft = Draft(table.state.game, table.agent.offers(HALF).payload.offer)
    desk = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)

    view = desk.table(view_of(table.state, Observer("human")), 1.0, draft)

    assert not view.work.builder.can_send
    assert view.work.accept.offer_id is not None


def test_the_last_offer_cannot_be_countered_and_its_card_says_why() -> None:
    table = table_with(2)
    table.agent.offers(HALF)
    before = seen(table).work.card
    table.agent.offers({"coins": (1, 3)})
    last = seen(table).work.card

    assert before is not None
    assert last is not None
    assert (before.can_answer, last.can_answer, last.can_accept) == (True, False, True)
    assert "This is the last offer of the game, so you can’t counter it." in last.hint
    assert "counter it" not in before.hint


def test_a_counter_offer_that_is_open_when_the_last_offer_comes_is_closed() -> None:
    table = table_with(2)
    first = table.agent.offers(HALF)
    desk = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH)

    def counter() -> object:
        view = view_of(table.state, Observer("human"))
        card = desk.table(view, 1.0, Draft(table.state.game), counter_base_id=first.seq).work.card
        assert card is not None
        return card.counter

    opened = counter()
    table.agent.offers({"coins": (1, 3)})

    assert opened is not None
    assert counter() is None


def test_after_the_last_offer_no_other_can_be_asked_for() -> None:
    table = table_with(1, offer_requests=True)
    table.agent.offers(HALF)

    requests = seen(table).work.builder.requests

    assert requests is not None
    for request in (requests.in_return, requests.fairer):
        assert (request.message, request.hint) == (None, "No offers are left in this game.")


@pytest.mark.parametrize(
    ("deadline", "heading"),
    [(None, "The last offer wasn’t accepted: no deal"), (30.0, "Time is up: no deal")],
)
def test_the_end_says_whether_the_last_offer_or_the_time_was_the_reason(
    deadline: float | None, heading: str
) -> None:
    table = table_with(1, deadline_seconds=deadline)
    table.agent.offers(HALF)
    table.wait(LAST_ANSWER_SECONDS + 1)

    end = seen(table, table.state.ended_at or 0.0).end

    assert end is not None
    assert end.heading == heading
    view = view_of(table.state, Observer("human"))
    lines = transcript_entries(
        view.state, view.state.transcript_of("human"), "human", {"agent": "Rowan"}, ENGLISH
    )
    assert lines[-1].text == heading


@pytest.mark.parametrize(
    ("deadline", "words"),
    [(None, "The last offer wasn’t accepted: no deal"), (30.0, "Time is up: no deal")],
)
def test_a_replay_says_so_too(deadline: float | None, words: str) -> None:
    table = table_with(1, deadline_seconds=deadline)
    table.agent.offers(HALF)
    table.wait(LAST_ANSWER_SECONDS + 1)
    events = table.state.transcript_of("human")
    names = {"human": "P-1", "agent": "Rowan"}

    assert GeneralWords(events, table.state.game, names, ENGLISH).text(events[-1]) == words


def test_the_rules_say_how_many_offers_there_are_and_what_comes_after_the_last() -> None:
    rules = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH).rules(coins_only(deadline_offers=20))
    ends = next(sentences for heading, sentences in rules.sections if heading == "How it ends")

    assert (
        "20 offers can be made, by both of you together. The last one can be accepted for 1 minute; then the "
        "game ends without a deal." in ends
    )
    assert not any("no time limit" in sentence for sentence in ends)


def test_what_time_costs_stays_in_the_label() -> None:
    game = coins_only(deadline_offers=3)
    mine = replace(game.preferences["human"], time_cost=TimeCost(1, 10.0))
    table = TrialTable(replace(game, preferences=game.preferences.with_value("human", mine)))
    table.start()

    assert clock(seen(table, 20.0).header) == ("3", "offers left, it has cost you 2 points")


@pytest.mark.parametrize("code", ["de", "he"])
def test_the_refusal_and_the_labels_are_translated(code: str) -> None:
    translate, table = Language.load(code), table_with(2)
    refusal = next(text for text in REFUSAL_MESSAGES if text.startswith("No offers are left"))

    assert translate(refusal) != refusal
    assert clock(seen(table, translate=translate).header) != clock(seen(table).header)


@pytest.mark.parametrize(
    ("seconds", "offers", "words"),
    [
        (None, None, "no time limit"),
        (600, None, "10 minutes"),
        (None, 1, "1 offer"),
        (90, 20, "1.5 minutes, 20 offers"),
    ],
)
def test_the_card_of_a_game_names_its_limits(seconds: float | None, offers: int | None, words: str) -> None:
    assert limits_text(seconds, offers, ENGLISH) == words
