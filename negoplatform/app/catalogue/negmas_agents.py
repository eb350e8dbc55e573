"""Negotiators of NegMAS as agents: ``negmas:NAME``.

NegMAS is under the AGPL-3.0 and comes with an extra. It is never imported here: whether a negotiator of that
name exists is found out in the agent's process.
"""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from negoplatform import strategies
from negoplatform.domain.errors import NegoError
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST
from negoplatform.formats.log_header import Occupant
from negoplatform.plugins.agent_loader import AgentPlugin, hash_of
from negoplatform.strategies.negmas import INSTALL_COMMAND

NEGMAS_PREFIX = "negmas:"
"""Beginning of the name of an agent that is a negotiator of NegMAS."""


BUDGET = {"load_seconds": 60.0, "soft_seconds": 10.0, "hard_seconds": 20.0}
"""Times (s) that the agent gives itself.

Importing NegMAS takes a second of processor time, and much longer on a busy machine; many negotiators sort
all outcomes before their first proposal.
"""

_CLASS = "NegmasNegotiator"
_DESCRIPTION = "A negotiator of NegMAS, in a process of its own."


def find_negmas_agent(wanted: str) -> AgentPlugin:
    """Return the agent for a negotiator of NegMAS; its code is not run, and NegMAS is not imported.

    Args:
        wanted: ``negmas:NAME``, where NAME is the name of a class in NegMAS, or ``module.Class``.

    Raises:
        NegoError: If no negotiator is named, or NegMAS is not installed.
    """
    name = wanted.removeprefix(NEGMAS_PREFIX).strip()
    if not all(part.isidentifier() for part in name.split(".")):
        raise NegoError(f"{wanted!r} names no negotiator of NegMAS; write negmas:BoulwareTBNegotiator.")
    if not _is_installed():
        raise NegoError(f"The agent {wanted} needs NegMAS, which is not installed here: {_how_to_install()}")
    file = Path(strategies.__path__[0]) / "negmas" / "negotiator_agent.py"
    return AgentPlugin(
        name=f"{NEGMAS_PREFIX}{name}",
        class_name=_CLASS,
        file=file,
        sha256=hash_of(file),
        description=_DESCRIPTION,
        settings={"negotiator": name},
        reported_name=name.rpartition(".")[2],
        manifest=EMPTY_MANIFEST.model_copy(update={"version": _installed_version()}),
        options={"type": "object", "properties": {"budget": {"type": "object", "default": BUDGET}}},
        own_process=True,
    )


def find_logged_negmas_agent(who: Occupant) -> AgentPlugin:
    """Return the agent of a log that was a negotiator of NegMAS.

    Raises:
        NegoError: If it played with another version of NegMAS or of this program.
    """
    plugin = find_negmas_agent((who.agent or "").partition("@")[0])
    here = plugin.manifest.version
    if (who.version or "") != here:
        raise NegoError(
            f"The agent {who.agent} played with NegMAS {who.version or 'of an unknown version'}, and "
            f"{here or 'an unknown version'} is installed here; install the same version."
        )
    if who.sha256 != plugin.sha256:
        raise NegoError(
            f"The agent {who.agent} was played by another version of this program ({plugin.file.name} has "
            "changed), so it may not act the same; use that version."
        )
    return plugin


def negmas_agents_sentence() -> str:
    """Return how negotiators of NegMAS are named, and how they are installed where they are not."""
    name = "negmas:NAME is a negotiator of NegMAS, such as negmas:BoulwareTBNegotiator"
    if _is_installed():
        return f"{name}; installed is {_installed_version() or 'an unknown version'}."
    return f"{name}; not installed: {_how_to_install()}"


def _is_installed() -> bool:
    return find_spec("negmas") is not None


def _installed_version() -> str:
    try:
        return version("negmas")
    except PackageNotFoundError:
        return ""


def _how_to_install() -> str:
    if getattr(sys, "frozen", False):
        return f"the packaged program cannot contain it; use the Python package: {INSTALL_COMMAND}"
    return INSTALL_COMMAND
