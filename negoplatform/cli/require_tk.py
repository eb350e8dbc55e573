"""Check for Tk, which some Python installations lack."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from negoplatform.domain.errors import NegoError


@contextmanager
def require_tk() -> Iterator[None]:
    """Wrap the import of a window, to report a missing Tk.

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
        # A compiled module that the system cannot load: its message names the missing library.
        if not (error.path or "").endswith((".so", ".pyd")):
            raise
        raise NegoError(
            f"Tk cannot be loaded, so no window can be opened; the system lacks a part of it ({error})."
        ) from None
