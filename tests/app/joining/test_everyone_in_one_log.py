"""Session with everyone: a person with an adviser and a coach, a wizard, agents, a principal, assistants.

The host is the real one, in a process of its own; all plug-ins are files, each in a process of its own.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from negoplatform.agent_api.actions import FormalQuit, SendMessage, SendOffer
from negoplatform.app.joining.host_process import HostProcess
from negoplatform.app.joining.join_client import JoinClient, Joined
from negoplatform.app.session.windows.session_feed import AnswerSuggestion, FeedItem, FeedSuggestion
from negoplatform.cli.main import run
from negoplatform.core.events import DecidedBy, Event, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.record.notes_and_tasks_proposals import StateProposal
from negoplatform.core.visibility import view_of
from negoplatform.domain.offer import Offer
from negoplatform.eventlog.observer_export import encode_log, filter_log, observer_named
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.replay import replay
from negoplatform.plugins.program_and_user_folders import bundled
from tests.app.joining.hosted import PATIENCE, NewsReader

pytestmark = [pytest.mark.timeout(180), pytest.mark.new_python]

AGENT = """
from negoplatform.agent_api import NegotiationAgent, SendMessage


class Agent(NegotiationAgent):
    def on_send_message(self, ctx, event):
        text = event.get_text()
        return [SendMessage("About " + text)] if text.count("About") < 2 else []
"""

PRINCIPAL = """
from negoplatform.agent_api import Command, Instruct, PrincipalAgent, SendInfo, SendMessage


class Head(PrincipalAgent):
    def reset(self):
        self.ticks = 0

    def on_tick(self, ctx):
        self.ticks += 1
        if self.ticks > 1:
            return []
        return [
            Instruct("council", {"reservation_value": 41}),
            Command("school", SendMessage("By order of the mayor.")),
            SendInfo("school", {"room": 7007}),
        ]
"""

COMMAND = {
    "principals": {
        "mayor": {
            "over": ["council", "school"],
            "timing": {"tick_interval": 0.5, "msg_delay": 0.05, "act_delay": 0.1},
        }
    },
    "assistants": {
        "agenda": {"seat": "orchard", "coach": True},
        "insights": {},
        "debrief": {"seat": "orchard"},
    },
}

SATURDAY = Offer({"day": "Saturday"})

ASSISTANTS = {"agenda", "insights", "debrief"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("everyone")


@pytest.fixture(scope="module")
def log(folder: Path) -> SessionLog:
    """Return the log of a session that was played through its windows, without a screen."""
    (folder / "agent.py").write_text(AGENT, encoding="utf-8")
    (folder / "mayor.py").write_text(PRINCIPAL, encoding="utf-8")
    game = json.loads((bundled("games") / "harvest_fair.json").read_text(encoding="utf-8"))
    for issue in game["issues"]:
        issue.pop("picture", None)
    (folder / "game.json").write_text(json.dumps({**game, **COMMAND}), encoding="utf-8")
    agent = str(folder / "agent.py")
    host = HostProcess(
        [
            *("--data-dir", str(folder / "data"), "--game", str(folder / "game.json"), "--seed", "3"),
            *("--people", "orchard=P01", "--agent", agent, "--adviser", f"orchard={agent}"),
            *("--wizard", "dairy:manual", "--principal", f"mayor={folder / 'mayor.py'}"),
            *("--closing-time", "0.5", "--opening-delay", "0.2"),
        ]
    )
    session, errors = host.await_session(), list[BaseException]()
    clients = [
        JoinClient(session.address, session.port, session.codes[role], report=errors.append)
        for role in ("orchard", "wizard")
    ]
    try:
        for client in clients:
            client.start()
            NewsReader(client).next(Joined)
        play(*clients)
        host.await_end()
    finally:
        for client in clients:
            client.stop()
        host.stop()
    assert errors == []
    return read_log(session.log)


def play(person: JoinClient, wizard: JoinClient) -> None:
    """Play until the person has seen the commanded words and the wizard's, and walks away."""
    assert person.seat is not None
    assert wizard.items is not None
    person.seat.start()
    person.seat.propose(SendOffer(SATURDAY))
    person.seat.propose(SendMessage("Hello"))
    suggestion = next_item(wizard.items.get, lambda item: isinstance(item, FeedSuggestion))
    wizard.send(AnswerSuggestion(suggestion.number, send=True))
    wanted = {("school", "By order of the mayor."), ("dairy", "About Hello"), ("council", "About Hello")}
    while True:
        transcript = person.seat.updates.get(timeout=PATIENCE).view.state.transcript
        if wanted <= {(event.sender, event.get_text()) for event in transcript}:
            break
    person.seat.propose(FormalQuit())


def next_item(get: Callable[..., FeedItem], wanted: Callable[[FeedItem], bool]) -> Any:
    while not wanted(item := get(timeout=PATIENCE)):
        pass
    return item


def proposals(log: SessionLog) -> Iterator[tuple[Event, StateProposal]]:
    return ((event, event.payload) for event in log.events if isinstance(event.payload, StateProposal))


def test_everyone_has_acted_and_the_log_says_who_decided(log: SessionLog) -> None:
    by = {(event.sender, event.decided_by) for event in log.events if event.decided_by is not None}
    proposed = {proposal.proposer.name for _, proposal in proposals(log) if proposal.accepted}
    notes = {event.payload.kind for event in log.events if isinstance(event.payload, Note)}

    assert {
        ("orchard", DecidedBy.HUMAN),
        ("dairy", DecidedBy.WIZARD),
        ("council", DecidedBy.AGENT),
        ("school", DecidedBy.PRINCIPAL),
    } <= by
    assert ASSISTANTS | {"mayor"} <= proposed
    assert {
        NoteKind.COMMAND_TAKEN,
        NoteKind.ADVISED,
        NoteKind.SUGGESTED,
        NoteKind.SUGGESTION_ANSWERED,
    } <= notes


def test_the_assistants_answer_each_event_in_their_order(log: SessionLog) -> None:
    offer = next(event for event in log.events if event.type == "SEND_OFFER")
    after = [event for event in log.events if event.seq > offer.seq]
    agenda, insights, debrief = (
        next(
            event
            for event, proposal in proposals(log)
            if proposal.proposer.name == name and event.seq > offer.seq
        )
        for name in ("agenda", "insights", "debrief")
    )
    acted = next(event for event in after if event.get_text() and event.sender != "orchard")
    end = next(event for event in after if event.type == "GAME_END")

    assert agenda.cause == offer.seq
    assert agenda.seq < acted.seq < insights.seq < end.seq < debrief.seq
    assert debrief.cause == end.seq


def test_the_log_is_sound_and_every_plug_in_repeats_what_it_did(
    log: SessionLog, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    agents = ["--agent", str(folder / "agent.py"), "--agent", str(folder / "mayor.py")]
    place = str(log.path.parent)

    assert run(["log", "verify", place]) == 0, capsys.readouterr()
    assert run(["resimulate", place, *agents]) == 0, capsys.readouterr()
    assert "No difference" in capsys.readouterr().out


@pytest.mark.parametrize("view", ["orchard", "dairy", "council", "school", "mayor", "system", "public"])
def test_each_view_is_exported_and_folds_to_what_its_observer_saw(
    log: SessionLog, view: str, tmp_path: Path
) -> None:
    whole = replay(log).state
    file = tmp_path / "events.jsonl"
    file.write_bytes(encode_log(filter_log(log, view)))

    seen = read_log(file)
    folded = replay(seen).state

    expected = view_of(whole, observer_named(view, log.header.game)).state
    assert folded.transcript == expected.transcript
    assert folded.record == expected.record
    assert folded.ending == expected.ending
    text = file.read_text(encoding="utf-8")
    # The mandate is for the council, the information for the school, and both come from the mayor.
    assert ('reservation_value":41' in text) is (view in ("council", "mayor", "system"))
    assert ("7007" in text) is (view in ("school", "mayor", "system"))
    assert ("task_structure" in text) is (view == "orchard")
    assert "next_steps" not in text


def test_the_tables_have_what_everyone_did(
    log: SessionLog, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["export", str(log.path.parent), "--out", str(tmp_path / "out")]) == 0, capsys.readouterr()

    def rows(name: str) -> list[dict[str, str]]:
        with (tmp_path / "out" / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
            return [*csv.DictReader(file)]

    assert {row["assistant"] for row in rows("annotations")} == ASSISTANTS
    assert "agenda" in {row["agent_origin"] for row in rows("tasks")}
    assert [row["to"] for row in rows("mandates") if row["mandate"]] == ["council"]
    assert {row["seat"] for row in rows("advice")} == {"orchard"}
    assert {row["seat"] for row in rows("suggestions")} == {"dairy"}
