"""Notes about joined windows and wizards in words: in the replay, the console and the printed transcript."""

from __future__ import annotations

from typing import Any

import pytest

from negoplatform.agent_api.actions import (
    Action,
    FormalAccept,
    MechanismAct,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
)
from negoplatform.app.playback.playback import ObservedEvent
from negoplatform.cli.render.transcript import event_line
from negoplatform.core.events import Event, EventType, Expression, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.mechanisms.trading import CALL_FOR_PROPOSALS
from negoplatform.core.mechanisms.trading_state import ProposalCall
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.eventlog.reader import read_log
from negoplatform.formats.agent_actions import dump_step
from negoplatform.presentation.event_texts import LONGEST
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.replay.act_words import act_words
from negoplatform.presentation.replay.event_details import event_details
from negoplatform.presentation.replay.seat_occupant_names import participants_of
from tests.games import coins_only, shipped_games
from tests.golden.make import GOLDEN

NAMES = {"human": "P01", "agent": "Alex"}
ALL_COINS = Offer({"coins": Allocation({"human": 1, "agent": 3})})

TO_A_STRANGER = Offer({"coins": Allocation({"stranger": 4}), "gems": "red"})


def written(kind: NoteKind, translate: Language = ENGLISH, **data: Any) -> str:
    """Return a note in the words of the replay viewer."""
    event = Event(5, 1.0, EventType.NOTE, "platform", Note(kind, data))
    return act_words((), coins_only(), NAMES, translate).text(event)


def suggested(*steps: Action) -> str:
    return written(NoteKind.SUGGESTED, seat="agent", number=1, steps=[dump_step(step) for step in steps])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"role": "seat", "seat": "human", "back": False}, "P01 has joined"),
        ({"role": "seat", "seat": "human", "back": True}, "P01 is back"),
        ({"role": "wizard", "seat": "agent", "back": False}, "The wizard of Alex has joined"),
        ({"role": "experimenter", "back": False}, "An experimenter’s window has joined"),
        ({"role": "public", "back": True}, "A spectator’s window is back"),
    ],
)
def test_a_window_that_joins_is_named_by_its_role(data: dict[str, Any], words: str) -> None:
    assert written(NoteKind.SEAT_JOINED, **data) == words


def test_a_window_that_was_closed_is_told_apart_from_a_lost_connection() -> None:
    closed = written(NoteKind.SEAT_LEFT, role="seat", seat="human", reason="closed")
    lost = written(NoteKind.SEAT_LEFT, role="wizard", seat="agent", reason="lost")

    assert closed == "P01 has closed the window"
    assert lost == "The connection of the wizard of Alex is lost"


def test_an_acceptance_that_waits_for_the_team_is_a_sentence() -> None:
    assert written(NoteKind.VOTE_WAITING, seat="agent", offer=3) == (
        "Alex’s agent wants to accept, and waits for its team"
    )


def test_changes_of_who_acts_are_sentences() -> None:
    assert written(NoteKind.WIZARD_MODE, seat="agent", mode="manual", before="assisted") == (
        "The wizard of Alex changes to manual mode"
    )
    assert written(NoteKind.RAW_VIEW_OPENED, role="wizard", seat="agent") == (
        "The wizard of Alex has opened the whole state"
    )
    assert written(NoteKind.SEAT_TAKEN_OVER, seat="human", agent="fair", sha256="a" * 64) == (
        "The agent fair takes the seat of P01"
    )


def test_a_suggestion_has_what_others_would_see_of_its_steps() -> None:
    text = suggested(
        SendExpression(Expression.HAPPY, 2000),
        ProposeChange({"notes": {"agent": {"mood": "hopeful"}}}),
        SendMessage("Hey,\nAlex here.", delay_ms=1500),
        SendOffer(ALL_COINS),
        FormalAccept(),
    )

    assert text == (
        "Suggestion 1 of Alex’s agent: Happy, for 2 s · “Hey, Alex here.” · Offer: coins: P01 1, Alex 3 · "
        "Accepts the offer on the table"
    )


def test_a_message_to_some_names_them() -> None:
    assert suggested(SendMessage("For you.", to=("human",))).endswith("“For you.” (only to P01)")


def test_a_suggested_act_has_the_words_of_its_kind_of_game() -> None:
    (game,) = [game for game in shipped_games("trading") if game.name == "tac_trading"]
    one, two = game.seats
    act = MechanismAct(CALL_FOR_PROPOSALS, ProposalCall(buyer=True), (two,))
    data = {"seat": one, "number": 1, "steps": [dump_step(act)]}
    words = act_words((), game, {one: "Alex", two: "Robin"}, ENGLISH)
    call = Event(1, 0.0, CALL_FOR_PROPOSALS, one, act.payload, act.to)

    text = words.text(Event(5, 1.0, EventType.NOTE, "platform", Note(NoteKind.SUGGESTED, data)))

    assert text == f"Suggestion 1 of Alex’s agent: {words.text(call)}"
    assert "Robin" in text


def test_a_long_suggestion_is_cut() -> None:
    text = suggested(SendMessage("word " * 100), SendMessage("more " * 100))

    assert len(text) == LONGEST
    assert text.endswith("…")


@pytest.mark.parametrize(
    ("verdict", "words"),
    [
        ("sent", "Suggestion 2 was sent after 3.2 s"),
        ("dropped", "Suggestion 2 was dropped after 3.2 s"),
        ("timed_out_sent", "Suggestion 2 timed out after 3.2 s and was sent"),
        ("superseded", "Suggestion 2 was replaced by a newer one after 3.2 s"),
    ],
)
def test_the_end_of_a_suggestion_says_how_and_when(verdict: str, words: str) -> None:
    answered: dict[str, Any] = {"seat": "agent", "number": 2, "verdict": verdict, "seconds": 3.21}

    assert written(NoteKind.SUGGESTION_ANSWERED, **answered) == words


def test_an_edited_suggestion_has_what_was_sent_instead() -> None:
    text = written(
        NoteKind.SUGGESTION_ANSWERED,
        seat="agent",
        number=2,
        verdict="edited",
        seconds=4,
        steps=[dump_step(SendMessage("Hello there."))],
    )

    assert text == "Suggestion 2 was edited, and sent after 4.0 s: “Hello there.”"


def test_every_mode_and_every_verdict_has_words_in_every_language() -> None:
    for translate in (ENGLISH, Language.load("de"), Language.load("he")):
        modes = {written(NoteKind.WIZARD_MODE, translate, seat="agent", mode=mode) for mode in WizardMode}
        verdicts = {
            written(NoteKind.SUGGESTION_ANSWERED, translate, number=1, verdict=verdict, seconds=1)
            for verdict in SuggestionVerdict
        }

        assert len(modes) == len(WizardMode)
        assert len(verdicts) == len(SuggestionVerdict)
        assert not any("_" in words for words in modes | verdicts)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (NoteKind.SEAT_JOINED, {"role": "judge"}),
        (NoteKind.WIZARD_MODE, {"mode": ["manual"]}),
        (NoteKind.SUGGESTION_ANSWERED, {"number": 1, "verdict": "sent", "seconds": "soon"}),
        (NoteKind.SUGGESTED, {"number": 1, "steps": [dump_step(SendOffer(TO_A_STRANGER))]}),
        (NoteKind.SUGGESTED, {"steps": [{"do": "dance"}, 7, None, {"do": "message", "text": 5}]}),
    ],
)
def test_a_note_with_other_data_than_it_should_have_is_written_all_the_same(
    kind: NoteKind, data: dict[str, Any]
) -> None:
    assert written(kind, **data)


def test_a_scheduled_call_has_no_line_in_a_transcript() -> None:
    words = act_words((), coins_only(), NAMES, ENGLISH)

    def has_line(kind: NoteKind) -> bool:
        return words.has_line(Event(5, 1.0, EventType.NOTE, "platform", Note(kind, {"seat": "agent"})))

    assert not has_line(NoteKind.SCHEDULED_CALL)
    assert has_line(NoteKind.SUGGESTED)


def test_the_details_have_whole_steps_in_words() -> None:
    log = read_log(GOLDEN / "deal-2.jsonl")
    long = "A long message. " * 20
    steps = [dump_step(SendMessage(long.strip())), dump_step(FormalAccept())]
    note = Note(NoteKind.SUGGESTED, {"seat": "agent", "number": 1, "steps": steps})
    moment = ObservedEvent(1, Event(5, 1.0, EventType.NOTE, "platform", note), "", None)

    _facts, contents = event_details(moment, log.header.game, participants_of(log.header, ENGLISH), ENGLISH)

    assert contents == (
        ("seat", "agent"),
        ("number", "1"),
        ("Step 1", f"“{long.strip()}”"),
        ("Step 2", "Accepts the offer on the table"),
    )


def test_the_printed_transcript_has_the_same_sentences_and_no_json() -> None:
    log = read_log(GOLDEN / "deal-2.jsonl")
    data = {"seat": "agent", "number": 1, "steps": [dump_step(SendMessage("Hey."))]}
    event = Event(5, 1.0, EventType.NOTE, "platform", Note(NoteKind.SUGGESTED, data))

    assert event_line(log, event) == "    1.000 s  (Suggestion 1 of Robin’s agent: “Hey.”)"
