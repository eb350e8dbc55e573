"""Rehearsals: simulated people, test data apart from data, and a report from what was written."""

from __future__ import annotations

import json
import re
from pathlib import Path
from random import Random
from statistics import fmean
from typing import Any

import pytest

from negoplatform.app.rehearsal.rehearsal import expected_people, rehearse
from negoplatform.app.rehearsal.rehearsal_effects import t_quantile
from negoplatform.app.rehearsal.rehearsal_people import (
    DrawnNumber,
    draw_negotiator,
    load_people,
    people_schema,
    usual_people,
)
from negoplatform.app.rehearsal.rehearsal_report import build_report
from negoplatform.app.rehearsal.rehearsal_text import report_lines
from negoplatform.app.rehearsal.simulated_person import SimulatedVisit
from negoplatform.app.study.participant_code import rehearsal_codes
from negoplatform.app.study.study_data import StudyData, study_data
from negoplatform.app.study.study_folder import load_study
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.visit_log import read_visit, replay_visit
from negoplatform.formats.log_header import StudySession
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_events import Answered, SessionClosed
from tests.links import needs_links
from tests.study.rehearsals import contents, fail, people, rehearsed, without_games
from tests.study.studies import small_study, stage, write_study
from tests.study.visits import begin


def test_every_session_of_a_rehearsal_names_its_place_in_the_study(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    report, data, records = rehearsed(folder, people(), 4)

    assert report.ends == {"finished": 4}
    assert {cell.finished for cell in report.cells} <= {0, 1, 2}
    closed = {e.session: e for record in records for e in record.events if isinstance(e, SessionClosed)}
    logs = [read_log(path) for path in data.sessions.glob("*/events.jsonl")]
    assert len(logs) == len(closed) == 12
    for log in logs:
        study = log.header.study
        assert isinstance(study, StudySession)
        state = next(replay_visit(folder.study, r) for r in records if r.header.visit == study.visit)
        assert state.assigned is not None
        assert dict(study.cell) == state.assigned.cell
        assert (study.name, study.participant, study.is_test) == ("small", state.header.code, True)
        assert study.step == closed[log.header.session_id].step
        assert study.counts is (study.stage == "r")
        assert (
            log.header.game.rules.counterpart.mood.value == study.cell["emotion"].upper() or not study.counts
        )
        last = log.path.read_text(encoding="utf-8").splitlines()[-1]
        assert json.loads(last)["hash"] == closed[log.header.session_id].last_hash


def test_equal_seeds_give_equal_rehearsals_also_in_several_processes(tmp_path: Path) -> None:
    mix = usual_people()

    first = rehearsed(small_study(tmp_path / "a"), mix, 4)[2]
    second = rehearsed(small_study(tmp_path / "b"), mix, 4, jobs=2)[2]
    other = rehearsed(small_study(tmp_path / "c"), mix, 4, seed=4)[2]

    assert contents(first) == contents(second)
    assert contents(first) != contents(other)


def test_people_of_one_station_stay_in_one_process_where_their_order_matters(tmp_path: Path) -> None:
    def blocks(study: dict[str, Any]) -> None:
        study["design"].update(assign="station_blocks", stations=3)
        without_games(study)

    first = rehearsed(small_study(tmp_path / "a", blocks), people(), 4)[2]
    second = rehearsed(small_study(tmp_path / "b", blocks), people(), 4, jobs=2)[2]

    assert {record.header.station for record in first} == {"pc01", "pc02", "pc03"}
    assert contents(first) == contents(second)


def test_games_and_times_differ_within_every_cell(tmp_path: Path) -> None:
    report, _, _ = rehearsed(small_study(tmp_path), people(), 8)

    assert len(report.cells) == 4
    for cell in report.cells:
        assert cell.games >= 4
        assert cell.points.deviation
        assert cell.minutes.deviation


def test_the_time_of_a_game_belongs_to_its_step(tmp_path: Path) -> None:
    report, data, records = rehearsed(small_study(tmp_path), people(), 1)

    assert report.longest is not None
    minutes = dict(report.longest.steps)
    games = {e.session: e.step for e in records[0].events if isinstance(e, SessionClosed)}
    for path in data.sessions.glob("*/events.jsonl"):
        log = read_log(path)
        end = next(event.t for event in log.events if event.type == "GAME_END")
        assert 0 <= minutes[games[log.header.session_id]] - end / 60 < 0.5


def test_negotiators_of_one_kind_differ() -> None:
    model = usual_people().kinds[0].negotiator

    drawn = [draw_negotiator(model, Random(seed)) for seed in range(20)]

    assert len({one.config["exponent"] for one in drawn}) == 20
    assert {one.config["quiet"] for one in drawn} == {True, False}
    assert len({one.config["timing"]["act_delay"] for one in drawn}) == 20


def test_any_shipped_agent_can_sit_in_the_participants_seat(tmp_path: Path) -> None:
    mix = people(negotiator={"agent": "tit_for_tat", "settings": {}})

    report, _, records = rehearsed(small_study(tmp_path / "a"), mix, 1)

    assert (report.sessions, report.verified) == (3, 3)
    assert contents(records) != contents(rehearsed(small_study(tmp_path / "b"), people(), 1)[2])


def test_a_planted_effect_is_found_again(tmp_path: Path) -> None:
    folder = small_study(tmp_path, without_games)
    mix = people(effects={"svi.": {"emotion": {"angry": -1.5, "happy": 1.5}}})

    report, _, records = rehearsed(folder, mix, 12)

    means: dict[str, list[float]] = {"happy": [], "angry": []}
    for record in records:
        state = replay_visit(folder.study, record)
        assert state.assigned is not None
        means[state.assigned.cell["emotion"]].append(float(str(state.value_of("svi.global"))))
    (effect,) = report.effects
    assert (effect.levels, effect.planted) == (("happy", "angry"), -3.0)
    assert effect.found == pytest.approx(fmean(means["angry"]) - fmean(means["happy"]))
    assert effect.interval is not None
    assert effect.interval[0] < effect.interval[1] < 0
    assert effect.is_found


def test_a_planted_interaction_is_found_again_and_is_a_part_of_the_main_effect(tmp_path: Path) -> None:
    shifts = {"emotion:concession": {"angry-tough": -3.0}, "emotion": {"angry": -1.0}}

    folder = small_study(tmp_path, without_games)

    report, _, records = rehearsed(folder, people(effects={"svi.": shifts}), 24)

    interaction, main = report.effects
    assert (main.levels, main.planted) == (("happy", "angry"), -2.5)
    assert interaction.planted == 3.0
    assert interaction.levels == ("(angry − happy at tough)", "(angry − happy at soft)")
    assert interaction.found is not None
    assert interaction.is_found
    assert main.is_found
    assert len(records) == 24


@pytest.mark.parametrize(
    ("name", "levels", "words"),
    [
        ("emotion:mood", {}, 'there is no factor "mood"'),
        ("emotion:emotion", {}, "two different factors"),
        (
            "emotion:concession",
            {"tough-angry": 1},
            'has no level "tough-angry"; it has happy-tough, happy-soft',
        ),
    ],
)
def test_an_interaction_that_does_not_fit_the_study_is_refused(
    tmp_path: Path, name: str, levels: dict[str, float], words: str
) -> None:
    path = tmp_path / "people.json"
    path.write_text(people(effects={"svi.": {name: levels}}).model_dump_json(by_alias=True), encoding="utf-8")

    with pytest.raises(InputFileError, match=re.escape(words)):
        load_people(path, small_study(tmp_path))


def test_every_key_of_a_file_with_people_is_described_in_the_schema() -> None:
    schema = people_schema()

    forms = [schema, *schema["$defs"].values()]
    keys = [(name, key) for form in forms for name, key in form["properties"].items()]
    assert [name for name, key in keys if name != "schema" and "description" not in key] == []


def test_codes_are_added_for_more_people_than_a_pattern_has_and_asked_for_where_they_are_listed(
    tmp_path: Path,
) -> None:
    few = small_study(tmp_path / "a", lambda document: document["codes"].update(pattern="P-#"))
    listed = write_study(tmp_path / "b", lambda document: document.update(codes={"from": "codes.csv"}))
    (listed / "codes.csv").write_text("code\nP-01\nP-02\n", encoding="utf-8")

    codes = rehearsal_codes(few, 11)

    assert codes[8:] == ["P-9", "R-0001", "R-0002"]
    with pytest.raises(NegoError, match=r"add codes to codes\.csv, or rehearse with --participants 2"):
        rehearsal_codes(load_study(listed, tmp_path), 3)


def test_an_effect_that_straight_liners_do_not_show_is_not_found(tmp_path: Path) -> None:
    mix = people(effects={"svi.": {"emotion": {"angry": -2}}}, answers="straight_line")

    report, _, _ = rehearsed(small_study(tmp_path, without_games), mix, 8)

    assert not report.effects[0].is_found
    assert any("NOT found again" in line for line in report_lines(report))


@pytest.mark.parametrize(
    ("freedom", "expected"), [(3, 3.1824), (5, 2.5706), (10, 2.2281), (30, 2.0423), (1000, 1.9623)]
)
def test_quantiles_of_students_distribution_are_those_of_the_tables(freedom: float, expected: float) -> None:
    assert t_quantile(0.975, freedom) == pytest.approx(expected, rel=0.01)


def test_quantiles_are_exact_to_a_millionth_with_many_degrees_of_freedom() -> None:
    assert t_quantile(0.975, 20) == pytest.approx(2.0859634, abs=1e-6)


def test_straight_liners_give_one_answer_in_a_form(tmp_path: Path) -> None:
    folder = small_study(tmp_path, without_games)

    _, _, records = rehearsed(folder, people(answers="straight_line"), 1)

    answers = replay_visit(folder.study, records[0]).answers_of("svi")
    assert len(answers) == 16
    assert len(set(answers.values())) == 1


def test_a_simulated_person_ranks_every_thing_once(tmp_path: Path) -> None:
    def ask_for_ranks(study: dict[str, Any]) -> None:
        item = {"id": "order", "ask": "Rank these.", "rank": {"things": ["Food", "Water", "Wood"]}}
        stage(study, "about")["items"] = [item]
        without_games(study)

    _, _, records = rehearsed(small_study(tmp_path, ask_for_ranks), people(), 1)

    events = [event for record in records for event in record.events]
    (ranks,) = [event.value for event in events if isinstance(event, Answered) and event.item == "order"]
    assert isinstance(ranks, list)
    assert sorted(ranks) == [1, 2, 3]


def test_people_who_decline_or_drop_out_are_counted(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    report, data, records = rehearsed(folder, people(drop_out=0.5, declines=0.5), 12)

    assert report.ends["declined"]
    assert report.ends["dropped out"]
    assert len(records) == 12 - report.ends["declined"]
    declined = (data.root / "declined.csv").read_text(encoding="utf-8").splitlines()
    assert len(declined) == 1 + report.ends["declined"]
    assert not report.faults


def test_all_languages_and_stations_are_used_in_turn(tmp_path: Path) -> None:
    def change(study: dict[str, Any]) -> None:
        study["languages"] = ["en", "de"]
        study["design"]["stations"] = 3

    expected = expected_people(small_study(tmp_path, change), 6)

    assert [person.language for person in expected] == ["en", "de"] * 3
    assert [person.station for person in expected] == ["pc01", "pc02", "pc03"] * 2


BROKEN_PEOPLE = [
    ({"kinds": []}, "kinds"),
    ({"kinds": [{"name": "a", "share": 0}]}, r"kinds\[0\].share"),
    ({"kinds": [{"name": "a", "share": 1}, {"name": "a", "share": 1}]}, "two kinds named 'a'"),
    ({"kinds": [{"name": "a", "share": 1, "drop_out": 2}]}, r"kinds\[0\].drop_out"),
    ({"kinds": [{"name": "a", "share": 1, "speed": 2}]}, "speed"),
    (
        {"kinds": [{"name": "a", "share": 1, "negotiator": {"agent": "nobody"}}]},
        r"kinds\[0\].negotiator: .*nobody",
    ),
    (
        {"kinds": [{"name": "a", "share": 1, "negotiator": {"settings": {"exponent": -1}}}]},
        r"kinds\[0\].negotiator: .*exponent",
    ),
    (
        {"kinds": [{"name": "a", "share": 1, "negotiator": {"settings": {"exponent": {"spread": 1}}}}]},
        "either mean or median",
    ),
    ({"effects": {"svi.": {"mood": {"angry": 1}}}}, r"there is no factor .mood."),
    ({"effects": {"svi.": {"emotion": {"sad": 1}}}}, r"has no level .sad."),
    ({"effects": {"swi.": {"emotion": {"angry": 1}}}}, r"no answer begins with .swi\.."),
]


@pytest.mark.parametrize(("change", "reason"), BROKEN_PEOPLE)
def test_a_broken_file_of_people_is_refused_with_place_and_reason(
    tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    file = tmp_path / "mix.json"
    document = {"schema": "negoplatform.people/1", "kinds": [{"name": "all", "share": 1}], **change}
    file.write_text(json.dumps(document), encoding="utf-8")

    with pytest.raises(InputFileError, match=reason) as caught:
        load_people(file, small_study(tmp_path))

    assert str(file) in str(caught.value)


def test_the_schema_of_people_accepts_the_usual_ones() -> None:
    jsonschema = pytest.importorskip("jsonschema")

    document = json.loads(usual_people().model_dump_json(by_alias=True))
    validator = jsonschema.Draft202012Validator(people_schema())

    assert [*validator.iter_errors(document)] == []
    assert not validator.is_valid({**document, "kinds": []})


def test_a_drawn_number_stays_within_its_bounds() -> None:
    number = DrawnNumber(mean=0, spread=10, least=-1, most=2)

    drawn = {number.draw(Random(seed)) for seed in range(100)}

    assert min(drawn) == -1
    assert max(drawn) == 2


def test_a_rehearsal_never_writes_into_the_folder_of_real_data(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    real = study_data(folder, folder.data_dir, is_test=False)

    for data in (real, StudyData(real.root, is_test=True)):
        with pytest.raises(NegoError, match="test data, which has a folder of its own"):
            rehearse(folder, data, people(), participants=1, seed=1, report=fail)
    rehearsed(folder, people(), 1)

    assert not real.root.exists()


def test_a_rehearsal_does_not_replace_a_real_visit_that_was_copied_among_its_data(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    begin(folder, "P-07").close()
    real = study_data(folder, folder.data_dir, is_test=False)
    test = study_data(folder, folder.data_dir, is_test=True)
    test.root.parent.mkdir(parents=True)
    real.root.rename(test.root)

    with pytest.raises(NegoError, match="is not a test visit, so nothing was replaced"):
        rehearse(folder, test, people(), participants=1, seed=1, report=fail)

    assert len(list(test.visits.iterdir())) == 1


@needs_links
def test_a_rehearsal_does_not_follow_a_link_to_real_data(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    begin(folder, "P-07").close()
    real = study_data(folder, folder.data_dir, is_test=False)
    test = study_data(folder, folder.data_dir, is_test=True)
    test.root.parent.symlink_to(real.root.parent, target_is_directory=True)

    with pytest.raises(NegoError, match="is a link to"):
        rehearse(folder, test, people(), participants=1, seed=1, report=fail)

    assert len(list(real.visits.iterdir())) == 1


def test_a_test_visit_among_data_is_neither_read_nor_resumed(tmp_path: Path) -> None:
    folder = small_study(tmp_path)
    real = study_data(folder, folder.data_dir, is_test=False)
    test = study_data(folder, folder.data_dir, is_test=True)
    begin(folder, "P-07", data=test).close()
    real.root.parent.mkdir(parents=True)
    test.root.rename(real.root)
    (place,) = real.visits.iterdir()

    (found,) = real.records()

    assert read_visit(place).header.is_test
    assert isinstance(found, InputFileError)
    with pytest.raises(InputFileError, match="does not belong among data"):
        VisitRun.resume(folder, real, place)


def test_the_report_names_a_visit_without_a_log(tmp_path: Path) -> None:
    folder, mix = small_study(tmp_path), people()
    data = study_data(folder, folder.data_dir, is_test=True)
    visits = rehearse(folder, data, mix, participants=1, seed=3, report=fail)

    report = build_report(folder, data, mix, [*visits, SimulatedVisit("P-77", "all", "finished")], seed=3)

    assert report.faults == ("There is no log of the visit of P-77.",)


def test_cells_of_a_report_count_everybody_once(tmp_path: Path) -> None:
    folder = small_study(tmp_path)

    report, _, records = rehearsed(folder, people(drop_out=0.3), 8)

    cells = [
        cell_name(state.assigned.cell) for r in records if (state := replay_visit(folder.study, r)).assigned
    ]
    assert {cell.cell: cell.assigned for cell in report.cells} == {
        cell.cell: cells.count(cell.cell) for cell in report.cells
    }
    assert sum(cell.finished for cell in report.cells) == report.ends["finished"]
