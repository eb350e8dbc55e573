"""File of a collection: where the data of a study came from, and what was found."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.formats.strict_json import LazyStrictModel, parse_json, read_text, validate_json

COLLECTION_FILE = "collection.json"


class CollectionSource(LazyStrictModel):
    """Folder that was collected.

    Args:
        path: The folder.
        stations: The computers of its visits.
        declined: The days on which people did not consent, one for each person.
        collected_at: The time of the last collection.
    """

    path: str
    stations: list[str] = []  # noqa: RUF012 - pydantic copies default values
    declined: list[str] = []  # noqa: RUF012
    collected_at: str


class CollectionVisit(LazyStrictModel):
    """Visit that was collected.

    Args:
        folder: The name of its folder.
        visit: Its id; empty if its log is damaged.
        code: The participant's code.
        station: The computer.
        sources: The folders in which a copy was found.
    """

    folder: str
    visit: str
    code: str
    station: str
    sources: list[str]


class CollectionModel(LazyStrictModel):
    """Content of ``collection.json``."""

    schema_: Literal["negoplatform.collection/1"] = Field(alias="schema")
    study: str
    collected_at: str
    sources: Annotated[list[CollectionSource], Field(max_length=10_000)] = []  # noqa: RUF012
    visits: Annotated[list[CollectionVisit], Field(max_length=1_000_000)] = []  # noqa: RUF012
    findings: list[dict[str, str]] = []  # noqa: RUF012
    forgotten: Annotated[list[str], Field(max_length=1_000_000)] = []  # noqa: RUF012
    """Fingerprints of visits that were deleted here, so that they are not collected again."""


def visit_fingerprint(visit: str) -> str:
    """Return the fingerprint of a visit's id, which only a holder of the visit can recognise."""
    return sha256(f"forgotten\x1f{visit}".encode()).hexdigest()[:32]


def read_collection(folder: Path) -> CollectionModel | None:
    """Return the content of a folder's ``collection.json``; None if there is none.

    Raises:
        InputFileError: If it cannot be read.
    """
    path = folder / COLLECTION_FILE
    if not path.is_file():
        return None
    text = read_text(path)
    parse_json(text, path)
    return validate_json(CollectionModel, text, path)


def write_collection(folder: Path, content: CollectionModel) -> None:
    """Write a folder's ``collection.json``.

    Raises:
        NegoError: If it cannot be written.
    """
    document = content.model_dump(mode="json", by_alias=True)
    text = json.dumps(document, ensure_ascii=False, indent=2) + "\n"
    atomic_write(folder / COLLECTION_FILE, text.encode("utf-8", "replace"), replace=True)
