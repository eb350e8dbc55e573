"""Earlier files of the shipped agents that act the same as the present ones.

A session can be resumed or rerun only with the agent that played it. The header of its log names the agent's
file by its hash, and a shipped file also changes where its agents act the same: names, comments, imports.
Remove an entry when an agent of that file acts differently.
"""

from __future__ import annotations

from types import MappingProxyType

from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.search_path import PluginSource
from negoplatform.formats.log_header import Occupant
from negoplatform.plugins.agent_loader import AgentPlugin

EARLIER_FILES = MappingProxyType(
    {
        "c8b898c6ab189f6bae2fca97dabee55ce8c13284f35bfa46e763cbdb4647b93b": "micro.py",
        "4acab459ff8db8ed6b0f678a836b8ae6dfefcc1ffac014fec950c69a8d49529f": "random_bids.py",
        "d442689105fb1fc759a5e5a2939d7ae3205e7abde1bd17bc1a0e1e2e16720ea8": "time_dependent.py",
        "a808360de5d8bb7629c6ab83718f8078d2620fefde12cfe59d5f0746a93b716e": "tit_for_tat.py",
        "a6f8609a2f7b5e7bd730f991ba6f3416916ddc1d2eddf1a64c1fed54747cfff2": "time_dependent.py",
        # These differ in games with turns, which were not there then.
        "6666a71749ff8182035920dcb31a4f69ac0dcec34e9ffc6096266c2c015d17f3": "micro.py",
        "b295d5e38e90aec6ba26ea1976113955577cc110e509268ca73e1f6a36acf991": "time_dependent.py",
        "b36610d28f78c582971bf371b225583c1ba0adb4b8942bfccfa7a20c8cc97562": "tit_for_tat.py",
        "e820297d5d88b00bd40ddca25a6e8882b1239e49e5995b9756f8ba7b0f1fafb1": "language_model.py",
    }
)
"""Name of the shipped file, by the SHA-256 of an earlier version of it."""


def acts_as_logged(entry: CatalogueEntry[AgentPlugin], occupant: Occupant) -> bool:
    """Return whether a file is the one that a log names, or a later version that acts the same.

    Args:
        entry: An agent in the catalogue. Its name is not compared.
        occupant: The agent, as the log's header names it.
    """
    plugin = entry.item
    if plugin is None or occupant.sha256 is None:
        return False
    is_later = entry.source is PluginSource.PROGRAM and EARLIER_FILES.get(occupant.sha256) == plugin.file.name
    return plugin.sha256 == occupant.sha256 or is_later
