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
    "agent_api.estimate": "agent_api.frequency_opponent_model",
    "agent_api.settings": "agent_api.settings_validation",
    "analysis.bidding": "analysis.bidding_measures",
    "analysis.enumeration": "analysis.games.frontier_with_interactions",
    "analysis.export": "analysis.export_tables.export",
    "analysis.frontier_with_interactions": "analysis.games.frontier_with_interactions",
    "analysis.game_check": "analysis.games.game_check",
    "analysis.game_finding": "analysis.games.game_finding",
    "analysis.game_measures": "analysis.games.game_measures",
    "analysis.measures": "analysis.outcome_measures",
    "analysis.tables": "analysis.export_tables.export",
    "app.folders": "plugins.program_and_user_folders",
    "app.simulate": "app.simulation.simulate",
    "core.event_fields": "core.typed_state.event_state_mapping",
    "core.event_state_mapping": "core.typed_state.event_state_mapping",
    "core.numeric_features": "core.features.numeric_features",
    "core.observation": "core.features.observation_vectors",
    "core.observation_vectors": "core.features.observation_vectors",
    "core.typed": "core.typed_state.typed_game_state",
    "core.typed_game_state": "core.typed_state.typed_game_state",
    "domain.board": "domain.issue_status_board",
    "domain.seat": "domain.seat_map",
    "language.phrasing": "language.generation.offer_verbalizer",
    "language.reading": "language.parsing.interpretation",
    "language.words": "language.generation.templates",
    "language_model.core": "language_model.wrapped_agent_loader",
    "language_model.opening": "language_model.paraphraser_factory",
    "language_model.voice": "language_model.paraphraser",
    "strategies.expressive.behaviour": "strategies.expressive.initiative_timing",
    "strategies.expressive.faces": "strategies.expressive.emotion_policy",
    "strategies.expressive.ledger": "strategies.expressive.favour_ledger",
    "strategies.expressive.mind": "strategies.expressive.agent_state",
    "strategies.expressive.offers": "strategies.expressive.offer_policies",
    "strategies.expressive.disclosure_policies": "strategies.dialogue.disclosures",
    "strategies.expressive.opponent_model": "strategies.dialogue.opponent_model",
    "strategies.expressive.wording": "strategies.dialogue.disclosures",
    "strategies.negochat.equipment": "strategies.negochat.negotiation_model_builder",
    "strategies.negochat.thresholds": "strategies.negochat.bid_thresholds",
    "strategies.orderings": "strategies.issue_importance_orderings",
    "strategies.conversation_helpers": "strategies",
    "strategies.talk": "strategies",
    "testing.table": "testing.trial_table",
}
"""Modules that the guides or the API reference named, with their present paths; all in ``negoplatform``."""

NAMES = {
    "Act": "DialogueAct",
    "Bar": "AspirationLevels",
    "Bidding": "BiddingMeasures",
    "BySeat": "SeatMap",
    "ByType": "PerTypeThresholds",
    "Choices": "NegotiationModelOptions",
    "Doubt": "Ambiguity",
    "Equipment": "NegotiationModel",
    "FileProblem": "InputFileError",
    "LogFailed": "LogWriteError",
    "Mind": "ExpressiveAgentState",
    "Part": "TextAnnotation",
    "PartKind": "AnnotationKind",
    "Party": "ScriptedParticipant",
    "Quantiles": "QuantileThresholds",
    "Reading": "Interpretation",
    "STYLES": "VOICES",
    "SURE": "CONFIDENCE_THRESHOLD",
    "Standing": "IssueStatus",
    "Table": "ThresholdTable",
    "Voice": "Paraphraser",
    "Way": "FavourPolicy",
    "core_class": "decision_agent_class",
    "listed": "list_in_words",
}
"""Names that these modules and the packages' ``__all__`` had, with the present ones."""


def _present_path(old: str) -> str:
    """Return the present path of a module."""
    return "negoplatform." + MODULES[old.removeprefix("negoplatform.")]


class _RenamedModule(ModuleType):
    """Module at an old path whose names are those of the module at the present path."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        module = import_module(_present_path(self.__name__))
        present = NAMES.get(name, name)
        # A name that was replaced in one module may be the present one in another.
        return getattr(module, present if hasattr(module, present) else name)

    def __dir__(self) -> list[str]:
        return dir(import_module(_present_path(self.__name__)))


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
        return ModuleSpec(name, cls) if name.removeprefix("negoplatform.") in MODULES else None  # type: ignore[arg-type]  # a class as loader

    @staticmethod
    def create_module(spec: ModuleSpec) -> ModuleType:
        """Return the module that forwards to the present path."""
        return _RenamedModule(spec.name)

    @staticmethod
    def exec_module(module: ModuleType) -> None:
        """Import the module at the present path."""
        import_module(_present_path(module.__name__))


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
