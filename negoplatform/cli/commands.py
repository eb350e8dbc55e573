"""The commands that are loaded when they are called, so that the window opens without them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from negoplatform.cli.places import Places

COMMANDS = {
    "check": "author_commands:check_command",
    "check-game": "game_commands:check_game_command",
    "export": "export_commands:export_command",
    "list": "list_command:list_command",
    "log": "log_commands:log_group",
    "new-agent": "author_commands:new_agent_command",
    "resimulate": "resimulate_command:resimulate_command",
    "replay": "replay_command:replay_command",
    "schema": "game_commands:schema_command",
    "simulate": "simulate_command:simulate_command",
    "trust": "trust_command:trust_command",
}
"""Where each command stands, by its name: a module of this package, and the name in it."""


class CommandGroup(click.Group):
    """A group whose commands may stand in modules that only their call loads."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, loaded now if it was not yet."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(f"negoplatform.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; a file alone, as a double click gives it, is looked at as a log."""
        file = Path(args[0])
        if args[0] not in self.list_commands(ctx) and (file.suffix == ".jsonl" or file.is_file()):
            args = ["replay", "--gui", *args]
        ctx.ensure_object(Places).in_window = args[0] == "play" or "--gui" in args
        return super().resolve_command(ctx, args)
