"""Tables of a study, against an independent computation from the lines of the logs."""

from __future__ import annotations

import csv
import json
import math
import re
import shutil
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from click.testing import CliRunner

from negoplatform.analysis.export_tables.export import Export
from negoplatform.analysis.export_tables.iago_rows import IAGO_SUBTYPES
from negoplatform.analysis.export_tables.study_tables import StudyTables
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.cli.main import cli
from negoplatform.eventlog.visit_log import read_visit
from negoplatform.plugins.program_and_user_folders import bundled
from tests.study.studies import Change, small_study, stage, write_study
from tests.study.visits import begin


def exported(tmp_path: Path, participants: int = 8, change: Change | None = None) -> tuple[Path, Path]:
    """Rehearse the small study and export it; return the folders of the data and of the tables."""
    root, data, out = write_study(tmp_path / "small", change), tmp_path / "data", tmp_path / "tables"
    for arguments in (
        ["rehearse", root, "--participants", participants, "--seed", 5, "--data-dir", data],
        ["export", root, "--test", "--out", out, "--data-dir", data],
    ):
        result = CliRunner().invoke(cli, ["study", *map(str, arguments)])
        assert result.exit_code == 0, result.output
    return data / "rehearsals" / "small-1.0.0", out


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def cell(value: Any) -> str:
    """Return a value as a cell, as the documentation says."""
    match value:
        case None:
            return ""
        case bool():
            return str(int(value))
        case list():
            return ";".join(str(part) for part in value)
        case _:
            return value if isinstance(value, str) else repr(value)


STEP_STAGE = {
    "r_1": "r",
    "r_2": "r",
    "r_1_result": "r",
    "r_2_result": "r",
    "r_1_seen": "seen",
    "r_2_seen": "seen",
}
ROUNDS = ("food", "goods")


def expected_row(lines: list[dict[str, Any]], sessions: dict[str, dict[str, str]]) -> dict[str, str]:
    """Return all of a participant's cells from the lines of a visit's log, without the program's fold."""
    header, events = lines[0], lines[1:]
    row = {name: header[name] for name in ("code", "visit", "station", "language", "study")}
    row |= {"study_version": header["version"], "is_test": cell(header["is_test"]), "cell": "", "flags": ""}
    row["n_interruptions"] = str(sum(event["type"] == "RESUMED" for event in events))
    row |= {"started": events[0]["t_utc"], "ended": events[-1]["t_utc"]}
    row["minutes"] = repr(round(events[-1]["t"] / 60, 3))
    answers: dict[str, dict[str, Any]] = {}
    ms: dict[str, int] = {}
    flags, order, tries = [], [0, 1], 0
    for event in events:
        step = str(event.get("step", "")).replace(".", "_")
        match event["type"]:
            case "CONSENTED":
                row |= {"consent_given": "1", "consent_text_sha256": event["text_sha256"]}
            case "ASSIGNED":
                row |= event["cell"] | {"cell": "-".join(event["cell"].values())}
                row |= {"assigned_by": event["by"], "place": str(event["place"]), "stratum": event["stratum"]}
                order = event["orders"]["sequence"]
                row["order_sequence"] = "-".join(ROUNDS[i] for i in order)
            case "ANSWERED":
                answers.setdefault(step, {})[event["item"]] = event["value"]
            case "QUIZ_TRIED":
                tries += 1
                row |= {"quiz_tries": str(tries), "quiz_passed": cell(not event["wrong"])}
                row.setdefault("quiz_first_try", row["quiz_passed"])
                row.setdefault("quiz_first_wrong", "; ".join(event["wrong"]))
            case "SESSION_CLOSED":
                row[f"{step}_agreement"] = cell(event["agreement"])
                row[f"{step}_points"] = repr(float(Fraction(event["points"])))
                row |= {f"{step}_end": event["end"], f"{step}_session": event["session"]}
                if step != "practice":
                    row[f"{step}_round_id"] = ROUNDS[order[int(step[-1]) - 1]]
                played = sessions[event["session"]]
                row |= {f"{step}_{name}": played[name] for name in MEASURES}
            case "FLAGGED":
                flags.append(f"{event['step']}:{event['what']}")
                row["flags"] = "; ".join(flags)
            case "STAGE_LEFT":
                stage = STEP_STAGE.get(step, step)
                ms[stage] = ms.get(stage, 0) + event["ms"]
            case "VISIT_ENDED":
                row["end"] = event["how"]
    row |= {f"minutes_{stage}": repr(round(value / 60_000, 3)) for stage, value in ms.items()}
    for step, values in answers.items():
        row |= {f"{step}_{item}": cell(value) for item, value in values.items()}
    for step in ("svi", "r_1_seen", "r_2_seen", "attention"):
        if step in answers:
            row |= expected_scores(step, answers[step])
    return row


INSTRUMENTS = {"svi": "subjective_value", "attention": "attention"}


def expected_scores(step: str, answers: dict[str, Any]) -> dict[str, str]:
    """Return the scores of an instrument from its file."""
    name = INSTRUMENTS.get(step, "manipulation_check")
    document = json.loads((bundled("instruments") / f"{name}.json").read_text(encoding="utf-8"))
    turned = {
        item["id"]: item["likert"]["points"] + 1 - answers[item["id"]]
        if item.get("reverse")
        else answers[item["id"]]
        for item in document["items"]
        if item["id"] in answers
    }
    found = {}
    for scale in document.get("scales", []):
        there = [turned[item] for item in scale["items"] if turned.get(item) is not None]
        if len(there) >= len(scale["items"]) - scale.get("missing", 0):
            mean = fmean(there)
            found[f"{step}_{scale['name']}"] = repr(
                mean if scale.get("as", "mean") == "mean" else mean * len(scale["items"])
            )
    return found


MEASURES = (
    *("points_agent", "joint", "joint_share", "pareto", "dist_pareto", "dist_nash", "share_of_joint_human"),
    *("duration_s", "n_offers_h", "n_offers_a", "n_msgs_h", "first_offer_u_h", "total_concession_h"),
    *("n_logroll_h", "n_questions_h", "n_pref_true_h", "n_pref_false_h"),
)


@pytest.fixture(scope="module")
def plain_tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folders of the data and of the tables of a rehearsal of the unchanged study."""
    return exported(tmp_path_factory.mktemp("study"))


def test_participants_equal_what_their_logs_say_cell_by_cell(plain_tables: tuple[Path, Path]) -> None:
    data, out = plain_tables

    rows = {row["visit"]: row for row in rows_of(out / "participants.csv")}

    logs = list(data.glob("visits/*/visit.jsonl"))
    sessions = {row["session_id"]: row for row in rows_of(out / "sessions.csv")}
    assert len(rows) == len(logs) > 3
    for log in logs:
        lines = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        expected = expected_row(lines, sessions)
        found = rows[expected["visit"]]
        assert expected.keys() <= found.keys()
        assert found == {name: expected.get(name, "") for name in found}


def test_every_session_row_fits_its_participant(plain_tables: tuple[Path, Path]) -> None:
    _, out = plain_tables
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


def test_answers_have_a_row_for_each_item_and_payments_are_apart(plain_tables: tuple[Path, Path]) -> None:
    data, out = plain_tables

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
        f"{float(json.loads(line)['amount']):.2f}" for line in lines if '"type":"PAID"' in line
    }
    assert all(re.fullmatch(r"\w+ -?\d+\.\d{2,}", p) for row in payments for p in row["parts"].split("; "))


def test_the_codebook_describes_every_column(plain_tables: tuple[Path, Path]) -> None:
    _, out = plain_tables

    described = {(row["table"], row["column"]) for row in rows_of(out / "codebook.csv")}

    for table in ("participants", "answers", "stages", "sessions"):
        header = (out / f"{table}.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
        assert {(table, name) for name in header} <= described
        assert all(len(name) <= 32 for name in header)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return the folders of the data and of the tables of a rehearsal."""
    return exported(tmp_path_factory.mktemp("study"), 5, with_choice)


def with_choice(document: dict[str, Any]) -> None:
    item = {"id": "place", "ask": "Where was {partner}?", "choices": ["Here", "There"]}
    stage(document, "about")["items"].append(item)


@pytest.mark.parametrize(
    "table", ["sessions", "seats", "offers", "offer_seats", "messages", "events", "tasks"]
)
def test_every_row_about_a_session_has_its_visit_cell_and_factors(
    tables: tuple[Path, Path], table: str
) -> None:
    out = tables[1]
    people = {row["visit"]: row for row in rows_of(out / "participants.csv")}

    rows = rows_of(out / f"{table}.csv")

    assert rows
    for row in rows:
        person = people[row["visit"]]
        for name in ("study", "study_version", "station", "cell", "is_test", "concession"):
            assert row[name] == person[name], name
        # messages.csv has a column of its own named emotion.
        assert row["factor_emotion" if table == "messages" else "emotion"] == person["emotion"]
        assert row["counts"] == ("0" if row["stage"] == "practice" else "1")
        assert row["round"] in (("0",) if row["stage"] == "practice" else ("1", "2"))
        if table != "seats":
            assert row["participant"] == person["code"]


def test_a_session_outside_of_studies_has_the_same_columns(tmp_path: Path, tables: tuple[Path, Path]) -> None:
    logs = tmp_path / "logs"
    for arguments in (
        ["simulate", "--game", "campsite", "--agents", "linear", "fair", "--n", 1, "--logs", logs],
        ["export", logs, "--out", tmp_path / "plain"],
    ):
        result = CliRunner().invoke(cli, list(map(str, arguments)))
        assert result.exit_code == 0, result.output

    for name in ("sessions", "seats", "messages", "events", "tasks"):
        plain, of_study = (
            (folder / f"{name}.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
            for folder in (tmp_path / "plain", tables[1])
        )
        factors = ("emotion" if name != "messages" else "factor_emotion", "concession")
        assert plain == [column for column in of_study if column not in factors]


def test_iago_wide_counts_what_the_logs_hold(tables: tuple[Path, Path]) -> None:
    data, out = tables

    rows = {row["session_id"]: row for row in rows_of(out / "iago_wide.csv")}

    logs = list(data.glob("sessions/*/events.jsonl"))
    assert len(rows) == len(logs) > 5
    for log in logs:
        header, *events = [json.loads(line) for line in log.read_text(encoding="utf-8").splitlines()]
        row = rows[header["session_id"]]
        (user,) = [seat for seat, who in header["seats"].items() if who["kind"] == "human"]
        (agent,) = [seat for seat in header["seats"] if seat != user]
        end = next(event for event in events if event["type"] == "GAME_END")
        assert row["id"] == header["study"]["participant"]
        assert row["studyName"] == "small"
        assert row["currentGame"] == str(max(0, header["study"]["round"] - 1))
        assert row["timedout"] == ("true" if end["payload"]["ended_by"] == "timeout" else "false")
        assert row["gameEndTime"] == str(int(end["t"]))
        for seat, word in ((user, "User"), (agent, "VH")):
            own = [event for event in events if event["sender"] == seat]
            kinds = [event["payload"]["subtype"] for event in own if event["type"] == "SEND_MESSAGE"]
            assert row[f"num{word}Offers"] == str(sum(event["type"] == "SEND_OFFER" for event in own))
            assert row[f"num{word}Msg"] == str(len(kinds))
            assert row[f"num{word}OFFER_PROPOSE"] == str(kinds.count("OFFER_PROPOSE"))
            assert sum(int(row[f"num{word}{kind}"]) for kind in IAGO_SUBTYPES) == len(kinds)
            shown = [e["payload"]["expression"] for e in own if e["type"] == "SEND_EXPRESSION"]
            assert row[f"num{word}Happy"] == str(shown.count("HAPPY"))
        first = next((event for event in events if event["type"] == "SEND_OFFER"), None)
        issues = [issue["name"] for issue in header["game"]["issues"]]
        if first is not None:
            terms = first["payload"]["offer"]
            for n, issue in enumerate(issues[:5], start=1):
                units = terms.get(issue)
                if isinstance(units, dict):
                    assert row[f"initialOfferUserAlloc{n}"] == str(units[user])


def test_the_names_of_iago_wide_are_those_of_iago(tables: tuple[Path, Path]) -> None:
    header = (tables[1] / "iago_wide.csv").read_text(encoding="utf-8").splitlines()[0].split(",")

    assert header[:9] == [
        *("id", "agent0", "agent1", "userPoints", "vhPoints", "timedout", "formallyQuit"),
        *("numUserOffers", "numVHOffers"),
    ]
    assert {"numUserLie", "numVHInsincere", "numUserBATNALies", "finalOfferVHAlloc5"} <= set(header)
    assert header[-2:] == ["session_id", "counts"]
    assert len(header) == len(set(header)) == 102


def test_the_scripts_read_the_tables_of_a_study(tables: tuple[Path, Path]) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    _, out = tables
    people = rows_of(out / "participants.csv")
    check = """
print(len(participants), len(events), list(participants["emotion"].cat.categories))
print(participants["svi_global"].mean().round(6), str(participants["r_1_agreement"].dtype))
scale = labelled("participants", LIKERT)
print(*scale.cat.categories, sep="|")
print(scale.cat.ordered, ((scale.cat.codes + 1)[scale.notna()] == participants[LIKERT].dropna()).all())
choice = labelled("participants", "about_place")
print(choice.cat.ordered, *choice.cat.categories)
"""
    likert = next(name for name in people[0] if name.startswith("svi_"))
    script = out / "check.py"
    text = (out / "import_tables.py").read_text(encoding="utf-8")
    script.write_text(f"{text}\nLIKERT = {likert!r}\n{check}", encoding="utf-8")

    run = subprocess.run(
        [sys.executable, "-X", "utf8", "-W", "error", script], capture_output=True, text=True, check=False
    )

    assert run.returncode == 0, run.stderr
    events = len(rows_of(out / "events.csv"))
    mean = fmean(float(row["svi_global"]) for row in people if row["svi_global"])
    lines = run.stdout.splitlines()
    assert lines[0] == f"{len(people)} {events} ['happy', 'angry']"
    assert lines[1] == f"{round(mean, 6)} boolean"
    labels = {row["column"]: row["labels"] for row in rows_of(out / "codebook.csv")}
    ends = json.loads(labels[likert])
    assert lines[2].split("|") == [
        ends["1"],
        "2",
        "3",
        ends.get("4", "4"),
        "5",
        "6",
        ends["7"],
    ]
    assert lines[3:] == ["True True", "False Here There"]


@pytest.mark.skipif(shutil.which("Rscript") is None, reason="R is not installed")
def test_r_reads_the_tables_of_a_study(tables: tuple[Path, Path]) -> None:
    _, out = tables
    people = rows_of(out / "participants.csv")
    likert = next(name for name in people[0] if name.startswith("svi_"))
    check = f"""source({json.dumps((out / "import.R").as_posix())})
scale <- labelled(participants${likert})
stopifnot(is.ordered(scale), nlevels(scale) == 7, levels(scale)[2] == "2")
stopifnot(!is.ordered(labelled(participants$about_place)))
stopifnot(identical(as.integer(scale), as.integer(participants${likert})))
stopifnot(inherits(try(labelled(1:3), silent = TRUE), "try-error"))
cat(nrow(participants), nrow(events), levels(participants$emotion), class(participants$started)[1],
    format(mean(participants$svi_global, na.rm = TRUE), digits = 10), "\n")
"""

    run = subprocess.run(["Rscript", "--vanilla", "-e", check], capture_output=True, text=True, check=False)

    assert run.returncode == 0, run.stderr
    mean = fmean(float(row["svi_global"]) for row in people if row["svi_global"])
    *found, average = run.stdout.split()
    events = str(len(rows_of(out / "events.csv")))
    assert found == [str(len(people)), events, "happy", "angry", "POSIXct"]
    assert float(average) == pytest.approx(mean)


@pytest.mark.skipif(shutil.which("pspp") is None, reason="PSPP is not installed")
def test_pspp_reads_the_tables_of_a_study(tables: tuple[Path, Path]) -> None:
    _, out = tables
    check = "\nGET FILE='participants.sav'.\nDESCRIPTIVES svi_global.\nGET FILE='events.sav'.\nSHOW N.\n"
    (out / "check.sps").write_text((out / "import.sps").read_text(encoding="utf-8") + check, encoding="utf-8")

    run = subprocess.run(
        ["pspp", "-o", "out.csv", "-O", "format=csv", "check.sps"],
        cwd=out,
        capture_output=True,
        text=True,
        check=False,
    )

    output = (out / "out.csv").read_text(encoding="utf-8")
    assert run.returncode == 0, (run.stdout + output)[:2000]
    assert "warning" not in output, output[:2000]
    people = rows_of(out / "participants.csv")
    values = [float(row["svi_global"]) for row in people if row["svi_global"]]
    (found,) = [line for line in output.splitlines() if f",{len(values)},{fmean(values):.2f}" in line]
    assert found


def test_a_guess_of_the_ranking_is_scored_against_the_game(tmp_path: Path) -> None:
    def with_guess(document: dict[str, Any]) -> None:
        guess = {"id": "order", "ask": "What matters to Sam?", "points_guess": {"of": "r"}}
        document["stages"].insert(5, {"kind": "form", "id": "guess", "items": [guess]})

    root, data, out = write_study(tmp_path / "small", with_guess), tmp_path / "data", tmp_path / "tables"
    for arguments in (
        ["rehearse", root, "--participants", 4, "--seed", 5, "--data-dir", data],
        ["export", root, "--test", "--out", out, "--data-dir", data],
    ):
        result = CliRunner().invoke(cli, ["study", *map(str, arguments)])
        assert result.exit_code == 0, result.output

    people = [row for row in rows_of(out / "participants.csv") if row["guess_order"]]
    assert people
    for row in people:
        (log,) = data.glob(f"rehearsals/*/sessions/*{row['r_2_session']}*/events.jsonl")
        game = json.loads(log.read_text(encoding="utf-8").splitlines()[0])["game"]
        partner = next(seat for seat in game["seats"] if seat != session_seat(row, out))
        weights = [partner_range(game, partner, issue) for issue in game["issues"]]
        guess = [int(n) - 1 for n in row["guess_order"].split(";")]
        pairs = [(a, b) for i, a in enumerate(guess) for b in guess[i + 1 :]]
        right = sum(weights[a] > weights[b] for a, b in pairs)
        wrong = sum(weights[a] < weights[b] for a, b in pairs)
        expected = (right - wrong) / math.sqrt(len(pairs) * (right + wrong))
        assert float(row["guess_order_score"]) == pytest.approx(expected)


def session_seat(row: dict[str, str], out: Path) -> str:
    """Return the person's seat in their last round."""
    sessions = {one["session_id"]: one for one in rows_of(out / "sessions.csv")}
    return sessions[row["r_2_session"]]["seat_h"]


def partner_range(game: dict[str, Any], partner: str, issue: dict[str, Any]) -> float:
    """Return the range of the partner's points at an issue, from the game in a log."""
    (points,) = game["seats"][partner]["preferences"]["issues"][issue["name"]].values()
    values = list(points.values()) if isinstance(points, dict) else points
    return float(max(values) - min(values))


def test_columns_are_described_without_placeholders(tables: tuple[Path, Path]) -> None:
    described = {row["column"]: row for row in rows_of(tables[1] / "codebook.csv")}

    assert described["about_place"]["description"] == "Step about: Where was the partner?"
    assert "How angry did the partner seem" in described["r_1_seen_a"]["description"]
    assert not [row for row in described.values() if "{partner}" in row["description"]]


def test_calls_for_help_and_interruptions_are_in_the_tables(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    run = begin(folder)
    run.consent(["age", "data"])
    run.ask_for_help("What is a point?")
    run.ask_for_help("Hello?")
    run.close()
    again = VisitRun.resume(folder, run.data, run.path.parent)
    again.answer_help()
    again.ask_for_help("")
    again.close()
    tables = StudyTables(folder.study)
    tables.add(read_visit(run.path))

    by_name = {table.name: table for table in tables.tables(Export())}

    names = [column.name for column in by_name["help"].columns]
    rows = [dict(zip(names, row, strict=True)) for row in by_name["help"].rows]
    assert [(row["step"], row["text"]) for row in rows] == [
        ("instructions", "What is a point?"),
        ("instructions", "Hello?"),
        ("instructions", ""),
    ]
    assert [bool(row["answered"]) for row in rows] == [True, True, False]
    assert str(rows[0]["answered"]) >= str(rows[0]["asked"])
    people = by_name["participants"]
    interruptions = [column.name for column in people.columns].index("n_interruptions")
    assert people.rows[0][interruptions] == 1
