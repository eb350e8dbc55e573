"""Agent that reads memory that no process may read when it is loaded."""

import ctypes

ctypes.string_at(0)
