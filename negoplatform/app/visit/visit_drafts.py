"""Unsent entries of a visit, kept after the program ends, in one small file in the visit's folder.

They are not data of the study: they are not in the visit's log, and are removed with the visit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.held_files import WINDOW_HELD_TIMEOUT
from negoplatform.formats.strict_json import StrictModel, parse_json, read_text, validate_json

DRAFT_NAME = "draft.json"

ELAPSED = "ms:"
"""Key of an unsent entry: milliseconds for which the page has been shown."""


class StoredPageDrafts(StrictModel):
    """Content of the file: the step, and the entries of its pages by the page's number."""

    step: str
    pages: dict[str, dict[str, JsonValue]]


class VisitDrafts:
    """Drafts of one visit; a damaged file never stops a visit.

    Args:
        folder: The visit's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / DRAFT_NAME
        self._kept = self._read()

    def load(self, step: str, page: int) -> Mapping[str, Any]:
        """Return the entries of a page; empty if there are none."""
        if self._kept is None or self._kept.step != step:
            return {}
        return self._kept.pages.get(str(page), {})

    def seconds_shown(self, step: str) -> float:
        """Return the seconds for which the pages of a step had been shown when their entries were kept."""
        pages = self._kept.pages.values() if self._kept is not None and self._kept.step == step else ()
        shown = [values.get(ELAPSED, 0) for values in pages]
        return sum(ms for ms in shown if isinstance(ms, int | float)) / 1000

    def save(self, step: str, page: int, values: Mapping[str, Any]) -> None:
        """Keep the entries of a page; those of other pages of the same step stay.

        Raises:
            NegoError: If they cannot be written; they are kept as long as this object exists.
        """
        if dict(values) == self.load(step, page):
            return
        pages = self._kept.pages if self._kept is not None and self._kept.step == step else {}
        kept = StoredPageDrafts(step=step, pages={**pages, str(page): dict(values)})
        self._kept = kept
        # The visit's folder is gone if the participant declined.
        if self._path.parent.is_dir():
            text = json.dumps(kept.model_dump(), ensure_ascii=False).encode("utf-8", "replace")
            atomic_write(self._path, text, private=True, replace=True, held_timeout=WINDOW_HELD_TIMEOUT)

    def _read(self) -> StoredPageDrafts | None:
        if not self._path.is_file():
            return None
        try:
            text = read_text(self._path)
            parse_json(text, self._path)
            return validate_json(StoredPageDrafts, text, self._path)
        except NegoError:
            return None
