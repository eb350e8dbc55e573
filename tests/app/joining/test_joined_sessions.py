"""Live sessions that windows have joined over TCP: people, wizards, lost connections."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from negoplatform.agent_api.actions import SendMessage, SendOffer
from negoplatform.app.joining.join_client import JoinClient, Joined, LinkLost, LinkRestored
from negoplatform.app.joining.join_server import JoinServer
from negoplatform.app.session.participant_seat import SessionUpdate
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    FeedRawEvent,
    FeedSuggestion,
    FeedSuggestionClosed,
    JoinRole,
    OpenWholeState,
    RoleKind,
)
from negoplatform.core.events import DecidedBy, EndedBy, Ending
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.joining_settings import WizardMode, WizardSettings
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.replay import replay
from negoplatform.hosting.seat_actions import AcceptOffer
from tests.app.joining.hosted import PATIENCE, NewsReader, relay, until
from tests.app.session.test_joined_windows import EVEN, Hosted, host, prepared

__all__ = ["host"]

FIRST, SECOND = JoinRole(RoleKind.SEAT, "human"), JoinRole(RoleKind.SEAT, "agent")
WIZARD = JoinRole(RoleKind.WIZARD, "agent")
CODES = {FIRST: "AAAAA22222", SECOND: "BBBBB33333", WIZARD: "CCCCC44444"}


@pytest.fixture(autouse=True)
def _short_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("negoplatform.app.joining.join_client.FIRST_PAUSE", 0.02)
    monkeypatch.setattr("negoplatform.app.joining.join_client.LONGEST_PAUSE", 0.05)


class Windows:
    """Server of a session, and the windows that a test opens.

    Args:
        hosted: The session.
    """

    def __init__(self, hosted: Hosted) -> None:
        self.hosted = hosted
        self.server = JoinServer("127.0.0.1", 0, CODES, report=hosted.errors.append)
        self.server.start()
        self.server.serve(hosted.live)
        self.clients: list[JoinClient] = []

    def join(self, role: JoinRole, port: int = 0) -> tuple[JoinClient, NewsReader]:
        """Open a window that has joined."""
        client = JoinClient(
            "127.0.0.1", port or self.server.port, CODES[role], report=self.hosted.errors.append
        )
        self.clients.append(client)
        client.start()
        news = NewsReader(client)
        news.next(Joined)
        return client, news

    def close(self) -> None:
        """Close all windows, and the server."""
        for client in self.clients:
            client.stop()
        self.server.stop()


@contextmanager
def windows_of(hosted: Hosted) -> Iterator[Windows]:
    """Serve a session."""
    found = Windows(hosted)
    try:
        yield found
    finally:
        found.close()


def wait_for(client: JoinClient, wanted: Callable[[SessionUpdate], Any]) -> SessionUpdate:
    """Return the first update that is wanted."""
    assert client.seat is not None
    while not wanted(update := client.seat.updates.get(timeout=PATIENCE)):
        pass
    return update


def ended(update: SessionUpdate) -> Ending | None:
    return update.view.state.ending


def test_two_people_agree_over_a_connection_that_is_cut_and_restored(host: Callable[..., Hosted]) -> None:
    hosted = host(agents=SeatMap(), people={"agent": "P2"})
    with windows_of(hosted) as windows, relay(windows.server.port) as link:
        first, _ = windows.join(FIRST)
        second, news = windows.join(SECOND, link.port)
        for client in (first, second):
            assert client.seat is not None
            client.seat.start()
        wait_for(first, lambda update: update.view.state.transcript)
        wait_for(second, lambda update: update.view.state.transcript)
        assert first.seat is not None
        assert second.seat is not None

        link.cut()
        news.next(LinkLost)
        absent = wait_for(first, lambda update: update.absent)
        first.seat.propose(SendOffer(EVEN))
        second.seat.propose(SendMessage("Sorry, I was away."))
        link.restore()
        news.next(LinkRestored)
        offer = wait_for(second, lambda update: len(update.view.state.transcript) >= 2)
        wait_for(first, lambda update: update.event and update.event.get_text() == "Sorry, I was away.")
        seq = next(event.seq for event in offer.view.state.transcript if event.type == "SEND_OFFER")
        second.seat.propose(AcceptOffer(seq))
        first.seat.propose(AcceptOffer(seq))
        ending = ended(wait_for(second, ended))
        for client in (first, second):
            assert client.seat is not None
            client.seat.finish_closing()
        last = wait_for(first, lambda update: update.finished)

    assert absent.absent == ("agent",)
    assert ending is not None
    assert ending.ended_by is EndedBy.AGREEMENT
    state = replay(hosted.log()).state
    seen = view_of(state, Observer("human")).state._replace(version=0, t=0.0)
    assert last.view.state._replace(version=0, t=0.0) == seen


def test_a_person_who_was_ready_is_ready_again_after_a_lost_connection(host: Callable[..., Hosted]) -> None:
    hosted = host(agents=SeatMap(), people={"agent": "P2"})
    with windows_of(hosted) as windows, relay(windows.server.port) as link:
        first, news = windows.join(FIRST, link.port)
        assert first.seat is not None
        first.seat.start()
        until(lambda: windows.server._performed)
        link.cut()
        news.next(LinkLost)
        until(lambda: not windows.server._connections)
        link.restore()
        news.next(LinkRestored)
        second, _ = windows.join(SECOND)
        assert second.seat is not None

        second.seat.start()

        wait_for(first, lambda update: update.view.state.transcript)


def test_a_wizard_answers_a_suggestion_and_opens_the_whole_state(host: Callable[..., Hosted]) -> None:
    settings = WizardSettings(WizardMode.ASSISTED, 60.0)
    hosted = host(agents=SeatMap({"agent": prepared()}), wizards={"agent": settings})
    with windows_of(hosted) as windows:
        person, _ = windows.join(FIRST)
        wizard, _ = windows.join(WIZARD)
        assert person.seat is not None
        person.seat.start()
        suggestion = next_item(wizard, FeedSuggestion)

        wizard.send(
            AnswerSuggestion(suggestion.number, send=True, steps=(SendMessage("Hello, I am Robin."),))
        )
        wait_for(person, lambda update: update.event and update.event.get_text() == "Hello, I am Robin.")
        closed = next_item(wizard, FeedSuggestionClosed)
        wizard.send(OpenWholeState())
        raw = next_item(wizard, FeedRawEvent)

    assert closed.number == suggestion.number
    assert raw.event.seq == 1
    assert hosted.notes(NoteKind.RAW_VIEW_OPENED)
    assert [event.decided_by for event in hosted.ledger.events if event.type == "SEND_MESSAGE"] == [
        DecidedBy.WIZARD
    ]


def next_item(client: JoinClient, kind: type[Any]) -> Any:
    while not isinstance(item := client.items.get(timeout=PATIENCE), kind):
        pass
    return item
