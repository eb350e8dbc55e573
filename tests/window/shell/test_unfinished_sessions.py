"""The program is killed, or cannot write: the views of the participant and the experimenter."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.session.log_proofs import PROOFS_FILE
from negoplatform.app.session.session_data_store import SessionDataStore
from negoplatform.domain.errors import LogWriteError
from negoplatform.plugins.program_and_user_folders import bundled
from tests.window.conftest import LONGEST, Program, accept_at_last, build, pictures, replayed
from tests.x_server import Screen

pytestmark = pytest.mark.window

START = Callable[..., Program]

EVEN_ENOUGH = {
    "bananas__human": 4,
    "grain__human": 3,
    "grain__agent": 2,
    "wood__agent": 3,
    "spices__agent": 3,
}
"""Clicks that build an offer which ``fair`` accepts and which gives the human 25 points."""

EVEN_ENOUGH_OFFER = {
    "bananas": {"human": 4, "agent": 0, "undecided": 0},
    "grain": {"human": 3, "agent": 2, "undecided": 0},
    "wood": {"human": 0, "agent": 3, "undecided": 0},
    "spices": {"human": 0, "agent": 3, "undecided": 0},
}


def own(program: Program, kind: str) -> list[dict[str, Any]]:
    """Return the human's events of one kind, as recorded in the log."""
    return [event for event in program.events() if event["type"] == kind and event["sender"] == "human"]


def begin(start: START, *more: str) -> Program:
    """Start a negotiation, and wait for the agent's first message."""
    program = start("--game", "resource_exchange", "--agent", "fair", "--participant", "P07", *more)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    return program


def receipts(program: Program) -> list[tuple[Path, str, str, str]]:
    """Return log, code, number of events and hash of each session that is over."""
    lines = (program.data_dir / PROOFS_FILE).read_text(encoding="utf-8").splitlines()
    kept = [line.split("\t") for line in lines]
    return [(program.data_dir / log, code, events, last_hash) for _at, log, code, events, last_hash in kept]


def resume(program: Program) -> None:
    """Press Resume, and wait until the negotiation goes on."""
    program.wait_for("unfinished")
    program.click("resume")
    program.wait_for("shown", type="RESUMED")


def wait_until_kept(program: Program, **wanted: Any) -> None:
    """Wait until the unsent input is on the disk, as another program sees it."""
    header = json.loads(program.log().read_text(encoding="utf-8").splitlines()[0])
    end = time.monotonic() + LONGEST
    draft: dict[str, Any] = {}
    while time.monotonic() < end:
        store = SessionDataStore(program.data_dir, report=pytest.fail)
        draft = store.load(header["session_id"])["draft"]
        store.close()
        if wanted.items() <= draft.items():
            return
        time.sleep(0.05)
    raise AssertionError(f"{wanted} was not kept, but {draft}")


def test_after_a_kill_the_negotiation_is_resumed_with_draft_and_words_and_ends_in_a_deal(
    start: START, tmp_path: Path
) -> None:
    folder = pictures(tmp_path)
    killed = begin(start, "--seed", "7")
    killed.click("entry")
    killed.types("Bananas matter most to me.")
    killed.press("Return")
    killed.wait_for("shown", type="SEND_MESSAGE", sender="human")
    build(killed, **EVEN_ENOUGH)
    killed.click("entry")
    killed.types("What do you th")
    wait_until_kept(killed, words="What do you th")
    killed.kill()
    before = killed.log().read_bytes()

    program = start()
    program.wait_for("unfinished")
    program.shoot(folder / "7-unfinished.png")
    program.click("resume")
    taken_up = program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")
    program.shoot(folder / "8-resumed.png")
    program.types("ink?")
    program.press("Return")
    program.wait_for("shown", type="SEND_MESSAGE", sender="human")
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")

    assert taken_up["words"] == "What do you th"
    assert taken_up["note"] == "13 points better than no deal"
    assert ended["heading"] == "You have a deal"
    assert ended["points"] == "You get 25 points."
    assert program.log().read_bytes().startswith(before)
    said = [event["payload"]["text"] for event in own(program, "SEND_MESSAGE")]
    assert said == ["Bananas matter most to me.", "What do you think?"]
    assert "follow from the rules, and so does the end" in replayed(program.log())


def test_session_time_goes_on_from_where_it_stood(start: START) -> None:
    killed = begin(start)
    killed.kill()
    last = killed.events()[-1]["t"]

    program = start()
    resume(program)

    resumed = next(event for event in program.events() if event["type"] == "RESUMED")
    assert 0 <= resumed["t"] - last < 1


def test_a_half_typed_number_and_a_chosen_value_come_back(start: START, flat: str) -> None:
    killed = start("--game", flat, "--agent", "fair")
    killed.wait_for("shown", type="SEND_MESSAGE", sender="landlord")
    killed.click("car.with")
    killed.wait_for("draft")
    killed.click("price")
    killed.types("15")
    wait_until_kept(killed, fields={"price": "15"})
    killed.kill()

    program = start()
    program.wait_for("unfinished")
    program.click("resume")
    taken_up = program.wait_for("taken_up")
    program.wait_for("shown", type="RESUMED")
    program.click("price")
    program.press("End")
    program.types("0")
    program.wait_until(lambda told: told["ev"] == "draft" and told["can_send"], "a draft that can be sent")
    program.click("send_offer")
    program.wait_for("shown", type="SEND_OFFER", sender="tenant")

    assert taken_up["note"] == "Please check price before you send your offer."
    offers = [
        e["payload"]["offer"]
        for e in program.events()
        if e["type"] == "SEND_OFFER" and e["sender"] == "tenant"
    ]
    assert offers == [{"car": "with", "price": 150}]


def test_an_unfinished_session_is_closed_as_interrupted_after_that_was_asked(
    start: START, tmp_path: Path
) -> None:
    killed = begin(start)
    killed.kill()
    program = start()
    program.wait_for("unfinished")

    program.click("close")
    program.wait_for("dialog_open")
    program.shoot(pictures(tmp_path) / "9-close.png")
    program.press("Escape")
    program.wait_for("dialog_closed")
    untouched = program.events()[-1]["type"]
    program.click("close")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("start_screen")
    program.close_window()
    told, _ = program.process.communicate(timeout=LONGEST)

    last_hash = program.log().read_text(encoding="utf-8")[-67:-3]
    assert f"Log: {program.log()}, last hash {last_hash}" in [*program.printed, *told.decode().splitlines()]
    assert receipts(program) == [(program.log(), "P07", f"{len(program.events())} events", last_hash)]
    assert untouched != "GAME_END"
    assert program.events()[-1]["type"] == "GAME_END"
    assert program.events()[-1]["payload"]["ended_by"] == "aborted"
    assert "interrupted" in program.events()[-1]["payload"]["reason"]
    assert "follow from the rules, and so does the end" in replayed(program.log())


def test_what_is_kept_for_later_is_asked_about_again_at_the_next_start(start: START) -> None:
    killed = begin(start)
    killed.kill()
    before = killed.log().read_bytes()
    first = start()
    first.wait_for("unfinished")
    first.click("keep")
    first.wait_for("start_screen")
    first.kill()

    second = start()
    second.wait_for("unfinished")

    assert second.log().read_bytes() == before


def test_of_several_unfinished_sessions_one_is_closed_and_the_other_resumed(start: START) -> None:
    begin(start).kill()
    newest = begin(start, "--participant", "P08")
    newest.kill()
    closed = newest.log()
    program = start()
    both = program.wait_for("unfinished")["sessions"]

    program.click("close")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    rest = program.wait_for("unfinished")["sessions"]
    program.click("resume")
    resumed = program.wait_for("table_screen")["log"]
    program.wait_for("shown", type="RESUMED")

    assert closed.parent.name.endswith(both[0])
    assert rest == both[1:]
    assert Path(resumed).parent.name.endswith(both[1])
    assert '"type":"GAME_END"' in closed.read_text(encoding="utf-8").splitlines()[-1]


def test_a_damaged_log_is_named_and_stops_nobody(start: START) -> None:
    killed = begin(start)
    killed.kill()
    log = killed.log()
    log.write_bytes(log.read_bytes().replace(b"HAPPY", b"ANGRY"))
    program = start()

    program.wait_for("unfinished")
    buttons = set(program.widgets)
    program.click("keep")
    program.wait_for("start_screen")

    assert buttons == {"keep", "sessions"}


def test_a_session_is_resumed_by_the_command_line_and_the_log_is_named_at_the_end(start: START) -> None:
    killed = begin(start)
    killed.kill()
    program = start("--resume", str(killed.log().parent))
    program.wait_for("shown", type="RESUMED")

    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("finished")
    program.close_window()
    told, _ = program.process.communicate(timeout=LONGEST)

    log = killed.log()
    last_hash = log.read_text(encoding="utf-8")[-67:-3]
    assert receipts(program) == [(log, "P07", f"{len(program.events())} events", last_hash)]
    assert f"Log: {log}, last hash {last_hash}" in [*program.printed, *told.decode().splitlines()]


def test_a_start_for_one_participant_asks_about_theirs_alone_and_resumes_it_on_the_whole_screen(
    start: START, tmp_path: Path
) -> None:
    killed = begin(start)
    killed.kill()
    before = killed.log().read_bytes()
    other = start("--game", "practice", "--agent", "fair", "--participant", "P08")
    other.wait_for("table_screen")
    other.kill()

    program = start(
        *("--game", "resource_exchange", "--agent", "fair", "--participant", "P07", "--full-screen")
    )
    theirs = program.wait_for("unfinished")["sessions"]
    program.shoot(pictures(tmp_path) / "asked-first.png")
    program.click("resume")
    resumed = Path(program.wait_for("table_screen")["log"])
    program.wait_for("shown", type="RESUMED")
    program.close_window()
    program.wait_for("stays_open")

    assert [resumed.parent.name.endswith(left) for left in theirs] == [True]
    assert resumed.read_bytes().startswith(before)
    assert len(list((program.data_dir / "sessions").iterdir())) == 2


def test_a_start_for_one_participant_closes_what_was_left_or_leaves_it_and_begins_anew(start: START) -> None:
    left = begin(start)
    left.kill()
    first = left.log()
    program = start("--game", "practice", "--agent", "fair", "--participant", "P07")

    program.wait_for("unfinished")
    program.click("keep")
    second = Path(program.wait_for("table_screen")["log"])
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    program.kill()
    untouched = first.read_bytes()
    program = start("--game", "practice", "--agent", "fair", "--participant", "P07")
    both = program.wait_for("unfinished")["sessions"]
    for _ in both:
        program.click("close")
        program.wait_for("dialog_open")
        program.click("dialog.yes")
        program.wait_until(lambda told: told["ev"] in ("unfinished", "table_screen"), "what comes next")
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")

    assert b'"type":"GAME_END"' not in untouched
    assert len(both) == 2
    assert sorted(log for log, *_rest in receipts(program)) == sorted([first, second])
    assert program.log() not in (first, second)


def test_what_cannot_begin_after_all_says_so_and_is_tried_again(start: START, tmp_path: Path) -> None:
    agent = tmp_path / "mine.py"
    plugin = Path(__file__).parents[2] / "plugin_files" / "my_agent.py"
    agent.write_bytes(plugin.read_bytes())
    begin(start).kill()
    program = start("--game", "practice", "--agent", str(agent), "--participant", "P07")
    program.wait_for("unfinished")

    agent.unlink()
    program.click("keep")
    said = program.wait_for("cannot_start")["text"]
    agent.write_bytes(plugin.read_bytes())
    program.click("try_again")
    program.wait_for("table_screen")

    assert str(agent) in said


def test_in_the_start_window_a_code_with_an_unfinished_session_is_asked_about_quietly(start: START) -> None:
    killed = begin(start)
    killed.kill()
    old = killed.log()
    program = start("--participant", "P07")
    program.wait_for("unfinished")
    program.click("keep")
    program.wait_for("start_screen")

    program.click("start")
    asked = program.wait_for("dialog_open")["text"]
    program.click("dialog.no")
    program.wait_for("dialog_closed")
    program.click("start")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    new = Path(program.wait_for("table_screen")["log"])

    assert asked.startswith("P07 has an unfinished session: Resource exchange")
    assert new != old


def test_a_finished_session_cannot_be_resumed(tmp_path: Path, start: START) -> None:
    program = begin(start)
    program.click("walk_away")
    program.wait_for("dialog_open")
    program.click("dialog.yes")
    program.wait_for("finished")

    told = subprocess.run(
        [
            *(sys.executable, "-m", "negoplatform", "play", "--data-dir", str(program.data_dir)),
            *("--resume", str(program.log())),
        ],
        env={name: value for name, value in os.environ.items() if name != "DISPLAY"},
        capture_output=True,
        text=True,
        timeout=LONGEST,
    )

    assert told.returncode == 1
    assert told.stdout == ""
    assert told.stderr.count("\n") == 1


def test_a_session_that_is_running_is_not_offered_to_a_second_program(start: START) -> None:
    begin(start)

    second = start()
    second.wait_for("start_screen")

    assert "unfinished" not in [told["ev"] for told in second.told]


# A disk that takes nothing any more


@contextmanager
def full_disk(program: Program) -> Iterator[None]:
    """Prevent the program from writing to any file in the context, as a full disk does."""
    resource = pytest.importorskip("resource")
    if not hasattr(resource, "prlimit"):
        pytest.skip("this system cannot limit a program that runs")
    program.may_report = LogWriteError
    before = resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        if program.process.poll() is None:
            resource.prlimit(program.process.pid, resource.RLIMIT_FSIZE, before)


@pytest.fixture
def quiet(tmp_path: Path) -> tuple[str, ...]:
    """Command line of a negotiation in which only the test causes events, also on the full disk."""
    game = json.loads((bundled("games") / "resource_exchange.json").read_text(encoding="utf-8"))
    game["rules"]["time_tick_seconds"] = 600
    (tmp_path / "quiet.json").write_text(json.dumps(game), encoding="utf-8")
    agent = Path(__file__).parents[2] / "plugin_files" / "my_agent.py"
    return ("--game", str(tmp_path / "quiet.json"), "--agent", str(agent))


def begin_quietly(start: START, quiet: tuple[str, ...]) -> Program:
    """Start a negotiation with a complete draft, all of which has been written."""
    program = start(*quiet)
    program.wait_for("shown", type="SEND_MESSAGE", sender="agent")
    build(program, **EVEN_ENOUGH)
    wait_until_kept(program, offer=EVEN_ENOUGH_OFFER)
    return program


def test_on_a_full_disk_the_negotiation_waits_and_goes_on_by_itself_once_there_is_room(
    start: START, quiet: tuple[str, ...], tmp_path: Path
) -> None:
    program = begin_quietly(start, quiet)

    with full_disk(program):
        program.click("send_offer")
        paused = program.wait_for("paused")
        program.shoot(tmp_path / "paused.png")
        program.types("nobody reads this")
        program.press("Tab", "space")
        recorded = own(program, "SEND_OFFER")
    program.wait_for("unpaused")
    program.wait_for("shown", type="SEND_OFFER", sender="human")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")
    accept_at_last(program)
    ended = program.wait_for("ended")
    program.wait_for("finished")

    assert "events.jsonl" in paused["reason"]
    assert recorded == []
    assert ended["points"] == "You get 25 points."
    assert own(program, "SEND_MESSAGE") == []
    notes = [event["payload"]["kind"] for event in program.events() if event["type"] == "NOTE"]
    assert "session_frozen" in notes
    assert "follow from the rules, and so does the end" in replayed(program.log())


def test_a_paused_negotiation_says_the_reason_that_holds_now(screen: Screen) -> None:
    told = screen.run(sys.executable, "-m", "tests.window.programs.pause_reasons", capture_output=True)

    assert told.stdout.decode().split("\n") == ["paused First.", "paused Second.", ""]


def test_a_paused_negotiation_can_be_closed_and_is_resumed_at_the_next_start(
    start: START, quiet: tuple[str, ...]
) -> None:
    closed = begin_quietly(start, quiet)

    with full_disk(closed):
        closed.click("send_offer")
        closed.wait_for("paused")
        closed.close_window()
        closed.wait_for("dialog_open")
        closed.click("dialog.yes")
        told, _ = closed.process.communicate(timeout=LONGEST)
    program = start()
    resume(program)
    program.click("send_offer")
    program.wait_for("shown", type="FORMAL_ACCEPT", sender="agent")

    assert closed.process.returncode == 0
    assert f"Log so far: {closed.log()} (not finished)" in told.decode()
    assert [event["payload"]["offer"] for event in own(program, "SEND_OFFER")] == [EVEN_ENOUGH_OFFER]
