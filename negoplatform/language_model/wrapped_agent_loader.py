"""Loader of the decision agent: the shipped agent that decides while a model words its messages."""

from __future__ import annotations

import inspect
import re
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from negoplatform.agent_api.base import NegotiationAgent
from negoplatform.domain.errors import AgentError


def decision_agent_class(name: str, file: Path) -> type[NegotiationAgent]:
    """Return the class of the agent that decides.

    Args:
        name: Its name in the catalogue: that of its file, or of its class if the file has several.
        file: The file of the agent that speaks; the other one is in the same folder.

    Raises:
        AgentError: If there is no agent of that name.
    """
    # Files whose names begin alike are tried first, as loading the others takes time.
    others = sorted(other for other in file.parent.glob("*.py") if other.name != file.name)
    for other in sorted(others, key=lambda path: not name.startswith(path.stem.split("_")[0])):
        agents = _agents_in(_load_module(other))
        for agent in agents:
            if name == (other.stem if len(agents) == 1 else _to_snake_case(agent.__name__)):
                return agent
    raise AgentError(f"There is no shipped agent {name!r} that could decide; see the setting 'core'.")


def speaks_as_persona(agent: NegotiationAgent) -> bool:
    """Return whether an agent has a setting for its persona: agents that only make offers have none."""
    return "persona" in getattr(agent.Settings, "model_fields", {})


def _load_module(file: Path) -> ModuleType:
    name = f"negoplatform_core_{file.stem}_{abs(hash(file.resolve())):x}"
    if name in sys.modules:
        return sys.modules[name]
    spec = spec_from_file_location(name, file)
    if spec is None or spec.loader is None:
        raise AgentError(f"{file} cannot be loaded.")
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _agents_in(module: ModuleType) -> list[type[NegotiationAgent]]:
    exported = getattr(module, "__all__", None)
    return [
        value
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, NegotiationAgent)
        and value.__module__ == module.__name__
        and (name in exported if exported is not None else not name.startswith("_"))
    ]


def _to_snake_case(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()
