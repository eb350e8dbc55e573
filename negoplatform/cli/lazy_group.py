"""The commands that are loaded when they are called, so that the window opens without them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from negoplatform.cli.run_context import RunContext

COMMANDS = {
    "check": "authoring:check_command",
    "check-game": "games:check_game_command",
    "export": "export:export_command",
    "list": "list:list_command",
    "log": "log:log_group",
    "new-agent": "authoring:new_agent_command",
    "resimulate": "resimulate:resimulate_command",
    "replay": "replay:replay_command",
    "schema": "games:schema_command",
    "simulate": "simulate:simulate_command",
    "trust": "trust:trust_command",
}
"""Where each command stands, by its name: a module of ``cli.commands``, and the name in it."""


class LazyGroup(click.Group):
    """A group whose commands may stand in modules that only their call loads."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now if it was not yet."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(f"negoplatform.cli.commands.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; a file alone, as a double click gives it, is looked at as a log."""
        file = Path(args[0])
        if args[0] not in self.list_commands(ctx) and (file.suffix == ".jsonl" or file.is_file()):
            args = ["replay", "--gui", *args]
        ctx.ensure_object(RunContext).opens_window = args[0] == "play" or "--gui" in args
        return super().resolve_command(ctx, args)
