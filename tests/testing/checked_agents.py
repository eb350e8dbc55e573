"""Checks of deliberately bad agents, without a second process."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from negoplatform.testing import Finding, Severity, check_agent, trial_games
from negoplatform.testing.check import Checkable

BAD = Path(__file__).parent / "bad_agents"
GAMES = {game.name: game for game in trial_games()}
ERROR, WARNING = Severity.ERROR, Severity.WARNING


class Stopwatch:
    """Clock that an agent can advance."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def checked(agent: Checkable | str, *games: str, **more: object) -> list[Finding]:
    """Return the findings about an agent in small games, without a second process unless requested."""
    settings = {"in_another_process": False, "clock": Stopwatch(), **more}
    subject = BAD / f"{agent}.py" if isinstance(agent, str) else agent
    return check_agent(subject, games=[GAMES[name] for name in games or ("practice",)], **settings)  # type: ignore[arg-type]


def sentences(findings: Sequence[Finding], severity: Severity) -> list[str]:
    """Return the sentences of the findings of a severity."""
    return [finding.sentence for finding in findings if finding.severity is severity]


def the_one(findings: Sequence[Finding], *words: str) -> Finding:
    """Return the only finding with all of these words."""
    found = [finding for finding in findings if all(word in str(finding) for word in words)]
    assert len(found) == 1, [str(finding) for finding in findings]
    return found[0]
