"""Rows of the table of participants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from negoplatform.analysis.export_tables.columns import CellValue, Row
from negoplatform.analysis.export_tables.message_rows import issue_weights
from negoplatform.analysis.export_tables.participant_columns import (
    GAME_MEASURES,
    GOODS_MEASURES,
    GUESS_SCORE,
    SEAT_MEASURES,
    ParticipantColumns,
)
from negoplatform.analysis.session_facts import SessionFacts
from negoplatform.eventlog.visit_log import VisitRecord
from negoplatform.study.instrument import ItemModel
from negoplatform.study.scoring import ranking_agreement, scores
from negoplatform.study.stages import CallStage, ChoiceStage, ConsentStage, FormStage, QuizStage
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_events import (
    Consented,
    QuizTried,
    SessionClosed,
    StageLeft,
    VisitEnded,
    VisitResumed,
)
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep, form_items


@dataclass(frozen=True, slots=True)
class PlayedSessions:
    """Sessions of a study's visits.

    Args:
        rows: Their rows in the table of sessions, by id.
        seats: The rows of the participants' seats in the table of seats, by the session's id.
        facts: The sessions, by id.
    """

    rows: Mapping[str, Row]
    seats: Mapping[str, Row]
    facts: Mapping[str, SessionFacts]

    def is_of_goods(self, session_id: str) -> bool:
        """Return whether a session was a game of goods, as far as it is known."""
        facts = self.facts.get(session_id)
        return facts is not None and facts.trade_records is not None


def visit_cells(record: VisitRecord, state: VisitState) -> dict[str, CellValue]:
    """Return the cells that identify a visit, which all tables of a study have."""
    header = record.header
    return {
        "code": header.code,
        "visit": header.visit,
        "station": header.station,
        "cell": "" if state.assigned is None else cell_name(state.assigned.cell),
        "is_test": header.is_test,
    }


def participant_row(
    record: VisitRecord, state: VisitState, columns: ParticipantColumns, sessions: PlayedSessions
) -> Row:
    """Return the row of a visit."""
    row = visit_cells(record, state)
    if state.assigned is not None:
        row |= {columns.factors[name]: level for name, level in state.assigned.cell.items()}
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
        "n_interruptions": sum(isinstance(event, VisitResumed) for event in record.events),
        "flags": "; ".join(f"{step}:{what}" for step, what in state.flags),
    }
    named = {("", name): value for name, value in {**_orders(state), **_minutes(record, state)}.items()}
    for step in state.steps:
        for name, value in _step_values(record, state, step, sessions).items():
            named[step.id, name] = value
    for (about, what), value in named.items():
        column = columns.name(about, what)
        if column is not None:
            row[column] = value
    return row


def _orders(state: VisitState) -> dict[str, CellValue]:
    """Return the order of the rounds by within factor, as the ids of the rounds in the order of play."""
    found: dict[str, CellValue] = {}
    for name, within in state.model.design.within.items():
        if state.assigned is not None:
            steps = [step for step in state.steps if step.stage.id == within.of and step.game is not None]
            found[f"order_{name}"] = "-".join(step.round_id for step in steps)
    return found


def _minutes(record: VisitRecord, state: VisitState) -> dict[str, CellValue]:
    """Return the time in each stage that was left at least once."""
    ms: dict[str, int] = {}
    for event in record.events:
        step = state.step_named(event.step) if isinstance(event, StageLeft) else None
        if isinstance(event, StageLeft) and step is not None:
            ms[step.stage.id] = ms.get(step.stage.id, 0) + event.ms
    return {f"minutes_{stage}": round(value / 60_000, 3) for stage, value in ms.items()}


def _step_values(
    record: VisitRecord, state: VisitState, step: VisitStep, sessions: PlayedSessions
) -> dict[str, CellValue]:
    if step.game is not None:
        return _game_values(state, step, sessions)
    if step.is_result:
        return {}
    match step.stage:
        case ConsentStage():
            hashes = [e.text_sha256 for e in record.events if isinstance(e, Consented) and e.step == step.id]
            return {**_results(state, step, "given"), "text_sha256": hashes[-1] if hashes else None}
        case QuizStage():
            tried = [e for e in record.events if isinstance(e, QuizTried) and e.step == step.id]
            wrong = "; ".join(tried[0].wrong) if tried else None
            return {**_results(state, step, "tries", "first_try", "passed"), "first_wrong": wrong}
        case ChoiceStage():
            return _results(state, step, "chosen")
        case CallStage():
            return _results(state, step, "word", "exit_code")
        case FormStage():
            return _form_values(state, step, step.stage, sessions)
        case _:
            return {}


def _results(state: VisitState, step: VisitStep, *names: str) -> dict[str, CellValue]:
    return {name: plain_cell(state.results.get(f"{step.id}.{name}")) for name in names}


def _game_values(state: VisitState, step: VisitStep, sessions: PlayedSessions) -> dict[str, CellValue]:
    closed = state.sessions.get(step.id)
    if not isinstance(closed, SessionClosed):
        return {}
    row = sessions.rows.get(closed.session, {})
    if sessions.is_of_goods(closed.session):
        own = sessions.seats.get(closed.session, {})
        agreement = None  # there are no deals
        measures = {name: row.get(name) for name in GOODS_MEASURES} | {
            name: own.get(name) for name in SEAT_MEASURES
        }
    else:
        agreement = closed.agreement
        measures = {name: row[name] for name in GAME_MEASURES if name in row}
    return {
        "round_id": step.round_id,
        "agreement": agreement,
        "points": None if closed.points is None else float(Fraction(closed.points)),
        "end": closed.end,
        "session": closed.session,
        **measures,
    }


def _form_values(
    state: VisitState, step: VisitStep, stage: FormStage, sessions: PlayedSessions
) -> dict[str, CellValue]:
    answers = state.answers_of(step.id)
    values = {name: plain_cell(value) for name, value in answers.items()}
    if stage.instrument is not None and answers:
        found = scores(state.instruments[stage.instrument], answers)
        values |= {score.name: score.value for score in found}
    for item in form_items(stage, state.instruments):
        if item.points_guess is not None and answers.get(item.id) is not None:
            values[f"{item.id}_{GUESS_SCORE}"] = guess_score(
                state, step, item, answers[item.id], sessions.facts
            )
    return values


def guess_score(
    state: VisitState, step: VisitStep, item: ItemModel, guess: list[int], facts: Mapping[str, SessionFacts]
) -> float | None:
    """Return the agreement of a guessed ranking of issues with the partner's, -1 to 1.

    The weight of an issue is the range of the partner's points in it. In rounds, the game is the last one
    that was played before the guess.

    Returns:
        None if the game was not played, is not among the sessions, or does not have two seats.
    """
    assert item.points_guess is not None
    position = [one.id for one in state.steps].index(step.id)
    played = [
        closed.session
        for one in state.steps[:position]
        if one.stage.id == item.points_guess.of
        and one.game is not None
        and isinstance(closed := state.sessions.get(one.id), SessionClosed)
    ]
    session = facts.get(played[-1]) if played else None
    partner = None if session is None else session.seat_on("a")
    if session is None or partner is None:
        return None
    weights = issue_weights(session, partner)
    truth = {
        n: Decimal(weights[issue.name].numerator) / Decimal(weights[issue.name].denominator)
        for n, issue in enumerate(session.game.issues, start=1)
        if issue.name in weights
    }
    return ranking_agreement(guess, truth)


def plain_cell(value: Any) -> CellValue:
    """Return an answer or a result as a cell: several positions as one text, decimals as numbers."""
    if isinstance(value, list | tuple):
        return ";".join(str(part) for part in value)
    if isinstance(value, Decimal):
        return float(value)
    found: CellValue = value
    return found
