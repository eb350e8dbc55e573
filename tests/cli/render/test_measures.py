"""Measures of outcomes, as the commands print and write them."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.simulation.simulate import simulate
from negoplatform.cli.main import run
from negoplatform.cli.render.aligned_columns import align_columns
from negoplatform.domain.step_analysis import StepClass
from negoplatform.plugins.program_and_user_folders import bundled

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], Said]:
    """Return a function that runs a command in an empty folder, with an empty user folder."""
    monkeypatch.chdir(tmp_path)

    def typed(line: str) -> Said:
        args = line.split()
        if args[0] in ("simulate", "play"):
            args += ["--data-dir", str(tmp_path / "data")]
        code = run(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


@pytest.fixture
def interacting(tmp_path: Path) -> Path:
    """Return a file of the practice game with an interaction."""
    game = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    game["seats"]["human"]["preferences"]["interactions"] = [
        {"points": 2, "when": {"apples": [0], "day": ["Sunday"]}}
    ]
    path = tmp_path / "bound.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    return path


def test_the_table_says_how_good_the_ends_were(command: Callable[[str], Said]) -> None:
    _, out, _ = command("simulate --game practice --agents fair boulware --n 2")

    head, row = out.splitlines()[:2]
    assert "joint  Pareto  to Nash" in head
    joint, _, pareto, _, nash = row.split()[7:12]
    assert 50 <= int(joint) <= 100
    assert 0 <= int(pareto) <= 100
    assert 0 <= float(nash) <= 1.5


@pytest.mark.parametrize("game", ["practice", "resource_exchange", "job_candidate", "campsite"])
def test_the_tables_are_at_most_120_columns_wide(command: Callable[[str], Said], game: str) -> None:
    _, out, _ = command(f"simulate --game {game} --agents conceder boulware --n 1")

    assert max(map(len, out.splitlines())) <= 120


def test_the_table_of_steps_gives_each_class_as_a_share(command: Callable[[str], Said]) -> None:
    _, out, _ = command("simulate --game practice --agents fair boulware --n 2")

    lines = out.splitlines()
    start = lines.index("Steps from one proposal of a seat to its next:")
    head, *rows = (line.replace(" %", "%").split() for line in lines[start + 1 : start + 6])
    assert head == ["seat", "agent", *StepClass, "steps", "moved"]
    assert [row[:2] for row in rows] == [
        ["human", "fair"],
        ["agent", "boulware"],
        ["human", "boulware"],
        ["agent", "fair"],
    ]
    for row in rows:
        assert 97 <= sum(int(share.rstrip("%")) for share in row[2:8]) <= 103


def test_all_measures_are_printed_when_asked_for(command: Callable[[str], Said]) -> None:
    _, short, _ = command("simulate --game practice --agents fair boulware --n 2")
    _, long, _ = command("simulate --game practice --agents fair boulware --n 2 --measures")

    assert long.startswith(short)
    lines = [line.split("  ")[0] for line in long[len(short) :].splitlines()]
    assert {"Means over games", "nash distance", "fairness", "human", "agent"} <= set(lines)
    assert lines.count("logrolling") == 2
    assert lines.count("steps concession") == 2


def test_all_measures_are_those_of_the_game_too(command: Callable[[str], Said]) -> None:
    _, out, _ = command("simulate --game job_candidate --agents fair fair --n 1 --measures")

    lines = out[out.index("The game with the profiles of seed 1") :].splitlines()
    figures = {name.strip(): value for name, _, value in (line.rpartition(" ") for line in lines[1:])}
    assert lines[0].endswith("(employer short_term, candidate short_term)")
    assert figures["outcomes"] == "1,296"
    assert figures["pareto outcomes"] == "20"
    assert figures["joint max"] == "965"
    assert figures["integrative potential"] == "0.447"


def test_every_game_becomes_a_row_of_a_file(command: Callable[[str], Said], tmp_path: Path) -> None:
    code, out, _ = command("simulate --game campsite --agents fair boulware --n 3 --seed 7 --csv games.csv")

    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert code == 0
    assert "Every game is a row in games.csv." in out
    assert [row["seed"] for row in rows] == ["7", "8", "9"] * 2
    assert [row["human.agent"] for row in rows] == ["fair"] * 3 + ["boulware"] * 3
    for row in rows:
        assert row["human.profile"].count("_") == 2
        assert row["pareto_optimal"] in ("0", "1")
        assert float(row["joint_points"]) == float(row["human.points"]) + float(row["agent.points"])


def test_a_file_that_is_there_is_found_before_a_game_is_played(
    command: Callable[[str], Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    played: list[Any] = []
    monkeypatch.setattr("negoplatform.cli.commands.simulate.simulate", played.append)
    (tmp_path / "games.csv").write_text("mine")

    code, _, err = command("simulate --game practice --agents fair fair --n 1 --csv games.csv")

    assert (code, err) == (1, "negoplatform: games.csv is there already; name a new file.\n")
    assert (tmp_path / "games.csv").read_text() == "mine"
    assert played == []


def test_a_folder_that_is_not_there_is_told_before_anything_is_played(command: Callable[[str], Said]) -> None:
    code, out, err = command("simulate --game practice --agents fair fair --n 1 --csv no/such/games.csv")

    assert (code, out) == (1, "")
    assert f"there is no folder {Path('no/such')}" in err


def test_what_is_missing_without_numpy_is_said_once(
    command: Callable[[str], Said], interacting: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)

    code, out, err = command("simulate --game bound.json --agents fair boulware --n 2 --measures")

    assert code == 0
    assert err.count("which needs NumPy") == 1
    assert len(err.splitlines()) == 1
    assert "joint share" not in out
    assert "human" in out


def test_a_log_with_interactions_is_replayed_without_numpy(
    command: Callable[[str], Said], interacting: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    command("simulate --game bound.json --agents fair fair --n 1 --logs logs")
    (folder,) = (tmp_path / "logs").iterdir()

    code, out, _ = command(f"replay {folder}")

    assert code == 0
    assert out.count("which needs NumPy") == 1


def test_profiles_are_chosen_on_the_command_line(
    command: Callable[[str], Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []

    def listening(*args: Any, **more: Any) -> Any:
        asked.append(more["profiles"])
        return simulate(*args, **more)

    monkeypatch.setattr("negoplatform.cli.commands.simulate.simulate", listening)

    code, _, _ = command(
        "simulate --game job_candidate --agents fair fair --n 1 "
        "--profile employer=compromise --profile candidate=drawn"
    )

    assert code == 0
    assert asked == [{"employer": "compromise", "candidate": "drawn"}]


def test_the_window_is_told_which_profiles_were_chosen(
    command: Callable[[str], Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Any] = []
    window = "negoplatform.gui.shell.window_startup.open_window"
    monkeypatch.setattr(window, lambda *a, **told: opened.append(told))

    code, _, _ = command("play --game campsite --agent fair --profile human=water_food_firewood")

    assert code == 0
    assert opened[0]["profiles"] == {"human": "water_food_firewood"}


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ("--profile employer", "'employer' is not SEAT=NAME."),
        ("--profile employer=", "'employer=' is not SEAT=NAME."),
        ("--profile employer=a --profile employer=b", "employer is given two profiles."),
        ("--profile employer=nobody", "no profile 'nobody' for employer; there is short_term, "),
        ("--profile cook=short_term", "job_candidate has no profiles to choose for cook; it has"),
    ],
)
def test_a_profile_that_cannot_be_gets_a_sentence(
    command: Callable[[str], Said], options: str, reason: str
) -> None:
    code, out, err = command(f"simulate --game job_candidate --agents fair fair --n 1 {options}")

    assert code in (1, 2)
    assert out == ""
    assert reason in err
    assert len(err.splitlines()) == 1


def test_a_replay_measures_the_end_and_names_every_step(
    command: Callable[[str], Said], tmp_path: Path
) -> None:
    command("simulate --game practice --agents boulware conceder --n 1 --seed 3 --logs logs")
    folder = next((tmp_path / "logs").iterdir())

    _, out, _ = command(f"replay {folder}")

    lines = out.splitlines()
    (measures,) = (i for i, line in enumerate(lines) if line.startswith("Measures: joint points "))
    assert lines[measures + 1].startswith("  human: advantage ")
    assert lines[measures + 2].startswith("  agent: advantage ")
    sent = [line for line in lines if " sends offer " in line]
    steps = ("(fortunate)", "(selfish)", "(concession)", "(unfortunate)", "(nice)", "(silent)")
    assert sum(line.endswith(steps) for line in sent) == len(sent) - 2
    assert any(line.endswith("(concession)") for line in sent)


def test_what_one_seat_saw_does_not_tell_the_other_sides_measures(
    command: Callable[[str], Said], tmp_path: Path
) -> None:
    command("simulate --game practice --agents boulware conceder --n 1 --seed 3 --logs logs")
    folder = next((tmp_path / "logs").iterdir())

    code, out, _ = command(f"replay --view human {folder}")

    assert code == 0
    assert "Measures" not in out
    assert "(concession)" not in out


def test_columns_are_aligned() -> None:
    rows = [["who", "points"], ["somebody", "7"]]

    assert list(align_columns(rows, 1)) == ["who       points", "somebody       7"]


def test_with_three_seats_agents_and_points_are_a_table_of_their_own(command: Callable[[str], Said]) -> None:
    line = "simulate --game three_way --agents random_bids --fill boulware --n 1 --time-limit 60"
    code, out, err = command(line)

    first, second, *_ = out.split("\n\n")
    assert (code, err) == (0, "")
    assert [line.split()[:2] for line in first.splitlines()] == [
        ["seating", "games"],
        ["1", "1"],
        ["2", "1"],
        ["3", "1"],
    ]
    rows = [line.split() for line in second.splitlines()]
    assert rows[0] == ["seating", "seat", "agent", "points"]
    assert [row[:-1] for row in rows[1:4]] == [
        ["1", "parent", "random_bids"],
        ["gardener", "boulware"],
        ["carpenter", "boulware"],
    ]
    others = ["gardener", "carpenter"]
    assert [row[0] for row in rows[1:]] == ["1", *others, "2", *others, "3", *others]
    assert "Classes of steps are for games with two seats." in out
    assert "Steps from one proposal" not in out
    assert max(map(len, out.splitlines())) <= 120


def rows_of(path: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))


def test_with_three_seats_it_says_which_measures_are_for_two(
    command: Callable[[str], Said], tmp_path: Path
) -> None:
    _, out, err = command(
        "simulate --game three_way --agents random_bids random_bids random_bids --n 1 --measures --csv t.csv"
    )

    assert err == ""
    assert "compare two seats, so they have no values in a game with more." in out
    named = [line.split("  ")[0] for line in out.splitlines()]
    assert {"nash distance", "fairness", "parent", "gardener", "carpenter"} <= set(named)
    assert not {"coupling", "sensitivity", "steps concession"} & set(named)
    (row,) = rows_of(tmp_path / "t.csv")
    seats = ("parent", "gardener", "carpenter")
    assert [row[f"{seat}.agent"] for seat in seats] == ["random_bids"] * 3
    assert [row[f"{seat}.coupling"] for seat in seats] == [""] * 3
    assert float(row["joint_points"]) == sum(float(row[f"{seat}.points"]) for seat in seats)
    assert 0 <= float(row["nash_distance"]) <= 3**0.5


@pytest.mark.parametrize(("how", "games"), [("given", 1), ("rotations", 3), ("all", 6)])
def test_the_seatings_can_be_chosen(
    command: Callable[[str], Said], tmp_path: Path, how: str, games: int
) -> None:
    command(
        f"simulate --game three_way --agents random_bids micro tit_for_tat --seatings {how} --n 1 "
        "--time-limit 20 --csv t.csv"
    )

    rows = rows_of(tmp_path / "t.csv")
    orders = [(row["parent.agent"], row["gardener.agent"], row["carpenter.agent"]) for row in rows]
    assert len(set(orders)) == len(orders) == games
    assert orders[0] == ("random_bids", "micro", "tit_for_tat")


def test_of_two_agents_rotations_and_all_print_what_was_always_printed(
    command: Callable[[str], Said],
) -> None:
    said = {
        command(f"simulate --game practice --agents random_bids micro --n 2{how}")
        for how in ("", " --seatings rotations", " --seatings all")
    }

    assert len(said) == 1
