"""Outcome of a recorded session and of its forks as a table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import fmean

from negoplatform.analysis.tournament.score_statistics import RESAMPLES, mean_interval
from negoplatform.app.simulation.fork import Fork, ForkedSession
from negoplatform.cli.render.aligned_columns import align_columns, decimal_number
from negoplatform.core.events import EndedBy

MEASURES = ("joint_share", "pareto_optimal", "pareto_distance", "nash_distance", "fairness")


def fork_lines(fork: Fork, recorded: ForkedSession, forks: Sequence[ForkedSession]) -> Iterator[str]:
    """Yield the table: each figure recorded, its mean over the forks, and the 95 % interval of that mean.

    Args:
        fork: The fork.
        recorded: The recorded session.
        forks: The forks, one at least.
    """
    count = "1 fork" if len(forks) == 1 else f"{len(forks)} forks"
    start = f"{fork.game.name} up to event {fork.event} ({fork.at:.1f} s)"
    yield f"{start}, then {fork.agent.name} as {fork.seat}: {count}."
    for seat in fork.game.others(fork.seat):
        yield f"{seat}: the recorded moves, then {_stand_in_words(fork, seat, forks)}."
    yield ""
    rows = [
        _row(name, figure_of(recorded, name), [figure_of(each, name) for each in forks])
        for name in _names(fork)
    ]
    yield from align_columns([["", "recorded", "forks", "95 % interval", "n"], *rows], 1)
    yield ""
    counts = Counter(each.ended_by for each in forks)
    ends = ", ".join(f"{ended_by.value} {number}" for ended_by, number in counts.items())
    yield f"Ends: recorded {recorded.ended_by.value}; forks {ends}."
    yield f"Intervals: percentiles of {RESAMPLES:,} bootstrap resamples of the mean (Efron 1979)."


def _stand_in_words(fork: Fork, seat: str, forks: Sequence[ForkedSession]) -> str:
    times = [each.stood_in[seat] for each in forks if seat in each.stood_in]
    if not times:
        return f"{fork.stand_in.name}, which was never needed"
    return (
        f"{fork.stand_in.name} (in {len(times)} of {len(forks)} forks, from {fmean(times):.1f} s on average)"
    )


def _names(fork: Fork) -> list[str]:
    return ["agreement", *(f"points {seat}" for seat in fork.game.seats), "seconds", "offers", *MEASURES]


def figure_of(session: ForkedSession, name: str) -> float | None:
    """Return a figure of the table by the name of its row; None where a session has none."""
    # A seat's name may have spaces.
    match name.split(maxsplit=1):
        case ["agreement"]:
            return float(session.ended_by is EndedBy.AGREEMENT)
        case ["points", seat]:
            return session.points[seat]
        case ["seconds"]:
            return session.seconds
        case ["offers"]:
            return session.offers
        case _:
            value = session.measures.get(name)
            return None if value is None else float(value)


def _row(name: str, recorded: float | None, forks: Sequence[float | None]) -> list[str]:
    known = [value for value in forks if value is not None]
    mean = fmean(known) if known else None
    interval = mean_interval(known) if len(known) > 1 else None
    low_high = "-" if interval is None else f"{interval.low:.2f} to {interval.high:.2f}"
    numbers = (decimal_number(value, 2) for value in (recorded, mean))
    return [name.replace("_", " "), *numbers, low_high, str(len(known))]
