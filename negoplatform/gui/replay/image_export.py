"""Export of plots and transcripts of a recorded session: PNG for slides, SVG for papers. No window."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.gui.plots.plot_drawing_builder import PlotStyle
from negoplatform.gui.plots.plot_image import to_image
from negoplatform.gui.replay.parts_of_mechanisms import replay_parts
from negoplatform.gui.replay.recorded_session import FigureKind
from negoplatform.presentation.color_palette import PALETTES
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.drawing import Drawing
from negoplatform.presentation.plots.svg import to_svg
from negoplatform.presentation.replay.open_log import open_playback
from negoplatform.presentation.replay.replay_presenter import damage_text
from negoplatform.presentation.replay.seat_occupant_names import participants_of

EXPORT_SCALE = 2.0
"""Pixels of a PNG per pixel at 96 dpi: sharp on style and on a projector."""

MOST_PIXELS = 16_000
"""Maximum height of a PNG; a longer picture can be saved as SVG."""

FILE_EXTENSIONS = (".png", ".svg")


SIZE = (720.0, 460.0)
"""Size of an exported plot, in pixels at 96 dpi."""


def export_picture(
    log: Path, data_dir: Path, which: str, file: Path, *, appearance_overrides: Mapping[str, Any]
) -> list[str]:
    """Write a picture of a log to a new file and return the sentences to print.

    Args:
        log: A log, or a session's folder.
        data_dir: The user's folder, which may contain the game.
        which: A value of :class:`FigureKind`.
        file: The new file.
        appearance_overrides: The theme and the language, where they differ from the default.

    Raises:
        NegoError: If the path is not a log, or the picture cannot be drawn or written.
    """
    translate = Language.load(appearance_overrides.get("language", "en"))
    style = PlotStyle(PALETTES[appearance_overrides.get("theme", "light")], translate, *SIZE)
    playback = open_playback(log, data_dir)
    parts = replay_parts(playback, participants_of(playback.header, translate))
    save_picture(parts.export_drawing(FigureKind(which), style), file, translate)
    messages = [translate("The picture was saved as {file}.", file=file)]
    return [damage_text(playback, translate), *messages] if playback.problem is not None else messages


def save_picture(drawing: Drawing, path: Path, translate: Language, *, replace: bool = False) -> None:
    """Write a drawing in the format of the file's extension.

    Args:
        drawing: The drawing.
        path: A name that ends in ``.png`` or ``.svg``.
        translate: The language of error messages.
        replace: Whether an existing file is replaced.

    Raises:
        NegoError: If the extension is another one, or the file cannot be written.
    """
    ending = path.suffix.lower()
    if ending == ".svg":
        data = to_svg(drawing).encode("utf-8")
    elif ending == ".png":
        if drawing.height * EXPORT_SCALE > MOST_PIXELS:
            raise NegoError(translate("This picture is too long for a PNG; save it as an SVG."))
        into = BytesIO()
        to_image(drawing, EXPORT_SCALE).save(into, "PNG", optimize=True)
        data = into.getvalue()
    else:
        raise NegoError(
            translate("A picture’s file name must end in .png or .svg; {name} doesn’t.", name=path.name)
        )
    # Private: like the log, the picture may show both sides' preferences.
    atomic_write(path, data, private=True, replace=replace)
