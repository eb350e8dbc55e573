"""Tables of a study: one row for each participant, for each answer, and for each step of a visit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from negoplatform.analysis.columns import (
    MAX_NAME_LENGTH,
    CellValue,
    Column,
    ColumnType,
    DataTable,
    Row,
    boolean_column,
    build_table,
    integer_column,
    legal_stems,
    number_column,
    text_column,
)
from negoplatform.eventlog.visit_log import VisitRecord, replay_visit
from negoplatform.study.instrument import ItemModel
from negoplatform.study.local_text import text_in
from negoplatform.study.scoring import reversed_value, score_names, scores
from negoplatform.study.stages import FormStage, QuizStage
from negoplatform.study.study import Study
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_events import (
    Answered,
    SessionClosed,
    StageEntered,
    StageLeft,
    VisitEnded,
)
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep, form_items

VISIT_COLUMNS = (
    text_column("code", "The participant's code."),
    text_column("visit", "Id of the visit."),
    text_column("station", "Computer on which the visit took place."),
    text_column("cell", "Levels of the factors, in their order, joined by hyphens; empty before assignment."),
    boolean_column("is_test", "Whether it is test data."),
)

PARTICIPANT_COLUMNS = (
    text_column("study", "Name of the study."),
    text_column("study_version", "Version of the study."),
    text_column("language", "Language of the texts."),
    text_column("assigned_by", "Rule by which the cell was assigned."),
    integer_column("place", "Place in the list or the block of the assignment.", "0 up"),
    text_column("stratum", "Stratum of the assignment; empty if there are none."),
    Column("started", ColumnType.DATETIME, "Time at which the visit began.", "UTC"),
    Column("ended", ColumnType.DATETIME, "Time of the last event.", "UTC"),
    text_column("end", "How the visit ended; empty if it has not.", ("finished", "screened_out", "aborted")),
    number_column("minutes", "Time from the first event to the last one, without interruptions.", "min"),
    text_column("flags", "Steps with flags, as STEP:FLAG, separated by semicolons."),
)

ANSWER_COLUMNS = (
    *VISIT_COLUMNS,
    text_column("step", "Step of the visit."),
    text_column("instrument", "Name of the instrument; empty for items of the study's own."),
    text_column("item", "Id of the item, or of the row of a matrix."),
    integer_column("position", "Position at which it was shown, from 1."),
    text_column("value", "The answer; several positions are separated by semicolons; empty if skipped."),
    text_column("label", "Text of the chosen option; empty for other kinds of answers."),
    number_column("reversed_value", "The answer, turned around where the item is reversed; numbers only."),
    integer_column("ms", "Time from the display of the page to the last change.", "ms"),
    integer_column("changes", "Times that the answer was changed before it was recorded."),
    boolean_column("skipped", "Whether the item was skipped."),
)

STAGE_COLUMNS = (
    *VISIT_COLUMNS,
    integer_column("n", "Number of the step in the visit, from 1; a step that was entered twice has two."),
    text_column("step", "Step of the visit."),
    text_column("kind", "Kind of the stage."),
    integer_column("round", "Number of the round; 0 outside of rounds."),
    text_column("left", "How it was left; empty if it was not."),
    integer_column("ms", "Time from entering to leaving it.", "ms"),
    integer_column("hidden_ms", "Time of it in which the window did not have the focus.", "ms"),
)

PAYMENT_COLUMNS = (
    text_column("code", "The participant's code."),
    text_column("station", "Computer on which the visit took place."),
    text_column("amount", "Amount to be paid, an exact decimal."),
    text_column("currency", "Currency of the amount."),
    text_column("parts", "Parts of the amount, in the order in which they are computed."),
    text_column("paid_rounds", "Steps whose points are paid."),
    boolean_column("is_test", "Whether it is test data."),
)

Name = tuple[str, str]
"""A step and what of it a column holds."""


class StudyTables:
    """Tables of a study's visits.

    Args:
        study: The study.
    """

    def __init__(self, study: Study) -> None:
        self._study = study
        self._visits: list[tuple[VisitRecord, VisitState]] = []

    def __len__(self) -> int:
        return len(self._visits)

    def add(self, record: VisitRecord) -> None:
        """Add a visit.

        Raises:
            InputFileError: If it does not belong to the study.
        """
        self._visits.append((record, replay_visit(self._study, record)))

    def tables(self) -> list[DataTable]:
        """Return the tables of participants, answers and stages."""
        visits = sorted(self._visits, key=lambda visit: (visit[0].header.code, visit[0].header.visit))
        named = _participant_columns([state for _, state in visits], self._study)
        factors = [
            text_column(f"factor_{name}" if name in TAKEN else name, f"Level of the factor {name}.", levels)
            for name, levels in self._study.model.factors.items()
        ]
        return [
            build_table(
                "participants",
                (*VISIT_COLUMNS, *factors, *PARTICIPANT_COLUMNS, *(column for column, _ in named.values())),
                (_participant_row(record, state, named) for record, state in visits),
            ),
            build_table("answers", ANSWER_COLUMNS, (row for visit in visits for row in _answer_rows(*visit))),
            build_table("stages", STAGE_COLUMNS, (row for visit in visits for row in _stage_rows(*visit))),
        ]

    def payments(self) -> DataTable:
        """Return the table of payments, which is kept apart from the data.

        Visits that were not paid yet have a row if the study pays everybody who started.
        """
        rows: list[Row] = []
        for record, state in self._visits:
            rules, payment = state.model.payment, state.payment
            due = rules is not None and rules.paid_when == "started"
            if payment is None or state.assigned is None or (state.paid is None and not due):
                continue
            amount = f"{payment.amount:f}" if state.paid is None else state.paid.amount
            parts = [f"{part.kind} {part.amount:f}" for part in payment.parts]
            paid = [step for part in payment.parts if part.kind == "points" for step in part.about]
            rows.append(
                {
                    "code": record.header.code,
                    "station": record.header.station,
                    "amount": amount,
                    "currency": payment.currency,
                    "parts": "; ".join(parts),
                    "paid_rounds": "; ".join(paid),
                    "is_test": record.header.is_test,
                }
            )
        rows.sort(key=lambda row: str(row["code"]))
        return build_table("payments", PAYMENT_COLUMNS, rows)


TAKEN = frozenset(column.name for column in (*VISIT_COLUMNS, *PARTICIPANT_COLUMNS))


def _participant_columns(states: Iterable[VisitState], study: Study) -> dict[Name, tuple[Column, Name]]:
    """Return the columns of the steps, each with its step and name, in the order of the first visit."""
    found: dict[Name, Column] = {}
    for state in states:
        for step in state.steps:
            for name, column in _step_columns(step, study):
                found.setdefault((step.id, name), column)
    stems = legal_stems([*TAKEN, *study.model.factors, *(f"{a}.{b}" for a, b in found)], MAX_NAME_LENGTH)
    return {
        key: (
            Column(stems[f"{key[0]}.{key[1]}"], column.kind, column.description, column.unit, column.values),
            key,
        )
        for key, column in found.items()
    }


def _step_columns(step: VisitStep, study: Study) -> Iterator[tuple[str, Column]]:
    if step.is_result:
        return
    about = f"Step {step.id}"
    if step.game is not None:
        if step.round:
            yield "round_id", text_column("", f"{about}: which of the study's rounds it was.")
        yield "agreement", boolean_column("", f"{about}: whether there was a deal.")
        yield "points", number_column("", f"{about}: the participant's points.", "points")
        yield "end", text_column("", f"{about}: how the game ended.")
        yield "session", text_column("", f"{about}: id of the session, as in sessions.csv.")
    elif isinstance(step.stage, QuizStage):
        yield "tries", integer_column("", f"{about}: attempts at the quiz.", "1 up")
        yield "first_try", boolean_column("", f"{about}: whether all answers were right at once.")
        yield "passed", boolean_column("", f"{about}: whether the last attempt was right.")
    elif isinstance(step.stage, FormStage):
        for item in form_items(step.stage, study.instruments):
            for field in item.fields:
                yield field, _item_column(item, field, about, study)
        if step.stage.instrument is not None:
            for name in score_names(study.instruments[step.stage.instrument]):
                if name == "category":
                    yield name, text_column("", f"{about}: category of the SVO slider.")
                else:
                    yield name, number_column("", f"{about}: score {name} of {step.stage.instrument}.")


def _item_column(item: ItemModel, field: str, about: str, study: Study) -> Column:
    language = study.model.languages[0]
    asked = item.ask
    if item.matrix is not None:
        asked = item.matrix.rows[item.fields.index(field)].ask
    reverse = " Reversed in the scores." if item.reverse else ""
    description = f"{about}: {text_in(asked, language)}{reverse}"
    labels = tuple(f"{n} = {text_in(text, language)}" for n, text in enumerate(item.choices or (), start=1))
    if item.kind in ("text", "many", "rank", "points_guess"):
        return Column("", ColumnType.TEXT, description)
    if item.kind in ("slider", "number"):
        return Column("", ColumnType.NUMBER, description)
    return Column("", ColumnType.INTEGER, description, values=labels)


def _of_visit(record: VisitRecord, state: VisitState) -> dict[str, CellValue]:
    header = record.header
    return {
        "code": header.code,
        "visit": header.visit,
        "station": header.station,
        "cell": "" if state.assigned is None else cell_name(state.assigned.cell),
        "is_test": header.is_test,
    }


def _participant_row(
    record: VisitRecord, state: VisitState, named: Mapping[Name, tuple[Column, Name]]
) -> Row:
    row = _of_visit(record, state)
    if state.assigned is not None:
        row |= {
            f"factor_{name}" if name in TAKEN else name: level for name, level in state.assigned.cell.items()
        }
        row |= {
            "assigned_by": state.assigned.by,
            "place": state.assigned.place,
            "stratum": state.assigned.stratum,
        }
    row |= {
        "study": record.header.study,
        "study_version": record.header.version,
        "language": record.header.language,
        "started": record.events[0].t_utc if record.events else None,
        "ended": record.events[-1].t_utc if record.events else None,
        "end": next((event.how for event in record.events if isinstance(event, VisitEnded)), None),
        "minutes": round(state.t / 60, 3),
        "flags": "; ".join(f"{step}:{what}" for step, what in state.flags),
    }
    for step in state.steps:
        values = _step_values(state, step)
        row |= {
            named[step.id, name][0].name: value for name, value in values.items() if (step.id, name) in named
        }
    return row


def _step_values(state: VisitState, step: VisitStep) -> dict[str, CellValue]:
    if step.game is not None:
        closed = state.sessions.get(step.id)
        if not isinstance(closed, SessionClosed):
            return {}
        points = None if closed.points is None else float(Fraction(closed.points))
        return {
            "round_id": step.round_id,
            "agreement": closed.agreement,
            "points": points,
            "end": closed.end,
            "session": closed.session,
        }
    if isinstance(step.stage, QuizStage):
        names = ("tries", "first_try", "passed")
        return {name: _cell(state.results.get(f"{step.id}.{name}")) for name in names}
    if not isinstance(step.stage, FormStage) or step.is_result:
        return {}
    answers = state.answers_of(step.id)
    values = {name: _cell(value) for name, value in answers.items()}
    if step.stage.instrument is not None and answers:
        found = scores(state.instruments[step.stage.instrument], answers)
        values |= {score.name: score.value for score in found}
    return values


def _cell(value: Any) -> CellValue:
    if isinstance(value, list | tuple):
        return ";".join(str(part) for part in value)
    if isinstance(value, Decimal):
        return float(value)
    found: CellValue = value
    return found


def _answer_rows(record: VisitRecord, state: VisitState) -> Iterator[Row]:
    """Yield a row for the last answer to each item, in the order in which the items were first answered."""
    last: dict[Name, Answered] = {}
    for event in record.events:
        if isinstance(event, Answered):
            last[event.step, event.item] = event
    for (step_id, name), event in last.items():
        step = state.step_named(step_id)
        assert step is not None, "an answer belongs to a step of the visit"
        assert isinstance(step.stage, FormStage), "answers are given in forms"
        item = next(one for one in form_items(step.stage, state.instruments) if name in one.fields)
        number = reversed_value(item, name, event.value)
        choices = item.choices or ()
        yield {
            **_of_visit(record, state),
            "step": step_id,
            "instrument": step.stage.instrument or "",
            "item": name,
            "position": event.position,
            "value": None if event.value is None else str(_cell(event.value)),
            "label": text_in(choices[event.value - 1], record.header.language)
            if choices and isinstance(event.value, int)
            else None,
            "reversed_value": float(number) if isinstance(number, int | float | Decimal) else None,
            "ms": event.ms,
            "changes": event.changes,
            "skipped": event.value is None,
        }


def _stage_rows(record: VisitRecord, state: VisitState) -> Iterator[Row]:
    """Yield a row each time that a step was entered."""
    entered: list[tuple[StageEntered, StageLeft | None]] = []
    for event in record.events:
        if isinstance(event, StageEntered):
            entered.append((event, None))
        elif isinstance(event, StageLeft):
            entered[-1] = (entered[-1][0], event)
    for n, (begin, left) in enumerate(entered, start=1):
        step = state.step_named(begin.step)
        yield {
            **_of_visit(record, state),
            "n": n,
            "step": begin.step,
            "kind": "" if step is None else step.kind,
            "round": 0 if step is None else step.round,
            "left": None if left is None else left.how,
            "ms": None if left is None else left.ms,
            "hidden_ms": None if left is None else left.hidden_ms,
        }
