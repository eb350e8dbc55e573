"""Benchmark of a whole tournament of 360 games, compared with NegMAS.

Six bidders play every other and themselves on both sides of five games with two seeds each; a game ends
after 100 rounds. The games have 180 to 10,000 outcomes, as the scenarios of ANAC have, and random points.
Everything is counted: playing, measuring, the files of the blocks and the tables; in processor time, which
other programs change least, and by the clock. The command as a person types it is timed from its start,
with the loading of modules and the report. The peer is NegMAS'
``cartesian_tournament`` in one process with its nearest negotiators, the same games and as many of them,
and a plain loop of its mechanism without scores. Run it with ``python -m benchmarks.tournament``;
``NEGMAS_PYTHON`` names the interpreter that has NegMAS, without one the peer is left out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from random import Random

from negoplatform.analysis.tournament.score_statistics import import_scipy_stats
from negoplatform.analysis.tournament.tables import tournament_tables
from negoplatform.app.tournament.engines import engine_choice
from negoplatform.app.tournament.tournament_plan import plan_tournament
from negoplatform.app.tournament.tournament_run import run_tournament
from negoplatform.domain.game import GameSpec, Preferences, Rules
from negoplatform.domain.issue import CategoricalIssue
from negoplatform.domain.seat_map import SeatMap
from negoplatform.domain.utility import AdditiveUtility
from negoplatform.formats.games import dump_game
from negoplatform.formats.tournament_file import tournament_of

AGENTS = ("boulware", "linear", "conceder", "micro", "tit_for_tat", "random_bids")
SIZES = ((4, 5, 3, 3), (3, 4, 4, 4, 3), (10, 10, 10), (4, 4, 4, 4, 3, 4), (10, 10, 10, 10))
"""Numbers of values of the issues of each game."""
SEEDS, ROUNDS = 2, 100
PLAYED = len(AGENTS) ** 2 * len(SIZES) * SEEDS

PEER = """
import json, sys, time
from random import Random
from negmas import Scenario, make_issue
from negmas.outcomes import make_os
from negmas.preferences import LinearAdditiveUtilityFunction, TableFun
from negmas.sao import SAOMechanism, AspirationNegotiator, MiCRONegotiator, NaiveTitForTatNegotiator
from negmas.sao import BoulwareTBNegotiator, ConcederTBNegotiator, LinearTBNegotiator, RandomNegotiator
from negmas.tournaments.neg import cartesian_tournament

AGENTS = [BoulwareTBNegotiator, LinearTBNegotiator, ConcederTBNegotiator, MiCRONegotiator,
          NaiveTitForTatNegotiator, RandomNegotiator]

def scenario(number, sizes):
    rng = Random(number)
    issues = [make_issue([f"{name}{i}" for i in range(n)], name) for name, n in zip("abcdef", sizes)]
    space = make_os(issues, name=f"game{number}")
    ufuns = [LinearAdditiveUtilityFunction(
        {i.name: TableFun({v: rng.randint(0, 100) / 100 / len(sizes) for v in i.values}) for i in issues},
        issues=issues, reserved_value=20 / 100 / len(sizes), name=seat) for seat in ("one", "other")]
    return Scenario(space, tuple(ufuns))

def loop(games, seeds, rounds):
    played = offers = 0
    for number, sizes in enumerate(games):
        made = scenario(number, sizes)
        for one in AGENTS:
            for other in AGENTS:
                for _ in range(seeds):
                    mechanism = SAOMechanism(outcome_space=made.outcome_space, n_steps=rounds)
                    mechanism.add(one(name="one"), ufun=made.ufuns[0])
                    mechanism.add(other(name="other"), ufun=made.ufuns[1])
                    mechanism.run()
                    played += 1
                    offers += len(mechanism.extended_trace)
    return played, offers

def tournament(games, seeds, rounds):
    # Its rotation of utility functions plays both sides: half as many repetitions.
    results = cartesian_tournament(
        AGENTS, [scenario(n, sizes) for n, sizes in enumerate(games)],
        n_repetitions=max(1, seeds // 2), n_steps=rounds, njobs=-1, path=None, verbosity=0,
        rotate_ufuns=True, self_play=True, save_stats=False,
        save_scenario_figs=False)
    return len(results.details), None

if __name__ == "__main__":
    found = {}
    for name, run in (("loop", loop), ("cartesian_tournament", tournament)):
        began, started = time.perf_counter(), time.process_time()
        played, offers = run(*json.loads(sys.argv[1]))
        found[name] = (played, offers, time.process_time() - started, time.perf_counter() - began)
    print(json.dumps(found))
"""


def random_points(number: int, sizes: Sequence[int]) -> GameSpec:
    """Return a game whose issues have these numbers of values, worth random points."""
    rng = Random(number)
    issues = tuple(
        CategoricalIssue(name, tuple(f"{name}{i}" for i in range(n)))
        for name, n in zip("abcdef", sizes, strict=False)
    )
    preferences = {}
    for seat in ("one", "other"):
        tables = {issue.name: {value: rng.randint(0, 100) for value in issue.values} for issue in issues}
        preferences[seat] = Preferences(AdditiveUtility(seat, tables), reservation_value=20)
    return GameSpec(f"game{number}", issues, ("one", "other"), SeatMap(preferences), rules=Rules())


@dataclass(frozen=True, slots=True)
class Timing:
    """Time of a tournament.

    Args:
        processor: Seconds of processor time, of this process and of those that it has started.
        clock: Seconds of the clock.
        offers: The number of offers; 0 where they are not known.
    """

    processor: float
    clock: float
    offers: int = 0


def write_games(folder: Path) -> None:
    """Write the files of the games."""
    for number, sizes in enumerate(SIZES):
        file = folder / f"game{number}.json"
        file.write_text(json.dumps(dump_game(random_points(number, sizes)), default=str), encoding="utf-8")


def processor_seconds() -> float:
    """Return the processor time of this process and of those that it has waited for."""
    return sum(os.times()[:4])


def tournament(folder: Path, engine: str = "inline") -> Timing:
    """Play it by an engine, without the loading of modules, as in NegMAS' figures."""
    model = tournament_of(
        {
            "agents": list(AGENTS),
            "games": ["*.json"],
            "seeds": {"n": SEEDS},
            # A round is an offer of each side.
            "deadline": {"offers": 2 * ROUNDS},
        },
        "benchmark",
    )
    import_scipy_stats()
    began, started = time.perf_counter(), processor_seconds()
    plan = plan_tournament(model, folder, folder / "data")
    found = run_tournament(plan, folder / engine, folder / "data", engine=engine_choice(engine, None))
    games = [game for block in found.played for game in block.games]
    tournament_tables(games)
    seconds, elapsed = processor_seconds() - started, time.perf_counter() - began
    if found.errors or len(games) != PLAYED:
        raise SystemExit(f"{len(games)} of {PLAYED} games: {found.errors}")
    return Timing(seconds, elapsed, sum(game.offers for game in games))


def command(folder: Path) -> Timing:
    """Run the command for it in a process of its own, and return its time."""
    games = [f"game{number}.json" for number in range(len(SIZES))]
    options = ["--n", str(SEEDS), "--deadline-offers", str(2 * ROUNDS), "--data-dir", "data"]
    began, started = time.perf_counter(), processor_seconds()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "negoplatform",
            "tournament",
            "--agents",
            *AGENTS,
            "--games",
            *games,
            *options,
        ],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path.cwd())},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    return Timing(processor_seconds() - started, time.perf_counter() - began)


def peer(python: str) -> dict[str, tuple[int, int | None, float, float]]:
    """Return NegMAS' games, offers (None: unknown), processor and clock seconds, by the way of playing."""
    asked = [python, "-c", PEER, json.dumps([SIZES, SEEDS, ROUNDS])]
    told = subprocess.run(asked, capture_output=True, text=True, check=False)
    if told.returncode:
        raise SystemExit(told.stderr[-2000:])
    found: dict[str, tuple[int, int | None, float, float]] = json.loads(told.stdout.splitlines()[-1])
    return found


def main() -> None:
    """Print games per second of processor time, compared with NegMAS'."""
    with tempfile.TemporaryDirectory() as name:
        write_games(Path(name))
        here, pool, typed = tournament(Path(name)), tournament(Path(name), "loky"), command(Path(name))
    rate = PLAYED / here.processor
    print(f"outcomes of the games: {', '.join(f'{prod(sizes):,}' for sizes in SIZES)}")
    print(
        f"{PLAYED} games in one process    {rate:7,.0f} games/s of processor time ({here.processor:.2f} s; "
        f"{here.clock:.2f} s of the clock), {here.offers / PLAYED:.0f} offers a game"
    )
    for label, timing in (("the same in loky's processes", pool), ("the command, from its start", typed)):
        print(f"{label:29} {timing.processor:5.1f} s of processor time, {timing.clock:.1f} s of the clock")
    python = os.environ.get("NEGMAS_PYTHON")
    if python is None:
        print("NegMAS: left out; NEGMAS_PYTHON names no interpreter that has it")
        return
    for way, (played, made, spent, clock) in peer(python).items():
        each = "" if made is None else f", {made / played:.0f} offers a game"
        told = f"{played} games, {spent:.1f} s, {clock:.1f} s of the clock{each}"
        ratio = rate * spent / played
        print(f"NegMAS, {way}: {played / spent:,.1f} games/s ({told}): {ratio:.1f} times as fast")


if __name__ == "__main__":
    main()
