"""Assignment of a visit: the cell, the orders and everything else that chance decides, as one event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.visit_log import VisitRecord
from negoplatform.study.assignment import cell_at, keyed_rng, order_at, place_in_cell
from negoplatform.study.stages import RoundsStage
from negoplatform.study.study_file import Cell, StudyModel, cell_name
from negoplatform.study.visit_events import Assigned, AssignedBy, VisitEnded
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import Order, draw_all, visit_steps


@dataclass(frozen=True, slots=True)
class _CellChoice:
    cell: Cell
    by: AssignedBy
    place: int
    place_in_cell: int
    orders: Mapping[str, Order]
    group: str = ""
    """The stratum and the station, whose places are counted apart; empty if there is one count for all."""


def assign_visit(state: VisitState, folder: StudyFolder, data: StudyData) -> dict[str, Any]:
    """Return the values of the event ASSIGNED of a visit.

    Raises:
        NegoError: If the code has no place in the plan, or its cell is closed.
    """
    model = state.study.model
    stratum = "-".join(
        "" if (value := state.value_of(name)) is None else str(value) for name in model.design.strata
    )
    choice = _choose(state, folder, data, stratum)
    if (closed := _closed_cells(model, data)) and cell_name(choice.cell) in closed:
        choice = _open_cell(choice, model, closed, state.header.code)
    cell_model = state.study.for_cell(choice.cell)
    orders = dict(choice.orders)
    for name, within in model.design.within.items():
        stage = cell_model.stage(within.of)
        if name not in orders and isinstance(stage, RoundsStage):
            count = len(stage.rounds)
            cell = cell_name(choice.cell)
            orders[name] = order_at(model, name, count, choice.place_in_cell, cell, choice.group)
    paid = cell_model.payment.points.stages if cell_model.payment and cell_model.payment.points else ()
    draws = draw_all(cell_model, state.study.instruments, state.header.code, orders, paid)
    return {
        "cell": dict(choice.cell),
        "by": choice.by,
        "place": choice.place,
        "stratum": stratum,
        "orders": {name: list(order) for name, order in draws.orders.items()},
        "blocks": {name: list(order) for name, order in draws.blocks.items()},
        "items": {name: list(order) for name, order in draws.items.items()},
        "seeds": dict(draws.seeds),
        "paid": list(draws.paid),
        "steps": [step.id for step in visit_steps(cell_model, draws)],
    }


def _choose(state: VisitState, folder: StudyFolder, data: StudyData, stratum: str) -> _CellChoice:
    model, code = state.study.model, state.header.code
    cells = {cell_name(cell): cell for cell in model.cells()}
    for name, spare in model.codes.replace.items():
        if code in spare:
            return _CellChoice(cells[name], "spare", spare.index(code), spare.index(code), {})
    how: str = model.design.assign
    if how == "plan":
        row = folder.plan.get(code)
        if row is not None:
            if row.station and row.station != state.header.station:
                raise NegoError(f"The code {code} belongs to the computer {row.station}.")
            rows = [name for name, other in folder.plan.items() if other.cell == row.cell]
            by: AssignedBy = "spare" if row.spare else "plan"
            place = list(folder.plan).index(code)
            return _CellChoice(cells[row.cell], by, place, rows.index(code), row.orders)
        if model.design.fallback is None:
            raise NegoError(f"The code {code} is not in the plan. Please call the experimenter.")
        how = model.design.fallback
    if how == "code":
        place, station, by = code_place(state, folder), "", "code"
    else:
        station, by = state.header.station, "station_blocks"
        place = data.claim_place(state.header.visit, station, stratum)
    cell = cell_at(model, place, stratum, station)
    group = "/".join((station, stratum)) if station or stratum else ""
    return _CellChoice(cell, by, place, place_in_cell(model, place, stratum, station), {}, group)


def code_place(state: VisitState, folder: StudyFolder) -> int:
    """Return the place of a code: its index in the list among those of its stratum, or its number.

    The number is that of the digits which the pattern leaves open, less 1: laboratories begin with 01, and
    the first block would lack a participant otherwise. 00 comes last.

    Raises:
        NegoError: If the study has a list of codes, without this one.
    """
    model, code = state.study.model, state.header.code
    codes, pattern = folder.codes, model.codes.pattern
    if codes is None:
        known = pattern is not None and len(pattern) == len(code)
        open_ones = pattern if pattern is not None and known else "#" * len(code)
        digits = "".join(c for c, p in zip(code, open_ones, strict=True) if p == "#" and c in "0123456789")
        numbers: int = 10 ** max(1, len(digits))
        return (int(digits or "1") - 1) % numbers
    names = [name for name in model.design.strata if name in state.columns]
    alike = [
        other for other, row in codes.rows.items() if all(row[name] == state.columns[name] for name in names)
    ]
    if code not in alike:
        raise NegoError(f"The code {code} is not in {codes.path.name}. Please call the experimenter.")
    return alike.index(code)


def _closed_cells(model: StudyModel, data: StudyData) -> set[str]:
    """Return the names of the cells whose quota of finished participants is reached on this computer."""
    if model.design.quota is None:
        return set()
    finished: dict[str, int] = {}
    for record in data.records():
        if not isinstance(record, VisitRecord):
            continue
        ends = [event.how for event in record.events if isinstance(event, VisitEnded)]
        cells = [event.cell for event in record.events if isinstance(event, Assigned)]
        if ends == ["finished"] and cells:
            name = cell_name(cells[0])
            finished[name] = finished.get(name, 0) + 1
    return {name for name, count in finished.items() if count >= model.design.quota}


def _open_cell(choice: _CellChoice, model: StudyModel, closed: set[str], code: str) -> _CellChoice:
    left = [cell for cell in model.cells() if cell_name(cell) not in closed]
    if not left:
        raise NegoError("All participants of this study have been found. Please call the experimenter.")
    cell = keyed_rng(model.design.seed, code, "quota").choice(left)
    return replace(choice, cell=cell)
