"""Links that are cut anywhere, in the middle of a line too: each act of a person happens exactly once."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Event as Flag
from threading import Thread

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.joining.join_client import EntriesNotSent
from negoplatform.core.events import Message
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.seat_map import SeatMap
from tests.app.joining.hosted import PATIENCE, drained
from tests.app.joining.test_joined_sessions import FIRST, SECOND, Windows, _short_pauses, wait_for, windows_of
from tests.app.session.test_joined_windows import Hosted, host

__all__ = ["_short_pauses", "host"]

pytestmark = pytest.mark.timeout(120)


class BreakingLink:
    """Relay that ends each connection after a random number of bytes, in either direction.

    Args:
        port: The port of the host.
        seed: The seed of the numbers.
        breaks: The number of connections that end; those after them last.
    """

    def __init__(self, port: int, seed: int, breaks: int) -> None:
        self._host, self._random, self.breaks = port, random.Random(seed), breaks
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._stopped = Flag()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the relay."""
        self._stopped.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        while not self._stopped.is_set():
            try:
                window, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(("127.0.0.1", self._host))
            limits: list[int | None] = [None, None]
            if self.breaks > 0:
                self.breaks -= 1
                # The handshake takes about 600 bytes, an entry 120 to 200, an acknowledgement 45.
                limits[self._random.randrange(2)] = self._random.randrange(200, 9000)
            over = Flag()
            pumps = [
                Thread(target=self._pump, args=(window, far, limits[0], over), daemon=True),
                Thread(target=self._pump, args=(far, window, limits[1], over), daemon=True),
            ]
            for pump in pumps:
                pump.start()

    def _pump(self, near: socket.socket, far: socket.socket, limit: int | None, over: Flag) -> None:
        with suppress(OSError):
            while not (over.is_set() or self._stopped.is_set()):
                data = near.recv(4096 if limit is None else max(1, min(4096, limit)))
                if not data:
                    break
                far.sendall(data)
                if limit is not None:
                    limit -= len(data)
                    if limit <= 0:
                        break
        over.set()
        for end in (near, far):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def breaking(port: int, seed: int, breaks: int) -> Iterator[BreakingLink]:
    """Run a relay."""
    link = BreakingLink(port, seed, breaks)
    try:
        yield link
    finally:
        link.stop()


def begun(windows: Windows, link: BreakingLink) -> tuple[object, ...]:
    """Open the windows of two people, the first by the relay, and begin the game."""
    first, news = windows.join(FIRST, link.port)
    second, _ = windows.join(SECOND)
    for client in (first, second):
        assert client.seat is not None
        client.seat.start()
    wait_for(second, lambda update: update.view.state.transcript)
    return first, news, second


@pytest.mark.parametrize("seed", range(6))
def test_each_act_happens_once_though_the_link_breaks_anywhere(
    host: Callable[..., Hosted], seed: int
) -> None:
    hosted = host(agents=SeatMap(), people={"agent": "P2"})
    with windows_of(hosted) as windows, breaking(windows.server.port, seed, breaks=8) as link:
        first, news, second = begun(windows, link)
        texts = [f"First {number}." for number in range(60)]
        for number, text in enumerate(texts):
            first.seat.propose(SendMessage(text))  # type: ignore[attr-defined]
            second.seat.propose(SendMessage(f"Second {number}."))  # type: ignore[attr-defined]
            time.sleep(0.01)
        second.seat.propose(SendMessage("Last."))  # type: ignore[attr-defined]
        first.seat.propose(SendMessage("Last of all."))  # type: ignore[attr-defined]
        wait_for(second, lambda update: update.event and update.event.get_text() == "Last of all.")  # type: ignore[arg-type]
        newest = wait_for(
            first,  # type: ignore[arg-type]
            lambda update: {"Last.", "Last of all."} <= {e.get_text() for e in update.view.state.transcript},
        )

        logged = [event for event in hosted.ledger.events if isinstance(event.payload, Message)]
        seen = (visible_event(event, Observer("human")) for event in logged)
        shown = [event for event in newest.view.state.transcript if isinstance(event.payload, Message)]
        mine = [event.get_text() for event in logged if event.sender == "human"]

    assert link.breaks < 8
    assert not [item for item in drained(news._news) if isinstance(item, EntriesNotSent)]  # type: ignore[attr-defined]
    assert mine == [*texts, "Last of all."]
    assert shown == [event for event in seen if event is not None]
