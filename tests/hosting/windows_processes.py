"""Processes of Windows, as tests look at them."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    from ctypes import wintypes

    PROCESS_SUSPEND_RESUME, QUERY_LIMITED_INFORMATION, SYNCHRONIZE = 0x800, 0x1000, 0x100000
    SNAPSHOT_OF_PROCESSES = 0x2
    WAIT_TIMEOUT = 0x102

    class _ProcessEntry(ctypes.Structure):
        _fields_ = (
            ("size", wintypes.DWORD),
            ("usage", wintypes.DWORD),
            ("pid", wintypes.DWORD),
            ("heap", ctypes.c_size_t),
            ("module", wintypes.DWORD),
            ("threads", wintypes.DWORD),
            ("parent", wintypes.DWORD),
            ("base_priority", wintypes.LONG),
            ("flags", wintypes.DWORD),
            ("file", wintypes.WCHAR * 260),
        )

    _kernel, _ntdll = ctypes.WinDLL("kernel32"), ctypes.WinDLL("ntdll")
    _kernel.OpenProcess.restype = _kernel.CreateToolhelp32Snapshot.restype = wintypes.HANDLE
    for _function in (_kernel.Process32FirstW, _kernel.Process32NextW):
        _function.argtypes = (wintypes.HANDLE, ctypes.c_void_p)
    for _function in (_kernel.CloseHandle, _kernel.GetPriorityClass, _ntdll.NtSuspendProcess):
        _function.argtypes = (wintypes.HANDLE,)
    _kernel.WaitForSingleObject.argtypes = (wintypes.HANDLE, wintypes.DWORD)
    _kernel.GetProcessTimes.argtypes = (wintypes.HANDLE, *[ctypes.POINTER(wintypes.FILETIME)] * 4)

    def has_ended(pid: int) -> bool:
        """Return whether no process with this number runs."""
        process = _kernel.OpenProcess(SYNCHRONIZE, False, pid)
        if not process:
            return True
        try:
            return bool(_kernel.WaitForSingleObject(process, 0) != WAIT_TIMEOUT)
        finally:
            _kernel.CloseHandle(process)

    def suspend(pid: int) -> None:
        """Halt a process: it neither reads nor ends."""
        process = _kernel.OpenProcess(PROCESS_SUSPEND_RESUME, False, pid)
        assert _ntdll.NtSuspendProcess(process) == 0
        _kernel.CloseHandle(process)

    def priority_class(pid: int) -> int:
        """Return the priority class of a process."""
        process = _kernel.OpenProcess(QUERY_LIMITED_INFORMATION, False, pid)
        try:
            return int(_kernel.GetPriorityClass(process))
        finally:
            _kernel.CloseHandle(process)

    def started_by(pid: int) -> list[int]:
        """Return a process, and those that it and they have started, as far as they run.

        Consoles are left out: the system starts one for each process, and ends it. So is a process that is
        older than its parent: that number was another process's when it was started.
        """
        family, grown = {pid}, True
        parents = _parents()
        while grown:
            grown = False
            for one, parent in parents.items():
                if parent in family and one not in family and not _is_older(one, parent):
                    family.add(one)
                    grown = True
        return sorted(one for one in family if not has_ended(one))

    def _is_older(one: int, other: int) -> bool:
        """Return whether one process was created before another; False if either cannot be asked."""
        times = [_creation_time(pid) for pid in (one, other)]
        return all(times) and times[0] < times[1]

    def _creation_time(pid: int) -> int:
        """Return when a process was created, in units of 100 ns; 0 if it cannot be asked."""
        process = _kernel.OpenProcess(QUERY_LIMITED_INFORMATION, False, pid)
        if not process:
            return 0
        created, *others = [wintypes.FILETIME() for _ in range(4)]
        _kernel.GetProcessTimes(process, *map(ctypes.byref, (created, *others)))  # leaves 0 if it fails
        _kernel.CloseHandle(process)
        return int(created.dwHighDateTime << 32 | created.dwLowDateTime)

    def _parents() -> dict[int, int]:
        snapshot = _kernel.CreateToolhelp32Snapshot(SNAPSHOT_OF_PROCESSES, 0)
        entry = _ProcessEntry(size=ctypes.sizeof(_ProcessEntry))
        found = {}
        more = _kernel.Process32FirstW(snapshot, ctypes.byref(entry))
        while more:
            if entry.file.lower() != "conhost.exe":
                found[entry.pid] = entry.parent
            more = _kernel.Process32NextW(snapshot, ctypes.byref(entry))
        _kernel.CloseHandle(snapshot)
        return found
