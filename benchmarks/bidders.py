"""Benchmark of games between two bidders: the fast path, the full path, a bare loop, and NegMAS.

Offers per second: two Boulware agents that hardly concede, over 1,000 outcomes, to the deadline. Whole
negotiations per second: pairs of shipped bidders in turns over the same outcomes, with at most 100 offers
of each, from the seed to the result. Measures are computed in one line alone. Run it with
``python -m benchmarks.bidders``; ``NEGMAS_PYTHON`` names an interpreter with NegMAS 0.16, whose nearest
negotiators play the same domain for comparison.
"""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.offers import EXPONENT, bare_loop, best, negmas, thousand_outcomes
from negoplatform.app.catalogue.catalogue import find_agent
from negoplatform.app.simulation.simulate import GamePath, Result, Seatings, simulate
from negoplatform.domain.agreement_rules import Turns
from negoplatform.domain.game import GameSpec
from negoplatform.plugins.agent_loader import AgentPlugin

OFFERS = 10_000
"""Offers of the long game."""
ROUNDS = 100
"""Offers of each agent in a whole negotiation, at most."""
GAMES = 100
"""Negotiations of a pair, each with another seed; as many as a tournament usually plays."""

PAIRS = (("tit_for_tat", "micro"), ("boulware", "linear"), ("conceder", "micro"))
"""Pairs of shipped bidders."""

NEGMAS_PAIRS = (
    ("NaiveTitForTatNegotiator", "MiCRONegotiator"),
    ("BoulwareTBNegotiator", "LinearTBNegotiator"),
    ("ConcederTBNegotiator", "MiCRONegotiator"),
)
"""Their nearest negotiators in NegMAS."""

NEGMAS_PROGRAM = """
import json, random, sys, time
import negmas.sao as sao
from negmas import make_issue
from negmas.preferences import LinearAdditiveUtilityFunction

rounds, games, pairs = json.loads(sys.argv[1])
issues = [make_issue([f"{name}{i}" for i in range(10)], name) for name in "abc"]

def utilities():
    rng = random.Random(3)
    for _ in range(2):
        tables = {issue.name: {value: rng.randint(0, 100) for value in issue.values} for issue in issues}
        yield LinearAdditiveUtilityFunction(tables, issues=issues, reserved_value=20)

rates = []
for pair in pairs:
    best = 0.0
    for _ in range(3):
        started = time.process_time()
        for _ in range(games):
            mechanism = sao.SAOMechanism(issues=issues, n_steps=rounds)
            for name, utility in zip(pair, utilities()):
                mechanism.add(getattr(sao, name)(), preferences=utility)
            mechanism.run()
        best = max(best, games / (time.process_time() - started))
    rates.append(best)
print(json.dumps(rates))
"""


def shipped(name: str, **settings: Any) -> AgentPlugin:
    """Return a shipped agent with these settings."""
    return replace(find_agent(name, Path("none")), settings=settings)


def played(
    game: GameSpec, agents: Sequence[AgentPlugin], games: int, *, fast: bool = True, measures: bool = False
) -> tuple[list[Result], float]:
    """Return the results of some games and the processor time in seconds."""
    started = time.process_time()
    results = list(
        simulate(
            game,
            agents,
            games=games,
            seed=1,
            logs=None,
            report=print,
            how=Seatings.GIVEN,
            measures=measures,
            fast=fast,
        )
    )
    return results, time.process_time() - started


def offers_per_second(*, fast: bool) -> float:
    """Return offers per second of the long game on one of the two paths."""
    game = thousand_outcomes(OFFERS)
    game = replace(game, rules=replace(game.rules, talk=False))
    results, seconds = played(game, [shipped("boulware", exponent=EXPONENT)] * 2, 1, fast=fast)
    assert (results[0].path is not GamePath.FULL) == fast
    return results[0].offers / seconds


def negotiations_per_second(pair: Sequence[str], *, measures: bool = False, games: int = GAMES) -> float:
    """Return whole negotiations per second of a pair of shipped bidders."""
    game = thousand_outcomes(OFFERS)
    rules = replace(game.rules, talk=False, deadline_offers=2 * ROUNDS, turns=Turns.ALTERNATING)
    results, seconds = played(
        replace(game, rules=rules), [shipped(name) for name in pair], games, measures=measures
    )
    assert {result.path for result in results} == {GamePath.INDEXED}
    return games / seconds


def negmas_negotiations() -> list[float] | None:
    """Return whole negotiations per second of the pairs in NegMAS; None without an interpreter for it."""
    interpreter = os.environ.get("NEGMAS_PYTHON")
    if not interpreter:
        return None
    wanted = json.dumps([ROUNDS, 10, NEGMAS_PAIRS])
    done = subprocess.run(
        [interpreter, "-c", NEGMAS_PROGRAM, wanted], capture_output=True, text=True, check=True
    )
    rates: list[float] = json.loads(done.stdout.splitlines()[-1])
    return rates


def main() -> None:
    """Print the table."""
    bare = best(lambda: bare_loop(OFFERS), 3)
    fast = best(lambda: offers_per_second(fast=True), 3)
    full = best(lambda: offers_per_second(fast=False), 2)
    print(f"bare loop              {bare:10,.0f} offers/s")
    print(f"fast path              {fast:10,.0f} offers/s   {fast / bare:.2f} of the bare loop")
    print(f"full path              {full:10,.0f} offers/s   fast path {fast / full:.1f} times as many")
    peer = negmas(4_000)
    if peer is None:
        print("NegMAS                 skipped: NEGMAS_PYTHON names no interpreter")
    else:
        print(f"NegMAS                 {peer:10,.0f} offers/s   fast path {fast / peer:.1f} times as many")
    peers = negmas_negotiations() or []
    for i, pair in enumerate(PAIRS):
        rate = max(negotiations_per_second(pair) for _ in range(3))
        beside = f"   NegMAS {peers[i]:.1f}: {rate / peers[i]:.0f} times as many" if peers else ""
        print(f"{'–'.join(pair):22} {rate:10,.0f} games/s{beside}")
    plain = best(lambda: negotiations_per_second(PAIRS[0]), 3)
    measured = best(lambda: negotiations_per_second(PAIRS[0], measures=True), 3)
    print(
        f"measures               {1 - measured / plain:10.1%} of the time of {'–'.join(PAIRS[0])} with them"
    )


if __name__ == "__main__":
    main()
