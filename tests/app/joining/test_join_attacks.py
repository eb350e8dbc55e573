"""Attackers at a host's port: they get nowhere, and slow nothing in the host's process."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.joining.join_client import Joined
from negoplatform.app.joining.join_codes import draw_code
from tests.app.joining.hosted import CODES, HUMAN, PATIENCE, WIZARD, Hosting, NewsReader, Peer, until


def flood(port: int) -> None:
    """Open a connection and close it."""
    with socket.create_connection(("127.0.0.1", port), timeout=1):
        pass


def send_garbage(port: int) -> None:
    """Send what is no line of the protocol."""
    with socket.create_connection(("127.0.0.1", port), timeout=1) as peer:
        peer.sendall(b"\xff\x00garbage\n" * 20)


def send_endless_line(port: int) -> None:
    """Send a line without an end."""
    with socket.create_connection(("127.0.0.1", port), timeout=1) as peer:
        for _ in range(1000):
            peer.sendall(b"x" * 65536)


def guess(port: int) -> None:
    """Try a code."""
    peer = Peer(port)
    peer.socket.settimeout(1)
    try:
        answer = peer.admit(draw_code())
        assert answer is None or answer["kind"] == "refused"
    finally:
        peer.socket.close()


def say_hello(port: int) -> None:
    """Say hello, and keep the connection for a while."""
    peer = Peer(port)
    try:
        peer.hello()
        time.sleep(0.2)
    finally:
        peer.socket.close()


ATTACKS = [flood, send_garbage, send_endless_line, guess, say_hello]


@contextmanager
def attackers(port: int, attack: Callable[[int], None], number: int = 3) -> Iterator[list[int]]:
    """Attack on threads, again and again; yields the number of attempts."""
    attempts = [0] * number
    ends = threading.Event()

    def run(index: int) -> None:
        while not ends.is_set():
            with suppress(OSError):
                attack(port)
            attempts[index] += 1

    threads = [threading.Thread(target=run, args=(index,), daemon=True) for index in range(number)]
    for thread in threads:
        thread.start()
    try:
        yield attempts
    finally:
        ends.set()
        for thread in threads:
            thread.join(PATIENCE)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_windows_that_have_joined_go_on_during_an_attack(
    hosting: Hosting, attack: Callable[[int], None]
) -> None:
    client = hosting.join()
    NewsReader(client).next(Joined)

    with attackers(hosting.port, attack) as attempts:
        until(lambda: sum(attempts) > 3)
        for number in range(20):
            client.seat.propose(SendMessage(str(number)))  # type: ignore[union-attr]  # it has joined
        until(lambda: len(hosting.session.submitted) == 20)

    assert hosting.session.windows(HUMAN) == 1
    assert len(hosting.server._connections) <= 41


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.__name__)
def test_a_wizard_whose_process_was_killed_comes_back_during_an_attack(
    hosting: Hosting, attack: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("negoplatform.app.joining.join_client.LONGEST_PAUSE", 0.5)
    first = hosting.join(CODES[WIZARD], token="wizard")
    NewsReader(first).next(Joined)
    first.stop()

    with attackers(hosting.port, attack):
        again = hosting.join(CODES[WIZARD], token="wizard")
        NewsReader(again).next(Joined)

    assert hosting.session.windows(WIZARD) == 1


def test_guesses_of_an_attacker_are_hardly_ever_checked(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[object] = []
    begin = hosting.server._admission._admit_with_code

    def count(*values: object) -> object:
        checked.append(values)
        return begin(*values)  # type: ignore[arg-type]

    monkeypatch.setattr(hosting.server._admission, "_admit_with_code", count)
    began = time.monotonic()

    with attackers(hosting.port, guess) as attempts:
        until(lambda: sum(attempts) > 60)

    # After n guesses the next is checked 0.5·2^(n-1) s later.
    most = 2
    while 0.5 * (2 ** (most - 2)) < time.monotonic() - began:
        most += 1
    assert len(checked) <= most
