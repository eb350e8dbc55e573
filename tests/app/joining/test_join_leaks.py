"""Secrets of a seat, and a search for them in the bytes that a host sends to windows of other roles."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from negoplatform.app.joining.join_server import JoinServer
from negoplatform.app.session.windows.session_feed import FeedRawEvent, FeedRawHeader, JoinRole, RoleKind
from negoplatform.core.events import DecidedBy, Message
from negoplatform.core.session import ActionOrigin
from negoplatform.domain.game import Visibility
from negoplatform.domain.seat_map import SYSTEM
from negoplatform.testing import TrialTable
from tests.app.joining.hosted import FakeSession, Peer, until
from tests.core.test_leaks import BOSS, RIVAL, SECRETS, SEEN_BY, WORDS, negotiate, planted_game
from tests.planted_secrets import OWNER, SPY, PlantedSession

SPYS = JoinRole(RoleKind.SEAT, SPY)
WIZARD = JoinRole(RoleKind.WIZARD, SPY)
EXPERIMENTER = JoinRole(RoleKind.EXPERIMENTER)
PUBLIC = JoinRole(RoleKind.PUBLIC)
OWNERS_PRINCIPAL, SPYS_PRINCIPAL = JoinRole(RoleKind.PRINCIPAL, BOSS), JoinRole(RoleKind.PRINCIPAL, RIVAL)
FOR_SYSTEM = JoinRole(RoleKind.SYSTEM)
CODES = {
    SPYS: "AAAAA22222",
    WIZARD: "BBBBB33333",
    EXPERIMENTER: "CCCCC44444",
    PUBLIC: "DDDDD55555",
    OWNERS_PRINCIPAL: "EEEEE66666",
    SPYS_PRINCIPAL: "FFFFF77777",
    FOR_SYSTEM: "GGGGG88888",
}


@contextmanager
def hosted(role: JoinRole) -> Iterator[tuple[PlantedSession, FakeSession, Callable[[], bytes]]]:
    """Host a session full of secrets that one window follows from the beginning.

    Yields:
        The session, its feeds, and a function that ends it and returns all bytes that the window got.
    """
    errors: list[BaseException] = []
    server = JoinServer("127.0.0.1", 0, CODES, report=errors.append)
    peers: list[Peer] = []
    sessions: list[FakeSession] = []

    def play(planted: PlantedSession) -> None:
        session = FakeSession(planted.table, planted.log.header)
        sessions.append(session)
        server.start()
        server.serve(session)
        peer = Peer(server.port)
        peers.append(peer)
        assert (peer.admit(CODES[role]) or {})["kind"] == "welcome"
        until(lambda: session.windows(role) == 1)
        session.put(role, session.status())
        negotiate(planted)

    planted = PlantedSession(planted_game(Visibility.OWNER), play)

    def received() -> bytes:
        server.stop()
        data = peers[0]._data
        while more := peers[0].socket.recv(65536):
            data += more
        return data

    try:
        yield planted, sessions[0], received
    finally:
        server.stop()
        peers[0].socket.close()
    assert errors == []


@pytest.mark.parametrize("role", [SPYS, WIZARD, PUBLIC, SPYS_PRINCIPAL], ids=lambda role: role.kind.value)
def test_no_secret_of_another_seat_is_sent_to_a_window(role: JoinRole) -> None:
    with hosted(role) as (_, _, received):
        data = received()

    assert b'"introduction"' in data
    assert b"I was told nothing." in data
    assert SECRETS.found_in(data) == (set(), set())
    assert SECRETS.found_in(data.decode()) == (set(), set())


@pytest.mark.parametrize("role", [OWNERS_PRINCIPAL, FOR_SYSTEM], ids=lambda role: role.kind.value)
def test_a_console_above_a_seat_is_sent_what_its_level_sees_and_nothing_else(role: JoinRole) -> None:
    with hosted(role) as (_, _, received):
        data = received()

    numbers, words = SECRETS.found_in(data.decode())
    seen_numbers, seen_words, _ = SEEN_BY[BOSS if role is OWNERS_PRINCIPAL else SYSTEM]
    assert numbers == seen_numbers
    assert words == seen_words


def test_the_same_search_finds_the_secrets_in_the_bytes_for_the_experimenter() -> None:
    with hosted(EXPERIMENTER) as (_, _, received):
        data = received()

    numbers, words = SECRETS.found_in(data.decode())
    assert len(numbers) > 10
    assert words == set(WORDS)


def test_a_wizard_is_sent_the_whole_state_only_once_it_is_fed_to_it() -> None:
    with hosted(WIZARD) as (planted, session, received):
        session.put(WIZARD, FeedRawHeader(session.header))
        for event in planted.table.events:
            session.put(WIZARD, FeedRawEvent(event))
        data = received()

    before, _, after = data.partition(b'{"kind":"raw_header"')
    assert SECRETS.found_in(before.decode()) == (set(), set())
    assert SECRETS.found_in(after.decode())[1] == set(WORDS)


def test_a_seat_gets_the_same_bytes_whether_an_agent_or_a_wizard_acts_in_another_seat() -> None:
    errors: list[BaseException] = []

    def events_for_the_spy(by: DecidedBy) -> list[bytes]:
        server = JoinServer("127.0.0.1", 0, CODES, report=errors.append)
        table = TrialTable(planted_game(Visibility.OWNER), session_id="0123456789ab")
        session = FakeSession(table)
        table.start()
        origin = ActionOrigin(by, None if by is DecidedBy.WIZARD else 1, 0.25)
        table.session.send_message(OWNER, Message("Hello"), origin)
        server.start()
        server.serve(session)
        peer = Peer(server.port)
        peer.admit(CODES[SPYS])
        until(lambda: session.windows(SPYS) == 1)
        server.stop()
        data = peer._data
        while more := peer.socket.recv(65536):
            data += more
        peer.socket.close()
        return [line for line in data.split(b"\n") if line.startswith(b'{"kind":"event"')]

    by_agent, by_wizard = events_for_the_spy(DecidedBy.AGENT), events_for_the_spy(DecidedBy.WIZARD)

    assert errors == []
    assert len(by_agent) >= 2
    assert by_agent == by_wizard
