"""Ledger of one seat that is read again and again: it agrees with the record, and adds only new events."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from negoplatform.core.events import EventType, Message, MessageSubtype
from negoplatform.core.intention_ledger import SeatLedger
from negoplatform.core.notes_and_tasks_derivation import record_sections
from negoplatform.core.record.notes_and_tasks_proposals import Proposer, ProposerKind
from negoplatform.core.session import ActionOrigin, Session
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.testing import TrialTable
from tests.games import coins_only, three_seats
from tests.proposers import issued

SUBTYPES = [
    MessageSubtype.PREF_REQUEST,
    MessageSubtype.OFFER_REQUEST_POS,
    MessageSubtype.PREF_INFO,
    MessageSubtype.OFFER_REJECT,
    MessageSubtype.GENERIC,
]


def questions_in_record(state: State, seat: str) -> list[dict[str, Any]]:
    """Return the open questions as the whole record has them."""
    tasks = record_sections(state, state.transcript_of(seat))["tasks"]
    return [task for task in tasks if (task["intent"], task["status"]) == ("ask", "pending")]


def say_something(session: Session, rng: Random) -> None:
    """Send a message of a random seat, to all or to one other."""
    seats = session.state.game.seats
    sender = rng.choice(seats)
    to = rng.choice([(), (rng.choice([seat for seat in seats if seat != sender]),)])
    words = Message("Well?", rng.choice(SUBTYPES))
    session.act(sender, EventType.SEND_MESSAGE, words, ActionOrigin(to=to))


@pytest.mark.parametrize("seed", range(4))
def test_the_questions_are_those_of_the_record_after_each_event(seed: int) -> None:
    rng, table = Random(seed), TrialTable(three_seats())
    table.start()
    seat, ledger = table.state.game.seats[1], SeatLedger()

    for _ in range(40):
        for _ in range(rng.randrange(4)):
            say_something(table.session, rng)
        found = ledger.unanswered_questions(table.state, seat)
        assert [task.document() for task in found] == questions_in_record(table.state, seat)

    assert ledger.events_added == len(table.state.transcript_of(seat))


def test_a_question_that_the_record_says_is_done_is_left_out(game: GameSpec) -> None:
    table, ledger = TrialTable(game), SeatLedger()
    asked = table.agent.says("What do you want?", MessageSubtype.PREF_REQUEST)
    done = {"tasks": [{"task_id": f"event-{asked.seq}", "status": "done"}]}

    before = ledger.unanswered_questions(table.state, "human")
    proposer = issued(table.session, Proposer(ProposerKind.PLATFORM, "platform"))
    table.session.propose_change(proposer, done, table.state.record.version)

    assert [task.metadata["seq"] for task in before] == [asked.seq]
    assert ledger.unanswered_questions(table.state, "human") == []
    assert questions_in_record(table.state, "human") == []


def test_an_earlier_view_and_another_session_are_read_from_their_beginning(game: GameSpec) -> None:
    table, other, ledger = TrialTable(game), TrialTable(game), SeatLedger()
    table.agent.says("What do you want?", MessageSubtype.PREF_REQUEST)
    earlier = table.state
    table.human.says("Bananas.")
    other.agent.says("Hello")
    other.agent.says("And you?", MessageSubtype.PREF_REQUEST)

    counts = [
        len(ledger.unanswered_questions(state, "human")) for state in (table.state, earlier, other.state)
    ]

    assert counts == [0, 1, 1]


def test_an_answer_reads_the_events_since_the_last_one_however_long_the_session_is() -> None:
    table, ledger = TrialTable(coins_only()), SeatLedger()
    read = []

    for _ in range(200):
        table.human.says("Well?", MessageSubtype.PREF_REQUEST)
        before = ledger.events_added
        ledger.unanswered_questions(table.state, "agent")
        read.append(ledger.events_added - before)

    assert read == [2, *[1] * 199]
