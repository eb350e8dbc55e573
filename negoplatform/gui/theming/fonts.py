"""The window's own typeface, made known to the system for this program alone; before Tk starts."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from negoplatform.plugins.paths import bundled

FAMILY = "Inter"

FONTCONFIG_TEMPLATE = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">{system}</include>
  <dir>{fonts}</dir>
</fontconfig>
"""


def register_fonts() -> None:
    """Adds the bundled fonts; where that does not work, the system's own are used."""
    folder = bundled("assets") / "fonts"
    if sys.platform == "win32":
        _register_with_windows(folder)
    elif sys.platform != "darwin":  # macOS takes them from the program's bundle
        with suppress(OSError):
            _register_with_fontconfig(folder)


def _register_with_fontconfig(folder: Path) -> None:
    # One file per user and installation, so that fontconfig's cache of it stays good.
    name = f"negoplatform-fonts-{os.getuid()}"
    place = Path(tempfile.gettempdir()) / name / "fonts.conf"
    system = os.environ.get("FONTCONFIG_FILE", "/etc/fonts/fonts.conf")
    if system == str(place) and place.is_file():
        return  # offered before, here or by who started this: a file that includes itself offers nothing else
    text = FONTCONFIG_TEMPLATE.format(system=_escape_xml(system), fonts=_escape_xml(str(folder)))
    place.parent.mkdir(mode=0o700, exist_ok=True)
    # Not what a link leads to: that may well be ours, and not meant to be written in.
    if place.parent.lstat().st_uid != os.getuid():
        return  # somebody else's folder: what stands in it is not ours to trust
    wanted = text.encode("utf-8")
    # Bytes: a torn file is no text, and is written anew like any other that is not as wanted.
    if not place.exists() or place.read_bytes() != wanted:
        unfinished = place.with_name(f"fonts-{os.getpid()}.conf")
        unfinished.write_bytes(wanted)
        unfinished.replace(place)
    os.environ["FONTCONFIG_FILE"] = str(place)


def _escape_xml(text: str) -> str:
    """Text as XML has it; the libraries for it take longer to load than the window to open."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _register_with_windows(folder: Path) -> None:
    import ctypes

    private = 0x10
    for file in folder.glob("*.otf"):
        ctypes.windll.gdi32.AddFontResourceExW(str(file), private, 0)  # type: ignore[attr-defined,unused-ignore]
