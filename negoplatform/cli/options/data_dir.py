"""Option for the user's folder, of the program and of every command."""

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
        help="Folder for sessions and for your own agents and games. "
        "Default: the system's folder for user data.",
        **how,
    )


DATA_DIR = _data_dir(callback=_resolve_data_dir)
"""Option of a command."""

GLOBAL_DATA_DIR = _data_dir(callback=_store_data_dir, expose_value=False)
"""Option of the program, before a command. Only stores the value: the command may have the option too."""
