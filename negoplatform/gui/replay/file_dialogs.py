"""File dialogs: the log to open, and where to save a picture."""

from __future__ import annotations

from pathlib import Path
from tkinter import filedialog

from negoplatform.gui.replay.image_export import FILE_EXTENSIONS
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.gui.theming.theme import Theme


def choose_log_file(theme: Theme, folder: Path) -> Path | None:
    """Ask for a log, starting in a folder of sessions; return None if the dialog is cancelled."""
    translate = theme.translate
    name = filedialog.askopenfilename(
        parent=theme.root,
        title=translate("Open a log"),
        initialdir=str(folder) if folder.is_dir() else None,
        filetypes=[(translate("Session logs"), "*.jsonl"), (translate("All files"), "*")],
    )
    return Path(name) if name else None


def choose_picture_file(theme: Theme, which: FigureKind) -> Path | None:
    """Ask where to save a picture; the dialog itself confirms replacing a file."""
    name = filedialog.asksaveasfilename(
        parent=theme.root,
        title=theme.translate("Save picture"),
        initialfile=f"{which.value}{FILE_EXTENSIONS[0]}",
        defaultextension=FILE_EXTENSIONS[0],
        filetypes=[("PNG", "*.png"), ("SVG", "*.svg")],
    )
    return Path(name) if name else None
