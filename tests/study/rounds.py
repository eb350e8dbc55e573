"""A study of three rounds for tests, whose partners count the rounds and remember what was said."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.app.visit.step_play import StepPlay
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.core.events import Message
from negoplatform.eventlog.observer_export import encode_log
from negoplatform.eventlog.reader import SessionLog, read_log
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, read_visit
from negoplatform.study.visit_events import SessionClosed, SessionOpened
from tests.study.studies import TEXTS, write_study
from tests.study.visits import begin

COUNTING = '''"""An agent for tests."""

from negoplatform.agent_api import FormalAccept, NegotiationAgent, ProposeChange, Schedule, SendMessage


class Counting(NegotiationAgent):
    """Counts its rounds, and says what it has heard in all of them."""

    def __init__(self, agent_id="agent"):
        super().__init__(agent_id)
        self.begun = self.ended = self.called = 0
        self.heard = []

    def get_name(self):
        return "Robin"

    def reset(self):
        self.in_this_game = 0

    def on_game_start(self, ctx, event):
        self.begun += 1
        earlier = [(one.number, one.game, str(one.ended_by), one.points) for one in ctx.round.earlier]
        kept = ctx.get_state()["notes"].get(ctx.seat, {}).get("memory", {})
        text = f"{ctx.round.number}/{ctx.round.of} {earlier} {kept} {self.begun} {self.ended} {self.called}"
        return [
            SendMessage(f"{text} {self.heard} {ctx.rng.random()}"),
            ProposeChange({"notes": {ctx.seat: {"memory": {"rounds": self.begun}, "scratch": self.begun}}}),
            Schedule(2500, self.call),
        ]

    def call(self, ctx):
        self.called += 1
        return SendMessage(f"called {self.called}")

    def on_send_message(self, ctx, event):
        self.in_this_game += 1
        self.heard.append(event.get_text()[:12])
        return [SendMessage(f"{self.in_this_game} of {len(self.heard)}")]

    def on_send_offer(self, ctx, event):
        self.heard.append("offer")
        return [FormalAccept(delay_ms=1500)]

    def on_game_end(self, ctx, event):
        self.ended += 1
        return [SendMessage("Bye")]
'''
"""Source of the partners' agent."""

TALKER = '''"""A participant for tests."""

from negoplatform.agent_api import FormalAccept, NegotiationAgent, SendMessage, SendOffer


class Talker(NegotiationAgent):
    """Says something random, and then proposes a deal."""

    def on_game_start(self, ctx, event):
        best = max(ctx.outcomes(), key=ctx.utility)
        return [
            SendMessage(f"{ctx.rng.random():.9f}"),
            SendMessage(f"{ctx.rng.random():.9f}", delay_ms=4000),
            SendOffer(best, delay_ms=4000),
        ]

    def on_formal_accept(self, ctx, event):
        return [FormalAccept()]
'''
"""Source of the agent in the participant's seat."""


def rounds_study(
    folder: Path,
    *,
    partners: tuple[str, str, str] = ("a", "a", "a"),
    more: str = "",
    settings: dict[str, Any] | None = None,
    change: Callable[[dict[str, Any]], object] = lambda _document: None,
) -> StudyFolder:
    """Return a study of three rounds in a new folder.

    Args:
        folder: The folder.
        partners: The partners of the rounds.
        more: Further methods of their agent.
        settings: Settings of their agent.
        change: Changes the study's document.
    """

    def make(document: dict[str, Any]) -> None:
        document["factors"] = {"emotion": ["happy", "angry"]}
        document["design"] = {"between": ["emotion"], "assign": "code", "block": 4, "seed": 7}
        document["partners"] = {
            "a": {"agent": "counting", "name": "Robin", "settings": settings or {}},
            "b": {"agent": "counting", "name": "Kim", "settings": settings or {}},
        }
        games = ["practice", "campsite", "practice"]
        rounds = [
            {"game": game, "minutes": 2, "partner": partner}
            for game, partner in zip(games, partners, strict=True)
        ]
        document["stages"] = [
            {"kind": "rounds", "id": "r", "rounds": rounds, "show_result": "none"},
            {"kind": "end", "id": "end", "text": "thanks.md"},
        ]
        del document["payment"]
        change(document)

    root = write_study(folder / "rounds", make)
    (root / "texts" / "en" / "thanks.md").write_text(TEXTS["goodbye.md"], encoding="utf-8")
    (root / "agents").mkdir()
    (root / "agents" / "counting.py").write_text(COUNTING + more, encoding="utf-8")
    (root / "agents" / "talker.py").write_text(TALKER, encoding="utf-8")
    return load_study(root, folder / "data")


def play_of(run: VisitRun, *, isolated: bool = False, errors: list[BaseException] | None = None) -> StepPlay:
    """Return the play of a visit's games, with the talker in the participant's seat."""

    def report(error: BaseException) -> None:
        if errors is None:
            raise error
        errors.append(error)

    person = ChosenAgent(run.folder.agent("talker"), {})
    return StepPlay(run, person=lambda _game: person, report=report, isolated=isolated)


def play_rounds(run: VisitRun, play: StepPlay) -> None:
    """Play the games from the open step on, to the last one."""
    try:
        while run.state.step is not None and run.step.game is not None:
            play.play()
    finally:
        play.stop()
        run.close()


def played_visit(folder: StudyFolder, *, isolated: bool = False) -> VisitRun:
    """Return a visit whose rounds are played."""
    run = begin(folder)
    play_rounds(run, play_of(run, isolated=isolated))
    return run


def logs_of(run: VisitRun) -> list[SessionLog]:
    """Return the logs of a visit's sessions, in the order of play."""
    closed = [e.session for e in read_visit(run._log.path).events if isinstance(e, SessionClosed)]
    return [read_log(next(run.data.sessions.glob(f"*-{session}"))) for session in closed]


def cut_visit(folder: StudyFolder, run: VisitRun, root: Path, *, number: int, lines: int) -> VisitRun:
    """Resume a copy of a visit that was killed in a round.

    Args:
        folder: The study.
        run: The visit.
        root: A folder for the copy.
        number: The number of the round.
        lines: The number of lines of its log.
    """
    data = StudyData(root, is_test=False)
    shutil.copytree(run.data.root, root)
    events = read_visit(run._log.path).events
    opened = [event for event in events if isinstance(event, SessionOpened)]
    log = data.visits / run._log.path.parent.name / VISIT_LOG_NAME
    kept = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(kept[: opened[number - 1].n + 1]))
    for later in opened[number:]:
        shutil.rmtree(data.sessions / later.folder)
    session = data.sessions / opened[number - 1].folder / "events.jsonl"
    session.write_bytes(b"".join(session.read_bytes().splitlines(keepends=True)[:lines]))
    return VisitRun.resume(folder, data, log.parent)


def say_something_else(log: Path) -> None:
    """Change what an agent said in a log, and seal the log again."""
    found = read_log(log)
    changed = [
        event._replace(payload=replace(event.payload, text="1 of 99"))
        if isinstance(event.payload, Message) and event.payload.text.startswith("1 of ")
        else event
        for event in found.events
    ]
    assert changed != list(found.events)
    log.write_bytes(encode_log(replace(found, events=tuple(changed))))
