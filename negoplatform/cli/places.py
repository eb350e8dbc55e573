"""Where a run of the program keeps things and shows itself, as the command line says."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import click

from negoplatform.app.folders import user_folder


@dataclass
class Places:
    """Where this run keeps things, and where it is at home; the command line may say otherwise.

    Args:
        data_dir: The user's folder.
        in_window: Whether what was called opens a window.
    """

    data_dir: Path = field(default_factory=lambda: user_folder())
    in_window: bool = False


def _take_data_dir(ctx: click.Context, _option: click.Parameter, value: Path | None) -> Path:
    places = ctx.ensure_object(Places)
    if value is not None:
        places.data_dir = value
    return places.data_dir


DATA_DIR = click.option(
    "--data-dir",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    callback=_take_data_dir,
    is_eager=True,
    help="Where sessions are kept and your own agents and games are looked for. "
    "Default: the system's folder for user data.",
)
