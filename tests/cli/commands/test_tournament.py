"""The command tournament: its file and its options, its tables, and one sentence for each mistake."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.tournament import engines
from negoplatform.cli.main import run
from negoplatform.cli.progress_line import ProgressLine, duration_text

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""

OPTIONS = (
    *("--agents", "conceder", "random_bids", "--games", "practice", "--n", "2"),
    *("--deadline-offers", "12", "--engine", "inline"),
)


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Return a function that runs the command in an empty folder, with an empty user folder."""
    monkeypatch.chdir(tmp_path)

    def run_command(*arguments: str) -> Said:
        code = run(["tournament", *arguments, "--data-dir", str(tmp_path / "data")])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run_command


def test_agents_and_games_on_the_command_line_are_a_tournament(
    tmp_path: Path, command: Callable[..., Said]
) -> None:
    code, printed, _ = command(*OPTIONS, "--out", "here")

    assert code == 0
    rows = [line.split() for line in printed.splitlines()[1:3]]
    assert {(row[1], row[2]) for row in rows} == {("conceder", "8"), ("random_bids", "8")}
    names = {
        "scores.csv",
        "pairs.csv",
        "by_game.csv",
        "games.csv",
        "tables.md",
        "tournament.json",
        "report.html",
    }
    assert names <= {path.name for path in (tmp_path / "here").iterdir()}
    with (tmp_path / "here" / "games.csv").open(encoding="utf-8", newline="") as file:
        games = list(csv.DictReader(file))
    assert [(game["agent_1"], game["agent_2"], game["seed"]) for game in games[:4]] == [
        ("conceder", "conceder", "1"),
        ("conceder", "conceder", "2"),
        ("conceder", "random_bids", "1"),
        ("conceder", "random_bids", "2"),
    ]
    assert len(games) == 8
    assert max(int(game["offers"]) for game in games) <= 12


def test_both_limits_hold_as_in_simulate(tmp_path: Path, command: Callable[..., Said]) -> None:
    limits = ("--deadline-offers", "12", "--time-limit", "13")
    pair = ("--agents", "boulware", "linear", "--n", "2")

    code, printed, _ = command(
        *pair, "--games", "practice", *limits, "--no-self-play", "--engine", "inline", "--out", "here"
    )
    run(["simulate", *pair, "--game", "practice", *limits, "--talk", "off", "--csv", str(tmp_path / "s.csv")])

    assert code == 0
    assert "ended by time before the last offer: practice" in printed
    rows = {}
    for name in ("s.csv", "here/games.csv"):
        with (tmp_path / name).open(encoding="utf-8", newline="") as file:
            rows[name] = [(row["seed"], row["ended_by"], row["offers"]) for row in csv.DictReader(file)]
    assert rows["here/games.csv"] == rows["s.csv"]
    assert {ended_by for _, ended_by, _ in rows["s.csv"]} >= {"timeout"}


def test_a_file_says_the_same_as_the_options(tmp_path: Path, command: Callable[..., Said]) -> None:
    document = {
        "schema": "negoplatform.tournament/1",
        "agents": ["conceder", "random_bids"],
        "games": ["practice"],
        "seeds": {"n": 2},
        "deadline": {"offers": 12},
    }
    (tmp_path / "tour.json").write_text(json.dumps(document), encoding="utf-8")

    command(*OPTIONS, "--out", "options")
    code, _, _ = command("tour.json", "--engine", "inline")

    assert code == 0
    for name in ("games.csv", "scores.csv", "pairs.csv", "tournament.json", "report.html"):
        assert (tmp_path / "tour" / name).read_bytes() == (tmp_path / "options" / name).read_bytes()


def test_what_was_played_can_be_played_again(tmp_path: Path, command: Callable[..., Said]) -> None:
    command(*OPTIONS, "--out", "first", "--no-self-play", "--seatings", "given", "--no-measures")
    played: Any = json.loads((tmp_path / "first" / "tournament.json").read_text(encoding="utf-8"))
    (tmp_path / "again.json").write_text(json.dumps(played["tournament"]), encoding="utf-8")

    command("again.json", "--engine", "inline")

    assert played["played"] == 2
    assert (tmp_path / "again" / "games.csv").read_bytes() == (tmp_path / "first" / "games.csv").read_bytes()


def test_a_second_run_plays_nothing_again(command: Callable[..., Said]) -> None:
    command(*OPTIONS)

    _, printed, _ = command(*OPTIONS)

    assert "8 games, 8 of them by an earlier run" in printed


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--games", "practice"), "there is no --agents"),
        (("--agents", "fair", "micro"), "there is no --games"),
        (("missing.json",), "the file cannot be read"),
        (("missing.json", "--n", "3"), "missing.json says what is played; write it there, and leave out --n"),
        ((*OPTIONS, "--time-limit", "0.5"), "the command line at deadline.seconds: the number must be at"),
        ((*OPTIONS, "--models-at", "0.5", "0.1"), "increasing order"),
        ((*OPTIONS, "--n", "0"), "the command line at seeds.n: the number must be at least 1, not 0"),
        (("--agents", "fair", "nobody_here", "--games", "practice"), "There is no agent 'nobody_here'"),
        (("--agents", "fair", "--games", "three_way"), "three_way has 3 seats"),
        ((*OPTIONS, "--engine", "spark"), "There is no engine 'spark'"),
    ],
)
def test_a_mistake_is_one_sentence(
    tmp_path: Path, command: Callable[..., Said], arguments: tuple[str, ...], sentence: str
) -> None:
    code, printed, told = command(*arguments)

    assert code == 1
    assert not printed
    assert len(told.splitlines()) == 1
    assert sentence in told
    assert not (tmp_path / "tournament").exists()


def test_without_joblib_the_command_says_what_to_install(
    command: Callable[..., Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engines, "find_spec", lambda name: None if name == "joblib" else name)

    code, _, told = command(*OPTIONS)

    assert code == 1
    assert "needs joblib, NumPy, SciPy and threadpoolctl: pip install '.[tournament]'" in told


class Stream:
    """Stream that keeps what is written.

    Args:
        terminal: Whether it claims to be a terminal.
    """

    def __init__(self, *, terminal: bool) -> None:
        self._terminal = terminal
        self.written: list[str] = []

    def isatty(self) -> bool:
        """Return whether it is a terminal."""
        return self._terminal

    def write(self, text: str) -> None:
        """Keep a text."""
        self.written.append(text)

    def flush(self) -> None:
        """Do nothing."""


def test_a_terminal_shows_games_rate_and_time_left() -> None:
    stream, now = Stream(terminal=True), [0.0]
    line = ProgressLine(stream, "games", clock=lambda: now[0])  # type: ignore[arg-type]

    line.update(100, 400)
    now[0] = 10.0
    line.update(200, 400)
    line.close()

    assert "[######------------------]  100 of 400 games" in stream.written[0]
    assert "[############------------]  200 of 400 games  10.0 games/s  0:20 left" in stream.written[1]
    assert stream.written[2].strip() == ""


def test_elsewhere_there_is_a_line_every_minute() -> None:
    stream, now = Stream(terminal=False), [0.0]
    line = ProgressLine(stream, "games", clock=lambda: now[0])  # type: ignore[arg-type]

    for second in range(150):
        now[0] = float(second)
        line.update(second, 1000)
    line.close()

    assert stream.written == [
        "60 of 1,000 games  1.0 games/s  15:40 left\n",
        "120 of 1,000 games  1.0 games/s  14:40 left\n",
    ]


def test_a_duration_has_hours_where_it_needs_them() -> None:
    assert [duration_text(s) for s in (5, 65, 3600 + 125)] == ["0:05", "1:05", "1:02:05"]


def test_help_after_a_list_of_games_is_help(command: Callable[..., Said]) -> None:
    code, printed, _ = command("--games", "practice", "--help")
    short = command("--games", "practice", "-h")

    assert code == 0
    assert "Play every agent against every other" in printed
    assert "There is no game" not in short[2]


def test_a_file_without_an_ending_needs_a_folder(tmp_path: Path, command: Callable[..., Said]) -> None:
    document = {"agents": ["conceder"], "games": ["practice"], "seeds": {"n": 1}, "deadline": {"offers": 5}}
    schema = {"schema": "negoplatform.tournament/1", **document}
    (tmp_path / "tour").write_text(json.dumps(schema), encoding="utf-8")

    code, _, error = command("tour", "--engine", "inline")
    named, _, _ = command("tour", "--engine", "inline", "--out", "here")

    assert code != 0
    assert "The folder would have the name of the file tour; name another one with --out." in error
    assert named == 0
