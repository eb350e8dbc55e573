"""Command that lets another agent go on with a recorded session."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.catalogue.credentials import endpoints_for
from negoplatform.app.session.agent_placement import find_agent_with_settings
from negoplatform.app.simulation.fork import Fork, ForkedSession, plan_fork, play_forks, recorded_outcome
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.render.fork_table import fork_lines
from negoplatform.cli.terminal_output import echo_line, echo_text
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.eventlog.reader import read_log
from negoplatform.presentation.plots.fork_drawing import PointPair, fork_drawing
from negoplatform.presentation.plots.svg import to_svg

PLOT = "outcomes.svg"
"""Name of the plot in the folder of the forks."""


@click.command(name="fork")
@click.argument("log", type=click.Path(path_type=Path))
@click.option(
    "--at", "event", type=int, required=True, metavar="SEQ", help="Number of the last event that is kept."
)
@click.option(
    "--agent",
    required=True,
    metavar="AGENT[@FILE]",
    help="The agent that goes on: a name, PATH.py or negmas:NAME.",
)
@click.option("--seat", metavar="SEAT", help="Its seat. Default: the only one in which an agent played.")
@click.option(
    "--stand-in",
    default="fair",
    show_default=True,
    metavar="AGENT[@FILE]",
    help="The agent that goes on in the other seats where their recorded moves end.",
)
@click.option("--n", type=click.IntRange(1, 10_000), default=20, show_default=True, help="Number of forks.")
@click.option(
    "--seed",
    type=click.IntRange(0, 2**53),
    default=1,
    show_default=True,
    help="Seed of the first fork; each further one adds one.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    help="New folder for a log of each fork and the plot of the outcomes. Default: nothing is kept.",
)
@DATA_DIR
def fork_command(
    log: Path,
    event: int,
    agent: str,
    seat: str | None,
    stand_in: str,
    n: int,
    seed: int,
    out: Path | None,
    data_dir: Path,
) -> None:
    """Let another agent go on with a recorded session, and compare the outcomes.

    The session is as recorded up to event SEQ. Then the other agent has its seat; the other seats repeat
    their recorded moves at their recorded times as long as these are legal, and a stand-in goes on. No window
    opens.

    Example: negoplatform fork LOG --at 12 --agent negochat --n 20 --out forks
    """
    if out is not None and out.exists():
        raise NegoError(f"{out} is there already; name a new folder.")
    place = plan_fork(
        read_log(log),
        data_dir,
        event=event,
        seat=seat,
        agent=find_agent_with_settings(agent, data_dir),
        stand_in=find_agent_with_settings(stand_in, data_dir),
    )
    for plugin in (place.agent, place.stand_in):
        if asked := endpoints_for(plugin, plugin.settings):
            echo_line(
                f"{plugin.name} asks a language model, in each of {n} forks: {', '.join(asked)}", err=True
            )
    recorded = recorded_outcome(place)
    crashes = CrashFolder(data_dir / "crashes")
    forks = list(play_forks(place, n=n, seed=seed, logs=out, report=crashes.write))
    for line in fork_lines(place, recorded, forks):
        echo_text(line)
    if out is not None:
        atomic_write(out / PLOT, _plot(place, recorded, forks).encode("utf-8"))
        echo_line(f"The logs and the plot {PLOT} are in {out}.")
    if crashes.last:
        echo_text(f"An agent failed; the traces are in {crashes.last.parent}.", err=True)


def _plot(place: Fork, recorded: ForkedSession, forks: list[ForkedSession]) -> str:
    others = place.game.others(place.seat)
    drawing = fork_drawing(
        _pair(place, recorded),
        [pair for each in forks if (pair := _pair(place, each)) is not None],
        sides=(f"points of {', '.join(others)}", f"points of {place.seat}"),
        title=f"{place.game.name}: {place.agent.name} from event {place.event} on",
    )
    return to_svg(drawing)


def _pair(place: Fork, session: ForkedSession) -> PointPair | None:
    """Return the points of the other seats together and of the forked one; None where one has none."""
    own = session.points[place.seat]
    others = [session.points[seat] for seat in place.game.others(place.seat)]
    known = [points for points in others if points is not None]
    return None if own is None or len(known) < len(others) else (sum(known), own)
