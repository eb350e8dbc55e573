"""Catalogue of games and agents: search path, trust and credentials."""

from negoplatform.app.catalogue.catalogue import (
    agent_from_entry,
    find_agent,
    find_game,
    game_folder,
    game_from_entry,
    is_plugin_path,
    list_agents,
    list_games,
)
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry, find_entry
from negoplatform.app.catalogue.search_path import (
    AGENT_FILE,
    PluginKind,
    PluginSource,
    agent_files,
    default_name,
    game_files,
    plugin_files,
)
from negoplatform.app.catalogue.trust import (
    CONTAINED,
    DANGER,
    Trust,
    TrustedFile,
    open_trust,
    permissions_sentence,
)

__all__ = [
    "AGENT_FILE",
    "CONTAINED",
    "DANGER",
    "CatalogueEntry",
    "PluginKind",
    "PluginSource",
    "Trust",
    "TrustedFile",
    "agent_files",
    "agent_from_entry",
    "default_name",
    "find_agent",
    "find_entry",
    "find_game",
    "game_files",
    "game_folder",
    "game_from_entry",
    "is_plugin_path",
    "list_agents",
    "list_games",
    "open_trust",
    "permissions_sentence",
    "plugin_files",
]
