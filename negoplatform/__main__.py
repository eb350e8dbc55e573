"""The program: ``python -m negoplatform`` and the command ``negoplatform``."""

from __future__ import annotations

from negoplatform.cli.main import run


def main() -> None:
    """Runs the command line; without a command it opens the start window."""
    raise SystemExit(run())


if __name__ == "__main__":
    main()
