"""Session on a virtual clock whose agent a wizard operates."""

from __future__ import annotations

from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    ProposeChange,
    Schedule,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import DecidedBy, Event, EventType, Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import Observer, ViewProjector, visible_game
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode, WizardSettings
from negoplatform.domain.seat_map import SeatMap
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.agent_replay import AgentReplay
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.hosting.wizard_control import Suggestion, WizardControl
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.games import coins_only


class Answerer(NegotiationAgent):
    """Agent that types, says something and makes an offer after each message, and calls back later."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [
            ShowTyping(500),
            SendMessage(f"About {event.get_text()}", delay_ms=500),
            SendOffer(ctx.make_offer(coins=2), delay_ms=300),
            ProposeChange({"notes": {"agent": {"heard": event.get_text()}}}),
            Schedule(3000, lambda _ctx: SendMessage("Later.")),
        ]

    def on_send_offer(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [FormalAccept()]


class WizardTable:
    """Session on a virtual clock whose agent a wizard operates."""

    def __init__(
        self, settings: WizardSettings, agent: type[NegotiationAgent] = Answerer, **timing: Any
    ) -> None:
        self.clock, self.errors = VirtualClock(), list[BaseException]()
        self.settings = settings
        self.game, self.agent_class = coins_only(), agent
        self.timing = AgentTiming(act_delay=1.0, **timing)
        self.published: list[PublishedEvent] = []
        self.made: list[Suggestion] = []
        self.closed: list[tuple[int, SuggestionVerdict]] = []
        self.runner = SessionRunner(
            self.game, seed=1, clock=self.clock, log=NoLog(), report=self.errors.append
        )
        host = self.runner.assign("agent", self.assignment, self.timing, wizard=settings)
        assert host.wizard is not None
        self.wizard: WizardControl = host.wizard
        self.wizard.on_made = self.made.append
        self.wizard.on_closed = lambda number, verdict: self.closed.append((number, verdict))
        self.runner.subscribe(self.published.append)
        self.runner.start()

    @property
    def assignment(self) -> SeatAssignment:
        return SeatAssignment(lambda: AgentRunner(self.agent_class(), Random(1)))

    def say(self, text: str) -> None:
        self.runner.session.act("human", EventType.SEND_MESSAGE, Message(text))

    def wait(self, seconds: float) -> None:
        until = self.clock() + seconds
        while (due := self.runner.next_due()) is not None and due <= until:
            self.clock.advance_to(due)
            self.runner.run_one_due()
        self.clock.advance_to(until)

    def acts(self) -> list[tuple[str, DecidedBy | None]]:
        """Return what the agent's seat did, without its private notes."""
        return [
            (published.event.type, published.event.decided_by)
            for published in self.published
            if published.event.sender == "agent" and published.event.type != EventType.STATE_PROPOSED
        ]

    def notes(self, kind: NoteKind) -> list[dict[str, Any]]:
        return [
            dict(published.event.payload.data)
            for published in self.published
            if published.event.type == EventType.NOTE and published.event.payload.kind is kind
        ]

    def replay(self) -> AgentReplay:
        """Run a fresh agent on the log, to its end."""
        observer = Observer("agent")
        viewer = ViewProjector(observer, deepcopy(visible_game(self.game, observer)))
        found = AgentReplay("agent", self.assignment, viewer, self.timing)
        for published in self.published:
            found.apply_event(published)
        return found

    def log(self) -> SessionLog:
        """Return the session's log."""
        plugin = AgentPlugin("answerer", self.agent_class.__name__, Path("agent.py"), "", "")
        agent = PreparedAgent(plugin, {}, self.timing, "Robin", self.assignment)
        plan = SessionPlan(
            self.game, 1, "human", "P1", SeatMap({"agent": agent}), wizards={"agent": self.settings}
        )
        events = tuple(published.event for published in self.published)
        return SessionLog(Path("log"), plan.header(), events, ("",) * len(events))


def course_of_all_verdicts(table: WizardTable) -> None:
    """Play a course with every mode and verdict."""
    wizard = table.wizard
    table.say("one")
    table.wait(2)
    wizard.answer(1, send=True)
    table.wait(4)
    table.say("two")
    table.wait(2)
    wizard.answer(wizard.waiting[0].number, send=False)
    table.wait(15)
    wizard.change_mode(WizardMode.MANUAL)
    table.say("three")
    table.wait(2)
    wizard.answer(wizard.waiting[-1].number, send=True, steps=(SendMessage("Changed."),))
    table.say("four")
    table.wait(1.5)
    wizard.change_mode(WizardMode.AUTONOMOUS)
    table.wait(0.1)
    table.say("five")
    table.wait(1.6)
    wizard.change_mode(WizardMode.ASSISTED)
    table.wait(3)
