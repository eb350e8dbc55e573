"""A model is called within limits, and every call is recorded."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.language_model.budgeted_client import MAX_RESPONSE_LENGTH, BudgetedClient, ModelRequest
from negoplatform.language_model.endpoint import Attempt, AttemptOutcome
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import Paraphrase, StructuredResponse

HELLO = Attempt(AttemptOutcome.ANSWERED, 0.5, '{"text": "Hello!"}', 200, 100, 20)
SLOW = Attempt(AttemptOutcome.TIMEOUT, 0.5)
DOWN = Attempt(AttemptOutcome.UNREACHABLE, 0.1)
BROKEN = Attempt(AttemptOutcome.FAILED, 0.5, status=500)
NONSENSE = Attempt(AttemptOutcome.ANSWERED, 0.5, '{"words": "Hello!"}', 200, 100, 20)
WRONG_KEY = Attempt(AttemptOutcome.REFUSED, 0.1, status=401)


def busy(wait: float | None) -> Attempt:
    return Attempt(AttemptOutcome.BUSY, 0.1, status=429, wait=wait)


class Scripted:
    """Endpoint with a list of responses; the last one is repeated."""

    def __init__(self, *attempts: Attempt) -> None:
        self.attempts = list(attempts)
        self.asked = 0

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:
        self.asked += 1
        return self.attempts.pop(0) if len(self.attempts) > 1 else self.attempts[0]


class Caller:
    """Client with its recorded requests and pauses."""

    def __init__(self, *attempts: Attempt, secret: str = "", **settings: Any) -> None:
        self.service = Scripted(*attempts)
        self.slept: list[float] = []
        self.calls = BudgetedClient(
            ModelSettings(**settings), self.service, secret=secret, sleep=self.slept.append
        )

    def ask(self, now: float = 0.0, seconds: float = 5.0, fault: str = "") -> str | None:
        """Make one call in a response of its own; return the text, or None."""
        self.calls.start_response(now, seconds)
        question = ModelRequest("words", "S" * 300, "U" * 300, Paraphrase, lambda _answer: fault)
        answer = self.calls.complete(question, seconds)
        return None if answer is None else answer.text

    def note(self) -> dict[str, Any]:
        """Return the note of the last call."""
        notes = self.calls.take_notes()
        note: dict[str, Any] = notes[list(notes)[-1]]
        return note


def test_an_answer_is_used_and_written_down() -> None:
    caller = Caller(HELLO, model="m")

    assert caller.ask() == "Hello!"
    assert caller.note() == {
        "for": "words",
        "used": "model",
        "model": "m",
        "prompt": "U" * 300,
        "attempts": [
            {
                "outcome": "answered",
                "seconds": 0.5,
                "text": '{"text": "Hello!"}',
                "status": 200,
                "tokens_in": 100,
                "tokens_out": 20,
            }
        ],
    }


@pytest.mark.parametrize("first", [SLOW, DOWN, BROKEN, busy(None)], ids=lambda one: one.outcome.value)
def test_a_second_attempt_follows_after_a_pause(first: Attempt) -> None:
    caller = Caller(first, HELLO)

    assert caller.ask() == "Hello!"
    assert caller.slept == [0.25]
    assert len(caller.note()["attempts"]) == 2


def test_after_nonsense_it_is_asked_again_at_once() -> None:
    caller = Caller(NONSENSE, HELLO)

    assert caller.ask() == "Hello!"
    assert caller.slept == []


def test_pauses_grow() -> None:
    caller = Caller(BROKEN, attempts=4)

    assert caller.ask() is None
    assert caller.slept == [0.25, 0.5, 1.0]
    assert caller.note()["reason"] == "The service failed (HTTP 500)."


def test_a_pause_is_as_long_as_the_service_asks_for() -> None:
    caller = Caller(busy(1.5), HELLO)

    assert caller.ask() == "Hello!"
    assert caller.slept == [1.5]
    assert caller.ask() == "Hello!"  # it has responded since


def test_no_pause_is_longer_than_the_time_that_is_left() -> None:
    caller = Caller(busy(30), HELLO)

    assert caller.ask(now=0) is None
    assert caller.slept == []
    assert caller.note()["reason"] == "The service asks to be left in peace (HTTP 429)."
    assert caller.ask(now=29) is None  # no calls for as long as it asked
    assert caller.service.asked == 1
    assert caller.ask(now=30) == "Hello!"


def test_attempts_of_one_answer_share_its_time() -> None:
    caller = Caller(SLOW, attempts=5)

    assert caller.ask(seconds=1.4) is None
    assert caller.service.asked == 2  # 0.5 s, a pause of 0.25 s, 0.5 s; for a third nothing is left
    assert caller.calls.remaining_seconds == pytest.approx(1.4 - 0.5 - 0.25 - 0.5)


def test_without_time_nobody_is_asked() -> None:
    caller = Caller(HELLO)

    assert caller.ask(seconds=0.0) is None
    assert (caller.service.asked, caller.note()["reason"]) == (0, "There is no time left for it.")


def test_a_refusal_is_for_good() -> None:
    caller = Caller(WRONG_KEY, HELLO)

    assert [caller.ask(now=now) for now in (0, 1000, 2000)] == [None, None, None]
    assert caller.service.asked == 1
    assert caller.note()["reason"] == "The service refuses the key (HTTP 401)."


def test_after_failures_in_a_row_the_model_is_left_in_peace_and_then_tried_once() -> None:
    caller = Caller(SLOW, attempts=1, failures=3, rest_seconds=60)

    for now in (0, 1, 2, 3, 61):
        assert caller.ask(now=now) is None
    assert caller.service.asked == 3
    assert caller.note()["reason"] == "The model is left in peace after its failures."
    caller.ask(now=62)
    caller.ask(now=63)
    assert caller.service.asked == 4  # one trial, and it failed
    caller.service.attempts = [HELLO]
    assert caller.ask(now=122) == "Hello!"
    assert caller.ask(now=123) == "Hello!"


def test_an_answer_between_failures_makes_them_no_row() -> None:
    caller = Caller(SLOW, HELLO, SLOW, HELLO, SLOW, HELLO, attempts=1, failures=2)

    assert [caller.ask(now=now) for now in range(6)] == [None, "Hello!"] * 3


def test_nonsense_is_a_failure_too() -> None:
    caller = Caller(HELLO, attempts=1, failures=2)

    assert [caller.ask(fault="It said something of its own.") for _ in range(4)] == [None] * 4
    assert caller.service.asked == 2
    assert caller.calls.take_notes()["1"]["reason"] == "It said something of its own."


def test_tokens_are_counted_and_end() -> None:
    caller = Caller(HELLO, tokens=1000, longest=100)  # 120 each; a call is estimated at 200 and 100

    assert [caller.ask() for _ in range(8)] == ["Hello!"] * 6 + [None] * 2
    assert caller.calls.usage() == {"tokens": 720, "cost": 0.0}
    assert caller.note()["reason"] == "The session's budget of tokens is used up."


def test_money_is_counted_and_ends() -> None:
    caller = Caller(HELLO, cost=0.01, price_in=10, price_out=50, longest=100)  # 0.002 each

    assert [caller.ask() for _ in range(4)] == ["Hello!", "Hello!", None, None]
    assert caller.calls.usage() == {"tokens": 240, "cost": 0.004}
    assert caller.note()["reason"] == "The session's budget of money is used up."


def test_what_nobody_counted_is_reckoned_in_full() -> None:
    caller = Caller(SLOW, attempts=1, longest=100)

    caller.ask()

    assert caller.calls.usage()["tokens"] == 600 // 3 + 100


def test_a_count_without_end_ends_the_budget_and_nothing_else() -> None:
    caller = Caller(Attempt(AttemptOutcome.ANSWERED, 0.5, '{"text": "Hello!"}', 200, 10**30, 1))

    assert [caller.ask(), caller.ask()] == ["Hello!", None]
    assert caller.calls.usage()["tokens"] < 2**53


def test_a_new_session_begins_with_everything() -> None:
    caller = Caller(WRONG_KEY, HELLO)
    caller.ask()

    caller.calls.reset()

    assert caller.ask() == "Hello!"
    assert caller.calls.usage()["tokens"] == 120


def test_the_key_is_struck_out_wherever_it_turns_up() -> None:
    caller = Caller(Attempt(AttemptOutcome.ANSWERED, 0.1, '{"text": "my-own-key"}', 200), secret="my-own-key")

    assert caller.ask() == "[key]"
    assert "my-own-key" not in str(caller.note())


def test_half_a_character_is_written_down_as_something_else() -> None:
    caller = Caller(Attempt(AttemptOutcome.ANSWERED, 0.1, '{"text": "\\ud800"} \ud800', 200))

    caller.ask()

    assert caller.note()["attempts"][0]["text"].encode()


def test_what_was_recorded_is_answered_again_and_nobody_is_asked() -> None:
    limits: dict[str, Any] = {"attempts": 2, "failures": 2, "rest_seconds": 60}
    first = Caller(SLOW, HELLO, BROKEN, busy(9), SLOW, HELLO, **limits)
    said = [first.ask(now=10 * i) for i in range(5)]
    notes = first.calls.take_notes()
    recorded = {"calls": {number: note.get("attempts", []) for number, note in notes.items()}}

    again = Caller(HELLO, recorded=recorded, **limits)

    assert [again.ask(now=10 * i) for i in range(5)] == said
    assert again.calls.take_notes() == notes
    assert (again.service.asked, again.slept) == (0, [])
    assert again.calls.usage() == first.calls.usage()
    assert None in said
    assert "Hello!" in said


def test_a_service_that_sends_us_elsewhere_is_asked_no_more() -> None:
    caller = Caller(Attempt(AttemptOutcome.REFUSED, 0.1, status=307))

    assert caller.ask() is None
    assert (
        caller.note()["reason"] == "The service sends us to another address, and we do not follow (HTTP 307)."
    )
    assert caller.ask() is None
    assert caller.service.asked == 1


def test_a_key_at_the_edge_of_what_is_kept_is_struck_out_as_a_whole() -> None:
    key = "my-very-own-key-4711"
    caller = Caller(
        Attempt(AttemptOutcome.ANSWERED, 0.1, "x " * (MAX_RESPONSE_LENGTH // 2 - 4) + key.upper()), secret=key
    )

    caller.ask()

    text = caller.note()["attempts"][0]["text"]
    assert text.endswith("x [key]")
