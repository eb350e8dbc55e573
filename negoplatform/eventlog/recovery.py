"""Recovery of a log after a crash: a cut-off last line is set aside, and no other byte is changed."""

from __future__ import annotations

import contextlib
import os
from dataclasses import dataclass
from io import BytesIO
from itertools import count
from pathlib import Path

from negoplatform.domain.errors import InputFileError, LogWriteError
from negoplatform.eventlog.disk_calls import MOVED_NAME, Disk
from negoplatform.eventlog.held_files import retry_while_held
from negoplatform.eventlog.log_file_io import LogFile
from negoplatform.eventlog.reader import ValidPrefix, log_file, scan


@dataclass(frozen=True, slots=True)
class RecoveredLog:
    """A log that can be continued.

    Args:
        file: The file, open and locked; it ends with its last complete line.
        part: Its content.
        torn_file: The file with the cut-off end of the log; None if it had none.
    """

    file: LogFile
    part: ValidPrefix
    torn_file: Path | None


def recover(path: Path, *, disk: Disk) -> RecoveredLog:
    """Open a complete log for continuing it.

    Bytes behind the last complete line are copied to a new file in the same folder, and are on the disk there
    before they are cut off here.

    Raises:
        InputFileError: If the log is damaged inside, is not a complete one, or was moved; then it is not
            changed.
        LogWriteError: If it is being written, or cannot be.
    """
    path = log_file(path)
    _check_not_moved(path)
    file = LogFile.open(path, disk=disk)
    try:
        # Checked again: the program that had the lock may meanwhile have moved the log elsewhere.
        _check_not_moved(path)
        part = _read_prefix(file)
        torn_file = None
        if part.torn_bytes:
            torn_file = save_torn_end(file.contents(part.length), path, disk)
            file.truncate(part.length)
        return RecoveredLog(file, part, torn_file)
    except BaseException:
        file.close()
        raise


def _check_not_moved(path: Path) -> None:
    if path.with_name(MOVED_NAME).exists():
        # Two programs must not continue the same session in different ways.
        raise InputFileError(path, "", f"the log goes on elsewhere; {MOVED_NAME} beside it says where")


def _read_prefix(file: LogFile) -> ValidPrefix:
    part = scan(BytesIO(file.contents()), file.path)
    if part.problem is not None:
        raise part.problem
    if part.header.view != "complete":
        raise InputFileError(
            file.path, "", f"this is what {part.header.view} may see of a log; use the complete one"
        )
    return part


def save_torn_end(torn: bytes, log: Path, disk: Disk) -> Path:
    """Save bytes in a new file in the log's folder; they are on the disk on return.

    Raises:
        LogWriteError: If they cannot be saved.
    """
    for number in count(1):
        path = log.with_name(f"{log.name}.torn-{number}")
        try:
            file = disk.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        except FileExistsError:
            continue
        except OSError as error:
            raise _save_error(path, error) from error
        try:
            _write_and_close(file, torn, disk)
            disk.sync_folder(path.parent)
        except OSError as error:
            with contextlib.suppress(OSError):
                retry_while_held(path.unlink)
            raise _save_error(path, error) from error
        return path
    raise AssertionError("count() has no end")


def _write_and_close(file: int, data: bytes, disk: Disk) -> None:
    """Write bytes to an open file, and close it whatever happens: Windows deletes no open file."""
    try:
        while data:
            data = data[disk.write(file, data) :]
        disk.fsync(file)
    finally:
        os.close(file)


def _save_error(path: Path, error: OSError) -> LogWriteError:
    return LogWriteError(
        f"The cut-off end of the log cannot be kept in {path} ({error.strerror}), so nothing was changed."
    )
