"""Choice with which the start window opens: the command line's options, else what was chosen last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.session.agent_placement import default_human_seat, split_settings_file
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.plugins.agent_loader import AgentPlugin
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.start.agent_option_fields import (
    Entered,
    agent_options,
    entry_for,
    parse_settings,
)
from negoplatform.presentation.start.agent_seats import entered_for
from negoplatform.presentation.start.counterpart_fields import entered_counterpart
from negoplatform.presentation.start.last_choice import read_choice
from negoplatform.presentation.start.launch_options import LaunchOptions
from negoplatform.presentation.start.participant_code_and_seed import draw_code, draw_seed
from negoplatform.presentation.start.plugin_cards import selectable_key, selectable_rows
from negoplatform.presentation.start.start_choice import SeatAgent, StartChoice

DEFAULT_GAME, DEFAULT_AGENT = "practice", "negochat"
"""Initial choice without options and without a last choice."""

AgentRows = Sequence[CatalogueEntry[AgentPlugin]]
"""Rows of the agents that the start window lists."""


def choose_initially(data_dir: Path, options: LaunchOptions, entered: Mapping[str, Any]) -> StartChoice:
    """Return the initial choice.

    Args:
        data_dir: The data folder, with the last choice.
        options: The options of the command line.
        entered: The settings of the command line, as contents of fields by agent.
    """
    limit = options.time_limit
    last = read_choice(data_dir) or StartChoice(DEFAULT_GAME, DEFAULT_AGENT, "", "", "")
    return StartChoice(
        game=options.game or last.game,
        agent=split_settings_file(options.agent)[0] if options.agent else last.agent,
        participant=options.participant or draw_code(),
        seed=str(draw_seed() if options.seed is None else options.seed),
        minutes=last.minutes if limit is None else f"{limit / 60:g}",
        seat=options.seat or last.seat,
        seats=last.seats if options.seats is None else options.seats,
        profiles=SeatMap({**last.profiles, **options.profiles}),
        counterpart={**last.counterpart, **entered_counterpart(options.counterpart)},
        offer_requests=last.offer_requests and options.offer_requests,
        entered={**last.entered, **entered},
        game_file=None if options.game else last.game_file,
        agent_file=None if options.agent else last.agent_file,
        unfolded=last.unfolded,
        seat_agents=SeatMap() if options.agent else last.seat_agents,
    )


def entered_settings(settings: Mapping[str, Any], agents: AgentRows) -> dict[str, dict[str, Entered]]:
    """Return the command line's settings as contents of the fields of the agents that have them."""
    if not settings:
        return {}
    return {
        row.name: {
            option.name: entry_for(option, settings[option.name])
            for option in agent_options(row.item.options)
            if option.name in settings
        }
        for row in agents
        if row.item is not None
    }


def completed_choice(
    choice: StartChoice, games: Sequence[CatalogueEntry[GameSpec]], agents: AgentRows, translate: Language
) -> StartChoice | None:
    """Return a choice with the agents of all seats and their settings; None if the window has to be used."""
    selectable = selectable_rows(games)
    game = selectable.get(selectable_key(choice.game, selectable, choice.game_file))
    if game is None or game.item is None:
        return None
    played = choice.played(game.item)
    seat = choice.seat if choice.seat in played.seats else default_human_seat(played)
    wanted = {
        other: _agent_of_seat(choice, other, played, agents, translate) for other in played.others(seat)
    }
    found = {other: agent for other, agent in wanted.items() if agent is not None}
    if len(found) < len(wanted):
        return None
    usual = next(iter(found.values()))
    return replace(
        choice,
        game=game.name,
        agent=usual.name,
        settings=usual.settings,
        seat_agents=SeatMap({**choice.seat_agents, **(found if len(found) > 1 else {})}),
        handed_over=True,
    )


def _agent_of_seat(
    choice: StartChoice, seat: Seat, game: GameSpec, agents: AgentRows, translate: Language
) -> SeatAgent | None:
    """Return the chosen agent of a seat, with its settings; None if it cannot be started as it is."""
    rows, chosen = selectable_rows(agents), choice.agent_at(seat, len(game.seats))
    row = rows.get(selectable_key(chosen.name, rows, chosen.file))
    if row is None or row.item is None:
        return None
    several = len(game.seats) > 2
    entered = entered_for(choice.entered, seat if several else None, row.name)
    settings = parse_settings(agent_options(row.item.options), entered, translate)
    return None if settings.errors else SeatAgent(row.name, row.file, settings.values)
