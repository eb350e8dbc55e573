"""Attackers at the port of a host, each a program of its own.

``python -m tests.torture.join_attackers NAME PORT CODES SECONDS`` attacks for some seconds and prints what it
did as JSON; CODES are those of the spectator and of the second person, who may be as hostile as a stranger.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.joining.feed_lines import NumberedEntry, encode_entry
from negoplatform.app.joining.join_codes import Nonces, ProofSide, draw_code, make_proof, parse_code
from negoplatform.app.session.windows.session_feed import (
    ChangeWizardMode,
    DraftEntry,
    OpenWholeState,
    RemoteEntry,
)
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.formats.join_protocol import LONGEST_ENTRY_LINE, PingModel, encode_line
from tests.app.joining.hosted import Peer

MEGABYTE = b"x" * 2**20

POLITE_PAUSE = 1 / 45
"""Seconds between two lines of a window that stays below the limit of 50 a second."""


@dataclass(slots=True)
class Attack:
    """Attack on one host.

    Args:
        port: Its port.
        spectator: The code of a spectator.
        second: The code of the second person.
        until: The ``time.monotonic()`` at which it ends.
        source: The address that it comes from: after failures nothing from an address is checked for a while.
    """

    port: int
    spectator: str
    second: str
    until: float
    source: str = ""
    attempts: int = 0
    admitted: int = 0
    """Strangers that were admitted, which must not be."""
    leaked: int = 0
    """Lines with values of the session that a stranger got."""
    joined: int = 0
    """Windows with a right code that were admitted."""
    kept: list[Any] = field(default_factory=list)

    @property
    def goes_on(self) -> bool:
        """Whether there is time left."""
        return time.monotonic() < self.until

    def stranger(self) -> Peer:
        """Open a connection."""
        peer = Peer(self.port, source=self.source)
        peer.socket.settimeout(1.0)
        return peer

    def judge(self, answer: dict[str, Any] | None) -> None:
        """Count an answer to a stranger, which may be a refusal and nothing else."""
        kind = "" if answer is None else answer.get("kind", "")
        self.admitted += kind == "welcome"
        self.leaked += kind not in ("", "refused", "challenge", "welcome")

    def join(self, code: str, receive_buffer: int = 0) -> tuple[Peer, str]:
        """Join with a code; return the connection and the id of its feed."""
        peer = Peer(self.port, receive_buffer, self.source)
        answer = peer.admit(code)
        if answer is None or answer["kind"] != "welcome":
            peer.socket.close()
            time.sleep(0.2)
            raise ConnectionRefusedError(f"not admitted: {answer}")
        introduction = peer.receive()
        assert introduction is not None
        self.joined += 1
        return peer, introduction["feed"]


def guess_codes(attack: Attack) -> None:
    """Try a code by the protocol."""
    peer = attack.stranger()
    try:
        attack.judge(peer.admit(draw_code()))
    finally:
        peer.socket.close()


def flood_connections(attack: Attack) -> None:
    """Open a connection and close it."""
    attack.stranger().socket.close()


def send_garbage(attack: Attack) -> None:
    """Send bytes that are no line of the protocol, and read what comes back."""
    with attack.stranger().socket as peer:
        peer.sendall(os.urandom(4096) + b"\n")
        attack.leaked += b'"event"' in peer.recv(65536)


def send_half_lines(attack: Attack) -> None:
    """Send half a hello and keep the connection."""
    peer = attack.stranger().socket
    peer.sendall(b'{"kind":"hello","protocol":1,"nonce":"')
    attack.kept.append(peer)
    if len(attack.kept) > 300:
        attack.kept.pop(0).close()


def send_long_lines(attack: Attack) -> None:
    """Send lines of a megabyte, and of a hundred, in turn."""
    with attack.stranger().socket as peer:
        for _ in range(100 if attack.attempts % 2 else 1):
            peer.sendall(MEGABYTE)
        peer.sendall(b"\n")


def send_slowly(attack: Attack) -> None:
    """Keep connections open that send one byte now and then."""
    while len(attack.kept) < 50:
        attack.kept.append(attack.stranger().socket)
    for peer in [*attack.kept]:
        try:
            peer.send(b"{")
        except OSError:
            attack.kept.remove(peer)
    time.sleep(0.05)


def replay_proofs(attack: Attack) -> None:
    """Say again what a window with a right code has said, to another challenge."""
    if not attack.kept:
        peer = attack.stranger()
        hello = peer.hello()
        challenge = peer.receive()
        if challenge is None or challenge["kind"] != "challenge":
            peer.socket.close()
            return
        nonces = Nonces(hello["nonce"], challenge["nonce"])
        proof = make_proof(attack.spectator.encode(), ProofSide.WINDOW, nonces, "")
        attack.kept += [hello, {"kind": "proof", "proof": proof}]
        peer.socket.close()
    peer = attack.stranger()
    try:
        peer.send(attack.kept[0])
        if (peer.receive() or {}).get("kind") == "challenge":
            peer.send(attack.kept[1])
            attack.judge(peer.receive())
    finally:
        peer.socket.close()


def read_nothing(attack: Attack) -> None:
    """Join as a spectator, and read nothing."""
    peer, _ = attack.join(attack.spectator, receive_buffer=4096)
    with peer.socket:
        while attack.goes_on:
            peer.send(encode_line(PingModel(number=1)))
            time.sleep(0.1)


def send_as_wizard(attack: Attack) -> None:
    """Join as a spectator, and send entries of the wizard."""
    _send_entries(attack, ChangeWizardMode(WizardMode.AUTONOMOUS), OpenWholeState())


def send_as_person(attack: Attack) -> None:
    """Join as a spectator, and send messages as a person does."""
    _send_entries(attack, (SendMessage("I am a spectator."),))


def _send_entries(attack: Attack, *entries: RemoteEntry) -> None:
    peer, feed = attack.join(attack.spectator)
    with peer.socket:
        for number, entry in enumerate(entries, 1):
            peer.send(encode_entry(NumberedEntry(feed, number, entry)))
        while peer.receive() is not None:
            pass


def flood_pings(attack: Attack) -> None:
    """Join as a spectator, and send pings as fast as they go."""
    peer, _ = attack.join(attack.spectator)
    with peer.socket:
        for number in range(1, 2000):
            peer.send(encode_line(PingModel(number=number)))


def ping_below_the_limit(attack: Attack) -> None:
    """Join as a spectator, and send as many pings as are allowed."""
    _send_politely(attack, attack.spectator, lambda _feed, n: encode_line(PingModel(number=n)))


def send_huge_drafts(attack: Attack) -> None:
    """Join as the second person, and save as many long drafts as are allowed."""
    words = "draft " * ((LONGEST_ENTRY_LINE - 1000) // 6)
    _send_politely(
        attack,
        attack.second,
        lambda feed, n: encode_entry(NumberedEntry(feed, n, DraftEntry({"words": f"{n} {words}"}))),
    )


def send_many_messages(attack: Attack) -> None:
    """Join as the second person, and say as much as is allowed."""
    _send_politely(
        attack,
        attack.second,
        lambda feed, n: encode_entry(NumberedEntry(feed, n, (SendMessage(f"{n} {'word ' * 100}"),))),
    )


def _send_politely(attack: Attack, code: str, line: Callable[[str, int], bytes]) -> None:
    """Send lines just below the limit, and read what comes back."""
    peer, feed = attack.join(code)
    peer.socket.setblocking(False)
    with peer.socket:
        while attack.goes_on:
            attack.attempts += 1
            data = line(feed, attack.attempts)
            while data and attack.goes_on:
                with suppress(BlockingIOError):
                    data = data[peer.socket.send(data) :]
                with suppress(BlockingIOError):
                    assert peer.socket.recv(2**20), "the host has closed the connection of a polite window"
            time.sleep(POLITE_PAUSE)


INSIDERS = frozenset(
    {
        "read_nothing",
        "send_as_wizard",
        "send_as_person",
        "flood_pings",
        "ping_below_the_limit",
        "send_huge_drafts",
        "send_many_messages",
    }
)
"""Attacks by windows that have a right code."""

ATTACKS: dict[str, Callable[[Attack], None]] = {
    attack.__name__: attack
    for attack in (
        guess_codes,
        flood_connections,
        send_garbage,
        send_half_lines,
        send_long_lines,
        send_slowly,
        replay_proofs,
        read_nothing,
        send_as_wizard,
        send_as_person,
        flood_pings,
        ping_below_the_limit,
        send_huge_drafts,
        send_many_messages,
    )
}


def main() -> None:
    """Attack as the command line says."""
    name, port, codes, seconds = sys.argv[1:]
    spectator, second = (parse_code(code) for code in codes.split(","))
    # An attacker has a computer of their own; here it must not win by taking the processor.
    os.nice(10)
    source = f"127.0.0.{10 + [*ATTACKS].index(name)}"
    attack = Attack(int(port), spectator, second, time.monotonic() + float(seconds), source)
    while attack.goes_on:
        with suppress(OSError):
            ATTACKS[name](attack)
        attack.attempts += 1
    counts = {name: getattr(attack, name) for name in ("attempts", "admitted", "leaked", "joined")}
    print(json.dumps(counts))


if __name__ == "__main__":
    main()
