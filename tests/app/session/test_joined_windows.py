"""Live session that windows in other processes have joined: feeds, acts and lost connections."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Any, TypeGuard, TypeVar

import pytest

from negoplatform.agent_api.actions import Action, FormalQuit, SendMessage, SendOffer
from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.joining.feed_lines import TimedItem
from negoplatform.app.joining.observed_session import HostClock, ObservedSession
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.participant_actions import AbortGame, RecordNote
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import (
    NO_ADVICE_NOW,
    AnswerAdvice,
    FinishClosingRequest,
    PauseRequest,
    SessionUpdate,
    UnpauseRequest,
)
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    DraftEntry,
    FeedAdvice,
    FeedEvent,
    FeedItem,
    FeedRawEvent,
    FeedRawHeader,
    FeedShared,
    FeedStatus,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
    JoinRole,
    OpenWholeState,
    RoleKind,
    StartRequest,
)
from negoplatform.core.events import DecidedBy, EndedBy, Event, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.visibility import View, features_shared_with
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.command_settings import PrincipalSpec, TeamSpec
from negoplatform.domain.game import GameSpec, Visibility
from negoplatform.domain.joining_settings import (
    LostLinkAction,
    LostLinkRule,
    SuggestionVerdict,
    WizardMode,
    WizardSettings,
)
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.eventlog.reader import SessionLog
from negoplatform.eventlog.replay import replay
from negoplatform.hosting.agent_runner import AgentRunner
from negoplatform.hosting.agent_script_timing import AgentTiming
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.hosting.seat_actions import AcceptOffer, ShareDraft
from negoplatform.plugins.agent_loader import AgentPlugin
from tests.games import coins_only
from tests.hosting.ledger import Ledger

pytestmark = pytest.mark.timeout(60)

LONGEST = 20.0
"""Seconds to wait for an item that has to come; an upper bound, not a measure."""

T = TypeVar("T")

HUMAN, AGENT = JoinRole(RoleKind.SEAT, "human"), JoinRole(RoleKind.SEAT, "agent")
WIZARD = JoinRole(RoleKind.WIZARD, "agent")
EXPERIMENTER, PUBLIC = JoinRole(RoleKind.EXPERIMENTER), JoinRole(RoleKind.PUBLIC)
EVEN = Offer({"coins": Allocation({"human": 2, "agent": 2})})


class Answerer(NegotiationAgent):
    """Agent that answers a message and offers an even split when the game starts."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendOffer(ctx.make_offer(coins=2))]

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(f"About {event.get_text()}")]


class Window:
    """Window in another process, as the session sees it."""

    def __init__(self, live: LiveSession, role: JoinRole) -> None:
        self.items: list[FeedItem] = []
        self.live, self.role = live, role
        self.put = self.items.append

    def join(self) -> Window:
        self.live.attach(self.role, self.put)
        return self

    def leave(self, reason: str = "closed") -> None:
        self.live.detach(self.role, self.put, reason)

    def send(self, *script: Any) -> None:
        self.live.submit(self.role, script)

    def wait_for(self, kind: type[T], wanted: Callable[[T], bool] = lambda _item: True) -> T:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            for item in [*self.items]:
                if isinstance(item, kind) and wanted(item):
                    return item
            time.sleep(0.002)
        raise AssertionError(f"No such {kind.__name__} came to {self.role.name}.")

    def wait_for_event(self, kind: str, sender: str | None = None) -> Event:
        return self.wait_for(
            FeedEvent, lambda item: item.event.type == kind and sender in (None, item.event.sender)
        ).event

    def events(self) -> list[Event]:
        return [item.event for item in [*self.items] if isinstance(item, FeedEvent)]


class Store:
    """Stored drafts."""

    def __init__(self) -> None:
        self.drafts: dict[Seat, Any] = {}

    def save_record(self, record: Any) -> None:
        pass

    def save_draft(self, draft: Any) -> None:
        self.drafts[""] = draft

    def save_draft_of(self, seat: Seat, draft: Any) -> None:
        self.drafts[seat] = draft

    def draft_of(self, seat: Seat) -> Any:
        return self.drafts.get(seat)


class Hosted:
    """Live session without a window in this process."""

    def __init__(self, *, has_window: bool = False, **plan: Any) -> None:
        self.ledger, self.errors, self.store = Ledger(), list[BaseException](), Store()
        game = plan.pop("game", None) or coins_only()
        self.plan = SessionPlan(game=game, seed=1, human_seat="human", participant="P1", **plan)
        self.live = LiveSession(
            self.plan,
            log=self.ledger,
            report=self.errors.append,
            persistence=self.store,
            has_window=has_window,
        )
        self.live.await_start()

    def window(self, role: JoinRole) -> Window:
        return Window(self.live, role).join()

    def log(self) -> SessionLog:
        events = tuple(self.ledger.events)
        return SessionLog(Path("log"), self.plan.header(), events, ("",) * len(events))

    def notes(self, kind: NoteKind) -> list[dict[str, Any]]:
        payloads = [event.payload for event in self.ledger.events]
        return [dict(note.data) for note in payloads if isinstance(note, Note) and note.kind is kind]

    def wait_for_note(self, kind: NoteKind) -> dict[str, Any]:
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            if found := self.notes(kind):
                return found[-1]
            time.sleep(0.002)
        raise AssertionError(f"No note {kind}.")


def prepared(agent: type[NegotiationAgent] = Answerer) -> PreparedAgent:
    plugin = AgentPlugin("answerer", agent.__name__, Path("agent.py"), "", "a" * 64)
    casting = SeatAssignment(lambda: AgentRunner(agent(), Random(1)), AgentBudget(restarts=0))
    return PreparedAgent(plugin, {}, AgentTiming(act_delay=0.001), "Robin", casting)


@pytest.fixture
def host() -> Iterator[Callable[..., Hosted]]:
    made: list[Hosted] = []

    def make(**plan: Any) -> Hosted:
        made.append(Hosted(**plan))
        return made[-1]

    yield make
    for each in made:
        each.live.stop()
        assert each.errors == []


def two_people(host: Callable[..., Hosted], **plan: Any) -> tuple[Hosted, Window, Window]:
    """Return a running session of two people in two windows."""
    hosted = host(agents=SeatMap(), people={"agent": "P2"}, **plan)
    first, second = hosted.window(HUMAN), hosted.window(AGENT)
    for window in (first, second):
        hosted.live.submit(window.role, StartRequest())
    first.wait_for_event("GAME_START")
    return hosted, first, second


class Adviser(NegotiationAgent):
    """Agent that advises a message for each message."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage(f"About {event.get_text()}")]


def with_wizard(
    host: Callable[..., Hosted], mode: str = "assisted", **plan: Any
) -> tuple[Hosted, Window, Window]:
    """Return a running session of a person and a wizard."""
    settings = WizardSettings(WizardMode(mode), 60.0)
    hosted = host(agents=SeatMap({"agent": prepared()}), wizards={"agent": settings}, **plan)
    person, wizard = hosted.window(HUMAN), hosted.window(WIZARD)
    hosted.live.submit(HUMAN, StartRequest())
    person.wait_for_event("GAME_START")
    return hosted, person, wizard


def test_two_people_reach_an_agreement_and_the_log_replays(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host)

    first.send(SendOffer(EVEN))
    offer = second.wait_for_event("SEND_OFFER")
    second.send(AcceptOffer(offer.seq))
    first.wait_for_event("FORMAL_ACCEPT")
    first.send(AcceptOffer(offer.seq))
    ending = second.wait_for_event("GAME_END")
    for window in (first, second):
        hosted.live.submit(window.role, FinishClosingRequest())
    first.wait_for(FeedStatus, lambda status: status.finished)

    assert ending.payload.ended_by is EndedBy.AGREEMENT
    assert {event.decided_by for event in hosted.ledger.events if event.sender in ("human", "agent")} == {
        DecidedBy.HUMAN
    }
    assert replay(hosted.log()).state.ending == ending.payload
    assert [(who.kind, who.participant) for who in hosted.log().header.seats.values()] == [
        ("human", "P1"),
        ("human", "P2"),
    ]


def test_the_game_begins_when_each_person_is_there_and_ready(host: Callable[..., Hosted]) -> None:
    hosted = host(agents=SeatMap(), people={"agent": "P2"})
    first = hosted.window(HUMAN)
    hosted.live.submit(HUMAN, StartRequest())
    first.wait_for(FeedStatus, lambda status: not status.started)
    second = hosted.window(AGENT)
    second.wait_for(FeedStatus)
    begun_early = hosted.live.has_started

    hosted.live.submit(AGENT, StartRequest())
    second.wait_for_event("GAME_START")

    assert not begun_early
    assert first.wait_for(FeedStatus, lambda status: status.started).running


def test_a_person_who_left_before_the_game_has_to_be_ready_again(host: Callable[..., Hosted]) -> None:
    hosted = host(agents=SeatMap(), people={"agent": "P2"})
    first, second = hosted.window(HUMAN), hosted.window(AGENT)
    hosted.live.submit(HUMAN, StartRequest())
    first.leave()
    first = hosted.window(HUMAN)
    hosted.live.submit(AGENT, StartRequest())
    hosted.live.submit(HUMAN, StartRequest())

    assert second.wait_for_event("GAME_START").seq == 1


def test_a_game_waits_for_its_wizard_unless_the_agent_acts_by_itself(host: Callable[..., Hosted]) -> None:
    seats = SeatMap({"agent": prepared()})
    alone = host(agents=seats, wizards={"agent": WizardSettings(WizardMode.AUTONOMOUS)})
    waiting = host(agents=SeatMap({"agent": prepared()}), wizards={"agent": WizardSettings()})

    for hosted in (alone, waiting):
        hosted.window(HUMAN)
        hosted.live.submit(HUMAN, StartRequest())
    alone.window(PUBLIC).wait_for_event("GAME_START")
    before = waiting.live.has_started
    wizard = waiting.window(WIZARD)

    assert not before
    assert wizard.wait_for_event("GAME_START").seq == 1


def test_a_person_is_fed_nothing_of_the_other_side(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)
    wizard.wait_for(FeedSuggestion)
    hosted.live.submit(WIZARD, OpenWholeState())
    wizard.wait_for(FeedRawEvent)
    person.send(SendMessage("Hello."))
    person.wait_for_event("SEND_MESSAGE")

    introduction = hosted.live.introduction(HUMAN)
    kinds = {type(item) for item in person.items}

    assert kinds == {FeedEvent, FeedStatus}
    assert {event.type for event in person.events()} <= {"GAME_START", "SEND_MESSAGE", "TIME"}
    assert {event.decided_by for event in person.events()} == {None}
    assert set(introduction.header.game.preferences) == {"human"}
    assert introduction.header.wizards == {}
    assert [(who.kind, who.agent, who.sha256) for who in introduction.header.seats.values()] == [
        ("human", None, None),
        ("agent", None, None),
    ]


def test_a_wizard_sends_a_suggestion_and_acts_in_the_agents_seat(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)
    suggestion = wizard.wait_for(FeedSuggestion)

    hosted.live.submit(WIZARD, AnswerSuggestion(suggestion.number, send=True))
    offer = person.wait_for_event("SEND_OFFER", "agent")
    wizard.send(SendMessage("What do you think?"))
    person.wait_for_event("SEND_MESSAGE", "agent")

    assert offer.get_offer() == EVEN
    assert wizard.wait_for(FeedSuggestionClosed).verdict is SuggestionVerdict.SENT
    assert {event.decided_by for event in hosted.ledger.events if event.sender == "agent"} == {
        DecidedBy.WIZARD
    }


def test_a_wizard_changes_the_mode_and_cannot_act_in_autonomous_mode(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host, "manual")
    wizard.wait_for(FeedSuggestion)

    hosted.live.submit(WIZARD, ChangeWizardMode(WizardMode.AUTONOMOUS))
    wizard.send(SendMessage("By the wizard."))
    person.send(SendMessage("prices"))
    answer = person.wait_for_event("SEND_MESSAGE", "agent")

    assert answer.get_text() == "About prices"
    assert wizard.wait_for(FeedWizard, lambda item: item.mode is WizardMode.AUTONOMOUS)
    assert hosted.notes(NoteKind.WIZARD_MODE)[0]["mode"] == "autonomous"


def test_a_wizard_sees_both_sides_points_and_the_whole_state_only_once_it_is_opened(
    host: Callable[..., Hosted],
) -> None:
    hosted, person, wizard = with_wizard(host)
    person.send(SendOffer(EVEN))
    points = wizard.wait_for(FeedWizard, lambda item: bool(item.points.get("human")))
    before = [item for item in wizard.items if isinstance(item, FeedRawEvent | FeedRawHeader)]

    hosted.live.submit(WIZARD, OpenWholeState())
    header = wizard.wait_for(FeedRawHeader).header
    noted = wizard.wait_for(
        FeedRawEvent,
        lambda item: (
            isinstance(item.event.payload, Note) and item.event.payload.kind is NoteKind.RAW_VIEW_OPENED
        ),
    )

    assert dict(points.points) == {
        seat: own.utility(EVEN) for seat, own in hosted.plan.game.preferences.items()
    }
    assert before == []
    assert set(header.game.preferences) == {"human", "agent"}
    assert dict(noted.event.payload.data) == {"role": "wizard", "seat": "agent"}


def test_a_wizard_sees_both_sides_points_of_the_result(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)

    person.send(FormalQuit())
    person.wait_for_event("GAME_END")
    result = replay(hosted.log()).points
    points = wizard.wait_for(FeedWizard, lambda item: dict(item.points) == dict(result))

    assert None not in points.points.values()


def test_a_wizard_who_comes_back_gets_everything_again(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)
    wizard.wait_for(FeedSuggestion)
    wizard.leave("killed")
    person.send(SendMessage("Hello?"))
    person.wait_for_event("SEND_MESSAGE", "human")

    again = hosted.window(WIZARD)

    assert again.wait_for(FeedSuggestion).number == 1
    assert again.wait_for_event("SEND_MESSAGE", "human").get_text() == "Hello?"
    assert hosted.wait_for_note(NoteKind.SEAT_LEFT) == {"role": "wizard", "seat": "agent", "reason": "killed"}
    assert person.wait_for(FeedStatus, lambda status: status.started).absent == ()


def test_a_wizard_who_comes_back_learns_which_suggestions_no_longer_wait(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)
    wizard.wait_for(FeedSuggestion)
    wizard.leave("lost")
    person.send(FormalQuit())
    person.wait_for_event("GAME_END")

    again = hosted.window(WIZARD)

    assert again.wait_for(FeedSuggestionClosed).number == 1
    assert not any(isinstance(item, FeedSuggestion) for item in again.items)


def test_a_wizards_window_that_is_closed_ends_nothing(host: Callable[..., Hosted]) -> None:
    _, person, wizard = with_wizard(host)

    wizard.send(RecordNote(NoteKind.WINDOW_CLOSED, {"seat": "agent"}), AbortGame("The window was closed."))
    wizard.send(SendMessage("Still here."))

    assert person.wait_for_event("SEND_MESSAGE", "agent").get_text() == "Still here."
    assert "GAME_END" not in {event.type for event in person.events()}


def test_two_people_without_roles_are_participants_with_numbers_in_every_window(
    host: Callable[..., Hosted],
) -> None:
    hosted, _, _ = two_people(host)

    assert hosted.live.introduction(HUMAN).names == {"agent": "Participant 2"}
    assert hosted.live.introduction(AGENT).names == {"human": "Participant 1"}
    everybody = {"human": "Participant 1", "agent": "Participant 2"}
    assert hosted.live.introduction(EXPERIMENTER).names == everybody
    assert {seat: who.name for seat, who in hosted.plan.header().seats.items()} == everybody


def test_a_wizards_participant_has_the_name_that_they_have_without_a_wizard(
    host: Callable[..., Hosted],
) -> None:
    hosted, human, wizard = with_wizard(host)

    assert hosted.live.introduction(wizard.role).names == {"human": "Participant"}
    assert hosted.live.introduction(human.role).names == {"agent": "Robin"}


def test_onlookers_get_what_their_role_may_see_and_are_noted(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host)
    experimenter, public = hosted.window(EXPERIMENTER), hosted.window(PUBLIC)

    first.send(SendMessage("For you alone.", to=("agent",)))
    second.wait_for_event("SEND_MESSAGE")
    first.send(SendMessage("For all."))
    public.wait_for_event("SEND_MESSAGE")

    assert [event.get_text() for event in public.events() if event.type == "SEND_MESSAGE"] == ["For all."]
    whole = experimenter.wait_for_event("SEND_MESSAGE")
    assert (whole.get_text(), whole.decided_by) == ("For you alone.", DecidedBy.HUMAN)
    assert hosted.wait_for_note(NoteKind.RAW_VIEW_OPENED) == {"role": "experimenter"}
    assert set(hosted.live.introduction(EXPERIMENTER).header.game.preferences) == {"human", "agent"}
    assert len(hosted.live.introduction(PUBLIC).header.game.preferences) == 0


def test_windows_of_a_principal_and_of_the_system_get_their_own_views(host: Callable[..., Hosted]) -> None:
    game = replace(
        coins_only(),
        principals=SeatMap({"head": PrincipalSpec("head", ("agent",))}),
        visibility=SeatMap({"agent": Visibility.UPPER_LEVEL}),
    )
    hosted, first, second = two_people(host, game=game)
    head, system = (
        hosted.window(JoinRole(RoleKind.PRINCIPAL, "head")),
        hosted.window(JoinRole(RoleKind.SYSTEM)),
    )

    second.send(SendMessage("For human alone.", to=("human",)))
    first.wait_for_event("SEND_MESSAGE")

    for window in (head, system):
        heard = window.wait_for_event("SEND_MESSAGE")
        assert (heard.get_text(), heard.decided_by) == ("For human alone.", None)
    assert set(hosted.live.introduction(head.role).header.game.preferences) == {"agent"}
    assert not hosted.live.introduction(system.role).header.game.preferences
    joined = hosted.notes(NoteKind.SEAT_JOINED)
    assert {"role": "principal", "principal": "head", "back": False} in joined
    assert {"role": "system", "back": False} in joined
    assert hosted.notes(NoteKind.RAW_VIEW_OPENED) == [], "these views are filtered, so nothing raw was opened"


def test_onlookers_can_do_nothing(host: Callable[..., Hosted]) -> None:
    hosted, first, _ = two_people(host)

    for role in (EXPERIMENTER, PUBLIC):
        hosted.window(role).send(SendMessage("I am here."))
        hosted.live.submit(role, ChangeWizardMode(WizardMode.MANUAL))
    hosted.live.submit(HUMAN, ChangeWizardMode(WizardMode.MANUAL))
    first.send(SendMessage("Hello."))
    first.wait_for_event("SEND_MESSAGE")

    assert [event.sender for event in hosted.ledger.events if event.type == "SEND_MESSAGE"] == ["human"]


def test_the_others_see_a_lost_connection_and_its_return(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host)

    second.leave("timed out")
    first.wait_for(FeedStatus, lambda status: status.absent == ("agent",))
    first.send(SendOffer(EVEN))
    first.wait_for_event("SEND_OFFER")
    again = hosted.window(AGENT)
    again.wait_for_event("SEND_OFFER")

    assert [event.type for event in again.events()][:2] == ["GAME_START", "SEND_OFFER"]
    until = time.monotonic() + LONGEST
    while first.items and [i for i in first.items if isinstance(i, FeedStatus)][-1].absent:
        assert time.monotonic() < until
        time.sleep(0.002)
    assert hosted.notes(NoteKind.SEAT_JOINED)[-1] == {"role": "seat", "seat": "agent", "back": True}


def test_a_connection_that_stays_lost_ends_the_game_where_the_rule_says_so(
    host: Callable[..., Hosted],
) -> None:
    hosted, first, second = two_people(host, lost_link=LostLinkRule(LostLinkAction.END, 0.05))

    second.leave("timed out")
    ending = first.wait_for_event("GAME_END").payload

    assert (ending.ended_by, ending.by) == (EndedBy.ABORTED, "agent")
    assert replay(hosted.log()).state.ending == ending


def test_a_connection_that_comes_back_in_time_ends_nothing(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host, lost_link=LostLinkRule(LostLinkAction.END, 0.3))

    second.leave("timed out")
    first.wait_for(FeedStatus, lambda status: status.absent == ("agent",))
    again = hosted.window(AGENT)
    again.wait_for_event("GAME_START")
    time.sleep(0.5)
    again.send(SendMessage("Back."))

    assert first.wait_for_event("SEND_MESSAGE").get_text() == "Back."
    assert "GAME_END" not in {event.type for event in first.events()}


def test_an_agent_takes_the_seat_of_a_lost_connection_and_answers_the_newest_event(
    host: Callable[..., Hosted],
) -> None:
    hosted, first, second = two_people(
        host,
        lost_link=LostLinkRule(LostLinkAction.AGENT, 0.05, "answerer"),
        stand_ins={"agent": prepared()},
    )
    first.send(SendMessage("one"))
    first.send(SendMessage("two"))
    second.wait_for(FeedEvent, lambda item: item.event.get_text() == "two")

    second.leave("timed out")
    answer = first.wait_for_event("SEND_MESSAGE", "agent")
    again = hosted.window(AGENT)
    again.send(SendMessage("I am back."))
    told = again.wait_for(FeedStatus, lambda status: bool(status.error_message))
    first.send(SendMessage("three"))
    first.wait_for(FeedEvent, lambda item: item.event.get_text() == "About three")

    assert answer.get_text() == "About two"
    assert told.finished
    by = {event.decided_by for event in hosted.ledger.events if event.sender == "agent"}
    assert by == {DecidedBy.FALLBACK}
    assert hosted.notes(NoteKind.SEAT_TAKEN_OVER) == [
        {"seat": "agent", "agent": "answerer", "sha256": prepared().plugin.sha256}
    ]
    assert replay(hosted.log()).state.ending is None


def test_a_closing_is_over_when_all_who_are_there_are_done(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host, game=coins_only(closing_seconds=60.0))
    first.send(FormalQuit())
    second.wait_for_event("GAME_END")

    hosted.live.submit(HUMAN, FinishClosingRequest())
    second.send(SendMessage("Bye."))
    first.wait_for_event("SEND_MESSAGE")
    second.leave("closed")

    first.wait_for(FeedStatus, lambda status: status.finished)
    assert hosted.ledger.closed == 1


def test_a_page_that_one_of_two_people_reads_does_not_stop_the_other(host: Callable[..., Hosted]) -> None:
    hosted, first, _ = two_people(host, game=coins_only(help_pauses=True))

    assert not hosted.plan.game.rules.help_pauses
    first.send(SendMessage("Go on."))
    assert first.wait_for_event("SEND_MESSAGE").get_text() == "Go on."


def test_a_draft_is_kept_for_its_person(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host)

    hosted.live.submit(AGENT, DraftEntry({"words": "I would like"}))
    second.leave("killed")
    first.wait_for(FeedStatus, lambda status: status.absent == ("agent",))

    assert hosted.live.introduction(AGENT).saved_draft == {"words": "I would like"}
    assert hosted.live.introduction(HUMAN).saved_draft is None
    assert hosted.live.introduction(EXPERIMENTER).saved_draft is None


def test_a_local_window_and_a_joined_one_share_a_session(host: Callable[..., Hosted]) -> None:
    hosted = host(agents=SeatMap(), people={"agent": "P2"}, has_window=True)
    local = ParticipantController(hosted.live.participant_seat)
    second = hosted.window(AGENT)
    hosted.live.submit(AGENT, StartRequest())
    hosted.live.participant_seat.start()
    second.wait_for_event("GAME_START")

    local.send_message(Message("From here."))
    second.wait_for_event("SEND_MESSAGE")
    second.leave("timed out")
    until = time.monotonic() + LONGEST
    while (update := hosted.live.updates.get(timeout=LONGEST)).absent != ("agent",):
        assert time.monotonic() < until

    assert update.view.observer.seat == "human"


def test_a_second_window_of_a_seat_takes_the_place_of_the_first(host: Callable[..., Hosted]) -> None:
    hosted, _first, second = two_people(host)

    newer = hosted.window(AGENT)
    newer.wait_for_event("GAME_START")
    second.leave("replaced")
    newer.send(SendMessage("Me."))

    assert newer.wait_for_event("SEND_MESSAGE").get_text() == "Me."
    assert hosted.notes(NoteKind.SEAT_LEFT) == []


def test_a_pause_of_a_lone_participant_is_told_to_the_wizard(host: Callable[..., Hosted]) -> None:
    hosted, _, wizard = with_wizard(host, game=coins_only(help_pauses=True))

    hosted.live.submit(HUMAN, PauseRequest("rules"))

    assert not wizard.wait_for(FeedStatus, lambda status: status.paused).running


def test_a_window_stops_no_session_whose_game_does_not_pause(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)

    hosted.live.submit(HUMAN, PauseRequest("rules"))
    person.send(SendMessage("And now?"))
    wizard.wait_for(
        FeedSuggestion,
        lambda item: any(isinstance(step, SendMessage) and "now" in step.text for step in item.steps),
    )

    assert all(item.running for item in wizard.items if isinstance(item, FeedStatus) and item.started)


def test_what_a_wizard_does_during_a_pause_follows_it(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host, "manual", game=coins_only(help_pauses=True))
    hosted.live.submit(HUMAN, PauseRequest("rules"))
    wizard.wait_for(FeedStatus, lambda status: status.paused)

    wizard.send(SendMessage("one"))
    wizard.send(SendMessage("two"))
    hosted.live.submit(WIZARD, ChangeWizardMode(WizardMode.ASSISTED))
    wizard.wait_for(FeedWizard, lambda item: item.mode is WizardMode.ASSISTED)
    said_meanwhile = [event for event in hosted.ledger.events if event.type == "SEND_MESSAGE"]
    hosted.live.submit(HUMAN, UnpauseRequest())
    person.wait_for(FeedEvent, lambda item: item.event.get_text() == "two")

    assert said_meanwhile == []
    kinds = [getattr(event.payload, "kind", event.get_text()) for event in hosted.ledger.events]
    assert kinds[kinds.index(NoteKind.SESSION_PAUSED) :] == [NoteKind.SESSION_PAUSED, "one", "two"]


def test_a_pause_without_a_page_does_not_stop_the_clock(host: Callable[..., Hosted]) -> None:
    game = coins_only(help_pauses=True, deadline_seconds=0.5)
    hosted, person, _ = with_wizard(host, game=game)

    hosted.live.submit(HUMAN, PauseRequest(""))

    assert person.wait_for_event("GAME_END").payload.ended_by is EndedBy.TIMEOUT


def test_a_session_goes_on_when_the_window_that_paused_it_is_lost(host: Callable[..., Hosted]) -> None:
    rule = LostLinkRule(LostLinkAction.END, 0.05)
    hosted, person, wizard = with_wizard(host, game=coins_only(help_pauses=True), lost_link=rule)
    hosted.live.submit(HUMAN, PauseRequest("rules"))
    wizard.wait_for(FeedStatus, lambda status: status.paused)

    person.leave("lost")

    assert wizard.wait_for_event("GAME_END").payload.ended_by is EndedBy.ABORTED
    assert hosted.notes(NoteKind.SESSION_PAUSED)[0]["page"] == "rules"


def test_a_closing_does_not_wait_for_a_person_whose_seat_an_agent_has(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(
        host,
        game=coins_only(closing_seconds=60.0),
        lost_link=LostLinkRule(LostLinkAction.AGENT, 0.0, "answerer"),
        stand_ins={"agent": prepared()},
    )
    second.leave("timed out")
    hosted.wait_for_note(NoteKind.SEAT_TAKEN_OVER)
    hosted.window(AGENT).wait_for(FeedStatus, lambda status: bool(status.error_message))
    hosted.live.submit(HUMAN, (AbortGame("Enough."),))
    first.wait_for_event("GAME_END")

    hosted.live.submit(HUMAN, FinishClosingRequest())

    first.wait_for(FeedStatus, lambda status: status.finished)


def test_a_person_is_sent_nothing_when_a_wizard_or_onlookers_come_and_go(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host)
    wizard.wait_for(FeedSuggestion)
    person.wait_for(FeedStatus, lambda status: status.started)
    before = [*person.items]

    wizard.leave("lost")
    again = hosted.window(WIZARD)
    again.wait_for(FeedSuggestion)
    onlookers = [hosted.window(role) for role in (EXPERIMENTER, PUBLIC)]
    for onlooker in onlookers:
        onlooker.wait_for(FeedStatus)
        onlooker.leave()
    hosted.live.submit(WIZARD, ChangeWizardMode(WizardMode.MANUAL))
    hosted.live.submit(WIZARD, OpenWholeState())
    again.wait_for(FeedRawHeader)

    assert person.items == before


def test_a_host_that_ends_in_a_running_game_says_nothing_about_an_end(host: Callable[..., Hosted]) -> None:
    hosted, first, _ = two_people(host)
    first.send(SendMessage("Hello."))
    first.wait_for_event("SEND_MESSAGE")

    hosted.live.stop()

    assert not any(isinstance(item, FeedStatus) and item.finished for item in first.items)


def test_nobody_sees_that_a_wizard_builds_an_offer(host: Callable[..., Hosted]) -> None:
    hosted, person, wizard = with_wizard(host, "manual")

    wizard.send(ShareDraft(EVEN))
    wizard.send(SendMessage("Well."))

    assert person.wait_for_event("SEND_MESSAGE", "agent").get_text() == "Well."
    assert "OFFER_IN_PROGRESS" not in {event.type for event in hosted.ledger.events}


def is_open(item: FeedAdvice) -> bool:
    return item.advice is not None and item.advice != NO_ADVICE_NOW


def test_a_person_who_has_joined_gets_their_advice_and_the_other_person_none(
    host: Callable[..., Hosted],
) -> None:
    hosted, first, second = two_people(host, advisers={"agent": prepared(Adviser)})

    first.send(SendMessage("Hello"))
    given = second.wait_for(FeedAdvice, is_open).advice
    assert given is not None
    hosted.live.submit(HUMAN, AnswerAdvice(given.number, used=True))  # not theirs
    hosted.live.submit(AGENT, AnswerAdvice(given.number, used=False))
    answered = hosted.wait_for_note(NoteKind.ADVICE_ANSWERED)

    assert given.steps == (SendMessage("About Hello"),)
    assert (answered["seat"], answered["verdict"]) == ("agent", "dismissed")
    assert not [item for item in first.items if isinstance(item, FeedAdvice)]


def test_a_person_who_comes_back_gets_the_open_advice_again(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host, advisers={"agent": prepared(Adviser)})
    first.send(SendMessage("Hello"))
    given = second.wait_for(FeedAdvice, is_open)

    second.leave()
    again = hosted.window(AGENT)

    assert again.wait_for(FeedAdvice) == given


def with_team(members: tuple[str, ...]) -> GameSpec:
    """Return a game of two whose seats may be a team that shares its limits."""
    return replace(coins_only(), teams=(TeamSpec(members, share=("Limits", "Worth")),) if members else ())


def views_of(hosted: Hosted, window: Window) -> list[View]:
    """Return the views that the items of a window give to its screen."""
    updates: SimpleQueue[SessionUpdate] = SimpleQueue()
    observed = ObservedSession(hosted.live.introduction(window.role), updates, HostClock())
    for item in [*window.items]:
        if is_shared(item):
            item = FeedShared(json.loads(json.dumps(item.features)))  # as on the connection
        observed.take(TimedItem(item))
    return [updates.get().view for _ in range(updates.qsize())]


def is_shared(item: FeedItem) -> TypeGuard[FeedShared]:
    return isinstance(item, FeedShared)


def test_a_joined_window_gets_what_the_allies_of_its_seat_share(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host, game=with_team(("human", "agent")))
    first.send(SendOffer(Offer({"coins": Allocation({"human": 1, "agent": 3})})))
    second.wait_for_event("SEND_OFFER")
    late = hosted.window(PUBLIC)

    view = views_of(hosted, second)[-1]

    state = replay(hosted.log()).state
    assert view.shared == features_shared_with("agent", state)
    assert [each.feature_name for each in view.shared["human"]]
    assert not [item for item in late.items if is_shared(item)]


def test_seats_that_are_no_allies_get_nothing_shared(host: Callable[..., Hosted]) -> None:
    hosted, first, second = two_people(host, game=with_team(()))
    first.send(SendMessage("Hello"))
    second.wait_for_event("SEND_MESSAGE")

    assert not [item for window in (first, second) for item in window.items if is_shared(item)]
    assert not any(view.shared for view in views_of(hosted, second))
