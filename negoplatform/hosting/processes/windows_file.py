"""Files of Windows that may be moved while they are open, and the standard handles of a process."""

from __future__ import annotations

import sys

if sys.platform == "win32":
    import ctypes
    import errno
    import msvcrt
    import os
    import stat
    from ctypes import wintypes

    FILE_APPEND_DATA, FILE_READ_ATTRIBUTES, SYNCHRONIZE = 0x4, 0x80, 0x100000
    SHARE_ALL = 0x7
    """Others may read, write, and move or delete the file; what Python opens may not be moved."""
    OPEN_ALWAYS = 4
    FILE_ATTRIBUTE_NORMAL, FILE_FLAG_OPEN_REPARSE_POINT = 0x80, 0x200000
    INVALID_HANDLE = ctypes.c_void_p(-1).value

    STANDARD_HANDLES = (-10, -11, -12)
    """Numbers of the handles of stdin, stdout and stderr."""

    _kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    _kernel.SetStdHandle.argtypes = (wintypes.DWORD, wintypes.HANDLE)
    _create_file = _kernel.CreateFileW
    _create_file.restype = wintypes.HANDLE
    _create_file.argtypes = (
        *(wintypes.LPCWSTR, wintypes.DWORD, wintypes.DWORD, ctypes.c_void_p),
        *(wintypes.DWORD, wintypes.DWORD, wintypes.HANDLE),
    )

    def open_to_append(path: str) -> int:
        """Return a descriptor of a file that may be moved meanwhile; a link is not followed.

        Raises:
            OSError: If it cannot be opened.
        """
        access = FILE_APPEND_DATA | FILE_READ_ATTRIBUTES | SYNCHRONIZE
        flags = FILE_ATTRIBUTE_NORMAL | FILE_FLAG_OPEN_REPARSE_POINT
        handle = _create_file(path, access, SHARE_ALL, None, OPEN_ALWAYS, flags, None)
        if handle == INVALID_HANDLE:
            raise ctypes.WinError(ctypes.get_last_error())
        file = msvcrt.open_osfhandle(handle, os.O_WRONLY | os.O_APPEND | os.O_BINARY)
        if os.fstat(file).st_file_attributes & stat.FILE_ATTRIBUTE_REPARSE_POINT:
            os.close(file)
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), path)
        return file

    def give_standard_handles() -> None:
        """Give programs that this process starts its descriptors 0, 1 and 2.

        The C library does so by itself in programs for the console, but not in those with windows, such as
        the packaged program: they would keep the handles of earlier descriptors, which are closed.
        """
        for descriptor, number in enumerate(STANDARD_HANDLES):
            _kernel.SetStdHandle(number & 0xFFFFFFFF, msvcrt.get_osfhandle(descriptor))
