"""Python files of plugins, and how people identify them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negoplatform.formats.agent_manifest import Manifest, load_manifest
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions
from negoplatform.formats.strict_json import single_line
from negoplatform.plugins.agent_loader import hash_of
from negoplatform.plugins.program_and_user_folders import own_command, user_folder_if_any

LONGEST_PATH = 4000


@dataclass(frozen=True, slots=True)
class CodeFile:
    """Python file, identified by its hash at a moment.

    Args:
        path: Its path.
        sha256: The SHA-256 of its content, in hexadecimal digits.
        permissions: What its process may reach, if it is an agent's.
        in_program: Whether it runs inside the program, where nothing restricts it, and not in a process.
    """

    path: Path
    sha256: str
    permissions: AgentPermissions = NO_PERMISSIONS
    in_program: bool = True

    @property
    def hash_lines(self) -> tuple[str, str]:
        """The hash for people to compare: two lines of four groups of eight digits."""
        parts = [self.sha256[i : i + 8] for i in range(0, len(self.sha256), 8)]
        return " ".join(parts[:4]), " ".join(parts[4:])

    @property
    def display_path(self) -> str:
        """The path for people: no name in it can pose as something else."""
        return single_line(str(self.path), LONGEST_PATH)

    def trust_command(self, data_dir: Path) -> str:
        """Return the command that trusts the file, for a user with that data folder."""
        parts = [single_line(own_command(), LONGEST_PATH), "trust", self.display_path]
        if data_dir != user_folder_if_any():
            parts += ["--data-dir", single_line(str(data_dir), LONGEST_PATH)]
        return " ".join(f'"{part}"' if " " in part else part for part in parts)


def code_file(path: Path) -> CodeFile:
    """Return a file that runs inside the program, with its present hash.

    Raises:
        InputFileError: If it cannot be read.
    """
    return CodeFile(path, hash_of(path))


def agent_code_file(
    path: Path, manifest: Manifest | None = None, *, sha256: str | None = None, in_program: bool = False
) -> CodeFile:
    """Return an agent's file with the permissions in its manifest.

    Args:
        path: The file.
        manifest: Its manifest; None: it is read.
        sha256: The hash that counts; None: its present one.
        in_program: Whether it also runs inside the program.

    Raises:
        InputFileError: If it, or its manifest, cannot be read.
    """
    manifest = load_manifest(path) if manifest is None else manifest
    return CodeFile(path, hash_of(path) if sha256 is None else sha256, manifest.permissions, in_program)
