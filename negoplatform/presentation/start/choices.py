"""What there is to choose before a session, and what was chosen: without Tk."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from negoplatform.app.catalogue.catalogue import CatalogueEntry
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import Seat, SeatMap
from negoplatform.plugins.code_file import CodeFile
from negoplatform.plugins.loader import AgentPlugin
from negoplatform.presentation.characters import CHARACTERS
from negoplatform.presentation.formatting import displayable, localized_text, role_name, truncate
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.start.agent_option_fields import Entered

UNTRUSTED_SUFFIX = " (not yet trusted)"
"""Stands behind the name of what has to be trusted before it can be used; never shown, so not translated."""

LONGEST = 240
"""Characters of a description on a card."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChoiceCard:
    """What stands on a card.

    Args:
        key: What tells it from the others.
        title: Its heading.
        text: A line or two about it.
        footer: Figures.
        warning: What to think of before it is chosen; empty if nothing.
        portrait_name: Whose face it shows; empty for none.
    """

    key: str
    title: str
    text: str = ""
    footer: str = ""
    warning: str = ""
    portrait_name: str = ""


@dataclass(frozen=True, slots=True)
class UnusablePlugin:
    """What is no card because it cannot be used: its name, where it comes from, and why not."""

    name: str
    file: str
    reason: str

    @property
    def description(self) -> str:
        """All of it as a paragraph; most reasons name the file themselves, or the one beside it."""
        named = self.file in self.reason or f"{Path(self.file).parent}{os.sep}" in self.reason
        where = "" if named else f"\n{self.file}"
        return f"{self.name}{where}\n{self.reason}\n"


@dataclass(frozen=True, slots=True)
class StartChoice:
    """What was chosen, as it stands in the fields.

    Args:
        seat: The participant's seat; None for the usual one.
        profiles: The seats' profiles, where the game has several.
        trusted_files: The files of what was chosen that the person who chose it trusts as of now.
        settings: What the agent is set to, where it declares what can be set.
        entered: What stands in the fields for each agent's settings, by the agent's name and the setting's.
        game_file: The file of the game, which tells it when names change; None: whichever has the name.
        agent_file: The file of the agent, likewise.
        unfolded: Whether the advanced settings are shown.
        handed_over: Whether a participant takes over at once.
    """

    game: str
    agent: str
    participant: str
    seed: str
    minutes: str
    seat: Seat | None = None
    profiles: SeatMap[str] = field(default_factory=SeatMap)
    trusted_files: tuple[CodeFile, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    entered: Mapping[str, Mapping[str, Entered]] = field(default_factory=dict)
    game_file: Path | None = None
    agent_file: Path | None = None
    unfolded: bool = False
    handed_over: bool = False


def selectable_rows(rows: Sequence[CatalogueEntry[T]]) -> dict[str, CatalogueEntry[T]]:
    """What can be chosen, by a name of its own: what can be used now, or once it is trusted."""
    found = {row.name: row for row in rows if row.item is not None}
    for row in rows:
        if row.untrusted is not None:
            name = f"{row.name}{UNTRUSTED_SUFFIX}"
            found[name if name not in found else f"{row.file}{UNTRUSTED_SUFFIX}"] = row
    return found


def selectable_key(name: str, rows: Mapping[str, CatalogueEntry[T]], file: Path | None = None) -> str:
    """Under which name something is listed; empty if it is not: nothing else is taken for it.

    Args:
        name: What a person calls it, or called it.
        rows: What is listed.
        file: Its file, under whatever name: what was just trusted is called as it says itself. None: any.
    """
    for key in (name, f"{name}{UNTRUSTED_SUFFIX}"):
        if key in rows and file in (None, rows[key].file):
            return key
    same = [key for key, row in rows.items() if row.file == file]
    return same[0] if len(same) == 1 else ""


def game_card(key: str, row: CatalogueEntry[GameSpec], translate: Language) -> ChoiceCard:
    """A game as a card: its title, what it is about, how much there is to negotiate and for how long."""
    game = row.item or row.preview
    if game is None:
        return ChoiceCard(key, role_name(row.name), warning=_trust_warning(row, translate))
    own, seconds = translate.for_game(game.name), game.rules.deadline_seconds
    limit = (
        translate("no time limit")
        if seconds is None
        else translate.plural("{n} minute", "{n} minutes", seconds / 60, n=f"{seconds / 60:g}")
    )
    issues = translate.plural("{n} issue", "{n} issues", len(game.issues))
    return ChoiceCard(
        key,
        localized_text(game.title or game.name, own),
        text=truncate(localized_text(game.description, own), LONGEST),
        footer=f"{issues}  ·  {limit}",
        warning=_trust_warning(row, translate),
    )


def agent_card(key: str, row: CatalogueEntry[AgentPlugin], translate: Language) -> ChoiceCard:
    """An agent as a card: its name, what it does, and who it appears as."""
    agent = row.item
    if agent is None:
        origin = [] if row.preview is None else _origin(row.preview, translate)
        return ChoiceCard(
            key, role_name(row.name), footer="  ·  ".join(origin), warning=_trust_warning(row, translate)
        )
    called = (
        [translate("Appears as {name}", name=displayable(agent.reported_name))] if agent.reported_name else []
    )
    return ChoiceCard(
        key,
        role_name(agent.name),
        text=truncate(localized_text(agent.description, translate.for_agents()), LONGEST),
        footer="  ·  ".join([*called, *_origin(agent, translate)]),
        portrait_name=agent.avatar if agent.avatar in CHARACTERS else agent.reported_name or agent.name,
    )


def choice_summary(game: str, agent: str, called: str, translate: Language) -> str:
    """What is chosen, in a line: ``Campsite with Alex (negochat)``; empty while something is missing."""
    if not game or not agent:
        return ""
    with_whom = translate("{name} ({agent})", name=displayable(called), agent=agent) if called else agent
    return translate("{game} with {agent}", game=displayable(game), agent=with_whom)


def _origin(agent: AgentPlugin, translate: Language) -> list[str]:
    """Which version of an agent it is, whose, and under which licence, as far as its author says so."""
    said = agent.manifest
    parts = [
        translate("Version {version}", version=displayable(said.version)) if said.version else "",
        translate("by {author}", author=displayable(said.author)) if said.author else "",
        displayable(said.licence),
    ]
    return [truncate(part, LONGEST) for part in parts if part]


def unusable_plugins(rows: Sequence[CatalogueEntry[T]]) -> list[UnusablePlugin]:
    """What cannot be used, and why not."""
    return [
        UnusablePlugin(displayable(row.name), displayable(str(row.file)), displayable(row.reason))
        for row in rows
        if row.item is None and row.untrusted is None
    ]


def _trust_warning(row: CatalogueEntry[Any], translate: Language) -> str:
    if row.untrusted is None:
        return ""
    if row.changed:
        return translate("It has changed since you trusted it. None of the new code has been run.")
    return translate("Not trusted yet. None of its code has been run.")
