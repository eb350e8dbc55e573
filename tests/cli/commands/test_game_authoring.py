"""Commands for authors of games: schema and check-game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import jsonschema
import pytest

from negoplatform.cli.main import run
from negoplatform.formats.game_schema import game_schema
from negoplatform.plugins.program_and_user_folders import bundled
from tests.formats.game_texts import flat, put, written

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Return a function that runs a command in an empty folder, with an empty user folder."""
    monkeypatch.chdir(tmp_path)

    def typed(*args: str) -> Said:
        more = ["--data-dir", str(tmp_path / "data")] if args[0] == "check-game" else []
        code = run([*args, *more])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


def test_the_schema_is_printed_as_json(command: Callable[..., Said]) -> None:
    code, out, err = command("schema", "game")

    assert (code, err) == (0, "")
    assert json.loads(out) == game_schema()


def test_the_schema_is_written_to_a_new_file(command: Callable[..., Said], tmp_path: Path) -> None:
    code, out, _ = command("schema", "game", "--out", "game.schema.json")

    assert code == 0
    assert out == "The JSON Schema of a game file is in game.schema.json.\n"
    assert json.loads((tmp_path / "game.schema.json").read_text(encoding="utf-8")) == game_schema()


def test_a_file_that_is_there_is_not_written_over(command: Callable[..., Said], tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("mine", encoding="utf-8")

    code, _, err = command("schema", "game", "--out", "mine.json")

    assert code == 1
    assert err == "negoplatform: mine.json is there already; name a new file.\n"
    assert (tmp_path / "mine.json").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["schema"], "Missing argument"),
        (["schema", "flower"], "'flower' is not one of 'game'"),
        (["schema", "game", "--out", "gone/schema.json"], f"{Path('gone/schema.json')} cannot be written ("),
        (["check-game"], "Missing argument 'GAME'"),
        (["check-game", "chess"], "There is no game 'chess'; there is "),
        (["check-game", "gone.json"], "gone.json: the file cannot be read"),
    ],
)
def test_what_cannot_be_done_gets_one_line_and_an_exit_code(
    command: Callable[..., Said], args: list[str], reason: str
) -> None:
    code, out, err = command(*args)

    assert code in (1, 2)
    assert out == ""
    assert reason in err
    assert len(err.splitlines()) == 1


def test_a_shipped_game_is_checked_by_its_name(command: Callable[..., Said]) -> None:
    code, out, err = command("check-game", "practice")

    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[0].startswith("Practice (practice): 0 warnings, ")
    assert lines[1:4] == ["", "issues", "  note     There are 21 outcomes."]
    assert "  note     'Friday' of Day is what every seat likes least." in lines
    assert lines.index("deals") < next(i for i, line in enumerate(lines) if "Nash" in line)


def test_a_game_file_with_warnings_is_no_failure(command: Callable[..., Said], tmp_path: Path) -> None:
    path = written(tmp_path, put(flat(), "seats.human.preferences.reservation_value", 100))

    code, out, _ = command("check-game", str(path))

    assert code == 0
    assert "3 warnings" in out.splitlines()[0]
    assert "  warning  There is no deadline" in out
    assert "more than the best deal with 19" in out


def test_a_file_with_an_error_is_told_and_ends_with_1(command: Callable[..., Said], tmp_path: Path) -> None:
    path = written(tmp_path, put(flat(), "issues.2.step", 60))

    code, out, err = command("check-game", str(path))

    assert (code, out) == (1, "")
    assert err.startswith(f"negoplatform: {path} at issues[2]: from 400 to 600 there is no whole number of")


def test_each_combination_of_profiles_has_a_paragraph(command: Callable[..., Said]) -> None:
    _, out, _ = command("check-game", "job_candidate")

    paragraphs = [paragraph.splitlines()[0] for paragraph in out.split("\n\n")]
    assert paragraphs.count("employer short_term, candidate long_term") == 1
    assert len([place for place in paragraphs if place.startswith("employer ")]) == 9


def test_a_game_file_cannot_speak_to_the_terminal(command: Callable[..., Said], tmp_path: Path) -> None:
    path = written(tmp_path, put(flat(title="\x1b[2JFlat"), "issues.0.label", "\x1b[31mShelves"))

    _, out, _ = command("check-game", str(path))

    assert "\x1b" not in out


ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("number", [0, 1])
def test_the_games_of_the_guide_are_sound(command: Callable[..., Said], tmp_path: Path, number: int) -> None:
    guide = (ROOT / "docs/games.md").read_text(encoding="utf-8")
    games = re.findall(r"<!-- file: \w+\.json -->\n```json\n(.*?)```", guide, re.DOTALL)
    path = tmp_path / "game.json"
    path.write_text(games[number], encoding="utf-8")

    code, out, _ = command("check-game", str(path))

    assert len(games) == 2
    assert code == 0
    assert ": 0 warnings, " in out.splitlines()[0]
    assert list(jsonschema.Draft202012Validator(game_schema()).iter_errors(json.loads(games[number]))) == []
    if number == 1:
        assert run(["simulate", "--game", str(path), "--agents", "fair", "boulware", "--n", "2"]) == 0


def with_plugins(folder: Path, **keys: object) -> str:
    """Return the file of a shipped game with further keys."""
    game = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    for issue in game["issues"]:
        issue.pop("picture", None)
    file = folder / "game.json"
    file.write_text(json.dumps({**game, **keys}), encoding="utf-8")
    return str(file)


def principal(**keys: object) -> dict[str, object]:
    """Return the key of a game's file with one principal over the agent."""
    return {"principals": {"head": {"over": ["agent"], **keys}}}


def assistant(**keys: object) -> dict[str, object]:
    """Return the key of a game's file with one assistant."""
    return {"assistants": {"tips": keys}}


@pytest.mark.parametrize(
    ("keys", "place", "finding"),
    [
        (principal(), "principals.head", "note     The file names no plug-in for this principal"),
        (principal(agent="budget_haed"), "principals.head", "the nearest name is 'budget_head'"),
        (principal(agent="fair"), "principals.head", "warning  fair is an agent for a seat"),
        (
            principal(agent="budget_head", settings={"colour": "red"}),
            "principals.head",
            "colour",
        ),
        (assistant(), "assistants.tips", "There is no assistant 'tips'"),
        (assistant(assistant="fair"), "assistants.tips", "warning  fair is an agent for a seat"),
        (assistant(assistant="insights", coach=True), "assistants.tips", "only an agenda can be a coach"),
        (
            assistant(assistant="agenda", settings={"timing": {"colour": 1}}),
            "assistants.tips",
            "warning  An agent's timing may set",
        ),
    ],
)
def test_a_plug_in_that_a_game_names_wrongly_is_a_finding(
    command: Callable[..., Said], tmp_path: Path, keys: dict[str, object], place: str, finding: str
) -> None:
    code, out, _err = command("check-game", with_plugins(tmp_path, **keys))

    assert code == 0
    assert finding in out.partition(f"\n{place}\n")[2]


def test_plug_ins_that_fit_are_no_finding(command: Callable[..., Said], tmp_path: Path) -> None:
    fitting = {**principal(agent="budget_head"), **assistant(assistant="insights")}

    _code, out, _err = command("check-game", with_plugins(tmp_path, **fitting))

    assert "principals" not in out
    assert "assistants" not in out
