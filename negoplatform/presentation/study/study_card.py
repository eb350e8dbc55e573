"""Cards of the list of studies, with texts about each study and each interrupted visit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from negoplatform.app.study.study_check import StudyFinding, StudyFindingKind
from negoplatform.app.study.study_duration import expected_minutes, stage_minutes
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.study.study_list import CellCount, ListedStudy, UnfinishedVisit
from negoplatform.formats.local_time import local_time
from negoplatform.presentation.bidi import LEFT_TO_RIGHT
from negoplatform.presentation.i18n import LANGUAGES, Language
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.time_and_points_text import date_text
from negoplatform.study.local_text import text_in

MOST_FINDINGS = 6
"""Maximum number of findings on a card."""

MOST_CELLS_SHOWN = 16
"""Maximum number of cells on a card."""


@dataclass(frozen=True, slots=True)
class StudyCard:
    """Card of a study.

    Args:
        key: Path of its folder.
        title: Its title.
        facts: Name and version, hash, state, languages.
        is_frozen: Whether it is frozen and unchanged.
        stages: Its stages in their order, with minutes.
        cells: Its cells, each with the numbers of finished and begun visits; None: not counted yet.
        findings: What the check found, each with whether it is an error; None: not checked yet.
        problem: Why it cannot be used at all; empty if it can.
        can_start: Whether participants can begin it.
        can_try: Whether it can be tried out.
    """

    key: str
    title: str
    facts: str = ""
    is_frozen: bool = False
    stages: str = ""
    cells: tuple[tuple[str, str], ...] | None = None
    findings: tuple[tuple[bool, str], ...] | None = None
    problem: str = ""
    can_start: bool = False
    can_try: bool = False


@dataclass(frozen=True, slots=True)
class StudyResults:
    """Results about a study that were computed in the background.

    Args:
        counts: Its participants on this computer.
        findings: What the check found; None: it was not checked, because its programs are not trusted yet.
    """

    counts: Sequence[CellCount] = ()
    findings: Sequence[StudyFinding] | None = None


@dataclass(frozen=True, slots=True)
class VisitCard:
    """Row of an interrupted visit.

    Args:
        key: Path of its log.
        title: Its code and its study.
        facts: When it was interrupted, and where.
        problem: Why it cannot go on here; empty if it can.
    """

    key: str
    title: str
    facts: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StudiesView:
    """Contents of the list of studies.

    Args:
        studies: The studies.
        visits: The interrupted visits, newest first.
        station: The name of this computer.
    """

    studies: tuple[StudyCard, ...] = ()
    visits: tuple[VisitCard, ...] = field(default=())
    station: str = ""


def study_card(listed: ListedStudy, results: StudyResults | None, translate: Language) -> StudyCard:
    """Return the card of a study.

    Args:
        listed: The study.
        results: The results about it; None: none yet.
        translate: The window's language.
    """
    folder = listed.folder
    if folder is None:
        return StudyCard(str(listed.root), displayable(listed.root.name), problem=displayable(listed.problem))
    model = folder.study.model
    state = (
        translate("frozen")
        if folder.is_frozen
        else translate("changed since it was frozen")
        if folder.manifest is not None
        else translate("not frozen")
    )
    languages = ", ".join(LANGUAGES.get(code, code) for code in model.languages)
    card = StudyCard(
        str(listed.root),
        displayable(text_in(model.title, translate.code)),
        facts=" · ".join((folder.study.label, folder.study.sha256[:8], state, languages)),
        is_frozen=folder.is_frozen,
        stages=_stages_text(folder, translate),
        can_start=folder.is_frozen,
        can_try=True,
    )
    if results is None:
        return card
    cells = tuple(
        (one.cell, f"{one.finished}/{one.begun}") for one in list(results.counts)[:MOST_CELLS_SHOWN]
    )
    card = replace(card, cells=cells)
    if results.findings is None:
        note = translate("Not checked yet: it contains code that hasn’t been trusted on this computer.")
        return replace(card, findings=((False, note),))
    return _with_findings(card, results.findings, translate)


def _with_findings(card: StudyCard, findings: Sequence[StudyFinding], translate: Language) -> StudyCard:
    errors = any(one.kind is StudyFindingKind.ERROR for one in findings)
    rows = [(one.kind is StudyFindingKind.ERROR, displayable(one.text)) for one in findings[:MOST_FINDINGS]]
    if (more := len(findings) - MOST_FINDINGS) > 0:
        rows.append((False, translate.plural("and {n} more", "and {n} more", more)))
    return replace(card, findings=tuple(rows), can_start=card.is_frozen and not errors, can_try=not errors)


def _stages_text(folder: StudyFolder, translate: Language) -> str:
    parts = []
    for stage, minutes in stage_minutes(folder).items():
        shown = translate.localize_number(f"{round(minutes, 1):g}")
        parts.append(f"{stage} ({shown})" if minutes >= 1 else stage)
    whole = translate("Up to {n} min:", n=round(expected_minutes(folder)))
    return f"{whole} {join_ids(parts, '→', translate)}"


def join_ids(parts: Sequence[str], between: str, translate: Language) -> str:
    """Return ids with a sign between them, from left to right in every language."""
    mark = LEFT_TO_RIGHT if translate.rtl else ""
    return f" {mark}{between}{mark} ".join(parts)


def visit_card(visit: UnfinishedVisit, study: ListedStudy | None, translate: Language) -> VisitCard:
    """Return the row of an interrupted visit.

    Args:
        visit: The visit.
        study: Its study, exactly as it was; None if it is not here.
        translate: The window's language.
    """
    header = visit.header
    label = f"{header.study} {header.version}"
    title = translate("Participant {code} in {study}", code=header.code, study=label)
    problem = ""
    if study is None:
        problem = translate(
            "The study {study} with the hash {hash} isn’t on this computer; install it, or open its folder.",
            study=label,
            hash=header.sha256[:8],
        )
    facts = translate("Interrupted in {step}, {when}", step=visit.step, when=_when(visit, translate))
    return VisitCard(str(visit.path), displayable(title), displayable(facts), problem)


def _when(visit: UnfinishedVisit, translate: Language) -> str:
    try:
        at = local_time(visit.last_utc)
    except ValueError:
        return visit.last_utc
    return translate("{day} at {time}", day=date_text(at, translate), time=f"{at:%H:%M}")
