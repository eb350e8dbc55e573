"""Parts of a visit that the window needs: time limits, drafts, calls, and the list of studies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study.participant_code import look_up_code
from negoplatform.app.study.study_archive import STUDIES, freeze_study, install_study
from negoplatform.app.study.study_data import study_data
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.app.study.study_list import (
    cell_counts,
    check_station,
    keep_station,
    list_studies,
    read_station,
    remember_folder,
    study_of,
    trust_files,
    unfinished_visits,
    untrusted_files,
)
from negoplatform.app.visit.step_call import call_program, call_url, cell_token
from negoplatform.app.visit.visit_drafts import VisitDrafts
from negoplatform.app.visit.visit_run import GivenAnswer, VisitRun
from negoplatform.core.events import EndedBy
from negoplatform.domain.errors import InputFileError, NegoError, Refused
from negoplatform.eventlog.visit_log import VisitRecord
from negoplatform.gui.shell.studies_controller import launched_study
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.start.launch_options import StudyLaunch
from negoplatform.study.visit_events import StageLeft
from tests.study.studies import Change, small_study, stage, write_study
from tests.study.visits import begin, finish


def keep(*names: str) -> Change:
    """Return a change that keeps these stages only."""

    def change(document: dict[str, Any]) -> None:
        document["stages"] = [one for one in document["stages"] if one["id"] in names]
        document["design"].pop("within")
        document.pop("payment")

    return change


def at_form(folder: Path) -> VisitRun:
    """Return a visit at the form with two questions on two pages."""

    def change(document: dict[str, Any]) -> None:
        keep("consent", "about", "end")(document)
        stage(document, "about")["per_page"] = 1

    run = begin(small_study(folder, change))
    run.consent(["age", "data"])
    return run


def test_when_time_is_out_what_the_form_accepts_is_recorded_and_the_next_page_follows(tmp_path: Path) -> None:
    run = at_form(tmp_path)

    run.time_out("go_on", [GivenAnswer("age", 44)])

    assert run.state.answers_of("about") == {"age": 44}
    assert run.state.screen == ("form", "about", 1)
    assert run.state.flags == (("about", "timeout"),)


def test_when_time_is_out_an_answer_that_does_not_fit_is_left_out(tmp_path: Path) -> None:
    run = at_form(tmp_path)

    run.time_out("go_on", [GivenAnswer("age", 3)])
    run.time_out("go_on", [])

    assert run.state.answers_of("about") == {}
    assert run.state.screen[:2] == ("end", "end")
    assert run.state.value_of("about.timed_out") is True


def test_a_time_limit_that_only_flags_changes_nothing_else_and_flags_once(tmp_path: Path) -> None:
    run = at_form(tmp_path)

    run.time_out("flag", [GivenAnswer("age", 44)])
    run.time_out("flag")

    assert run.state.screen == ("form", "about", 0)
    assert run.state.answers_of("about") == {}
    assert run.state.flags == (("about", "timeout"),)


def test_without_consent_a_time_limit_ends_the_visit(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))

    run.time_out("go_on")

    assert run.state.ended == "aborted"


def test_the_time_without_the_focus_is_recorded_with_the_step(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))
    run.take_hidden_ms = lambda: 1500

    run.consent(["age", "data"])

    (record,) = run.data.records()
    assert isinstance(record, VisitRecord)
    assert [event.hidden_ms for event in record.events if isinstance(event, StageLeft)] == [1500]


def test_a_failure_of_the_agent_is_flagged_and_the_visit_goes_on(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path, keep("consent", "practice", "end")))
    run.consent(["age", "data"])
    run.open_session("s1", "folder")

    run.close_session("s1", last_hash="0" * 64, ended_by=EndedBy.AGENT_FAILURE, points=None, agreement=False)

    assert run.state.flags == (("practice", "agent_failure"),)
    assert run.state.screen[:2] == ("end", "end")


def test_drafts_of_all_pages_of_a_step_are_there_after_a_restart(tmp_path: Path) -> None:
    drafts = VisitDrafts(tmp_path)
    drafts.save("about", 0, {"age": 30})
    drafts.save("about", 1, {"work": "bäcker \ud800"})

    again = VisitDrafts(tmp_path)

    assert again.load("about", 0) == {"age": 30}
    assert again.load("about", 1) == {"work": "bäcker ?"}
    assert again.load("other", 0) == {}


def test_a_draft_of_the_next_step_replaces_those_of_the_one_before(tmp_path: Path) -> None:
    drafts = VisitDrafts(tmp_path)
    drafts.save("about", 0, {"age": 30})

    drafts.save("svi", 0, {"i1": 3})

    assert VisitDrafts(tmp_path).load("about", 0) == {}


@pytest.mark.parametrize("content", ["", "{", '{"step": 3, "pages": {}}', "[1]"])
def test_a_damaged_draft_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "draft.json").write_text(content, encoding="utf-8")

    assert VisitDrafts(tmp_path).load("about", 0) == {}


def at_call(folder: Path, **call: Any) -> VisitRun:
    """Return a visit at a call."""

    def change(document: dict[str, Any]) -> None:
        keep("consent", "end")(document)
        document["stages"].insert(1, {"kind": "call", "id": "task", **call})

    run = begin(small_study(folder, change))
    run.consent(["age", "data"])
    return run


def test_a_page_gets_the_code_and_a_token_that_does_not_name_the_cell(tmp_path: Path) -> None:
    run = at_call(tmp_path, url="https://example.org/?c={code}&t={cell_token}&v={visit}")
    state = run.state

    url = call_url(state.step.stage, state)  # type: ignore[union-attr,arg-type]

    assert url == f"https://example.org/?c=P-01&t={cell_token(state)}&v={state.header.visit}"
    assert len(cell_token(state)) == 8
    assert not any(level in url for level in state.assigned.cell.values())  # type: ignore[union-attr]


def test_a_program_of_the_study_is_named_by_its_full_path(tmp_path: Path) -> None:
    run = at_call(tmp_path, program=["task.sh", "{code}"])
    (run.folder.root / "task.sh").write_text("exit 0\n")

    arguments = call_program(run.step.stage, run.state, run.folder)  # type: ignore[arg-type]

    assert arguments == [str((run.folder.root / "task.sh").resolve()), "P-01"]


def test_a_program_elsewhere_is_no_file_of_the_study_even_if_its_name_lacks_the_drive(tmp_path: Path) -> None:
    elsewhere = tmp_path / "task.sh"
    elsewhere.write_text("exit 0\n")
    run = at_call(tmp_path, program=[elsewhere.as_posix().removeprefix(elsewhere.drive), "{code}"])

    frozen, _ = freeze_study(run.folder)

    arguments = call_program(run.step.stage, run.state, frozen)  # type: ignore[arg-type]

    assert arguments == [str(elsewhere.resolve()), "P-01"]


def test_only_a_word_of_the_study_brings_a_participant_back(tmp_path: Path) -> None:
    run = at_call(tmp_path, url="https://example.org", returns="word", words=["Orange", "Plum"])

    with pytest.raises(Refused, match="not the word"):
        run.return_from_call(word="apple")
    with pytest.raises(Refused, match="not the word"):
        run.return_from_call(word=" ")
    run.return_from_call(word=" plum ")

    assert run.state.value_of("task.word") == "Plum"


def test_a_program_whose_exit_code_counts_has_to_end_first(tmp_path: Path) -> None:
    run = at_call(tmp_path, program=["task"], returns="exit_code")

    with pytest.raises(Refused, match="finish the other program"):
        run.return_from_call()
    run.return_from_call(exit_code=2)

    assert run.state.value_of("task.exit_code") == 2


def test_in_a_test_a_code_can_be_used_again(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    data = study_data(folder, folder.data_dir, is_test=True)
    finish(begin(folder, data=data))

    known = look_up_code(folder, data, "P-01")

    assert len(known.earlier) == 1


def test_visits_that_were_not_finished_are_found_with_their_study(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    remember_folder(folder.data_dir, folder.root)
    finish(begin(folder, "P-01"))
    left = begin(folder, "P-02")
    left.close()

    (found,) = unfinished_visits(folder.data_dir)
    studies = list_studies(folder.data_dir, pytest.fail)

    assert (found.header.code, found.step) == ("P-02", "consent")
    listed = study_of(found, studies)
    assert listed is not None
    assert listed.root.resolve() == folder.root.resolve()


def test_a_visit_that_a_window_is_writing_is_not_offered(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))

    assert unfinished_visits(run.folder.data_dir) == []
    run.close()


def test_participants_are_counted_by_cell(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    finish(begin(folder, "P-01"))
    other = begin(folder, "P-02")
    other.consent(["age", "data"])
    other.close()

    counts = cell_counts(folder, study_data(folder, folder.data_dir, is_test=False))

    assert sum(one.begun for one in counts) == 2
    assert sum(one.finished for one in counts) == 1
    assert [one.cell for one in counts] == ["happy-tough", "happy-soft", "angry-tough", "angry-soft"]


def with_agent(folder: Path) -> StudyFolder:
    """Return a study with a program of its own."""
    study = small_study(folder)
    (study.root / "agents").mkdir()
    (study.root / "agents" / "own.py").write_text("x = 1\n", encoding="utf-8")
    return study


def test_programs_of_a_study_are_trusted_by_their_content(tmp_path: Path) -> None:
    folder = with_agent(tmp_path)
    (file,) = untrusted_files(folder, pytest.fail)

    trust_files(folder.data_dir, [file], pytest.fail)

    assert untrusted_files(folder, pytest.fail) == ()
    (folder.root / "agents" / "own.py").write_text("x = 2\n", encoding="utf-8")
    assert len(untrusted_files(folder, pytest.fail)) == 1


def test_a_study_that_cannot_be_read_is_listed_with_the_reason(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    remember_folder(tmp_path / "data", root)
    (root / "study.json").write_text("{", encoding="utf-8")

    listed = list_studies(tmp_path / "data", pytest.fail)[0]

    assert listed.root == root.resolve()
    assert listed.folder is None
    assert "study.json" in listed.problem


def test_a_computer_has_a_name_that_is_safe_in_a_path(tmp_path: Path) -> None:
    assert check_station(read_station(tmp_path).station)
    for name in ("", "../x", "a b", "x" * 41):
        with pytest.raises(NegoError, match="name of a computer"):
            check_station(name)


def test_programs_and_texts_of_a_frozen_study_are_used_only_as_they_were_frozen(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")
    (root / "agents").mkdir()
    own = root / "agents" / "own.py"
    own.write_text(OWN_AGENT, encoding="utf-8")
    folder, _ = freeze_study(load_study(root, tmp_path / "data"))
    assert folder.agent("own").name
    assert folder.text("debrief.md", "en")

    own.write_text(OWN_AGENT + "x = 2\n", encoding="utf-8")
    folder.text_path("debrief.md", "en").write_text("Other words.\n", encoding="utf-8")

    with pytest.raises(InputFileError, match="was changed while the study is open"):
        folder.agent("own")
    with pytest.raises(InputFileError, match="was changed while the study is open"):
        folder.text("debrief.md", "en")
    own.write_text(OWN_AGENT, encoding="utf-8")
    (root / "agents" / "helper.py").write_text("y = 1\n", encoding="utf-8")
    with pytest.raises(InputFileError, match=r"helper\.py"):
        folder.agent("own")


def test_a_study_that_is_not_frozen_can_be_edited_while_it_is_tried_out(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    folder.text_path("debrief.md", "en").write_text("Other words.\n", encoding="utf-8")

    assert folder.text("debrief.md", "en")[0].plain == "Other words."


OWN_AGENT = """from negoplatform.agent_api import NegotiationAgent


class Own(NegotiationAgent):
    pass
"""


def test_the_name_of_this_computer_that_was_given_last_is_kept(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")

    launched_study(StudyLaunch(root, station="pc02", is_test=True), tmp_path / "data")
    assert read_station(tmp_path / "data").station == "pc02"
    keep_station(tmp_path / "data", " pc03 ")

    assert read_station(tmp_path / "data").station == "pc03"
    assert read_station(tmp_path / "data").folders == [str(root.resolve())]


def test_a_language_that_the_study_does_not_have_is_refused(tmp_path: Path) -> None:
    root = write_study(tmp_path / "small")

    with pytest.raises(NegoError, match="no texts in the language 'de'; choose en"):
        launched_study(StudyLaunch(root, is_test=True, language="de"), tmp_path / "data")


def test_a_shipped_study_that_is_installed_unchanged_is_listed_once(tmp_path: Path) -> None:
    shipped = len(list_studies(tmp_path / "data", pytest.fail))
    install_study(bundled(STUDIES) / "anger_2x2", tmp_path / "data")

    listed = list_studies(tmp_path / "data", pytest.fail)

    assert len(listed) == shipped
    assert listed[0].root.parent == tmp_path / "data" / STUDIES
