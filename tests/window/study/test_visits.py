"""Visits of a study in the window: from the code to the end, and what interrupts them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.participant_rule_defaults import CLOSING_SECONDS
from negoplatform.app.support.experimenter_code import write_code
from negoplatform.gui.study.step_frame import DOUBLE_CLICK_SECONDS
from negoplatform.presentation.appearance import Appearance, write_appearance
from negoplatform.study.visit_events import (
    Answered,
    Flagged,
    HelpAsked,
    Interrupted,
    SessionClosed,
    SessionOpened,
    StageLeft,
    VisitEnded,
)
from tests.window.conftest import Program, pictures
from tests.window.study.small_window_study import (
    consent,
    finish_forms,
    give_up_game,
    kinds,
    only,
    stage,
    type_code,
    visits,
    wait_for_step,
    write_window_study,
)

pytestmark = pytest.mark.window

START = Callable[..., Program]


def run(start: START, study: Path, *arguments: str) -> Program:
    return start(*arguments, what=("study", "run", str(study), "--station", "pc07"))


def test_two_participants_go_through_a_whole_study_and_a_used_code_is_refused(
    start: START, tmp_path: Path
) -> None:
    shots = pictures(tmp_path)
    program = run(start, write_window_study(tmp_path / "short"))
    program.wait_for("code_screen")
    program.shoot(shots / "study-code.png")
    type_code(program, "p-01")
    consent(program)
    for page in (0, 1):
        wait_for_step(program, "rules", page)
        program.click("continue")
    wait_for_step(program, "quiz")
    program.click("binding.1")
    program.click("continue")
    wait_for_step(program, "quiz")
    program.click("binding.2")
    program.click("continue")
    finish_forms(program)
    give_up_game(program)
    for round_number in (1, 2):
        give_up_game(program)
        wait_for_step(program, f"r.{round_number}.result")
        program.click("continue")
    wait_for_step(program, "pay")
    program.shoot(shots / "study-payment.png")
    program.click("continue")
    receipt = program.path_of(program.wait_for("receipt")["path"])
    assert "P-01" in receipt.read_text(encoding="utf-8")
    time.sleep(DOUBLE_CLICK_SECONDS)
    program.click("continue")
    program.wait_for("visit_over", how="finished")
    program.shoot(shots / "study-over.png")
    program.click("next_participant")
    program.wait_for("code_screen")
    type_code(program, "P-01")
    program.wait_for("problem")
    program.click("code")
    program.press("ctrl+a")
    program.types("P-02")
    program.press("Return")
    wait_for_step(program, "consent")

    first, second = visits(program)
    assert (first.header.code, second.header.code) == ("P-01", "P-02")
    assert first.header.station == "pc07"
    ended = first.events[-1]
    assert isinstance(ended, VisitEnded)
    closed = [event for event in first.events if isinstance(event, SessionClosed)]
    assert [(event.step, event.end) for event in closed] == [
        ("practice", "quit"),
        ("r.1", "quit"),
        ("r.2", "quit"),
    ]
    assert {event.item: event.value for event in first.events if isinstance(event, Answered)} == {
        "age": 30,
        "work": "baker",
    }
    assert kinds(first).count("QUIZ_TRIED") == 2


def test_a_double_click_or_twenty_clicks_go_on_by_one_page(start: START, tmp_path: Path) -> None:
    program = run(start, write_window_study(tmp_path / "short", only("consent", "rules", "end")))
    program.wait_for("code_screen")
    type_code(program, "P-01")
    wait_for_step(program, "consent")
    program.click("tick.age")
    program.click_fast("agree", 20)
    wait_for_step(program, "rules")
    program.click_fast("continue", 2)
    wait_for_step(program, "rules", 1)
    time.sleep(0.5)

    (record,) = visits(program)
    assert kinds(record)[-1] == "PAGE_SHOWN"


def test_a_person_who_declines_leaves_nothing_but_a_count(start: START, tmp_path: Path) -> None:
    program = run(start, write_window_study(tmp_path / "short"), "--code", "P-03")
    wait_for_step(program, "consent")
    program.click("decline")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("visit_over", how="declined")
    program.shoot(pictures(tmp_path) / "study-declined.png")

    data = program.data_dir / "study_data" / "short-1.0.0"
    assert not list(data.glob("visits/*"))
    assert len((data / "declined.csv").read_text().splitlines()) == 2
    assert "P-03" not in (data / "declined.csv").read_text()


def test_a_form_has_its_entries_after_the_program_was_killed(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", only("consent", "about", "end"))
    program = run(start, study, "--code", "P-01")
    consent(program)
    wait_for_step(program, "about")
    program.types("41")
    kept = program.data_dir / "study_data/short-1.0.0/visits"
    while not any('"age": 41' in path.read_text() for path in kept.glob("*/draft.json")):
        time.sleep(0.05)
    program.kill()

    program = run(start, study)
    program.wait_for("code_screen")
    type_code(program, "P-01")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    wait_for_step(program, "about")
    program.click("continue")
    wait_for_step(program, "about", 1)

    (record,) = visits(program)
    assert [(e.item, e.value) for e in record.events if isinstance(e, Answered)] == [("age", 41)]
    assert kinds(record).count("RESUMED") == 1


def test_a_game_goes_on_with_its_chat_after_the_program_was_killed(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", only("consent", "r", "end"))
    program = run(start, study, "--code", "P-01")
    consent(program)
    program.wait_for("shown", type="GAME_START")
    program.click("entry")
    program.types("Good morning.")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.kill()

    program = run(start, study, "--code", "P-01")
    program.wait_for("shown", type="RESUMED")
    program.shoot(pictures(tmp_path) / "study-game-resumed.png")
    program.walk_away()
    program.wait_for("ended")
    program.click("done")
    wait_for_step(program, "r.1.result")

    (record,) = visits(program)
    (opened,) = [event for event in record.events if isinstance(event, SessionOpened)]
    log = program.data_dir / "study_data/short-1.0.0/sessions" / opened.folder / "events.jsonl"
    text = log.read_text(encoding="utf-8")
    assert json.loads(text.splitlines()[0])["game"]["rules"]["closing_seconds"] == CLOSING_SECONDS
    assert "Good morning." in text
    assert '"type":"RESUMED"' in text


def test_the_next_round_follows_after_the_program_was_killed_between_rounds(
    start: START, tmp_path: Path
) -> None:
    study = write_window_study(tmp_path / "short", only("consent", "r", "end"))
    program = run(start, study, "--code", "P-01")
    consent(program)
    give_up_game(program)
    wait_for_step(program, "r.1.result")
    program.kill()

    program = run(start, study, "--code", "P-01")
    wait_for_step(program, "r.1.result")
    program.click("continue")
    program.wait_for("noted", text="Round 2 of 2")
    give_up_game(program)
    wait_for_step(program, "r.2.result")

    (record,) = visits(program)
    assert [e.step for e in record.events if isinstance(e, SessionClosed)] == ["r.1", "r.2"]


def test_closing_the_window_asks_and_the_visit_can_go_on(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", only("consent", "r", "end"))
    program = run(start, study, "--code", "P-01")
    consent(program)
    program.wait_for("shown", type="GAME_START")
    program.close_window()
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.process.wait(30)

    (record,) = visits(program)
    assert isinstance(record.events[-1], Interrupted)
    program = run(start, study, "--code", "P-01")
    program.wait_for("shown", type="RESUMED")


def _with_three_choices(document: dict[str, Any]) -> None:
    only("consent", "quiz", "end")(document)
    stage(document, "quiz")["questions"][0]["choices"].append("Sometimes")


def test_the_experimenter_lets_a_participant_go_on_after_a_failed_quiz(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", _with_three_choices)
    program = run(start, study, "--code", "P-01")
    consent(program)
    for choice in (1, 3):
        wait_for_step(program, "quiz")
        program.click(f"binding.{choice}")
        program.click("continue")
    wait_for_step(program, "quiz")
    program.shoot(pictures(tmp_path) / "study-quiz-failed.png")
    program.click("experimenter")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    wait_for_step(program, "end")

    (record,) = visits(program)
    assert [e.what for e in record.events if isinstance(e, Flagged)] == ["quiz"]
    assert [e.how for e in record.events if isinstance(e, StageLeft)][-1] == "released"


def _with_limits(document: dict[str, Any]) -> None:
    only("consent", "about", "end")(document)
    stage(document, "about").update(timeout_seconds=4, timeout_does="go_on", per_page=2)
    wait = {"kind": "wait", "id": "pause", "for": {"seconds": 2}}
    document["stages"].insert(1, wait)


def test_a_wait_ends_by_itself_and_what_was_entered_counts_when_time_is_out(
    start: START, tmp_path: Path
) -> None:
    program = run(start, write_window_study(tmp_path / "short", _with_limits), "--code", "P-01")
    consent(program)
    wait_for_step(program, "pause")
    wait_for_step(program, "about")
    program.types("55")
    wait_for_step(program, "end")

    (record,) = visits(program)
    assert [(e.item, e.value) for e in record.events if isinstance(e, Answered)] == [("age", 55)]
    assert [(e.step, e.what) for e in record.events if isinstance(e, Flagged)] == [("about", "timeout")]
    assert [e.how for e in record.events if isinstance(e, StageLeft)] == ["done", "released", "timeout"]


def _with_program(document: dict[str, Any]) -> None:
    only("consent", "end")(document)
    code = "import sys; sys.exit(7 if sys.argv[1] == 'P-01' else 1)"
    call = {"kind": "call", "id": "task", "program": [sys.executable, "-c", code, "{code}"]}
    document["stages"].insert(1, {**call, "returns": "exit_code"})


def test_the_exit_code_of_a_program_is_recorded(start: START, tmp_path: Path) -> None:
    program = run(start, write_window_study(tmp_path / "short", _with_program), "--code", "P-01")
    consent(program)
    wait_for_step(program, "task")
    program.click("open_call")
    wait_for_step(program, "end")

    (record,) = visits(program)
    assert [event.exit_code for event in record.events if event.type == "CALL_RETURNED"] == [7]


def _with_long_program(document: dict[str, Any]) -> None:
    only("consent", "end")(document)
    code = "import sys, time; open(sys.argv[1], 'a').write('x'); time.sleep(60)"
    program = [sys.executable, "-c", code, str(document["started"])]
    del document["started"]
    document["stages"].insert(1, {"kind": "call", "id": "task", "program": program, "returns": "exit_code"})


def test_a_program_is_started_once_and_the_experimenter_can_end_a_call_that_does_not_come_back(
    start: START, tmp_path: Path
) -> None:
    started = tmp_path / "started"

    def change(document: dict[str, Any]) -> None:
        document["started"] = started
        _with_long_program(document)

    program = run(start, write_window_study(tmp_path / "short", change), "--code", "P-01")
    consent(program)
    wait_for_step(program, "task")
    for _ in range(4):
        program.click("open_call")
    program.wait_for("study_problem")
    program.shoot(pictures(tmp_path) / "study-call-open.png")
    while not started.exists():
        time.sleep(0.05)
    program.click("experimenter")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    wait_for_step(program, "end")

    (record,) = visits(program)
    assert started.read_text() == "x"
    assert kinds(record).count("RELEASED") == 1
    assert "CALL_RETURNED" not in kinds(record)


def _with_missing_program(document: dict[str, Any]) -> None:
    only("consent", "end")(document)
    call = {"kind": "call", "id": "task", "program": ["no_such_program"], "returns": "exit_code"}
    document["stages"].insert(1, call)


def test_a_call_of_a_missing_program_can_be_skipped_by_the_experimenter(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", _with_missing_program)
    program = run(start, study, "--code", "P-01")
    consent(program)
    wait_for_step(program, "task")
    program.click("open_call")
    program.wait_for("cannot_start")
    program.click("try_again")
    wait_for_step(program, "task")
    program.click("experimenter")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    wait_for_step(program, "end")

    (record,) = visits(program)
    assert kinds(record).count("RELEASED") == 1
    assert "CALL_RETURNED" not in kinds(record)


@pytest.mark.parametrize("text", [None, "# Another text\n"])
def test_a_text_that_is_changed_or_removed_during_a_visit_is_named_and_can_be_put_back(
    start: START, tmp_path: Path, text: str | None
) -> None:
    study = write_window_study(tmp_path / "short", only("consent", "rules", "end"))
    program = run(start, study, "--code", "P-01")
    consent(program)
    wait_for_step(program, "rules")
    file = study / "texts" / "en" / "more.md"
    before = file.read_text(encoding="utf-8")
    file.unlink() if text is None else file.write_text(text, encoding="utf-8")
    program.click("continue")
    assert "more.md" in program.wait_for("cannot_start")["text"]
    program.shoot(pictures(tmp_path) / "study-text-gone.png")

    file.write_text(before, encoding="utf-8")
    program.click("try_again")

    wait_for_step(program, "rules", 1)


def _with_wait(document: dict[str, Any]) -> None:
    only("consent", "end")(document)
    document["stages"].insert(1, {"kind": "wait", "id": "pause", "for": "experimenter"})


def test_in_full_screen_only_the_experimenters_code_ends_a_wait_and_brings_the_next_participant(
    start: START, tmp_path: Path
) -> None:
    study = write_window_study(tmp_path / "short", _with_wait)
    write_code(tmp_path / "data", "lab42")
    program = run(start, study, "--full-screen", "--code", "P-01")
    consent(program)
    wait_for_step(program, "pause")
    program.close_window()
    program.wait_for("stays_open")
    program.click("experimenter")
    program.wait_for("dialog_open")
    program.types("wrong")
    program.press("Return")
    program.wait_for("wrong_code")
    program.shoot(pictures(tmp_path) / "study-experimenter.png")
    program.types("lab42")
    program.press("Return")
    wait_for_step(program, "end")
    program.click("continue")
    program.wait_for("visit_over")
    program.click("next_participant")
    program.wait_for("dialog_open")
    program.types("lab42")
    program.press("Return")
    program.wait_for("code_screen")
    program.close_window()
    program.wait_for("stays_open")

    (record,) = visits(program)
    assert kinds(record).count("RELEASED") == 1


def _in_two_languages(document: dict[str, Any]) -> None:
    only("consent", "end")(document)
    document["languages"] = ["en", "de"]
    document["title"] = {"en": "A short study", "de": "Eine kurze Studie"}


GERMAN = {
    "consent.md": "# Willkommen\n\n- [ ] age: Ich bin mindestens 18 Jahre alt.\n",
    "goodbye.md": "Danke trotzdem.\n",
    "thanks.md": "Danke.\n",
}


def test_a_visit_is_in_the_language_that_was_chosen_with_the_code(start: START, tmp_path: Path) -> None:
    study = write_window_study(tmp_path / "short", _in_two_languages, german=GERMAN)
    program = run(start, study)
    program.wait_for("code_screen")
    program.click("language.de")
    program.wait_for("code_screen")
    type_code(program, "P-01")
    consent(program)
    wait_for_step(program, "end")
    program.shoot(pictures(tmp_path) / "study-german.png")
    program.click("continue")
    program.wait_for("visit_over")
    program.click("next_participant")
    program.wait_for("code_screen")

    (record,) = visits(program)
    assert record.header.language == "de"


def _with_help(document: dict[str, Any]) -> None:
    only("consent", "rules", "practice", "end")(document)
    document["help_button"] = True
    stage(document, "practice").update(briefing=True, title="A first try")


def test_a_question_reaches_the_experimenter_also_in_a_game_and_a_visit_can_be_ended_where_it_is(
    start: START, tmp_path: Path
) -> None:
    shots = pictures(tmp_path)
    study = write_window_study(tmp_path / "short", _with_help)
    program = run(start, study, "--code", "P-01")
    consent(program)
    for page in (0, 1):
        wait_for_step(program, "rules", page)
        program.click("continue")
    program.wait_for("noted", text="A first try")
    program.click("rules.ask")
    program.wait_for("dialog_open")
    program.types("What is a point?")
    program.press("Return")
    program.wait_for("noted")
    program.shoot(shots / "study-game-rules.png")
    program.click("begin")
    program.wait_for("shown", type="GAME_START")
    program.shoot(shots / "study-game-asked.png")
    program.walk_away()
    program.wait_for("ended")
    program.click("done")
    wait_for_step(program, "end")
    program.click("experimenter")
    program.wait_for("dialog_open")
    program.shoot(shots / "study-experimenter-asked.png")
    program.click("dialog.further")
    program.wait_for("dialog_open")
    program.shoot(shots / "study-end-visit.png")
    program.click("dialog.yes")
    program.wait_for("visit_over", how="aborted")
    program.shoot(shots / "study-aborted.png")
    program.click("next_participant")
    program.wait_for("code_screen")

    (record,) = visits(program)
    assert kinds(record)[-1] == "VISIT_ENDED"
    assert [event.text for event in record.events if isinstance(event, HelpAsked)] == ["What is a point?"]


@pytest.mark.parametrize("arguments", [("--language", "de"), ()])
def test_a_visit_begins_in_the_language_of_the_command_or_else_of_the_window(
    start: START, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    study = write_window_study(tmp_path / "short", _in_two_languages, german=GERMAN)
    if not arguments:
        write_appearance(tmp_path / "data", Appearance(language="de"))
    program = run(start, study, "--code", "P-01", *arguments)
    wait_for_step(program, "consent")

    (record,) = visits(program)
    assert record.header.language == "de"
