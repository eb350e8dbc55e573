"""Tries every bad file with the commands that a user would give: ``python -m tests.hostile.refusals``."""

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
KINDS = ("games", "configs", "agents", "logs")
PROMISED_SECONDS = 1.0
MOST_MEGABYTES = 200

TRIES = 3
"""How often what took too long is tried again."""

REFUSED = (1, 2)
"""Exit codes of a refusal; any other says that the file was taken, or that the program broke over it."""

CAN_PLAY = sys.platform == "linux" and find_spec("_tkinter") is not None
"""Where there is no screen no window opens, should a file be taken after all."""

TORN = {"cut_off", "chain_cut_off", "crlf", "nul_tail"}
"""Logs that one may go on with: what is cut off at their end is set aside."""

IN_A_PROCESS = {
    "abstract",
    "no_class",
    "exits_at_import",
    "raises_in_init",
    "metaclass_lies",
    "several",
    "binary",
}
"""Agents that simulate is tried with too; each time it starts a process of its own."""


def commands(kind: str, file: Path, scratch: Path) -> list[list[str]]:
    """What a user would do with a file, as arguments."""
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
        case _:
            raise ValueError(kind)


def _is_large(file: Path) -> bool:
    """Whether one command has to do for it, so that all together take seconds."""
    return file.is_file() and file.stat().st_size > 100_000


def run_all(commands: list[list[str]], load_seconds: float = 10.0) -> dict[str, Any]:
    """Runs commands in a process of their own, with little memory."""
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
    """The files of one kind in the corpus, by their places; agents as Python files.

    They are kept as texts, because formatters and type checkers would stumble over what they cannot parse.
    """
    files = {}
    folder.mkdir(parents=True)
    for path in sorted((HERE / kind).iterdir()):
        name = path.name.removesuffix(".txt")
        files[f"{kind}/{name}"] = Path(shutil.copy(path, folder / name))
    return files


class Refusals:
    """What became of every bad file of one kind, found out in one process.

    Args:
        kind: Which kind.
        scratch: A folder for what is made.
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
        """The places of the files that no command took, and over which none broke."""
        return {
            place for place, answers in self.answers.items() if all(a["code"] in REFUSED for _, a in answers)
        }

    def seconds(self) -> list[tuple[str, float]]:
        """The seconds of every command, with the place of its file.

        What took longer than is promised is tried again alone, and its quickest time counts: anything takes
        long beside enough other work.
        """
        taken = []
        for (place, arguments), answer in zip(self._given, self.report["answers"], strict=True):
            seconds = answer["seconds"]
            if seconds > PROMISED_SECONDS:
                seconds = min(again["seconds"] for again in run_all([arguments] * TRIES)["answers"])
            taken.append((place, seconds))
        return taken

    def figures(self) -> dict[str, float]:
        """How many files and commands there were, and the worst of them."""
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
    """Prints the figures of every kind of file."""
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
