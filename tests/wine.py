"""Whether these tests run with Python for Windows under Wine."""

from __future__ import annotations

import ctypes
import sys

RUNS_UNDER_WINE: bool
"""Whether this is Wine, which has a function in ntdll that Windows lacks."""

if sys.platform == "win32":
    RUNS_UNDER_WINE = hasattr(ctypes.windll.ntdll, "wine_get_version")
else:
    RUNS_UNDER_WINE = False
