"""A model asked within limits: of time, attempts, tokens, money and patience; and every call written down."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from negoplatform.language_model.endpoint import Attempt, Outcome
from negoplatform.language_model.redaction import strike
from negoplatform.language_model.responses import Answer, read_answer
from negoplatform.language_model.settings import ModelSettings

FIRST_PAUSE = 0.25
"""Seconds before the second attempt; each further pause is twice as long."""

SHORTEST = 0.2
"""Seconds below which no attempt is worth making."""

LONGEST_TEXT = 4_000
"""Characters of an answer that are looked at and kept."""

MOST_TOKENS = 10_000_000
"""Of one answer: what a service counts beyond that, it has not counted."""

CHARACTERS = 3
"""Characters of a token, at the least, where nobody has counted: rather too many tokens than too few."""

MILLION = 1_000_000

WORDS_FOR = {
    Outcome.TIMEOUT: "The model took too long",
    Outcome.UNREACHABLE: "The service cannot be reached",
    Outcome.BUSY: "The service asks to be left in peace",
    Outcome.BROKEN: "The service failed",
    Outcome.CUT: "The answer was longer than it may be",
}

A = TypeVar("A", bound=Answer)


@dataclass(frozen=True, slots=True)
class Question(Generic[A]):
    """What a model is asked.

    Args:
        what: What it is for, in one word, for the note.
        system: What the model is told to do.
        user: What it is given.
        shape: The shape of its answer.
        fault: Why an answer cannot be used, in a sentence; empty if it can.
    """

    what: str
    system: str
    user: str
    shape: type[A]
    fault: Callable[[A], str]

    @property
    def tokens(self) -> int:
        """Tokens that it may have, where nobody has counted."""
        return (len(self.system) + len(self.user)) // CHARACTERS


class Asks(Protocol):
    """Whatever answers: an endpoint, or a stand-in."""

    def ask(self, system: str, user: str, shape: type[Answer], seconds: float) -> Attempt:
        """One attempt."""
        ...


class Calls:
    """Asks a model for one agent in one session.

    Time is reckoned by what attempts took, as it is written down, and by the session's clock. So a session
    that is run again with the recorded answers comes to the same decisions.

    Args:
        settings: The limits.
        endpoint: Who is asked; None: nobody, only what was recorded answers.
        secret: The key, which is struck out wherever it turns up; empty: none.
        sleep: Waits so many seconds.
    """

    def __init__(
        self,
        settings: ModelSettings,
        endpoint: Asks | None,
        *,
        secret: str = "",
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._settings = settings
        self._endpoint = endpoint
        self._secret = secret
        self._sleep = sleep
        self._recorded = settings.recorded.calls
        self.reset()

    def reset(self) -> None:
        """Begins a session."""
        self._number = 0
        self._tokens = 0
        self._cost = 0.0
        self._failed = 0
        self._rests_until = 0.0
        self._over = ""
        self._now = 0.0
        self._left = 0.0
        self._notes: dict[str, Any] = {}

    def begin(self, now: float, seconds: float) -> None:
        """Begins one answer of the agent.

        Args:
            now: The session's time in seconds.
            seconds: How long all calls for it may take together.
        """
        self._now, self._left = now, seconds

    @property
    def left(self) -> float:
        """Seconds that the agent's answer may still wait."""
        return self._left

    def take_notes(self) -> dict[str, Any]:
        """What happened since the last time, by the number of the call; JSON values."""
        notes, self._notes = self._notes, {}
        return notes

    def ask(self, question: Question[A], seconds: float) -> A | None:
        """An answer that can be used; None if there is none, and the note says why.

        Args:
            question: What is asked.
            seconds: How long it may take, all attempts together.
        """
        self._number += 1
        number = str(self._number)
        note: dict[str, Any] = {"for": question.what, "used": "template"}
        self._notes[number] = note
        reason = self._why_not(question)
        if not reason:
            note |= {"model": self._settings.model, "prompt": question.user, "attempts": []}
            answer, reason = self._attempts(number, note, question, min(seconds, self._left))
            if answer is not None:
                self._failed, self._rests_until = 0, 0.0
                note["used"] = "model"
                return answer
            self._count_failure()
        note["reason"] = reason
        return None

    def _why_not(self, question: Question[A]) -> str:
        """Why the model is not asked now; empty if it is."""
        if self._over:
            return self._over
        if self._now < self._rests_until:
            return "The model is left in peace after its failures."
        if self._tokens + question.tokens + self._settings.longest > self._settings.tokens:
            return "The session's budget of tokens is used up."
        if self._cost + self._price(question.tokens, self._settings.longest) > self._settings.cost:
            return "The session's budget of money is used up."
        if self._left < SHORTEST:
            return "There is no time left for it."
        return ""

    def _attempts(
        self, number: str, note: dict[str, Any], question: Question[A], seconds: float
    ) -> tuple[A | None, str]:
        """The first usable answer, or why there is none."""
        until = self._left - seconds
        for count in range(self._settings.attempts):
            attempt = self._attempt(number, count, question, self._left - until)
            self._left -= attempt.seconds
            note["attempts"].append(_document(attempt))
            self._pay(attempt, question)
            answer, reason = self._judged(attempt, question)
            if answer is not None:
                return answer, ""
            # A service that fails gets time; one that answers nonsense needs none.
            failed = attempt.outcome not in (Outcome.ANSWERED, Outcome.CUT)
            pause = max(FIRST_PAUSE * 2**count, attempt.wait or 0.0) if failed else 0.0
            last = count + 1 == self._settings.attempts or attempt.outcome is Outcome.REFUSED
            if last or self._left - until - pause < SHORTEST:
                break
            self._wait(number, pause)
        return None, reason

    def _wait(self, number: str, pause: float) -> None:
        if pause and number not in self._recorded:
            self._sleep(pause)
        self._left -= pause

    def _attempt(self, number: str, count: int, question: Question[A], seconds: float) -> Attempt:
        recorded = self._recorded.get(number)
        if recorded is not None:
            return _recorded(recorded[count]) if count < len(recorded) else Attempt(Outcome.UNREACHABLE, 0.0)
        if self._endpoint is None:
            return Attempt(Outcome.UNREACHABLE, 0.0)
        attempt = self._endpoint.ask(question.system, question.user, question.shape, seconds)
        # Struck out before it is cut: half of a key is too much of it.
        text = strike(attempt.text[: 8 * LONGEST_TEXT], self._secret)[:LONGEST_TEXT]
        return Attempt(
            attempt.outcome,
            attempt.seconds,
            # Half of a character cannot be written down.
            text.encode("utf-8", "replace").decode("utf-8"),
            attempt.status,
            min(attempt.tokens_in, MOST_TOKENS),
            min(attempt.tokens_out, MOST_TOKENS),
            attempt.wait,
        )

    def _judged(self, attempt: Attempt, question: Question[A]) -> tuple[A | None, str]:
        """The answer of an attempt, or why it cannot be used; and what that means for later."""
        if attempt.outcome is Outcome.REFUSED:
            self._over = _refusal(attempt.status)
            return None, self._over
        if attempt.outcome is Outcome.BUSY and attempt.wait is not None:
            self._rests_until = max(self._rests_until, self._now + attempt.wait)
        if attempt.outcome is not Outcome.ANSWERED:
            status = f" (HTTP {attempt.status})" if attempt.status >= 400 else ""
            return None, f"{WORDS_FOR[attempt.outcome]}{status}."
        answer = read_answer(question.shape, attempt.text)
        if answer is None:
            return None, "The answer has not the shape that was asked for."
        reason = question.fault(answer)
        return (None, reason) if reason else (answer, "")

    def _pay(self, attempt: Attempt, question: Question[A]) -> None:
        """Counts what an attempt used; what nobody told us of is reckoned in full."""
        read, written = attempt.tokens_in, attempt.tokens_out
        if not read and attempt.outcome in (Outcome.ANSWERED, Outcome.CUT, Outcome.TIMEOUT):
            read = question.tokens
        if not written and attempt.outcome is Outcome.TIMEOUT:
            written = self._settings.longest
        elif not written:
            written = len(attempt.text) // CHARACTERS
        self._tokens += read + written
        self._cost += self._price(read, written)

    def _price(self, read: int, written: int) -> float:
        settings = self._settings
        return (read * settings.price_in + written * settings.price_out) / MILLION

    def _count_failure(self) -> None:
        """After so many failures in a row it rests; the first call after that is a trial."""
        self._failed += 1
        if self._failed >= self._settings.failures:
            self._failed = self._settings.failures - 1
            self._rests_until = max(self._rests_until, self._now + self._settings.rest_seconds)

    def spent(self) -> dict[str, Any]:
        """Tokens and cost so far; JSON values."""
        return {"tokens": self._tokens, "cost": round(self._cost, 6)}


def _refusal(status: int) -> str:
    """Why nobody asks a service again."""
    if 300 <= status < 400:
        return f"The service sends us to another address, and we do not follow (HTTP {status})."
    about = "the key" if status in (401, 403) else "the address, the model or the shape"
    return f"The service refuses {about} (HTTP {status})."


def _document(attempt: Attempt) -> dict[str, Any]:
    """An attempt as it is written down; what is empty is left out."""
    document: dict[str, Any] = {"outcome": attempt.outcome.value, "seconds": attempt.seconds}
    for name in ("text", "status", "tokens_in", "tokens_out", "wait"):
        value = getattr(attempt, name)
        if value not in ("", 0, None):
            document[name] = value
    return document


def _recorded(document: Mapping[str, Any]) -> Attempt:
    """An attempt as it was written down."""
    return Attempt(**{**document, "outcome": Outcome(document["outcome"])})
