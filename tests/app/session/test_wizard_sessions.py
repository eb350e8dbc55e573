"""Agent operated by a wizard: suggestions, modes, the log, and the replay of the agent from that log."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from negoplatform.agent_api.actions import (
    Action,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.agent_api.context import AgentContext
from negoplatform.app.session.session_runner import SessionRunner
from negoplatform.core.events import NOTHING, DecidedBy, Event, EventType, OfferMade
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.virtual_clock import VirtualClock
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.domain.agent_limits import AgentBudget
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import (
    LostLinkRule,
    SuggestionTimeout,
    SuggestionVerdict,
    WizardMode,
    WizardSettings,
)
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.writer import NoLog
from negoplatform.hosting.responder import SeatAssignment
from negoplatform.hosting.wizard_control import Suggestion
from tests.app.session.wizard_table import Answerer, WizardTable, course_of_all_verdicts
from tests.hosting.test_seat_supervisor import POLITE, mortal

EVEN = Offer({"coins": Allocation({"human": 2, "agent": 2})})


ASSISTED = WizardSettings(WizardMode.ASSISTED, 10.0)
MANUAL = WizardSettings(WizardMode.MANUAL)


class FailingTable(WizardTable):
    """The same with an agent that is lost at the message ``Die!``, and a fallback."""

    @property
    def assignment(self) -> SeatAssignment:
        return SeatAssignment(mortal(), AgentBudget(restarts=0, fallback="polite"), POLITE)


def test_in_autonomous_mode_the_agent_acts_as_ever() -> None:
    table = WizardTable(WizardSettings(WizardMode.AUTONOMOUS))

    table.say("coins")
    table.wait(10)

    assert table.made == []
    assert [act for act, _ in table.acts()] == ["TYPING", "SEND_MESSAGE", "SEND_OFFER", "SEND_MESSAGE"]
    assert {by for _, by in table.acts()} == {DecidedBy.AGENT}


def test_an_assisted_agent_does_nothing_before_the_wizard_decides() -> None:
    table = WizardTable(ASSISTED)

    table.say("coins")
    table.wait(2)

    assert table.acts() == []
    assert [type(step).__name__ for step in table.made[0].steps] == ["SendMessage", "SendOffer"]
    assert table.notes(NoteKind.SUGGESTED)[0]["number"] == 1


def test_a_suggestion_is_sent_as_it_is_with_its_pauses() -> None:
    table = WizardTable(ASSISTED)
    table.say("coins")
    table.wait(2)

    table.wizard.answer(1, send=True)
    table.wait(0.1)
    at_once = table.acts()
    table.wait(1)

    sign, message, offer = ((act, DecidedBy.WIZARD) for act in ("TYPING", "SEND_MESSAGE", "SEND_OFFER"))
    assert at_once == [sign]
    assert table.acts() == [sign, message, offer]
    assert table.closed == [(1, SuggestionVerdict.SENT)]


def test_a_suggestion_is_sent_as_the_wizard_changed_it_and_the_log_has_both() -> None:
    table = WizardTable(ASSISTED)
    table.say("coins")
    table.wait(2)

    table.wizard.answer(1, send=True, steps=(SendMessage("Let us see."), SendOffer(EVEN)))
    table.wait(0.1)

    (answered,) = table.notes(NoteKind.SUGGESTION_ANSWERED)
    assert answered["verdict"] == "edited"
    assert answered["steps"][0]["text"] == "Let us see."
    assert table.notes(NoteKind.SUGGESTED)[0]["steps"][0]["text"] == "About coins"
    assert table.published[-1].event.payload == OfferMade(EVEN)


def test_a_dropped_suggestion_is_never_performed() -> None:
    table = WizardTable(ASSISTED)
    table.say("coins")
    table.wait(2)

    table.wizard.answer(1, send=False)
    table.wait(1)

    assert table.acts() == []
    assert not table.wizard.answer(1, send=True)


def test_a_suggestion_that_times_out_is_performed_as_the_agents_own() -> None:
    table = WizardTable(ASSISTED)

    table.say("coins")
    table.wait(12)

    assert ("SEND_OFFER", DecidedBy.AGENT) in table.acts()
    assert (1, SuggestionVerdict.TIMED_OUT_SENT) in table.closed


def test_a_suggestion_of_the_fallback_times_out_as_its_own_and_those_of_the_lost_agent_end() -> None:
    table = FailingTable(ASSISTED)
    table.say("One")
    table.wait(2)

    table.say("Die!")
    table.wait(2)
    closed_by_the_loss = [*table.closed]
    table.say("Two")
    table.wait(15)

    assert [note["agent"] for note in table.notes(NoteKind.FALLBACK_SEATED)] == ["polite"]
    assert closed_by_the_loss == [(1, SuggestionVerdict.SUPERSEDED)]
    assert {verdict for _, verdict in table.closed[1:]} == {SuggestionVerdict.TIMED_OUT_SENT}
    assert {by for _, by in table.acts()} == {DecidedBy.FALLBACK}
    assert table.replay().divergences == []


def test_a_suggestion_that_times_out_is_dropped_where_the_settings_say_so() -> None:
    table = WizardTable(WizardSettings(WizardMode.ASSISTED, 10.0, SuggestionTimeout.DROP))

    table.say("coins")
    table.wait(20)

    assert table.acts() == []
    assert (1, SuggestionVerdict.TIMED_OUT_DROPPED) in table.closed


def test_in_manual_mode_ideas_wait_for_as_long_as_it_takes() -> None:
    table = WizardTable(MANUAL)

    table.say("coins")
    table.wait(30)

    assert table.acts() == []
    assert [suggestion.expires_at for suggestion in table.wizard.waiting] == [None, None]


def test_a_typing_sign_fills_the_delay_between_decision_and_act() -> None:
    table = WizardTable(WizardSettings(WizardMode.ASSISTED, 10.0, delay_seconds=2.0))
    table.say("coins")
    table.wait(2)

    table.wizard.answer(1, send=True)
    table.wait(1)
    before = table.acts()
    table.wait(1.1)

    assert before == [("TYPING", DecidedBy.WIZARD)]
    assert table.acts()[1] == ("SEND_MESSAGE", DecidedBy.WIZARD)


def test_a_change_to_manual_takes_back_what_the_agent_had_decided() -> None:
    table = WizardTable(WizardSettings(WizardMode.AUTONOMOUS))
    table.say("coins")
    table.wait(1.6)

    table.wizard.change_mode(WizardMode.MANUAL)
    table.wait(10)

    assert [act for act, _ in table.acts()] == ["TYPING", "SEND_MESSAGE"]
    assert [type(step).__name__ for step in table.made[0].steps] == ["SendOffer"]


def test_a_change_to_autonomous_has_the_agent_perform_what_waited() -> None:
    table = WizardTable(MANUAL)
    table.say("coins")
    table.wait(2)

    table.wizard.change_mode(WizardMode.AUTONOMOUS)
    table.wait(1)

    assert table.acts()[:3] == [
        ("TYPING", DecidedBy.WIZARD),
        ("SEND_MESSAGE", DecidedBy.AGENT),
        ("SEND_OFFER", DecidedBy.AGENT),
    ]
    assert table.closed == [(1, SuggestionVerdict.AUTONOMOUS)]


def test_a_change_between_manual_and_assisted_stops_and_starts_the_countdown() -> None:
    table = WizardTable(ASSISTED)
    table.say("coins")
    table.wait(2)

    table.wizard.change_mode(WizardMode.MANUAL)
    table.wait(20)
    waited = table.acts()
    table.wizard.change_mode(WizardMode.ASSISTED)
    table.wait(11)

    assert waited == []
    assert ("SEND_OFFER", DecidedBy.AGENT) in table.acts()


def test_a_suggested_acceptance_ends_when_another_offer_is_on_the_table() -> None:
    table = WizardTable(MANUAL)
    session = table.runner.session
    session.act("human", EventType.SEND_OFFER, OfferMade(EVEN))
    table.wait(2)
    other = Offer({"coins": Allocation({"human": 3, "agent": 1})})
    session.act("human", EventType.SEND_OFFER, OfferMade(other))
    table.wait(2)

    assert table.closed == [(1, SuggestionVerdict.SUPERSEDED)]
    assert [suggestion.number for suggestion in table.wizard.waiting] == [2]
    assert not table.wizard.answer(1, send=True)


def test_suggestions_that_are_left_to_the_agent_are_performed_one_after_the_other() -> None:
    table = WizardTable(MANUAL)
    table.say("one")
    table.wait(1.2)
    table.say("two")
    table.wait(1.2)

    table.wizard.change_mode(WizardMode.AUTONOMOUS)
    table.wait(3)

    texts = [
        published.event.get_text()
        for published in table.published
        if published.event.sender == "agent" and published.event.type == EventType.SEND_MESSAGE
    ]
    offers = [published.event.t for published in table.published if published.event.type == "SEND_OFFER"]
    second = next(e.event.t for e in table.published if e.event.get_text() == "About two")
    assert [text for text in texts if text != "Later."] == ["About one", "About two"]
    assert offers[0] <= second
    assert table.replay().divergences == []


def test_no_suggestion_times_out_while_another_one_is_edited() -> None:
    table = WizardTable(ASSISTED)
    table.say("one")
    table.wait(1.2)
    table.wizard.hold(1, held=True)
    table.say("two")
    table.wait(30)
    waiting = [suggestion.expires_at for suggestion in table.wizard.waiting]

    table.wizard.answer(1, send=True)
    table.wait(11)

    assert set(waiting) == {None}
    assert table.closed[0] == (1, SuggestionVerdict.SENT)
    assert (2, SuggestionVerdict.TIMED_OUT_SENT) in table.closed


def test_a_new_script_of_an_agent_that_interrupts_itself_ends_the_wait_of_the_old_one() -> None:
    table = WizardTable(MANUAL, interrupt=True)
    table.say("coins")
    table.wait(1.2)
    table.say("more")
    table.wait(1.2)

    assert [suggestion.number for suggestion in table.wizard.waiting] == [2]
    assert table.closed == [(1, SuggestionVerdict.SUPERSEDED)]


def test_the_end_of_the_game_ends_the_wait_of_all_suggestions() -> None:
    table = WizardTable(MANUAL)
    table.say("coins")
    table.wait(2)

    table.runner.session.act("human", EventType.FORMAL_QUIT, NOTHING)

    assert table.wizard.waiting == ()
    assert table.closed == [(1, SuggestionVerdict.GAME_ENDED)]


def test_a_replayed_agent_finds_each_of_its_scripts_in_the_log() -> None:
    table = WizardTable(ASSISTED)
    course_of_all_verdicts(table)

    replayed = table.replay()

    verdicts = {note["verdict"] for note in table.notes(NoteKind.SUGGESTION_ANSWERED)}
    assert verdicts >= {"sent", "dropped", "edited", "autonomous", "timed_out_sent"}
    assert replayed.divergences == []
    assert replayed.unlogged_actions(table.clock()) == []


class Other(Answerer):
    """The same agent with other words."""

    def on_send_message(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [SendMessage("Something else.")]


def test_a_replayed_agent_that_suggests_something_else_diverges() -> None:
    table = WizardTable(ASSISTED)
    course_of_all_verdicts(table)
    table.agent_class = Other

    assert "it suggested" in table.replay().divergences[0].reason


def test_a_resumed_wizard_has_the_mode_and_the_suggestions_that_waited() -> None:
    table = WizardTable(ASSISTED)
    table.wizard.change_mode(WizardMode.MANUAL)
    table.say("coins")
    table.wait(2)
    events = [published.event for published in table.published]
    clock, made = VirtualClock(), list[Suggestion]()
    clock.advance_to(table.clock())
    again = SessionRunner(table.game, seed=1, clock=clock, log=NoLog(), report=table.errors.append)
    host = again.assign("agent", table.assignment, table.timing, wizard=ASSISTED)
    assert host.wizard is not None
    host.wizard.on_made = made.append

    again.resume(events)

    assert host.wizard.mode is WizardMode.MANUAL
    assert [(one.number, len(one.steps), one.expires_at) for one in made] == [(1, 2, None)]
    assert table.errors == []


@pytest.mark.parametrize(
    "make",
    [
        lambda: WizardSettings("alone"),  # type: ignore[arg-type]
        lambda: WizardSettings(suggestion_seconds=0),
        lambda: WizardSettings(delay_seconds=61),
        lambda: LostLinkRule("agent"),  # type: ignore[arg-type]
        lambda: LostLinkRule("leave"),  # type: ignore[arg-type]
        lambda: LostLinkRule("wait", 3601),  # type: ignore[arg-type]
    ],
)
def test_settings_out_of_their_range_are_refused_with_a_sentence(make: Callable[[], object]) -> None:
    with pytest.raises(NegoError):
        make()


def test_a_suggestion_that_is_edited_does_not_time_out_until_it_is_released() -> None:
    table = WizardTable(ASSISTED)
    table.say("coins")
    table.wait(2)

    table.wizard.hold(1, held=True)
    table.wait(30)
    held = [suggestion.number for suggestion in table.wizard.waiting]
    table.wizard.hold(1, held=False)
    table.wait(11)

    assert 1 in held
    assert (1, SuggestionVerdict.TIMED_OUT_SENT) in table.closed


def test_the_loss_of_the_wizards_window_releases_what_was_held() -> None:
    table = WizardTable(ASSISTED)
    table.say("coins")
    table.wait(2)
    table.wizard.hold(1, held=True)

    table.wizard.release()
    table.wait(11)

    assert (1, SuggestionVerdict.TIMED_OUT_SENT) in table.closed


@pytest.mark.parametrize("timing", [{}, {"opening_delay": 3.0}])
def test_a_person_sees_the_same_from_a_wizard_who_sends_at_once_as_from_the_agent(
    timing: dict[str, float],
) -> None:
    def course(settings: WizardSettings) -> tuple[list[Event], WizardTable]:
        table = WizardTable(settings, Opener, **timing)
        for suggestion in table.made:
            table.wizard.answer(suggestion.number, send=True)
        table.wizard.on_made = lambda made: table.wizard.answer(made.number, send=True)
        table.wait(1)
        for text in ("one", "two"):
            table.say(text)
            table.wait(8)
        seen = (visible_event(published.event, Observer("human")) for published in table.published)
        return [event._replace(seq=0) for event in seen if event is not None], table

    by_agent, _ = course(WizardSettings(WizardMode.AUTONOMOUS))
    by_wizard, table = course(ASSISTED)

    assert len(table.closed) > 4
    assert {decided_by for _, decided_by in table.acts()} == {DecidedBy.WIZARD}
    assert by_wizard == by_agent


class Opener(Answerer):
    """Agent that begins the talk too."""

    def on_game_start(self, ctx: AgentContext, event: Event) -> list[Action]:
        return [ShowTyping(700), SendMessage("Hello", delay_ms=700)]
