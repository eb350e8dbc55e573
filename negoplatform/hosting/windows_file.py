"""Files of Windows that may be moved and deleted while they are open."""

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

    _create_file = ctypes.WinDLL("kernel32", use_last_error=True).CreateFileW
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
