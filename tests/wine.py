"""Whether the tests run under Wine, which lacks some of what Windows has."""

from __future__ import annotations

import ctypes
import sys

RUNS_UNDER_WINE: bool = sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version")
