"""Training: environments over the real session, and policies that then play with people.

Needs the extra: ``pip install '.[training]'``. The window never imports it. Importing this package
registers the environments in Gymnasium, which from version 1.0 on looks for no plug-ins itself. All other
modules are imported on demand.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from negoplatform.training.packages import check_packages, register_environments

if TYPE_CHECKING:
    from negoplatform.training.aec_env import env
    from negoplatform.training.negotiation_env import NegotiationEnv
    from negoplatform.training.negotiation_parallel_env import NegotiationParallelEnv, parallel_env
    from negoplatform.training.policies.policy_export import save_policy
    from negoplatform.training.rewards import final_points, score_change, shaped
    from negoplatform.training.vector_env import NegotiationVectorEnv

_MODULES = {
    "NegotiationEnv": "negotiation_env",
    "NegotiationParallelEnv": "negotiation_parallel_env",
    "NegotiationVectorEnv": "vector_env",
    "env": "aec_env",
    "parallel_env": "negotiation_parallel_env",
    "save_policy": "policies.policy_export",
    "final_points": "rewards",
    "score_change": "rewards",
    "shaped": "rewards",
}

__all__ = [
    "NegotiationEnv",
    "NegotiationParallelEnv",
    "NegotiationVectorEnv",
    "env",
    "final_points",
    "parallel_env",
    "save_policy",
    "score_change",
    "shaped",
]


def __getattr__(name: str) -> Any:
    """Return a name of this package, whose module is imported for it.

    Raises:
        NegoError: If a package of the extra is missing.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    check_packages()
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


register_environments()
