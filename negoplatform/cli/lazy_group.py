"""Command group that imports each command only when it is called, so that the window opens faster."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click

from negoplatform.cli.run_context import RunContext

COMMANDS = {
    "check": "agent_authoring:check_command",
    "check-game": "game_authoring:check_game_command",
    "export-game": "scenarios:export_game_command",
    "import-game": "scenarios:import_game_command",
    "export": "export:export_command",
    "fork": "fork:fork_command",
    "host": "host:host_command",
    "join": "join:join_command",
    "list": "list:list_command",
    "log": "log:log_group",
    "new-agent": "agent_authoring:new_agent_command",
    "resimulate": "resimulate:resimulate_command",
    "replay": "replay:replay_command",
    "schema": "game_authoring:schema_command",
    "simulate": "simulate:simulate_command",
    "study": "study:study_command",
    "tournament": "tournament:tournament_command",
    "train": "train:train_command",
    "trust": "trust:trust_command",
}
"""Location of each command by its name: a module of ``cli.commands``, and a name in it."""


class LazyGroup(click.Group):
    """Command group whose commands may be in modules that are imported on demand."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of that name, importing it if necessary."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, name = COMMANDS[cmd_name].split(":")
        command: click.Command = getattr(import_module(f"negoplatform.cli.commands.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command to run; a file alone, as a double click passes it, is opened as a log."""
        file = Path(args[0])
        if args[0] not in self.list_commands(ctx) and (file.suffix == ".jsonl" or file.is_file()):
            args = ["replay", "--gui", *args]
        ctx.ensure_object(RunContext).opens_window = args[0] == "play" or "--gui" in args
        return super().resolve_command(ctx, args)
