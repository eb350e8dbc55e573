"""What a check of an agent finds, as sentences for its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a finding matters."""

    ERROR = "error"
    """The agent breaks its side of the contract, or harms its own side."""
    WARNING = "warning"
    """It can be meant so; its author should know."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong with an agent.

    Args:
        severity: How much it matters.
        situation: Where it showed: a game and a situation with its time, or a place in the file.
        sentence: What is wrong and what to do.
        agent: Which agent, where a file holds several.
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
    """A finding before those about the same thing are told as one.

    Args:
        about: What it is about; remarks with equal values are one finding.
        severity: How much it matters.
        situation: Where it showed.
        sentence: What is wrong and what to do.
    """

    about: tuple[str, ...]
    severity: Severity
    situation: str
    sentence: str


def merge_remarks(remarks: Iterable[Remark], agent: str) -> list[Finding]:
    """One finding for each thing, as it showed first, with how often it showed again; errors first."""
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
