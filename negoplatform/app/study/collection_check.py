"""Check of collected data: duplicate, missing, mixed and damaged parts, each reported in one sentence."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from pathlib import Path

from negoplatform.app.study.study_data import has_begun, visit_logs
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import InputFileError
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.reader import ValidPrefix, read_sound_part
from negoplatform.eventlog.visit_log import VisitRecord, read_visit, replay_visit
from negoplatform.study.visit_events import SessionClosed, SessionOpened, VisitEnded, VisitResumed

CLOCK_TOLERANCE = 30.0
"""Seconds by which the time of day and the program's own clock may differ between two events."""

FAR_APART = timedelta(hours=12)
"""Minimum time between the visits of one computer and those of all others that is reported."""


class CollectionFindingKind(StrEnum):
    """Kind of a finding: a note, or one that needs a decision."""

    NOTE = "note"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class CollectionFinding:
    """Finding about collected data.

    Args:
        kind: Whether it needs a decision.
        text: A sentence.
    """

    kind: CollectionFindingKind
    text: str


def note(text: str) -> CollectionFinding:
    """Return a finding that needs no decision."""
    return CollectionFinding(CollectionFindingKind.NOTE, text)


def decision(text: str) -> CollectionFinding:
    """Return a finding that needs a decision."""
    return CollectionFinding(CollectionFindingKind.DECISION, text)


def check_collection(visits: Path, sessions: Path, study: StudyFolder | None) -> list[CollectionFinding]:
    """Return the findings about the visits and sessions of one version of a study.

    Args:
        visits: The folder of the visits.
        sessions: The folder of the sessions.
        study: The study, for its list of codes and its rules; None if it is not available.
    """
    records: list[VisitRecord] = []
    found: list[CollectionFinding] = []
    for log in visit_logs(visits):
        try:
            records.append(read_visit(log))
        except InputFileError as problem:
            if has_begun(log):
                found.append(decision(f"A damaged visit was kept: {problem}"))
    logs, faults = _read_sessions(sessions)
    found += faults
    found += _double_codes(records)
    found += _mixed_hashes(records)
    for record in records:
        found += _check_visit(record, logs)
    found += _sessions_without_visit(records, logs)
    found += _clocks(records)
    if study is not None:
        found += _against_study(records, study)
    return found


def check_sessions(records: Iterable[VisitRecord], sessions: Path) -> Iterator[str]:
    """Yield what is wrong between visits and the sessions that they name, in sentences.

    Args:
        records: The visits.
        sessions: The folder of the sessions.
    """
    logs, _faults = _read_sessions(sessions)
    records = list(records)
    findings = [finding for record in records for finding in _check_visit(record, logs)]
    for finding in [*findings, *_sessions_without_visit(records, logs)]:
        if finding.kind is CollectionFindingKind.DECISION:
            yield finding.text


def _read_sessions(folder: Path) -> tuple[dict[str, ValidPrefix], list[CollectionFinding]]:
    """Return the logs of sessions by folder, including the sound parts of damaged ones, and the findings."""
    logs: dict[str, ValidPrefix] = {}
    found = []
    for log in sorted(folder.glob(f"*/{LOG_NAME}")):
        try:
            part = read_sound_part(log)
        except InputFileError as problem:
            found.append(decision(f"A damaged session was kept: {problem}"))
            continue
        logs[log.parent.name] = part
        if part.problem is not None:
            found.append(decision(f"A damaged session was kept: {part.problem}"))
        elif part.torn_bytes:
            found.append(note(f"The last line of {log} is cut off, as after a crash."))
    return logs, found


def _about(record: VisitRecord) -> str:
    return f"The visit {record.header.visit} of {record.header.code}{_on(record.header.station)}"


def _on(station: str) -> str:
    return f" on {station}" if station else ""


def _double_codes(records: Iterable[VisitRecord]) -> Iterator[CollectionFinding]:
    by_code: dict[str, list[VisitRecord]] = defaultdict(list)
    for record in records:
        by_code[record.header.code.casefold()].append(record)
    for same in by_code.values():
        if len(same) > 1:
            places = " and ".join(
                f"in the visit {record.header.visit}{_on(record.header.station)}" for record in same
            )
            yield decision(f"The code {same[0].header.code} was used more than once: {places}.")


def _mixed_hashes(records: Iterable[VisitRecord]) -> Iterator[CollectionFinding]:
    by_hash: dict[str, set[str]] = defaultdict(set)
    for record in records:
        by_hash[record.header.sha256].add(record.header.station or "a computer without a name")
    if len(by_hash) > 1:
        parts = [f"{sha256[:8]}… on {', '.join(sorted(names))}" for sha256, names in sorted(by_hash.items())]
        yield decision(
            f"The study differs between computers although its version is the same: {'; '.join(parts)}. "
            "The export takes the visits of the study that it is given."
        )


def _check_visit(record: VisitRecord, logs: Mapping[str, ValidPrefix]) -> Iterator[CollectionFinding]:
    opened = {event.session: event for event in record.events if isinstance(event, SessionOpened)}
    closed = {event.session: event for event in record.events if isinstance(event, SessionClosed)}
    for session, event in opened.items():
        log = logs.get(event.folder)
        if log is None or log.header.session_id != session:
            yield decision(f"{_about(record)} names the session {session}, which is not here.")
            continue
        end = closed.get(session)
        if end is not None and end.last_hash != log.last_hash:
            yield decision(
                f"The log of the session {session} is not the one with which the visit "
                f"{record.header.visit} of {record.header.code} ended: their last hashes differ."
            )
    if record.torn_bytes:
        yield note(f"The last line of {record.path} is cut off, as after a crash.")
    if not any(isinstance(event, VisitEnded) for event in record.events):
        yield note(f"{_about(record)} has not ended.")


def _sessions_without_visit(
    records: Iterable[VisitRecord], logs: Mapping[str, ValidPrefix]
) -> Iterator[CollectionFinding]:
    named = {
        (event.folder, event.session)
        for record in records
        for event in record.events
        if isinstance(event, SessionOpened)
    }
    for folder, log in logs.items():
        if (folder, log.header.session_id) not in named:
            yield decision(f"The session in {log.path.parent} belongs to no visit that is here.")


def _clocks(records: list[VisitRecord]) -> Iterator[CollectionFinding]:
    now = datetime.now(UTC)
    times: dict[str, list[datetime]] = defaultdict(list)
    for record in records:
        stamps = [_time(event.t_utc) for event in record.events]
        times[record.header.station] += [one for one in stamps if one is not None]
        jump = _largest_jump(record, stamps)
        if abs(jump) > CLOCK_TOLERANCE:
            yield note(
                f"The clock{_on(record.header.station)} jumped by {jump:.0f} s during the visit "
                f"{record.header.visit} of {record.header.code}: it was set, or the computer was asleep."
            )
        if stamps and stamps[-1] is not None and (ahead := (stamps[-1] - now).total_seconds()) > 300:
            yield note(f"{_about(record)} ended {ahead:.0f} s in the future, so a clock is wrong.")
    for station, own in times.items():
        others = [one for name, found in times.items() if name != station for one in found]
        if others and own and (max(own) + FAR_APART < min(others) or min(own) > max(others) + FAR_APART):
            yield note(
                f"All visits{_on(station)} are from {min(own):%Y-%m-%d} to {max(own):%Y-%m-%d}, those of the "
                f"other computers from {min(others):%Y-%m-%d} to {max(others):%Y-%m-%d}; check its clock."
            )


def _time(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def _largest_jump(record: VisitRecord, stamps: list[datetime | None]) -> float:
    """Return the largest difference in seconds between the time of day and the visit's own time."""
    largest = 0.0
    for i in range(1, len(stamps)):
        before, after = stamps[i - 1], stamps[i]
        if before is None or after is None:
            continue
        passed = (after - before).total_seconds()
        own = record.events[i].t - record.events[i - 1].t
        # While the program was not running, only the time of day advanced.
        jump = min(0.0, passed) if isinstance(record.events[i], VisitResumed) else passed - own
        largest = max(largest, jump, key=abs)
    return largest


def _against_study(records: Iterable[VisitRecord], study: StudyFolder) -> Iterator[CollectionFinding]:
    used: set[str] = set()
    for record in records:
        used.add(record.header.code.casefold())
        if record.header.sha256 != study.study.sha256:
            continue
        try:
            replay_visit(study.study, record)
        except InputFileError as problem:
            yield decision(f"A visit that does not follow the rules of the study was kept: {problem}")
    planned = [code for code, row in study.plan.items() if not row.spare] or list(
        study.codes.rows if study.codes is not None else ()
    )
    missing = [code for code in planned if code.casefold() not in used]
    if missing:
        shown = ", ".join(missing[:20]) + (f" and {len(missing) - 20} more" if len(missing) > 20 else "")
        yield note(f"Planned codes without a visit: {shown}.")
