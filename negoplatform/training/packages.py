"""Packages of the extra ``training``, and the registration of the environments in Gymnasium."""

from __future__ import annotations

from contextlib import suppress
from importlib.util import find_spec

from negoplatform.domain.errors import missing_package_error

ENVIRONMENT = "negoplatform/Negotiation-v0"
"""Name of the environment of one learner."""

PACKAGES = ("numpy", "gymnasium", "pettingzoo")
"""Packages that the environments need."""


def check_packages() -> None:
    """Check that the packages of the extra are installed.

    Raises:
        NegoError: If one is missing; with the command that installs it.
    """
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise missing_package_error(f"Training needs {', '.join(missing)}", "training")


def register_environments() -> None:
    """Register the environments, if Gymnasium is installed; their module is imported when one is made."""
    with suppress(ImportError):
        from gymnasium.envs.registration import register, registry

        if ENVIRONMENT not in registry:
            register(
                ENVIRONMENT,
                "negoplatform.training.negotiation_env:NegotiationEnv",
                vector_entry_point="negoplatform.training.vector_env:NegotiationVectorEnv",
            )
