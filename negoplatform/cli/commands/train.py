"""Command that trains a policy."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from negoplatform.app.catalogue.catalogue import find_agent, find_game
from negoplatform.app.session.agent_placement import find_agent_with_settings
from negoplatform.app.session.session_plan import with_limits
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.cli.commands.simulate import STOPPED, ensure_new_file
from negoplatform.cli.options import DATA_DIR, DEADLINE_OPTIONS
from negoplatform.cli.progress_line import ProgressLine
from negoplatform.cli.terminal_output import echo_text
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.plugins.policy_files import POLICY_SUFFIX
from negoplatform.strategies.learned.policy_file import LONGEST_DESCRIPTION, load_policy
from negoplatform.training.packages import check_packages

if TYPE_CHECKING:
    from negoplatform.training.episode import EpisodeSettings
    from negoplatform.training.policies.policy_evaluation import EvaluatedAgent
    from negoplatform.training.policies.trainer import Generation, Training

USUALLY_COMPARED = ("boulware", "fair")
"""Agents that a policy of a bargaining game is compared with."""

USUAL_MINUTES = 10.0
"""Time for training where neither time nor steps are given, in minutes."""

MOST_STEPS = 10**12
"""Most steps of a training."""


@click.command(name="train")
@click.argument("game", metavar="GAME")
@click.option(
    "--against",
    required=True,
    multiple=True,
    metavar="AGENT",
    help="The agent in all other seats; A@FILE.json is agent A with the settings in that file. Repeatable: "
    "the policy is then trained against each of them alike.",
)
@click.option(
    "--seat",
    metavar="SEAT",
    help="The policy's seat. Default: the first one that a participant does not take.",
)
@click.option(
    "--steps",
    type=click.IntRange(1, MOST_STEPS),
    help="Steps of all episodes together; the generation in which they are reached is finished. Equal seeds "
    "and steps give equal policies.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0, 100_000, min_open=True),
    help="Time for training, in minutes, where it ends before --steps are made. Default: 10, unless --steps "
    "are given.",
)
@click.option("--seed", type=click.IntRange(0, 2**53), default=1, help="Seed of everything random (1).")
@click.option(
    "--out",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="File for the policy, such as policy.json; in the agents folder it is an agent.",
)
@click.option(
    "--curve",
    type=click.Path(path_type=Path, dir_okay=False),
    help="File for the learning curve. Default: beside the policy, with the ending .svg.",
)
@click.option("--name", default="Robin", help="Name that the other side reads (Robin).")
@click.option(
    "--step-seconds",
    type=click.FloatRange(0.1, 3600),
    default=5.0,
    help="Session time between two decisions, in seconds (5).",
)
@click.option(
    "--hold-seconds",
    type=click.FloatRange(0, 3600),
    default=15.0,
    help="Session time for which the policy does not replace its own offer on the table, in seconds, so that "
    "a person has time to consider it (15).",
)
@click.option(
    "--codec",
    metavar="CODEC",
    help="Numbers of an action: demand (the usual one) or terms in bargaining games, order in markets, "
    "trade in trading games.",
)
@click.option(
    "--games",
    type=click.IntRange(0, 100_000),
    default=100,
    help="Games with unseen seeds that the policy, and each agent that it is compared with, play at the end "
    "against each of the others (100).",
)
@click.option(
    "--compare",
    multiple=True,
    metavar="AGENT",
    help="An agent that plays these games in the policy's place. Repeatable. Default: boulware and fair in "
    "bargaining games.",
)
@DEADLINE_OPTIONS
@DATA_DIR
def train_command(
    game: str,
    against: tuple[str, ...],
    seat: str | None,
    steps: int | None,
    minutes: float | None,
    seed: int,
    out: Path,
    curve: Path | None,
    name: str,
    step_seconds: float,
    hold_seconds: float,
    codec: str | None,
    games: int,
    compare: tuple[str, ...],
    time_limit: float | None,
    deadline_offers: int | None,
    data_dir: Path,
) -> None:
    """Train a policy that plays a game in one seat, by the cross-entropy method.

    The policy is a small network in a JSON file. In the agents folder it is an agent like any other. Needs
    the extra training.

    Ctrl-C ends the training early; the policy is then written as it is.

    Example: negoplatform train campsite --against boulware --against fair --out policy.json
    """
    check_packages()
    from negoplatform.training.policies.trainer import Training

    curve = out.with_suffix(".svg") if curve is None else curve
    _check_files(out, curve)
    spec = with_limits(find_game(game, data_dir), time_limit, deadline_offers)
    crashes = CrashFolder(data_dir / "crashes")
    found = _opponents(spec, against, seat, step_seconds, codec, data_dir)
    opponents = [replace(settings, report=crashes.write) for settings in found]
    for each in compare:
        find_agent(each, data_dir).check_plays(spec)
    training = Training(opponents, seed=seed, hold=hold_seconds)
    opposed = " and ".join(against)
    words = f"A policy that was trained in {spec.name} as {training.seat} against {opposed}."
    load_policy(_content(training, name, words), out)  # now, and not after ten minutes
    if steps is None and minutes is None:
        minutes = USUAL_MINUTES
    generations, stopped = _run(training, steps, minutes, crashes)
    if not generations:
        raise KeyboardInterrupt
    last = generations[-1]
    details = {
        "against": list(against),
        "steps": last.steps,
        "generations": len(generations),
        "seed": seed,
        "score": last.score,
    }
    atomic_write(out, _content(training, name, words, **details))
    _write_curve(curve, generations, f"{spec.name}, {training.seat}, against {opposed}")
    echo_text(
        f"{last.number:,} generations, {last.steps:,} steps, score {last.score:.3f}. "
        f"The policy is in {out}, the learning curve in {curve}.\n"
        f"To have it among the agents, copy it to {data_dir / 'agents'}."
    )
    if crashes.last is not None:
        raise NegoError(
            f"An agent failed in these games, so the training ended early; the trace is in {crashes.last}."
        )
    if games and not stopped:
        _report(out, training, dict(zip(against, opponents, strict=True)), games, compare, data_dir)
    if stopped:
        wanted = f"{steps:,} steps" if steps is not None else f"{minutes:g} minutes"
        echo_text(f"Stopped after {last.steps:,} steps, before {wanted}.", err=True)
        raise click.exceptions.Exit(STOPPED)


def _content(training: Training, name: str, words: str, **details: Any) -> bytes:
    """Return the content of the policy's file."""
    document = training.document(name=name, description=words[:LONGEST_DESCRIPTION], training=details)
    return f"{json.dumps(document, ensure_ascii=False)}\n".encode()


def _check_files(policy: Path, curve: Path) -> None:
    """Check the names of the files to write.

    Raises:
        NegoError: If one of them is there already, or the policy would be no agent under its name.
    """
    if policy.suffix != POLICY_SUFFIX or policy.name.startswith(("_", ".")):
        raise NegoError(f"{policy}: a policy's file ends in .json and begins with no '_' or '.'.")
    if curve.absolute() == policy.absolute():
        raise NegoError(f"{curve} is to be the policy's file; name another one for the learning curve.")
    for path in (policy, curve):
        ensure_new_file(path)


def _opponents(
    game: GameSpec,
    against: Sequence[str],
    seat: str | None,
    step_seconds: float,
    codec: str | None,
    data_dir: Path,
) -> list[EpisodeSettings]:
    """Return the settings of the episodes, one for each agent."""
    from negoplatform.training.setup import find_settings, quiet

    return [
        find_settings(
            game,
            {},
            opponent=quiet(find_agent_with_settings(agent, data_dir=data_dir, in_program=True)),
            learner=seat,
            step_seconds=step_seconds,
            codec=codec,
            log=None,
        )
        for agent in against
    ]


def _run(
    training: Training, steps: int | None, minutes: float | None, crashes: CrashFolder
) -> tuple[list[Generation], bool]:
    """Return the generations, up to one in which an agent failed, and whether Ctrl-C ended the training."""
    generations: list[Generation] = []
    shown = ProgressLine(sys.stderr, "steps")
    began = time.monotonic()
    try:
        for generation in training.run(MOST_STEPS if steps is None else steps):
            generations.append(generation)
            passed = (time.monotonic() - began) / 60
            if crashes.last is not None or (minutes is not None and passed >= minutes):
                break
            made = generation.steps
            # How many steps the time allows is an estimate, by those made so far.
            allowed = [] if minutes is None else [round(made * minutes / max(passed, 1e-9))]
            total = min([*allowed, *([] if steps is None else [steps])])
            shown.update(min(made, total), total, f"score {generation.score:.3f}")
    except KeyboardInterrupt:
        return generations, True
    finally:
        shown.close()
    return generations, False


def _write_curve(path: Path, generations: Sequence[Generation], title: str) -> None:
    from negoplatform.training.policies.learning_curve import learning_curve

    atomic_write(path, learning_curve(generations, title).encode())


def _report(
    policy: Path,
    training: Training,
    opponents: Mapping[str, EpisodeSettings],
    games: int,
    compare: Sequence[str],
    data_dir: Path,
) -> None:
    """Print the points of the policy and of other agents against each opponent, with unseen seeds."""
    from negoplatform.training.policies.policy_evaluation import evaluate

    usual = USUALLY_COMPARED if training.settings.game.mechanism == BARGAINING else ()
    agents = [find_agent(name, data_dir) for name in (str(policy), *(compare or usual))]
    width = max(len(agent.name) for agent in agents)
    crashes = CrashFolder(data_dir / "crashes")
    for name, settings in opponents.items():
        echo_text(f"\nAgainst {name}, as {training.seat}, in {games:,} games with unseen seeds:")
        echo_text(f"{'agent':<{width}}  mean points  95 % interval   agreed  below reservation value")
        for agent in agents:
            echo_text(_row(evaluate(agent, settings, games=games, report=crashes.write), width))
    if crashes.last is not None:
        raise NegoError(f"An agent failed in these games; the trace is in {crashes.last}.")


def _row(agent: EvaluatedAgent, width: int) -> str:
    low, high = agent.mean - agent.margin, agent.mean + agent.margin
    interval = f"{low:.2f} to {high:.2f}"
    share = f"{100 * agent.agreed / len(agent.points):.0f} %"
    return f"{agent.name:<{width}}  {agent.mean:>11.2f}  {interval:<14}  {share:>6}  {agent.losses}"
