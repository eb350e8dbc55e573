"""Template of a session's data: the file with which every new session begins. It is never written to."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from negoplatform.core.record.notes_and_tasks import Record, parse_template
from negoplatform.domain.errors import InputFileError, Refused
from negoplatform.formats.strict_json import parse_json, read_text
from negoplatform.plugins.program_and_user_folders import bundled

TEMPLATE = "session_template.json"


def template_file() -> Path:
    """Return the program's own template."""
    return bundled("assets") / TEMPLATE


@cache
def record_template() -> Record:
    """Return the initial content of every session's record, read once.

    Raises:
        InputFileError: If the template cannot be read: the program is not installed correctly.
    """
    return read_record_template(template_file())


def read_record_template(path: Path) -> Record:
    """Return the initial content of a record from a template.

    Raises:
        InputFileError: If the file is no template, or its record has another shape.
    """
    found = parse_json(read_text(path), path)
    record = found.get("record") if isinstance(found, dict) else None
    if not isinstance(record, dict):
        raise InputFileError(path, "record", "an object in braces { } belongs here")
    try:
        return parse_template(record)
    except Refused as refusal:
        raise InputFileError(path, "record", str(refusal).rstrip(".")) from None
