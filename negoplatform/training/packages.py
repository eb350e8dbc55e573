"""Packages of the extra ``training``."""

from __future__ import annotations

from importlib.util import find_spec

from negoplatform.domain.errors import NegoError

PACKAGES = ("numpy", "gymnasium", "pettingzoo")
"""Packages that the environments need."""


def check_packages() -> None:
    """Check that the packages of the extra are installed.

    Raises:
        NegoError: If one is missing; with the command that installs it.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise NegoError(
            f'Training needs {", ".join(missing)}; install the extra: pip install "negoplatform[training]".'
        )
