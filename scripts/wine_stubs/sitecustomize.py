"""Start of each Python for Windows under Wine: without the module that Wine 8 ends the process for."""

import sys

sys.modules["_wmi"] = None  # type: ignore[assignment]  # platform asks the registry instead
