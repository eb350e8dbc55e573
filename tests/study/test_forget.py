"""Forgetting a person: nothing of them remains, and nothing of others is touched."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.app.session.log_proofs import LogProof, append_proof
from negoplatform.app.study import forget
from negoplatform.app.study.collect import collect
from negoplatform.app.study.forget import prepare_forgetting
from negoplatform.app.study.person_search import (
    FileTreatment,
    FoundVisit,
    PersonFiles,
    PersonNames,
    search_person,
)
from negoplatform.app.study.receipts import write_receipt
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import load_study
from negoplatform.app.support.key_value_store import KeyValueStore
from negoplatform.cli.main import cli
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.visit_log import VisitLog, read_visit, replay_visit
from negoplatform.study.assignment import withdrawal_code
from tests.study.played_visits import Played, played_visit
from tests.study.studies import small_study, write_study

MARKER = "MARKERTEXT"


def by_place(document: dict[str, Any]) -> None:
    document["design"]["assign"] = "station_blocks"


@pytest.fixture(scope="module")
def laboratory(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Played, Played]:
    """Return a data folder with the traces of P-01 and P-02, and their visits."""
    folder = small_study(tmp_path_factory.mktemp("laboratory"), by_place)
    people = [played_visit(folder, code) for code in ("P-01", "P-02")]
    for person in people:
        plant(person)
    return folder.data_dir, people[0], people[1]


def plant(person: Played) -> None:
    """Plant the code of a person and, for P-01, a marker in everything that the program writes."""
    data_dir, marker = person.data_dir, MARKER if person.code == "P-01" else "other"
    visit = next(person.data.visits.glob(f"{person.code}-*"))
    (visit / "visit.jsonl.torn-1").write_text(f"{person.code} {marker}", encoding="utf-8")
    record = read_visit(visit)
    write_receipt(person.data.payments / "receipts", replay_visit(person.folder.study, record))
    with KeyValueStore(data_dir / "store.sqlite3", print) as store:
        store.write(f"visit_draft_{person.visit}", marker * 500)
        for log in sorted(person.data.sessions.glob("*/events.jsonl")):
            session = read_log(log)
            if session.header.study is None or session.header.study.visit != person.visit:
                continue
            state = {"participant": {"code": person.code}, "draft": {"words": marker * 500}}
            store.write(f"state_{session.header.session_id}", json.dumps(state))
            append_proof(data_dir, LogProof(log, person.code, len(session.events), "0" * 64))
            (log.parent / "picture.png").write_text(marker, encoding="utf-8")
            crash = data_dir / "crashes" / f"crash-{session.header.session_id[:6]}.txt"
            crash.parent.mkdir(exist_ok=True)
            crash.write_text(f"failed: {log}\n{marker}\n", encoding="utf-8")


@pytest.fixture
def data_dir(tmp_path: Path, laboratory: tuple[Path, Played, Played]) -> Path:
    return Path(shutil.copytree(laboratory[0], tmp_path / "data"))


def contents(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def traces(folder: Path, person: Played) -> list[str]:
    """Return the files that have a name of a person or the marker, in their name or content."""
    sessions = {
        event["session"]
        for line in read_visit_lines(person)
        if (event := json.loads(line))["type"] == "SESSION_OPENED"
    }
    wanted = [person.code, person.visit, MARKER, *sessions]
    return [
        name
        for name, data in contents(folder).items()
        if any(text in name or text.encode() in data for text in wanted)
    ]


def read_visit_lines(person: Played) -> list[str]:
    log = next(person.data.visits.glob(f"{person.code}-*/visit.jsonl"))
    return log.read_text(encoding="utf-8").splitlines()[1:]


def test_nothing_of_the_person_remains_but_the_day_and_the_cell(
    data_dir: Path, laboratory: tuple[Path, Played, Played]
) -> None:
    _, person, _ = laboratory
    assert len(traces(data_dir, person)) > 10

    prepare_forgetting([data_dir], "p-01").carry_out()

    assert traces(data_dir, person) == []
    root = data_dir / "study_data" / "small-1.0.0"
    heading, line = (root / "forgotten.csv").read_text(encoding="utf-8").splitlines()
    assert heading == "date,cell,number"
    assigned = next(json.loads(line) for line in read_visit_lines(person) if '"ASSIGNED"' in line)
    assert line.split(",")[1] == "-".join(assigned["cell"].values())


def test_nothing_of_others_is_touched(data_dir: Path, laboratory: tuple[Path, Played, Played]) -> None:
    _, _, other = laboratory
    before = contents(data_dir)
    own = {
        name: data
        for name, data in before.items()
        if other.visit.encode() in data and "store" not in name and name != "proofs.txt"
    }

    prepare_forgetting([data_dir], "P-01").carry_out()

    after = contents(data_dir)
    assert {name: after.get(name) for name in own} == own
    assert len(own) > 5
    root = data_dir / "study_data" / "small-1.0.0"
    assert read_visit(next((root / "visits").glob("P-02-*"))).header.visit == other.visit
    proofs = (data_dir / "proofs.txt").read_text(encoding="utf-8").splitlines()
    assert len(proofs) == 3
    assert all("P-02" in line for line in proofs)
    with KeyValueStore(data_dir / "store.sqlite3", print) as store:
        assert len(store.read_all()) == 4


def test_the_place_of_the_person_is_not_given_to_anybody_else(
    data_dir: Path, laboratory: tuple[Path, Played, Played]
) -> None:
    prepare_forgetting([data_dir], "P-01").carry_out()

    data = StudyData(data_dir / "study_data" / "small-1.0.0", False)
    assert data.claim_place("f" * 12, "pc01", "") == 2


def test_a_withdrawal_code_is_enough(data_dir: Path, laboratory: tuple[Path, Played, Played]) -> None:
    _, person, _ = laboratory
    seed = person.folder.study.model.design.seed

    prepare_forgetting([data_dir], withdrawal_code(seed, "P-01").upper().lower()).carry_out()

    assert traces(data_dir, person) == []


def test_preparing_changes_nothing_and_names_everything(data_dir: Path) -> None:
    def logs() -> dict[str, bytes]:
        return {name: data for name, data in contents(data_dir).items() if "sqlite3" not in name}

    before = logs()

    lines = list(prepare_forgetting([data_dir], "P-01").lines())

    assert logs() == before
    text = "\n".join(lines)
    assert text.count("delete the visit") == 1
    assert text.count("delete the session") == 3
    assert "3 line(s)" in text
    assert "4 entries" in text
    assert text.count("crash-") == 3
    assert "P-01.html" in text
    assert "keep the place" in text


class Killed(BaseException):
    """End of the program at one call."""


def test_a_deletion_that_was_cut_off_anywhere_can_be_run_again(
    tmp_path: Path, laboratory: tuple[Path, Played, Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, person, _ = laboratory
    calls = count()
    limit = [0]

    def killing(call: Callable[..., Any], *, half: Callable[..., Any] | None = None) -> Callable[..., Any]:
        def killed(*args: Any, **kwargs: Any) -> Any:
            if next(calls) == limit[0]:
                if half is not None:
                    half(*args)
                raise Killed
            return call(*args, **kwargs)

        return killed

    def half_removed(folder: Path) -> None:
        """Remove the first files of a folder, as a removal that is cut off does."""
        for path in sorted(path for path in Path(folder).rglob("*") if path.is_file())[:1]:
            path.unlink()

    ended = False
    for limit[0] in range(60):
        data_dir = Path(shutil.copytree(source, tmp_path / str(limit[0])))
        calls = count()
        with monkeypatch.context() as patch:
            patch.setattr(shutil, "rmtree", killing(shutil.rmtree, half=half_removed))
            patch.setattr(forget, "atomic_write", killing(atomic_write))
            patch.setattr(forget, "_erase", killing(forget._erase))
            patch.setattr(Path, "unlink", killing(Path.unlink))
            patch.setattr(Path, "rename", killing(Path.rename))
            with suppress(Killed):
                prepare_forgetting([data_dir], "P-01").carry_out()
                ended = True
        if ended:
            break
        try:
            prepare_forgetting([data_dir], "P-01").carry_out()
        except NegoError:
            assert not list(data_dir.rglob("P-01-*"))  # it was cut off at its very end
        assert traces(data_dir, person) == [], limit[0]
        lines = (data_dir / "study_data" / "small-1.0.0" / "forgotten.csv").read_text(encoding="utf-8")
        assert len(lines.splitlines()) == 2, limit[0]
    assert ended
    assert limit[0] > 10


def test_a_visit_that_is_being_written_is_not_deleted(
    data_dir: Path, laboratory: tuple[Path, Played, Played]
) -> None:
    log = next((data_dir / "study_data" / "small-1.0.0" / "visits").glob("P-01-*/visit.jsonl"))
    before = contents(data_dir / "study_data")
    writer, _ = VisitLog.resume(log)

    with pytest.raises(NegoError, match="cannot be deleted now"):
        prepare_forgetting([data_dir], "P-01").carry_out()

    writer.close()
    assert contents(data_dir / "study_data") == before


def test_a_damaged_visit_is_forgotten_too(data_dir: Path, laboratory: tuple[Path, Played, Played]) -> None:
    log = next((data_dir / "study_data" / "small-1.0.0" / "visits").glob("P-01-*/visit.jsonl"))
    log.write_bytes(log.read_bytes().replace(b'"t":', b'"t": ', 3))

    prepare_forgetting([data_dir], "P-01").carry_out()

    assert traces(data_dir, laboratory[1]) == []


def test_the_same_code_in_another_study_is_another_person(
    data_dir: Path, tmp_path: Path, laboratory: tuple[Path, Played, Played]
) -> None:
    other = load_study(write_study(tmp_path / "other", lambda d: d.update(name="other")), data_dir)
    kept = played_visit(other, "P-01", data=StudyData(data_dir / "study_data" / "other-1.0.0", False))
    plant(kept)

    with pytest.raises(NegoError, match="The studies other and small have this code"):
        prepare_forgetting([data_dir], "P-01")
    prepare_forgetting([data_dir], "P-01", "small").carry_out()

    root = data_dir / "study_data"
    assert not list((root / "small-1.0.0" / "visits").glob("P-01-*"))
    assert len(list((root / "other-1.0.0" / "sessions").iterdir())) == 3
    with KeyValueStore(data_dir / "store.sqlite3", print) as store:
        assert sum(kept.visit in key for key in store.read_all()) == 1
        assert len(store.read_all()) == 8


def test_collections_and_tables_can_be_searched_too_and_copies_are_named(
    data_dir: Path, tmp_path: Path, laboratory: tuple[Path, Played, Played]
) -> None:
    _, person, other = laboratory
    collect([data_dir], tmp_path / "all")
    tables = tmp_path / "tables"
    arguments = [
        "study",
        "export",
        str(person.folder.root),
        "--from",
        str(tmp_path / "all"),
        "--out",
        str(tables),
    ]
    exported = CliRunner().invoke(cli, [*arguments, "--data-dir", str(data_dir)])
    assert exported.exit_code == 0, exported.output
    assert traces(tables, person)

    result = CliRunner().invoke(
        cli, ["study", "forget", "P-01", "--in", str(tmp_path / "all"), "--in", str(tables), "--yes"]
    )

    assert result.exit_code == 0, result.output
    assert f"There is a copy in {data_dir / 'study_data' / 'small-1.0.0'}" in result.output
    assert traces(tmp_path / "all", person) == []
    assert traces(tables, person) == []
    rows = (tables / "participants.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2
    assert other.visit in rows[1]
    again = collect([data_dir], tmp_path / "all")
    assert again[0].visits == 0  # the source still has it, as the sentence said
    assert again[0].needs_decision
    signed = (tables / "payments" / "signatures.html").read_text(encoding="utf-8")
    amounts = re.findall(r"<bdi>([\d.]+) EUR", signed)
    assert len(amounts) == 2
    assert amounts[0] == amounts[1]


@pytest.mark.parametrize("whose", ["both", "P-01"])
def test_a_person_who_was_forgotten_at_the_source_is_named_by_the_next_collection(
    data_dir: Path, tmp_path: Path, laboratory: tuple[Path, Played, Played], whose: str
) -> None:
    into = tmp_path / "all"
    commands = [["collect", data_dir, "--into", into]]
    commands += [
        ["forget", code, "--in", data_dir, "--yes"] for code in (["P-01", "P-02"][: 1 + (whose == "both")])
    ]
    outputs = [CliRunner().invoke(cli, ["study", *map(str, command)]).output for command in commands]

    again = CliRunner().invoke(cli, ["study", "collect", str(data_dir), "--into", str(into)])

    assert "Deleted." in outputs[1]
    assert again.exit_code == 1
    visit = laboratory[1].visit
    assert f"The visit {visit} is no longer in" in again.output
    CliRunner().invoke(cli, ["study", "forget", "P-01", "--in", str(into), "--yes"])
    last = CliRunner().invoke(cli, ["study", "collect", str(data_dir), "--into", str(into)])
    assert visit not in last.output
    assert traces(into, laboratory[1]) == []


def test_a_source_from_which_the_person_was_deleted_too_is_not_named(data_dir: Path, tmp_path: Path) -> None:
    collect([data_dir], tmp_path / "all")
    folders = ["--in", str(tmp_path / "all"), "--in", str(data_dir)]
    CliRunner().invoke(cli, ["study", "forget", "P-01", "--in", str(data_dir), "--yes"])

    result = CliRunner().invoke(cli, ["study", "forget", "P-01", *folders[:2], "--yes"])

    assert "Deleted." in result.output
    assert "There is a copy" not in result.output


def test_a_test_visit_with_the_code_is_named_as_test_data(
    data_dir: Path, laboratory: tuple[Path, Played, Played]
) -> None:
    person = laboratory[1]
    tried = played_visit(
        person.folder, "P-01", data=StudyData(data_dir / "rehearsals" / "small-1.0.0", is_test=True)
    )

    lines = list(prepare_forgetting([data_dir], "P-01").lines())

    (line,) = [line for line in lines if tried.visit in line]
    assert line.startswith("delete the simulated or tried-out visit (test data)")


def test_without_a_yes_nothing_is_deleted(data_dir: Path) -> None:
    before = contents(data_dir / "study_data")

    result = CliRunner().invoke(cli, ["study", "forget", "P-01", "--in", str(data_dir)], input="n\n")

    assert result.exit_code != 0
    assert "delete the visit" in result.output
    assert contents(data_dir / "study_data") == before


@pytest.mark.parametrize("who", ["P-99", "", "P-0", "P"])
def test_an_unknown_code_is_refused(data_dir: Path, who: str) -> None:
    with pytest.raises(NegoError):
        prepare_forgetting([data_dir], who)


def test_rows_of_a_table_are_read_one_by_one_and_a_crash_file_as_a_whole(tmp_path: Path) -> None:
    person = FoundVisit(tmp_path, tmp_path / "P-05-aaaa", "small", "P-05", "a" * 12, "WXYZ", "", (), False)
    names, found = PersonNames([person], {"b" * 12}), PersonFiles([person])
    table, crash = tmp_path / "list.csv", tmp_path / "crash-1.txt"
    for file in (table, crash):
        file.write_text(f"code,visit\nP-05,\nP-06,{'b' * 12}\n", encoding="utf-8")

    search_person(tmp_path, names, found)

    assert found.files == {table: FileTreatment.LINES}
