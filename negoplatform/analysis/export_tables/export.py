"""Export of many sessions: their tables, and the files."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from negoplatform.analysis.export_tables.advice_rows import ADVICE_COLUMNS, advice_rows
from negoplatform.analysis.export_tables.annotation_rows import (
    ANNOTATION_COLUMNS,
    annotation_rows,
    done_times,
)
from negoplatform.analysis.export_tables.codebook import codebook
from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Column,
    ColumnType,
    DataTable,
    Row,
    build_table,
    cell_text,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import EVENT_COLUMNS, SESSION_ID, event_rows
from negoplatform.analysis.export_tables.intention_rows import ledger_rows
from negoplatform.analysis.export_tables.mandate_rows import MANDATE_COLUMNS, mandate_rows
from negoplatform.analysis.export_tables.message_rows import MESSAGE_COLUMNS, message_rows
from negoplatform.analysis.export_tables.offer_rows import (
    LEADING_COLUMNS,
    OFFER_SEAT_COLUMNS,
    TRAILING_COLUMNS,
    issue_columns,
    offer_rows,
    offer_seat_rows,
)
from negoplatform.analysis.export_tables.seat_rows import SEAT_COLUMNS, seat_rows
from negoplatform.analysis.export_tables.session_rows import SESSION_COLUMNS, session_row
from negoplatform.analysis.export_tables.study_links import StudyLinks
from negoplatform.analysis.export_tables.suggestion_rows import SUGGESTION_COLUMNS, suggestion_rows
from negoplatform.analysis.export_tables.trade_rows import (
    ACCOUNT_COLUMNS,
    ORDER_COLUMNS,
    PROPOSAL_COLUMNS,
    TRADE_COLUMNS,
    account_rows,
    order_rows,
    proposal_rows,
    trade_rows,
)
from negoplatform.analysis.session_facts import GameFiguresCache, SessionFacts, session_facts
from negoplatform.analysis.trade_records import MARKET, TRADING
from negoplatform.core.intention_ledger import ledger
from negoplatform.core.record.notes_and_tasks import TaskStatus
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.disk_calls import LOG_NAME
from negoplatform.eventlog.log_file_io import redirect_target
from negoplatform.eventlog.reader import SessionLog, log_file, read_log

TASK_COLUMNS = (
    SESSION_ID,
    text_column(
        "task_id", "Name of the task, unique in its session; event-7 comes from the event with seq 7."
    ),
    number_column("timestamp", "Session time at which the task was created.", "s"),
    text_column("agent_origin", "Owner of the task: a seat, or the name of an assistant."),
    text_column(
        "intent",
        "Intention in one word, such as propose, counter, ask, tell, accept, quit; of typed text as "
        "interpreted.",
    ),
    text_column("status", "Status of the task.", TaskStatus),
    integer_column("seq", "The seq of the event that it comes from."),
    text_column("event", "Type of that event."),
    text_column(
        "outcome",
        "Result of an offer.",
        ("countered", "accepted", "rejected", "replaced", "ended"),
    ),
    text_column("refused", "Reason for a refusal; empty if it was not refused."),
    text_column("text", "Text of a message."),
    number_column("done_at", "Session time at which the task was done; empty while it is not.", "s"),
    Column("metadata", ColumnType.JSON, "Further recorded data."),
)

FORMULA_START = re.compile(
    "'*(?:[\t\r\n]|[\\s\x00-\x1f\x7f-\xa0\xad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]*[-=+@\uff1d\uff0b\uff0d\uff20\u2212])"
)
"""Beginnings of a text that spreadsheet programs may take for a formula.

By OWASP's list on CSV injection: ``=``, ``+``, ``-``, ``@``, also in full width, tab, carriage return and
line feed; and the same behind blanks and characters without a shape, which some programs remove. Apostrophes
before them count too, so that each quoted text has one more and can be told from every other.
"""


def log_files(paths: Iterable[Path]) -> list[Path]:
    """Return the logs to export: files, and every events.jsonl below folders; each once, in order.

    If a log was continued in another file while it was written, that file is taken, if it is available.

    Raises:
        InputFileError: If a path is neither a file nor a folder with logs.
    """
    found: dict[Path, Path] = {}
    for path in paths:
        if path.is_dir():
            below = sorted(_current_location(log) for log in path.rglob(LOG_NAME))
            if not below:
                raise InputFileError(path, "", f"there is no {LOG_NAME} in this folder or below it")
        else:
            below = [log_file(path)]
        for log in below:
            found.setdefault(log.resolve(), log)
    return list(found.values())


def _current_location(log: Path) -> Path:
    further = redirect_target(log)
    return log if further is None or not further.is_file() else further


class Export:
    """Sessions of an export, added one by one, and their tables."""

    def __init__(self) -> None:
        self._figures_cache = GameFiguresCache()
        self._sessions: list[SessionFacts] = []
        self._paths: dict[str, Path] = {}

    def __len__(self) -> int:
        return len(self._sessions)

    def add(self, path: Path) -> SessionFacts:
        """Read a log, replay it, and add it to the tables.

        Raises:
            InputFileError: If the log is damaged, or its session was added already; the tables are unchanged.
        """
        log = read_log(path)
        self._ensure_not_added(log)
        facts = session_facts(log, self._figures_cache)
        self._paths[log.header.session_id] = path
        self._sessions.append(facts)
        return facts

    def _ensure_not_added(self, log: SessionLog) -> None:
        known = self._paths.get(log.header.session_id)
        if known is not None:
            raise InputFileError(
                log.path,
                "line 1",
                f"session {log.header.session_id} was read from {known} already; leave one out",
            )

    @property
    def sessions(self) -> tuple[SessionFacts, ...]:
        """The sessions."""
        return tuple(self._sessions)

    def tables(self) -> list[DataTable]:
        """Return all tables, the codebook last."""
        issues = issue_columns(facts.game for facts in self._sessions)
        links = StudyLinks.of(self._sessions)
        columns: dict[str, tuple[Column, ...]] = {
            "sessions": SESSION_COLUMNS,
            "seats": SEAT_COLUMNS,
            "offers": (*LEADING_COLUMNS, *issues.columns, *TRAILING_COLUMNS),
            "offer_seats": (*OFFER_SEAT_COLUMNS, *issues.seat_columns),
            **self._trade_columns(),
            "messages": MESSAGE_COLUMNS,
            "events": EVENT_COLUMNS,
            **self._suggestion_columns(),
            **self._mandate_columns(),
            **self._annotation_columns(),
            "tasks": TASK_COLUMNS,
        }
        rows: dict[str, list[Row]] = {name: [] for name in columns}
        for facts in self._sessions:
            offers = list(offer_rows(facts, issues))
            seats = list(seat_rows(facts, offers))
            of_session: dict[str, Iterable[Row]] = {
                "sessions": [session_row(facts, seats, offers)],
                "seats": seats,
                "offers": offers,
                "offer_seats": offer_seat_rows(facts, issues),
                "orders": order_rows(facts),
                "trades": trade_rows(facts),
                "proposals": proposal_rows(facts),
                "accounts": account_rows(facts),
                "messages": message_rows(facts),
                "events": event_rows(facts),
                "suggestions": suggestion_rows(facts),
                "mandates": mandate_rows(facts),
                "annotations": annotation_rows(facts),
                "advice": advice_rows(facts),
                "tasks": task_rows(facts),
            }
            for name in columns:
                rows[name] += links.rows(facts, columns[name], of_session[name])
        tables = [build_table(name, links.columns(columns[name]), rows[name]) for name in columns]
        return [*tables, codebook(tables)]

    def _suggestion_columns(self) -> dict[str, tuple[Column, ...]]:
        """Return the columns of the tables that only sessions with a wizard or an adviser have."""
        headers = [facts.log.header for facts in self._sessions]
        found: dict[str, tuple[Column, ...]] = {}
        if any(header.wizards for header in headers):
            found["suggestions"] = SUGGESTION_COLUMNS
        if any(header.advisers for header in headers):
            found["advice"] = ADVICE_COLUMNS
        return found

    def _mandate_columns(self) -> dict[str, tuple[Column, ...]]:
        """Return the columns of the table that only sessions with principals have."""
        has_principal = any(facts.log.header.principals for facts in self._sessions)
        return {"mandates": MANDATE_COLUMNS} if has_principal else {}

    def _annotation_columns(self) -> dict[str, tuple[Column, ...]]:
        """Return the columns of the table that only sessions with assistants have."""
        has_assistant = any(facts.log.header.assistants for facts in self._sessions)
        return {"annotations": ANNOTATION_COLUMNS} if has_assistant else {}

    def _trade_columns(self) -> dict[str, tuple[Column, ...]]:
        """Return the columns of the tables that only sessions of trading or market games have."""
        kinds = {facts.game.mechanism for facts in self._sessions}
        found: dict[str, tuple[Column, ...]] = {}
        if MARKET in kinds:
            found["orders"] = ORDER_COLUMNS
        if kinds & {MARKET, TRADING}:
            found["trades"] = TRADE_COLUMNS
        if TRADING in kinds:
            found["proposals"] = PROPOSAL_COLUMNS
        if kinds & {MARKET, TRADING}:
            found["accounts"] = ACCOUNT_COLUMNS
        return found


def task_rows(facts: SessionFacts) -> Iterator[Row]:
    """Yield the rows of a session's tasks."""
    tasks = ledger(facts.log.events, facts.record)
    done = done_times(tasks, facts.log.events)
    for row in ledger_rows(tasks):
        yield {"session_id": facts.session_id, **row, "done_at": done.get(str(row["task_id"]))}


def csv_bytes(table: DataTable, *, excel: bool = False) -> bytes:
    """Return a table as the contents of a file: RFC 4180, UTF-8, with a header line.

    Args:
        table: The table.
        excel: Whether it is for a spreadsheet program: with a byte order mark, and with an apostrophe before
            every text that such a program may take for a formula (:data:`FORMULA_START`); without that
            apostrophe it is the text again. Otherwise text is unaltered.
    """
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow([_escape_formula(value) if excel else cell_text(value) for value in row])
    return stream.getvalue().encode("utf-8-sig" if excel else "utf-8")


def _escape_formula(value: CellValue) -> str:
    if isinstance(value, str) and FORMULA_START.match(value):
        return f"'{value}"
    return cell_text(value)


def write_tables(
    tables: Iterable[DataTable], folder: Path, *, excel: bool = False, replace: bool = False
) -> list[Path]:
    """Write every table to its own file in a folder, which is created if it does not exist.

    Args:
        tables: The tables.
        folder: The folder.
        excel: See :func:`csv_bytes`.
        replace: Whether existing files are replaced.

    Raises:
        NegoError: If a file exists already, before anything is written; or if one cannot be written.
    """
    files = {folder / f"{table.name}.csv": csv_bytes(table, excel=excel) for table in tables}
    ensure_absent(files, replace=replace)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, data in files.items():
            atomic_write(path, data, replace=replace)
    except OSError as error:
        raise NegoError(f"{error.filename or folder} cannot be written ({error.strerror}).") from None
    return list(files)


def ensure_absent(paths: Iterable[Path], *, replace: bool = False) -> None:
    """Raise NegoError for the first file that exists, unless files are to be replaced."""
    for path in paths:
        if path.exists() and not replace:
            raise NegoError(f"{path} is there already; name another folder, or replace it with --force.")
