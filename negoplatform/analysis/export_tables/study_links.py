"""Columns that link the rows of sessions with a study: visit, stage, round, cell and factors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from negoplatform.analysis.export_tables.columns import (
    CellValue,
    Column,
    Row,
    boolean_column,
    integer_column,
    legal_stems,
    text_column,
)
from negoplatform.analysis.export_tables.event_rows import PARTICIPANT, participant_of
from negoplatform.analysis.session_facts import SessionFacts
from negoplatform.formats.log_header import StudySession

LONGEST_FACTOR = 24

STUDY_COLUMNS = (
    text_column("study", "Name of the study; empty for a session that belongs to none."),
    text_column("study_version", "Version of the study."),
    text_column("visit", "Id of the visit: one participant's way through the study."),
    text_column("station", "Computer on which the visit took place."),
    text_column("stage", "Stage of the study in which the session was played."),
    integer_column("round", "Number of the round; 0 outside of rounds.", "0 up"),
    text_column("cell", "Levels of the factors, in their order, joined by hyphens."),
    boolean_column("counts", "Whether the session counts; practice does not."),
    boolean_column("is_test", "Whether it is test data."),
)
"""Columns of a session that belongs to a study; a complete log has them."""


def study_cells(study: StudySession | None) -> dict[str, CellValue]:
    """Return the cells of STUDY_COLUMNS for a session."""
    if study is None:
        return {}
    return {
        "study": study.name,
        "study_version": study.version,
        "visit": study.visit,
        "station": study.station,
        "stage": study.stage,
        "round": study.round,
        "cell": "-".join(study.cell.values()),
        "counts": study.counts,
        "is_test": study.is_test,
    }


def factor_names(factors: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Return the column name of each factor: its own, prefixed with ``factor_`` if a table uses that name."""
    stems, known = legal_stems(factors, LONGEST_FACTOR), frozenset(taken)
    return {name: f"factor_{stem}" if stem in known else stem for name, stem in stems.items()}


def factor_columns(levels: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> list[Column]:
    """Return a column for each factor."""
    return [text_column(names[name], f"Level of the factor {name}.", levels[name]) for name in levels]


@dataclass(frozen=True, slots=True)
class StudyLinks:
    """Columns and cells that link the rows of sessions with their studies.

    Args:
        levels: The levels that occur in the sessions, by factor.
    """

    levels: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, sessions: Iterable[SessionFacts]) -> StudyLinks:
        """Return the links of some sessions."""
        found: dict[str, dict[str, None]] = {}
        for facts in sessions:
            for factor, level in (facts.log.header.study.cell if facts.log.header.study else {}).items():
                found.setdefault(factor, {})[level] = None
        return cls({factor: tuple(sorted(levels)) for factor, levels in found.items()})

    def columns(self, columns: Sequence[Column]) -> tuple[Column, ...]:
        """Return a table's columns with those of the study, the factors after the cell."""
        taken = [column.name for column in columns]
        names = factor_names(self.levels, [*taken, *(column.name for column in STUDY_COLUMNS)])
        first, *rest = columns
        links = [column for column in (PARTICIPANT, *STUDY_COLUMNS) if column.name not in taken]
        found = [first, *links, *rest]
        after_cell = [column.name for column in found].index("cell") + 1
        found[after_cell:after_cell] = factor_columns(self.levels, names)
        return tuple(found)

    def rows(self, facts: SessionFacts, columns: Sequence[Column], rows: Iterable[Row]) -> Iterator[Row]:
        """Yield rows of a session with their cells of the study.

        Args:
            facts: The session.
            columns: The table's own columns.
            rows: The rows.
        """
        taken = [column.name for column in columns]
        names = factor_names(self.levels, [*taken, *(column.name for column in STUDY_COLUMNS)])
        study = facts.log.header.study
        cells = {"participant": participant_of(facts), **study_cells(study)}
        cells = {name: value for name, value in cells.items() if name not in taken}
        cells |= {names[factor]: level for factor, level in (study.cell if study else {}).items()}
        for row in rows:
            yield {**cells, **row}
