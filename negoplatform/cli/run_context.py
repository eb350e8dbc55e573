"""Where a run of the program keeps things and shows itself, as the command line says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from negoplatform.domain.errors import NegoError
from negoplatform.plugins.paths import user_folder


@dataclass
class RunContext:
    """Where this run keeps things, and where it is at home.

    Args:
        given_data_dir: The user's folder as the command line says it; None: it does not.
        opens_window: Whether what was called opens a window.
    """

    given_data_dir: Path | None = None
    opens_window: bool = False

    @property
    def data_dir(self) -> Path:
        """The user's folder. Looked for when it is needed: who says another one may have no home.

        Raises:
            NegoError: If nobody said one, and this user has no home.
        """
        return user_folder() if self.given_data_dir is None else self.given_data_dir

    @property
    def data_dir_or_none(self) -> Path | None:
        """The same; None if there is none."""
        try:
            return self.data_dir
        except NegoError:
            return None
