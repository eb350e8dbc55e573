"""Command that runs a session which windows in other processes join."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from negoplatform.app.session.resume import resume_session
from negoplatform.app.session.session_start import OpenSession, open_session
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.cli.host_output import HostOutput
from negoplatform.cli.host_run import HostRun, roles_of, start_server, stored_host
from negoplatform.cli.options import DATA_DIR, LANGUAGES, pop_counterpart_options
from negoplatform.cli.session_options import (
    JOINING_OPTIONS,
    LISTEN,
    SESSION_OPTIONS,
    check_resumed_alone,
    pop_joining_options,
    show_permissions,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import LOOPBACK
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.session_plan_builder import SessionPlanBuilder


@click.command(name="host")
@click.option("--game", metavar="GAME", help="A game's name, or a game file.")
@JOINING_OPTIONS
@LISTEN(LOOPBACK)
@SESSION_OPTIONS
@click.option(
    "--language",
    type=click.Choice(LANGUAGES),
    default="en",
    help="Language of the agents and of typed text, unless the game sets one.",
)
@click.option(
    "--announce",
    is_flag=True,
    help="Print JSON lines in place of sentences, for a program that starts the host; the host ends "
    "a minute after that program, unless a person's window is still connected.",
)
@DATA_DIR
def host_command(data_dir: Path, announce: bool, listen: str, **chosen: Any) -> int:
    """Run a session without a window; people, a wizard and observers join it with 'negoplatform join'.

    The address and a code for each role are printed. Ctrl-C ends the host; an unfinished session can be
    resumed.
    """
    output = HostOutput(announce=announce)
    try:
        _host(data_dir, listen, chosen, output)
    except NegoError as error:
        if not announce:
            raise
        output.refused(str(error))
        return 1
    return 0


def _host(data_dir: Path, listen: str, chosen: dict[str, Any], output: HostOutput) -> None:
    if chosen["resume"] is not None:
        check_resumed_alone(chosen, ignoring=("resume", "language"))
    options = _launch_options(chosen)
    crashes = CrashFolder(data_dir / "crashes")
    if options.resume is not None:
        session = resume_session(options.resume, data_dir, crashes.write, joinable=True)
    else:
        session = _open(options, data_dir, crashes)
    try:
        server, facts = start_server(listen, roles_of(session.plan), crashes, session.session_data.host)
    except BaseException:
        session.discard()
        raise
    session.session_data.save_host(stored_host(facts))
    output.hosting(replace(facts, log=session.log.path))
    HostRun(session, server, data_dir=data_dir, crashes=crashes, output=output).run()


def _launch_options(chosen: dict[str, Any]) -> LaunchOptions:
    joining = pop_joining_options(chosen)
    people: dict[str, str] = joining.pop("people")
    chosen["offer_requests"] = not chosen.pop("no_offer_requests")
    chosen["counterpart"] = pop_counterpart_options(chosen)
    chosen["agent"] = chosen["agents"].pop(None, None)
    if chosen["resume"] is None:
        if chosen["game"] is None or not people:
            missing = "Name the game" if chosen["game"] is None else "Name a person"
            example = "negoplatform host --game practice --agent fair --people P01"
            raise NegoError(f"{missing}, as in '{example}'.")
        by_name = (chosen["agents"], chosen["advisers"], chosen["principals"])
        show_permissions([chosen["agent"], *(agent for agents in by_name for agent in agents.values())])
    seat = "" if "" in people else next(iter(people), "")
    others = {other: theirs for other, theirs in people.items() if other != seat}
    return LaunchOptions(
        **chosen, **joining, seat=seat or None, participant=people.get(seat), people=others, practice=False
    )


def _open(options: LaunchOptions, data_dir: Path, crashes: CrashFolder) -> OpenSession:
    builder = SessionPlanBuilder(data_dir, options, lambda text: crashes.write(NegoError(text)))
    plan = builder.build_from_options()
    builder.stop()
    if plan is None:
        raise NegoError(
            f"{options.game}: no agent and no further person is chosen; choose one with --agent or --people."
        )
    return open_session(plan, data_dir, crashes.write)
