"""Child process together with everything that it started, ended at once."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys

if sys.platform == "win32":
    from negoplatform.hosting.processes.windows_job import WindowsJob


class ProcessGroup:
    """Child process, the leader of a new session, with all processes that it started.

    On Windows it is a job, which ends with the program even if that is terminated. Where the system refuses a
    job, only the process itself is ended.

    Args:
        process: The process. It has to wait for a line before it starts other processes: on Windows it joins
            the job here, and what it had started before would not be in it.
    """

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        if sys.platform == "win32":
            self._job: WindowsJob | None = None
            with contextlib.suppress(OSError):
                self._job = WindowsJob.with_process(process.pid)

    def kill(self) -> None:
        """End all processes; on POSIX systems only while the process has not been reaped.

        Its number may be another's afterwards.
        """
        if sys.platform == "win32":
            if self._job is not None:
                self._job.terminate()
            with contextlib.suppress(OSError):
                self._process.kill()
        else:
            # On some systems a group of processes that have all ended may not be signalled.
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)

    def close(self) -> None:
        """Release what the system holds for the group."""
        if sys.platform == "win32" and self._job is not None:
            self._job.close()
