"""Declaration to Windows, before Tk starts, that the program draws at the screen's own density."""

from __future__ import annotations

import sys

PER_MONITOR = 2


def set_dpi_aware() -> None:
    """Make the process DPI-aware; otherwise Windows draws the window small and enlarges the picture."""
    if sys.platform == "win32":
        import ctypes

        try:
            ctypes.windll.shcore.SetProcessDpiAwareness(PER_MONITOR)
        except (AttributeError, OSError):
            ctypes.windll.user32.SetProcessDPIAware()  # before Windows 8.1
