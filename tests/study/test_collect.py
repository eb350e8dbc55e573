"""Collecting the data of several computers: what is copied, and what is named."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from negoplatform.app.study.collect import CollectedStudy, collect
from negoplatform.app.study.collection_check import CollectionFindingKind
from negoplatform.app.study.forget import RENAMED, prepare_forgetting
from negoplatform.app.study.study_data import StudyData, read_days
from negoplatform.app.study.study_folder import load_study
from negoplatform.cli.main import cli
from negoplatform.eventlog.reader import LONGEST_HEADER
from tests.study.played_visits import Played, played_visit
from tests.study.studies import small_study, write_study


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """Return a visit with real sessions, which is copied for the tests."""
    return played_visit(small_study(tmp_path_factory.mktemp("played")))


@pytest.fixture
def computers(tmp_path: Path, played: Played) -> Path:
    """Return a folder with the data folders of pc01, which has the visit of P-01, and pc02, without any."""
    shutil.copytree(played.data_dir, tmp_path / "pc01")
    (tmp_path / "pc02" / "study_data" / "small-1.0.0" / "visits").mkdir(parents=True)
    return tmp_path


def add_visit(computers: Path, played: Played, code: str, station: str) -> StudyData:
    """Add another person's visit to a computer."""
    data = StudyData(computers / station / "study_data" / "small-1.0.0", False)
    played_visit(played.folder, code, station=station, data=data)
    return data


def decisions(found: list[CollectedStudy]) -> list[str]:
    return [
        finding.text
        for one in found
        for finding in one.findings
        if finding.kind is CollectionFindingKind.DECISION
    ]


def notes(found: list[CollectedStudy]) -> str:
    return "\n".join(
        finding.text
        for one in found
        for finding in one.findings
        if finding.kind is CollectionFindingKind.NOTE
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_visits_and_sessions_of_all_computers_are_copied_and_the_sources_stay_as_they_are(
    computers: Path, played: Played
) -> None:
    add_visit(computers, played, "P-02", "pc02")
    before = contents(computers)

    found = collect([computers / "pc01", computers / "pc02"], computers / "all")

    assert decisions(found) == []
    root = computers / "all" / "study_data" / "small-1.0.0"
    copied = contents(root)
    for name in ("pc01", "pc02"):
        source = contents(computers / name / "study_data" / "small-1.0.0")
        logs = {path: data for path, data in source.items() if path.split("/")[0] in ("visits", "sessions")}
        assert logs.items() <= copied.items()
        assert len([path for path in logs if path.startswith("sessions")]) == 3
    assert {path: data for path, data in contents(computers).items() if path in before} == before
    content = json.loads((root / "collection.json").read_text(encoding="utf-8"))
    assert [(visit["code"], visit["station"]) for visit in content["visits"]] == [
        ("P-01", "pc01"),
        ("P-02", "pc02"),
    ]


def test_a_second_collection_changes_nothing_and_says_nothing_new(computers: Path) -> None:
    collect([computers], computers / "all")
    before = contents(computers / "all")

    found = collect([computers], computers / "all")

    assert (found[0].visits, found[0].sessions, found[0].findings) == (0, 0, [])
    after = contents(computers / "all")
    assert {path for path in before if before[path] != after[path]} == {
        "study_data/small-1.0.0/collection.json"
    }
    assert before.keys() == after.keys()


def test_an_equal_copy_of_a_visit_is_kept_once_and_named(computers: Path) -> None:
    shutil.copytree(computers / "pc01", computers / "stick")

    found = collect([computers / "pc01", computers / "stick"], computers / "all")

    assert decisions(found) == []
    assert "is in" in notes(found)
    assert len(list((found[0].root / "visits").iterdir())) == 1


def test_a_visit_that_went_on_since_the_last_collection_replaces_its_copy(computers: Path) -> None:
    log = next((computers / "pc01").glob("study_data/*/visits/*/visit.jsonl"))
    whole = log.read_bytes()
    log.write_bytes(b"".join(whole.splitlines(keepends=True)[:6]))
    collect([computers / "pc01"], computers / "all")
    log.write_bytes(whole)

    found = collect([computers / "pc01"], computers / "all")

    copy = next((computers / "all").glob("study_data/*/visits/*/visit.jsonl"))
    assert copy.read_bytes() == whole
    assert found[0].visits == 1
    assert decisions(found) == []


def test_two_different_logs_of_one_visit_are_both_kept_and_named(computers: Path) -> None:
    shutil.copytree(computers / "pc01", computers / "stick")
    log = next((computers / "stick").glob("study_data/*/visits/*/visit.jsonl"))
    log.write_bytes(log.read_bytes().replace(b'"en"', b'"de"', 1))

    for _ in range(2):
        found = collect([computers / "pc01", computers / "stick"], computers / "all")

        assert any("differs" in text and "both are kept" in text for text in decisions(found))
        kept = list((computers / "all").rglob("visit.jsonl"))
        assert sorted(path.read_bytes() for path in kept) == sorted(
            path.read_bytes()
            for path in computers.glob("*/study_data/*/visits/*/visit.jsonl")
            if path not in kept
        )


def test_a_code_on_two_computers_is_named_with_both(computers: Path, played: Played) -> None:
    add_visit(computers, played, "P-01", "pc02")

    (text,) = decisions(collect([computers / "pc01", computers / "pc02"], computers / "all"))

    assert text.startswith("The code P-01 was used more than once")
    assert "pc01" in text
    assert "pc02" in text


def test_a_missing_session_and_one_without_a_visit_are_named(computers: Path, played: Played) -> None:
    sessions = sorted((computers / "pc01").glob("study_data/*/sessions/*"))
    shutil.rmtree(sessions[0])
    other = add_visit(computers, played, "P-02", "pc02")
    shutil.rmtree(other.visits)
    other.visits.mkdir()

    texts = decisions(collect([computers / "pc01", computers / "pc02"], computers / "all"))

    assert sum("which is not here" in text for text in texts) == 1
    assert sum("belongs to no visit" in text for text in texts) == 3


def test_a_session_that_was_replaced_by_another_sound_log_is_found_by_its_last_hash(computers: Path) -> None:
    log = next((computers / "pc01").glob("study_data/*/sessions/*/events.jsonl"))
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))

    (text,) = decisions(collect([computers / "pc01"], computers / "all"))

    assert "their last hashes differ" in text


@pytest.mark.parametrize(
    ("pattern", "what"), [("visits/*/visit.jsonl", "visit"), ("sessions/*/events.jsonl", "session")]
)
def test_damaged_logs_are_kept_and_named(computers: Path, pattern: str, what: str) -> None:
    log = next((computers / "pc01").glob(f"study_data/*/{pattern}"))
    damaged = log.read_bytes().replace(b'"t":', b'"t": ', 1)
    log.write_bytes(damaged)

    texts = decisions(collect([computers / "pc01"], computers / "all"))

    assert any(text.startswith(f"A damaged {what} was kept") for text in texts)
    assert damaged in contents(computers / "all").values()


def test_test_visits_are_left_out_and_counted(computers: Path) -> None:
    shutil.copytree(computers / "pc01" / "study_data", computers / "pc01" / "rehearsals")

    found = collect([computers / "pc01"], computers / "all")

    assert "Test visits left out: 1." in notes(found)
    assert len(list((computers / "all").rglob("visit.jsonl"))) == 1


def test_people_who_declined_are_added_up_once(computers: Path) -> None:
    for name, count in (("pc01", 2), ("pc02", 1)):
        data = StudyData(computers / name / "study_data" / "small-1.0.0", False)
        for _ in range(count):
            data.count_declined()

    for _ in range(2):
        found = collect([computers / "pc01", computers / "pc02"], computers / "all")

    assert len(read_days(found[0].root / "declined.csv")) == 3


def test_mixed_versions_and_contents_of_the_study_are_named(computers: Path, played: Played) -> None:
    changed = computers / "changed"
    for name, change in (("same", {"contact": "lab@example.org"}), ("next", {"version": "1.1.0"})):
        folder = load_study(write_study(changed / name, lambda d, c=change: d.update(c)), computers)  # type: ignore[misc]
        data = StudyData(computers / "pc02" / "study_data" / folder.study.label, False)
        played_visit(folder, "P-05", station="pc02", data=data)

    texts = decisions(collect([computers / "pc01", computers / "pc02"], computers / "all"))

    assert any("differs between computers" in text for text in texts)
    assert any("several versions of small: 1.0.0, 1.1.0" in text for text in texts)


def test_a_clock_that_was_set_is_named(computers: Path, played: Played) -> None:
    played_visit(
        played.folder,
        "P-03",
        station="pc02",
        data=StudyData(computers / "pc02" / "study_data" / "small-1.0.0", False),
        seconds_per_act=400,
    )

    found = collect([computers / "pc02"], computers / "all")

    assert "The clock on pc02 jumped by -" in notes(found)


def test_planned_codes_without_a_visit_are_named(computers: Path, played: Played) -> None:
    def with_codes(document: dict[str, object]) -> None:
        document["codes"] = {"from": "codes.csv", "reuse": "refuse"}

    root = write_study(computers / "listed", with_codes)
    (root / "codes.csv").write_text("code\nP-01\nP-02\nP-03\n", encoding="utf-8")
    folder = load_study(root, computers)

    found = collect([computers / "pc01"], computers / "all", folder)

    assert "Planned codes without a visit: P-02, P-03." in notes(found)


def test_the_command_says_what_was_found_and_its_exit_code_asks_for_a_decision(
    computers: Path, played: Played
) -> None:
    arguments = ["study", "collect", str(computers / "pc01"), str(computers / "pc02"), "--into"]
    fine = CliRunner().invoke(cli, [*arguments, str(computers / "all")])
    add_visit(computers, played, "P-01", "pc02")
    bad = CliRunner().invoke(cli, [*arguments, str(computers / "all")])

    assert (fine.exit_code, bad.exit_code) == (0, 1)
    assert "1 visit in" in fine.output
    assert "decision The code P-01" in bad.output


def test_collected_data_can_be_exported(computers: Path, played: Played) -> None:
    add_visit(computers, played, "P-02", "pc02")
    collect([computers / "pc01", computers / "pc02"], computers / "all")

    result = CliRunner().invoke(
        cli,
        [
            *("study", "export", str(played.folder.root), "--from", str(computers / "all")),
            *("--out", str(computers / "tables"), "--data-dir", str(played.folder.data_dir)),
        ],
    )

    assert result.exit_code == 0, result.output
    assert "2 visits and 6 sessions" in result.output


def test_an_export_names_a_session_that_is_not_the_one_of_its_visit(computers: Path, played: Played) -> None:
    collect([computers / "pc01"], computers / "all")
    log = next((computers / "all").glob("study_data/*/sessions/*/events.jsonl"))
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))

    result = CliRunner().invoke(
        cli,
        [
            *("study", "export", str(played.folder.root), "--from", str(computers / "all")),
            *("--out", str(computers / "tables"), "--data-dir", str(played.folder.data_dir)),
        ],
        standalone_mode=False,
    )

    assert "their last hashes differ" in result.output
    assert result.return_value == 1


def test_a_folder_without_data_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()

    result = CliRunner().invoke(
        cli, ["study", "collect", str(tmp_path / "empty"), "--into", str(tmp_path / "all")]
    )

    assert result.exit_code != 0
    assert "There is no data of a study in" in str(result.exception)


def test_a_person_who_was_forgotten_in_a_collection_is_not_collected_again(
    computers: Path, played: Played
) -> None:
    add_visit(computers, played, "P-02", "pc02")
    root = collect([computers / "pc01", computers / "pc02"], computers / "all")[0].root
    prepare_forgetting([computers / "all"], "P-01").carry_out()

    found = collect([computers / "pc01", computers / "pc02"], computers / "all")

    assert [path.name[:4] for path in (root / "visits").iterdir()] == ["P-02"]
    assert len(list((root / "sessions").iterdir())) == 3
    assert found[0].visits == found[0].sessions == 0
    (text,) = decisions(found)
    assert f"has a visit in {computers / 'pc01'}" in text
    assert played.visit not in (root / "collection.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [0, 40])
def test_a_visit_whose_program_was_killed_before_it_began_is_no_damaged_one(
    computers: Path, played: Played, size: int
) -> None:
    data = add_visit(computers, played, "P-02", "pc01")
    log = next(data.visits.glob("P-02-*")) / "visit.jsonl"
    log.write_bytes(log.read_bytes()[:size])

    found = collect([computers / "pc01"], computers / "all")

    assert [record.header.code for record in data.records()] == ["P-01"]  # type: ignore[union-attr]
    assert not any("damaged" in text for text in decisions(found))


def test_a_visit_without_a_line_break_that_is_longer_than_any_first_line_is_a_damaged_one(
    computers: Path, played: Played
) -> None:
    data = add_visit(computers, played, "P-02", "pc01")
    (next(data.visits.glob("P-02-*")) / "visit.jsonl").write_bytes(bytes(LONGEST_HEADER + 1))

    found = collect([computers / "pc01"], computers / "all")

    assert len(list(data.records())) == 2
    assert any("A damaged visit was kept" in text for text in decisions(found))


def test_what_a_deletion_left_at_its_end_is_neither_data_nor_collected(
    computers: Path, played: Played
) -> None:
    data = add_visit(computers, played, "P-02", "pc01")
    visit = next(data.visits.glob("P-02-*"))
    visit.rename(visit.with_name(f"{RENAMED}0123"))

    found = collect([computers / "pc01"], computers / "all")

    assert [path.name[:4] for path in (found[0].root / "visits").iterdir()] == ["P-01"]
    assert [record.header.code for record in data.records()] == ["P-01"]  # type: ignore[union-attr]
    assert data.visits_of("P-02") == []
