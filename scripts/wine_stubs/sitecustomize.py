"""Start of each Python for Windows under Wine: without two functions that Wine 8 ends the process for."""

import _winapi
import sys

sys.modules["_wmi"] = None  # type: ignore[assignment]  # platform asks the registry instead
del _winapi.CopyFile2  # shutil copies the bytes instead
