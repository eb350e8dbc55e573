"""Symbolic links, for tests of what the program does about them."""

from __future__ import annotations

import os

import pytest

needs_links = pytest.mark.skipif(
    os.name == "nt",
    reason="Windows lets administrators alone make symbolic links, and Wine 8 says that it made one",
)
