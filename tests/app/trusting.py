"""Trust in every file of a user's folder, and discovery of agents in this process, which is quick."""

from __future__ import annotations

from pathlib import Path

from negoplatform.app.catalogue.catalogue import find_agent, list_agents
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.domain.errors import InputFileError
from negoplatform.plugins.agent_loader import AgentPlugin, discover_in_process
from negoplatform.plugins.code_file_trust_hash import agent_code_file


def trust_all(data_dir: Path) -> None:
    """Trust every readable code file of the user's."""
    files = [
        path for pattern in ("agents/*.py", "*/*/agent.py", "*/*/state.py") for path in data_dir.glob(pattern)
    ]
    with open_trust(data_dir, print) as trust:
        for path in files:
            try:
                trust.add(agent_code_file(path, in_program=True))
            except InputFileError:
                continue


def trusted_agents(data_dir: Path) -> list[CatalogueEntry[AgentPlugin]]:
    """Return the catalogue's agents."""
    trust_all(data_dir)
    return list_agents(data_dir, describe=discover_in_process)


def trusted_agent(name: str, data_dir: Path) -> AgentPlugin:
    """Return an agent of the catalogue."""
    trust_all(data_dir)
    return find_agent(name, data_dir, describe=discover_in_process)
