"""Stored data of sessions that survives their end or a crash: participant, runs, drafts, agents' memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, JsonValue

from negoplatform.app.session.session_template import template_file
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import LARGEST_FILE, StrictModel, parse_json, read_text, validate_json


class StoredDraft(StrictModel):
    """Unsent work of a participant: what the game's mechanism keeps, and the message field's text.

    Bargaining keeps the offer, and texts that are no valid number yet (``fields``); every other mechanism
    keeps ``work``, whose keys are its own.

    ``sent`` are messages that were sent but not recorded yet, ``answered`` is the number of messages whose
    outcome is known. ``to`` has the recipients of the message field's text and ``sent_to`` those of each
    message, where they are not everyone.
    """

    offer: dict[str, JsonValue] | None = None
    fields: dict[str, str] = Field(default_factory=dict)
    work: dict[str, JsonValue] = Field(default_factory=dict)
    words: str
    sent: list[str] = Field(default_factory=list)
    answered: int | None = None
    to: list[str] = Field(default_factory=list)
    sent_to: list[list[str]] = Field(default_factory=list)


class StoredHost(StrictModel):
    """Port and codes with which a host that is started again lets the same windows come back.

    ``codes`` has the code of each role by a name that no other role has, such as ``seat:buyer``.
    """

    port: Annotated[int, Field(ge=1, le=65535)]
    codes: dict[str, str]


class StoredSession(StrictModel):
    """Data under a session's id.

    ``participant`` is the participant's data, ``sittings`` has an entry for each time that the session was
    started or resumed, ``drafts`` has the drafts of people in other windows by seat, ``host`` is how windows
    joined a session that is not over, ``record`` holds the
    template's record with the accepted proposals (what follows from the events is in the log), ``memory`` is
    the data that each seat's agent keeps from one round to the next.
    """

    participant: dict[str, JsonValue]
    sittings: Annotated[list[dict[str, JsonValue]], Field(max_length=10_000)]
    draft: StoredDraft
    drafts: dict[str, StoredDraft] = Field(default_factory=dict)
    host: StoredHost | None = None
    record: dict[str, JsonValue]
    memory: dict[str, JsonValue]


class SessionDataStore:
    """Data of all sessions, in the database of the user's folder; its errors never stop a session.

    Args:
        data_dir: The user's folder.
        report: Called with one sentence when the database is damaged, locked or cannot be written; the
            program goes on, and unwritten data is kept as long as this object exists.
        template: A JSON file with the data of a new session; the program's own unless given.
    """

    def __init__(
        self, data_dir: Path, *, report: Callable[[str], object], template: Path | None = None
    ) -> None:
        self._report = report
        self._database = KeyValueStore(data_dir / FILE_NAME, report)
        self._template = template or template_file()

    def load(self, session_id: str) -> dict[str, Any]:
        """Return a copy of a session's data: the data saved last, else the template.

        Raises:
            InputFileError: If the template cannot be read: the program is not installed correctly.
        """
        kept = self._database.read(_key(session_id))
        if kept is not None:
            try:
                return _read(kept, f"What is kept of session {session_id}")
            except NegoError as problem:
                self._report(f"{problem} A new one is begun.")
        return _read(read_text(self._template), self._template)

    def save(self, session_id: str, state: dict[str, Any]) -> None:
        """Save a session's data, replacing the data before. Nothing is synced: it takes microseconds.

        Raises:
            NegoError: If the data is invalid: no JSON values, over a megabyte, or of another shape.
        """
        try:
            # A lone surrogate, which cannot be encoded, becomes a question mark.
            text = json.dumps(state, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        except (TypeError, ValueError, RecursionError) as error:
            raise NegoError(f"A session's state cannot be kept: {error}.") from None
        if len(text) > LARGEST_FILE:
            raise NegoError(f"A session's state cannot be kept: it has {len(text):,} bytes of JSON.")
        validate_json(StoredSession, text, "A session's state")
        self._database.write(_key(session_id), text.decode("utf-8"))

    def delete(self, session_id: str) -> None:
        """Delete a session's data."""
        self._database.delete(_key(session_id))

    def close(self) -> None:
        """Close the database; a later call opens it again."""
        self._database.close()


def _key(session_id: str) -> str:
    return f"state_{session_id}"


def _read(text: str, where: object) -> dict[str, Any]:
    parse_json(text, where)
    return validate_json(StoredSession, text, where).model_dump(exclude_unset=True)
