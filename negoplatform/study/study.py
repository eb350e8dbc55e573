"""A study that has been read: its document, its instruments, and its model for each cell."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from negoplatform.domain.errors import InputFileError
from negoplatform.formats.strict_json import parse_json, single_line, validate_json
from negoplatform.study.factor_choices import check_choices, outline, resolve_choices
from negoplatform.study.instrument import InstrumentModel
from negoplatform.study.study_file import Cell, StudyModel, cell_name


@dataclass(frozen=True)
class Study:
    """Study whose file is valid; its texts, games and agents have still to be checked.

    Args:
        document: The JSON value of its file.
        path: The file, for messages.
        instruments: Its instruments by name.
        sha256: The hash of everything that belongs to it.
    """

    document: Mapping[str, Any]
    path: object
    instruments: Mapping[str, InstrumentModel] = field(default_factory=dict)
    sha256: str = ""

    @cached_property
    def models(self) -> Mapping[str, StudyModel]:
        """The models of all cells, by the names of the cells."""
        first = _resolved(self.document, _first_levels(self.document), self.path)
        return {cell_name(cell): _resolved(self.document, cell, self.path) for cell in first.cells()}

    @property
    def model(self) -> StudyModel:
        """The model of the first cell; what does not depend on the cell is equal in all."""
        return next(iter(self.models.values()))

    def for_cell(self, cell: Cell) -> StudyModel:
        """Return the model of a cell."""
        return self.models[cell_name(cell)]

    @property
    def label(self) -> str:
        """Name and version, such as ``anger_2x2-1.0.0``."""
        return f"{self.model.name}-{self.model.version}"


def parse_study(text: str, path: object) -> Study:
    """Return the study of a text; its instruments have still to be added.

    Raises:
        InputFileError: If it is not valid in every cell; with place and reason.
    """
    document = parse_json(text, path)
    if not isinstance(document, dict):
        raise InputFileError(path, "", "an object in braces { } belongs into this file")
    check_choices(document, path)
    study = Study(document, path)
    shapes = []
    for name in study.models:
        cell = next(cell for cell in study.model.cells() if cell_name(cell) == name)
        shapes.append(outline(resolve_choices(document, cell)["stages"]))
    if any(shape != shapes[0] for shape in shapes):
        raise InputFileError(path, "stages", "the stages differ between the cells; use when instead of by")
    return study


def _first_levels(document: Mapping[str, Any]) -> Cell:
    factors = document.get("factors", {})
    if not isinstance(factors, dict):
        return {}
    return {name: levels[0] for name, levels in factors.items() if isinstance(levels, list) and levels}


def _resolved(document: Mapping[str, Any], cell: Cell, path: object) -> StudyModel:
    resolved = resolve_choices(dict(document), cell)
    try:
        return validate_json(StudyModel, json.dumps(resolved, ensure_ascii=False), path)
    except InputFileError as error:
        raise InputFileError(path, _with_stage_ids(error.where, resolved), error.reason) from None


def _with_stage_ids(where: str, document: Mapping[str, Any]) -> str:
    """Return a place with the ids of the stages in it: ``stages[17]`` alone is hard to find."""
    ids: list[str] = []
    inside: Any = document
    for key, index in re.findall(r"\b(stages|between)\[(\d+)\]", where):
        listed = inside.get(key) if isinstance(inside, Mapping) else None
        if not isinstance(listed, list) or int(index) >= len(listed):
            break
        inside = listed[int(index)]
        if isinstance(inside, Mapping) and isinstance(inside.get("id"), str):
            ids.append(single_line(inside["id"], 40))
    return f"{where} (stage {'.'.join(ids)})" if ids else where
