"""Registration of the bundled fonts for this process, before Tk starts."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from negoplatform.plugins.program_and_user_folders import bundled

FAMILY = "Inter"

FONTCONFIG_TEMPLATE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">{system}</include>
  <dir>{fonts}</dir>
</fontconfig>
"""


def register_fonts() -> None:
    """Register the bundled fonts; if that fails, the system's fonts are used."""
    folder = bundled("assets") / "fonts"
    if sys.platform == "win32":
        _register_with_windows(folder)
    elif sys.platform != "darwin":  # macOS takes them from the program's bundle
        with suppress(OSError):
            _register_with_fontconfig(folder)


def _register_with_fontconfig(folder: Path) -> None:
    # One file per user and installation, which keeps fontconfig's cache of it valid.
    name = f"negoplatform-fonts-{os.getuid()}"
    config = Path(tempfile.gettempdir()) / name / "fonts.conf"
    system = os.environ.get("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    if system == str(config) and config.is_file():
        return  # registered before, here or by the parent; a file that includes itself adds nothing
    text = FONTCONFIG_TEMPLATE.format(system=_escape_xml(system), fonts=_escape_xml(str(folder)))
    config.parent.mkdir(mode=0o700, exist_ok=True)
    # lstat, not stat: a link may lead to a folder of this user that is not meant for this file.
    if config.parent.lstat().st_uid != os.getuid():
        return  # another user's folder: its contents cannot be trusted
    content = text.encode("utf-8")
    # Bytes: a partly written file may be no valid text, and is replaced like any other that differs.
    if not config.exists() or config.read_bytes() != content:
        temporary = config.with_name(f"fonts-{os.getpid()}.conf")
        temporary.write_bytes(content)
        temporary.replace(config)
    os.environ["FONTCONFIG_FILE"] = str(config)


def _escape_xml(text: str) -> str:
    """Return text escaped for XML; XML libraries take longer to load than the window takes to open."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _register_with_windows(folder: Path) -> None:
    import ctypes

    private = 0x10
    for file in folder.glob("*.otf"):
        ctypes.windll.gdi32.AddFontResourceExW(str(file), private, 0)  # type: ignore[attr-defined,unused-ignore]
