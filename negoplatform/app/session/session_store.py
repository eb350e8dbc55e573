"""What outlives a session, or a crash of it: the participant's part, sittings, drafts, what agents keep."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field, JsonValue

from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.domain.errors import NegoError
from negoplatform.formats.strict_json import LARGEST_FILE, StrictModel, parse_json, read_text, validate_json
from negoplatform.plugins.paths import bundled

TEMPLATE = "session_template.json"


class StoredDraft(StrictModel):
    """What a participant has not sent yet: the offer in the making, texts that fit no number yet, words.

    ``sent`` are messages that are on their way, after as many as ``answered`` of which is known what became.
    """

    offer: dict[str, JsonValue] | None
    fields: dict[str, str]
    words: str
    sent: list[str] = Field(default_factory=list)
    answered: int | None = None


class StoredSession(StrictModel):
    """What is kept under a session's id.

    ``participant`` is what is known of the participant, ``sittings`` has an entry for each sitting of the
    session, ``record`` holds what its parties proposed to keep, ``memory`` is what each seat's agent keeps
    from one round to the next.
    """

    participant: dict[str, JsonValue]
    sittings: Annotated[list[dict[str, JsonValue]], Field(max_length=10_000)]
    draft: StoredDraft
    record: dict[str, JsonValue]
    memory: dict[str, JsonValue]


class SessionStore:
    """One state per session, in the database of the user's folder; no trouble with it stops a session.

    Args:
        data_dir: The user's folder.
        report: Is given one sentence when the database is damaged, locked or cannot be written; the program
            goes on, and what could not be written is kept as long as this object lives.
        template: A JSON file with the state of a session of which nothing is kept; the program's own
            unless given.
    """

    def __init__(
        self, data_dir: Path, *, report: Callable[[str], object], template: Path | None = None
    ) -> None:
        self._report = report
        self._database = KeyValueStore(data_dir / FILE_NAME, report)
        self._template = template or bundled("assets") / TEMPLATE

    def load(self, session_id: str) -> dict[str, Any]:
        """A session's state, a copy of its own: what was saved last, else the template.

        Raises:
            FileProblem: If the template cannot be read: the program is not installed as it should be.
        """
        kept = self._database.read(_key(session_id))
        if kept is not None:
            try:
                return _read(kept, f"What is kept of session {session_id}")
            except NegoError as problem:
                self._report(f"{problem} It begins anew.")
        return _read(read_text(self._template), self._template)

    def save(self, session_id: str, state: dict[str, Any]) -> None:
        """Keeps a session's state, in place of the one before. Nothing is synced: it takes microseconds.

        Raises:
            NegoError: If it is no such state: no JSON values, over a megabyte, or of another shape.
        """
        try:
            # Half a character, which no file may hold, becomes a question mark.
            text = json.dumps(state, ensure_ascii=False, allow_nan=False).encode("utf-8", "replace")
        except (TypeError, ValueError, RecursionError) as error:
            raise NegoError(f"A session's state cannot be kept: {error}.") from None
        if len(text) > LARGEST_FILE:
            raise NegoError(f"A session's state cannot be kept: it has {len(text):,} bytes of JSON.")
        validate_json(StoredSession, text, "A session's state")
        self._database.write(_key(session_id), text.decode("utf-8"))

    def delete(self, session_id: str) -> None:
        """Drops a session's state."""
        self._database.delete(_key(session_id))

    def close(self) -> None:
        """Lets go of the database; a later call opens it again."""
        self._database.close()


def _key(session_id: str) -> str:
    return f"state_{session_id}"


def _read(text: str, where: object) -> dict[str, Any]:
    parse_json(text, where)
    return validate_json(StoredSession, text, where).model_dump(exclude_unset=True)
