"""Tables of a study, against an independent computation from the lines of the logs."""

from __future__ import annotations

import csv
import json
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

from click.testing import CliRunner

from negoplatform.cli.main import cli
from negoplatform.plugins.program_and_user_folders import bundled
from tests.study.studies import write_study


def exported(tmp_path: Path, participants: int = 6) -> tuple[Path, Path]:
    """Rehearse the small study and export it; return the folders of the data and of the tables."""
    root, data, out = write_study(tmp_path / "small"), tmp_path / "data", tmp_path / "tables"
    for arguments in (
        ["rehearse", root, "--participants", participants, "--seed", 5, "--data-dir", data],
        ["export", root, "--test", "--out", out, "--data-dir", data],
    ):
        result = CliRunner().invoke(cli, ["study", *map(str, arguments)])
        assert result.exit_code == 0, result.output
    return data / "rehearsals" / "small-1.0.0", out


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def expected_row(lines: list[dict[str, Any]]) -> dict[str, str]:
    """Return a participant's cells from the lines of a visit's log, without the program's fold."""
    header, events = lines[0], lines[1:]
    row = {name: header[name] for name in ("code", "visit", "station", "language")}
    row |= {
        "study": header["study"],
        "study_version": header["version"],
        "is_test": str(int(header["is_test"])),
    }
    answers: dict[str, dict[str, Any]] = {}
    tries = 0
    for event in events:
        step = str(event.get("step", "")).replace(".", "_")
        match event["type"]:
            case "ASSIGNED":
                row |= event["cell"]
                row["cell"] = "-".join(event["cell"].values())
            case "ANSWERED":
                answers.setdefault(step, {})[event["item"]] = event["value"]
            case "QUIZ_TRIED":
                tries += 1
                row["quiz_tries"] = str(tries)
                row["quiz_passed"] = str(int(not event["wrong"]))
                row.setdefault("quiz_first_try", row["quiz_passed"])
            case "SESSION_CLOSED":
                row[f"{step}_agreement"] = str(int(event["agreement"]))
                row[f"{step}_points"] = repr(float(Fraction(event["points"])))
            case "VISIT_ENDED":
                row["end"] = event["how"]
    for step, values in answers.items():
        row |= {f"{step}_{item}": "" if value is None else str(value) for item, value in values.items()}
    if "svi" in answers:
        items = json.loads((bundled("instruments") / "subjective_value.json").read_text(encoding="utf-8"))[
            "items"
        ]
        turned = [
            8 - answers["svi"][item["id"]] if item.get("reverse") else answers["svi"][item["id"]]
            for item in items
        ]
        for n, factor in enumerate(("instrumental", "self", "process", "relationship")):
            row[f"svi_{factor}"] = repr(fmean(turned[4 * n : 4 * n + 4]))
        row["svi_global"] = repr(fmean(turned))
    return row


def test_participants_equal_what_their_logs_say(tmp_path: Path) -> None:
    data, out = exported(tmp_path)

    rows = {row["visit"]: row for row in rows_of(out / "participants.csv")}

    logs = list(data.glob("visits/*/visit.jsonl"))
    assert len(rows) == len(logs) > 3
    for log in logs:
        expected = expected_row([json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()])
        found = rows[expected["visit"]]
        assert {name: found[name] for name in expected} == expected


def test_every_session_row_fits_its_participant(tmp_path: Path) -> None:
    _, out = exported(tmp_path)
    people = {row["visit"]: row for row in rows_of(out / "participants.csv")}

    sessions = rows_of(out / "sessions.csv")

    assert sessions
    for session in sessions:
        person = people[session["visit"]]
        step = session["step"].replace(".", "_")
        assert session["participant"] == person["code"]
        assert session["cell"] == person["cell"]
        assert person[f"{step}_session"] == session["session_id"]
        assert float(person[f"{step}_points"]) == float(session["points_human"])


def test_answers_have_a_row_for_each_item_and_payments_are_apart(tmp_path: Path) -> None:
    data, out = exported(tmp_path)

    answers = rows_of(out / "answers.csv")
    payments = rows_of(out / "payments" / "payments.csv")

    lines = [
        line
        for log in data.glob("visits/*/visit.jsonl")
        for line in log.read_text(encoding="utf-8").splitlines()
    ]
    assert len(answers) == sum('"type":"ANSWERED"' in line for line in lines)
    assert len(payments) == sum('"type":"PAID"' in line for line in lines)
    assert not any("amount" in name for name in rows_of(out / "participants.csv")[0])
    assert {row["amount"] for row in payments} == {
        json.loads(line)["amount"] for line in lines if '"type":"PAID"' in line
    }


def test_the_codebook_describes_every_column(tmp_path: Path) -> None:
    _, out = exported(tmp_path, 2)

    described = {(row["table"], row["column"]) for row in rows_of(out / "codebook.csv")}

    for table in ("participants", "answers", "stages", "sessions"):
        header = (out / f"{table}.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
        assert {(table, name) for name in header} <= described
        assert all(len(name) <= 32 for name in header)
