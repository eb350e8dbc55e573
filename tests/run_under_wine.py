"""Preparation of a run of tests under Wine, where everything takes several times as long."""

from __future__ import annotations

import ctypes
import sys

from hypothesis import HealthCheck, settings


def prepare() -> None:
    """Start Wine's desktop, and lift limits of time that are not what the tests are about."""
    if sys.platform == "win32":
        # Wine starts its desktop with the first process that could have a window, and gives it that process's
        # output: a test that reads such output to its end would wait for ever.
        ctypes.windll.user32.GetDesktopWindow()
    settings.register_profile("wine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("wine")
