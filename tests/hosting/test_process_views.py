"""An agent in a process has the same view as in this one, and the process holds nothing else."""

from __future__ import annotations

import hashlib
import shutil
import struct
import sys
from copy import deepcopy
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any, cast

import pytest

from negoplatform.core.bus import PublishedEvent
from negoplatform.core.events import (
    Announced,
    DecidedBy,
    Event,
    EventType,
    Message,
    Note,
)
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.rounds import SINGLE_ROUND
from negoplatform.core.visibility import ViewProjector, observer_of, visible_event, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec, Preferences
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import PLATFORM, Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.formats.agent_protocol import (
    ReadyReplyModel,
    SandboxedReplyModel,
    StartedReplyModel,
    encode_message,
)
from negoplatform.formats.events import decode_event
from negoplatform.formats.games import load_game
from negoplatform.hosting import agent_process_requests
from negoplatform.hosting.agent_process_proxy import AgentProcess, make_process
from negoplatform.hosting.agent_runner import AgentGame, AgentRequest, AgentResponse
from negoplatform.hosting.child_process import ChildEnded, ChildProcess
from negoplatform.plugins.game_state_loader import with_state_plugin
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable
from tests.games import commanded, three_seats, with_rules
from tests.hosting.conftest import Make
from tests.hosting.processes import PATIENT, hostile, request_about, start_request_for, started
from tests.hosting.views import everything_in
from tests.hosting.walks import walk

pytestmark = pytest.mark.timeout(110)

MIRROR = Path(__file__).parent / "mirror.py"

SESSION = "0123456789ab"
"""Id of the sessions in which views are compared."""


class Onlooker:
    """Observer that puts every event of a seat to an agent's process and compares the views."""

    def __init__(self, table: TrialTable, seat: Seat, process: AgentProcess) -> None:
        self._observer = observer_of(table.state.game, seat)
        self._viewer = ViewProjector(self._observer, deepcopy(visible_game(table.state.game, self._observer)))
        self._process = process
        self.compared = self.seen = 0
        self.differences: list[str] = []

    def on_event(self, published: PublishedEvent) -> None:
        """Put an event to the process, as a host would."""
        seen = visible_event(published.public, self._observer)
        if seen is None:
            return
        if seen.sender == self._observer.seat:
            self._process.notify(seen)
            self.seen += 1
            return
        view = self._viewer.view(published.state)
        answer = self._process.respond(AgentRequest(view, seen.t, seen))
        here = "\n".join([*everything_in(view, seen.t), repr(seen)])
        told = said_by(answer)
        self.compared += 1
        if told != hashlib.sha256(here.encode()).hexdigest():
            self.differences.append(f"{told}\n--- {view.state.version}\n{here}")


def said_by(answer: AgentResponse) -> str:
    """Return the text of an answer, or else its failure."""
    return answer.failure or getattr(answer.steps[0], "text", "")


def first_difference(here: str, there: str) -> str:
    """Return the first line in which two views differ."""
    version = here.splitlines()[1]
    block = there[there.rindex(version) :].splitlines()
    for ours, theirs in zip(here.splitlines()[1:], block, strict=False):
        if ours != theirs:
            return f"{version}\nhere:  {ours}\nthere: {theirs}"
    return here


def land_sale() -> GameSpec:
    path = bundled("games") / "land_sale" / "game.json"
    return with_state_plugin(load_game(path), path)


GAMES = {
    "three seats": (three_seats(share_drafts=True, deadline_seconds=900.0), "blue"),
    "one who sees the other's preferences": (load_game(bundled("games") / "resource_exchange.json"), "agent"),
    "a state of its own": (land_sale(), "human"),
    "a state of its own, the other side": (land_sale(), "agent"),
    "a chain of command, with an ally": (commanded(share_drafts=True), "blue"),
    "a coach": (commanded(), "red"),
    "a drawn profile": (load_game(bundled("games") / "job_candidate.json").resolve_profiles(3), "candidate"),
}


@pytest.mark.parametrize("which", GAMES)
def test_a_seat_sees_the_same_in_its_process_as_in_this_one(which: str, make: Make, tmp_path: Path) -> None:
    game, seat = GAMES[which]
    seat = seat if seat in game.seats else game.seats[-1]
    output = tmp_path / "mirror.txt"
    table = TrialTable(game, agents_may_fail=True, session_id=SESSION)
    request = start_request_for(MIRROR, "Mirror", game, seat=seat, output=output, session_id=SESSION)
    onlooker = Onlooker(table, seat, make(request))

    table.subscribe(onlooker.on_event)
    walk(table, 90, Random(f"{which} 0"))

    assert not onlooker.differences, first_difference(
        onlooker.differences[0], output.read_text(encoding="utf-8")
    )
    assert onlooker.compared > 40
    assert onlooker.seen > 10


def test_what_is_told_in_pieces_arrives_whole(practice: GameSpec, make: Make, tmp_path: Path) -> None:
    process = make(start_request_for(MIRROR, "Mirror", practice, output=tmp_path / "mirror.txt"))
    table = started(practice)
    table.events.append(long_announcement(len(table.events) + 1))

    answer = process.respond(request_about(table))

    assert not answer.failure
    assert "é" * 100_000 in (tmp_path / "mirror.txt").read_text(encoding="utf-8")


def long_announcement(seq: int) -> Event:
    return Event(seq, 0.0, "long-announced", "platform", Announced("{}", "é" * 100_000))


THEIRS, OWN = 73519246.25, 61842957.75
"""Points that occur only in the other side's preferences, and in the agent's own."""


def planted() -> GameSpec:
    issue = CategoricalIssue("day", ("Friday", "Sunday"))
    sides = {"human": THEIRS, "agent": OWN}
    return GameSpec(
        name="planted",
        issues=(issue,),
        seats=tuple(sides),
        preferences=SeatMap(
            (seat, Preferences(AdditiveUtility(seat, {"day": {"Friday": points, "Sunday": 1}}), points))
            for seat, points in sides.items()
        ),
        stories=SeatMap((seat, f"{points}") for seat, points in sides.items()),
    )


def test_an_agent_that_walks_its_process_finds_its_own_points_and_not_the_others(make: Make) -> None:
    process = make(hostile("spies", planted(), budget=PATIENT))

    answer = process.respond(request_about(started(planted())))

    (step,) = answer.steps
    found: Any = getattr(step, "text", "")
    assert str(OWN) in found
    assert str(THEIRS) not in found


def test_a_process_leaves_out_of_a_game_what_its_seat_may_not_see(
    make: Make, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    outputs = [tmp_path / "first.txt", tmp_path / "second.txt"]
    monkeypatch.setattr(agent_process_requests, "visible_game", lambda game, _observer: game)
    process = make(start_request_for(MIRROR, "Mirror", planted(), output=outputs[0]))
    process.respond(request_about(started(planted())))
    following = AgentGame(
        seat="agent",
        game=planted(),
        rng_state=Random(1).getstate(),
        round=SINGLE_ROUND,
        output=outputs[1],
    )
    process.begin_next(following)
    process.respond(request_about(started(planted())))

    seen = [output.read_text(encoding="utf-8") for output in outputs]

    assert all(str(OWN) in text for text in seen)
    assert not any(str(THEIRS) in text for text in seen)


class Recorder:
    """Process that notes what it is told, and is ready for anything."""

    passes_files = True

    def __init__(self) -> None:
        self.told: list[Event] = []
        sandboxed = SandboxedReplyModel(landlock=0, seccomp=False)
        self._replies = iter((StartedReplyModel(), sandboxed, ReadyReplyModel(name="Robin")))

    def watch_family(self, *, memory_mb: int) -> None:
        """Do nothing."""

    def stop(self) -> None:
        """Do nothing."""

    def send(self, lines: bytes, until: float, file: int | None = None) -> None:
        """Note the events among some lines."""
        self.told += [
            decode_event(line, "the program", "an event")[0]
            for line in lines.splitlines()
            if line.startswith(b'{"seq":')
        ]

    def receive(self, until: float) -> bytes:
        """Reply that it is ready, and later nothing."""
        for reply in self._replies:
            return encode_message(reply)
        raise ChildEnded("It is a recorder.")


def told_of(event: Event) -> list[Event]:
    """Return what an agent's process gets of an event that its host has let through by mistake."""
    recorder = Recorder()
    process = AgentProcess(cast("ChildProcess", recorder))
    process.start(start_request_for(MIRROR, "Mirror", planted()))
    table = started(planted())

    process.notify(event)
    process.respond(request_about(table)._replace(stimulus=event))

    assert recorder.told[:1] == recorder.told[1:]
    return recorder.told[:1]


WHISPER = Event(2, 1.0, EventType.SEND_MESSAGE, "human", Message("for me alone"), to=("human",))


def test_an_event_for_another_seat_does_not_leave_the_program() -> None:
    assert not told_of(WHISPER)
    assert [event.payload for event in told_of(WHISPER._replace(to=("human", "agent")))] == [WHISPER.payload]


def test_what_the_experimenter_alone_sees_of_an_event_does_not_leave_the_program() -> None:
    public = WHISPER._replace(to=())

    (told,) = told_of(public._replace(cause=1, decided_by=DecidedBy.WIZARD))

    assert (told.cause, told.decided_by) == (None, None)
    assert told.payload == public.payload


def test_a_note_does_not_leave_the_program() -> None:
    assert not told_of(Event(2, 1.0, EventType.NOTE, PLATFORM, Note(NoteKind.READING, {"text": "secret"})))


def test_an_agents_process_holds_nothing_through_which_a_session_is_written(make: Make) -> None:
    process = make(hostile("finds_writers", planted(), budget=PATIENT))

    answer = process.respond(request_about(started(planted())))

    (step,) = answer.steps
    assert getattr(step, "text", "") == "I found [], and True."


@pytest.mark.skipif(sys.platform != "linux", reason="the system shows nobody's memory")
def test_the_others_points_stand_nowhere_in_the_memory_of_an_agents_process(make: Make) -> None:
    process = make(start_request_for(MIRROR, "Mirror", planted()))
    table = started(planted())
    for _ in range(3):
        table.human.says("Hello")
        assert not process.respond(request_about(table)).failure

    memory = memory_of(process.pid)
    about = b"".join(
        Path(f"/proc/{process.pid}/{name}").read_bytes() for name in ("environ", "cmdline")
    ) + b"".join(bytes(link.readlink()) for link in Path(f"/proc/{process.pid}/fd").iterdir())

    # What the agent may know is found, so the search finds what there is.
    assert all(form in memory for form in forms_of(OWN))
    assert not [form for form in forms_of(THEIRS) if form in memory + about]


def forms_of(number: float) -> list[bytes]:
    return [struct.pack("<d", number), str(number).encode()]


def memory_of(pid: int) -> bytes:
    """Return the memory that a process can read of itself."""
    found = []
    with (
        Path(f"/proc/{pid}/maps").open() as maps,
        Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory,
    ):
        for line in maps:
            span, rights, *_ = line.split()
            if not rights.startswith("r") or "[v" in line:
                continue
            start, end = (int(at, 16) for at in span.split("-"))
            try:
                memory.seek(start)
                found.append(memory.read(end - start))
            except (OSError, OverflowError):
                continue
    return b"".join(found)


@pytest.mark.skipif(sys.platform != "linux", reason="the system lists nobody's descriptors")
def test_a_process_has_no_descriptor_but_its_transport(
    practice: GameSpec, make: Make, tmp_path: Path
) -> None:
    start_request = start_request_for(MIRROR, "Mirror", practice, output=tmp_path / "mirror.txt")
    with (tmp_path / "ours.txt").open("w"):
        process = make(start_request, AgentProcess.spawn())  # none that was there before the file was open
        held = sorted(
            str(link.readlink()).split(":")[0] for link in Path(f"/proc/{process.pid}/fd").iterdir()
        )
        environment = Path(f"/proc/{process.pid}/environ").read_bytes()

    assert held == ["/dev/null", *[str(tmp_path / "mirror.txt")] * 2, "socket", "socket"]
    assert b"HOME=" not in environment


def test_another_budget_of_the_game_changes_nothing_of_what_is_seen(practice: GameSpec, make: Make) -> None:
    game = with_rules(practice, agents=replace(PATIENT, restarts=7))
    process = make(start_request_for(MIRROR, "Mirror", game))

    answer = process.respond(request_about(started(game)))

    assert not answer.failure


def test_a_game_whose_state_is_not_the_one_that_was_chosen_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "land_sale"
    shutil.copytree(bundled("games") / "land_sale", folder, ignore=shutil.ignore_patterns("__pycache__"))
    game = with_state_plugin(load_game(folder / "game.json"), folder / "game.json")
    start_request = start_request_for(MIRROR, "Mirror", game)
    with (folder / "state.py").open("a") as file:
        file.write("# another one\n")

    with pytest.raises(NegoError, match="has changed since the game was chosen"):
        make_process(start_request)
