"""Views of the wizard's panel: suggestions in words, their time, points, counts, and edited scripts."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.app.session.windows.session_feed import (
    FeedRawEvent,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
)
from negoplatform.core.events import Expression
from negoplatform.core.state import State
from negoplatform.core.visibility import Observer, view_of
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.offer import EMPTY_OFFER, Offer
from negoplatform.hosting.agent_runner import ScheduledCall, ScriptStep
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.wizard.canned_lines import (
    PHRASES,
    canned_lines,
    filtered_lines,
    line_sources,
)
from negoplatform.presentation.wizard.edited_script import EditedScript
from negoplatform.presentation.wizard.step_views import step_view
from negoplatform.presentation.wizard.wizard_state import WaitingSuggestion, WizardState
from negoplatform.presentation.wizard.wizard_view import WizardView, can_act, wizard_view
from negoplatform.presentation.work_presenters import WORK_PRESENTERS
from negoplatform.testing import TrialTable

HELLO = SendMessage("Hello!", delay_ms=1500)
SMILE = SendExpression(Expression.HAPPY, 3000)


def suggestion(number: int, *steps: ScriptStep, expires_at: float | None = 30.0) -> FeedSuggestion:
    return FeedSuggestion(number, steps, expires_at)


def seen(table: TrialTable) -> State:
    """Return the session as the agent's seat sees it."""
    return view_of(table.state, Observer("agent")).state


def shown(wizard: WizardState, table: TrialTable, now: float = 10.0) -> WizardView:
    return wizard_view(wizard, seen(table), now, "agent", {"human": "P01"}, ENGLISH)


def after(*items: Any) -> WizardState:
    """Return the state after items that arrive at session time 10 s."""
    state = WizardState()
    for item in items:
        state = state.after(item, 10.0)
    return state


def made(table: TrialTable, **terms: Any) -> Offer:
    """Return an offer that the agent has made."""
    return table.agent.offers(**terms).get_offer()


def test_suggestions_wait_in_their_order_until_they_are_closed(table: TrialTable) -> None:
    table.start()
    both = after(suggestion(2, HELLO), suggestion(1, SMILE))
    one = both.after(FeedSuggestionClosed(1, SuggestionVerdict.SENT), 11.0)

    assert [each.number for each in shown(both, table).suggestions] == [1, 2]
    assert shown(both, table).heading == "2 suggestions are waiting"
    assert [each.number for each in shown(one, table).suggestions] == [2]
    assert shown(one, table).heading == "One suggestion is waiting"
    assert one.find(1) is None


def test_a_suggestion_that_arrives_again_is_there_once(table: TrialTable) -> None:
    table.start()

    assert len(shown(after(suggestion(1, HELLO), suggestion(1, HELLO)), table).suggestions) == 1


def test_a_suggestion_that_ended_while_the_window_was_away_is_gone_and_counts_once(table: TrialTable) -> None:
    table.start()
    ended = FeedSuggestionClosed(1, SuggestionVerdict.SENT)

    back = after(suggestion(1, HELLO), ended, suggestion(2, HELLO), ended)

    assert [each.number for each in shown(back, table).suggestions] == [2]
    assert shown(back, table).counts[0] == ("Sent", "1")


def test_the_time_of_a_suggestion_counts_down_from_its_arrival(table: TrialTable) -> None:
    table.start()
    wizard = after(suggestion(1, HELLO), suggestion(2, HELLO, expires_at=None))

    first, endless = shown(wizard, table, 20.0).suggestions
    late = shown(wizard, table, 27.5).suggestions[0]

    assert (first.remaining, first.share, first.is_urgent) == ("10 s left", 0.5, False)
    assert (late.remaining, late.is_urgent) == ("3 s left", True)
    assert (endless.remaining, endless.share) == ("", None)
    assert shown(wizard, table, 40.0).suggestions[0].share == 0.0


def test_points_of_both_sides_have_names_and_a_dash_where_there_are_none(table: TrialTable) -> None:
    table.start()
    wizard = after(FeedWizard(WizardMode.MANUAL, {"human": 12, "agent": None}))

    assert shown(wizard, table).points == (("P01", "12"), ("You (this seat)", "–"))


def test_the_title_of_the_points_says_of_which_outcome_they_are(table: TrialTable) -> None:
    wizard = after(FeedWizard(WizardMode.MANUAL, {"human": 12, "agent": 3}))
    table.start()
    nothing = shown(wizard, table).points_title
    table.agent.offers(bananas=(4, 0))
    partial = shown(wizard, table).points_title
    table.agent.offers(bananas=(4, 0), grain=(0, 5), wood=(0, 3), spices=(0, 3))
    offered = shown(wizard, table).points_title
    table.human.quits()
    over = shown(wizard, table).points_title

    assert nothing == "Points if there is no deal"
    assert partial == "Points of the offer on the table so far"
    assert offered == "Points of the offer on the table"
    assert over == "Points of the result"
    assert wizard_view(wizard, None, 0.0, "agent", {}, ENGLISH).points_title == "Points of all sides"


def test_the_pause_before_each_step_is_shown(table: TrialTable) -> None:
    table.start()
    wizard = after(suggestion(1, HELLO, HELLO))

    (view,) = shown(wizard, table).suggestions

    assert [step.pause for step in view.steps] == ["after 1.5 s", "after 1.5 s"]


def test_a_suggestion_says_that_it_does_not_time_out_while_it_is_edited(table: TrialTable) -> None:
    table.start()
    held = suggestion(1, HELLO, expires_at=None)

    def sentence(mode: WizardMode, item: FeedSuggestion) -> str:
        return shown(after(FeedWizard(mode), item), table).suggestions[0].held

    assert sentence(WizardMode.ASSISTED, held) == "No time-out while you edit."
    assert sentence(WizardMode.ASSISTED, suggestion(1, HELLO)) == ""
    # In manual mode there is no time-out at all.
    assert sentence(WizardMode.MANUAL, held) == ""


def test_counts_keep_each_kind_of_answer(table: TrialTable) -> None:
    table.start()
    verdicts = [
        SuggestionVerdict.SENT,
        SuggestionVerdict.SENT,
        SuggestionVerdict.DROPPED,
        SuggestionVerdict.TIMED_OUT_SENT,
        SuggestionVerdict.TIMED_OUT_DROPPED,
        SuggestionVerdict.GAME_ENDED,
    ]
    wizard = after(*(FeedSuggestionClosed(n, verdict) for n, verdict in enumerate(verdicts, 1)))

    assert shown(wizard, table).counts == (
        ("Sent", "2"),
        ("Edited", "0"),
        ("Dropped", "1"),
        ("Timed out", "2"),
    )


@pytest.mark.parametrize(
    ("mode", "acts"),
    [(None, False), *((mode, mode is not WizardMode.AUTONOMOUS) for mode in WizardMode)],
)
def test_the_wizard_acts_in_every_mode_but_the_autonomous_one(mode: WizardMode | None, acts: bool) -> None:
    wizard = WizardState() if mode is None else after(FeedWizard(mode))

    assert can_act(wizard) is acts


def test_an_item_about_something_else_changes_nothing(table: TrialTable) -> None:
    table.start()
    wizard = after(suggestion(1, HELLO))

    assert wizard.after(FeedRawEvent(table.events[0]), 12.0) == wizard


def test_steps_are_read_in_words(table: TrialTable) -> None:
    offer = made(table, bananas=(2, 1), grain=(0, 2))
    steps: tuple[ScriptStep, ...] = (
        HELLO,
        SendMessage("Only for you", to=("human",)),
        SendOffer(offer),
        SMILE,
        FormalAccept(),
        FormalQuit(),
        ShowTyping(2000),
        ProposeChange({"notes": {"agent": {"mood": "hopeful"}}}),
        ScheduledCall(1, 500, flushable=False),
    )

    views = [step_view(step, seen(table), "agent", {"human": "P01"}, ENGLISH) for step in steps]

    assert [(view.kind, view.title, view.text) for view in views] == [
        ("message", "Message", "Hello!"),
        ("message", "Message only P01", "Only for you"),
        ("offer", "Offer", views[2].text),
        ("act", "Expression", "Happy, for 3 s"),
        ("act", "Acceptance", "Accepts the offer on the table"),
        ("act", "Walking away", "Leaves, which ends the game for this seat"),
        ("silent", "", "Shows the typing sign, for 2 s"),
        *[("silent", "", "Internal step of the agent: notes, or a later decision")] * 2,
    ]
    assert views[0].pause == "after 1.5 s"
    assert views[2].rows[0] == ("Bananas", "you 1, P01 2, undecided 1")
    assert views[2].text.endswith("points")


def test_an_edited_script_keeps_order_and_pauses_and_leaves_out_what_is_not_sent(table: TrialTable) -> None:
    offer, other = made(table, bananas=(2, 1)), made(table, bananas=(1, 2))
    waiting = WaitingSuggestion(suggestion(4, HELLO, SendOffer(offer, 700), SMILE, FormalAccept()), 10.0)

    script = EditedScript.of(waiting).with_text(0, "Good day!").with_offer(1, other).with_sent(2, False)

    assert script.performed() == (
        SendMessage("Good day!", delay_ms=1500),
        SendOffer(other, 700),
        FormalAccept(),
    )
    assert script.texts == ("Good day!",)


def test_an_edited_script_has_nothing_without_effect_at_the_table() -> None:
    steps = (SendMessage("  "), ShowTyping(), ProposeChange({"notes": {}}))

    assert EditedScript.of(WaitingSuggestion(suggestion(1, *steps), 0.0)).performed() == ()


def test_only_a_message_gets_a_text_and_only_an_offer_other_terms() -> None:
    script = EditedScript.of(WaitingSuggestion(suggestion(1, HELLO, SMILE), 0.0))

    assert script.with_text(1, "No") == script
    assert script.with_offer(0, EMPTY_OFFER) == script


def test_canned_lines_are_complete_sentences_in_the_windows_language(table: TrialTable) -> None:
    table.start()
    german = Language.load("de")
    work = TablePresenter("agent", {"human": "P01"}, german, WORK_PRESENTERS["bargaining"]()).work
    phrases = work.phrases(seen(table), 0.0, can_talk=True)

    spoken, own = canned_lines("warm", None, "de"), canned_lines(PHRASES, phrases, "de")

    assert spoken
    assert not any("{" in line for line in spoken)
    assert len(set(spoken)) == len(spoken)
    assert "Danke." in own
    assert canned_lines(PHRASES, None, "de") == ()
    assert line_sources("he") == (PHRASES,)
    assert "tough" in line_sources("de")


def test_lines_are_found_by_parts_of_their_words() -> None:
    lines = ("Thank you.", "I thank them.", "No.")

    assert filtered_lines(lines, " THANK y") == ("Thank you.",)
    assert filtered_lines(lines, "") == lines
