"""Texts about unfinished sessions for experimenters, and about paused sessions for participants."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from negoplatform.app.session.log_proofs import PROOFS_FILE
from negoplatform.app.session.unfinished_sessions import UnfinishedSession
from negoplatform.cli.main import run
from negoplatform.core.visibility import Observer, view_of
from negoplatform.gui.shell.log_proof_printer import LogProofPrinter, log_location_text
from negoplatform.gui.start.unfinished_screen import (
    close_label,
    keep_label,
    session_labels,
    sort_resumable_first,
    unfinished_heading,
)
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.table.leaving_questions import close_question, start_over_question
from negoplatform.presentation.table.table_view import paused
from negoplatform.presentation.time_and_points_text import duration_text
from negoplatform.testing import TrialTable
from tests.presentation.bargaining_desk import BargainingDesk

WHEN = datetime(2026, 6, 3, 14, 2, 11, tzinfo=UTC)

LEFT = UnfinishedSession(Path("events.jsonl"), "0123456789ab", "Rent", "P01", WHEN, 200.4)
DAMAGED = UnfinishedSession(Path("events.jsonl"), "", "20260603-rent", "", WHEN, 0.0, "Its log is damaged.")


def test_one_session_is_announced_with_the_time_of_its_last_event_several_with_their_number() -> None:
    assert unfinished_heading([LEFT], ENGLISH) == "An unfinished session was found (last event 14:02:11)"
    assert unfinished_heading([LEFT, DAMAGED], ENGLISH) == "2 unfinished sessions were found"


def test_a_session_is_told_by_game_participant_day_and_length() -> None:
    assert session_labels(LEFT, ENGLISH) == (
        "Rent, participant P01",
        "Last event on 3 June 2026 at 14:02:11\nNegotiated for 3 min 20 s",
    )
    assert session_labels(replace(LEFT, agent_names=("Rowan", "Ariel", "Jules")), ENGLISH)[1] == (
        "Last event on 3 June 2026 at 14:02:11\nNegotiated for 3 min 20 s with Rowan, Ariel and Jules"
    )
    assert session_labels(DAMAGED, ENGLISH) == ("20260603-rent", "Last written on 3 June 2026 at 14:02:11")


def test_lengths_of_time_are_told_in_two_units_at_most() -> None:
    assert [duration_text(seconds, ENGLISH) for seconds in (0, 59.9, 60, 600, 3599, 3600, 86_399)] == [
        *("0 s", "59 s", "1 minute", "10 minutes", "59 min 59 s", "1 h", "23 h 59 min")
    ]


def test_closing_an_interrupted_session_says_whose_it_is_and_what_follows() -> None:
    question = close_question("P01", ENGLISH)

    assert question.text.startswith("The session of P01 will end without a result")
    assert "Everything recorded so far is kept." in question.text


def test_before_a_new_session_the_words_say_that_one_begins() -> None:
    assert [keep_label([LEFT] * n, ENGLISH, starts_new=True) for n in (1, 2)] == [
        "Leave it and start a new one",
        "Leave them and start a new one",
    ]
    assert [close_label([LEFT] * n, ENGLISH, starts_new=True) for n in (1, 2)] == [
        "Close it and start a new one",
        "Close without a result",
    ]
    assert close_label([LEFT], ENGLISH, starts_new=False) == "Close without a result"
    assert keep_label([LEFT], ENGLISH, starts_new=False) == "Keep for later"


def test_whoever_begins_anew_is_told_whose_session_is_unfinished_and_that_it_stays() -> None:
    question = start_over_question(LEFT, ENGLISH)

    assert question.text.startswith(
        "P01 has an unfinished session: Rent, last event on 3 June 2026 at 14:02:11. It stays as it is"
    )


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Terminal for output; without one the output would be shown in a window, where there is a display."""
    monkeypatch.setattr("negoplatform.cli.errors.has_terminal", lambda: True)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("more", [["--seed", "0"], ["--game", "practice"], ["--profile", "human=a"]])
def test_a_resumed_session_is_what_was_chosen_then(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["play", "--data-dir", str(tmp_path), "--resume", str(tmp_path / "session"), *more])

    assert code == 1
    assert f"so {more[0]} cannot be chosen now" in capsys.readouterr().err


@pytest.mark.usefixtures("terminal")
def test_a_session_that_is_not_there_cannot_be_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["play", "--data-dir", str(tmp_path), "--resume", str(tmp_path / "nowhere")])

    told = capsys.readouterr()
    assert (code, told.out, told.err.count("\n")) == (1, "", 1)
    assert "nowhere" in told.err


def test_while_the_session_stands_still_everything_is_shown_and_nothing_can_be_done(
    table: TrialTable,
) -> None:
    table.agent.offers(bananas=(2, 2), grain=(3, 2), wood=(0, 3), spices=(0, 3))
    game = table.state.game
    draft = Draft(game).give(game.issues[0], "human")  # type: ignore[arg-type]  # bananas are units
    view = BargainingDesk("human", {"agent": "Rowan"}, ENGLISH).table(
        view_of(table.state, Observer("human")), 70.0, draft, can_undo=True
    )

    still = paused(view, ENGLISH)

    assert view.work.accept.offer_id is not None
    assert view.can_talk
    assert still.work.accept.offer_id is None
    assert still.work.accept.text == view.work.accept.text
    assert (still.can_talk, still.can_express, still.talk_hint) == (False, False, "")
    assert [still.header.can_walk_away, still.work.builder.can_send, still.work.builder.can_clear] == [
        False
    ] * 3
    assert view.work.builder.can_undo
    assert view.phrases.can_talk
    assert [still.work.builder.can_edit, still.work.builder.can_undo, still.phrases.can_talk] == [False] * 3
    assert still.header.clock_words == "paused"
    assert still.header.clock == view.header.clock
    assert still.work.builder.rows == view.work.builder.rows


def test_what_can_be_resumed_comes_before_what_is_only_told_about() -> None:
    assert sort_resumable_first([DAMAGED, LEFT, DAMAGED]) == [LEFT, DAMAGED, DAMAGED]


def test_the_last_hash_is_told_of_a_log_that_is_finished_and_of_no_other() -> None:
    path = Path("events.jsonl")

    assert log_location_text(path, "ab", ended=True) == "Log: events.jsonl, last hash ab"
    assert log_location_text(path, "ab", ended=False) == "Log so far: events.jsonl (not finished)"


@dataclass
class Log:
    """Log with the data that its description needs."""

    path: Path = Path("שלום.jsonl")
    last_hash: str = "ab"
    ended: bool = True
    events: int = 3


class Deaf(io.StringIO):
    """Output whose reader has gone."""

    def write(self, _text: str, /) -> int:
        raise BrokenPipeError


def closed() -> io.StringIO:
    out = io.StringIO()
    out.close()
    return out


@pytest.mark.parametrize(
    "out",
    [Deaf(), closed(), io.TextIOWrapper(io.BytesIO(), encoding="ascii"), None],
    ids=["deaf", "closed", "ascii", "none"],
)
def test_a_log_that_cannot_be_told_of_stops_nobody(
    out: io.TextIOBase | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("sys.stdout", out)

    LogProofPrinter(tmp_path, pytest.fail).print_proof(Log(), "P01")  # type: ignore[arg-type]  # all that is asked of one

    assert "שלום.jsonl\tP01\t3 events\tab" in (tmp_path / PROOFS_FILE).read_text(encoding="utf-8")


def test_a_receipt_that_cannot_be_kept_stops_nobody_and_is_kept_with_what_went_wrong(tmp_path: Path) -> None:
    told: list[BaseException] = []

    LogProofPrinter(tmp_path / "nowhere", told.append).print_proof(Log(), "P01")  # type: ignore[arg-type]  # as above

    assert re.search(rf"{PROOFS_FILE} cannot be written \(.+\); the last hash of .* is ab\.$", str(told[0]))


def test_a_session_that_is_not_over_has_no_receipt(tmp_path: Path) -> None:
    LogProofPrinter(tmp_path, pytest.fail).print_proof(Log(ended=False), "P01")  # type: ignore[arg-type]  # as above

    assert not (tmp_path / PROOFS_FILE).exists()
