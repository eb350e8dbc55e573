"""The program on a disk that has become full since the program was started."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

from negoplatform.__main__ import main
from negoplatform.eventlog.failover import check_free_space


def too_little(folder: Path) -> None:
    """Report too little space for any folder."""
    check_free_space(folder, least=10**18)


if __name__ == "__main__":
    with patch("negoplatform.app.session.session_start.check_free_space", too_little):
        main()
