"""Folder in which the blocks of a guide are carried out as a reader would, one after another."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from packaging.requirements import Requirement

from negoplatform.agent_api.settings_validation import validate_settings
from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_placement import split_settings_file
from negoplatform.app.study.study_check import StudyFindingKind, check_study
from negoplatform.app.study.study_folder import load_study
from negoplatform.cli.main import cli, run
from negoplatform.cli.run_context import RunContext
from negoplatform.plugins.agent_loader import ALL_ROLES, SEAT_ROLE, load_agent_class
from negoplatform.plugins.program_and_user_folders import bundled
from tests.docs.pages import ROOT, Block

WINDOW_OPTIONS = {"--gui", "--on-screen", "--pictures"}
"""Options of commands that open a window."""

OTHER_KINDS = {"trading": ("tac_trading", "tac_baseline"), "market": ("grain_market", "zero_intelligence")}
"""Game in which a reader's agent of another kind is played, and the agent in its other seats."""


class Workshop:
    """Runner of a guide's blocks, which fails with a sentence where one does not work.

    Args:
        folder: The reader's working folder; their home is next to it.
        said: The capture of the commands' output.
    """

    def __init__(self, folder: Path, said: pytest.CaptureFixture[str]) -> None:
        self._folder = folder
        self._said = said
        self._untried: dict[str, None] = {}

    def finish(self) -> None:
        """Play with every agent and in every game that was written."""
        for name in self._untried:
            if name.endswith(".json"):
                written = find_game(name, self._folder)
                if written.mechanism in OTHER_KINDS:
                    self._play(name, *[OTHER_KINDS[written.mechanism][1]] * len(written.seats))
                else:
                    self._play(name, "fair", "boulware")
            else:
                plugin = find_agent(name, self._folder, roles=ALL_ROLES)
                if plugin.role != SEAT_ROLE:
                    continue  # its page runs it
                kind = plugin.mechanisms[0]
                if kind in OTHER_KINDS:
                    game, other = OTHER_KINDS[kind]
                    self._play(game, name, "--fill", other, "--seatings", "given")
                else:
                    self._play("practice", name, "fair")

    def do(self, block: Block) -> None:
        """Write, change, compare or run a block, by its language and its marker."""
        match block.language, block.what:
            case (("python" | "json"), "file"):
                self._write(block.name, block.text)
            case (("python" | "json"), "shows"):
                assert self._read(block.name) == block.text, f"{block} is not what {block.name} holds"
            case "python", "method of":
                self._write(block.name, with_method(self._read(block.name), block.text))
            case "python", "run":
                self._run_program(block.name, block.text)
            case "python", "not run":
                compile(block.text, block.name, "exec")  # it needs packages that the tests do not have
            case "json", "members of":
                document = json.loads(self._read(block.name)) | json.loads(f"{{{block.text}}}")
                self._write(block.name, json.dumps(document))
            case "json", "stage of":
                self._put_stage(block.name, json.loads(block.text))
            case "json", "settings of":
                self._fits(block.name, json.loads(block.text))
            case "sh", "":
                for command in re.sub(r"\\\n", "", block.text).splitlines():
                    self._run(_once(command))
            case "console", "":
                self._talk(block.text)
            case _:
                raise AssertionError(f"Nobody knows how to try {block}: {block.language} {block.what!r}")

    def _read(self, name: str) -> str:
        path = self._folder / name
        if name == "game.json" and not path.exists():  # any game serves
            path = bundled("games") / "practice.json"
        return path.read_text(encoding="utf-8")

    def _write(self, name: str, text: str) -> None:
        """Write a file. A test is run at once; an agent later, as its agent.json may still be missing."""
        path = self._folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        if path.name.startswith("test_"):
            self._test(name)
        elif path.name == "state.py":
            find_game(str(path.parent), self._folder)
        elif path.suffix == ".py" or "negoplatform.game/" in json.loads(text).get("schema", ""):
            self._untried[str(path)] = None

    def _put_stage(self, name: str, stage: dict[str, Any]) -> None:
        """Put a stage into a study, in place of its namesake or before the payment, and check the study."""
        document = json.loads(self._read(name))
        stages = document["stages"]
        ids = [one["id"] for one in stages]
        if stage["id"] in ids:
            stages[ids.index(stage["id"])] = stage
        else:
            stages.insert(ids.index("pay"), stage)
        self._write(name, json.dumps(document))
        folder = load_study(self._folder / name, self._folder)
        errors = [one.text for one in check_study(folder) if one.kind is StudyFindingKind.ERROR]
        assert not errors, errors

    def _play(self, game: str, *agents: str) -> None:
        told = self._command(["simulate", "--game", game, "--agents", *agents, "--n", "1"])
        assert "0 failures of agents" in told, told

    def _talk(self, text: str) -> None:
        """Run the command after each ``$`` and check the output below it; ``…`` stands for any lines."""
        for part in re.split(r"(?m)^\$ ", text)[1:]:
            command, _, expected = part.partition("\n")
            wanted = ".*".join(map(re.escape, expected.split("…\n")))
            told = self._run(command)
            assert re.search(wanted, told, re.DOTALL), f"{command} says\n{told}\nand not\n{expected}"

    def _run(self, line: str) -> str:
        """Return a command's output; one that cannot be run here is checked for the names that it uses."""
        match shlex.split(line, comments=True):
            case []:
                return ""
            case ["negoplatform", *words]:
                args = [arg for word in words for arg in self._expanded(word)]
                return "" if self._opens_a_window(args) else self._command(args)
            case ["python", "-m", "pytest", path]:
                return self._test(path)
            case ["pip", "install", *packages]:
                self._look_at(packages)
                return ""
            case ["make", target]:
                rules = re.findall(r"(?m)^([a-z][\w-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"))
                assert target in rules, f"The Makefile has no {target}"
                return ""
            case ["cp" | "mkdir", *_]:
                subprocess.run(["sh", "-ec", line], cwd=self._folder, check=True, timeout=10)
                return ""
        raise AssertionError(f"Nobody knows how to try {line!r}")

    def _expanded(self, word: str) -> list[str]:
        if word.startswith("~"):
            return [str(Path(word).expanduser())]
        return sorted(map(str, Path().glob(word)))[:1] if "*" in word else [word]

    def _command(self, args: list[str]) -> str:
        code = run(args)
        out, err = self._said.readouterr()
        assert code == 0, f"negoplatform {shlex.join(args)} ends with {code}: {err}{out}"
        return out

    def _opens_a_window(self, args: list[str]) -> bool:
        """Return whether a command would open a window; its arguments are then parsed, and it is not run."""
        window = (
            not args or args[0] == "play" or args[:2] == ["study", "run"] or bool(WINDOW_OPTIONS & {*args})
        )
        if window and args:
            group: click.Group = cli
            above, rest = group.make_context("negoplatform", list(args), obj=RunContext()), list(args)
            try:
                name, command, rest = group.resolve_command(above, rest)
                while isinstance(command, click.Group):
                    group, above = command, command.make_context(name, list(rest), parent=above)
                    name, command, rest = group.resolve_command(above, rest)
                assert command is not None
                read = command.make_context(name, rest, parent=above).params
            except click.ClickException as error:
                raise AssertionError(f"negoplatform {shlex.join(args)}: {error.format_message()}") from None
            self._look_up(read)
        return window

    def _look_up(self, read: dict[str, Any]) -> None:
        """Check that the game and the agents of a command exist, and that the settings fit."""
        if read.get("game"):
            find_game(read["game"], read["data_dir"])
        for agent in (*read.get("agents", {}).values(), *filter(None, [read.get("watch")])):
            name, file = split_settings_file(agent)
            find_agent(name, read["data_dir"])
            if settings := file or read.get("agent_config"):
                self._fits(name, json.loads(Path(settings).read_text(encoding="utf-8")))

    def _fits(self, agent: str, settings: dict[str, Any]) -> None:
        """Check that an agent takes these settings, without creating it, as a service may be named there."""
        plugin = find_agent(agent, self._folder)
        validate_settings(load_agent_class(plugin.file, plugin.class_name, plugin.sha256).Settings, settings)

    def _test(self, path: str) -> str:
        """Return pytest's output for a test, or for a folder of them."""
        told = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", path],
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)},
        )
        assert told.returncode == 0, told.stdout
        return told.stdout

    def _run_program(self, name: str, text: str) -> None:
        """Run a program of the reader's in a process of its own."""
        (self._folder / name).write_text(text, encoding="utf-8")
        told = subprocess.run(
            [sys.executable, name],
            cwd=self._folder,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(part for part in sys.path if part)},
        )
        assert told.returncode == 0, f"{name}: {told.stderr}"

    def _look_at(self, packages: list[str]) -> None:
        """Check that a reader who installs these gets what the guide promises; nothing is installed."""
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for package in packages:
            if package in (".", "pytest"):
                continue
            assert package.startswith(".["), f"{package} would come from an index, where we are not"
            asked = Requirement(extras["name"] + package.removeprefix("."))
            assert asked.extras <= set(extras["optional-dependencies"]), f"{package} is no extra"


def _once(command: str) -> str:
    """Return a simulation with one game of each seating, or a short training: no output is compared here."""
    if command.startswith("negoplatform train "):
        return f"{re.sub(r' --minutes [0-9]+', '', command)} --steps 1 --games 1"
    return re.sub(r"(^negoplatform simulate .*--n) \d+", r"\1 1", command)


def with_method(source: str, method: str) -> str:
    """Return a module with a method added to its last class, in place of one of that name if there is one."""
    tree = ast.parse(source)
    owner = next(node for node in reversed(tree.body) if isinstance(node, ast.ClassDef))
    added = ast.parse(textwrap.dedent(method)).body[0]
    assert isinstance(added, ast.FunctionDef)
    lines = source.splitlines()
    new = textwrap.indent(textwrap.dedent(method), "    ").splitlines()
    for node in owner.body:
        if isinstance(node, ast.FunctionDef) and node.name == added.name:
            return "\n".join([*lines[: node.lineno - 1], *new, *lines[node.end_lineno :]]) + "\n"
    end = owner.end_lineno or len(lines)
    return "\n".join([*lines[:end], "", *new, *lines[end:]]) + "\n"
