"""Check of a study: errors, with which it cannot run, and warnings, each with file, place and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from negoplatform.app.study.design_check import design_findings
from negoplatform.app.study.partner_check import partner_findings
from negoplatform.app.study.study_duration import expected_minutes
from negoplatform.app.study.study_folder import PLAN_FILE, StudyFolder
from negoplatform.app.study.text_check import text_findings
from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.study.factor_choices import factors_used
from negoplatform.study.reference_check import (
    BOOLEAN,
    NUMBER,
    condition_fault,
    known_references,
    reference_fault,
    step_positions,
    stop_position,
)
from negoplatform.study.stages import (
    BlockStage,
    BriefingStage,
    CallStage,
    ChoiceStage,
    ChosenBefore,
    ConsentStage,
    EndStage,
    FormStage,
    NegotiationStage,
    PaymentStage,
    QuizStage,
    ReadAgain,
    RoundsStage,
    WaitStage,
    walk_stages,
)
from negoplatform.study.study_file import StudyModel, cell_name
from negoplatform.study.visit_steps import assignment_index, balanced_after, form_items

LONGEST_VISIT_MINUTES = 60


class StudyFindingKind(Enum):
    """Kind of a finding."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class StudyFinding:
    """Finding of the check.

    Args:
        kind: Whether it is an error.
        path: The file.
        where: The place in it; may be empty.
        reason: What is wrong and what to do, without a full stop.
    """

    kind: StudyFindingKind
    path: Path
    where: str
    reason: str

    @property
    def text(self) -> str:
        """The finding as one sentence."""
        return str(InputFileError(self.path, self.where, self.reason))


class _Findings:
    """Findings so far, each once, whichever cell it was found in."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.found: dict[StudyFinding, None] = {}

    def error(self, where: str, reason: str) -> None:
        self.found.setdefault(StudyFinding(StudyFindingKind.ERROR, self._file, where, reason))

    def warning(self, where: str, reason: str) -> None:
        self.found.setdefault(StudyFinding(StudyFindingKind.WARNING, self._file, where, reason))

    def at(self, error: InputFileError) -> None:
        path = Path(str(error.path))
        self.found.setdefault(StudyFinding(StudyFindingKind.ERROR, path, error.where, error.reason))


def check_study(folder: StudyFolder) -> list[StudyFinding]:
    """Return the findings about a study, errors first."""
    findings = _Findings(folder.file)
    for change in folder.changes:
        findings.error("", f"the study was frozen, and since then {change}; make a new version, or undo that")
    columns = _check_codes(folder, findings)
    _check_plan(folder, findings)
    _check_before_assignment(folder, findings)
    for cell_model in folder.study.models.values():
        _check_model(folder, cell_model, columns, findings)
    for finding in text_findings(folder):
        findings.at(finding) if isinstance(finding, InputFileError) else findings.warning(*finding)
    for error, where, reason in partner_findings(folder):
        (findings.error if error else findings.warning)(where, reason)
    _warn_about_design(folder, findings)
    for where, reason in design_findings(folder):
        findings.warning(where, reason)
    return sorted(findings.found, key=lambda finding: finding.kind is StudyFindingKind.WARNING)


def require_sound(folder: StudyFolder) -> None:
    """Check that a study has no errors.

    Raises:
        NegoError: With the first error.
    """
    for finding in check_study(folder):
        if finding.kind is StudyFindingKind.ERROR:
            raise NegoError(finding.text)


def _check_codes(folder: StudyFolder, findings: _Findings) -> dict[str, tuple[str, ...]]:
    """Check the codes; return the columns of their file with their values."""
    model, rules = folder.study.model, folder.study.model.codes
    try:
        codes = folder.codes
    except InputFileError as error:
        findings.at(error)
        return {}
    if rules.pattern is not None and model.design.participants is not None:
        there = 10 ** rules.pattern.count("#")
        if there < model.design.participants:
            findings.error(
                "codes.pattern",
                f"the pattern {rules.pattern} makes {there} codes, so some of the "
                f"{model.design.participants} participants would share one; add another #",
            )
    if model.design.assign == "code" and rules.drawn:
        findings.error(
            "design.assign", "a drawn code has no place in a list; write station_blocks, or give codes"
        )
    columns: dict[str, tuple[str, ...]] = {}
    if codes is not None:
        if model.design.participants is not None and len(codes.rows) < model.design.participants:
            findings.warning(
                "codes.from",
                f"{codes.path.name} has {len(codes.rows)} codes for "
                f"{model.design.participants} participants; add codes",
            )
        names = next(iter(codes.rows.values()))
        columns = {name: tuple({row[name] for row in codes.rows.values()}) for name in names}
        for cell, spare in rules.replace.items():
            for code in spare:
                if code in codes.rows:
                    reason = f"the spare code {code!r} is also in {codes.path.name}; take one that is not"
                    findings.error(f"codes.replace.{cell}", reason)
    return columns


def _check_plan(folder: StudyFolder, findings: _Findings) -> None:
    model, path = folder.study.model, folder.root / PLAN_FILE
    if model.design.assign == "plan" and not path.is_file():
        findings.error("design.assign", f"there is no {PLAN_FILE}; 'negoplatform study plan' writes one")
        return
    try:
        plan = folder.plan
        codes = folder.codes
    except InputFileError as error:
        findings.at(error)
        return
    names = [cell_name(cell) for cell in model.cells()]
    for code, row in plan.items():
        if row.cell not in names:
            reason = f"{code} has the cell {row.cell!r}, which there is not; there is {', '.join(names)}"
            findings.at(InputFileError(path, "", reason))
        if codes is not None and code not in codes.rows and not row.spare:
            findings.at(InputFileError(path, "", f"the code {code} is not in {codes.path.name}"))
        for name, order in row.orders.items():
            within = model.design.within.get(name)
            stage = None if within is None else model.stage(within.of)
            count = len(stage.rounds) if isinstance(stage, RoundsStage) else 0
            if sorted(order) != list(range(count)):
                reason = f"{code} has an order of {name!r} that does not fit; write each of 1 to {count} once"
                findings.at(InputFileError(path, "", reason))


def _check_before_assignment(folder: StudyFolder, findings: _Findings) -> None:
    """Check that nothing depends on the cell or on chance before the assignment."""
    model = folder.study.model
    for i, stage in enumerate(model.stages[: assignment_index(model)]):
        where = f"stages[{i}]"
        document: Any = folder.study.document["stages"][i]
        conditions = {name for inner in walk_stages([stage]) for name in (inner.when or {})}
        if used := factors_used({"stage": document}) | (conditions & set(model.factors)):
            reason = f"the factor {min(used)!r} is used before the assignment, which is after this stage"
            findings.error(where, reason)
        for inner in walk_stages([stage]):
            if isinstance(inner, NegotiationStage | RoundsStage):
                findings.error(where, f"{inner.id!r} is played before the assignment, which draws its seed")
            if isinstance(inner, BlockStage | FormStage) and inner.order != "fixed":
                findings.error(where, f"the order of {inner.id!r} is drawn, but only after the assignment")


def _check_model(  # noqa: C901 - one case for each kind of stage
    folder: StudyFolder, model: StudyModel, columns: dict[str, tuple[str, ...]], findings: _Findings
) -> None:
    instruments = folder.study.instruments
    known = known_references(model, instruments, columns)
    positions = step_positions(model)
    for stage in model.all_stages():
        where, before = f"stages.{stage.id}", positions.get(stage.id, len(known))
        if fault := condition_fault(stage.when, known, before, model):
            findings.error(f"{where}.when", fault)
        match stage:
            case FormStage():
                after = before + 1
                if fault := condition_fault(stage.flag_if, known, after, model):
                    findings.error(f"{where}.flag_if", fault)
                for item in form_items(stage, instruments):
                    if fault := condition_fault(item.when, known, after, model):
                        findings.error(f"{where}.{item.id}.when", fault)
                    if item.points_guess and item.points_guess.of not in _games_before(
                        model, positions, before
                    ):
                        reason = f"{item.points_guess.of!r} is no negotiation before this form"
                        findings.error(f"{where}.{item.id}.points_guess", reason)
            case RoundsStage() if fault := condition_fault(
                stage.stop_when, known, stop_position(stage, model), model
            ):
                findings.error(f"{where}.stop_when", fault)
            case QuizStage(then=ReadAgain(read_again=target)):
                if positions.get(target, before) >= before:
                    findings.error(f"{where}.then", f"there is no stage {target!r} before this quiz")
            case BriefingStage():
                if positions.get(stage.of, -1) <= before or not isinstance(
                    model.stage(stage.of), NegotiationStage | RoundsStage
                ):
                    findings.error(f"{where}.of", f"{stage.of!r} is no negotiation after this briefing")
            case _:
                pass
        _check_chosen(stage, model, positions, before, findings)
    _check_reachable(model, findings)
    _check_within(model, findings)
    _check_payment(model, known, findings)
    for name in model.design.strata:
        if fault := reference_fault(name, known, assignment_index(model), model):
            findings.error("design.strata", fault)


def _games_before(model: StudyModel, positions: dict[str, int], before: int) -> set[str]:
    return {
        stage.id
        for stage in model.all_stages()
        if isinstance(stage, NegotiationStage | RoundsStage) and positions[stage.id] < before
    }


def _check_chosen(
    stage: object, model: StudyModel, positions: dict[str, int], before: int, findings: _Findings
) -> None:
    """Check that a choice of the participant comes before what depends on it."""
    games: list[Any] = []
    if isinstance(stage, RoundsStage):
        games = [*stage.rounds, stage]
    elif isinstance(stage, NegotiationStage):
        games = [stage]
    for one in games:
        for key in ("game", "partner"):
            value = getattr(one, key, None)
            if not isinstance(value, ChosenBefore):
                continue
            choice = model.stage(value.chosen)
            fits = isinstance(choice, ChoiceStage) and choice.of == key and positions[choice.id] < before
            if not fits:
                reason = f"{value.chosen!r} is no choice of a {key} before this stage"
                findings.error(f"stages.{getattr(stage, 'id', '')}.{key}", reason)


def _check_reachable(model: StudyModel, findings: _Findings) -> None:
    ended = ""
    for stage in model.stages:
        if ended:
            reason = f"no visit can reach this stage, because every visit ends at {ended!r}; add a when there"
            findings.error(f"stages.{stage.id}", reason)
            return
        inner = list(walk_stages([stage]))
        ends = [one for one in inner if isinstance(one, EndStage) and one.when is None]
        if ends and stage.when is None:
            ended = ends[0].id
    if not ended:
        findings.warning("stages", "there is no stage of the kind end, so the last page has no text of yours")


def _check_within(model: StudyModel, findings: _Findings) -> None:
    taken: dict[str, str] = {}
    for name, within in model.design.within.items():
        where = f"design.within.{name}"
        stage = model.stage(within.of)
        if not isinstance(stage, RoundsStage):
            findings.error(where, f"{within.of!r} is no stage of the kind rounds, whose order could change")
        elif within.of in taken:
            findings.error(where, f"the order of {within.of!r} already belongs to {taken[within.of]!r}")
        taken[within.of] = name


def _check_payment(model: StudyModel, known: Any, findings: _Findings) -> None:
    pays = [stage for stage in model.all_stages() if isinstance(stage, PaymentStage)]
    if pays and model.payment is None:
        findings.error(
            f"stages.{pays[0].id}", "there is no payment to show; add the key payment to the study"
        )
    if model.payment is None:
        return
    if not pays:
        findings.warning("payment", "no stage of the kind payment shows the participants what they get")
    for stage_id in model.payment.points.stages if model.payment.points else ():
        stage = model.stage(stage_id)
        if not isinstance(stage, NegotiationStage | RoundsStage):
            findings.error(
                "payment.points.of", f"{stage_id!r} is no negotiation, so there are no points to pay"
            )
        elif stage.when is not None or not any(stage is top for top in model.stages):
            if not isinstance(stage, NegotiationStage | RoundsStage) or stage.when is not None:
                findings.error("payment.points.of", f"not everybody plays {stage_id!r}, which has a when")
        elif not stage.counts:
            findings.error("payment.points.of", f"{stage_id!r} does not count, so it cannot be paid")
    for bonus in model.payment.bonuses:
        fault = reference_fault(bonus.for_, known, 10**6, model)
        if not fault and known[bonus.for_].type not in (NUMBER, BOOLEAN):
            fault = f"{bonus.for_!r} is {known[bonus.for_].type}; a bonus is for a number or for true"
        if fault:
            findings.error("payment.bonuses", fault)


def _warn_about_design(folder: StudyFolder, findings: _Findings) -> None:
    model = folder.study.model
    stages = list(model.all_stages())
    design = model.design
    if not any(isinstance(stage, ConsentStage) for stage in stages):
        findings.warning("stages", "no stage asks for consent; ethics boards want one")
    games = [stage for stage in stages if isinstance(stage, NegotiationStage | RoundsStage)]
    if games and all(stage.counts for stage in games):
        findings.warning("stages", "there is no practice: no negotiation has counts: false")
    if not games:
        findings.warning("stages", "nobody negotiates in this study")
    block = len(model.block_cells()) * balanced_after(model)
    if design.participants is not None and design.participants % block:
        findings.warning(
            "design.participants",
            f"{design.participants} participants are no multiple of {block}, the cells and orders of a block",
        )
    for stage in stages:
        if isinstance(stage, WaitStage) and stage.for_ == "all_stations":
            reason = "the computers do not know of each other, so the experimenter lets everybody go on"
            findings.warning(f"stages.{stage.id}.for", reason)
        if isinstance(stage, CallStage) and stage.program:
            findings.warning(f"stages.{stage.id}.program", "this program has to be on every computer")
    minutes = expected_minutes(folder)
    if minutes > LONGEST_VISIT_MINUTES:
        findings.warning("stages", f"a visit may take {minutes:.0f} minutes; that is long")
