"""Tables of a study: one row for each participant, for each answer, and for each step of a visit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal

from negoplatform.analysis.export_tables.codebook import codebook
from negoplatform.analysis.export_tables.columns import (
    Column,
    ColumnType,
    DataTable,
    Row,
    boolean_column,
    build_table,
    integer_column,
    number_column,
    text_column,
)
from negoplatform.analysis.export_tables.export import Export
from negoplatform.analysis.export_tables.iago_rows import iago_table
from negoplatform.analysis.export_tables.participant_columns import (
    VISIT_COLUMNS,
    ParticipantColumns,
    item_labels,
)
from negoplatform.analysis.export_tables.participant_rows import (
    PlayedSessions,
    participant_row,
    plain_cell,
    visit_cells,
)
from negoplatform.analysis.session_facts import SessionFacts
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.study.payment import two_decimals
from negoplatform.study.scoring import reversed_value
from negoplatform.study.stages import FormStage
from negoplatform.study.study import Study
from negoplatform.study.visit_events import (
    Answered,
    HelpAnswered,
    HelpAsked,
    SessionClosed,
    StageEntered,
    StageLeft,
)
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import form_items

ANSWER_COLUMNS = (
    *VISIT_COLUMNS,
    text_column("step", "Step of the visit."),
    text_column("instrument", "Name of the instrument; empty for items of the study's own."),
    text_column("item", "Id of the item, or of the row of a matrix."),
    integer_column("position", "Position at which it was shown, from 1."),
    text_column("value", "The answer; several positions are separated by semicolons; empty if skipped."),
    text_column(
        "label", "Text of the chosen option, or of an end of a rating scale, in the visit's language."
    ),
    number_column("reversed_value", "The answer, turned around where the item is reversed; numbers only."),
    text_column("scales", "Scales of the instrument that it is part of, separated by semicolons."),
    integer_column(
        "ms", "Time from the display of the page to the last change; at most that of its stage so far.", "ms"
    ),
    integer_column("changes", "Times that the answer was changed before it was recorded."),
    boolean_column("skipped", "Whether the item was skipped."),
)

STAGE_COLUMNS = (
    *VISIT_COLUMNS,
    integer_column("n", "Number of the step in the visit, from 1; a step that was entered twice has two."),
    text_column("step", "Step of the visit."),
    text_column("stage", "Stage that it belongs to."),
    text_column("kind", "Kind of the stage."),
    integer_column("round", "Number of the round; 0 outside of rounds."),
    text_column("left", "How it was left; empty if it was not."),
    integer_column(
        "ms", "Time from entering to leaving it, without the time in which the program did not run.", "ms"
    ),
    integer_column("hidden_ms", "Time of it in which the window did not have the focus.", "ms"),
    integer_column("help", "Number of questions to the experimenter.", "0 up"),
)

HELP_COLUMNS = (
    *VISIT_COLUMNS,
    text_column("step", "Step of the visit."),
    Column("asked", ColumnType.DATETIME, "Time of the call.", "UTC"),
    text_column("text", "The question; empty if nothing was written, or the quiz called the experimenter."),
    Column("answered", ColumnType.DATETIME, "Time at which the experimenter ended it; empty if not.", "UTC"),
    number_column("minutes", "Time from the call to its end, without interruptions of the visit.", "min"),
)

PAYMENT_COLUMNS = (
    text_column("code", "The participant's code."),
    text_column("visit", "Id of the visit."),
    text_column("station", "Computer on which the visit took place."),
    text_column("amount", "Amount to be paid, an exact decimal."),
    text_column("currency", "Currency of the amount."),
    text_column("parts", "Parts of the amount, in the order in which they are computed."),
    text_column("paid_rounds", "Steps whose points are paid."),
    boolean_column("is_test", "Whether it is test data."),
)


class StudyTables:
    """Tables of a study's visits.

    Args:
        study: The study.
    """

    def __init__(self, study: Study) -> None:
        self.study = study
        self._visits: list[tuple[VisitRecord, VisitState]] = []

    def __len__(self) -> int:
        return len(self._visits)

    @property
    def visits(self) -> list[tuple[VisitRecord, VisitState]]:
        """The visits with their states, by code."""
        return sorted(self._visits, key=lambda visit: (visit[0].header.code, visit[0].header.visit))

    def add(self, record: VisitRecord) -> None:
        """Add a visit.

        Raises:
            InputFileError: If it does not belong to the study.
        """
        self._visits.append((record, replay_visit(self.study, record)))

    def tables(self, export: Export) -> list[DataTable]:
        """Return all tables except payments: those of the visits, those of their sessions, and the codebook.

        Args:
            export: The sessions of the visits.
        """
        sessions = export.tables()[:-1]  # without their codebook
        seats = next(table for table in sessions if table.name == "seats")
        tables = [*self._visit_tables(sessions[0], seats, export.sessions), *sessions]
        tables.append(iago_table(export.sessions))
        return [*tables, codebook(tables)]

    def _visit_tables(
        self, sessions: DataTable, seats: DataTable, facts: Iterable[SessionFacts]
    ) -> list[DataTable]:
        visits = self.visits
        names = [column.name for column in sessions.columns]
        rows = [dict(zip(names, row, strict=True)) for row in sessions.rows]
        seat_names = [column.name for column in seats.columns]
        seat_rows = [dict(zip(seat_names, row, strict=True)) for row in seats.rows]
        sessions_facts = {one.session_id: one for one in facts}
        seat_of = {name: one.log.header.people[0] for name, one in sessions_facts.items()}
        played = PlayedSessions(
            {str(row["session_id"]): row for row in rows},
            {
                str(row["session_id"]): row
                for row in seat_rows
                if row["seat"] == seat_of[str(row["session_id"])]
            },
            sessions_facts,
        )
        states = [state for _, state in visits]
        goods_steps = {
            step
            for state in states
            for step, closed in state.sessions.items()
            if isinstance(closed, SessionClosed) and played.is_of_goods(closed.session)
        }
        columns = ParticipantColumns(
            self.study, states, sessions.columns, seats=seats.columns, goods_steps=goods_steps
        )
        return [
            build_table(
                "participants",
                columns.columns,
                (participant_row(record, state, columns, played) for record, state in visits),
            ),
            build_table("answers", ANSWER_COLUMNS, (row for visit in visits for row in _answer_rows(*visit))),
            build_table("stages", STAGE_COLUMNS, (row for visit in visits for row in _stage_rows(*visit))),
            build_table("help", HELP_COLUMNS, (row for visit in visits for row in _help_rows(*visit))),
        ]

    def payments(self) -> DataTable:
        """Return the table of payments, which is kept apart from the data."""
        rows = (row for record, state in self.visits if (row := _payment_row(record, state)) is not None)
        return build_table("payments", PAYMENT_COLUMNS, rows)


def _payment_row(record: VisitRecord, state: VisitState) -> Row | None:
    """Return the row of a visit's payment; None if nothing is due.

    Visits that have not been paid yet have a row if the study pays everybody who started.
    """
    rules, payment = state.model.payment, state.payment
    due = rules is not None and rules.paid_when == "started"
    if payment is None or state.assigned is None or (state.paid is None and not due):
        return None
    parts = [f"{part.kind} {two_decimals(part.amount)}" for part in payment.parts]
    rounds = [step for part in payment.parts if part.kind == "points" for step in part.about]
    return {
        "code": record.header.code,
        "visit": record.header.visit,
        "station": record.header.station,
        "amount": two_decimals(payment.amount if state.paid is None else Decimal(state.paid.amount)),
        "currency": payment.currency,
        "parts": "; ".join(parts),
        "paid_rounds": "; ".join(rounds),
        "is_test": record.header.is_test,
    }


def _answer_rows(record: VisitRecord, state: VisitState) -> Iterator[Row]:
    """Yield a row for the last answer to each item, in the order in which the items were first answered."""
    last: dict[tuple[str, str], Answered] = {}
    for event in record.events:
        if isinstance(event, Answered):
            last[event.step, event.item] = event
    for (step_id, name), event in last.items():
        step = state.step_named(step_id)
        assert step is not None, "an answer belongs to a step of the visit"
        assert isinstance(step.stage, FormStage), "answers are given in forms"
        item = next(one for one in form_items(step.stage, state.instruments) if name in one.fields)
        number = reversed_value(item, name, event.value)
        of = () if step.stage.instrument is None else state.instruments[step.stage.instrument].scales
        labels = dict(item_labels(item, record.header.language))
        yield {
            **visit_cells(record, state),
            "step": step_id,
            "instrument": step.stage.instrument or "",
            "item": name,
            "position": event.position,
            "value": None if event.value is None else str(plain_cell(event.value)),
            "label": labels.get(str(event.value)),
            "reversed_value": float(number) if isinstance(number, int | float | Decimal) else None,
            "scales": "; ".join(scale.name for scale in of if name in scale.items),
            "ms": event.ms,
            "changes": event.changes,
            "skipped": event.value is None,
        }


def _stage_rows(record: VisitRecord, state: VisitState) -> Iterator[Row]:
    """Yield a row each time that a step was entered."""
    entered: list[tuple[StageEntered, StageLeft | None]] = []
    asked: list[int] = []
    for event in record.events:
        if isinstance(event, StageEntered):
            entered.append((event, None))
            asked.append(0)
        elif isinstance(event, StageLeft):
            entered[-1] = (entered[-1][0], event)
        elif isinstance(event, HelpAsked):
            asked[-1] += 1
    for n, (begin, left) in enumerate(entered, start=1):
        step = state.step_named(begin.step)
        yield {
            **visit_cells(record, state),
            "n": n,
            "step": begin.step,
            "stage": "" if step is None else step.stage.id,
            "kind": "" if step is None else step.kind,
            "round": 0 if step is None else step.round,
            "left": None if left is None else left.how,
            "ms": None if left is None else left.ms,
            "hidden_ms": None if left is None else left.hidden_ms,
            "help": asked[n - 1],
        }


def _help_rows(record: VisitRecord, state: VisitState) -> Iterator[Row]:
    """Yield a row for each call for the experimenter."""
    calls: list[tuple[HelpAsked, HelpAnswered | None]] = []
    for event in record.events:
        if isinstance(event, HelpAsked):
            calls.append((event, None))
        elif isinstance(event, HelpAnswered):
            calls = [(asked, answered or event) for asked, answered in calls]
    for asked, answered in calls:
        yield {
            **visit_cells(record, state),
            "step": asked.step,
            "asked": asked.t_utc,
            "text": asked.text,
            "answered": None if answered is None else answered.t_utc,
            "minutes": None if answered is None else round((answered.t - asked.t) / 60, 3),
        }
