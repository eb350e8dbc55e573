"""Registration of the environments in Gymnasium, when ``negoplatform.training`` is imported."""

from __future__ import annotations

from contextlib import suppress

ENVIRONMENT = "negoplatform/Negotiation-v0"
"""Name of the environment of one learner."""


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
