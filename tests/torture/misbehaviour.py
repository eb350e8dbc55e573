"""P10: no agent can freeze the window, lose an event or see hidden information."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from negoplatform.core.events import EndedBy, Event, Message, Note
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.core.visibility import Observer, visible_event
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from tests.torture.rows import Row, Tally
from tests.torture.window_program import SEAT, SECRET, line_of
from tests.unprivileged_user import NOBODY, can_be_ordinary, ordinary_command
from tests.x_server import Screen

SESSIONS = 100
"""Sessions with each agent."""

LONGEST = 60 * 60.0
"""Seconds after which no further round of agents is begun; the table gives the number of sessions."""

MOST_DELAY = 0.1
"""Maximum delay in seconds of 99 of 100 beats of the window, with any agent."""

MOST_OWN_DELAY = 1.5
"""Seconds that the window may be occupied with its own work: longer than building any screen takes."""

ENOUGH_BEATS = 200
"""Number of beats above which an agent's delays are judged alone; with fewer, two beats would decide."""

TIMED_FROM = 0.1
"""Scale above which a late window is a fault: short tests may share the machine with other work."""

SANDBOX = available_sandbox()
"""The sandbox of agents' processes on this computer."""

FATAL = frozenset({EndedBy.AGENT_FAILURE})
EITHER = frozenset({EndedBy.AGENT_FAILURE, EndedBy.QUIT})

TORTURE_SET = {
    "loops": FATAL,
    "loops_in_c": FATAL,
    "segfaults": FATAL,
    "exits": FATAL,
    "eats_memory": FATAL,
    "forks": FATAL,
    "floods": FATAL,
    "shouts": FATAL,
    "writes_rubbish": FATAL,
    "lies": FATAL,
    "prints": EITHER,
    "reads_stdin": FATAL,
    "ignores_signals": FATAL,
    "imports_the_session": EITHER,
    "spies": EITHER,
    "attacks": EITHER,
}
"""Every misbehaviour of the promise, by the name of its file, and the possible ends of its sessions.

Even harmless agents may be excluded: on a busy machine 0.2 s pass quickly.
"""


def run(scale: float) -> Row:
    """Open the program once on every core; in each a robot plays its share of the agents in turn."""
    tally = Tally()
    sessions = max(1, round(SESSIONS * scale))
    names = [name for name in TORTURE_SET if name != "forks" or can_be_ordinary()]
    if len(names) < len(TORTURE_SET):
        tally.remarks.append("No limit stops a fork bomb that is root, so that one was left out.")
    programs = max(1, min(os.cpu_count() or 1, sessions))
    shares = [names[i::programs] for i in range(programs)]
    with ThreadPoolExecutor(programs) as pool:
        found = list(pool.map(lambda share: _play_share(share, sessions, tally), shares))
    found = [one for one in found if one]
    played = {name: delays for one in found for name, delays in one["played"].items()}
    own = [delay for one in found for delay in one["own"]]
    judge_delays(played, own, names, tally, timed=scale >= TIMED_FROM)
    ends = Counter(end for one in found for end in one["ends"])
    told = ", ".join(f"{count} by {end}" for end, count in sorted(ends.items()))
    user = "as an ordinary user" if can_be_ordinary() else "as root"
    tally.remarks.append(f"{len(found)} programs at a time, {user}; sessions ended {told}.")
    if tally.runs < len(names) * sessions:
        tally.remarks.append(f"Time was up after {tally.runs:,} of {len(names) * sessions:,} sessions.")
    return tally.row("P10", f"{len(names)} misbehaving agents, the window open", counts=["lost"])


def _play_share(names: list[str], sessions: int, tally: Tally) -> dict[str, Any]:
    """Return the measurements of one program with its share of the agents."""
    with tempfile.TemporaryDirectory() as top, Screen(for_everybody=True) as screen:
        folder = Path(top) / "data"
        folder.mkdir()
        if os.geteuid() == 0:
            for place in (Path(top), folder):
                os.chown(place, NOBODY, NOBODY)
        _play(folder, sessions, names, screen, tally)
        return _judge(folder, tally)


def _play(folder: Path, sessions: int, names: list[str], screen: Screen, tally: Tally) -> None:
    own = {"HOME": str(folder), "TMPDIR": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    program = [sys.executable, "-m", "tests.torture.window_program"]
    told = subprocess.run(
        [*ordinary_command(), *program, str(folder), str(sessions), str(LONGEST), *names],
        env={**screen.env, **own},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        timeout=2 * LONGEST,
        check=False,
    )
    errors = told.stderr.decode(errors="replace").strip()
    tally.expect(told.returncode == 0, f"The program ended with {told.returncode}: {errors[-2000:]}")
    tally.expect(not errors or told.returncode != 0, f"The program complained: {errors[-500:]}")
    left = _processes_in(folder)
    tally.expect(not left, f"{len(left)} processes of agents were left behind.")


def _judge(folder: Path, tally: Tally) -> dict[str, Any]:
    """Check that every session ended in a defined state, and that its log replays with all shown events."""
    measured = folder / "measured.json"
    if not tally.expect(measured.is_file(), "The program measured nothing."):
        return {}
    found: dict[str, Any] = json.loads(measured.read_bytes())
    found["ends"] = []
    for path, seen in found["seen"].items():
        tally.runs += 1
        with tally.trying(path):
            found["ends"].append(_judge_session(Path(path), seen, tally))
    tally.expect(bool(found["ends"]), "No session came to an end.")
    return found


def judge_delays(
    played: Mapping[str, Sequence[float]],
    own: Sequence[float],
    names: list[str],
    tally: Tally,
    *,
    timed: bool,
) -> None:
    """Check that the window was never late while a session was played, with any agent, and never hung.

    Args:
        played: Delays in seconds while sessions were played, by the agent's name.
        own: Those while the window built a screen or showed the end.
        names: The agents that were played.
        tally: The counts that receive the result.
        timed: Whether a late window is a fault.
    """
    tally.delays += [delay for delays in played.values() for delay in delays]
    few = [name for name in names if len(played.get(name, ())) < ENOUGH_BEATS]
    judged = {name: _p99(played[name]) for name in names if name not in few}
    if few:
        judged["the others"] = _p99([delay for name in few for delay in played.get(name, ())])
    judged["all of them"] = _p99(tally.delays)
    worst = max(judged, key=lambda name: judged[name])
    longest = max(own, default=0.0)
    tally.expect(bool(tally.delays), "No beat of the window fell into any session, so nothing was measured.")
    if timed:
        for name in names:
            tally.expect(bool(played.get(name)), f"{name}: no beat of the window fell into its sessions.")
        for name, p99 in judged.items():
            tally.expect(p99 < MOST_DELAY, f"{name}: the window was late, p99 {p99:.3f} s.")
        tally.expect(longest < MOST_OWN_DELAY, f"The window was busy with itself for {longest:.1f} s.")
    tally.remarks.append(
        f"{len(tally.delays):,} beats of the window, one every 10 ms while a session is played; worst p99 "
        f"{judged[worst] * 1000:.0f} ms, with {worst}; agents with fewer than {ENOUGH_BEATS} beats, all "
        f"judged together: {len(few)}. Building screens and showing the end, measured apart, kept the "
        f"window busy for {longest * 1000:.0f} ms at most."
    )


def _p99(delays: Sequence[float]) -> float:
    return Tally(delays=list(delays)).row("P10", "").p99 or 0.0


def _judge_session(path: Path, seen: list[str], tally: Tally) -> str:
    log = read_log(path)
    name = log.header.seats["agent"].agent or ""
    ending = replay(log).state.ending
    lost = count_lost(seen, log.events)
    tally.lost += lost
    tally.expect(not lost, f"{name}: {lost} events are not in the log as the window was told of them.")
    said = [e.payload.text for e in log.events if isinstance(e.payload, Message) and e.sender == "agent"]
    tally.expect(str(SECRET) not in " ".join(said), f"{name}: it saw the other side's reservation value.")
    gained = [text for text in said if text.startswith("I gained") and "nothing" not in text]
    tally.expect(not gained or SANDBOX.name != "full", f"{name}: {gained[:1]}")
    looked = any(text.startswith("I found") for text in said)
    tally.expect(looked or name != "spies", "spies: it never said what it had found, so nothing was shown.")
    if not tally.expect(ending is not None, f"{name}: the session has no end."):
        return "nobody"
    assert ending is not None
    replaced = any(
        isinstance(e.payload, Note) and e.payload.kind == NoteKind.FALLBACK_SEATED for e in log.events
    )
    wanted = EITHER if replaced else TORTURE_SET[name]
    tally.expect(ending.ended_by in wanted, f"{name}: it ended by {ending.ended_by} ({ending.reason}).")
    return ending.ended_by.value


def count_lost(seen: Sequence[str], events: Sequence[Event]) -> int:
    """Return how many events are only in the log, only in the window, or different in both.

    Only events that the seat may see count.

    Args:
        seen: The events that the window received, one line for each.
        events: The events in the log.
    """
    shown = (visible_event(event, Observer(SEAT)) for event in events)
    logged = [line_of(event) for event in shown if event is not None]
    return max((Counter(seen) - Counter(logged)).total(), (Counter(logged) - Counter(seen)).total())


def _processes_in(folder: Path) -> list[int]:
    """Return the running processes with this folder for temporary files: those of the program's agents."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if str(folder).encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
    return found
