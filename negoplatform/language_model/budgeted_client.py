"""Client of a language model with limits of time, attempts, tokens and cost; every call is recorded."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from negoplatform.language_model.api_key_redaction import redact
from negoplatform.language_model.endpoint import Attempt, AttemptOutcome
from negoplatform.language_model.settings import ModelSettings
from negoplatform.language_model.structured_outputs import StructuredResponse, parse_response

FIRST_RETRY_PAUSE = 0.25
"""Seconds before the second attempt; each further pause is twice as long."""

MIN_ATTEMPT_SECONDS = 0.2
"""Minimum number of seconds for an attempt."""

MAX_RESPONSE_LENGTH = 4_000
"""Maximum number of characters of a response that are validated and recorded."""

MAX_COUNTED_TOKENS = 10_000_000
"""Maximum token count of one response; a larger count of a service is capped."""

CHARACTERS_PER_TOKEN = 3
"""Minimum length of a token for estimates: rather too many tokens than too few."""

MILLION = 1_000_000

FAILURE_REASONS = {
    AttemptOutcome.TIMEOUT: "The model took too long",
    AttemptOutcome.UNREACHABLE: "The service cannot be reached",
    AttemptOutcome.BUSY: "The service asks to be left in peace",
    AttemptOutcome.FAILED: "The service failed",
    AttemptOutcome.TRUNCATED: "The answer was longer than it may be",
}

A = TypeVar("A", bound=StructuredResponse)


@dataclass(frozen=True, slots=True)
class ModelRequest(Generic[A]):
    """Request to a model.

    Args:
        purpose: The purpose in one word, for the note.
        system: The instructions of the model.
        user: The input.
        shape: The shape of the response.
        find_violation: Returns why a response cannot be used, in a sentence; empty if it can.
    """

    purpose: str
    system: str
    user: str
    shape: type[A]
    find_violation: Callable[[A], str]

    @property
    def estimated_tokens(self) -> int:
        """Estimated number of input tokens, for services that do not count."""
        return (len(self.system) + len(self.user)) // CHARACTERS_PER_TOKEN


class ModelClient(Protocol):
    """Source of responses: an endpoint, or a stand-in."""

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:
        """Return the result of one attempt."""
        ...


class BudgetedClient:
    """Model client of one agent in one session.

    Time is measured by the recorded durations of attempts and by the session's clock, so that a session that
    is run again with the recorded responses makes the same decisions.

    Args:
        settings: The limits.
        endpoint: The service; None: only recorded responses are used.
        secret: The key, which is redacted from all text; empty: none.
        sleep: Waits a number of seconds.
    """

    def __init__(
        self,
        settings: ModelSettings,
        endpoint: ModelClient | None,
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
        """Begin a session."""
        self._number = 0
        self._tokens = 0
        self._cost = 0.0
        self._failures = 0
        self._paused_until = 0.0
        self._refused_reason = ""
        self._now = 0.0
        self._remaining = 0.0
        self._notes: dict[str, Any] = {}
        self.invalid_reason = ""
        """Why the response to the last request could not be used; empty if it could, or if there was none."""

    def start_response(self, now: float, seconds: float) -> None:
        """Begin one response of the agent.

        Args:
            now: The session's time in seconds.
            seconds: The time that all calls for it may take together.
        """
        self._now, self._remaining = now, seconds

    @property
    def remaining_seconds(self) -> float:
        """Seconds that the agent's response may still wait."""
        return self._remaining

    def take_notes(self) -> dict[str, Any]:
        """Return the calls since the last time by number, as JSON values."""
        notes, self._notes = self._notes, {}
        return notes

    def complete(self, question: ModelRequest[A], seconds: float) -> A | None:
        """Return a usable response; None if there is none, with the reason in the note.

        Args:
            question: The request.
            seconds: The time that all attempts may take together.
        """
        self._number += 1
        self.invalid_reason = ""
        number = str(self._number)
        note: dict[str, Any] = {"for": question.purpose, "used": "template"}
        self._notes[number] = note
        reason = self._blocked_reason(question)
        if not reason:
            note |= {"model": self._settings.model, "prompt": question.user, "attempts": []}
            answer, reason = self._try_repeatedly(number, note, question, min(seconds, self._remaining))
            if answer is not None:
                self._failures, self._paused_until = 0, 0.0
                note["used"] = "model"
                return answer
            self._count_failure()
        note["reason"] = reason
        return None

    def _blocked_reason(self, question: ModelRequest[A]) -> str:
        """Return why the model is not called now; empty if it is."""
        if self._refused_reason:
            return self._refused_reason
        if self._now < self._paused_until:
            return "The model is left in peace after its failures."
        if self._tokens + question.estimated_tokens + self._settings.longest > self._settings.tokens:
            return "The session's budget of tokens is used up."
        if self._cost + self._price(question.estimated_tokens, self._settings.longest) > self._settings.cost:
            return "The session's budget of money is used up."
        if self._remaining < MIN_ATTEMPT_SECONDS:
            return "There is no time left for it."
        return ""

    def _try_repeatedly(
        self, number: str, note: dict[str, Any], question: ModelRequest[A], seconds: float
    ) -> tuple[A | None, str]:
        """Return the first usable response, or the reason why there is none."""
        until = self._remaining - seconds
        for count in range(self._settings.attempts):
            attempt = self._try_once(number, count, question, self._remaining - until)
            self._remaining -= attempt.seconds
            note["attempts"].append(_dump_attempt(attempt))
            self._count_usage(attempt, question)
            answer, reason = self._validate(attempt, question)
            if answer is not None:
                return answer, ""
            # A failing service gets time to recover; an unusable response needs no pause.
            failed = attempt.outcome not in (AttemptOutcome.ANSWERED, AttemptOutcome.TRUNCATED)
            pause = max(FIRST_RETRY_PAUSE * 2**count, attempt.wait or 0.0) if failed else 0.0
            last = count + 1 == self._settings.attempts or attempt.outcome is AttemptOutcome.REFUSED
            if last or self._remaining - until - pause < MIN_ATTEMPT_SECONDS:
                break
            self._wait(number, pause)
        return None, reason

    def _wait(self, number: str, pause: float) -> None:
        if pause and number not in self._recorded:
            self._sleep(pause)
        self._remaining -= pause

    def _try_once(self, number: str, count: int, question: ModelRequest[A], seconds: float) -> Attempt:
        recorded = self._recorded.get(number)
        if recorded is not None:
            return (
                _load_attempt(recorded[count])
                if count < len(recorded)
                else Attempt(AttemptOutcome.UNREACHABLE, 0.0)
            )
        if self._endpoint is None:
            return Attempt(AttemptOutcome.UNREACHABLE, 0.0)
        attempt = self._endpoint.complete(question.system, question.user, question.shape, seconds)
        # Redacted before it is truncated: half of a key must not remain.
        text = redact(attempt.text[: 8 * MAX_RESPONSE_LENGTH], self._secret)[:MAX_RESPONSE_LENGTH]
        return Attempt(
            attempt.outcome,
            attempt.seconds,
            # A lone surrogate cannot be encoded.
            text.encode("utf-8", "replace").decode("utf-8"),
            attempt.status,
            min(attempt.tokens_in, MAX_COUNTED_TOKENS),
            min(attempt.tokens_out, MAX_COUNTED_TOKENS),
            attempt.wait,
        )

    def _validate(self, attempt: Attempt, question: ModelRequest[A]) -> tuple[A | None, str]:
        """Return the response of an attempt, or why it cannot be used, and record failures."""
        if attempt.outcome is AttemptOutcome.REFUSED:
            self._refused_reason = _refusal_reason(attempt.status)
            return None, self._refused_reason
        if attempt.outcome is AttemptOutcome.BUSY and attempt.wait is not None:
            self._paused_until = max(self._paused_until, self._now + attempt.wait)
        if attempt.outcome is not AttemptOutcome.ANSWERED:
            status = f" (HTTP {attempt.status})" if attempt.status >= 400 else ""
            return None, f"{FAILURE_REASONS[attempt.outcome]}{status}."
        answer = parse_response(question.shape, attempt.text)
        if answer is None:
            self.invalid_reason = "The answer has not the shape that was asked for."
        else:
            self.invalid_reason = question.find_violation(answer)
        return (None, self.invalid_reason) if self.invalid_reason else (answer, "")

    def _count_usage(self, attempt: Attempt, question: ModelRequest[A]) -> None:
        """Add the usage of an attempt; what the service does not count is estimated."""
        read, written = attempt.tokens_in, attempt.tokens_out
        if not read and attempt.outcome in (
            AttemptOutcome.ANSWERED,
            AttemptOutcome.TRUNCATED,
            AttemptOutcome.TIMEOUT,
        ):
            read = question.estimated_tokens
        if not written and attempt.outcome is AttemptOutcome.TIMEOUT:
            written = self._settings.longest
        elif not written:
            written = len(attempt.text) // CHARACTERS_PER_TOKEN
        self._tokens += read + written
        self._cost += self._price(read, written)

    def _price(self, read: int, written: int) -> float:
        settings = self._settings
        return (read * settings.price_in + written * settings.price_out) / MILLION

    def _count_failure(self) -> None:
        """Count a failure: after several in a row the client pauses, and the next call is a trial."""
        self._failures += 1
        if self._failures >= self._settings.failures:
            self._failures = self._settings.failures - 1
            self._paused_until = max(self._paused_until, self._now + self._settings.rest_seconds)

    def usage(self) -> dict[str, Any]:
        """Return the tokens and cost so far, as JSON values."""
        return {"tokens": self._tokens, "cost": round(self._cost, 6)}


def _refusal_reason(status: int) -> str:
    """Return why a service is not called again."""
    if 300 <= status < 400:
        return f"The service sends us to another address, and we do not follow (HTTP {status})."
    about = "the key" if status in (401, 403) else "the address, the model or the shape"
    return f"The service refuses {about} (HTTP {status})."


def _dump_attempt(attempt: Attempt) -> dict[str, Any]:
    """Return an attempt as it is recorded; empty fields are left out."""
    document: dict[str, Any] = {"outcome": attempt.outcome.value, "seconds": attempt.seconds}
    for name in ("text", "status", "tokens_in", "tokens_out", "wait"):
        value = getattr(attempt, name)
        if value not in ("", 0, None):
            document[name] = value
    return document


def _load_attempt(document: Mapping[str, Any]) -> Attempt:
    """Return an attempt from its record."""
    return Attempt(**{**document, "outcome": AttemptOutcome(document["outcome"])})
