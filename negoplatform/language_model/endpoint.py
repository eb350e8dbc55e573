"""Endpoint of a service, for single requests. The only module that imports the ``openai`` client."""

from __future__ import annotations

import time
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from queue import Empty, SimpleQueue
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from negoplatform.domain.errors import AgentError
from negoplatform.language_model.call_limit import CLIENT_THREAD, may_call
from negoplatform.language_model.settings import ModelSettings, is_loopback
from negoplatform.language_model.structured_outputs import StructuredResponse, response_schema

INSTALL_HINT = "The agent needs the extra llm to ask a model: pip install '.[llm]' in the source folder."

MAX_REPLY_BYTES = 256 * 1024
"""Maximum size of a reply in bytes."""


class AttemptOutcome(StrEnum):
    """Outcome of one attempt."""

    ANSWERED = "answered"
    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    BUSY = "busy"
    """Status 429, or 503 with a time to wait."""
    FAILED = "broken"
    """The service failed (5xx), or its reply cannot be parsed."""
    REFUSED = "refused"
    """Every request will be refused: a wrong key, model or request, or a redirect (3xx)."""
    TRUNCATED = "cut"
    """The response was longer than allowed."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Request and its outcome.

    Args:
        outcome: The outcome.
        seconds: The duration.
        text: The response; empty without one.
        status: The HTTP status; 0 without one.
        tokens_in: The number of input tokens; 0 if the service does not count.
        tokens_out: The number of output tokens.
        wait: Seconds before the service accepts another request; None if it does not say.
    """

    outcome: AttemptOutcome
    seconds: float
    text: str = ""
    status: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    wait: float | None = None


class _Reply(BaseModel):
    """The fields used of a service's reply; others are ignored."""

    model_config = ConfigDict(extra="ignore")


class _Message(_Reply):
    content: str | None = None


class _Choice(_Reply):
    message: _Message
    finish_reason: str | None = None


class _Usage(_Reply):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(_Reply):
    choices: list[_Choice]
    usage: _Usage | None = None


class Endpoint:
    """Model at an address.

    Args:
        settings: The model and its parameters.
        key: The key; empty: none.

    Raises:
        AgentError: If the client is not installed, or the key would be sent unencrypted.
    """

    def __init__(self, settings: ModelSettings, key: str) -> None:
        self._settings, self._key = settings, key
        secure = urlsplit(settings.endpoint).scheme.lower() == "https"
        if key and not secure and not is_loopback(settings.endpoint):
            raise AgentError("A key is sent over https alone; the setting 'endpoint' begins with http.")
        try:
            import openai  # only when a model is called: it takes a second, and the client is optional
        except ImportError:
            raise AgentError(INSTALL_HINT) from None
        self._openai = openai

    @cached_property
    def _client(self) -> Any:
        """The client: made for the first request, as it reads all certificates of the system."""
        client = self._openai.OpenAI(
            api_key=self._key or "none",
            base_url=self._settings.endpoint,
            max_retries=0,
            timeout=self._settings.patience,
            # A redirect would send what participants typed to a service that nobody has configured.
            http_client=self._openai.DefaultHttpxClient(follow_redirects=False),
        )
        # A client that is passed in is not closed automatically, and an agent has no hook to do it.
        weakref.finalize(self, client.close).atexit = False
        return client

    def complete(self, system: str, user: str, shape: type[StructuredResponse], seconds: float) -> Attempt:
        """Send one request. The time limit always holds, and no error is raised.

        Where the calls of this process are limited (``call_limit``) and used up, it is refused.

        Args:
            system: The instructions of the model.
            user: The input.
            shape: The shape of the response.
            seconds: The time limit.
        """
        if not may_call():
            return Attempt(AttemptOutcome.REFUSED, 0.0)
        client = self._client
        began = time.monotonic()
        answers: SimpleQueue[Attempt] = SimpleQueue()

        def run() -> None:
            answers.put(self._send(client, self._request(system, user, shape), began, seconds))

        # On a thread: a service that sends single bytes would defeat any other timeout. The thread
        # ends at the next byte; it is a daemon, as others are waited for at exit.
        try:
            Thread(target=run, name=CLIENT_THREAD, daemon=True).start()
            return answers.get(timeout=seconds)
        except Empty:
            return Attempt(AttemptOutcome.TIMEOUT, _since(began))
        except RuntimeError:  # no thread left
            return Attempt(AttemptOutcome.UNREACHABLE, _since(began))

    def _request(self, system: str, user: str, shape: type[StructuredResponse]) -> dict[str, Any]:
        settings = self._settings
        request: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": "system", "content": system}, {"role": "user", "content": user}],
        }
        # OpenAI's newer models reject the old name; most other services accept no other.
        new = "api.openai.com" in settings.endpoint
        request["max_completion_tokens" if new else "max_tokens"] = settings.longest
        if settings.temperature is not None:
            request["temperature"] = settings.temperature
        if settings.structured == "json_schema":
            described = {"name": shape.__name__.lower(), "strict": True, "schema": response_schema(shape)}
            request["response_format"] = {"type": "json_schema", "json_schema": described}
        elif settings.structured == "json_object":
            request["response_format"] = {"type": "json_object"}
        return request

    def _send(self, client: Any, request: dict[str, Any], began: float, seconds: float) -> Attempt:
        openai = self._openai
        try:
            completions = client.chat.completions.with_streaming_response
            with completions.create(**request, timeout=seconds) as response:
                body = b"".join(_limited_chunks(response.iter_bytes(), began + seconds))
            return _parse_reply(body, _since(began))
        except (openai.APITimeoutError, TimeoutError):
            return Attempt(AttemptOutcome.TIMEOUT, _since(began))
        except openai.APIStatusError as error:
            # The error text is not recorded: some services repeat the key in it.
            wait = _retry_after_seconds(error.response.headers.get("retry-after"))
            return Attempt(
                _outcome_for_status(error.status_code, wait), _since(began), "", error.status_code, wait=wait
            )
        except openai.APIConnectionError:
            return Attempt(AttemptOutcome.UNREACHABLE, _since(began))
        except Exception:  # noqa: BLE001 - whatever a service sends; its answer is not worth a session
            return Attempt(AttemptOutcome.FAILED, _since(began))


def _limited_chunks(pieces: Iterator[bytes], until: float) -> Iterator[bytes]:
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > MAX_REPLY_BYTES:
            raise ValueError("the reply is too large")
        if time.monotonic() > until:
            raise TimeoutError
        yield piece


def _parse_reply(body: bytes, seconds: float) -> Attempt:
    try:
        reply = _Completion.model_validate_json(body)
        choice = reply.choices[0]
    except (ValidationError, IndexError):
        return Attempt(AttemptOutcome.FAILED, seconds, status=200)
    usage = reply.usage or _Usage()
    outcome = AttemptOutcome.TRUNCATED if choice.finish_reason == "length" else AttemptOutcome.ANSWERED
    tokens = max(0, usage.prompt_tokens), max(0, usage.completion_tokens)
    return Attempt(outcome, seconds, choice.message.content or "", 200, *tokens)


def _outcome_for_status(status: int, wait: float | None) -> AttemptOutcome:
    if status == 429 or (status == 503 and wait is not None):
        return AttemptOutcome.BUSY
    return AttemptOutcome.FAILED if status >= 500 or status in (408, 409) else AttemptOutcome.REFUSED


def _retry_after_seconds(header: str | None) -> float | None:
    """Return a Retry-After in seconds; None if it is a date."""
    try:
        seconds = float(header or "")
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None


def _since(began: float) -> float:
    return round(time.monotonic() - began, 3)
