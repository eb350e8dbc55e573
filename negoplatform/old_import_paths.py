"""Import paths of earlier versions that keep working.

The finder stands last in ``sys.meta_path``, so it is called only for a module that does not exist.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

MODULES = {
    "negoplatform.analysis.tables": "negoplatform.analysis.export",
    "negoplatform.app.folders": "negoplatform.plugins.program_folders",
    "negoplatform.app.simulate": "negoplatform.app.simulation.simulate",
    "negoplatform.core.typed": "negoplatform.core.typed_game_state",
    "negoplatform.language.phrasing": "negoplatform.language.generation.verbalizer",
    "negoplatform.language.reading": "negoplatform.language.parsing.interpretation",
    "negoplatform.language.words": "negoplatform.language.generation.templates",
    "negoplatform.language_model.voice": "negoplatform.language_model.paraphraser",
    "negoplatform.strategies.expressive.behaviour": "negoplatform.strategies.expressive.initiative_timing",
    "negoplatform.strategies.expressive.faces": "negoplatform.strategies.expressive.emotion_policy",
    "negoplatform.strategies.expressive.ledger": "negoplatform.strategies.expressive.favour_ledger",
    "negoplatform.strategies.expressive.mind": "negoplatform.strategies.expressive.agent_state",
    "negoplatform.strategies.expressive.offers": "negoplatform.strategies.expressive.offer_policies",
    "negoplatform.strategies.expressive.wording": "negoplatform.strategies.expressive.disclosure",
    "negoplatform.strategies.negochat.equipment": "negoplatform.strategies.negochat.decision_parameters",
    "negoplatform.testing.table": "negoplatform.testing.trial_table",
}
"""Modules that the guides or the API reference named, with their present paths."""

NAMES = {
    "Act": "DialogueAct",
    "ByType": "PerTypeThresholds",
    "Choices": "NegotiationModelOptions",
    "Doubt": "Ambiguity",
    "Equipment": "NegotiationModel",
    "Mind": "ExpressiveAgentState",
    "Part": "TextAnnotation",
    "PartKind": "AnnotationKind",
    "Party": "ScriptedParticipant",
    "Quantiles": "QuantileThresholds",
    "Reading": "Interpretation",
    "SURE": "CONFIDENCE_THRESHOLD",
    "Voice": "Paraphraser",
    "Way": "FavourPolicy",
    "listed": "list_in_words",
}
"""Names that these modules and the packages' ``__all__`` had, with the present ones."""


class _RenamedModule(ModuleType):
    """Module at an old path whose names are those of the module at the present path."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(import_module(MODULES[self.__name__]), NAMES.get(name, name))


class OldPathFinder:
    """Finder and loader of the modules in :data:`MODULES`."""

    @classmethod
    def find_spec(
        cls,
        name: str,
        path: Sequence[str] | None = None,  # noqa: ARG003 - the signature that importlib calls
        target: ModuleType | None = None,  # noqa: ARG003
    ) -> ModuleSpec | None:
        """Return a spec for an old path; None for any other name."""
        return ModuleSpec(name, cls) if name in MODULES else None  # type: ignore[arg-type]  # a class as loader

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        """Return the module that forwards to the present path."""
        return _RenamedModule(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Import the module at the present path."""
        import_module(MODULES[module.__name__])


def renamed(package: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package that still finds what it exports by the old names."""

    def find(name: str) -> Any:
        if name in NAMES and hasattr(sys.modules[package], NAMES[name]):
            return getattr(sys.modules[package], NAMES[name])
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find


def install() -> None:
    """Add the finder, once."""
    if OldPathFinder not in sys.meta_path:
        sys.meta_path.append(OldPathFinder)
