"""Agent that reads memory that no process may read when it is loaded."""

import faulthandler

faulthandler._read_null()  # type: ignore[attr-defined]  # ctypes would catch it on Windows
