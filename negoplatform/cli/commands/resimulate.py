"""Command that runs the agents of a log again."""

from __future__ import annotations

from pathlib import Path

import click

from negoplatform.app.simulation.rerun import resimulate
from negoplatform.app.study.study_folder import load_study
from negoplatform.app.visit.visit_rerun import VisitRerun, rerun_visit
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.terminal_output import echo_line, echo_text
from negoplatform.eventlog.reader import read_log
from negoplatform.formats.log_header import Header

PEOPLE_ALONE = "People had all seats, so no agent is run again; each event follows from the rules."

LEARNERS_ALONE = (
    "Programs that learn had all seats, so no agent is run again; each event follows from the rules."
)

SHOWN = 10


@click.command(name="resimulate")
@click.argument("log", type=click.Path(path_type=Path), required=False)
@click.option(
    "--visit",
    type=click.Path(path_type=Path),
    metavar="VISIT_FOLDER",
    help="Folder of a visit, in place of LOG: its agents go through all of their rounds again.",
)
@click.option(
    "--study",
    type=click.Path(path_type=Path),
    metavar="STUDY_FOLDER",
    help="Folder of the visit's study, if it has agents or games of its own.",
)
@click.option(
    "--agent",
    "agents",
    metavar="PATH",
    multiple=True,
    help="Location of an agent, assistant or principal in the log: PATH.py or PATH.py:Class; repeatable. "
    "Default: the catalogue.",
)
@DATA_DIR
def resimulate_command(
    log: Path | None, visit: Path | None, study: Path | None, agents: tuple[str, ...], data_dir: Path
) -> int:
    """Run the agents of a log, or of all logs of a visit, again and report the first difference.

    Each agent runs in its own process with the logged seed and settings, and receives the logged events at
    the logged times. The exit code is 1 if an agent acts differently from the log.
    """
    if (log is None) == (visit is None):
        raise click.UsageError("Give either a log, or a visit with --visit VISIT_FOLDER.")
    if visit is not None:
        folder = None if study is None else load_study(study, data_dir)
        return _show_visit(rerun_visit(visit, data_dir, agents=agents, study=folder))
    assert log is not None, "a log or a visit is given"
    read = read_log(log)
    found = resimulate(read, data_dir, agents)
    if not found.agents and not found.assistants:
        echo_text(LEARNERS_ALONE if found.learners else PEOPLE_ALONE)
        return 0
    if not found.differences:
        agents_text = "the agent" if found.agents == 1 else f"the {found.agents} agents"
        also = ", and the assistants all their proposals" if found.assistants else ""
        echo_text(f"No difference: {agents_text} repeated all {found.acts} logged actions{also}.")
        if found.learners:
            echo_text("The acts of programs that learn are taken from the log.")
        return 0
    for difference in found.differences[:SHOWN]:
        place = f"line {difference.seq + 1} (event {difference.seq})"
        echo_line(f"{place}: {_described(difference.seat, read.header)}: {difference.reason}.")
    rest = len(found.differences) - SHOWN
    if rest > 0:
        echo_text(f"and {rest} more; only the first one of a seat shows where it departed from the log.")
    return 1


def _show_visit(found: VisitRerun) -> int:
    """Show the result for a visit; return the exit code."""
    if not found.agents and not found.assistants:
        echo_text(PEOPLE_ALONE)
        return 0
    if not found.differences:
        agents_text = "the agent" if found.agents == 1 else f"the {found.agents} agents"
        also = ", and the assistants all their proposals" if found.assistants else ""
        echo_text(
            f"No difference: {agents_text} repeated all {found.acts} logged actions in "
            f"{found.sessions} sessions{also}."
        )
        return 0
    for difference in found.differences[:SHOWN]:
        departure = difference.divergence
        place = f"session {difference.session_id}, line {departure.seq + 1} (event {departure.seq})"
        header = found.headers[difference.session_id]
        echo_line(f"{place}: {_described(departure.seat, header)}: {departure.reason}.")
    rest = len(found.differences) - SHOWN
    if rest > 0:
        echo_text(f"and {rest} more; only the first one shows where it departed from the logs.")
    return 1


def _described(name: str, header: Header) -> str:
    """Return who departed from a log: a plug-in without a seat, or the agent in one."""
    if name in header.assistants:
        return f"the assistant {name}"
    if name in header.principals:
        return f"the principal {name}"
    return f"the adviser of {name}" if name in header.advisers else f"the agent at {name}"
