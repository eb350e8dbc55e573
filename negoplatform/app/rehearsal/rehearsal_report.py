"""Report of a rehearsal, computed from what the rehearsal wrote: its logs, and its tables read back."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from statistics import fmean, median, stdev

from negoplatform.analysis.export_tables.columns import DataTable, cell_text
from negoplatform.analysis.export_tables.export import Export, write_tables
from negoplatform.analysis.export_tables.study_tables import StudyTables
from negoplatform.app.rehearsal.rehearsal_effects import EffectReport, effect_reports
from negoplatform.app.rehearsal.rehearsal_people import PeopleModel
from negoplatform.app.rehearsal.simulated_person import SimulatedVisit
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.hash_chain import extract_hash
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.study.reachability import unreachable_steps
from negoplatform.study.stages import NegotiationStage, QuizStage, RoundsStage
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_events import (
    Answered,
    Paid,
    QuizTried,
    SessionClosed,
    StageEntered,
    StageLeft,
)
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import NO_DRAWS, visit_steps

TABLES = "tables"


@dataclass(frozen=True, slots=True)
class Spread:
    """Mean and standard deviation of some numbers; None where there are too few."""

    mean: float | None
    deviation: float | None

    @classmethod
    def of(cls, numbers: Sequence[float]) -> Spread:
        """Return the mean and the standard deviation of some numbers."""
        return cls(fmean(numbers) if numbers else None, stdev(numbers) if len(numbers) > 1 else None)


@dataclass(frozen=True, slots=True)
class CellReport:
    """Participants of a cell, and their games that count."""

    cell: str
    assigned: int
    finished: int
    games: int
    deals: int
    complete: int
    """Games without deals, such as markets, that were played to their end."""
    points: Spread
    minutes: Spread
    """Minutes of the games."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """Games of a step, which is one game or a round."""

    step: str
    counts: bool
    """Whether it counts; otherwise it is practice."""
    games: int
    deals: int
    complete: int
    """Games without deals, such as markets, that were played to their end."""
    points: Spread
    minutes: Spread


@dataclass(frozen=True, slots=True)
class StepReport:
    """Visits of a step, and the minutes that it took."""

    step: str
    kind: str
    visits: int
    median_minutes: float | None
    most_minutes: float | None
    is_unreachable: bool


@dataclass(frozen=True, slots=True)
class LongestVisit:
    """Visit that took longest, with the minutes of its steps."""

    code: str
    cell: str
    kind: str
    minutes: float
    steps: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class QuizReport:
    """Attempts at a quiz."""

    step: str
    people: int
    first_try: int
    mean_tries: float
    most_tries: int


@dataclass(frozen=True, slots=True)
class TableReport:
    """Table that was written and read back.

    Args:
        name: Its name.
        columns: The number of its columns.
        rows: The number of its rows.
        fault: The problem with it; empty if there is none.
    """

    name: str
    columns: int
    rows: int
    fault: str = ""


@dataclass(frozen=True)
class RehearsalReport:
    """Result of a rehearsal.

    Args:
        study: Name and version of the study.
        sha256: Hash of the study.
        seed: Seed of the rehearsal.
        people: Number of simulated people.
        kinds: Number of people by kind.
        ends: Number of visits by how they ended; ``dropped out`` where they did not.
        languages: Number of visits by language.
        cells: The cells.
        games: The games by step, in the order of play.
        steps: The steps of all cells.
        longest: The visit that took longest; None if there is none.
        quizzes: The quizzes.
        currency: Currency of the payments.
        amounts: The payments.
        flags: Number of flags by step and reason.
        effects: The planted effects.
        tables: The tables.
        sessions: Number of sessions.
        verified: Number of sessions whose chain of hashes, rules and end were verified.
        faults: The problems that were found, in sentences.
    """

    study: str
    sha256: str
    seed: int
    people: int
    kinds: Mapping[str, int] = field(default_factory=dict)
    ends: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)
    cells: tuple[CellReport, ...] = ()
    games: tuple[GameReport, ...] = ()
    steps: tuple[StepReport, ...] = ()
    longest: LongestVisit | None = None
    quizzes: tuple[QuizReport, ...] = ()
    currency: str = ""
    amounts: tuple[float, ...] = ()
    flags: Mapping[str, int] = field(default_factory=dict)
    effects: tuple[EffectReport, ...] = ()
    tables: tuple[TableReport, ...] = ()
    sessions: int = 0
    verified: int = 0
    faults: tuple[str, ...] = ()

    @property
    def unreachable(self) -> list[str]:
        """Steps that no participant can reach."""
        return [step.step for step in self.steps if step.is_unreachable]

    @property
    def unreached(self) -> list[str]:
        """Steps that can be reached, but were not."""
        return [step.step for step in self.steps if not step.visits and not step.is_unreachable]


Visit = tuple[VisitRecord, VisitState]


def build_report(
    folder: StudyFolder,
    data: StudyData,
    people: PeopleModel,
    visits: Sequence[SimulatedVisit],
    *,
    seed: int,
) -> RehearsalReport:
    """Return the report of a rehearsal; the tables are written into the folder of its data.

    Args:
        folder: The study.
        data: The data of the rehearsal.
        people: The kinds of people, and the effects that were planted.
        visits: The result of each visit.
        seed: The seed.
    """
    faults: list[str] = []
    found: list[Visit] = []
    for record in data.records():
        try:
            if isinstance(record, InputFileError):
                raise record
            found.append((record, replay_visit(folder.study, record)))
        except InputFileError as error:
            faults.append(str(error))
    found.sort(key=lambda visit: visit[0].header.code)
    kinds = {visit.code: visit.kind for visit in visits}
    lost = {visit.code for visit in visits if visit.end != "declined"} - {r.header.code for r, _ in found}
    faults += [f"There is no log of the visit of {code}." for code in sorted(lost)]
    export = Export()
    verified = sum(
        _verify(path, export, found, faults) for path in sorted(data.sessions.glob(f"*/{LOG_NAME}"))
    )
    tables = _tables(folder, data, found, export)
    faults += [f"The table {table.name}: {table.fault}." for table in tables if table.fault]
    rules = folder.study.model.payment
    return RehearsalReport(
        study=folder.study.label,
        sha256=folder.study.sha256,
        seed=seed,
        people=len(visits),
        kinds=_sorted(Counter(kinds.values())),
        ends=_sorted(Counter(visit.end for visit in visits)),
        languages=_sorted(Counter(record.header.language for record, _ in found)),
        cells=tuple(_cells(folder, found)),
        games=tuple(_games(found)),
        steps=tuple(_steps(folder, found)),
        longest=_longest(found, kinds),
        quizzes=tuple(_quizzes(found)),
        currency="" if rules is None else rules.currency,
        amounts=tuple(float(state.paid.amount) for _, state in found if state.paid is not None),
        flags=_sorted(Counter(flag_text(step, what) for _, state in found for step, what in state.flags)),
        effects=tuple(effect_reports(folder, people.effects, [state for _, state in found])),
        tables=tuple(tables),
        sessions=sum(len(state.sessions) for _, state in found),
        verified=verified,
        faults=tuple(faults),
    )


FLAG_TEXTS = {
    "quiz": "did not pass the quiz",
    "answers": "gave answers that are flagged",
    "timeout": "exceeded the time limit",
    "agent_failure": "had an agent that failed",
}
"""Meaning of the flags."""


def flag_text(step: str, what: str) -> str:
    """Return a flag as text, such as ``exceeded the time limit in about``."""
    return f"{FLAG_TEXTS.get(what, what)} in {step}"


def _sorted(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items()))


def _verify(path: Path, export: Export, visits: Sequence[Visit], faults: list[str]) -> bool:
    """Read and replay a session, and compare its end with the visit's; return whether both are sound."""
    try:
        facts = export.add(path)
    except InputFileError as error:
        faults.append(str(error))
        return False
    session = facts.log.header.session_id
    closed = [
        one
        for _, state in visits
        for one in state.sessions.values()
        if one.session == session and isinstance(one, SessionClosed)
    ]
    last = path.read_bytes().splitlines(keepends=True)[-1]
    if [one.last_hash for one in closed] == [extract_hash(last)]:
        return True
    faults.append(f"{path}: no visit has closed this session with the hash of its last line.")
    return False


def _cells(folder: StudyFolder, visits: Sequence[Visit]) -> Iterator[CellReport]:
    for cell in folder.study.model.cells():
        both = [one for one in visits if one[1].assigned is not None and one[1].assigned.cell == cell]
        played = [game for visit in both for game in _played(visit) if game.counts]
        yield CellReport(
            cell_name(cell),
            len(both),
            sum(state.ended == "finished" for _, state in both),
            len(played),
            *_ends(played),
            Spread.of([game.points for game in played if game.points is not None]),
            Spread.of([game.minutes for game in played if game.minutes is not None]),
        )


@dataclass(frozen=True, slots=True)
class _PlayedGame:
    step: str
    counts: bool
    closed: SessionClosed
    minutes: float | None

    @property
    def points(self) -> float | None:
        return None if self.closed.points is None else float(Fraction(self.closed.points))


def _ends(games: Sequence[_PlayedGame]) -> tuple[int, int]:
    """Return how many games ended with a deal, and how many without deals were played to their end."""
    complete = sum(game.closed.is_complete_without_deal for game in games)
    return sum(game.closed.agreement for game in games) - complete, complete


def _played(visit: Visit) -> Iterator[_PlayedGame]:
    """Yield the games of a visit that are over, in the order of play."""
    record, state = visit
    minutes = dict(_step_minutes(record))
    for step in state.steps:
        closed = state.sessions.get(step.id)
        if isinstance(closed, SessionClosed):
            counts = not isinstance(step.stage, NegotiationStage | RoundsStage) or step.stage.counts
            yield _PlayedGame(step.id, counts, closed, minutes.get(step.id))


def _games(visits: Sequence[Visit]) -> Iterator[GameReport]:
    found: dict[tuple[str, bool], list[_PlayedGame]] = {}
    # Steps in the order of the visit that reached most of them.
    for visit in sorted(visits, key=lambda visit: -len(visit[1].sessions)):
        for game in _played(visit):
            found.setdefault((game.step, game.counts), []).append(game)
    for (step, counts), games in found.items():
        yield GameReport(
            step,
            counts,
            len(games),
            *_ends(games),
            Spread.of([game.points for game in games if game.points is not None]),
            Spread.of([game.minutes for game in games if game.minutes is not None]),
        )


def _step_minutes(record: VisitRecord) -> list[tuple[str, float]]:
    return [(event.step, event.ms / 60_000) for event in record.events if isinstance(event, StageLeft)]


def _steps(folder: StudyFolder, visits: Sequence[Visit]) -> Iterator[StepReport]:
    study = folder.study
    codes = folder.codes
    unreachable = set(unreachable_steps(study, codes.rows.values() if codes is not None else ()))
    kinds = {step.id: step.kind for model in study.models.values() for step in visit_steps(model, NO_DRAWS)}
    minutes: dict[str, list[float]] = {}
    for record, _ in visits:
        for step, time in _step_minutes(record):
            minutes.setdefault(step, []).append(time)
    for step, kind in kinds.items():
        times = minutes.get(step, [])
        yield StepReport(
            step,
            kind,
            sum(step in state.entered for _, state in visits),
            median(times) if times else None,
            max(times, default=None),
            step in unreachable,
        )


def _longest(visits: Sequence[Visit], kinds: Mapping[str, str]) -> LongestVisit | None:
    if not visits:
        return None
    record, state = max(visits, key=lambda visit: (visit[1].t, visit[0].header.code))
    cell = "" if state.assigned is None else cell_name(state.assigned.cell)
    code = record.header.code
    return LongestVisit(code, cell, kinds.get(code, ""), state.t / 60, tuple(_step_minutes(record)))


def _quizzes(visits: Sequence[Visit]) -> Iterator[QuizReport]:
    tries: dict[str, Counter[str]] = {}
    first: Counter[str] = Counter()
    for record, state in visits:
        for event in record.events:
            if isinstance(event, QuizTried):
                tries.setdefault(event.step, Counter())[record.header.code] += 1
        first.update(
            step.id
            for step in state.steps
            if isinstance(step.stage, QuizStage) and state.results.get(f"{step.id}.first_try") is True
        )
    for step, counts in tries.items():
        numbers = list(counts.values())
        yield QuizReport(step, len(numbers), first[step], fmean(numbers), max(numbers))


def _tables(
    folder: StudyFolder, data: StudyData, visits: Sequence[Visit], export: Export
) -> list[TableReport]:
    """Write the tables, read them back, and compare them with what was written and with the visits."""
    if not visits:
        return []
    study = StudyTables(folder.study)
    for record, _ in visits:
        study.add(record)
    tables = study.tables(export)
    payments = study.payments()
    place = data.root / TABLES
    write_tables(tables, place, replace=True)
    write_tables([payments], place / "payments", replace=True)
    wanted = _expected_rows([record for record, _ in visits])
    found = [_read_back(place / f"{table.name}.csv", table, wanted) for table in tables]
    return [*found, _read_back(place / "payments" / f"{payments.name}.csv", payments, wanted)]


def _expected_rows(records: Sequence[VisitRecord]) -> dict[str, int]:
    """Return the number of rows by table, counted in the logs of the visits."""
    events = [(record, event) for record in records for event in record.events]
    answers = {
        (record.header.visit, event.step, event.item)
        for record, event in events
        if isinstance(event, Answered)
    }
    return {
        "participants": len(records),
        "answers": len(answers),
        "stages": sum(isinstance(event, StageEntered) for _, event in events),
        "sessions": sum(isinstance(event, SessionClosed) for _, event in events),
        "payments": len({record.header.visit for record, event in events if isinstance(event, Paid)}),
    }


def _read_back(path: Path, table: DataTable, wanted: Mapping[str, int]) -> TableReport:
    try:
        with path.open(encoding="utf-8", newline="") as file:
            lines = list(csv.reader(file, strict=True))
    except (OSError, ValueError, csv.Error) as error:
        return TableReport(table.name, len(table.columns), len(table.rows), f"it cannot be read ({error})")
    fault = ""
    if lines[:1] != [[column.name for column in table.columns]]:
        fault = "its columns are not those that were written"
    elif lines[1:] != [[cell_text(value) for value in row] for row in table.rows]:
        fault = "its rows are not those that were written"
    elif table.name in wanted and len(lines) - 1 < wanted[table.name]:
        fault = f"it has {len(lines) - 1} rows, and the visits say {wanted[table.name]}"
    return TableReport(table.name, len(table.columns), len(lines) - 1, fault)
