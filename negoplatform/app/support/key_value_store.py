"""Small database in the user's folder: texts by key. Its errors never stop the program."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import TypeVar

VERSION = 1
"""Version of the tables, stored as ``user_version``."""

FILE_NAME = "store.sqlite3"

BUSY_SECONDS = 0.25
"""Seconds that one call waits for another program that writes."""

OPENING_SECONDS = 2.0
"""Seconds for which opening is retried; of several programs that create the file at once only one can."""

_MAGIC = b"SQLite format 3\0"

_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

T = TypeVar("T")


class KeyValueStore:
    """Texts by key, in one file that several programs may have open.

    A damaged file is renamed and a new one is created. A file that cannot be used (locked, read only, on a
    full disk) is reported in one sentence; unwritten texts are then kept for as long as this object exists.
    No method raises.

    Args:
        path: The file; created, with its folder, by the first write.
        report: Called with one sentence when something fails, and not again until everything has worked.
    """

    def __init__(self, path: Path, report: Callable[[str], object]) -> None:
        self._path = path
        self._report = report
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._unwritten: dict[str, str | None] = {}
        self._unavailable = False

    def __enter__(self) -> KeyValueStore:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # A session's store is dropped with the session, without a defined moment for closing it.
        self._disconnect()

    @property
    def is_unavailable(self) -> bool:
        """Whether the last use of the file failed: what was written since is in this object alone."""
        return self._unavailable

    def read(self, key: str) -> str | None:
        """Return the text of a key; None if there is none."""
        return self._select("SELECT key, value FROM entries WHERE key = ?", key).get(key)

    def read_prefix(self, prefix: str) -> dict[str, str]:
        """Return all texts whose keys have a prefix, by the rest of the key, sorted."""
        end = prefix[:-1] + chr(ord(prefix[-1]) + 1)
        found = self._select("SELECT key, value FROM entries WHERE key >= ? AND key < ?", prefix, end)
        return {
            key.removeprefix(prefix): text for key, text in sorted(found.items()) if key.startswith(prefix)
        }

    def read_all(self) -> dict[str, str]:
        """Return all texts by key."""
        return self._select("SELECT key, value FROM entries")

    def erase(self, keys: Sequence[str]) -> bool:
        """Delete keys with their texts, so that the file has no trace of them; return whether that worked.

        It fails while another program uses the file.
        """
        with self._lock:
            return self._attempt(lambda connection: _erase(connection, keys)) is True

    def write(self, key: str, text: str) -> None:
        """Set the text of a key."""
        self._change({key: text})

    def delete(self, key: str) -> None:
        """Delete a key and its text."""
        self._change({key: None})

    def close(self) -> None:
        """Close the file; a later call opens it again."""
        with self._lock:
            self._disconnect()

    def _select(self, query: str, *values: str) -> dict[str, str]:
        with self._lock:
            # Reading must not create the file.
            here = self._connection is not None or os.access(self._path, os.F_OK)
            rows = self._attempt(lambda it: it.execute(query, values).fetchall()) if here else None
            found = {str(key): str(value) for key, value in rows or ()}
            for key, text in self._unwritten.items():
                if text is None:
                    found.pop(key, None)
                else:
                    found[key] = text
            return found

    def _change(self, changes: dict[str, str | None]) -> None:
        """Write changes, together with earlier ones that could not be written."""
        with self._lock:
            self._unwritten |= changes
            if self._attempt(self._write_pending):
                self._unwritten = {}
                self._mark_available()

    def _write_pending(self, connection: sqlite3.Connection) -> bool:
        for key, text in self._unwritten.items():
            if text is None:
                connection.execute("DELETE FROM entries WHERE key = ?", (key,))
            else:
                connection.execute("INSERT OR REPLACE INTO entries (key, value) VALUES (?, ?)", (key, text))
        return True

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T | None:
        try:
            result = self._run_with_repair(work)
        except (sqlite3.Error, OSError) as error:
            self._mark_unavailable(f"{self._path} cannot be used ({error}), so nothing is kept in it now.")
            return None
        except _NewerSchemaError:
            self._mark_unavailable(
                f"{self._path} was written by a newer NegoPlatform, so nothing is kept in it now; use the "
                "newer one."
            )
            return None
        # A locked database can still be read, so a successful read does not mean that writing works.
        if not self._unwritten:
            self._mark_available()
        return result

    def _run_with_repair(self, work: Callable[[sqlite3.Connection], T]) -> T:
        if self._connection is None and _is_foreign_file(self._path):
            self._set_aside()
        try:
            return work(self._connect())
        except sqlite3.DatabaseError as error:
            if _code(error) not in _DAMAGED:
                raise
        self._disconnect()
        self._set_aside()
        return work(self._connect())

    def _connect(self) -> sqlite3.Connection:
        # After a failure, further calls do not wait.
        end = time.monotonic() + (0.0 if self._unavailable else OPENING_SECONDS)
        while self._connection is None:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._connection = _open(self._path, 0.0 if self._unavailable else BUSY_SECONDS)
            except sqlite3.OperationalError as error:
                if _code(error) != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                    raise
                time.sleep(0.02)
        return self._connection

    def _disconnect(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _set_aside(self) -> None:
        """Rename a damaged file, unless another program has done so already."""
        if _is_intact(self._path):
            return
        aside = _new_name(self._path)
        # Its companions first: SQLite would take them for those of the new file.
        for suffix in ("-wal", "-shm"):
            companion = self._path.with_name(self._path.name + suffix)
            if companion.exists():
                companion.replace(aside.with_name(aside.name + suffix))
        self._path.replace(aside)
        self._report(
            f"{self._path} was damaged and is called {aside.name} now; a new one is begun, so drafts of "
            "before are not at hand, and whether you trust your own agents is asked once more."
        )

    def _mark_available(self) -> None:
        if self._unavailable and self._connection is not None:
            self._connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
            self._unavailable = False

    def _mark_unavailable(self, sentence: str) -> None:
        self._disconnect()
        if not self._unavailable:
            self._unavailable = True
            self._report(sentence)


def _erase(connection: sqlite3.Connection, keys: Sequence[str]) -> bool:
    connection.execute("PRAGMA secure_delete = ON")
    connection.executemany("DELETE FROM entries WHERE key = ?", [(key,) for key in keys])
    # Deleted texts may still be in the write-ahead log and in free pages.
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    return not busy


def _code(error: sqlite3.Error) -> int:
    """Return the primary code of an error, which extended codes include; 0 if it is not from SQLite."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


class _NewerSchemaError(Exception):
    """The file has tables that this version does not know."""


def _ensure_private(path: Path) -> None:
    """Create a file that only its owner may read; SQLite gives its companions the same mode."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        for file in (path, *(path.with_name(path.name + suffix) for suffix in ("-wal", "-shm"))):
            # Permissions of another user's file are theirs to set.
            with contextlib.suppress(OSError):
                mode = file.stat().st_mode
                if stat.S_ISREG(mode) and mode & 0o077:
                    file.chmod(stat.S_IMODE(mode) & 0o700)


def _open(path: Path, timeout: float) -> sqlite3.Connection:
    _ensure_private(path)
    connection = sqlite3.connect(path, timeout=timeout, isolation_level=None, check_same_thread=False)
    connection.text_factory = lambda raw: raw.decode("utf-8", "replace")
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version > VERSION:
            raise _NewerSchemaError
        connection.execute("PRAGMA journal_mode = WAL")
        # Nothing is synced on the session's thread: data survives the program, but a power cut may lose
        # the last drafts, and the file stays sound.
        connection.execute("PRAGMA synchronous = NORMAL")
        if version < VERSION:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute(
                "CREATE TABLE IF NOT EXISTS entries (key TEXT PRIMARY KEY, value TEXT NOT NULL)"
            )
            connection.execute(f"PRAGMA user_version = {VERSION}")
            connection.execute("COMMIT")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_foreign_file(path: Path) -> bool:
    """Return whether a file is no database. SQLite would find that out too, but delete companion files."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        head = file.read(len(_MAGIC))
    return head != b"" and head != _MAGIC


def _is_intact(path: Path) -> bool:
    if _is_foreign_file(path):
        return False
    try:
        with contextlib.closing(_open(path, BUSY_SECONDS)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone() == ("ok",))
    except sqlite3.DatabaseError as error:
        if _code(error) not in _DAMAGED:
            raise
        return False


def _new_name(path: Path) -> Path:
    """Return an unused name, reserved by an empty file."""
    number = 1
    while True:
        aside = path.with_name(f"{path.name}.damaged-{number}")
        try:
            aside.touch(exist_ok=False)
        except FileExistsError:
            number += 1
        else:
            return aside
