"""Comparison of the points in the CaSiNo negotiations with those of the shipped campsite game.

CaSiNo (Chawla et al., NAACL 2021, CC BY 4.0) contains 1,030 negotiations of two people over three packages
each of food, water and firewood; the training and validation parts contain 930 of them, with both sides'
points. The end of each one is replayed in the shipped game.

Run: ``python benchmarks/casino_points.py FOLDER``; FOLDER contains casino_train.json and casino_valid.json.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negoplatform.core.mechanisms.registry import mechanism_of
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.domain.seat_map import Seat
from negoplatform.formats.games import load_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.testing import TrialTable

PARTS = ("casino_train.json", "casino_valid.json")
KINDS = ("Food", "Water", "Firewood")


@dataclass(frozen=True, slots=True)
class Side:
    """Side of a negotiation, with its score in the data and its score in our game.

    Args:
        dialogue: The negotiation's number in the data.
        participant: The participant on this side.
        end: ``agreement`` or ``quit``.
        recorded: Points in the data.
        played: Points at the end of our session; None if it did not end.
    """

    dialogue: int
    participant: str
    end: str
    recorded: float
    played: float | None

    @property
    def same(self) -> bool:
        """Whether the two scores are equal."""
        return self.played == self.recorded


def read_dialogues(folder: Path) -> list[Any]:
    """Return the negotiations of both parts.

    Raises:
        OSError: If a part is missing.
    """
    return [
        dialogue for part in PARTS for dialogue in json.loads((folder / part).read_text(encoding="utf-8"))
    ]


def play(dialogue: Mapping[str, Any], game: GameSpec) -> list[Side]:
    """Replay the offers of one negotiation's participants by the rules of our session.

    Raises:
        NegoError: If our rules refuse one of their actions.
    """
    people = dialogue["participant_info"]
    seat_of: dict[str, Seat] = dict(zip(sorted(people), game.seats, strict=True))
    table = TrialTable(
        game.resolve_profiles(0, {seat: _profile(people[who]) for who, seat in seat_of.items()})
    )
    for move in dialogue["chat_logs"]:
        _do(table, seat_of, move)
    state = table.state
    mechanism = mechanism_of(table.state.game.mechanism)
    end = state.ending.ended_by.value if state.ending else "none"
    return [
        Side(
            dialogue["dialogue_id"],
            who,
            end,
            people[who]["outcomes"]["points_scored"],
            mechanism.points(state, seat) if state.ending else None,
        )
        for who, seat in seat_of.items()
    ]


def _profile(person: Mapping[str, Any]) -> str:
    """Return the name of the campsite profile with a participant's order."""
    order = person["value2issue"]
    return "_".join(order[need].lower() for need in ("High", "Medium", "Low"))


def _do(table: TrialTable, seat_of: Mapping[str, Seat], move: Mapping[str, Any]) -> None:
    mine = seat_of[move["id"]]
    (other,) = (seat for seat in seat_of.values() if seat != mine)
    match move["text"]:
        case "Submit-Deal":
            # Who submits a deal there has agreed to it; here every seat formally accepts.
            offer = _offer(move["task_data"], mine, other)
            table.participant(mine).accepts(table.participant(mine).offers(offer))
        case "Accept-Deal":
            table.participant(mine).accepts()
        case "Walk-Away":
            table.participant(mine).quits()
        case _:
            pass  # Words, and Reject-Deal: after it the next deal that is submitted replaces the offer.


def _offer(deal: Mapping[str, Any], mine: Seat, other: Seat) -> Offer:
    return Offer(
        {
            kind.lower(): Allocation(
                {mine: int(deal["issue2youget"][kind]), other: int(deal["issue2theyget"][kind])}
            )
            for kind in KINDS
        }
    )


def compare(dialogues: Iterable[Mapping[str, Any]]) -> list[Side]:
    """Return both sides of every negotiation."""
    game = load_game(bundled("games") / "campsite.json")
    return [side for dialogue in dialogues for side in play(dialogue, game)]


def table_lines(sides: Sequence[Side]) -> list[str]:
    """Return the comparison as a table, and a line for each side whose points differ."""
    ends = sorted({side.end for side in sides})
    lines = [f"{'end':<12}{'sides':>8}{'same':>8}{'differ':>8}{'mean recorded':>15}{'mean played':>13}"]
    for name, some in (*((end, [s for s in sides if s.end == end]) for end in ends), ("all", list(sides))):
        same = Counter(side.same for side in some)
        recorded = sum(side.recorded for side in some) / len(some)
        played = sum(side.played or 0 for side in some) / len(some)
        lines.append(
            f"{name:<12}{len(some):>8,}{same[True]:>8,}{same[False]:>8,}{recorded:>15.2f}{played:>13.2f}"
        )
    lines += [
        f"negotiation {side.dialogue}, {side.participant}: {side.recorded} recorded, {side.played} played"
        for side in sides
        if not side.same
    ]
    return lines


def main(args: Sequence[str] | None = None) -> int:
    """Print the comparison; return 0 if every side's points are equal, and 1 if not."""
    parser = argparse.ArgumentParser(description="Compares the campsite game with the CaSiNo negotiations.")
    parser.add_argument("folder", type=Path, help="the folder with casino_train.json and casino_valid.json")
    folder = parser.parse_args(args).folder
    try:
        sides = compare(read_dialogues(folder))
    except (OSError, NegoError) as error:
        print(f"casino_points: {error}", file=sys.stderr)
        return 1
    print("\n".join(table_lines(sides)))
    return 0 if sides and all(side.same for side in sides) else 1


if __name__ == "__main__":
    sys.exit(main())
