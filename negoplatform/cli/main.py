"""Entry point of the program: the window and every command."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import negoplatform
from negoplatform.cli.errors import ErrorHandler
from negoplatform.cli.lazy_group import LazyGroup
from negoplatform.cli.options import (
    APPEARANCE_OPTIONS,
    DATA_DIR,
    GLOBAL_DATA_DIR,
    pop_appearance_options,
    pop_counterpart_options,
)
from negoplatform.cli.require_tk import require_tk
from negoplatform.cli.run_context import RunContext
from negoplatform.cli.session_options import (
    JOINING_OPTIONS,
    LISTEN,
    SESSION_OPTIONS,
    check_no_joining_options,
    check_resumed_alone,
    show_permissions,
)
from negoplatform.domain.errors import NegoError


def run(args: Sequence[str] | None = None) -> int:
    """Run a command and return the exit code; no error leaves this function as a traceback."""
    door = ErrorHandler(RunContext(), announce="--announce" in (sys.argv if args is None else args))
    return door.run_guarded(lambda: _invoke(args, door))


def _invoke(args: Sequence[str] | None, handler: ErrorHandler) -> int:
    """Run click and return the exit code; report arguments that click does not accept."""
    try:
        returned = cli.main(args=args, prog_name="negoplatform", standalone_mode=False, obj=handler.context)
        return returned if isinstance(returned, int) else 0
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.Abort:
        handler.print_error("Stopped.")
        return 130
    except click.ClickException as error:
        about = (
            error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "negoplatform"
        )
        sentence = " ".join(error.format_message().split())
        return handler.report(f"{sentence} ({about} --help says more.)", error.exit_code)


@click.group(
    cls=LazyGroup, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]}
)
@click.version_option(negoplatform.__version__, prog_name="negoplatform")
@GLOBAL_DATA_DIR
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Negotiate with an agent; every event is recorded.

    Without a command, the start window opens.
    """
    if ctx.invoked_subcommand is None:
        places = ctx.ensure_object(RunContext)
        places.opens_window = True
        _open_window(places.data_dir)


@cli.command()
@click.option(
    "--game", metavar="GAME", help="A game's name, or a game file. With --agent, skips the start window."
)
@click.option(
    "--watch",
    metavar="PATH",
    default=None,
    help="For authors: play one game after another against the agent in this file; each game uses the "
    "version saved by then. Naming the file trusts it, with everything saved in it later. "
    "Default game: practice.",
)
@click.option(
    "--participant", metavar="CODE", default=None, help="The participant's code, such as P01; never a name."
)
@click.option("--seat", default=None, help="The participant's seat. Default: human, or the game's first.")
@LISTEN(None)
@JOINING_OPTIONS
@SESSION_OPTIONS
@click.option(
    "--briefing/--no-briefing",
    default=None,
    help="Show the rules before the clock starts. Default: yes, except with --watch.",
)
@click.option(
    "--practice/--no-practice",
    default=None,
    help="Let participants practise for a minute before their first negotiation. "
    "Default: yes if the rules are shown, unless turned off in the settings.",
)
@click.option(
    "--announce", is_flag=True, hidden=True, help="Print what the window shows as lines of JSON, for tests."
)
@APPEARANCE_OPTIONS
@DATA_DIR
def play(data_dir: Path, announce: bool, reset_appearance: bool, **chosen: Any) -> int:
    """Open the window.

    With --game and --agent a negotiation starts; with --resume an unfinished one continues. Otherwise the
    start window opens. With --listen, others join from windows of their own: people, a wizard, observers.
    """
    looks = pop_appearance_options(chosen)
    if chosen["listen"] is not None:
        return _play_with_others(data_dir, announce, reset_appearance, looks, chosen)
    check_no_joining_options(chosen)
    if chosen["resume"] is not None:
        check_resumed_alone(chosen, ignoring=("resume", "briefing", "practice"))
    chosen["offer_requests"] = not chosen.pop("no_offer_requests")
    chosen["counterpart"] = pop_counterpart_options(chosen)
    chosen["agent"] = chosen["agents"].pop(None, None)
    if chosen["watch"] is not None and chosen["agent"] is not None:
        raise NegoError(
            "--watch says which agent is played against; leave --agent out, or name a seat with it."
        )
    by_name = (chosen["agents"], chosen["advisers"], chosen["principals"])
    named = [agent for agents in by_name for agent in agents.values()]
    show_permissions((chosen["agent"], chosen["watch"], *named))
    if chosen["briefing"] is None:
        chosen["briefing"] = chosen["watch"] is None
    if chosen["practice"] is None:
        chosen["practice"] = chosen["briefing"]
    _open_window(data_dir, announce=announce, reset=reset_appearance, appearance_overrides=looks, **chosen)
    return 0


def _play_with_others(
    data_dir: Path, announce: bool, reset: bool, looks: dict[str, Any], chosen: dict[str, Any]
) -> int:
    with require_tk():
        import tkinter  # noqa: F401 - before the host is started
    # Imported here: the window of a session of its own needs none of it.
    from negoplatform.cli.hosted_play import play_hosted

    return play_hosted(data_dir, announce=announce, reset=reset, appearance_overrides=looks, chosen=chosen)


def _open_window(data_dir: Path, *, announce: bool = False, **chosen: Any) -> None:
    with require_tk():
        from negoplatform.gui.shell.window_startup import open_window
    open_window(data_dir, announce=announce, **chosen)


if __name__ == "__main__":
    sys.exit(run())
