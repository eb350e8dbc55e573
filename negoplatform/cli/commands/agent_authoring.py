"""Commands for authors of agents: check, new-agent."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from negoplatform.app.catalogue.catalogue import (
    find_agent,
    find_game,
    is_plugin_path,
    list_agents,
    permissions_of_path,
)
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.cli.options import DATA_DIR
from negoplatform.cli.terminal_output import echo_text
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.formats.agent_permissions import NO_SANDBOX
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.language_model.call_limit import CallLimit
from negoplatform.plugins.agent_loader import ALL_ROLES, AgentPlugin, read_plugin
from negoplatform.plugins.code_file_trust_hash import agent_code_file
from negoplatform.plugins.policy_files import is_policy_file
from negoplatform.plugins.program_and_user_folders import own_command
from negoplatform.strategies.learned.policy_file import load_policy
from negoplatform.testing.check import CheckCounts, check_agent
from negoplatform.testing.check_in_own_process import check_in_own_process
from negoplatform.testing.finding import Finding, Severity
from negoplatform.testing.new_agent import GAME_FILE, KINDS, PRINCIPAL, ROLES, STYLES, write_new_agent
from negoplatform.testing.static_checks import SANDBOXED_USES

AGENT_FILE = "agent.py"
"""File of a new agent in its folder."""

_NOUNS = {
    "seat": "agent",
    "principal": "principal",
    "agenda": "agenda",
    "insights": "insights assistant",
    "debrief": "debriefing",
}
"""Noun of each role."""

PRACTICE = {"trading": ("tac_trading", "tac_baseline"), "market": ("grain_market", "zero_intelligence")}
"""A shipped game of a kind, and an agent for its other seats."""


@click.command(name="check")
@click.argument("agent", metavar="AGENT|PATH")
@click.option(
    "--game",
    "games",
    multiple=True,
    metavar="GAME",
    help="Play in this game (name, file or folder) instead of the usual ones. Repeatable.",
)
@click.option(
    "--ask-model",
    is_flag=True,
    help="Let it call the services that it uses, such as a language model, which may cost money. Without "
    "this option it calls none.",
)
@click.option(
    "--calls",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="With --ask-model: the number of calls, at most.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the findings as one line of JSON.")
@DATA_DIR
@click.pass_context
def check_command(
    ctx: click.Context,
    agent: str,
    games: tuple[str, ...],
    ask_model: bool,
    calls: int,
    as_json: bool,
    data_dir: Path,
) -> None:
    """Play an agent through fixed situations and report its errors.

    AGENT is a name, PATH.py or PATH.py:Class. If a file has several agents, each of them is checked. A
    principal or an assistant is played in whole games among agents. A trained policy, PATH.json, is played in
    the game that its file names. The exit code is 1 if there is an error.
    """
    found = [find_game(game, data_dir) for game in games] or None
    wanted = (
        Path(agent)
        if is_plugin_path(agent)
        else find_agent(agent, data_dir, in_program=True, roles=ALL_ROLES)
    )
    if found is None:
        found = _game_of_policy(wanted if isinstance(wanted, Path) else wanted.file, data_dir)
    counts = CheckCounts(CallLimit(calls if ask_model else 0))
    if isinstance(wanted, AgentPlugin) and wanted.own_process:
        findings = check_in_own_process(wanted, found, counts=counts)
    else:
        findings = check_agent(wanted, games=found, counts=counts)
    if as_json:
        click.echo(json.dumps(_document(findings, counts)))
    else:
        for finding in findings:
            echo_text(str(finding))
        echo_text(_summary_line(findings))
        for sentence in _count_lines(counts, ask_model=ask_model):
            echo_text(sentence)
        asked = permissions_of_path(agent) if isinstance(wanted, Path) else wanted.manifest.permissions
        reaches_out = any(reason in finding.sentence for finding in findings for reason in SANDBOXED_USES)
        if (asked or reaches_out) and available_sandbox() != NO_SANDBOX:
            echo_text("It ran without its sandbox; simulate --isolated runs it there.")
    if _count(findings, Severity.ERROR):
        ctx.exit(1)


def _game_of_policy(file: Path, data_dir: Path) -> list[GameSpec] | None:
    """Return the game for which a policy was trained; None if the file is not that of a policy."""
    if not is_policy_file(file):
        return None
    game = load_policy(read_plugin(file), file).model.game
    try:
        return [find_game(game, data_dir)]
    except NegoError as error:
        raise NegoError(f"{error} {file} was trained for it; name its game with --game.") from None


@click.command(name="new-agent")
@click.argument("name")
@click.option(
    "--mechanism",
    type=click.Choice(KINDS),
    default=KINDS[0],
    show_default=True,
    help="Kind of game that it plays: bargaining about issues, trading in pairs, or a market with orders.",
)
@click.option(
    "--style",
    type=click.Choice(STYLES),
    default=STYLES[0],
    show_default=True,
    help="Template, for bargaining: a few lines of code; ready-made policies for offers, words, faces and "
    "behaviour; or decisions in code and messages by a language model.",
)
@click.option(
    "--role",
    type=click.Choice(ROLES),
    default=ROLES[0],
    show_default=True,
    help="Role: an agent in a seat, which can also be an adviser or a member of a team; a principal above "
    "seats; or one kind of assistant.",
)
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Parent of its folder. Default: your folder of agents, which the start window lists.",
)
@DATA_DIR
def new_agent_command(
    name: str, mechanism: str, style: str, role: str, folder: Path | None, data_dir: Path
) -> None:
    """Create a new agent, principal or assistant from a template.

    Its folder gets agent.py, a test, and agent.json, which names the author; that of a principal also gets a
    game to try it in.
    """
    if folder is None:
        folder = data_dir / "agents"
        taken = next((row for row in list_agents(data_dir) if row.name == name), None)
        if taken is not None:
            raise NegoError(f"There is an agent {name!r} already, in {taken.file}; take another name.")
    target = write_new_agent(name, folder, style, mechanism, role)
    # Its code is all from the program; once its author has changed it, the trust question is asked.
    with open_trust(data_dir, lambda sentence: echo_text(sentence, err=True)) as trust:
        trust.add(agent_code_file(target / AGENT_FILE, in_program=True))
    echo_text(f"{target / 'agent.py'} is your {_NOUNS[role]}, {target / f'test_{name}.py'} its test.")
    # The file, not the folder: a bare name would be looked up in the catalogue.
    agent = _quoted(target / AGENT_FILE)
    program = _quoted(own_command())
    echo_text(f"Check it: {program} check {agent}")
    if role != ROLES[0]:
        chosen = _quoted_choice(role, target)
        game = _quoted(target / GAME_FILE) if role == "principal" else "practice"
        echo_text(f"Try it: {program} simulate --game {game} --agents fair boulware --n 1 {chosen}")
    elif mechanism in PRACTICE:
        game, partner = PRACTICE[mechanism]
        echo_text(
            f"Try it among others: {program} simulate --game {game} --agents {agent} --fill {partner} --n 4"
        )
    else:
        echo_text(f"Play against it: {program} play --watch {agent}")
    echo_text(f"Test it, with a Python that has negoplatform and pytest: python -m pytest {_quoted(target)}")


def _quoted_choice(role: str, folder: Path) -> str:
    """Return the option of simulate that chooses a new principal or assistant."""
    if role == "principal":
        return f"--principal {_quoted(f'{PRINCIPAL}={folder / AGENT_FILE}')}"
    return f"--assistant {_quoted(f'{folder.name}={folder / AGENT_FILE}')}"


def _quoted(path: Path | str) -> str:
    """Return a path quoted for a shell; the user's data folder on macOS contains a space."""
    return subprocess.list2cmdline([str(path)]) if os.name == "nt" else shlex.quote(str(path))


def _document(findings: Sequence[Finding], counts: CheckCounts) -> dict[str, object]:
    return {
        "calls": {"made": counts.calls.made, "prevented": counts.calls.prevented},
        "refused": counts.refused,
        "errors": _count(findings, Severity.ERROR),
        "warnings": _count(findings, Severity.WARNING),
        "findings": [asdict(finding) for finding in findings],
    }


def _summary_line(findings: Sequence[Finding]) -> str:
    errors, warnings = _count(findings, Severity.ERROR), _count(findings, Severity.WARNING)
    if not findings:
        return "Nothing to complain about."
    sentences = [
        f"{number or 'No'} {word}{'' if number == 1 else 's'}"
        for number, word in ((errors, "error"), (warnings, "warning"))
    ]
    return f"{sentences[0]}; {sentences[1].lower()}."


def _count_lines(counts: CheckCounts, *, ask_model: bool) -> Iterator[str]:
    """Yield the numbers of refused actions and of calls to services, in sentences."""
    if counts.refused:
        reasons = "; ".join(sentence.rstrip(".") for sentence in counts.sentences)
        actions = "1 action was" if counts.refused == 1 else f"{counts.refused} actions were"
        yield f"{actions} refused in all situations together, for example {reasons}."
    made, prevented = counts.calls.made, counts.calls.prevented
    if made:
        more = (
            f" {_number_of_calls(prevented)} more were prevented; --calls allows more." if prevented else ""
        )
        yield (
            f"{_number_of_calls(made)} of a service {'was' if made == 1 else 'were'} made.{more} Whether "
            "equal seeds give equal games is unchecked, because a service may answer otherwise each time."
        )
    elif prevented and not ask_model:
        yield (
            f"No call of a service was made, {prevented} were prevented: how the agent plays with the "
            "service's answers is unchecked. --ask-model lets it call."
        )
    elif counts.has_no_service:
        yield (
            "No call of a service was made, as none is set: how the agent plays with answers is unchecked."
        )


def _number_of_calls(number: int) -> str:
    return "1 call" if number == 1 else f"{number} calls"


def _count(findings: Sequence[Finding], severity: Severity) -> int:
    return sum(finding.severity is severity for finding in findings)
