"""Scripted HTTP service with OpenAI's wire format, and all possible faults."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Request = dict[str, Any]
"""Body of a request."""


@dataclass(frozen=True)
class Response:
    """Response of the service.

    Args:
        body: The body.
        status: The HTTP status.
        headers: Further headers.
        wait: The delay in seconds.
        drip: Seconds between two bytes; 0: everything at once.
    """

    body: bytes
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    wait: float = 0.0
    drip: float = 0.0


Answers = Callable[[Request], Response]


def completion(text: str | None, *, finish: str = "stop", tokens: tuple[int, int] = (100, 20)) -> Response:
    """Return an ordinary completion."""
    body = {
        "id": "one",
        "object": "chat.completion",
        "created": 1,
        "model": "scripted",
        "choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text}}],
        "usage": {
            "prompt_tokens": tokens[0],
            "completion_tokens": tokens[1],
            "total_tokens": sum(tokens),
        },
    }
    return Response(json.dumps(body).encode())


def worded(text: str) -> Response:
    """Return a completion with a reworded message."""
    return completion(json.dumps({"text": text}))


def failing(status: int, **headers: str) -> Response:
    """Return an error as services report it."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Response(json.dumps({"error": {"message": "no", "type": "x"}}).encode(), status, named)


def is_reading(request: Request) -> bool:
    """Return whether a request asks for a classification rather than a rewording."""
    return "acts" in str(request["messages"][0]["content"]).split("Answer with JSON alone")[-1]


class Service:
    """The service.

    Args:
        answers: The response to each request; it may be changed.
    """

    def __init__(self, answers: Answers) -> None:
        self.answers = answers
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.closing = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                request: Request = json.loads(body)
                service.requests.append(request)
                service.headers.append({name.lower(): value for name, value in self.headers.items()})
                self._send(service.answers(request))

            def _send(self, response: Response) -> None:
                service.closing.wait(response.wait)
                try:
                    self.send_response(response.status)
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(response.body)))
                    for name, value in response.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    if not response.drip:
                        self.wfile.write(response.body)
                        return
                    for byte in response.body:
                        if service.closing.is_set():
                            return
                        self.wfile.write(bytes([byte]))
                        time.sleep(response.drip)
                except OSError:
                    return  # the client has closed the connection

            def log_message(self, *_about: object) -> None:
                """Log nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True
        ).start()

    def close(self) -> None:
        """Stop the service."""
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def serving(answers: Answers) -> Iterator[Service]:
    """Run a service for the duration of the context."""
    service = Service(answers)
    try:
        yield service
    finally:
        service.close()
