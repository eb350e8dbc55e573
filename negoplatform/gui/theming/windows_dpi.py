"""Tells Windows, before Tk starts, that this program draws at the screen's own density."""

from __future__ import annotations

import sys

PER_MONITOR = 2


def set_dpi_aware() -> None:
    """Without it Windows draws the window small and blows the picture up."""
    if sys.platform == "win32":
        import ctypes

        try:
            ctypes.windll.shcore.SetProcessDpiAwareness(PER_MONITOR)
        except (AttributeError, OSError):
            ctypes.windll.user32.SetProcessDPIAware()  # before Windows 8.1
