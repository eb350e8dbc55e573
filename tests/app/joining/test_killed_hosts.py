"""Hosts that are killed in a running game and started again: their windows come back by themselves."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import SendMessage
from negoplatform.app.joining.host_process import HostedSession, HostProcess
from negoplatform.app.joining.join_client import JoinClient, Joined, LinkLost
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    FeedSuggestion,
    FeedSuggestionClosed,
)
from negoplatform.cli.main import run
from negoplatform.core.events import Event
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.eventlog.reader import read_log
from tests.app.joining.hosted import PATIENCE, NewsReader

pytestmark = [pytest.mark.timeout(120), pytest.mark.new_python]

AGENT = """
from negoplatform.agent_api import NegotiationAgent, SendMessage


class Agent(NegotiationAgent):
    name = "Robin"

    def on_send_message(self, ctx, event):
        return [SendMessage("About " + event.get_text())]
"""


@pytest.fixture
def clients(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[HostedSession, str], Any]]:
    """Function that opens a window without a screen; returns its client and its news."""
    monkeypatch.setattr("negoplatform.app.joining.join_client.LONGEST_PAUSE", 0.5)
    opened: list[JoinClient] = []
    errors: list[BaseException] = []

    def join(session: HostedSession, role: str) -> tuple[JoinClient, NewsReader]:
        client = JoinClient(session.address, session.port, session.codes[role], report=errors.append)
        opened.append(client)
        client.start()
        news = NewsReader(client)
        news.next(Joined)
        return client, news

    yield join
    for client in opened:
        client.stop()
    assert errors == []


def next_item(client: JoinClient, kind: type[Any]) -> Any:
    while not isinstance(item := client.items.get(timeout=PATIENCE), kind):
        pass
    return item


def wait_for_text(client: JoinClient, text: str) -> list[Event]:
    """Wait until a message is in the transcript of a seat; return the whole transcript."""
    assert client.seat is not None
    while True:
        transcript = [*client.seat.updates.get(timeout=PATIENCE).view.state.transcript]
        if any(event.get_text() == text for event in transcript):
            return transcript


def start(*arguments: str) -> tuple[HostProcess, HostedSession]:
    host = HostProcess(arguments)
    return host, host.await_session()


def test_windows_of_a_killed_host_come_back_and_suggestions_wait_again(
    tmp_path: Path, clients: Callable[[HostedSession, str], Any], capsys: pytest.CaptureFixture[str]
) -> None:
    agent, data_dir = tmp_path / "agent.py", ("--data-dir", str(tmp_path / "data"))
    agent.write_text(AGENT, encoding="utf-8")
    options = ("--game", "practice", "--people", "P01", "--agent", str(agent), "--wizard", "agent:manual")
    first, session = start(*data_dir, *options, "--closing-time", "0.1")
    person, news = clients(session, "human")
    wizard, wizards_news = clients(session, "wizard")
    person.seat.start()
    person.seat.propose(SendMessage("one"))
    performed = next_item(wizard, FeedSuggestion)
    wizard.send(AnswerSuggestion(performed.number, send=True))
    wait_for_text(person, "About one")
    person.seat.propose(SendMessage("two"))
    waiting = next_item(wizard, FeedSuggestion)
    person.seat.save_draft({"words": "not sent yet"})
    person.seat.propose(SendMessage("three"))
    next_item(wizard, FeedSuggestion)

    first._process.send_signal(signal.SIGKILL)
    for each in (news, wizards_news):
        each.next(LinkLost)
    first.await_end()
    second, again = start(*data_dir, "--resume", str(session.log.parent))
    introduction = news.next(Joined).introduction
    wizards_news.next(Joined)
    person.seat.start()
    waits_again = [next_item(wizard, FeedSuggestion) for _ in range(2)]
    for suggestion in waits_again:
        wizard.send(AnswerSuggestion(suggestion.number, send=True))
        next_item(wizard, FeedSuggestionClosed)
    texts = [event.get_text() for event in wait_for_text(person, "About three")]
    second.stop()

    assert again.codes == session.codes
    assert again.port == session.port
    assert introduction.saved_draft is not None
    assert introduction.saved_draft["words"] == "not sent yet"
    assert waits_again[0] == waiting
    said = ["one", "About one", "two", "three", "About two", "About three"]
    assert [text for text in texts if text] == said
    log = read_log(session.log)
    suggested = [event for event in log.events if getattr(event.payload, "kind", "") == NoteKind.SUGGESTED]
    assert len(suggested) == 3
    capsys.readouterr()
    place = str(session.log.parent)
    for command in (["log", "verify", place], ["resimulate", place, "--agent", str(agent)]):
        assert run(command) == 0, capsys.readouterr()
