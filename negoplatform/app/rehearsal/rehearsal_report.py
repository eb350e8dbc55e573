"""Report of a rehearsal, computed from what the rehearsal wrote: its logs, and its tables read back."""

from __future__ import annotations

import csv
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist, fmean, median, stdev, variance

from negoplatform.analysis.columns import DataTable, cell_text
from negoplatform.analysis.export import Export, write_tables
from negoplatform.analysis.study_tables import StudyTables
from negoplatform.app.rehearsal.rehearsal_people import Effects, PeopleModel
from negoplatform.app.rehearsal.simulated_person import SimulatedVisit, is_reversed
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.hash_chain import extract_hash
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.study.reachability import unreachable_steps
from negoplatform.study.scoring import reversed_value
from negoplatform.study.stages import FormStage, QuizStage
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
from negoplatform.study.visit_steps import NO_DRAWS, form_items, visit_steps

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
    """Participants and games of a cell."""

    cell: str
    assigned: int
    finished: int
    games: int
    agreements: int
    points: Spread
    minutes: Spread
    """Minutes of the games."""


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
class EffectReport:
    """Planted difference of answers between two levels, and the one in the data with its 95 % interval."""

    answers: str
    factor: str
    levels: tuple[str, str]
    planted: float
    found: float | None
    interval: tuple[float, float] | None

    @property
    def is_found(self) -> bool:
        """Whether the interval lies on the planted side of 0; of no difference, whether it includes 0."""
        if self.interval is None:
            return False
        low, high = self.interval
        return low <= 0 <= high if not self.planted else (low > 0 if self.planted > 0 else high < 0)


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
        steps=tuple(_steps(folder, found)),
        longest=_longest(found, kinds),
        quizzes=tuple(_quizzes(found)),
        currency="" if rules is None else rules.currency,
        amounts=tuple(float(state.paid.amount) for _, state in found if state.paid is not None),
        flags=_sorted(Counter(f"{step}: {what}" for _, state in found for step, what in state.flags)),
        effects=tuple(_effects(folder, people.effects, [state for _, state in found])),
        tables=tuple(tables),
        sessions=sum(len(state.sessions) for _, state in found),
        verified=verified,
        faults=tuple(faults),
    )


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
        mine = [state for _, state in both]
        games = [one for state in mine for one in state.sessions.values() if isinstance(one, SessionClosed)]
        points = [float(Fraction(one.points)) for one in games if one.points is not None]
        times = [
            time for record, state in both for step, time in _step_minutes(record) if step in state.sessions
        ]
        yield CellReport(
            cell_name(cell),
            len(mine),
            sum(state.ended == "finished" for state in mine),
            len(games),
            sum(one.agreement for one in games),
            Spread.of(points),
            Spread.of(times),
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


def _effects(folder: StudyFolder, effects: Effects, states: Sequence[VisitState]) -> Iterator[EffectReport]:
    for prefix, factors in effects.items():
        for factor, levels in factors.items():
            means: dict[str, list[float]] = {level: [] for level in folder.study.model.factors[factor]}
            for state in states:
                values = list(_answers(state, prefix))
                if values and state.assigned is not None:
                    means[state.assigned.cell[factor]].append(fmean(values))
            for level, other in pairwise(means):
                planted = levels.get(other, 0.0) - levels.get(level, 0.0)
                yield _difference(prefix, factor, (level, other), planted, means)


def _answers(state: VisitState, prefix: str) -> Iterator[float]:
    """Yield the numeric answers whose names have this beginning, with reversed items recoded."""
    for step in state.steps:
        if not isinstance(step.stage, FormStage) or step.kind != "form":
            continue
        for item in form_items(step.stage, state.instruments):
            if item.kind not in ("likert", "matrix", "slider", "number") or item.correct is not None:
                continue
            for name in item.fields:
                value = state.answers.get((step.id, name))
                if value is None or not f"{step.id}.{name}".startswith(prefix):
                    continue
                yield float(reversed_value(item, name, value) if is_reversed(item, name) else value)


def _difference(
    prefix: str,
    factor: str,
    levels: tuple[str, str],
    planted: float,
    means: Mapping[str, Sequence[float]],
) -> EffectReport:
    first, second = means[levels[0]], means[levels[1]]
    if len(first) < 2 or len(second) < 2:
        return EffectReport(prefix, factor, levels, planted, None, None)
    found = fmean(second) - fmean(first)
    a, b = variance(first) / len(first), variance(second) / len(second)
    if not a + b:
        return EffectReport(prefix, factor, levels, planted, found, (found, found))
    # Welch's interval, with the degrees of freedom by Welch and Satterthwaite.
    freedom = (a + b) ** 2 / (a**2 / (len(first) - 1) + b**2 / (len(second) - 1))
    half = t_quantile(0.975, freedom) * math.sqrt(a + b)
    return EffectReport(prefix, factor, levels, planted, found, (found - half, found + half))


def t_quantile(share: float, freedom: float) -> float:
    """Return a quantile of Student's t distribution, by the expansion of Cornish and Fisher.

    Its error is below 1 % from 3 degrees of freedom (Abramowitz and Stegun 1964, 26.7.5).
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / freedom**n for n, term in enumerate(terms, start=1))


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
