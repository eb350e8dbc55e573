"""P12: a visit that is killed at any moment goes on as it would have, and its data is the same in the end."""

from __future__ import annotations

import struct
import tempfile
import time
import zlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from negoplatform.analysis.export_tables.columns import DataTable
from negoplatform.analysis.export_tables.export import Export
from negoplatform.analysis.export_tables.study_tables import StudyTables
from negoplatform.app.catalogue.catalogue import find_shipped_agent
from negoplatform.app.session.chosen_agent import ChosenAgent
from negoplatform.app.study.participant_code import look_up_code
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.played_sessions import find_session_log
from negoplatform.app.visit.step_play import StepPlay
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.core.events import Accepted, Ending, EventType
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.reader import read_log, read_whole_part
from negoplatform.eventlog.replay import replay
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME, VisitRecord, replay_visit
from negoplatform.study.visit_events import SessionClosed
from negoplatform.study.visit_state import VisitState
from tests.resumed_events import without_versions
from tests.study.studies import small_study, stage
from tests.study.visits import act
from tests.torture.kills import KILL
from tests.torture.programs import KILLED, Send, start
from tests.torture.rows import Row, Tally

KILLS = 500

AT_ONCE = 0.5
"""Share of kills after a time; the others come right after an acknowledged call."""

LONGEST_LIFE = 0.5
"""Maximum number of seconds after which a program is killed, unless after an acknowledged call."""

MOST_ACKNOWLEDGED = 12
"""Maximum number of calls after which a program is killed."""

TORN = 0.3
"""Share of kills after which half a line is appended to the visit's log."""

ISOLATED = 12
"""Number of visits of which one has agents in processes."""

ACK = struct.Struct("<III")
"""Record sent after each call: length and checksum of the visit's log, and a checksum of the screen."""

HALF_A_LINE = b'{"n":17,"t":3.25,"t_utc":"20'

CHANGING = ("visit", "started", "ended", "ms", "hidden_ms")
"""Columns that differ between equal visits, and so do all that begin with minutes or have these endings."""

CHANGING_ENDINGS = ("_session", "_interruptions")


def run(scale: float) -> Row:
    """Kill programs that go through visits, resume them, and compare all with undisturbed visits."""
    tally, random = Tally(), Random("P12")
    wanted = max(6, round(KILLS * scale))
    with tempfile.TemporaryDirectory() as place:
        folder = tortured_study(Path(place))
        harmed = StudyData(Path(place) / "harmed" / "study_data" / "x", is_test=False)
        calm = StudyData(Path(place) / "calm" / "study_data" / "x", is_test=False)
        torn = acknowledged = number = 0
        while tally.runs < wanted:
            number += 1
            life = VisitLife(folder, harmed, f"P-{number:03}", tally, random, isolated=number % ISOLATED == 0)
            with tally.trying(f"the visit {life.code}"):
                life.live()
                _go_through(folder, calm, life.code)
                life.compare(calm)
            torn += life.torn
            acknowledged += life.acknowledged
        with tally.trying("the tables"):
            _compare_tables(folder, harmed, calm, tally)
        _look_at_places(harmed, number, tally)
    tally.remarks.append(
        f"{number} visits of {tally.runs} kills, {acknowledged:,} acknowledged calls, {torn} torn lines; "
        f"one visit of {ISOLATED} with agents in processes."
    )
    return tally.row("P12", f"{KILL} of a visit: screen, answers, cell, memory, tables", counts=["lost"])


def tortured_study(place: Path) -> StudyFolder:
    """Return the study: the small one, with places to claim and an agent that remembers earlier rounds."""

    def change(study: dict[str, Any]) -> None:
        study["codes"] = {"pattern": "P-###"}
        study["design"].update(assign="station_blocks")
        study["partners"]["sam"].update(agent="favours_fair", settings={})
        rounds = stage(study, "r")
        rounds["rounds"] = [
            {"id": "one", "game": "campsite", "minutes": 4},
            {"id": "two", "game": "resource_exchange", "minutes": 4},
            {"id": "three", "game": "campsite", "minutes": 4},
        ]

    return small_study(place, change)


class VisitLife:
    """Visit with the programs that go through it, one after the other.

    Args:
        folder: The study.
        data: The data.
        code: The participant's code.
        tally: The counts.
        random: The random numbers that determine the moments of the kills.
        isolated: Whether agents run in processes.
    """

    def __init__(
        self,
        folder: StudyFolder,
        data: StudyData,
        code: str,
        tally: Tally,
        random: Random,
        *,
        isolated: bool,
    ) -> None:
        self.code = code
        self.torn = 0
        self.acknowledged = 0
        self._folder = folder
        self._data = data
        self._tally = tally
        self._random = random
        self._isolated = isolated
        self._last: tuple[int, int, int] = (0, 0, 0)

    def live(self) -> None:
        """Run programs until one comes to the end of the visit."""
        while not self._generation():
            pass

    def _generation(self) -> bool:
        """Run a program and kill it; return whether it came to the end before."""
        before, known = self._last, self._read()
        work = partial(_program, self._folder, self._data, self.code, self._isolated)
        program = start(work, warm=warm_up)
        told = b""
        if self._random.random() < AT_ONCE:
            time.sleep(self._random.uniform(0, LONGEST_LIFE * (4 if self._isolated else 1)))
        else:
            enough = ACK.size * self._random.randint(1, MOST_ACKNOWLEDGED)
            while len(told) < enough and (more := program.read_some()):
                told += more
            time.sleep(self._random.uniform(0, 0.01))
        told += program.kill()
        code = program.reap()
        acks = [ACK.unpack_from(told, at) for at in range(0, len(told) // ACK.size * ACK.size, ACK.size)]
        self.acknowledged += len(acks)
        if acks:
            self._last = acks[-1]
            self._look_at_resume(before, known, acks[0])
        self._look_for_what_was_acknowledged(acks)
        if code not in (0, KILLED):
            raise AssertionError(f"{self.code}: a program ended with {code}.")
        if code == 0:
            return True
        self._tally.runs += 1
        if b'"VISIT_ENDED"' in self._read():
            return True
        self._tear()
        return False

    def _look_at_resume(
        self, before: tuple[int, int, int], known: bytes, first: tuple[int, int, int]
    ) -> None:
        """Check that a resumed program shows the screen and the answers that were there before."""
        if before[0] and len(known) == before[0]:
            self._tally.expect(
                first[2] == before[2], f"{self.code}: another screen or other answers after a kill."
            )

    def _look_for_what_was_acknowledged(self, acks: list[tuple[int, int, int]]) -> None:
        log = self._read()
        lost = sum(zlib.crc32(log[:length]) != checksum for length, checksum, _ in acks)
        self._tally.lost += lost
        self._tally.expect(not lost, f"{self.code}: {lost} acknowledged calls are lost or changed.")

    def _read(self) -> bytes:
        """Return the complete lines of the visit's log."""
        logs = list(self._data.visits.glob(f"{self.code}-*/{VISIT_LOG_NAME}"))
        contents = [data[: data.rfind(b"\n") + 1] for data in (log.read_bytes() for log in logs)]
        begun = [data for data in contents if data]
        self._tally.expect(len(begun) < 2, f"{self.code} has {len(begun)} visits.")
        return begun[0] if begun else b""

    def _tear(self) -> None:
        for log in self._data.visits.glob(f"{self.code}-*/{VISIT_LOG_NAME}"):
            data = log.read_bytes()
            if data and self._random.random() < TORN:
                with log.open("ab") as file:
                    file.write(HALF_A_LINE[: self._random.randint(1, len(HALF_A_LINE))])
            self.torn += not log.read_bytes().endswith(b"\n")

    def compare(self, calm: StudyData) -> None:
        """Compare the visit and its sessions with those of a visit that nothing disturbed."""
        (mine,), (other,) = (_finished(self._folder, data, self.code) for data in (self._data, calm))
        for what in ("assigned", "answers", "results", "flags", "paid", "ended"):
            a, b = (_plain(getattr(one[1], what)) for one in (mine, other))
            self._tally.expect(a == b, f"{self.code}: {what} is {a!r}, and undisturbed {b!r}.")
        for (step, session), (_, undisturbed) in zip(_closed(mine[1]), _closed(other[1]), strict=True):
            path = find_session_log(self._data, session.session)
            acts = [_acts(found) for found in (path, find_session_log(calm, undisturbed.session))]
            first = next((pair for pair in zip(*acts, strict=False) if pair[0] != pair[1]), None)
            counts = [len(each) for each in acts]
            self._tally.expect(
                acts[0] == acts[1], f"{self.code}: the game of {step} is another one: {first}, {counts}."
            )
            last = path.read_bytes().splitlines()[-1]
            self._tally.expect(
                session.last_hash.encode() in last, f"{self.code}: {step} has another last line."
            )


def _program(folder: StudyFolder, data: StudyData, code: str, isolated: bool, send: Send) -> None:
    """Go through a visit, and acknowledge each call."""

    def acknowledge(run: VisitRun, path: Path) -> None:
        log = path.read_bytes()
        screen = zlib.crc32(repr(_seen(run.state)).encode())
        send(ACK.pack(len(log), zlib.crc32(log), screen))

    _go_through(folder, data, code, acknowledge, isolated=isolated)


def warm_up() -> None:
    """Import in a new Python what a visit needs."""
    find_shipped_agent("linear")


def _seen(state: VisitState) -> tuple[Any, ...]:
    """Return what a participant notices of a state, and what the data says about them."""
    cell = None if state.assigned is None else sorted(state.assigned.cell.items())
    return (state.screen, sorted(state.answers.items()), sorted(state.attempts.items()), cell, state.flags)


def _plain(value: Any) -> Any:
    """Return a value without what differs between equal visits."""
    dump = getattr(value, "model_dump", None)
    return value if dump is None else dump(exclude={"n", "t", "t_utc"})


def _closed(state: VisitState) -> list[tuple[str, SessionClosed]]:
    return [(step, one) for step, one in state.sessions.items() if isinstance(one, SessionClosed)]


def _acts(path: Path) -> list[Any]:
    """Return the events of a session as if it had not been resumed, and the record with which it began.

    What follows the end of the game is left out: a session that is over is not resumed for the farewells.
    """
    log = read_log(path)
    breaks = [event.seq for event in log.events if event.type == EventType.RESUMED]

    def number(seq: int | None) -> int | None:
        return seq if seq is None else seq - sum(at < seq for at in breaks)

    acts: list[Any] = [repr(log.header.record)]
    for event in without_versions(log.events):
        if event.type == EventType.RESUMED:
            continue
        payload: Any = event.payload
        if isinstance(payload, Accepted):
            payload = Accepted(number(payload.offer_id) or 0)
        elif isinstance(payload, Ending):
            payload = replace(payload, deal_id=number(payload.deal_id))
        acts.append(event._replace(seq=number(event.seq) or 0, cause=number(event.cause), payload=payload))
        if event.type == EventType.GAME_END:
            break
    return acts


def _finished(folder: StudyFolder, data: StudyData, code: str) -> list[tuple[VisitRecord, VisitState]]:
    found = []
    for record in data.visits_of(code):
        state = replay_visit(folder.study, record)
        if state.ended is not None:
            found.append((record, state))
    return found


def _go_through(
    folder: StudyFolder,
    data: StudyData,
    code: str,
    acknowledge: Any = lambda run, path: None,
    *,
    isolated: bool = False,
) -> None:
    """Begin or resume the visit of a code, and go to its end; what is done depends on the screen alone."""
    known = look_up_code(folder, data, code)
    if known.unfinished is None:
        run = VisitRun.begin(folder, data, known, station="pc01", language="en")
        path = data.visit_folder(code, run.state.header.visit) / VISIT_LOG_NAME
    else:
        path = known.unfinished.path
        run = VisitRun.resume(folder, data, path.parent)
    person = ChosenAgent(find_shipped_agent("linear"), {"exponent": 0.7})
    play = StepPlay(run, person=lambda _game: person, report=_raise, isolated=isolated)
    acknowledge(run, path)
    while run.state.ended is None:
        step = run.step
        if step.game is None:
            about = (code, step.id, run.state.page, run.state.attempts.get(step.id, 0))
            act(run, Random(repr(about)))
        elif _is_over(run):
            VisitSessions(run, report=_raise).closed_already()
        else:
            play.play()
        acknowledge(run, path)
    play.stop()
    run.close()


def _is_over(run: VisitRun) -> bool:
    """Return whether the session of the open step has an end, which the visit does not say yet."""
    opened = run.state.sessions.get(run.step.id)
    if opened is None:
        return False
    found = read_whole_part(find_session_log(run.data, opened.session))
    return bool(found.events) and replay(found).state.ending is not None


def _raise(error: BaseException) -> None:
    raise error


def _compare_tables(folder: StudyFolder, harmed: StudyData, calm: StudyData, tally: Tally) -> None:
    """Compare the tables of all visits, cell by cell, with those of undisturbed ones."""
    tables = []
    for data in (harmed, calm):
        visits, export = StudyTables(folder.study), Export()
        for path in sorted(data.sessions.glob("*/events.jsonl")):
            if b"\n" in path.read_bytes():  # else the program was killed before the first line was complete
                export.add(path)
        for record in data.records():
            if isinstance(record, InputFileError):
                tally.faults.append(str(record))
            else:
                visits.add(record)
        tables.append([*visits.tables(export)[:3], visits.payments()])
    for mine, other in zip(*tables, strict=True):
        a, b = _comparable(mine), _comparable(other)
        different = [name for name in {**a, **b} if a.get(name) != b.get(name)]
        tally.expect(
            not different, f"In the table {mine.name}, {different} differ from those of undisturbed visits."
        )


def _comparable(table: DataTable) -> dict[str, list[Any]]:
    """Return the columns that are equal in equal visits, by name."""
    return {
        column.name: [row[i] for row in table.rows]
        for i, column in enumerate(table.columns)
        if column.name not in CHANGING
        and not column.name.startswith("minutes")
        and not column.name.endswith(CHANGING_ENDINGS)
    }


def _look_at_places(data: StudyData, visits: int, tally: Tally) -> None:
    places = sorted(path for path in data.root.glob("places/*/*/*") if path.name.isdecimal())
    numbers = [int(path.name) for path in places]
    tally.expect(numbers == list(range(visits)), f"{visits} visits have the places {numbers}.")
