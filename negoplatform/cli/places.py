"""Where a run of the program keeps things and shows itself, as the command line says."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from negoplatform.app.folders import user_folder
from negoplatform.domain.errors import NegoError

F = TypeVar("F", bound=Callable[..., Any])


@dataclass
class Places:
    """Where this run keeps things, and where it is at home.

    Args:
        said: The user's folder as the command line says it; None: it does not.
        in_window: Whether what was called opens a window.
    """

    said: Path | None = None
    in_window: bool = False

    @property
    def data_dir(self) -> Path:
        """The user's folder. Looked for when it is needed: who says another one may have no home.

        Raises:
            NegoError: If nobody said one, and this user has no home.
        """
        return user_folder() if self.said is None else self.said

    @property
    def data_dir_if_any(self) -> Path | None:
        """The same; None if there is none."""
        try:
            return self.data_dir
        except NegoError:
            return None


def _note_data_dir(ctx: click.Context, _option: click.Parameter, value: Path | None) -> None:
    if value is not None:
        ctx.ensure_object(Places).said = value


def _take_data_dir(ctx: click.Context, option: click.Parameter, value: Path | None) -> Path:
    _note_data_dir(ctx, option, value)
    return ctx.ensure_object(Places).data_dir


def _data_dir(**how: Any) -> Callable[[F], F]:
    return click.option(
        "--data-dir",
        type=click.Path(path_type=Path, file_okay=False),
        default=None,
        is_eager=True,
        help="Where sessions are kept and your own agents and games are looked for. "
        "Default: the system's folder for user data.",
        **how,
    )


DATA_DIR = _data_dir(callback=_take_data_dir)
"""A command's."""

DATA_DIR_BEFORE = _data_dir(callback=_note_data_dir, expose_value=False)
"""The program's, before a command: that may say it too, so that it is only noted."""
