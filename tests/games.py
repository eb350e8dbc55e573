"""Small games unlike the shipped ones: more seats, other issues, odd points."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.search_path import game_files
from negoplatform.domain.assistant_settings import AssistantKind, AssistantSpec
from negoplatform.domain.command_settings import PrincipalSpec, TeamSpec
from negoplatform.domain.game import GameSpec, Preferences, Rules, Visibility
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.domain.utility import AdditiveUtility, Points
from negoplatform.formats.games import dump_game, load_game
from negoplatform.plugins.program_and_user_folders import bundled

COLOURS = CategoricalIssue("colour", ("red", "green", "blue"))
COINS = QuantityIssue("coins", 4)


def make_game(
    tables: dict[Seat, dict[str, Any]],
    *,
    issues: tuple[Issue, ...],
    reservation: Points = 0,
    visible: tuple[Seat, ...] = (),
    **rules: Any,
) -> GameSpec:
    """Return a game with a table of points per seat and issue; a list has the points by units."""
    seats = tuple(tables)
    return GameSpec(
        name="made_up",
        issues=issues,
        seats=seats,
        preferences=SeatMap(
            (
                seat,
                Preferences(
                    AdditiveUtility(seat, {name: _table(t) for name, t in issue.items()}), reservation
                ),
            )
            for seat, issue in tables.items()
        ),
        visibility=SeatMap(
            (seat, Visibility.PUBLIC if seat in visible else Visibility.OWNER) for seat in seats
        ),
        rules=Rules(**rules),
        title="Made up",
    )


def _table(points: Any) -> Any:
    return dict(enumerate(points)) if isinstance(points, list) else points


def three_seats(**rules: Any) -> GameSpec:
    """Return a game in which red, green and blue divide four coins and choose a colour."""
    tables = {
        seat: {
            "coins": [2 * units for units in range(5)],
            "colour": {value: 3 if value == seat else 0 for value in COLOURS.values},
        }
        for seat in COLOURS.values
    }
    return make_game(tables, issues=(COINS, COLOURS), reservation=1, **rules)


def commanded(visibility: Visibility = Visibility.OWNER, **rules: Any) -> GameSpec:
    """Return a game of three seats with a chain of command, a team and a coach.

    ``head`` is over red and green, ``chief`` over head; green and blue share their limits; red has a coach.

    Args:
        visibility: Who may see green's preferences.
        rules: Rules of the game.
    """
    return replace(
        three_seats(**rules),
        visibility=SeatMap({"green": visibility}),
        principals=SeatMap(
            {
                "head": PrincipalSpec("head", ("red", "green")),
                "chief": PrincipalSpec("chief", ("head",)),
            }
        ),
        teams=(TeamSpec(("green", "blue"), share=("Limits",)),),
        assistants=SeatMap(
            {"coach": AssistantSpec("coach", seat="red", coach=True, kind=AssistantKind.AGENDA)}
        ),
    )


def game_file(folder: Path, game: GameSpec) -> str:
    """Write a game to a file in a folder and return its path."""
    path = folder / f"{game.name}.json"
    path.write_text(json.dumps(dump_game(game)), encoding="utf-8")
    return str(path)


def categorical_only(**rules: Any) -> GameSpec:
    """Return a game with two issues of named values, on which the seats' preferences are opposed."""
    size = CategoricalIssue("size", ("small", "large"))
    tables = {
        "human": {"colour": {"red": 6, "green": 4, "blue": 0}, "size": {"small": 0, "large": 5}},
        "agent": {"colour": {"red": 0, "green": 4, "blue": 6}, "size": {"small": 5, "large": 0}},
    }
    return make_game(tables, issues=(COLOURS, size), reservation=3, **rules)


def burdens(**rules: Any) -> GameSpec:
    """Return a game about ten chores: every outcome costs both sides, and no deal costs more."""
    chores = QuantityIssue("chores", 10)
    tables = {
        "human": {"chores": [-3 * units for units in range(11)]},
        "agent": {"chores": [-2 * units for units in range(11)]},
    }
    return make_game(tables, issues=(chores,), reservation=-18, **rules)


def coins_only(**rules: Any) -> GameSpec:
    """Return the smallest game: two seats divide four coins."""
    tables = {seat: {"coins": list(range(5))} for seat in ("human", "agent")}
    return make_game(tables, issues=(COINS,), **rules)


def with_rules(game: GameSpec, **changes: Any) -> GameSpec:
    """Return the same game under other rules."""
    return replace(game, rules=replace(game.rules, **changes))


def shipped_games(mechanism: str = "") -> list[GameSpec]:
    """Return the shipped games, as in their files; only those of a mechanism if one is named."""
    games = [load_game(file) for file in game_files(bundled("games"))]
    return [game for game in games if mechanism in ("", game.mechanism)]
