"""Job objects of Windows: processes that end together, and limits for them.

Every process that one in a job starts is in the job as well, since no job here lets a process leave it. An
agent's process is in two nested jobs: one of the program, which ends it, and one of its own, which limits it.
"""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes
    from threading import Lock

    ACTIVE_PROCESS_LIMIT = 0x8
    JOB_MEMORY_LIMIT = 0x200
    PROCESS_TIME_LIMIT = 0x2
    DIE_ON_UNHANDLED_EXCEPTION = 0x400
    """No window of the system about a program that crashed: it would be in front of the participant."""
    KILL_ON_JOB_CLOSE = 0x2000

    EXTENDED_LIMIT_INFORMATION = 9
    PROCESS_TERMINATE, PROCESS_SET_QUOTA = 0x1, 0x100
    BELOW_NORMAL_PRIORITY_CLASS = 0x4000

    TERMINATED = 1
    """Exit code of processes that are ended; the same as that of ``Popen.kill``."""

    TICKS_PER_SECOND = 10_000_000

    class _BasicLimits(ctypes.Structure):
        _fields_ = (
            ("per_process_user_time", ctypes.c_int64),
            ("per_job_user_time", ctypes.c_int64),
            ("flags", wintypes.DWORD),
            ("minimum_working_set", ctypes.c_size_t),
            ("maximum_working_set", ctypes.c_size_t),
            ("active_processes", wintypes.DWORD),
            ("affinity", ctypes.c_size_t),
            ("priority_class", wintypes.DWORD),
            ("scheduling_class", wintypes.DWORD),
        )

    class _ExtendedLimits(ctypes.Structure):
        _fields_ = (
            ("basic", _BasicLimits),
            ("io_counters", ctypes.c_uint64 * 6),
            ("process_memory", ctypes.c_size_t),
            ("job_memory", ctypes.c_size_t),
            ("peak_process_memory", ctypes.c_size_t),
            ("peak_job_memory", ctypes.c_size_t),
        )

    class _MemoryCounters(ctypes.Structure):
        _fields_ = (
            ("size", wintypes.DWORD),
            ("page_faults", wintypes.DWORD),
            ("others", ctypes.c_size_t * 8),
            ("private_bytes", ctypes.c_size_t),
        )

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _HANDLE, _BOOL, _DWORD = wintypes.HANDLE, wintypes.BOOL, wintypes.DWORD
    for _name, _result, _arguments in (
        ("CreateJobObjectW", _HANDLE, (ctypes.c_void_p, wintypes.LPCWSTR)),
        ("SetInformationJobObject", _BOOL, (_HANDLE, ctypes.c_int, ctypes.c_void_p, _DWORD)),
        ("AssignProcessToJobObject", _BOOL, (_HANDLE, _HANDLE)),
        ("TerminateJobObject", _BOOL, (_HANDLE, wintypes.UINT)),
        ("OpenProcess", _HANDLE, (_DWORD, _BOOL, _DWORD)),
        ("GetCurrentProcess", _HANDLE, ()),
        ("CloseHandle", _BOOL, (_HANDLE,)),
        ("K32GetProcessMemoryInfo", _BOOL, (_HANDLE, ctypes.c_void_p, _DWORD)),
        ("SetPriorityClass", _BOOL, (_HANDLE, _DWORD)),
    ):
        _function = getattr(_kernel, _name)
        _function.restype, _function.argtypes = _result, _arguments

    class WindowsJob:
        """Job that ends when it is terminated or closed, and when the program ends, however it does."""

        def __init__(self, handle: int) -> None:
            self._handle: int | None = handle
            self._lock = Lock()

        @classmethod
        def with_process(cls, pid: int) -> WindowsJob:
            """Return a job with a running process, which has not started others yet.

            Args:
                pid: The process; the caller holds it, so that the number is not another's.

            Raises:
                OSError: If the system refuses it.
            """
            limits = _ExtendedLimits()
            limits.basic.flags = KILL_ON_JOB_CLOSE | DIE_ON_UNHANDLED_EXCEPTION
            job = _create_job(limits)
            try:
                process = _checked(_kernel.OpenProcess(PROCESS_TERMINATE | PROCESS_SET_QUOTA, False, pid))
                try:
                    _checked(_kernel.AssignProcessToJobObject(job, process))
                finally:
                    _kernel.CloseHandle(process)
            except BaseException:
                _kernel.CloseHandle(job)
                raise
            return cls(job)

        def terminate(self) -> None:
            """End all its processes; from any thread, and more than once."""
            with self._lock:
                if self._handle is not None:
                    _kernel.TerminateJobObject(self._handle, TERMINATED)

        def close(self) -> None:
            """Release the job, which ends the processes that are left."""
            with self._lock:
                if self._handle is not None:
                    _kernel.CloseHandle(self._handle)
                self._handle = None

    def limit_this_process(*, memory: int, user_seconds: int, processes: int) -> None:
        """Limit this process, and what it starts, for good.

        Args:
            memory: Bytes beyond the present ones, for all processes together.
            user_seconds: Seconds of processor time of each process, outside the system.
            processes: Processes that run at the same time, this one included.

        Raises:
            OSError: If the system refuses it.
        """
        limits = _ExtendedLimits()
        limits.basic.flags = JOB_MEMORY_LIMIT | PROCESS_TIME_LIMIT | ACTIVE_PROCESS_LIMIT
        limits.basic.per_process_user_time = user_seconds * TICKS_PER_SECOND
        limits.basic.active_processes = processes
        limits.job_memory = _private_bytes() + memory
        job = _create_job(limits)
        try:
            _checked(_kernel.AssignProcessToJobObject(job, _kernel.GetCurrentProcess()))
        finally:
            # The limits stay as long as a process is in the job; without a handle nobody can change them.
            _kernel.CloseHandle(job)

    def lower_own_priority() -> None:
        """Let processes of normal priority go first; what this process starts has its priority."""
        _kernel.SetPriorityClass(_kernel.GetCurrentProcess(), BELOW_NORMAL_PRIORITY_CLASS)

    def _create_job(limits: _ExtendedLimits) -> int:
        job = _checked(_kernel.CreateJobObjectW(None, None))
        try:
            _checked(
                _kernel.SetInformationJobObject(
                    job, EXTENDED_LIMIT_INFORMATION, ctypes.byref(limits), ctypes.sizeof(limits)
                )
            )
        except OSError:
            _kernel.CloseHandle(job)
            raise
        return job

    def _private_bytes() -> int:
        """Return the memory of this process that no other one shares, in bytes."""
        counters = _MemoryCounters(size=ctypes.sizeof(_MemoryCounters))
        _checked(
            _kernel.K32GetProcessMemoryInfo(
                _kernel.GetCurrentProcess(), ctypes.byref(counters), counters.size
            )
        )
        return int(counters.private_bytes)

    def _checked(result: int | None) -> int:
        if not result:
            raise ctypes.WinError(ctypes.get_last_error())
        return result
