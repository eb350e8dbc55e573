"""Entries of the catalogue, and the one that a person means."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Generic, TypeVar

from negoplatform.app.catalogue.search_path import AGENT_FILE, PluginSource, default_name
from negoplatform.domain.errors import NegoError
from negoplatform.plugins.agent_loader import ASSISTANT_ROLES, PRINCIPAL_ROLE, SEAT_ROLE
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.plugins.game_state_loader import GAME_FILE
from negoplatform.plugins.policy_files import MARKED_BYTES, POLICY_SUFFIX

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CatalogueEntry(Generic[T]):
    """Entry of the catalogue: an agent or a game, or the reason why it cannot be used.

    Args:
        name: Its name.
        file: Its file.
        item: The agent or game; None: it cannot be used.
        reason: The reason why not, as a sentence.
        untrusted: The Python file that has to be trusted first; nothing of it has been run. None if there is
            none.
        preview: The part of an untrusted item that is known without running its code; not to be played with.
        source: The kind of folder it comes from.
        changed: Whether an untrusted file was trusted with another content.
        asks_more: Whether an untrusted file is trusted with fewer permissions than it asks for now.
    """

    name: str
    file: Path
    item: T | None
    reason: str = ""
    untrusted: CodeFile | None = None
    preview: T | None = None
    source: PluginSource = PluginSource.PROGRAM
    changed: bool = False
    asks_more: bool = False


NOUNS = {SEAT_ROLE: "agent", PRINCIPAL_ROLE: "principal", ASSISTANT_ROLES[0]: "assistant"}
"""Word for the wanted plug-in, by its role."""


def is_path(wanted: str) -> bool:
    """Return whether a text is a path and not a name: no file in the working folder is run for its name."""
    return wanted in (os.curdir, os.pardir) or any(mark in wanted for mark in (os.sep, os.altsep) if mark)


def find_entry(
    entries: Iterable[CatalogueEntry[T]], name: str, trusting: Iterable[CodeFile]
) -> CatalogueEntry[T] | None:
    """Return the entry that was shown and chosen, by its name and the file trusted with it, or None."""
    trusted, same = set(trusting), [row for row in entries if row.name == name]
    return next(
        (row for row in same if row.untrusted in trusted),
        next((row for row in same if row.item is not None), None),
    )


def reject_duplicate_names(rows: list[CatalogueEntry[T]]) -> list[CatalogueEntry[T]]:
    """Return the entries, of which later ones with a name that is taken cannot be used."""
    taken: dict[str, Path] = {}
    kept: list[CatalogueEntry[T]] = []
    for row in rows:
        # A person who trusted it would get the other one.
        if (row.item is not None or row.untrusted is not None) and row.name in taken:
            reason = f"the name {row.name!r} belongs to {taken[row.name]}; rename this one"
            row = replace(row, item=None, untrusted=None, preview=None, reason=f"{row.file}: {reason}.")
        elif row.item is not None:
            taken[row.name] = row.file
        kept.append(row)
    return kept


def require_item(rows: list[CatalogueEntry[T]], wanted: str, kind: str) -> T:
    """Return the agent or game of a name.

    Raises:
        NegoError: If there is none that can be used, with the reason.
    """
    for row in rows:
        if row.name == wanted and row.item is not None:
            return row.item
    for row in rows:
        if row.name == wanted and row.untrusted is not None:
            raise NegoError(f"The {kind} {wanted!r} is {row.reason}")
        if row.name == wanted:
            raise NegoError(f"The {kind} {wanted!r} cannot be used: {row.reason}")
    several = [row.name for row in rows if row.item is not None and default_name(row.file) == wanted]
    if several and kind in NOUNS.values():
        raise NegoError(
            f"The file {wanted} holds {kind}s of other names; choose one of {', '.join(several)}."
        )
    if kind == NOUNS[SEAT_ROLE] and wanted.endswith(POLICY_SUFFIX) and Path(wanted).is_file():
        raise NegoError(
            f"{wanted} is not the file of a policy, which has a name without _ or . at its beginning and "
            f'"schema": "negoplatform.policy/1" among its first or last {MARKED_BYTES:,} bytes.'
        )
    there = [row.name for row in rows if row.item is not None]
    near = get_close_matches(wanted, there, n=1)
    nearest = f"; the nearest name is {near[0]!r}. There is" if near else "; there is"
    listed = ", ".join(there)
    raise NegoError(f"There is no {kind} {wanted!r}{nearest} {listed}, or give a file.{_path_hint(wanted)}")


def _path_hint(wanted: str) -> str:
    """Return how to write the path of a folder with the name of a bare word, which is not looked into."""
    if is_path(wanted) or not any((Path(wanted) / file).is_file() for file in (AGENT_FILE, GAME_FILE)):
        return ""
    return f" The folder {wanted} that lies here is named by its path: {os.curdir}{os.sep}{wanted}"
