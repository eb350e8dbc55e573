"""Asking for a file: which log to look at, and where a picture goes."""

from __future__ import annotations

from pathlib import Path
from tkinter import filedialog

from negoplatform.gui.replay.image_export import FILE_EXTENSIONS
from negoplatform.gui.replay.session_analysis import FigureKind
from negoplatform.gui.theming.theme import Theme


def choose_log_file(theme: Theme, folder: Path) -> Path | None:
    """The log that somebody wants to see, from a folder of sessions; None if they think better of it."""
    translate = theme.translate
    name = filedialog.askopenfilename(
        parent=theme.root,
        title=translate("Open a log"),
        initialdir=str(folder) if folder.is_dir() else None,
        filetypes=[(translate("Session logs"), "*.jsonl"), (translate("All files"), "*")],
    )
    return Path(name) if name else None


def choose_picture_file(theme: Theme, which: FigureKind) -> Path | None:
    """Where a picture goes; an existing file is asked about by the dialog itself."""
    name = filedialog.asksaveasfilename(
        parent=theme.root,
        title=theme.translate("Save picture"),
        initialfile=f"{which.value}{FILE_EXTENSIONS[0]}",
        defaultextension=FILE_EXTENSIONS[0],
        filetypes=[("PNG", "*.png"), ("SVG", "*.svg")],
    )
    return Path(name) if name else None
