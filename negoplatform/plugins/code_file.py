"""A Python file that is not ours, and how people tell it from every other one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negoplatform.formats.strict_json import single_line
from negoplatform.plugins.loader import hash_of
from negoplatform.plugins.paths import own_command, user_folder_if_any

LONGEST_PATH = 4000


@dataclass(frozen=True, slots=True)
class CodeFile:
    """A Python file as it was when it was looked at.

    Args:
        path: Where it lies.
        sha256: Its hash, in hexadecimal digits.
    """

    path: Path
    sha256: str

    @property
    def hash_lines(self) -> tuple[str, str]:
        """The hash as people compare it: two lines of four groups of eight digits."""
        parts = [self.sha256[i : i + 8] for i in range(0, len(self.sha256), 8)]
        return " ".join(parts[:4]), " ".join(parts[4:])

    @property
    def display_path(self) -> str:
        """Its path as people read it: nothing in a name can pretend to be something else."""
        return single_line(str(self.path), LONGEST_PATH)

    def trust_command(self, data_dir: Path) -> str:
        """The command with which it is trusted, for whoever uses that folder for their data."""
        told = [single_line(own_command(), LONGEST_PATH), "trust", self.display_path]
        if data_dir != user_folder_if_any():
            told += ["--data-dir", single_line(str(data_dir), LONGEST_PATH)]
        return " ".join(f'"{part}"' if " " in part else part for part in told)


def code_file(path: Path) -> CodeFile:
    """A file as it is now.

    Raises:
        FileProblem: If it cannot be read.
    """
    return CodeFile(path, hash_of(path))
