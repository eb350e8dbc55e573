"""File names that Windows gives another meaning: files made elsewhere have to open there."""

from __future__ import annotations

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"}
)


def is_device_name(name: str) -> bool:
    """Return whether Windows takes a file's or a folder's name for a device: NUL, ``aux.txt``, com1."""
    return name.partition(".")[0].rstrip(" ").lower() in _DEVICES


def is_portable(name: str) -> bool:
    """Return whether Windows can have a file or a folder of this name, and keeps the name as it is."""
    return not (
        is_device_name(name)
        or name.endswith((".", " "))
        or any(sign in '<>:"/\\|?*' or ord(sign) < 32 for sign in name)
    )
