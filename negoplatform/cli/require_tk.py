"""Whether this Python has Tk; some come without."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from negoplatform.domain.errors import NegoError


@contextmanager
def require_tk() -> Iterator[None]:
    """Around the import of a window.

    Raises:
        NegoError: If there is no Tk.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in ("tkinter", "_tkinter"):
            raise
        raise NegoError(
            "This Python has no Tk, so no window can be opened; on Debian and Ubuntu: apt install python3-tk."
        ) from None
    except ImportError as error:
        # A compiled module that the system cannot load: its message names the library that is missing.
        if not (error.path or "").endswith((".so", ".pyd")):
            raise
        raise NegoError(
            f"Tk cannot be loaded, so no window can be opened; the system lacks a part of it ({error})."
        ) from None
