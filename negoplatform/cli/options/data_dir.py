"""The option that names the user's folder: the program's own, and every command's."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from negoplatform.cli.run_context import RunContext

F = TypeVar("F", bound=Callable[..., Any])


def _store_data_dir(ctx: click.Context, _option: click.Parameter, value: Path | None) -> None:
    if value is not None:
        ctx.ensure_object(RunContext).given_data_dir = value


def _resolve_data_dir(ctx: click.Context, option: click.Parameter, value: Path | None) -> Path:
    _store_data_dir(ctx, option, value)
    return ctx.ensure_object(RunContext).data_dir


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


DATA_DIR = _data_dir(callback=_resolve_data_dir)
"""A command's."""

GLOBAL_DATA_DIR = _data_dir(callback=_store_data_dir, expose_value=False)
"""The program's, before a command: that may say it too, so that it is only noted."""
