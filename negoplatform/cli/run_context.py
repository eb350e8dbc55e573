"""Settings of a run of the program that come from the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negoplatform.domain.errors import NegoError
from negoplatform.plugins.program_and_user_folders import user_folder


@dataclass
class RunContext:
    """Settings of this run.

    Args:
        given_data_dir: The user's folder from the command line; None if it is not given.
        opens_window: Whether the command opens a window.
    """

    given_data_dir: Path | None = None
    opens_window: bool = False

    @property
    def data_dir(self) -> Path:
        """The user's folder.

        Resolved on access: a user who gives another folder may have no home directory.

        Raises:
            NegoError: If no folder is given and the user has no home directory.
        """
        return user_folder() if self.given_data_dir is None else self.given_data_dir

    @property
    def data_dir_or_none(self) -> Path | None:
        """The user's folder; None if there is none."""
        try:
            return self.data_dir
        except NegoError:
            return None
