"""Session logs: writing, reading, validation and recovery.

``observer_export``, ``replay`` and ``damaged_log_salvage`` are imported from their modules.
"""

from negoplatform.eventlog.disk_calls import DISK, LOG_NAME, MOVED_NAME, Disk, is_owned_by_user, open_regular
from negoplatform.eventlog.failover import (
    FailoverLog,
    LogRelocation,
    check_free_space,
    original_name,
    relocated_names,
)
from negoplatform.eventlog.file_lock import is_being_written
from negoplatform.eventlog.hash_chain import RollingHash
from negoplatform.eventlog.log_file_io import LogRedirect, read_redirect, redirect_target
from negoplatform.eventlog.reader import (
    LONGEST_HEADER,
    SessionLog,
    ValidPrefix,
    log_file,
    read_log,
    read_sound_part,
    read_whole_part,
)
from negoplatform.eventlog.recovery import RecoveredLog, recover
from negoplatform.eventlog.rules_validator import LogValidator
from negoplatform.eventlog.writer import EventSink, LogWriter, NoLog, wall_clock

__all__ = [
    "DISK",
    "LOG_NAME",
    "LONGEST_HEADER",
    "MOVED_NAME",
    "Disk",
    "EventSink",
    "FailoverLog",
    "LogRedirect",
    "LogRelocation",
    "LogValidator",
    "LogWriter",
    "NoLog",
    "RecoveredLog",
    "RollingHash",
    "SessionLog",
    "ValidPrefix",
    "check_free_space",
    "is_being_written",
    "is_owned_by_user",
    "log_file",
    "open_regular",
    "original_name",
    "read_log",
    "read_redirect",
    "read_sound_part",
    "read_whole_part",
    "recover",
    "redirect_target",
    "relocated_names",
    "wall_clock",
]
