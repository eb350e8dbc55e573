"""Admission to a host, and what it sends and takes, tried with plain sockets."""

from __future__ import annotations

import json
import socket
import time
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.joining.feed_lines import NumberedEntry, encode_entry
from negoplatform.app.joining.join_admission import (
    FORGOTTEN_AFTER,
    LONGEST_DELAY,
    Admission,
    FailureDelays,
    address_key,
)
from negoplatform.app.joining.join_codes import Nonces, ProofSide, draw_id, make_proof
from negoplatform.app.joining.join_connection import MOST_ITEMS
from negoplatform.app.joining.join_server import (
    MOST_STRANGERS_OF_ADDRESS,
    MOST_WINDOWS,
    JoinServer,
)
from negoplatform.app.session.windows.session_feed import (
    ChangeWizardMode,
    FeedStatus,
    JoinRole,
    OpenWholeState,
    RemoteEntry,
    RoleKind,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.formats.join_protocol import LONGEST_ENTRY_LINE, LONGEST_FIRST_LINE
from tests.app.joining.hosted import (
    CODES,
    EXPERIMENTER,
    HUMAN,
    PUBLIC,
    WIZARD,
    FakeSession,
    Hosting,
    Peer,
    until,
)

WRONG = "ZZZZZ99999"


@pytest.fixture
def long_delays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Delay an address for a minute after its first failure, however slow the machine is."""
    monkeypatch.setattr("negoplatform.app.joining.join_admission.FIRST_DELAY", LONGEST_DELAY)


def joined(hosting: Hosting, role: JoinRole = HUMAN, **options: Any) -> tuple[Peer, dict[str, Any]]:
    """Return a connection that was admitted, and the introduction."""
    peer = hosting.peer(**options)
    answer = peer.admit(CODES[role])
    assert answer is not None
    assert answer["kind"] == "welcome"
    introduction = peer.receive()
    assert introduction is not None
    return peer, introduction


def entry_line(introduction: dict[str, Any], number: int, entry: RemoteEntry) -> bytes:
    return encode_entry(NumberedEntry(introduction["feed"], number, entry))


def awaited(peer: Peer, kind: str) -> dict[str, Any]:
    """Return the next line of a kind; others are dropped."""
    while True:
        line = peer.receive()
        assert line is not None, f"no {kind}"
        if line["kind"] == kind:
            return line


# Admission


@pytest.mark.parametrize("role", CODES, ids=lambda role: role.kind.value)
def test_the_code_says_which_role_is_joined(hosting: Hosting, role: JoinRole) -> None:
    answer = hosting.peer().admit(CODES[role])

    assert answer is not None
    assert (answer["kind"], answer["role_kind"], answer["seat"]) == ("welcome", role.kind.value, role.seat)


@pytest.mark.parametrize(
    ("wanted", "role"),
    [("human", HUMAN), ("Wizard", WIZARD), ("wizard:agent", WIZARD), ("public", PUBLIC), ("", EXPERIMENTER)],
)
def test_the_experimenters_code_fits_every_role_that_is_named(
    hosting: Hosting, wanted: str, role: JoinRole
) -> None:
    answer = hosting.peer().admit(CODES[EXPERIMENTER], wanted=wanted)

    assert answer is not None
    assert (answer["role_kind"], answer["seat"]) == (role.kind.value, role.seat)


@pytest.mark.parametrize(
    ("role", "wanted"),
    [(HUMAN, "wizard"), (WIZARD, "experimenter"), (PUBLIC, "human"), (EXPERIMENTER, "agent")],
)
def test_no_other_code_fits_a_role_that_is_named(hosting: Hosting, role: JoinRole, wanted: str) -> None:
    answer = hosting.peer().admit(CODES[role], wanted=wanted)

    assert answer is not None
    assert (answer["kind"], answer["reason"]) == ("refused", "wrong_code")


def test_a_name_that_several_roles_have_is_refused_and_the_full_one_is_not(hosting: Hosting) -> None:
    codes = {**CODES, JoinRole(RoleKind.WIZARD, "human"): "EEEEE66666"}
    server = JoinServer("127.0.0.1", 0, codes, report=hosting.errors.append)
    server.start()
    one, other = Peer(server.port), Peer(server.port)

    refused, welcome = (
        one.admit(CODES[EXPERIMENTER], wanted="wizard"),
        other.admit(CODES[EXPERIMENTER], wanted="wizard:human"),
    )

    assert refused is not None
    assert refused["reason"] == "ambiguous"
    assert welcome is not None
    assert welcome["seat"] == "human"
    one.socket.close()
    other.socket.close()
    server.stop()


def test_two_roles_with_one_code_are_refused() -> None:
    with pytest.raises(NegoError, match="same code"):
        Admission({HUMAN: "AAAAA22222", WIZARD: "aaaaa-22222"})


@pytest.mark.usefixtures("long_delays")
def test_a_wrong_code_is_refused_and_then_even_the_right_one_is_not_checked(hosting: Hosting) -> None:
    wrong = hosting.peer().admit(WRONG)

    right = hosting.peer().admit(CODES[HUMAN])

    assert wrong is not None
    assert right is not None
    assert (wrong["kind"], wrong["reason"]) == ("refused", "wrong_code")
    assert (right["kind"], right["reason"]) == ("refused", "delayed")
    assert 0 < right["seconds"] <= wrong["seconds"]


def test_after_the_delay_the_right_code_is_admitted(hosting: Hosting) -> None:
    wrong = hosting.peer().admit(WRONG)
    assert wrong is not None
    time.sleep(wrong["seconds"])

    right = hosting.peer().admit(CODES[HUMAN])

    assert right is not None
    assert right["kind"] == "welcome"


def test_delays_double_up_to_a_minute_and_end_with_a_success_or_with_time() -> None:
    delays = FailureDelays()

    grown = [delays.fail("10.0.0.1", 0.0) for _ in range(10)]
    other = delays.seconds("10.0.0.2", 0.0)
    delays.fail("10.0.0.3", 0.0)
    delays.succeed("10.0.0.1")

    assert grown[:4] == [0.5, 1.0, 2.0, 4.0]
    assert all(later == min(2 * earlier, LONGEST_DELAY) for earlier, later in pairwise(grown))
    assert other == delays.seconds("10.0.0.1", 0.0) == 0
    assert delays.fail("10.0.0.3", 1.0) == 1.0
    assert delays.fail("10.0.0.3", 3.0 + FORGOTTEN_AFTER) == 0.5


def test_an_attacker_with_many_addresses_fills_no_memory() -> None:
    delays = FailureDelays()

    for number in range(10_000):
        delays.fail(str(number), 0.0)

    assert len(delays._failures) < 5000


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_the_addresses_of_one_computer_are_counted_together(address: str, key: str) -> None:
    assert address_key(address) == key


def test_a_recorded_proof_is_of_no_use(hosting: Hosting) -> None:
    first = hosting.peer()
    hello = first.hello()
    challenge = first.receive()
    assert challenge is not None
    nonces = Nonces(hello["nonce"], challenge["nonce"])
    proof = {"kind": "proof", "proof": make_proof(CODES[HUMAN].encode(), ProofSide.WINDOW, nonces, "")}
    first.send(proof)
    assert (first.receive() or {})["kind"] == "welcome"

    second = hosting.peer()
    second.send(hello)
    second.receive()
    second.send(proof)

    assert (second.receive() or {})["reason"] == "wrong_code"


def test_the_proof_of_a_host_is_no_proof_of_a_window(hosting: Hosting) -> None:
    peer = hosting.peer()
    hello = peer.hello()
    challenge = peer.receive()
    assert challenge is not None
    nonces = Nonces(hello["nonce"], challenge["nonce"])

    peer.send({"kind": "proof", "proof": make_proof(CODES[HUMAN].encode(), ProofSide.HOST, nonces, "")})

    assert (peer.receive() or {})["reason"] == "wrong_code"


def test_another_version_of_the_protocol_is_refused_with_the_versions(hosting: Hosting) -> None:
    peer = hosting.peer()

    peer.hello(protocol=2, version="9.9", more="unknown here")

    answer = peer.receive()
    assert answer is not None
    assert (answer["reason"], answer["protocol"]) == ("other_protocol", 1)
    assert peer.receive() is None


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/1.1\r\n",
        b"\xff\xfe\x00\n",
        b"[" * 900 + b"\n",
        b'{"kind":"hello"}\n',
        b'{"kind":"proof","proof":"' + b"0" * 64 + b'"}\n',
        b'{"kind":"entry"}\n',
        b"\n",
        b"x" * (LONGEST_FIRST_LINE + 1),
    ],
)
@pytest.mark.usefixtures("long_delays")
def test_a_first_line_that_is_none_ends_the_connection_and_counts_as_a_failure(
    hosting: Hosting, line: bytes
) -> None:
    peer = hosting.peer()

    peer.send(line)

    assert [answer["reason"] for answer in peer.receive_all()] == ["malformed"]
    assert (hosting.peer().admit(CODES[HUMAN]) or {})["reason"] == "delayed"


def test_a_second_hello_is_refused(hosting: Hosting) -> None:
    peer = hosting.peer()
    peer.hello()
    peer.receive()

    peer.hello()

    assert (peer.receive() or {})["reason"] == "malformed"


def test_connections_that_send_nothing_or_half_a_line_make_room_for_a_window(hosting: Hosting) -> None:
    silent = [hosting.peer() for _ in range(3 * MOST_STRANGERS_OF_ADDRESS)]
    for peer in silent:
        try:
            peer.send(b'{"kind":')
        except OSError:
            continue

    peer, _ = joined(hosting)

    assert hosting.session.windows(HUMAN) == 1
    assert len(hosting.server._connections) <= MOST_STRANGERS_OF_ADDRESS + 1
    assert silent[0].receive() is None
    peer.socket.close()


def test_a_window_comes_back_with_its_token_while_its_address_is_delayed(hosting: Hosting) -> None:
    client = hosting.join(CODES[WIZARD], token="wizard")
    until(lambda: hosting.session.windows(WIZARD) == 1)
    client.stop()
    until(lambda: hosting.session.windows(WIZARD) == 0)
    for _ in range(8):
        hosting.server._admission.delays.fail("127.0.0.1", time.monotonic())

    hosting.join(CODES[WIZARD], token="wizard")

    until(lambda: hosting.session.windows(WIZARD) == 1)
    assert (hosting.folder / "wizard").stat().st_mode & 0o077 == 0


@pytest.mark.usefixtures("long_delays")
def test_the_token_of_a_window_that_was_replaced_is_worth_nothing(hosting: Hosting) -> None:
    hosting.join(CODES[WIZARD], token="first")
    until(lambda: hosting.session.windows(WIZARD) == 1)
    hosting.join(CODES[WIZARD], token="second")
    until(lambda: (WIZARD, "replaced") in hosting.session.detached)
    hosting.server._admission.delays.fail("127.0.0.1", time.monotonic())

    peer = hosting.peer()
    peer.hello(ticket=_ticket(hosting.folder / "first"))

    assert (peer.receive() or {})["reason"] == "delayed"


def _ticket(file: Path) -> str:
    found: str = json.loads(file.read_text())["ticket"]
    return found


# Feeds


def test_a_window_is_introduced_and_gets_all_events_so_far_and_each_new_one(hosting: Hosting) -> None:
    hosting.session.table.start()
    hosting.session.table.human.says("Hello")

    peer, introduction = joined(hosting, WIZARD)
    hosting.session.table.human.says("Are you there?")

    lines = [peer.receive() or {} for _ in range(4)]
    assert introduction["kind"] == "introduction"
    assert [line["kind"] for line in lines] == ["event", "event", "status", "event"]
    assert [line["event"]["seq"] for line in lines if line["kind"] == "event"] == [1, 2, 3]


def test_between_two_sessions_windows_wait_and_stay_connected(hosting: Hosting) -> None:
    peer, first = joined(hosting)
    awaited(peer, "status")

    hosting.server.serve(None)
    waiting = peer.receive()
    hosting.server.serve(hosting.session)
    second = peer.receive()

    assert waiting == {"kind": "waiting"}
    assert second is not None
    assert second["kind"] == "introduction"
    assert second["feed"] != first["feed"]
    assert hosting.session.detached == [(HUMAN, "session over")]


def test_a_role_that_a_session_does_not_have_waits(hosting: Hosting) -> None:
    hosting.session.unknown.add(WIZARD)

    _, line = joined(hosting, WIZARD)

    assert line == {"kind": "waiting"}


def test_a_seat_has_one_window_and_the_new_one_replaces_the_old(hosting: Hosting) -> None:
    first, _ = joined(hosting)
    joined(hosting)

    lines = first.receive_all()

    assert lines[-1] == {"kind": "goodbye", "reason": "replaced"}
    assert hosting.session.windows(HUMAN) == 1
    assert hosting.session.detached == [(HUMAN, "replaced")]


def test_the_public_has_many_windows_up_to_a_limit(hosting: Hosting) -> None:
    first, _ = joined(hosting, PUBLIC)
    for _ in range(MOST_WINDOWS):
        joined(hosting, PUBLIC)

    assert first.receive_all()[-1] == {"kind": "goodbye", "reason": "replaced"}
    assert hosting.session.windows(PUBLIC) == MOST_WINDOWS


def test_an_entry_is_handed_to_the_session_and_acknowledged(hosting: Hosting) -> None:
    peer, introduction = joined(hosting)

    peer.send(entry_line(introduction, 1, (SendMessage("Hello"),)))

    assert awaited(peer, "done") == {"kind": "done", "number": 1, "accepted": True}
    assert hosting.session.submitted == [(HUMAN, (SendMessage("Hello"),))]


def test_an_entry_that_arrives_twice_is_performed_once(hosting: Hosting) -> None:
    window = draw_id()
    peer = hosting.peer()
    peer.admit(CODES[HUMAN], window=window)
    line = entry_line(peer.receive() or {}, 5, (SendMessage("Hello"),))
    peer.send(line)
    awaited(peer, "done")

    again = hosting.peer()
    again.admit(CODES[HUMAN], window=window)
    introduction = again.receive() or {}
    again.send(line)

    assert introduction["performed"] == 5
    assert awaited(again, "done")["accepted"]
    assert len(hosting.session.submitted) == 1


def test_another_process_of_the_window_numbers_its_entries_from_the_beginning(hosting: Hosting) -> None:
    for text in ("one", "two"):
        peer, introduction = joined(hosting)
        assert introduction["performed"] == 0
        peer.send(entry_line(introduction, 1, (SendMessage(text),)))
        awaited(peer, "done")

    assert [entry for _, entry in hosting.session.submitted] == [(SendMessage("one"),), (SendMessage("two"),)]


def test_an_entry_for_an_earlier_session_is_not_performed(hosting: Hosting) -> None:
    peer, first = joined(hosting)
    hosting.server.serve(hosting.session)
    awaited(peer, "introduction")

    peer.send(entry_line(first, 1, (SendMessage("Hello"),)))

    assert awaited(peer, "done") == {"kind": "done", "number": 1, "accepted": False}
    assert hosting.session.submitted == []


@pytest.mark.parametrize(
    ("role", "entry"),
    [
        (HUMAN, OpenWholeState()),
        (HUMAN, ChangeWizardMode(WizardMode.MANUAL)),
        (EXPERIMENTER, (SendMessage("Hello"),)),
        (PUBLIC, (SendMessage("Hello"),)),
    ],
)
def test_an_entry_of_another_role_ends_the_connection(
    hosting: Hosting, role: JoinRole, entry: RemoteEntry
) -> None:
    peer, introduction = joined(hosting, role)

    peer.send(entry_line(introduction, 1, entry))

    assert peer.receive_all()[-1] == {"kind": "goodbye", "reason": "misused"}
    assert hosting.session.submitted == []
    assert hosting.session.detached == [(role, "misused")]


@pytest.mark.parametrize(
    "line", [b"garbage\n", b"x" * (LONGEST_ENTRY_LINE + 1), b'{"kind":"welcome"}\n', b"\xff\n"]
)
@pytest.mark.usefixtures("long_delays")
def test_garbage_of_a_window_ends_its_connection_and_counts_as_a_failure(
    hosting: Hosting, line: bytes
) -> None:
    peer, _ = joined(hosting)

    peer.send(line)

    assert peer.receive_all()[-1] == {"kind": "goodbye", "reason": "misused"}
    assert (hosting.peer().admit(CODES[HUMAN]) or {})["reason"] == "delayed"


def test_more_entries_than_a_person_can_give_end_the_connection(hosting: Hosting) -> None:
    peer, introduction = joined(hosting)

    try:
        for number in range(1, 1000):
            peer.send(entry_line(introduction, number, (SendMessage("Hello"),)))
    except OSError:
        pass  # the end came while it was sending

    until(lambda: hosting.session.detached == [(HUMAN, "misused")])
    assert 200 <= len(hosting.session.submitted) < 900


def test_a_window_that_does_not_read_is_disconnected_and_the_session_never_waits(hosting: Hosting) -> None:
    joined(hosting, PUBLIC, receive_buffer=4096)
    reads, _ = joined(hosting, WIZARD)
    text = "x" * 500
    status = FeedStatus(1.0, True, True, error_message=text)
    longest = 0.0

    for _ in range(3 * MOST_ITEMS):
        before = time.thread_time()
        hosting.session.put(PUBLIC, status)
        longest = max(longest, time.thread_time() - before)
    hosting.session.put(WIZARD, status)

    until(lambda: (PUBLIC, "too slow") in hosting.session.detached)
    assert longest < 0.5
    while (awaited(reads, "status")["status"]["error_message"]) != text:
        pass


def test_the_thread_sleeps_while_a_window_that_does_not_read_is_told_goodbye(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer, _ = joined(hosting, PUBLIC, receive_buffer=4096)
    turns, turn = list[float](), hosting.server._turn
    status = FeedStatus(0.0, True, True, error_message="x" * 100_000)
    for _ in range(MOST_ITEMS + 200):
        hosting.session.put(PUBLIC, status)
    until(lambda: (PUBLIC, "too slow") in hosting.session.detached)

    def counted() -> None:
        turns.append(time.monotonic())
        turn()

    monkeypatch.setattr(hosting.server, "_turn", counted)
    time.sleep(1.0)

    assert len(turns) < 50
    peer.socket.close()


def test_a_connection_that_ends_while_it_is_accepted_ends_nothing_else(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_args: object) -> None:
        raise OSError(22, "Invalid argument")  # as on macOS, where the peer has gone already

    class Gone(socket.socket):
        setsockopt = refuse

    accept = socket.socket.accept
    taken = list[str]()

    def first_is_gone(listener: socket.socket) -> tuple[socket.socket, object]:
        peer, address = accept(listener)
        if taken:
            return peer, address
        taken.append("gone")
        return Gone(fileno=peer.detach()), address

    monkeypatch.setattr(socket.socket, "accept", first_is_gone)

    lost = hosting.peer()
    assert lost.receive() is None
    answer = hosting.peer().admit(CODES[HUMAN])

    assert answer is not None
    assert answer["kind"] == "welcome"


def test_a_session_with_very_many_events_reaches_a_window_that_reads(hosting: Hosting) -> None:
    hosting.session.table.start()
    session = hosting.session
    begin = session.attach

    def attach_with_many(role: JoinRole, put: Any) -> None:
        for _ in range(2 * MOST_ITEMS):
            session._feed(role, put, session.table.events[0])
        begin(role, put)

    session.attach = attach_with_many  # type: ignore[method-assign]
    peer, _ = joined(hosting, PUBLIC)

    awaited(peer, "status")

    assert session.windows(PUBLIC) == 1


def test_a_window_that_was_closed_and_one_that_was_lost_are_told_apart(hosting: Hosting) -> None:
    one, _ = joined(hosting, HUMAN)
    other, _ = joined(hosting, WIZARD)

    one.send({"kind": "leave"})
    other.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
    other.socket.close()

    until(lambda: len(hosting.session.detached) == 2)
    assert set(hosting.session.detached) == {(HUMAN, "closed"), (WIZARD, "lost")}


def test_a_silent_window_is_lost(hosting: Hosting, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("negoplatform.app.joining.join_connection.SILENT_SECONDS", 0.2)
    monkeypatch.setattr("negoplatform.app.joining.join_server.SILENT_SECONDS", 0.2)

    joined(hosting)

    until(lambda: hosting.session.detached == [(HUMAN, "lost")])


def test_an_error_of_the_session_ends_one_connection_and_is_reported(hosting: Hosting) -> None:
    peer, _ = joined(hosting, PUBLIC)
    begin = hosting.session.introduction

    def fail(role: JoinRole) -> Any:
        if role == WIZARD:
            raise RuntimeError("a fault")
        return begin(role)

    hosting.session.introduction = fail  # type: ignore[method-assign]
    broken = hosting.peer()
    broken.admit(CODES[WIZARD])

    assert broken.receive_all() == [{"kind": "goodbye", "reason": "failed"}]
    peer.send({"kind": "ping", "number": 1})
    assert awaited(peer, "pong")["number"] == 1
    assert [str(hosting.errors.pop())] == ["a fault"]


def test_a_host_that_ends_says_so(hosting: Hosting) -> None:
    peer, _ = joined(hosting)
    peer.send({"kind": "ping", "number": 1})

    hosting.server.stop()

    assert peer.receive_all()[-1] == {"kind": "goodbye", "reason": "stopped"}
    assert hosting.session.detached == [(HUMAN, "host stopped")]


def test_an_address_that_cannot_be_listened_at_is_refused_with_a_sentence(hosting: Hosting) -> None:
    taken = JoinServer("127.0.0.1", hosting.port, {}, report=hosting.errors.append)
    foreign = JoinServer("192.0.2.1", 0, {}, report=hosting.errors.append)
    unknown = JoinServer("no such name", 0, {}, report=hosting.errors.append)

    with pytest.raises(NegoError, match=f"port {hosting.port} .*; choose another"):
        taken.start()
    with pytest.raises(NegoError, match=r"192\.0\.2\.1, port 0 .*; choose another"):
        foreign.start()
    with pytest.raises(NegoError, match="not an address of this computer"):
        unknown.start()
    for server in (taken, foreign, unknown):
        server.stop()


def test_ipv6_is_served_as_well(hosting: Hosting) -> None:
    server = JoinServer("::1", 0, CODES, report=hosting.errors.append)
    server.start()

    with socket.create_connection(("::1", server.port), timeout=20) as peer:
        peer.sendall(b"garbage\n")
        answer = peer.recv(1000)

    assert b'"malformed"' in answer
    server.stop()


def test_a_session_can_be_served_before_and_after_the_start(hosting: Hosting) -> None:
    server = JoinServer("127.0.0.1", 0, CODES, report=hosting.errors.append)
    session = FakeSession(hosting.session.table)
    server.serve(session)
    server.start()
    peer = Peer(server.port)

    peer.admit(CODES[HUMAN])

    assert (peer.receive() or {})["kind"] == "introduction"
    peer.socket.close()
    server.stop()


def test_a_session_that_comes_while_the_thread_wakes_up_leaves_it_able_to_wake_again() -> None:
    server = JoinServer("127.0.0.1", 0, CODES, report=print)
    woken = server._woken
    woken.setblocking(False)

    class Interrupted:
        """Socket at whose reading another session comes in."""

        def recv(self, size: int) -> bytes:
            server.serve(None)
            return woken.recv(size)

    server.serve(None)
    server._woken = Interrupted()  # type: ignore[assignment]  # a moment that no test can hit by itself
    server._take_commands()
    server.serve(None)

    assert woken.recv(10) == b"\0"
    server._woken = woken
    server.stop()
