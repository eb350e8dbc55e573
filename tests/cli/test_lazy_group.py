"""All commands: their output, and one sentence per error."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import click
import pytest

from negoplatform.cli.main import cli, run
from negoplatform.eventlog.reader import read_log
from negoplatform.plugins.program_and_user_folders import bundled
from tests.eventlog.logs import rehashed
from tests.golden.make import GOLDEN

LOG = str(GOLDEN / "deal-2.jsonl")

Said = tuple[int, str, str]
"""Exit code, standard output, standard error."""


@pytest.fixture
def command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Said]:
    """Return a function that runs a command in an empty folder, with an empty user folder."""
    monkeypatch.chdir(tmp_path)

    def typed(line: str, *more: str) -> Said:
        args = [*line.split(), *more]
        if args and args[0] in ("simulate", "list") and "--help" not in args:
            args += ["--data-dir", str(tmp_path / "data")]
        code = run(args)
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return code, out, err

    return typed


def test_simulate_prints_one_row_per_seating(command: Callable[..., Said]) -> None:
    code, out, err = command("simulate --game practice --agents fair boulware --n 2 --seed 3")

    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert (
        " ".join(lines[0].split())
        == "human agent games agreed points human points agent joint Pareto to Nash seconds offers no deal"
    )
    assert lines[1].split()[:4] == ["fair", "boulware", "2", "100"]
    assert lines[2].split()[:4] == ["boulware", "fair", "2", "100"]
    assert lines[-1].startswith("0 failures of agents, ")


def test_simulate_says_where_no_model_will_speak_for_an_agent(command: Callable[..., Said]) -> None:
    code, _, err = command("simulate --game practice --agents language_model fair --n 1")

    assert code == 0
    assert err == "language_model: No endpoint is set, so the agent speaks in its own words.\n"


def test_simulate_keeps_a_log_of_every_game_that_replays(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    code, _, _ = command("simulate --game practice --agents linear --agents linear --n 3 --logs logs")

    folders = sorted((tmp_path / "logs").iterdir())
    assert code == 0
    assert len(folders) == 3
    code, out, _ = command("replay", str(folders[0]))
    assert code == 0
    assert out.startswith("Verdict: all ")
    assert "and so does the end." in out


def test_simulate_takes_a_game_file_an_agent_file_and_a_time_limit(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    shutil.copy(bundled("games") / "practice.json", tmp_path / "mine.json")
    shutil.copy(bundled("agents") / "fair.py", tmp_path / "mine.py")

    code, out, _ = command("simulate --game mine.json --agents mine.py boulware --n 1 --time-limit 30")

    assert code == 0
    assert out.splitlines()[1].split()[:2] == ["mine", "boulware"]


def test_simulate_says_once_that_agents_of_different_authors_share_a_process(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    for name in ("mine.py", "yours.py"):
        shutil.copy(bundled("agents") / "fair.py", tmp_path / name)
    run = "simulate --game practice --n 2 --time-limit 5 --agents"

    said = {
        agents: command(f"{run} {agents}")
        for agents in (
            "mine.py yours.py",
            "mine.py fair",
            "fair --fill mine.py",
            "mine.py mine.py",
            "fair micro",
        )
    }

    sentence = (
        "Agents of different authors share one process here, where each could find the others' preferences; "
        "with --isolated each has a process of its own.\n"
    )
    assert [err for _, _, err in said.values()] == [sentence, sentence, sentence, "", ""]
    assert all("preferences" not in out for _, out, _ in said.values())
    assert command(f"{run} mine.py fair --isolated")[2] == ""


def test_commands_refuse_a_game_with_nine_seats_in_a_sentence(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    game = json.loads((bundled("games") / "practice.json").read_text(encoding="utf-8"))
    game["seats"] = {f"seat_{i}": game["seats"]["agent"] for i in range(9)}
    (tmp_path / "nine.json").write_text(json.dumps(game), encoding="utf-8")

    said = [
        command(line)
        for line in ("simulate --game nine.json --agents fair --fill fair --n 1", "check-game nine.json")
    ]

    sentence = "negoplatform: nine.json at seats: a game has 2 to 8 seats, and this one has 9.\n"
    assert [(out, err) for _, out, err in said] == [("", sentence)] * 2
    assert all(code for code, _, _ in said)


def test_simulate_says_where_the_traces_of_a_failing_agent_are(
    command: Callable[..., Said], tmp_path: Path
) -> None:
    (tmp_path / "fails.py").write_text(
        "from negoplatform.agent_api.base import NegotiationAgent\n"
        "class Fails(NegotiationAgent):\n"
        "    def on_time(self, ctx, event):\n        raise ValueError('no idea')\n"
    )

    code, out, err = command("simulate --game practice --agents fails.py fair --n 1")

    assert code == 0
    assert "0 failures" not in out
    assert err.splitlines()[1:] == [f"An agent failed; the traces are in {tmp_path / 'data' / 'crashes'}."]
    assert any("no idea" in file.read_text() for file in (tmp_path / "data" / "crashes").iterdir())


def test_replay_prints_verdict_outcome_and_transcript(command: Callable[..., Said]) -> None:
    code, out, err = command("replay", LOG)

    assert (code, err) == (0, "")
    assert out == (GOLDEN / "deal-2.txt").read_text(encoding="utf-8")


def test_replay_in_steps_prints_the_state_after_every_event(command: Callable[..., Said]) -> None:
    code, out, _ = command("replay --step", LOG)

    count = len(read_log(Path(LOG)).events)
    assert code == 0
    assert out.count("| version ") == count
    assert out.count("| on the table: ") == count
    assert "| version 1, negotiating, human neutral, agent neutral" in out
    assert "| version 3, negotiating, human neutral, agent happy" in out
    assert "| version 4, negotiating, human neutral, agent happy" in out
    assert "| version 5, negotiating, human neutral, agent neutral" in out
    assert "| board: apples agreed, day agreed" in out


def test_replay_shows_what_one_seat_saw(command: Callable[..., Said]) -> None:
    code, out, _ = command("replay --view agent", LOG)

    assert code == 0
    assert out.startswith("Verdict: 23 events, as seen by 'agent'; a complete log can be checked.")
    assert "P01" not in out
    assert "agent: Robin (agent): 9 points" in out
    assert "points" not in out.split("agent: Robin")[0]
    assert "human (Participant) says" in out
    assert "note" not in out


@pytest.mark.parametrize("view", ["human", "agent", "system", "public"])
def test_a_view_is_written_to_a_file_that_replays_to_the_same_text(
    command: Callable[..., Said], view: str
) -> None:
    code, shown, _ = command(f"replay --view {view} --out seen.jsonl", LOG)
    again_code, again, _ = command("replay seen.jsonl")

    assert (code, again_code) == (0, 0)
    assert shown == f"{again}\nThe log as {view} sees it is in seen.jsonl.\n"


def test_a_whole_log_is_copied_byte_for_byte(command: Callable[..., Said], tmp_path: Path) -> None:
    code, _, _ = command("replay --out copy.jsonl", LOG)

    assert code == 0
    assert (tmp_path / "copy.jsonl").read_bytes() == Path(LOG).read_bytes()


def test_a_file_that_is_there_is_never_written_over(command: Callable[..., Said], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("my thesis")

    code, _, err = command("replay --out mine.txt", LOG)

    assert (code, err) == (1, "negoplatform: mine.txt is there already; name a new file.\n")
    assert (tmp_path / "mine.txt").read_text() == "my thesis"


def test_list_prints_names_with_descriptions(command: Callable[..., Said]) -> None:
    code, out, _ = command("list agents")

    assert code == 0
    assert any(line.startswith("boulware") and "concession" in line for line in out.splitlines())


def test_list_plain_prints_one_usable_name_a_line(command: Callable[..., Said], tmp_path: Path) -> None:
    (tmp_path / "data" / "games").mkdir(parents=True)
    (tmp_path / "data" / "games" / "broken.json").write_text("{")

    assert command("list games --plain") == (
        0,
        "campsite\nflatmates\ngrain_market\nharvest_fair\njob_candidate\nland_market\nland_sale\npractice\nresource_exchange\n"
        "tac_market\ntac_trading\nthree_way\nused_car\n",
        "",
    )
    code, out, _ = command("list games")
    assert code == 0
    assert "CANNOT BE USED" in out
    assert "broken" in out


BAD = [
    (
        "simulate --game chess --agents fair fair",
        "There is no game 'chess'; there is campsite, flatmates, grain_market",
    ),
    (
        "simulate --game practice --agents fair nobody",
        "There is no agent 'nobody'; there is zero_intelligence, zip",
    ),
    ("simulate --game practice --agents fair", "name as many agents, or one for the other seats with"),
    ("simulate --game practice --agents fair fair fair", "name as many agents as there are seats"),
    ("simulate --game practice --agents fair fair --fill fair", "no seat is left for another agent"),
    ("simulate --game three_way --agents fair --fill nobody", "There is no agent 'nobody'"),
    ("simulate --game practice --agents fair fair --seatings some", "'some' is not one of 'given'"),
    ("simulate --game chess.json --agents fair fair", "chess.json: the file cannot be read"),
    (
        "simulate --game practice --agents fair gone.py",
        "gone.py: the file cannot be read (",
    ),
    ("simulate --game practice --agents fair fair --n 0", "0 is not in the range"),
    ("simulate --game practice --agents fair fair --n many", "'many' is not a valid integer"),
    ("simulate --game practice --agents fair fair --seed -1", "-1 is not in the range"),
    ("simulate --game practice --agents fair fair --seed 1.5", "'1.5' is not a valid integer"),
    (
        "simulate --game practice --agents fair fair --time-limit 0",
        "A time limit is 1 second to 24 hours, not 0 s",
    ),
    (
        "simulate --game practice --agents fair fair --time-limit nan",
        "A time limit is 1 second to 24 hours, not nan",
    ),
    ("simulate --game practice --agents fair fair --time-limit 1e9", "A time limit is 1 second to 24 hours"),
    (
        f"simulate --game practice --agents fair fair --n 1 --logs {Path(LOG, 'none')}",
        f"cannot be recorded in {Path(LOG, 'none')}",
    ),
    ("simulate --game practice", "Missing option '--agents'"),
    ("simulate --agents fair fair", "Missing option '--game'"),
    ("replay", "Missing argument 'LOG'"),
    ("replay nowhere.jsonl", "nowhere.jsonl: there is no such session log"),
    ("replay .", "events.jsonl: there is no such session log"),
    (
        f"replay {LOG} --view=",
        "There is no view ''; choose complete, public, system, or a seat: human, agent",
    ),
    (
        f"replay {LOG} --view cook",
        "There is no view 'cook'; choose complete, public, system, or a seat: human, agent",
    ),
    (f"replay {LOG} --out gone/seen.jsonl", f"{Path('gone/seen.jsonl')} cannot be written ("),
    (
        f"replay {GOLDEN / 'deal-2.txt'}",
        "deal-2.txt at line 1: this is no valid JSON (expecting value); a session",
    ),
    ("list", "Missing argument"),
    ("list flowers", "'flowers' is not one of 'games', 'agents'"),
    ("list games --colour", "No such option"),
    ("negotiate", "No such command 'negotiate'"),
]


@pytest.mark.parametrize(("line", "reason"), BAD, ids=[line for line, _ in BAD])
def test_bad_input_gets_one_line_and_an_exit_code(
    command: Callable[..., Said], line: str, reason: str
) -> None:
    code, out, err = command(line)

    assert code in (1, 2)
    assert out == ""
    assert reason in err
    assert err.startswith("negoplatform: ")
    assert len(err.splitlines()) == 1


def test_an_exported_log_is_not_taken_for_more_than_it_is(command: Callable[..., Said]) -> None:
    command("replay --view human --out human.jsonl", LOG)

    code, _, err = command("replay --view complete human.jsonl")

    assert code == 1
    assert "This log was exported for 'human'; another view cannot be made from it." in err


def test_an_error_of_ours_is_one_sentence_and_a_crash_file(
    command: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(path: Path) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("negoplatform.cli.commands.replay.read_log", broken)
    monkeypatch.setattr("negoplatform.cli.run_context.user_folder", lambda: tmp_path)

    code, _, err = command("replay", LOG)

    (crash,) = (tmp_path / "crashes").iterdir()
    assert code == 70
    assert err == (
        "negoplatform: Something went wrong inside NegoPlatform (ZeroDivisionError). "
        f"The details are in {crash}.\n"
    )
    assert "ZeroDivisionError: inside" in crash.read_text()


@pytest.mark.parametrize("name", ["", *cli.list_commands(click.Context(cli))])
def test_help_names_every_option_and_says_what_it_does(command: Callable[..., Said], name: str) -> None:
    code, out, _ = command(f"{name} --help")

    found = cli.get_command(click.Context(cli), name) if name else cli
    assert found is not None
    assert code == 0
    assert found.help is not None
    assert found.help.split("\n")[0].split(".")[0] in " ".join(out.split())
    for option in found.params:
        if not getattr(option, "hidden", False) and option.opts[0].startswith("--"):
            assert option.opts[0] in out
            assert getattr(option, "help", None)
    if not name:
        assert all(command_name in out for command_name in ("play", "simulate", "replay", "list"))


def test_the_version_is_printed(command: Callable[..., Said]) -> None:
    code, out, _ = command("--version")

    assert code == 0
    assert out.startswith("negoplatform, version ")


def test_a_crash_file_goes_where_the_data_go(
    command: Callable[..., Said], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(folder: Path) -> None:
        raise ZeroDivisionError("inside")

    monkeypatch.setattr("negoplatform.cli.commands.list.list_games", broken)

    command("list games")

    assert len(list((tmp_path / "data" / "crashes").iterdir())) == 1


def test_what_the_system_refuses_is_one_sentence(command: Callable[..., Said]) -> None:
    code, _, err = command("replay", "x" * 5000)

    assert code == 1
    assert err.count("\n") == 1
    assert len(err) < 400


def test_a_log_cannot_speak_to_the_terminal(command: Callable[..., Said], tmp_path: Path) -> None:
    header, *events = Path(LOG).read_text(encoding="utf-8").splitlines()
    odd = json.loads(header)
    odd["created_at"] = "\x1b[2Jnow"
    log = tmp_path / "events.jsonl"
    log.write_bytes(rehashed("\n".join([json.dumps(odd), *events, ""]).encode()))

    code, out, _ = command("replay", str(log))

    assert code == 0
    assert "\x1b" not in out


def test_two_files_of_one_name_are_two_agents(command: Callable[..., Said], tmp_path: Path) -> None:
    source = (Path(__file__).parent.parent / "plugin_files" / "my_agent.py").read_text(encoding="utf-8")
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bot.py").write_text(source, encoding="utf-8")

    code, out, _ = command(f"simulate --game practice --n 1 --agents {tmp_path}/a/bot.py {tmp_path}/b/bot.py")

    assert code == 0
    assert len([line for line in out.split("\n\n")[0].splitlines() if "bot.py" in line]) == 2
