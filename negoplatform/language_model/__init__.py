"""Language models: words for agents that decide by themselves, and agents whose decisions a model makes.

The exports are loaded at their first use, because every window imports this package for the keys of agents.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from negoplatform.language_model.decider import Decider, DeciderSettings
    from negoplatform.language_model.paraphraser import Paraphraser
    from negoplatform.language_model.paraphraser_factory import voice_for
    from negoplatform.language_model.settings import ModelSettings, refuse_keys
    from negoplatform.language_model.wrapped_agent_loader import decision_agent_class, speaks_as_persona

__all__ = [
    "Decider",
    "DeciderSettings",
    "ModelSettings",
    "Paraphraser",
    "decision_agent_class",
    "refuse_keys",
    "speaks_as_persona",
    "voice_for",
]

MODULES = {
    "Decider": "decider",
    "DeciderSettings": "decider",
    "ModelSettings": "settings",
    "Paraphraser": "paraphraser",
    "decision_agent_class": "wrapped_agent_loader",
    "refuse_keys": "settings",
    "speaks_as_persona": "wrapped_agent_loader",
    "voice_for": "paraphraser_factory",
}
"""Module of each export."""


def __getattr__(name: str) -> Any:
    if name not in MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{MODULES[name]}"), name)
