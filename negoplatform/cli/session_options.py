"""Options of commands that begin a session with people: the session itself, and who joins it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from negoplatform.cli.options import (
    AGENT,
    ASSISTANT_OPTIONS,
    COUNTERPART_OPTIONS,
    DEADLINE_OPTIONS,
    PROFILE,
    split_seat,
)
from negoplatform.cli.terminal_output import echo_line
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import (
    LOOPBACK,
    WAIT_FOR_LINK,
    LostLinkAction,
    LostLinkRule,
    SuggestionTimeout,
    WizardMode,
    WizardSettings,
)
from negoplatform.domain.seat_map import Seat

F = TypeVar("F", bound=Callable[..., Any])


def _advisers(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Seat, str]:
    chosen: dict[Seat, str] = {}
    for text in given:
        seat, agent = split_seat(text)
        if not agent or seat == "":
            raise click.BadParameter(f"{text!r} is neither AGENT nor SEAT=AGENT.", ctx, option)
        if (seat or "") in chosen:
            problem = f"{seat} is given two advisers." if seat else "two advisers are named without a seat."
            raise click.BadParameter(problem, ctx, option)
        chosen[seat or ""] = agent
    return chosen


ADVISER = click.option(
    "--adviser",
    "advisers",
    multiple=True,
    metavar="[SEAT=]AGENT[@FILE]",
    callback=_advisers,
    help="An agent that advises a person in their window, and never acts itself; repeatable. "
    "Without a seat: the first person's.",
)
"""``--adviser [SEAT=]AGENT``, as ``advisers``: agents by seat, with the empty name for the first person's."""


def _principals(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    chosen: dict[str, str] = {}
    for text in given:
        name, _, plugin = text.partition("=")
        if not name or not plugin:
            raise click.BadParameter(f"{text!r} is no NAME=PLUGIN.", ctx, option)
        if name in chosen:
            raise click.BadParameter(f"{name} is given two plug-ins.", ctx, option)
        chosen[name] = plugin
    return chosen


PRINCIPAL = click.option(
    "--principal",
    "principals",
    multiple=True,
    metavar="NAME=PLUGIN[@FILE]",
    callback=_principals,
    help="The plug-in that decides for a principal of the game, with the settings in FILE; repeatable. "
    "Default: the one that the game names.",
)
"""``--principal NAME=PLUGIN[@FILE]``, as ``principals``: plug-ins by principal."""

JOINING_NAMES = ("people", "wizards", "suggestion_time", "on_timeout", "wizard_delay", "on_lost")


def SESSION_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add the options that concern the session: ``--agent``, ``--seed``, ``--profile``, ``--mood`` …."""
    options = (
        AGENT,
        ADVISER,
        PRINCIPAL,
        click.option(
            "--seed",
            type=click.IntRange(0, 2**53),
            default=None,
            help="Seed for everything random. Default: a random one.",
        ),
        click.option(
            "--another-session",
            is_flag=True,
            help="Allow a session although another one of the same participant is still running.",
        ),
        click.option(
            "--seats",
            type=click.IntRange(2, 16),
            default=None,
            help="How many seats are filled, in a game for different numbers. Default: all of them.",
        ),
        DEADLINE_OPTIONS,
        click.option(
            "--opening-delay",
            type=click.FloatRange(0, 3600),
            default=None,
            help="Seconds that agents wait at the start for the participant to begin. "
            "Default: set by the game, or 8 to 20, by the length of the participant's briefing.",
        ),
        click.option(
            "--closing-time",
            type=click.FloatRange(0, 3600),
            default=None,
            help="Seconds for closing messages after the end. Default: set by the game, or 120.",
        ),
        click.option(
            "--show-left-on-table",
            is_flag=True,
            help="Tell the participant at the end whether another deal would have been better for "
            "everybody. Default: set by the game.",
        ),
        click.option(
            "--no-offer-requests",
            is_flag=True,
            help="Leave out the buttons that ask the others what they would give, and for a fairer offer. "
            "Default: set by the game.",
        ),
        click.option(
            "--agent-config",
            type=click.Path(path_type=Path, dir_okay=False),
            default=None,
            help="A JSON file with the settings of all agents that are named without a file of their own.",
        ),
        PROFILE,
        COUNTERPART_OPTIONS,
        ASSISTANT_OPTIONS,
        click.option(
            "--resume",
            metavar="LOG",
            type=click.Path(path_type=Path),
            default=None,
            help="Resume an unfinished session, given by its log or folder, with the choices made when it "
            "started.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def _people(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Seat, str]:
    chosen: dict[Seat, str] = {}
    for text in given:
        seat, equals, code = text.rpartition("=")
        if not code or (equals and not seat):
            raise click.BadParameter(f"{text!r} is neither CODE nor SEAT=CODE.", ctx, option)
        if seat in chosen:
            problem = f"{seat} is given two people." if seat else "two people are named without a seat."
            raise click.BadParameter(problem, ctx, option)
        chosen[seat] = code
    return chosen


def _wizards(ctx: click.Context, option: click.Parameter, given: tuple[str, ...]) -> dict[Seat, WizardMode]:
    chosen: dict[Seat, WizardMode] = {}
    for text in given:
        seat, colon, mode = text.partition(":")
        if not seat or (colon and mode not in list(WizardMode)):
            modes = ", ".join(WizardMode)
            raise click.BadParameter(f"{text!r} is neither SEAT nor SEAT:MODE ({modes}).", ctx, option)
        if seat in chosen:
            raise click.BadParameter(f"{seat} is given two wizards.", ctx, option)
        chosen[seat] = WizardMode(mode) if colon else WizardMode.ASSISTED
    return chosen


def _lost_link(ctx: click.Context, option: click.Parameter, given: str | None) -> LostLinkRule:
    if given is None:
        return WAIT_FOR_LINK
    action, equals, agent = given.partition("=")
    # The name of an agent may have a colon itself, as in PATH.py:Class.
    rest, colon, seconds = (agent if equals else action).rpartition(":")
    try:
        chosen = {"seconds": float(seconds)} if colon else {}
    except ValueError:
        chosen, colon = {}, ""
    if equals:
        agent = rest if colon else agent
    else:
        action = rest if colon else action
    problem = f"{given!r} is none of wait, end, end:SECONDS, agent=NAME, agent=NAME:SECONDS."
    if action not in list(LostLinkAction) or (action == LostLinkAction.WAIT and chosen):
        raise click.BadParameter(problem, ctx, option)
    if bool(equals and agent) != (action == LostLinkAction.AGENT):
        raise click.BadParameter(problem, ctx, option)
    try:
        return LostLinkRule(LostLinkAction(action), agent=agent if equals else "", **chosen)
    except NegoError as error:
        raise click.BadParameter(str(error), ctx, option) from None


def JOINING_OPTIONS(command: F) -> F:  # noqa: N802 - used like the other options, which are constants
    """Add ``--people``, ``--wizard`` and so on; :func:`pop_joining_options` removes them again."""
    options = (
        click.option(
            "--people",
            multiple=True,
            metavar="[SEAT=]CODE",
            callback=_people,
            help="A person's seat and participant code; repeatable. Each joins from a window of their own. "
            "Without a seat: the seat human, or the game's first seat.",
        ),
        click.option(
            "--wizard",
            "wizards",
            multiple=True,
            metavar="SEAT[:MODE]",
            callback=_wizards,
            help="An agent's seat that a wizard operates from a window of their own; MODE is assisted, "
            "autonomous or manual. Default: assisted.",
        ),
        click.option(
            "--suggestion-time",
            type=float,
            default=None,
            help="Seconds for which the agent's suggestion waits for the wizard. Default: 20.",
        ),
        click.option(
            "--on-timeout",
            type=click.Choice([each.value for each in SuggestionTimeout]),
            default=None,
            help="Action for a suggestion whose time is up. Default: send.",
        ),
        click.option(
            "--wizard-delay",
            type=float,
            default=None,
            help="Seconds between the wizard's decision and the act, with a typing sign. Default: 0.",
        ),
        click.option(
            "--on-lost",
            metavar="RULE",
            callback=_lost_link,
            help="Action after a person's connection is lost: wait (the seat stays open), "
            "end[:SECONDS], or agent=NAME[:SECONDS], which takes the seat. Default: wait.",
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


def pop_joining_options(chosen: dict[str, Any]) -> dict[str, Any]:
    """Remove the options about who joins from the parsed arguments, and return them as settings.

    Returns:
        ``people``, ``wizards`` and ``lost_link``, as ``LaunchOptions`` has them; a person without a seat is
        under the empty name.

    Raises:
        NegoError: If a value is out of its range, or a setting of a wizard is given without one.
    """
    given = {name: chosen.pop(name) for name in JOINING_NAMES}
    names = {
        "suggestion_time": "suggestion_seconds",
        "on_timeout": "on_timeout",
        "wizard_delay": "delay_seconds",
    }
    settings = {names[name]: given[name] for name in names if given[name] is not None}
    modes: Mapping[Seat, WizardMode] = given["wizards"]
    if settings and not modes:
        option = next(name for name in names if given[name] is not None).replace("_", "-")
        raise NegoError(f"--{option} is a setting of a wizard, and there is none; name a seat with --wizard.")
    return {
        "people": given["people"],
        "wizards": {seat: WizardSettings(mode=mode, **settings) for seat, mode in modes.items()},
        "lost_link": given["on_lost"],
    }


def check_no_joining_options(chosen: dict[str, Any]) -> None:
    """Remove the options about who joins from the arguments of a session that no window joins.

    Raises:
        NegoError: If one of them is given.
    """
    chosen.pop("listen")
    for name in JOINING_NAMES:
        value = chosen.pop(name)
        if value is not None and value not in ({}, WAIT_FOR_LINK):
            option = {"wizards": "wizard"}.get(name, name).replace("_", "-")
            raise NegoError(f"--{option} is for a session that others join; add --listen.")


def LISTEN(default: str | None) -> Callable[[F], F]:  # noqa: N802 - used like the other options, which are constants
    """Return ``--listen [ADDRESS[:PORT]]``, as ``listen``, with a default."""
    return click.option(
        "--listen",
        is_flag=False,
        flag_value=LOOPBACK,
        default=default,
        metavar="[ADDRESS[:PORT]]",
        help="Address at which windows join. Default: 127.0.0.1, for windows on this computer alone; "
        "0.0.0.0 for all networks of this computer. Others on the network can read what is sent.",
    )


def show_permissions(named: Iterable[str | None]) -> None:
    """Print what agents may do whose files are named, and so trusted; faults of a file are reported later."""
    # Imported here: the start window shows them itself.
    from negoplatform.app.catalogue.catalogue import permissions_of_path
    from negoplatform.app.catalogue.trust import permissions_sentence
    from negoplatform.app.session.agent_placement import split_settings_file

    for wanted in dict.fromkeys(name for name in named if name is not None):
        if asked := permissions_sentence(permissions_of_path(split_settings_file(wanted)[0])):
            echo_line(f"{wanted}: {asked}", err=True)


def check_resumed_alone(chosen: Mapping[str, Any], *, ignoring: Collection[str]) -> None:
    """Check that a session is resumed without other choices.

    Args:
        chosen: The parsed arguments.
        ignoring: Names of those that concern no choice of the session.

    Raises:
        NegoError: If there is another choice.
    """
    for name, value in chosen.items():
        chosen_now = value is not None and value is not False and value not in ({}, WAIT_FOR_LINK)
        if chosen_now and name not in ignoring:
            option = {
                "agents": "agent",
                "profiles": "profile",
                "wizards": "wizard",
                "advisers": "adviser",
                "principals": "principal",
                "assistants": "assistant",
            }.get(name, name)
            raise NegoError(
                f"--resume goes on with what was chosen then, so --{option.replace('_', '-')} cannot be "
                "chosen now; leave it out."
            )
