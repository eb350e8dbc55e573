"""Windows that join a session, lose the connection and come back."""

from __future__ import annotations

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import SendMessage, SendOffer, ShowTyping
from negoplatform.app.joining import entry_queue
from negoplatform.app.joining.entry_queue import MOST_WAITING, STALE_SECONDS, EntryQueue
from negoplatform.app.joining.join_client import (
    STALE,
    TOO_LONG,
    AwaitingSession,
    EntriesNotSent,
    JoinClient,
    Joined,
    JoinRefused,
    LinkLost,
    LinkRestored,
)
from negoplatform.app.joining.join_codes import CODE_LETTERS, draw_code, parse_code, shown_code
from negoplatform.app.joining.join_link import ResumeToken, ResumeTokenFile, parse_address, token_path
from negoplatform.app.joining.join_server import JoinServer
from negoplatform.app.joining.observed_session import HostClock
from negoplatform.app.session.participant_actions import RecordNote
from negoplatform.app.session.participant_seat import (
    FinishClosingRequest,
    ParticipantSeat,
    PauseRequest,
    SessionUpdate,
    UnpauseRequest,
)
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    DraftEntry,
    FeedEvent,
    FeedSuggestion,
    FeedWizard,
    RemoteEntry,
    StartRequest,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.state import Phase
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import WizardMode
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats.join_protocol import DEFAULT_PORT, LONGEST_ENTRY_LINE
from negoplatform.hosting.seat_actions import AcceptOffer
from tests.app.joining.hosted import (
    CODES,
    EXPERIMENTER,
    HUMAN,
    PATIENCE,
    WIZARD,
    Hosting,
    NewsReader,
    drained,
    relay,
    until,
)

OFFER = Offer({"bananas": Allocation({"human": 1}, 3)})


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Come back sooner than people would notice."""
    monkeypatch.setattr("negoplatform.app.joining.join_client.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("negoplatform.app.joining.join_client.LONGEST_PAUSE", 0.05)


def seat_of(client: JoinClient) -> ParticipantSeat:
    assert client.seat is not None
    return client.seat


def next_update(client: JoinClient) -> SessionUpdate:
    return seat_of(client).updates.get(timeout=PATIENCE)


# Seats


def test_a_window_has_the_same_views_as_one_in_the_sessions_process(hosting: Hosting) -> None:
    table = hosting.session.table
    client = hosting.join()
    joined = NewsReader(client).next(Joined)
    table.start()
    hosting.session.put(HUMAN, hosting.session.status())
    table.human.offers(OFFER)
    table.agent.says("Hm.")

    updates = [next_update(client) for _ in range(3)]

    assert joined.introduction.participant == "P07"
    assert joined.introduction.names == {"agent": "Robin"}
    assert [update.event.type for update in updates if update.event] == [
        "SEND_OFFER",
        "SEND_MESSAGE",
    ]
    expected = view_of(table.state, Observer("human"))
    assert updates[-1].view.state._replace(session_id="") == expected.state._replace(session_id="")
    assert updates[-1].view.game == expected.game
    assert seat_of(client).game == updates[-1].view.state.game


def test_a_window_that_comes_late_gets_one_update_for_all_events_so_far(hosting: Hosting) -> None:
    table = hosting.session.table
    table.start()
    table.human.says("one")
    table.agent.says("two")

    client = hosting.join()
    NewsReader(client).next(Joined)
    first = next_update(client)
    table.agent.says("three")
    second = next_update(client)

    assert first.event is None
    assert len(first.view.state.transcript) == 3
    assert second.event is not None
    assert second.event.get_text() == "three"


def test_there_is_no_update_before_the_game_begins_unless_a_person_is_absent(hosting: Hosting) -> None:
    client = hosting.join()
    NewsReader(client).next(Joined)

    hosting.session.put(HUMAN, hosting.session.status())
    hosting.session.put(HUMAN, hosting.session.status(absent=("agent",)))

    assert next_update(client).absent == ("agent",)


def test_a_seat_sends_what_its_window_does(hosting: Hosting) -> None:
    client = hosting.join()
    NewsReader(client).next(Joined)
    seat = seat_of(client)

    seat.start()
    seat.propose(ShowTyping(500))
    seat.propose(RecordNote(NoteKind.WARNING_SHOWN, {"about": "accept"}), SendOffer(OFFER))
    seat.pause("rules")
    seat.unpause()
    seat.save_draft({"text": "Hello"})
    seat.finish_closing()

    until(lambda: len(hosting.session.submitted) == 7)
    assert hosting.session.entries() == [
        StartRequest(),
        (ShowTyping(500),),
        (RecordNote(NoteKind.WARNING_SHOWN, {"about": "accept"}), SendOffer(OFFER)),
        PauseRequest("rules"),
        UnpauseRequest(),
        DraftEntry({"text": "Hello"}),
        FinishClosingRequest(),
    ]


def test_the_window_of_a_wizard_sends_no_more_than_its_role_may(hosting: Hosting) -> None:
    client = hosting.join(CODES[WIZARD])
    NewsReader(client).next(Joined)
    seat = seat_of(client)

    seat.start()
    seat.pause("rules")
    seat.save_draft({})
    seat.propose(SendMessage("Hello"))
    client.send(ChangeWizardMode(WizardMode.MANUAL))
    client.send(AnswerSuggestion(1, send=True, steps=(SendMessage("Hi"),)))

    until(lambda: len(hosting.session.submitted) == 3)
    assert hosting.session.entries(WIZARD) == [
        (SendMessage("Hello"),),
        ChangeWizardMode(WizardMode.MANUAL),
        AnswerSuggestion(1, send=True, steps=(SendMessage("Hi"),)),
    ]
    assert hosting.session.detached == []


def test_a_wizard_gets_events_as_updates_and_the_rest_as_items(hosting: Hosting) -> None:
    client = hosting.join(CODES[WIZARD])
    NewsReader(client).next(Joined)
    suggestion = FeedSuggestion(1, (SendMessage("Hi"),), 3.0)
    hosting.session.put(WIZARD, FeedWizard(WizardMode.ASSISTED, {"agent": 3}))
    hosting.session.put(WIZARD, suggestion)
    hosting.session.table.start()
    hosting.session.put(WIZARD, hosting.session.status())

    items = [client.items.get(timeout=PATIENCE) for _ in range(2)]

    assert items == [FeedWizard(WizardMode.ASSISTED, {"agent": 3}), suggestion]
    assert next_update(client).view.state.phase is Phase.NEGOTIATING


def test_an_experimenter_gets_every_item_and_has_no_seat(hosting: Hosting) -> None:
    hosting.session.table.start()
    client = hosting.join(CODES[EXPERIMENTER])
    NewsReader(client).next(Joined)

    items = [client.items.get(timeout=PATIENCE) for _ in range(2)]

    assert client.seat is None
    assert items == [FeedEvent(hosting.session.table.events[0]), hosting.session.status()]


# Sessions, one after the other


def test_a_window_waits_between_sessions_and_joins_the_next(hosting: Hosting) -> None:
    client = hosting.join()
    news = NewsReader(client)
    news.next(Joined)
    first = seat_of(client)

    hosting.server.serve(None)
    news.next(AwaitingSession)
    first.propose(SendMessage("too late"))
    late = news.next(EntriesNotSent)
    hosting.server.serve(hosting.session)
    news.next(Joined)
    seat_of(client).propose(SendMessage("in time"))

    until(lambda: hosting.session.submitted)
    assert late.entries == ((SendMessage("too late"),),)
    assert hosting.session.entries() == [(SendMessage("in time"),)]
    assert seat_of(client) is not first


# Lost connections


def test_a_window_comes_back_and_refolds_all_events(hosting: Hosting) -> None:
    table = hosting.session.table
    table.start()
    with relay(hosting.port) as link:
        client = hosting.join(port=link.port)
        news = NewsReader(client)
        news.next(Joined)
        seat = seat_of(client)
        next_update(client)

        link.cut()
        lost = news.next(LinkLost)
        until(lambda: hosting.session.windows(HUMAN) == 0)
        table.agent.says("Are you there?")
        link.restore()
        news.next(LinkRestored)
        back = next_update(client)

        assert "lost" in lost.reason or "closed" in lost.reason
        assert seat_of(client) is seat
        assert back.event is None
        assert [event.get_text() for event in back.view.state.transcript][-1] == "Are you there?"
        assert hosting.session.detached == [(HUMAN, "lost")]
        client.stop()


def test_entries_whose_acknowledgements_were_lost_are_performed_exactly_once(hosting: Hosting) -> None:
    with relay(hosting.port) as link:
        client = hosting.join(port=link.port)
        news = NewsReader(client)
        news.next(Joined)
        seat = seat_of(client)

        for number in range(30):
            if number % 10 == 3:
                link.loses_answers = True
            if number % 10 == 7:
                link.cut()
                news.next(LinkLost)
                link.restore()
            seat.propose(SendMessage(str(number)))
        until(lambda: len(hosting.session.submitted) >= 30)
        client.stop()

    texts = [entry[0].text for entry in hosting.session.entries()]  # type: ignore[index, union-attr]  # messages
    assert texts == [str(number) for number in range(30)]
    assert not any(isinstance(each, EntriesNotSent) for each in [*news.all, *drained(client.news)])


def test_a_decision_that_waited_too_long_is_not_sent_and_a_message_is(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    with relay(hosting.port) as link:
        client = hosting.join(port=link.port)
        news = NewsReader(client)
        news.next(Joined)
        seat = seat_of(client)
        link.cut()
        news.next(LinkLost)
        until(lambda: hosting.session.windows(HUMAN) == 0)
        monkeypatch.setattr(entry_queue, "STALE_SECONDS", 0.0)

        seat.propose(SendMessage("Deal?"))
        seat.propose(AcceptOffer(3))
        seat.propose(ShowTyping(500))
        seat.save_draft({"text": "old"})
        seat.save_draft({"text": "new"})
        link.restore()
        late = news.next(EntriesNotSent)
        until(lambda: len(hosting.session.submitted) == 2)
        client.stop()

    assert late == EntriesNotSent(((AcceptOffer(3),),), STALE)
    assert hosting.session.entries() == [(SendMessage("Deal?"),), DraftEntry({"text": "new"})]


def test_a_decision_that_was_performed_is_not_reported_as_too_late(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    with relay(hosting.port) as link:
        client = hosting.join(port=link.port)
        news = NewsReader(client)
        news.next(Joined)
        link.loses_answers = True
        seat_of(client).propose(AcceptOffer(3))
        until(lambda: hosting.session.submitted)
        monkeypatch.setattr(entry_queue, "STALE_SECONDS", 0.0)

        link.cut()
        news.next(LinkLost)
        link.restore()
        news.next(LinkRestored)
        seat_of(client).propose(SendMessage("Thanks"))
        until(lambda: len(hosting.session.submitted) == 2)
        client.stop()

    assert hosting.session.entries() == [(AcceptOffer(3),), (SendMessage("Thanks"),)]
    assert not any(isinstance(each, EntriesNotSent) for each in [*news.all, *drained(client.news)])


def test_a_host_that_was_started_again_gets_nothing_that_the_first_may_have_performed(
    hosting: Hosting,
) -> None:
    with relay(hosting.port) as link:
        client = hosting.join(port=link.port)
        news = NewsReader(client)
        news.next(Joined)
        link.loses_answers = True
        seat_of(client).propose(SendMessage("Hello"))
        until(lambda: hosting.session.submitted)
        link.cut()
        news.next(LinkLost)
        second = JoinServer("127.0.0.1", 0, CODES, report=hosting.errors.append)
        second.start()
        second.serve(hosting.session)
        link._target = second.port

        link.restore()
        lost = news.next(EntriesNotSent)
        news.next(Joined)
        client.stop()
        second.stop()

    assert lost.entries == ((SendMessage("Hello"),),)
    assert len(hosting.session.submitted) == 1


def test_a_window_that_was_replaced_does_not_come_back(hosting: Hosting) -> None:
    first = hosting.join()
    news = NewsReader(first)
    news.next(Joined)
    second = hosting.join()
    NewsReader(second).next(Joined)

    refused = news.next(JoinRefused)

    assert "Another window" in refused.sentence
    until(lambda: not first._thread.is_alive())
    assert hosting.session.windows(HUMAN) == 1


def test_another_process_of_a_killed_window_comes_back_with_its_token(hosting: Hosting) -> None:
    killed = hosting.join(token="seat")
    NewsReader(killed).next(Joined)
    killed._waker.close()
    killed._stopped.set()
    hosting.server._admission.delays.fail("127.0.0.1", time.monotonic() + 50)

    again = hosting.join(token="seat")

    NewsReader(again).next(Joined)
    until(lambda: hosting.session.windows(HUMAN) == 1)


def test_an_entry_that_is_too_long_is_kept_from_the_host_and_reported(hosting: Hosting) -> None:
    client = hosting.join()
    news = NewsReader(client)
    news.next(Joined)

    seat_of(client).save_draft({"text": "x" * LONGEST_ENTRY_LINE})
    seat_of(client).propose(SendMessage("Hello"))

    assert news.next(EntriesNotSent).sentence == TOO_LONG
    until(lambda: hosting.session.submitted)
    assert hosting.session.entries() == [(SendMessage("Hello"),)]
    assert hosting.session.detached == []


# Refusals


@contextmanager
def fake_host(*answers: bytes | None) -> Iterator[int]:
    """Run a program that answers each line of a window with the next bytes; None closes the connection."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with listener, listener.accept()[0] as peer:
            for answer in answers:
                peer.recv(4096)
                if answer is None:
                    return
                peer.sendall(answer)
            peer.recv(4096)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield listener.getsockname()[1]
    thread.join(PATIENCE)


def challenge(**changes: Any) -> bytes:
    line = {
        "kind": "challenge",
        "protocol": 1,
        "version": "0.1.0",
        "nonce": "0" * 32,
        "resumes": False,
        **changes,
    }
    return json.dumps(line).encode() + b"\n"


WELCOME = {
    "kind": "welcome",
    "proof": "0" * 64,
    "role_kind": "seat",
    "seat": "human",
    "ticket": "0" * 32,
    "masked_token": "",
}


def refused_by(hosting: Hosting, *answers: bytes | None) -> str:
    with fake_host(*answers) as port:
        return NewsReader(hosting.join(port=port)).next(JoinRefused).sentence


def test_a_host_that_does_not_know_the_code_is_not_joined(hosting: Hosting) -> None:
    sentence = refused_by(hosting, challenge(), json.dumps(WELCOME).encode() + b"\n")

    assert "does not have this code" in sentence


@pytest.mark.parametrize(
    "answer",
    [
        b"HTTP/1.1 400 Bad Request\r\n\r\n",
        b"\xff\xfe\n",
        b"x" * 2000,
        json.dumps(WELCOME).encode() + b"\n",
        challenge(more=1),
        challenge(nonce="short"),
    ],
)
def test_another_program_is_no_host(hosting: Hosting, answer: bytes) -> None:
    assert "is not a host of NegoPlatform" in refused_by(hosting, answer)


@pytest.mark.parametrize(
    ("protocol", "sentence"), [(2, r"newer.*0\.9.*update this program"), (0, r"older.*0\.9.*update the host")]
)
def test_another_version_is_refused_with_a_sentence_about_which_is_newer(
    hosting: Hosting, protocol: int, sentence: str
) -> None:
    import re

    assert re.search(sentence, refused_by(hosting, challenge(protocol=protocol, version="0.9", more=1)))


def test_a_wrong_code_is_refused_with_a_sentence(hosting: Hosting) -> None:
    assert "does not accept this code." in NewsReader(hosting.join("ZZZZZ-99999")).next(JoinRefused).sentence


def test_a_code_of_another_role_is_refused_with_its_name(hosting: Hosting) -> None:
    client = hosting.join(CODES[HUMAN], "wizard")

    assert "this code for the role 'wizard'" in NewsReader(client).next(JoinRefused).sentence


def test_a_window_waits_for_the_end_of_a_delay(hosting: Hosting) -> None:
    hosting.server._admission.delays.fail("127.0.0.1", time.monotonic())
    hosting.server._admission.delays.fail("127.0.0.1", time.monotonic())

    news = NewsReader(hosting.join())

    news.next(Joined)
    assert isinstance(news.all[0], LinkLost)
    assert "Wrong codes" in news.all[0].reason


def test_an_address_without_a_host_is_refused_with_a_sentence(hosting: Hosting) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    unknown = JoinClient("no.such.host.invalid", 1, CODES[HUMAN], report=hosting.errors.append)
    hosting.clients.append(unknown)
    unknown.start()

    assert f"No program listens at 127.0.0.1:{port}" in (
        NewsReader(hosting.join(port=port)).next(JoinRefused).sentence
    )
    assert "'no.such.host.invalid' was not found" in NewsReader(unknown).next(JoinRefused).sentence


def test_a_program_that_does_not_answer_is_given_up(
    hosting: Hosting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("negoplatform.app.joining.join_link.ANSWER_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        client = hosting.join(port=silent.getsockname()[1])

        assert "does not answer like a host" in NewsReader(client).next(JoinRefused).sentence


# Addresses, codes, tokens


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("lab-3", ("lab-3", DEFAULT_PORT)),
        (" 192.0.2.7:5000 ", ("192.0.2.7", 5000)),
        ("[2001:db8::7]:5000", ("2001:db8::7", 5000)),
        ("[::1]", ("::1", DEFAULT_PORT)),
        ("::1", ("::1", DEFAULT_PORT)),
    ],
)
def test_an_address_is_a_host_with_or_without_a_port(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    "text",
    [
        "",
        ":5000",
        "lab:",
        "lab:0",
        "lab:65536",
        "lab:x",
        "lab:99999999999",
        "[::1",
        "[::1]5",
        "two words",
        "a@b",
        "http://lab",
        "lab:٣",
    ],
)
def test_a_text_that_is_no_address_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(NegoError, match=r"not an address|not a number from 1 to 65535"):
        parse_address(text)


def test_a_code_can_be_typed_in_any_case_with_dashes_and_spaces() -> None:
    code = draw_code()

    assert parse_code(shown_code(code).lower()) == code
    assert parse_code(f" {code[:3]} {code[3:]} ") == code


def test_codes_have_ten_characters_that_are_not_mistaken() -> None:
    codes = {draw_code() for _ in range(200)}

    assert len(codes) == 200
    assert {len(code) for code in codes} == {10}
    assert set("".join(codes)) <= set(CODE_LETTERS)
    assert not set(CODE_LETTERS) & set("ILO01")


@pytest.mark.parametrize("typed", ["", "AAAAA2222", "AAAAA222222", "AAAAA2222O", "AAAAA2222\u202e"])
def test_a_text_that_is_no_code_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(NegoError, match="code") as refusal:
        parse_code(typed)

    assert "\u202e" not in str(refusal.value)


def test_the_token_of_another_code_or_role_is_not_used(tmp_path: Path) -> None:
    file = tmp_path / "token"
    errors: list[BaseException] = []
    token = ResumeToken("0" * 32, b"1" * 16)
    ResumeTokenFile(file, "AAAAA22222", "wizard", errors.append).save(token)

    assert ResumeTokenFile(file, "AAAAA22222", "wizard", errors.append).token == token
    assert ResumeTokenFile(file, "AAAAA22223", "wizard", errors.append).token is None
    assert ResumeTokenFile(file, "AAAAA22222", "", errors.append).token is None
    file.write_bytes(b"\xff")
    assert ResumeTokenFile(file, "AAAAA22222", "wizard", errors.append).token is None
    assert errors == []


# Entries and the clock


def queue_with(*entries: RemoteEntry) -> EntryQueue:
    queue = EntryQueue()
    for entry in entries:
        assert queue.add("0" * 32, entry, 100.0)
    return queue


def test_entries_that_wait_are_sent_once_on_each_connection() -> None:
    queue = queue_with((SendMessage("one"),), (SendMessage("two"),))

    first, second = queue.take_lines(), queue.take_lines()
    dropped = queue.reconnect("0" * 32, 1, 101.0)
    third = queue.take_lines()

    assert first.count(b"\n") == 2
    assert second == b""
    assert dropped == []
    assert b"two" in third
    assert b"one" not in third


def test_only_decisions_become_stale() -> None:
    queue = queue_with(
        (SendMessage("one"),), (SendOffer(OFFER),), AnswerSuggestion(1, send=True), StartRequest()
    )

    dropped = queue.reconnect("0" * 32, 0, 100.0 + STALE_SECONDS + 0.1)

    assert dropped == [(SendOffer(OFFER),), AnswerSuggestion(1, send=True)]
    assert len(queue) == 2


def test_a_queue_takes_no_more_than_it_may_hold() -> None:
    queue = queue_with(*[(SendMessage("one"),)] * MOST_WAITING)

    assert not queue.add("0" * 32, (SendMessage("one"),), 100.0)


def test_the_clock_is_that_of_the_quickest_ping() -> None:
    clock = HostClock()
    unknown = clock.offset

    clock.measure(sent=10.0, host_time=1010.9, received=11.0)
    slow = clock.offset
    clock.measure(sent=12.0, host_time=1012.05, received=12.1)
    clock.measure(sent=13.0, host_time=1014.0, received=15.0)

    assert unknown is None
    assert slow == pytest.approx(1000.4)
    assert clock.offset == pytest.approx(1000.0)


def test_session_time_in_the_window_is_that_of_the_host(hosting: Hosting) -> None:
    client = hosting.join()
    NewsReader(client).next(Joined)
    until(lambda: client._clock.offset is not None)
    before = time.monotonic()

    hosting.session.put(HUMAN, hosting.session.status(session_time=100.0, running=True, started=True))
    update = next_update(client)
    after = time.monotonic()

    assert before - 100.1 <= update.time_origin <= after - 99.9


def test_the_file_of_a_token_is_private_does_not_tell_the_code_and_is_kept_for_a_week(
    hosting: Hosting, tmp_path: Path
) -> None:
    path = token_path(tmp_path, f"127.0.0.1:{hosting.port}", "aaaaa-22222", "")
    left = path.with_name("0.json")
    left.parent.mkdir()
    left.write_text("{}", encoding="utf-8")
    os.utime(left, (0.0, 0.0))
    client = JoinClient(
        "127.0.0.1", hosting.port, CODES[HUMAN], report=hosting.errors.append, token_file=path
    )
    hosting.clients.append(client)

    client.start()
    NewsReader(client).next(Joined)
    kept = path.read_text(encoding="utf-8")
    mode = path.stat().st_mode & 0o777
    client.stop()
    client.forget()

    assert path == token_path(tmp_path, f"127.0.0.1:{hosting.port}", CODES[HUMAN], "")
    assert CODES[HUMAN] not in kept + str(path)
    assert os.name != "posix" or mode == 0o600
    assert not list(path.parent.iterdir())
