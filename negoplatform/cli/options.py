"""Options that several commands share: the window's appearance, the user's folder, a seat's profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from negoplatform.cli.run_context import RunContext
from negoplatform.domain.assistant_settings import parse_assistant
from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART
from negoplatform.domain.errors import NegoError
from negoplatform.domain.expression import Expression
from negoplatform.domain.game import MOST_OFFERS
from negoplatform.domain.seat_map import Seat

F = TypeVar("F", bound=Callable[..., Any])

COUNTERPART_NAMES = ("mood", "mood_intensity", "face_seconds", "pace")

APPEARANCE_NAMES = ("theme", "text_size", "language", "full_screen", "reduce_motion")

THEMES = ("light", "dark", "high-contrast")

TEXT_SIZE_CHOICES = ("85", "100", "115", "130", "150", "175", "200")
"""Text sizes in per cent that the settings in the window offer too."""

LANGUAGES = ("en", "de", "he")


def DEADLINE_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add ``--time-limit`` and ``--deadline-offers``."""
    for option in (
        click.option(
            "--deadline-offers",
            type=click.IntRange(1, MOST_OFFERS),
            default=None,
            help="Number of offers, of all seats together, after which no further one can be made. "
            "Default: set by the game.",
        ),
        click.option(
            "--time-limit",
            type=float,
            default=None,
            help="Seconds until the deadline. Default: set by the game.",
        ),
    ):
        command = option(command)
    return command


def APPEARANCE_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add ``--theme``, ``--text-size`` and so on; :func:`pop_appearance_options` removes them again."""
    for option in (
        click.option(
            "--reset-appearance",
            is_flag=True,
            help="Restore the default appearance and forget the experimenter's code.",
        ),
        click.option("--reduce-motion", is_flag=True, help="No animations; for this run only."),
        click.option("--full-screen", is_flag=True, help="Run sessions in full screen; for this run only."),
        click.option(
            "--language", type=click.Choice(LANGUAGES), help="Language of the window; for this run only."
        ),
        click.option(
            "--text-size",
            type=click.Choice(TEXT_SIZE_CHOICES),
            help="Text size in per cent, limited by the size of the screen; for this run only.",
        ),
        click.option("--theme", type=click.Choice(THEMES), help="Colour theme; for this run only."),
    ):
        command = option(command)
    return command


def pop_appearance_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Remove the appearance options from the parsed arguments and return those that were given."""
    given = {name: chosen.pop(name) for name in APPEARANCE_NAMES}
    found = {name: value for name, value in given.items() if value}
    if "theme" in found:
        found["theme"] = found["theme"].replace("-", "_")
    if "text_size" in found:
        found["text_size"] = int(found["text_size"]) / 100
    return found


def COUNTERPART_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add ``--mood``, ``--pace`` and so on; :func:`pop_counterpart_options` removes them again."""
    for option in (
        click.option(
            "--pace",
            type=float,
            help="Factor for all agents' delays, 0.25 to 4; 2 is half as fast. "
            "Default: set by the game, or 1.",
        ),
        click.option(
            "--face-seconds",
            type=float,
            help="Seconds for which each expression of an agent is shown, 0.1 to 600. "
            "Default: set by the game, or as long as the agent says.",
        ),
        click.option(
            "--mood-intensity",
            type=float,
            help="How strongly the mood shows, 0 to 1. Default: set by the game, or 0.5.",
        ),
        click.option(
            "--mood",
            type=click.Choice([expression.value.lower() for expression in Expression]),
            help="Expression of an agent's face while it shows no other. "
            "Default: set by the game, or neutral.",
        ),
    ):
        command = option(command)
    return command


def _assistants(
    ctx: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...] | None:
    for text in given:
        try:
            parse_assistant(text)
        except NegoError as error:
            raise click.BadParameter(str(error), ctx, option) from None
    return given or None


def ASSISTANT_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add ``--assistant``, as ``assistants``, and ``--coach``."""
    options = (
        click.option(
            "--assistant",
            "assistants",
            multiple=True,
            metavar="NAME[=PLUGIN]",
            callback=_assistants,
            help="An assistant, which reads a seat's view and proposes changes of the record: agenda, "
            "insights, debrief, or a plug-in, with its settings in PLUGIN@settings.json; repeatable. "
            "Default: those of the game.",
        ),
        click.option(
            "--coach",
            is_flag=True,
            help="Show the participant an agenda of what is still open. Default: set by the game.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def pop_counterpart_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Remove the options for mood and pace from the parsed arguments and return those that were given.

    Raises:
        NegoError: If a value is out of its range.
    """
    given = {name: chosen.pop(name) for name in COUNTERPART_NAMES}
    found = {name: value for name, value in given.items() if value is not None}
    if "mood" in found:
        found["mood"] = Expression(found["mood"].upper())
    DEFAULT_COUNTERPART.with_values(found)
    return found


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


def _profiles(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Seat, str]:
    chosen: dict[Seat, str] = {}
    for text in given:
        seat, equals, name = text.partition("=")
        if not (seat and equals and name):
            raise click.BadParameter(f"{text!r} is not SEAT=NAME.", ctx, option)
        if seat in chosen:
            raise click.BadParameter(f"{seat} is given two profiles.", ctx, option)
        chosen[seat] = name
    return chosen


def _agents(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Seat | None, str]:
    chosen: dict[Seat | None, str] = {}
    for text in given:
        seat, agent = split_seat(text)
        if not agent or seat == "":
            raise click.BadParameter(f"{text!r} is neither AGENT nor SEAT=AGENT.", ctx, option)
        if seat in chosen:
            problem = (
                "two agents are named without a seat; say SEAT=AGENT for each."
                if seat is None
                else f"{seat} is given two agents."
            )
            raise click.BadParameter(problem, ctx, option)
        chosen[seat] = agent
    return chosen


def split_seat(text: str) -> tuple[Seat | None, str]:
    """Return the seat and the agent in ``SEAT=AGENT``; no seat where there is no = but in a path."""
    seat, equals, agent = text.partition("=")
    return (seat, agent) if equals and not {"/", "\\", "@"} & set(seat) else (None, text)


AGENT = click.option(
    "--agent",
    "agents",
    multiple=True,
    metavar="[SEAT=]AGENT[@FILE]",
    callback=_agents,
    help="An agent's name, PATH.py, or PATH.py:Class, for all seats but the participant's; SEAT=AGENT for "
    "one seat, repeatable. AGENT@FILE.json is the agent with the settings in that file.",
)
"""``--agent [SEAT=]AGENT``, as ``agents``: agents by seat, with None for all other seats."""

PROFILE = click.option(
    "--profile",
    "profiles",
    multiple=True,
    metavar="SEAT=NAME",
    callback=_profiles,
    help="A seat's profile, instead of the game's choice; NAME may be 'drawn' for a random one. Repeatable.",
)
"""``--profile SEAT=NAME``, as ``profiles``: names by seat."""

TABLES_FOLDER = click.option(
    "--out",
    "folder",
    required=True,
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the tables; created if it does not exist.",
)

EXCEL = click.option(
    "--excel",
    is_flag=True,
    help="For spreadsheet programs: a byte order mark, and ' before text that looks like a formula.",
)

REPLACE_TABLES = click.option("--force", is_flag=True, help="Replace existing tables.")

STUDY = click.argument("study", type=click.Path(path_type=Path))
"""A study's folder."""
