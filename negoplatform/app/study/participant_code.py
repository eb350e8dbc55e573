"""Codes of participants: which ones a study knows, and whether one was used before."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.app.session.session_plan import check_participant
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import PLAN_FILE, StudyFolder
from negoplatform.domain.errors import NegoError, Refused
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.visit_log import VisitRecord
from negoplatform.formats.local_time import local_time
from negoplatform.study.visit_events import VisitEnded

NO_SUCH_CODE = "There is no such code. Please check it, or call the experimenter."
USED_CODE = "This code has already been used, at {time}. Please call the experimenter."
USED_CODE_ON_COMPUTER = (
    "This code has already been used, on {computer} at {time}. Please call the experimenter."
)
CODE_IN_USE = "This code is in use in another window right now. Please call the experimenter."
DAMAGED_VISIT = "A visit of the code {code} cannot be read ({reason}). Please call the experimenter."


class CodeRefused(Refused):
    """Refusal of a participant's code.

    Args:
        sentence: The reason, with places for values, so that it can be translated.
        values: The values.
    """

    def __init__(self, sentence: str, **values: str) -> None:
        super().__init__(sentence.format(**values))
        self.sentence = sentence
        self.values = values


@dataclass(frozen=True, slots=True)
class KnownCode:
    """Code that may begin a visit.

    Args:
        code: The code, as the laboratory writes it.
        columns: The other columns of its row.
        earlier: Its earlier visits.
    """

    code: str
    columns: Mapping[str, str]
    earlier: tuple[VisitRecord, ...]

    @property
    def unfinished(self) -> VisitRecord | None:
        """The earlier visit that has not ended; None if there is none."""
        return next((record for record in self.earlier if not _has_ended(record)), None)


def _has_ended(record: VisitRecord) -> bool:
    return any(isinstance(event, VisitEnded) for event in record.events)


def look_up_code(
    folder: StudyFolder, data: StudyData, typed: str, *, experimenter: bool = False
) -> KnownCode:
    """Return what is known about a code that was typed.

    Args:
        folder: The study.
        data: Its data on this computer.
        typed: The code; capitals do not matter.
        experimenter: Whether the experimenter allows a code that was used before.

    Raises:
        CodeRefused: If there is no such code, it may not be used again, or a visit of it is damaged.
    """
    rules = folder.study.model.codes
    try:
        typed = check_participant(typed)
    except NegoError as error:
        raise CodeRefused(str(error)) from None
    columns: Mapping[str, str] = {}
    code = typed
    codes = folder.codes
    listed = dict.fromkeys(codes.rows) if codes is not None else {}
    listed |= dict.fromkeys(folder.plan)
    spare = [one for group in rules.replace.values() for one in group]
    if listed:
        by_key = {one.casefold(): one for one in (*listed, *spare)}
        if typed.casefold() not in by_key:
            raise CodeRefused(NO_SUCH_CODE)
        code = by_key[typed.casefold()]
        columns = codes.rows.get(code, {}) if codes is not None else {}
    elif rules.pattern is not None:
        form = "".join("[0-9]" if c == "#" else re.escape(c) for c in rules.pattern)
        by_key = {one.casefold(): one for one in spare}
        if not re.fullmatch(form, typed, re.IGNORECASE) and typed.casefold() not in by_key:
            raise CodeRefused(NO_SUCH_CODE)
        code = by_key.get(typed.casefold(), _in_pattern(rules.pattern, typed))
    if (damage := data.damaged_visit_of(code)) is not None:
        raise CodeRefused(DAMAGED_VISIT, code=code, reason=damage.reason)
    known = KnownCode(code, columns, tuple(data.visits_of(code)))
    used = next((record for record in known.earlier if _has_ended(record)), None)
    allowed = data.is_test or rules.reuse == "allow" or (rules.reuse == "experimenter" and experimenter)
    if known.unfinished is not None and is_being_written(known.unfinished.path):
        raise CodeRefused(CODE_IN_USE)
    if used is not None and not allowed:
        time = f"{local_time(used.events[-1].t_utc):%H:%M}"
        if used.header.station:
            raise CodeRefused(USED_CODE_ON_COMPUTER, computer=used.header.station, time=time)
        raise CodeRefused(USED_CODE, time=time)
    return known


def _in_pattern(pattern: str, typed: str) -> str:
    """Return a typed code with the capitals of its pattern."""
    return "".join(b if a == "#" else a for a, b in zip(pattern, typed, strict=False)) if pattern else typed


def rehearsal_codes(folder: StudyFolder, participants: int) -> list[str]:
    """Return codes for simulated people: the study's own, in their order, spare ones last.

    Raises:
        NegoError: If a file of codes or a plan has too few; without them, further codes R-0001 … are added.
    """
    rules = folder.study.model.codes
    planned = sorted(folder.plan, key=lambda code: folder.plan[code].spare)
    listed = [*(folder.codes.rows if folder.codes is not None else {}), *planned]
    codes = list(dict.fromkeys(listed))
    if not codes and rules.pattern is not None:
        width = rules.pattern.count("#")
        for n in range(1, min(participants, 10**width - 1) + 1):
            digits = iter(f"{n:0{width}}")
            codes.append("".join(next(digits) if c == "#" else c for c in rules.pattern))
    if len(codes) < participants and not listed:
        codes += [f"R-{n:04}" for n in range(1, participants - len(codes) + 1)]
    if len(codes) < participants:
        raise NegoError(
            f"The study has {len(codes)} codes, too few for {participants} simulated people; add codes to "
            f"{' and '.join(_code_files(folder))}, or rehearse with --participants {len(codes)}."
        )
    return codes[:participants]


def _code_files(folder: StudyFolder) -> list[str]:
    """Return the names of the files that list the study's codes."""
    found = [] if folder.codes is None else [folder.codes.path.name]
    return [*found, *([PLAN_FILE] if folder.plan else [])]
