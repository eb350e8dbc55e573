"""Check of every bad file with the commands that a user would run: ``python -m tests.hostile.refusals``."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from tests.hostile.recipes import RECIPES

HERE = Path(__file__).parent
KINDS = ("games", "configs", "agents", "logs", "scenarios")
PROMISED_SECONDS = 1.0
MOST_MEGABYTES = 200

TRIES = 3
"""Number of further tries of a command that took too long."""

REFUSED = (1, 2)
"""Exit codes of a refusal; any other means that the file was accepted, or that the program failed on it."""

CAN_PLAY = sys.platform == "linux" and find_spec("_tkinter") is not None
"""Whether ``play`` can be tried; without a screen no window opens, should a file be accepted after all."""

TORN = {"cut_off", "chain_cut_off", "crlf", "nul_tail"}
"""Logs that can be continued: their cut-off end is set aside."""

IN_A_PROCESS = {
    "abstract",
    "no_class",
    "exits_at_import",
    "raises_in_init",
    "metaclass_lies",
    "several",
    "binary",
}
"""Agents that are tried with ``simulate`` too; each time it starts a separate process."""


def commands(kind: str, file: Path, scratch: Path) -> list[list[str]]:
    """Return the commands that a user would run on a file, as arguments."""
    data = ["--data-dir", str(scratch / "data")]
    play = ["play", *data, "--participant", "P01", "--agent", "fair"]
    simulate = ["simulate", "--n", "1", *data, "--game"]
    match kind:
        case "games":
            return [
                ["check-game", str(file), *data],
                [*simulate, str(file), "--agents", "fair", "fair"],
                *([[*play, "--game", str(file)]] if CAN_PLAY else []),
            ][: 1 if _is_large(file) else 3]
        case "configs":
            return [
                [*simulate, "practice", "--agents", f"fair@{file}", "fair"],
                *(
                    [[*play, "--game", "practice", "--agent-config", str(file)]]
                    if CAN_PLAY and not file.is_dir()
                    else []
                ),
            ]
        case "agents":
            check = [["check", str(file), "--game", "practice", *data]] if file.stem != "several" else []
            alone = [[*simulate, "practice", "--agents", str(file), "fair"]]
            return check + (alone if file.stem in IN_A_PROCESS else [])
        case "logs":
            verify = ["log", "verify", str(file)]
            export = ["export", str(file), "--strict", "--out", str(scratch / "tables")]
            resume = [["play", *data, "--resume", str(file)]] if CAN_PLAY and file.stem not in TORN else []
            return [["replay", str(file), *data], export, verify, *resume]
        case "scenarios":
            return [["import-game", str(file), "--out", str(scratch / "imported")]]
        case _:
            raise ValueError(kind)


def _is_large(file: Path) -> bool:
    """Return whether only one command is run on a file, so that all files together take seconds."""
    return file.is_file() and file.stat().st_size > 100_000


def run_all(commands: list[list[str]], load_seconds: float = 10.0) -> dict[str, Any]:
    """Run commands in a separate process with little memory."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.hostile.worker"],
        input=json.dumps({"commands": commands, "load_seconds": load_seconds}),
        capture_output=True,
        text=True,
        timeout=110,
        cwd=HERE.parent.parent,
        env={name: value for name, value in os.environ.items() if name != "DISPLAY"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def kept(kind: str, folder: Path) -> dict[str, Path]:
    """Copy the files of one kind from the corpus; return them by their places, agents as Python files.

    The corpus has them as texts, because formatters and type checkers fail on files that they cannot parse.
    """
    files = {}
    folder.mkdir(parents=True)
    for path in sorted((HERE / kind).iterdir()):
        name = path.name.removesuffix(".txt")
        files[f"{kind}/{name}"] = Path(shutil.copy(path, folder / name))
    return files


class Refusals:
    """Outcome of every bad file of one kind, determined in one process.

    Args:
        kind: The kind of file.
        scratch: A folder for created files.
    """

    def __init__(self, kind: str, scratch: Path) -> None:
        files = kept(kind, scratch / "kept" / kind)
        for recipe in (recipe for recipe in RECIPES if recipe.kind == kind):
            path = scratch / kind / recipe.name
            path.parent.mkdir(exist_ok=True)
            recipe.make(path)
            files[f"{kind}/{recipe.name}"] = path
        self._given = [
            (place, arguments) for place, path in files.items() for arguments in commands(kind, path, scratch)
        ]
        self.report = run_all([arguments for _, arguments in self._given])
        self.answers: dict[str, list[tuple[str, dict[str, Any]]]] = {}
        for (place, arguments), answer in zip(self._given, self.report["answers"], strict=True):
            self.answers.setdefault(place, []).append((arguments[0], answer))

    def refused(self) -> set[str]:
        """Return the places of the files that every command refused."""
        return {
            place for place, answers in self.answers.items() if all(a["code"] in REFUSED for _, a in answers)
        }

    def seconds(self) -> list[tuple[str, float]]:
        """Return the seconds of every command, with the place of its file.

        A command that took longer than promised is tried again alone, and its shortest time counts: any
        command takes long while the machine is busy enough.
        """
        taken = []
        for (place, arguments), answer in zip(self._given, self.report["answers"], strict=True):
            seconds = answer["seconds"]
            if seconds > PROMISED_SECONDS:
                seconds = min(again["seconds"] for again in run_all([arguments] * TRIES)["answers"])
            taken.append((place, seconds))
        return taken

    def figures(self) -> dict[str, float]:
        """Return the number of files and commands, and the worst figures."""
        seconds = sorted(taken for _, taken in self.seconds())
        return {
            "files": len(self.answers),
            "commands": len(seconds),
            "refused": len(self.refused()),
            "median seconds": round(seconds[len(seconds) // 2], 4),
            "most seconds": round(seconds[-1], 3),
            "over a second": sum(taken > PROMISED_SECONDS for taken in seconds),
            "most processor seconds": round(
                max(a["processor_seconds"] for answers in self.answers.values() for _, a in answers), 3
            ),
            "most MB": round(self.report["most"]),
        }


def main() -> None:
    """Print the figures of every kind of file."""
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            refusals = Refusals(kind, Path(folder))
            print(kind, json.dumps(refusals.figures()))
            for place, answers in refusals.answers.items():
                for command, answer in answers:
                    if answer["seconds"] > PROMISED_SECONDS or answer["code"] not in REFUSED:
                        print(f"  {place} {command}: {answer['seconds']:.2f} s, exit code {answer['code']}")


if __name__ == "__main__":
    main()
