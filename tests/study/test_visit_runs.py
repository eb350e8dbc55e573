"""Visits: their steps, their logs, and what is left of them after the program is killed."""

from __future__ import annotations

import itertools
import json
import shutil
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from negoplatform.app.study.participant_code import look_up_code
from negoplatform.app.study.study_check import check_study
from negoplatform.app.study.study_data import study_data
from negoplatform.app.visit.step_games import step_game
from negoplatform.app.visit.visit_drafts import ELAPSED, VisitDrafts
from negoplatform.app.visit.visit_run import LONGEST_TYPED, GivenAnswer, VisitRun
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitRecord, read_visit, replay_visit
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_events import Answered, Assigned, Declined, Flagged, StageEntered, StageLeft
from negoplatform.study.visit_state import VisitState
from tests.study.studies import small_study, stage
from tests.study.visits import act, begin, finish


def test_the_small_study_has_no_errors(tmp_path: Path) -> None:
    findings = check_study(small_study(tmp_path))

    assert [finding.text for finding in findings if finding.kind.value == "error"] == []


def test_a_visit_goes_through_all_steps_to_the_end(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    run = finish(begin(folder))

    entered = [event.step for event in read_visit(run._log.path).events if isinstance(event, StageEntered)]
    assert run.state.ended == "finished"
    assert run.state.assigned is not None
    assert entered == run.state.assigned.steps
    assert run.state.paid is not None


def test_the_assignment_is_recorded_before_the_first_screen_after_consent(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    assert run.state.assigned is None

    run.consent(["age", "data"])

    kinds = [event.type for event in read_visit(run._log.path).events]
    assert kinds == ["VISIT_BEGUN", "STAGE_ENTERED", "CONSENTED", "STAGE_LEFT", "ASSIGNED", "STAGE_ENTERED"]


def test_a_visit_resumes_on_the_same_screen_wherever_it_is_cut_off(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    data = study_data(folder, folder.data_dir, is_test=False)
    log = finish(begin(folder), seed=4)._log.path
    record, lines = read_visit(log), log.read_bytes().splitlines(keepends=True)
    # The screens on which the participant was waited for, each with the number of the first event after it.
    stops: list[tuple[int, VisitState]] = []
    watched = begin(folder, "P-01", data=study_data(folder, tmp_path / "again", is_test=False))
    rng = Random(4)
    while watched.state.ended is None:
        stops.append((watched.state.n, watched.state))
        act(watched, rng)
    watched.close()
    assert [type(event) for event in record.events] == [type(e) for e in read_visit(watched._log.path).events]

    for count in range(2, len(lines)):
        cut = tmp_path / f"cut{count}"
        cut.mkdir()
        (cut / VISIT_LOG_NAME).write_bytes(b"".join(lines[:count]) + lines[count][: len(lines[count]) // 2])
        events = count - 1  # the first line is the header
        expected = next((state for n, state in stops if n >= events), None)
        last = record.events[events - 1]
        # Between two answers, the form comes back with those that are recorded.
        in_form = isinstance(last, Answered) or (isinstance(last, Flagged) and last.what == "answers")

        run = VisitRun.resume(folder, data, cut)

        if expected is not None and not in_form:
            assert run.state.screen == expected.screen
            assert run.state.answers == expected.answers
            assert run.state.attempts == expected.attempts
        if isinstance(last, Answered | Flagged) and in_form:
            assert run.step.id == last.step
        before = replay_visit(folder.study, VisitRecord(cut, record.header, record.events[:events], ""))
        assert before.answers.items() <= run.state.answers.items()
        if before.assigned is not None:
            assert run.state.assigned == before.assigned
        assert finish(run).state.ended == "finished"
        shutil.rmtree(cut)


def test_a_visit_that_is_cut_off_and_resumed_is_assigned_as_it_would_have_been(tmp_path: Path) -> None:
    folder = small_study(tmp_path, lambda study: study["design"].update(assign="station_blocks"))
    data = study_data(folder, folder.data_dir, is_test=False)
    run = begin(folder)
    run.consent(["age", "data"])
    assigned, path = run.state.assigned, run._log.path
    run.close()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-2]))

    again = VisitRun.resume(folder, data, path.parent)

    assert assigned is not None
    assert again.state.assigned is not None
    assert again.state.assigned.model_copy(update={"n": 0, "t": 0.0, "t_utc": ""}) == assigned.model_copy(
        update={"n": 0, "t": 0.0, "t_utc": ""}
    )


def test_a_changed_line_is_named(tmp_path: Path) -> None:
    log = finish(begin(small_study(tmp_path)))._log.path
    lines = log.read_bytes().splitlines(keepends=True)
    lines[4] = lines[4].replace(b'"t_utc":"2', b'"t_utc":"3')
    log.write_bytes(b"".join(lines))

    with pytest.raises(InputFileError, match=r"line 5: this line, or one before it, was changed"):
        read_visit(log)


def test_a_person_who_declines_leaves_nothing_but_a_count(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)

    run.decline()

    data = study_data(folder, folder.data_dir, is_test=False)
    assert list(data.visits.iterdir()) == []
    lines = (data.root / "declined.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "date"
    assert len(lines) == 2
    assert Declined.__name__ not in str(list(data.root.rglob("*")))


def test_a_person_who_declined_is_removed_also_if_the_program_was_killed(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    data = study_data(folder, folder.data_dir, is_test=False)
    run = begin(folder)
    run._write(Declined, step=run.step.id)
    path = run._log.path.parent
    run.close()

    VisitRun.resume(folder, data, path)

    assert list(data.visits.iterdir()) == []
    assert (data.root / "declined.csv").exists()


def test_the_time_of_a_step_includes_the_time_before_an_interruption(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    data = study_data(folder, folder.data_dir, is_test=False)
    known = look_up_code(folder, data, "P-01")
    now = [0.0]
    run = VisitRun.begin(folder, data, known, station="", language="en", clock=lambda: now[0])
    now[0] = 5.0
    run.ask_for_help("Which year?")
    run.close()

    again = VisitRun.resume(folder, data, run._log.path.parent, clock=lambda: now[0])
    now[0] = 8.0
    again.consent(["age", "data"])

    left = next(e for e in read_visit(again._log.path).events if isinstance(e, StageLeft))
    assert left.ms == 8000


def test_the_time_of_a_form_is_never_less_than_that_of_an_answer_before_a_kill(tmp_path: Path) -> None:
    def only_a_form(document: dict[str, Any]) -> None:
        document["stages"] = [document["stages"][0], stage(document, "about"), document["stages"][-1]]
        document.pop("payment")

    now = [0.0]
    folder = small_study(tmp_path, only_a_form)
    data = study_data(folder, folder.data_dir, is_test=False)
    known = look_up_code(folder, data, "P-01")
    run = VisitRun.begin(folder, data, known, station="", language="en", clock=lambda: now[0])
    run.consent(["age", "data"])
    VisitDrafts(run.path.parent).save("about", 0, {"age": 30, ELAPSED: 60_000})
    run.close()

    now[0] = 1000.0
    again = VisitRun.resume(folder, data, run.path.parent, clock=lambda: now[0])
    now[0] = 1002.0
    again.answer_page([GivenAnswer("age", 30, 58_000), GivenAnswer("work", "none", 99_000)])

    events = read_visit(again.path).events
    (left,) = [e for e in events if isinstance(e, StageLeft) and e.step == "about"]
    assert left.ms == 62_000
    assert [e.ms for e in events if isinstance(e, Answered)] == [58_000, 62_000]


def test_the_time_of_a_game_includes_what_was_played_before_a_kill(tmp_path: Path) -> None:
    def only_a_game(document: dict[str, Any]) -> None:
        document["stages"] = [document["stages"][0], stage(document, "practice"), document["stages"][-1]]
        document["design"].pop("within")
        document.pop("payment")

    now = [0.0]
    folder = small_study(tmp_path, only_a_game)
    data = study_data(folder, folder.data_dir, is_test=False)
    known = look_up_code(folder, data, "P-01")
    run = VisitRun.begin(folder, data, known, station="", language="en", clock=lambda: now[0])
    run.consent(["age", "data"])
    if run.step.kind == "briefing":
        run.leave()
    now[0] = 10.0
    run.open_session("s1", "folder")
    log = data.sessions / "folder" / "events.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text('{"schema": "x"}\n{"t": 3.5}\n{"t": 90.25}\n{"t": 99', encoding="utf-8")
    run.close()

    again = VisitRun.resume(folder, data, run.path.parent, clock=lambda: now[0])

    assert again.state.t == 100.25


def test_all_cells_and_orders_are_used_equally(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    cells: Counter[str] = Counter()
    orders: Counter[Any] = Counter()

    for n in range(1, 17):
        run = begin(folder, f"P-{n:02}")
        run.consent(["age", "data"])
        assert run.state.assigned is not None
        cells[cell_name(run.state.assigned.cell)] += 1
        orders[cell_name(run.state.assigned.cell), tuple(run.state.assigned.orders["sequence"])] += 1
        run.close()

    assert set(cells.values()) == {4}
    assert set(orders.values()) == {2}


def test_station_blocks_balance_the_cells_of_each_computer(tmp_path: Path) -> None:
    folder = small_study(tmp_path, lambda study: study["design"].update(assign="station_blocks"))
    cells: Counter[str] = Counter()

    for n in range(8):
        run = begin(folder, f"P-{n:02}")
        run.consent(["age", "data"])
        assert isinstance(run.state.assigned, Assigned)
        cells[cell_name(run.state.assigned.cell)] += 1
        run.close()

    assert set(cells.values()) == {2}


def test_a_code_that_was_used_is_refused(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    finish(begin(folder, "P-05"))
    data = study_data(folder, folder.data_dir, is_test=False)

    with pytest.raises(Refused, match=r"already been used, on pc01 at \d\d:\d\d\. Please call"):
        look_up_code(folder, data, "p-05")


def test_the_experimenter_can_allow_a_used_code_where_the_study_says_so(tmp_path: Path) -> None:
    folder = small_study(tmp_path, lambda study: study["codes"].update(reuse="experimenter"))
    finish(begin(folder, "P-05"))
    data = study_data(folder, folder.data_dir, is_test=False)

    with pytest.raises(Refused):
        look_up_code(folder, data, "P-05")
    assert look_up_code(folder, data, "P-05", experimenter=True).earlier


def test_an_unfinished_visit_is_offered_to_its_code(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    begin(folder, "P-06").close()
    data = study_data(folder, folder.data_dir, is_test=False)

    assert look_up_code(folder, data, "P-06").unfinished is not None


@pytest.mark.parametrize("typed", ["P-1", "Q-01", "P-001", "", "P 01", "P-\u0663\u0664", "P-\uff10\uff11"])
def test_a_code_that_does_not_fit_the_pattern_is_refused(tmp_path: Path, typed: str) -> None:
    folder = small_study(tmp_path)

    with pytest.raises(Refused):
        look_up_code(folder, study_data(folder, folder.data_dir, is_test=False), typed)


def test_a_spare_code_has_the_cell_that_it_replaces(tmp_path: Path) -> None:
    folder = small_study(
        tmp_path, lambda study: study["codes"].update(replace={"angry-soft": ["S-01", "S-02"]})
    )

    run = begin(folder, "s-02")
    run.consent(["age", "data"])

    assert run.state.assigned is not None
    assert run.state.assigned.cell == {"emotion": "angry", "concession": "soft"}
    assert run.state.assigned.by == "spare"


def test_a_cell_is_closed_when_its_quota_is_reached(tmp_path: Path) -> None:
    def one_cell(study: dict[str, Any]) -> None:
        study["design"].update(quota=1)

    folder = small_study(tmp_path, one_cell)
    cells = [cell_name(finish(begin(folder, f"P-{n:02}"), n).state.assigned.cell) for n in range(4)]  # type: ignore[union-attr]

    with pytest.raises(Exception, match="All participants of this study have been found"):
        begin(folder, "P-50").consent(["age", "data"])
    assert sorted(cells) == ["angry-soft", "angry-tough", "happy-soft", "happy-tough"]


def test_an_answer_that_does_not_fit_records_nothing(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    rng = Random(3)
    while run.step.id != "about":
        act(run, rng)
    count = run.state.n

    with pytest.raises(Refused, match="at least 16"):
        run.answer_page([GivenAnswer("age", 12), GivenAnswer("work", "pupil")])

    assert run.state.n == count


def test_an_item_whose_condition_does_not_hold_is_not_asked(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    rng = Random(3)
    while run.step.id != "about":
        act(run, rng)

    run.answer_page([GivenAnswer("age", 17)])

    assert run.step.id == "svi"
    assert run.state.answers_of("about") == {"age": 17}


def test_an_answer_whose_item_is_not_asked_any_more_is_taken_back(tmp_path: Path) -> None:
    def on_two_pages(study: dict[str, Any]) -> None:
        about = stage(study, "about")
        about["per_page"] = 2
        about["items"].append({"id": "more", "ask": "Anything else?", "text": {"lines": 1}, "may_skip": True})

    run = begin(small_study(tmp_path, on_two_pages))
    rng = Random(3)
    while run.step.id != "about":
        act(run, rng)
    run.answer_page([GivenAnswer("age", 20), GivenAnswer("work", "baker")])
    run.show_page(0)

    run.answer_page([GivenAnswer("age", 17)])

    assert run.state.answers_of("about") == {"age": 17, "work": None}


def test_a_study_says_whether_the_window_of_a_game_reads_talk_and_asks_for_offers(tmp_path: Path) -> None:
    silent = {"reads_talk": False, "offer_requests": False}
    run = begin(small_study(tmp_path, lambda study: stage(study, "practice").update(silent)))
    run.consent(["age", "data"])
    steps = {step.id: step for step in run.state.steps}

    rules = step_game(run.state, run.folder, steps["practice"]).rules
    others = step_game(run.state, run.folder, steps["r.1"]).rules

    assert (rules.reads_talk, rules.offer_requests) == (False, False)
    assert (others.reads_talk, others.offer_requests) == (True, True)


def test_a_study_says_after_how_many_offers_a_game_ends(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path, lambda study: stage(study, "practice").update(offers=7)))
    run.consent(["age", "data"])
    steps = {step.id: step for step in run.state.steps}

    names = ("practice", "r.1")
    limits = [step_game(run.state, run.folder, steps[name]).rules.deadline_offers for name in names]

    assert limits == [7, None]


def test_a_guess_names_every_issue_of_the_partner_s_game(tmp_path: Path) -> None:
    guess = {"id": "order", "ask": "What mattered to {partner}?", "points_guess": {"of": "r"}}
    run = begin(small_study(tmp_path, lambda study: stage(study, "about").update(items=[guess])))
    rng = Random(3)
    while run.step.id != "about":
        act(run, rng)
    last = next(step for step in reversed(run.state.steps) if step.game is not None)
    count = len(step_game(run.state, run.folder, last).issues)

    with pytest.raises(Refused):
        run.answer_page([GivenAnswer("order", list(range(1, count)))])
    run.answer_page([GivenAnswer("order", list(range(count, 0, -1)))])

    assert run.state.answers_of("about") == {"order": list(range(count, 0, -1))}


def test_a_failed_attention_check_is_flagged(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    rng = Random(3)
    while run.step.id != "attention":
        act(run, rng)

    run.answer_page([GivenAnswer("a", 3)])

    assert ("attention", "answers") in run.state.flags


def test_a_quiz_that_was_failed_waits_for_the_experimenter(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    run.consent(["age", "data"])
    run.leave()

    for _ in range(3):
        run.try_quiz({"batna": 0, "binding": 1}, {"batna": 0, "binding": 2})

    assert run.state.help_text is not None
    with pytest.raises(Refused, match="Please call the experimenter"):
        run.try_quiz({"batna": 0, "binding": 2}, {"batna": 0, "binding": 2})
    run.release("experimenter")
    assert run.step.id == "practice"


def test_a_failed_quiz_can_lead_back_to_the_instructions(tmp_path: Path) -> None:
    def read_again(study: dict[str, Any]) -> None:
        stage(study, "quiz").update(tries=1, then={"read_again": "instructions"})

    run = begin(small_study(tmp_path, read_again))
    run.consent(["age", "data"])
    run.leave()

    run.try_quiz({"batna": 1, "binding": 2}, {"batna": 0, "binding": 2})

    assert run.step.id == "instructions"
    run.leave()
    run.try_quiz({"batna": 0, "binding": 2}, {"batna": 0, "binding": 2})
    assert run.state.value_of("quiz.tries") == 2
    assert run.state.value_of("quiz.first_try") is False


def test_rounds_stop_when_their_condition_holds(tmp_path: Path) -> None:
    def stop(study: dict[str, Any]) -> None:
        stage(study, "r")["stop_when"] = {"r.last.points": {"at_least": 0}}

    run = finish(begin(small_study(tmp_path, stop)))

    assert "r.1" in run.state.sessions
    assert "r.2" not in run.state.sessions
    assert ("r.2.seen", "a") not in run.state.answers


def test_answers_are_recorded_with_their_position_and_time(tmp_path: Path) -> None:
    seconds = itertools.count()
    run = finish(begin(small_study(tmp_path), clock=lambda: float(next(seconds))))

    answers = [e for e in read_visit(run._log.path).events if isinstance(e, Answered) and e.step == "svi"]
    assert [answer.position for answer in answers] == list(range(1, 17))
    assert [answer.item for answer in answers] != [f"i{n}" for n in range(1, 17)]
    assert {answer.ms for answer in answers} == {900}


def test_a_visit_of_another_version_is_not_resumed(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)
    run.close()
    other = small_study(tmp_path / "other", lambda study: study.update(version="1.0.1"))

    with pytest.raises(InputFileError, match="another version of the study"):
        VisitRun.resume(other, study_data(other, other.data_dir, is_test=False), run._log.path.parent)


def test_the_header_names_study_code_and_station(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path), "p-09")

    header = json.loads(run._log.path.read_text(encoding="utf-8").splitlines()[0])
    assert (header["study"], header["version"], header["code"], header["station"]) == (
        "small",
        "1.0.0",
        "P-09",
        "pc01",
    )


def test_a_typed_text_that_cannot_be_written_is_recorded_without_what_is_wrong(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    rng = Random(1)
    while run.step.id != "about":
        act(run, rng)

    run.ask_for_help("why\ud800\x00" + "y" * 5000)
    run.answer_page([GivenAnswer("age", 30), GivenAnswer("work", "baker \ud83d\x00\u05d0")])
    run.close()

    again = VisitRun.resume(run.folder, run.data, run.path)
    assert again.state.answers["about", "work"] == "baker ? \u05d0"
    assert again.state.help_text is not None
    assert again.state.help_text.startswith("why? y")
    assert len(again.state.help_text) == LONGEST_TYPED


@pytest.mark.parametrize("age", [10**4000, -(10**16), float("inf"), 1e300])
def test_a_number_that_no_table_keeps_is_refused(tmp_path: Path, age: float) -> None:
    def without_bounds(study: dict[str, Any]) -> None:
        stage(study, "about")["items"][0]["number"] = {"whole": False}

    run = begin(small_study(tmp_path, without_bounds))
    rng = Random(1)
    while run.step.id != "about":
        act(run, rng)

    with pytest.raises(Refused, match="type a number"):
        run.answer_page([GivenAnswer("age", age), GivenAnswer("work", "baker")])


def test_a_code_that_two_windows_look_up_at_the_same_time_begins_one_visit(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    data = study_data(folder, folder.data_dir, is_test=False)
    known = look_up_code(folder, data, "P-01")
    first = VisitRun.begin(folder, data, known, station="pc01", language="en", durable=False)

    with pytest.raises(Refused, match="in another window just now"):
        VisitRun.begin(folder, data, known, station="pc01", language="en", durable=False)

    assert [path.name for path in data.visits.iterdir()] == [first.path.parent.name]
