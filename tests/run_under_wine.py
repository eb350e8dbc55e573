"""Preparation of a run of tests under Wine, where everything takes several times as long."""

from __future__ import annotations

import ctypes
import sys


def prepare() -> None:
    """Start Wine's desktop."""
    if sys.platform == "win32":
        # Wine starts its desktop with the first process that could have a window, and gives it that process's
        # output: a test that reads such output to its end would wait for ever.
        ctypes.windll.user32.GetDesktopWindow()
