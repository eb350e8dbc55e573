"""Cards of games and agents, and unusable plugin files; computed without Tk."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.core.mechanisms.double_auction_state import market_terms
from negoplatform.core.mechanisms.market import Market
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.core.mechanisms.trading import Trading
from negoplatform.domain.game import GameSpec
from negoplatform.language import is_language_parsed
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.presentation.agent_characters import CHARACTERS
from negoplatform.presentation.bidi import RIGHT_TO_LEFT
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import (
    displayable,
    join_names,
    localized_text,
    role_name,
    truncate,
)
from negoplatform.presentation.start.agent_option_fields import agent_options
from negoplatform.presentation.start.trust_question import permissions_text

UNTRUSTED_SUFFIX = " (not yet trusted)"
"""Suffix of the name of an item that must be trusted before use; never shown, so not translated."""

USUAL_AGENTS = {
    BARGAINING: ("negochat",),
    Trading.name: ("tac_baseline",),
    Market.name: ("zip", "zero_intelligence"),
}
"""Agents that are proposed for a kind of game, in order of preference."""

LONGEST = 240
"""Maximum length of a description on a card, in characters."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ChoiceCard:
    """Contents of a card.

    Args:
        key: Unique key.
        title: Heading.
        text: Description in a line or two.
        footer: Further details.
        warning: Warning before the choice; empty if there is none.
        portrait_name: Name that selects the portrait; empty for none.
        selectable: Whether it can be chosen.
    """

    key: str
    title: str
    text: str = ""
    footer: str = ""
    warning: str = ""
    portrait_name: str = ""
    selectable: bool = True


@dataclass(frozen=True, slots=True)
class UnusablePlugin:
    """Plugin that cannot be used: its name, its file, and the reason."""

    name: str
    file: str
    reason: str

    @property
    def description(self) -> str:
        """Paragraph about the plugin; the file is added unless the reason names it or its folder."""
        named = self.file in self.reason or f"{Path(self.file).parent}{os.sep}" in self.reason
        where = "" if named else f"\n{self.file}"
        return f"{self.name}{where}\n{self.reason}\n"


def selectable_rows(rows: Sequence[CatalogueEntry[T]]) -> dict[str, CatalogueEntry[T]]:
    """Return the rows that can be used now, or once they are trusted, by a unique key."""
    found = {row.name: row for row in rows if row.item is not None}
    for row in rows:
        if row.untrusted is not None:
            name = f"{row.name}{UNTRUSTED_SUFFIX}"
            found[name if name not in found else f"{row.file}{UNTRUSTED_SUFFIX}"] = row
    return found


def games_by_kind(rows: Sequence[CatalogueEntry[GameSpec]]) -> list[CatalogueEntry[GameSpec]]:
    """Return the games in the order of the start window: those of bargaining first; others as they were."""
    kinds = list(USUAL_AGENTS)

    def place(row: CatalogueEntry[GameSpec]) -> int:
        game = row.item or row.preview
        return 0 if game is None or game.mechanism not in kinds else kinds.index(game.mechanism)

    return sorted(rows, key=place)


def selectable_key(name: str, rows: Mapping[str, CatalogueEntry[T]], file: Path | None = None) -> str:
    """Return the key of a listed item; empty if it is not listed, because nothing else may replace it.

    Args:
        name: Name that a person uses, or used, for the item.
        rows: Listed items.
        file: File of the item, which may have changed its name when it was trusted; None for any file.
    """
    for key in (name, f"{name}{UNTRUSTED_SUFFIX}"):
        if key in rows and file in (None, rows[key].file):
            return key
    same = [key for key, row in rows.items() if row.file == file]
    return same[0] if len(same) == 1 else ""


def limits_text(seconds: float | None, offers: int | None, translate: Language) -> str:
    """Return the limits of a game: minutes, offers, or both."""
    minutes = None if seconds is None else round(seconds / 60, 1)
    limits = [
        *(
            []
            if minutes is None
            else [translate.plural("{n} minute", "{n} minutes", minutes, n=f"{minutes:g}")]
        ),
        *([] if offers is None else [translate.plural("{n} offer", "{n} offers", offers)]),
    ]
    return ", ".join(limits) or translate("no time limit")


def game_card(key: str, row: CatalogueEntry[GameSpec], translate: Language) -> ChoiceCard:
    """Return the card of a game: title, description, issues or goods, seats if more than two, and time."""
    game = row.item or row.preview
    if game is None:
        return ChoiceCard(key, role_name(row.name), warning=_trust_warning(row, translate))
    own, seconds = translate.for_game(game.name), game.rules.deadline_seconds
    if game.mechanism == Market.name and seconds is None:
        seconds = market_terms(game).total_seconds
    limit = limits_text(seconds, game.rules.deadline_offers, translate)
    goods = () if game.economy is None else game.economy.goods
    facts = [
        translate.plural("{n} good", "{n} goods", len(goods))
        if goods
        else translate.plural("{n} issue", "{n} issues", len(game.issues))
    ]
    if game.fewest_seats:
        facts.append(
            translate("{fewest} to {most} seats", fewest=str(game.fewest_seats), most=str(len(game.seats)))
        )
    elif len(game.seats) > 2:
        facts.append(translate.plural("{n} seat", "{n} seats", len(game.seats)))
    return ChoiceCard(
        key,
        localized_text(game.title or game.name, own),
        text=truncate(localized_text(game.description, own), LONGEST),
        footer="  ·  ".join([*facts, limit]),
        warning=_trust_warning(row, translate),
    )


def can_play(row: CatalogueEntry[AgentPlugin], game: GameSpec | None) -> bool:
    """Return whether a listed agent can be chosen for a game; one whose code has not been run always can."""
    return game is None or row.item is None or row.item.plays(game)


def usual_agent_key(game: GameSpec | None, rows: Mapping[str, CatalogueEntry[AgentPlugin]]) -> str:
    """Return the key of the agent that is proposed for a game's kind; empty if it is not listed.

    Args:
        game: The game; None: there is none.
        rows: The agents that can play it, by key.
    """
    if game is None:
        return ""
    names = USUAL_AGENTS.get(game.mechanism, ())
    if game.mechanism == Market.name and market_terms(game).rules:
        names = ("land_trader", *names)
    return next((name for name in names if name in rows), "")


def agent_card(
    key: str, row: CatalogueEntry[AgentPlugin], translate: Language, game: GameSpec | None = None
) -> ChoiceCard:
    """Return the card of an agent: name, description, and displayed name in a session.

    Args:
        key: Unique key.
        row: The agent.
        translate: The window's language.
        game: The chosen game; the card of an agent that does not play it says so.
    """
    agent = row.item
    if agent is None:
        origin, asked = [], ""
        if row.preview is not None:
            origin = _origin(row.preview, translate)
            asked = permissions_text(row.preview.manifest.permissions, translate)
        return ChoiceCard(
            key,
            role_name(row.name),
            text=truncate(asked, LONGEST),
            footer=_separated(origin, translate),
            warning=_trust_warning(row, translate),
        )
    appearance = (
        [translate("Appears as {name}", name=displayable(agent.reported_name))] if agent.reported_name else []
    )
    text = truncate(localized_text(agent.description, translate.for_agents()), LONGEST)
    if agent.manifest.permissions:
        text += "\n" + truncate(permissions_text(agent.manifest.permissions, translate), LONGEST)
    if not is_language_parsed(translate.code) and _has_talk_language(agent):
        text += "\n" + translate(
            "Its messages are in English, and it can’t read what’s typed in this language."
        )
    return ChoiceCard(
        key,
        role_name(agent.name),
        text=text,
        footer=_separated([*appearance, *_origin(agent, translate)], translate),
        warning="" if game is None or can_play(row, game) else _unfit_warning(agent, game, translate),
        portrait_name=agent.avatar if agent.avatar in CHARACTERS else agent.reported_name or agent.name,
        selectable=can_play(row, game),
    )


def _unfit_warning(agent: AgentPlugin, game: GameSpec, translate: Language) -> str:
    """Return why an agent cannot play a game: its kind, or the rules of a market's phases."""
    if game.mechanism in agent.mechanisms:
        rules = join_names([role_name(name) for name in agent.market_rules], translate)
        return translate(
            "It can’t play the chosen game, only markets with these rules: {rules}.", rules=rules
        )
    kinds = join_names([role_name(kind) for kind in agent.mechanisms], translate)
    return translate("It can’t play the chosen game, only other kinds of game: {kinds}.", kinds=kinds or "–")


def _has_talk_language(agent: AgentPlugin) -> bool:
    """Return whether an agent has the setting of every agent that talks: its language."""
    return any(option.name == "language" for option in agent_options(agent.options))


def _origin(agent: AgentPlugin, translate: Language) -> list[str]:
    """Return an agent's version, author and licence, as far as its manifest states them."""
    manifest = agent.manifest
    parts = [
        translate("Version {version}", version=displayable(manifest.version)) if manifest.version else "",
        translate("by {author}", author=displayable(manifest.author)) if manifest.author else "",
        displayable(manifest.licence),
    ]
    return [truncate(part, LONGEST) for part in parts if part]


def _separated(parts: Sequence[str], translate: Language) -> str:
    """Return parts in one line; in a language from right to left, in its order also if they are Latin."""
    return (f"{RIGHT_TO_LEFT}  ·  " if translate.rtl else "  ·  ").join(parts)


def unusable_plugins(rows: Sequence[CatalogueEntry[T]]) -> list[UnusablePlugin]:
    """Return the plugins that cannot be used, with the reasons."""
    return [
        UnusablePlugin(displayable(row.name), displayable(str(row.file)), displayable(row.reason))
        for row in rows
        if row.item is None and row.untrusted is None
    ]


def _trust_warning(row: CatalogueEntry[Any], translate: Language) -> str:
    if row.untrusted is None:
        return ""
    if row.asks_more:
        return translate("It asks for more than you trusted it with.")
    if row.changed:
        return translate("It has changed since you trusted it. None of the new code has been run.")
    return translate("Not trusted yet. None of its code has been run.")
