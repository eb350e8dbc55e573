"""List of agents or games as lines of text."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.search_path import PluginSource
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import AgentError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST
from negoplatform.formats.agent_permissions import AgentPermissions
from negoplatform.formats.strict_json import single_line
from negoplatform.plugins.agent_loader import AgentPlugin


def catalogue_lines(
    rows: Sequence[CatalogueEntry[GameSpec]] | Sequence[CatalogueEntry[AgentPlugin]],
    plain: bool,
    game: GameSpec | None = None,
) -> Iterator[str]:
    """Yield one row per entry: name and description, or why it is unavailable, or how it is trusted.

    Args:
        rows: The entries.
        plain: Whether to yield only the names of those that can be used.
        game: A game; agents that cannot play it come last, with the reason. None: any game.
    """
    listed: list[tuple[CatalogueEntry[GameSpec] | CatalogueEntry[AgentPlugin], str]] = [
        (row, "" if game is None else _unfit_reason(row, game)) for row in rows
    ]
    if plain:
        yield from (single_line(row.name) for row, unfit in listed if row.item is not None and not unfit)
        return
    width = max((len(single_line(row.name)) for row in rows), default=0) + 2
    for row, unfit in sorted(listed, key=lambda each: bool(each[1])):
        # A file name may contain any character.
        name = single_line(row.name).ljust(width)
        origin = _origin(row)
        if row.untrusted is not None:
            # Not wrapped: a command is meant to be copied.
            yield f"{name}{origin}{row.reason}"
            continue
        text = row.item.description if row.item is not None else f"CANNOT BE USED: {row.reason}"
        if unfit:
            text = f"CANNOT PLAY IT: {unfit}"
        yield textwrap.fill(
            origin + (text or "(no description)"),
            100,
            initial_indent=name,
            subsequent_indent=" " * width,
        )


def _unfit_reason(row: CatalogueEntry[GameSpec] | CatalogueEntry[AgentPlugin], game: GameSpec) -> str:
    """Return why an agent cannot play a game; empty if it can, or its code has not been run."""
    if not isinstance(row.item, AgentPlugin):
        return ""
    try:
        row.item.check_plays(game)
    except AgentError as error:
        return str(error)
    return ""


def _origin(row: CatalogueEntry[GameSpec] | CatalogueEntry[AgentPlugin]) -> str:
    """Return an entry's source, version, author, kinds of game and permissions in brackets; empty if all are
    the usual.
    """
    agent = row.item or row.preview
    manifest = agent.manifest if isinstance(agent, AgentPlugin) else EMPTY_MANIFEST
    kinds = agent.mechanisms if isinstance(agent, AgentPlugin) else (BARGAINING,)
    own = row.source is not PluginSource.PROGRAM
    said = [
        _SOURCE_LABELS[row.source],
        f"version {manifest.version}" if own and manifest.version else "",
        f"by {manifest.author}" if own and manifest.author else "",
        f"plays {' and '.join(kinds)}" if kinds != (BARGAINING,) else "",
        _permissions(manifest.permissions),
    ]
    found = ", ".join(part for part in said if part)
    return f"({found}) " if found else ""


def _permissions(permissions: AgentPermissions) -> str:
    """Return what an agent may do beyond its seat, as a part of its brackets; empty if that is nothing."""
    # Folders in quotation marks, which no name can contain: one may be called "nothing".
    reads, writes = ([f'"{name}"' for name in names] for names in (permissions.read, permissions.write))
    asked = {"network": permissions.network, "reads": reads, "writes": writes}
    parts = [f"{what} {' and '.join(names)}" for what, names in asked.items() if names]
    return f"permissions: {'; '.join(parts)}" if parts else ""


_SOURCE_LABELS = {
    PluginSource.PROGRAM: "",
    PluginSource.BESIDE: "beside the program",
    PluginSource.USER: "yours",
}
"""Label of each source in a list."""
