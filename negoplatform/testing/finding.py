"""Findings of an agent check, as sentences for its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """Severity of a finding."""

    ERROR = "error"
    """The agent breaks its side of the contract, or harms its own side."""
    WARNING = "warning"
    """A possible fault; it may be intended."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault of an agent.

    Args:
        severity: Its severity.
        situation: The place: a game and a situation with its time, or a place in the file.
        sentence: The fault and its remedy.
        agent: The agent, where a file holds several.
    """

    severity: Severity
    situation: str
    sentence: str
    agent: str = ""

    def __str__(self) -> str:
        agent = f"{self.agent}: " if self.agent else ""
        return f"{self.severity}: {agent}{self.situation}: {self.sentence}"


@dataclass(frozen=True, slots=True)
class Remark:
    """A single observation, before those of the same fault are merged into a finding.

    Args:
        about: The subject; remarks with equal values become one finding.
        severity: Its severity.
        situation: The place.
        sentence: The fault and its remedy.
    """

    about: tuple[str, ...]
    severity: Severity
    situation: str
    sentence: str


def merge_remarks(remarks: Iterable[Remark], agent: str) -> list[Finding]:
    """Return a finding for each subject, by its first remark and the number of others; errors first."""
    remarks = list(remarks)
    times = Counter(remark.about for remark in remarks)
    first: dict[tuple[str, ...], Remark] = {}
    for remark in remarks:
        first.setdefault(remark.about, remark)
    findings = [
        Finding(remark.severity, remark.situation, _append_count(remark.sentence, times[about] - 1), agent)
        for about, remark in first.items()
    ]
    return sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)


def _append_count(sentence: str, times: int) -> str:
    if not times:
        return sentence
    return f"{sentence} It happened {times} more time{'s' if times > 1 else ''}."
