"""Deletion of everything about one person, which leaves a line with the date and the cell.

What is deleted follows from the logs of the person's visits, so these go last: a deletion that was cut off
can be run again, and finds the rest. The chains of other visits are not touched, because every visit and every
session has its own.

1. Sessions, receipts, crash files; lines of proofs, tables and lists; rows of the store.
2. The line in ``forgotten.csv``, once, by a random number that the visit's folder holds until its end.
3. The visits: each is renamed, so that its name has no code any more, and then deleted.
"""

from __future__ import annotations

import csv
import io
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

from negoplatform.app.session.session_start import SESSIONS
from negoplatform.app.study.collect import DIFFERING, study_roots
from negoplatform.app.study.collection_file import COLLECTION_FILE, read_collection, write_collection
from negoplatform.app.study.study_archive import STUDIES
from negoplatform.app.study.study_data import FORGOTTEN, PLACES, VISITS
from negoplatform.app.support.key_value_store import FILE_NAME, KeyValueStore
from negoplatform.domain.errors import InputFileError, LogWriteError, NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.disk_calls import DISK, LOG_NAME
from negoplatform.eventlog.log_file_io import LogFile, redirect_target
from negoplatform.eventlog.visit_log import VISIT_LOG_NAME
from negoplatform.eventlog.writer import wall_clock
from negoplatform.formats.strict_json import LARGEST_FILE, LOG_LIMITS, parse_json
from negoplatform.study.assignment import withdrawal_code

TOMBSTONE = "forgetting"
"""File in the folder of a visit that is being deleted: the number of its line in ``forgotten.csv``."""

RENAMED = ".forgotten-"
"""Beginning of the name of such a folder at the end."""

FORGOTTEN_PLACE = "forgotten\n"
"""Content of a place whose visit was deleted: it is not given to anybody else."""

LARGEST_SWEPT = 500_000_000
"""Bytes of a file that is searched for a person."""
