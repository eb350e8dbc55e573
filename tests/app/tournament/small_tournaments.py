"""Small tournaments for tests: quick agents, short games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from negoplatform.app.tournament.engines import engine_choice
from negoplatform.app.tournament.tournament_plan import TournamentPlan, plan_tournament
from negoplatform.app.tournament.tournament_run import TournamentResults, run_tournament
from negoplatform.formats.tournament_file import tournament_of

ENDS_ITS_PROCESS_ONCE = """
import os, signal
from pathlib import Path
from negoplatform.agent_api import Bidder

class Ends(Bidder):
    '''Ends its process in its first game, and accepts anything in all others.'''

    def on_game_start(self, ctx, event):
        begun = Path(__file__).with_suffix(".begun")
        if not begun.exists():
            begun.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().on_game_start(ctx, event)

    def least(self, ctx):
        return self.bids.lowest

    def next_bid(self, ctx, answered):
        return self.bids.any_from(self.bids.lowest, ctx.rng)
"""

WAITS_IN_THE_MIDDLE = """
import time
from pathlib import Path
from negoplatform.agent_api import Bidder

class Waits(Bidder):
    '''Waits, once two blocks are finished, as long as there is a file for it; accepts anything.'''

    def on_game_start(self, ctx, event):
        held = Path(__file__).with_suffix(".held")
        while held.exists() and len(list(Path(__file__).parent.glob("out/blocks/*.json"))) >= 2:
            time.sleep(0.05)
        return super().on_game_start(ctx, event)

    def least(self, ctx):
        return self.bids.lowest

    def next_bid(self, ctx, answered):
        return self.bids.any_from(self.bids.lowest, ctx.rng)
"""

ACCEPTS_ANYTHING = """
from negoplatform.agent_api import Bidder

class Anything(Bidder):
    '''Bids at random, and accepts anything.'''

    def least(self, ctx):
        return self.bids.lowest

    def next_bid(self, ctx, answered):
        return self.bids.any_from(self.bids.lowest, ctx.rng)
"""

ENDS_EVERY_PROCESS = ENDS_ITS_PROCESS_ONCE.replace("begun.touch()", "pass")


def plan(
    tmp_path: Path,
    agents: tuple[Any, ...] = ("conceder", "random_bids"),
    games: tuple[str, ...] = ("practice",),
    **more: Any,
) -> TournamentPlan:
    """Return the plan of a tournament; a few seeds and a deadline of seconds unless others are given."""
    given = {"seeds": {"n": 3}, "deadline": {"seconds": 20}, **more}
    model = tournament_of({"agents": list(agents), "games": list(games), **given}, "test")
    return plan_tournament(model, tmp_path, tmp_path / "data")


def play(
    planned: TournamentPlan, tmp_path: Path, engine: str = "inline", out: str = "out", jobs: int | None = None
) -> TournamentResults:
    """Run a tournament in a folder and return its results."""
    return run_tournament(planned, tmp_path / out, tmp_path / "data", engine=engine_choice(engine, jobs))


def files_in(folder: Path) -> dict[str, bytes]:
    """Return the contents of the blocks' files in a tournament's folder, by their names."""
    return {path.name: path.read_bytes() for path in (folder / "blocks").iterdir()}
