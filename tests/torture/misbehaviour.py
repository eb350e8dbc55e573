"""P10: no agent can freeze the window, lose an event or see what is hidden."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from negoplatform.core.events import EndedBy, Message, Note
from negoplatform.core.notes import NoteKind
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from tests.torture.forks import NOBODY
from tests.torture.rows import Row, Tally
from tests.torture.window_program import SECRET

SESSIONS = 100
"""Sessions with each agent."""

LONGEST = 60 * 60.0
"""Seconds after which no further round of agents is begun; the table says how many sessions there were."""

MOST_DELAY = 0.1
"""Seconds that 99 of 100 beats of the window may come late at most."""

TIMED_FROM = 0.1
"""The scale from which on a late window is a fault: the tests may run beside anything."""

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
}
"""Every misbehaviour of the promise, by the name of its file, and how a session with it may end.

Those that do no harm may be struck out nevertheless: on a busy machine 0.2 s pass quickly.
"""


def run(scale: float) -> Row:
    """Opens the program once on every core; in each a robot meets its share of the agents in turn."""
    tally = Tally()
    sessions = max(1, round(SESSIONS * scale))
    names = [name for name in TORTURE_SET if name != "forks" or _ordinary_command() or os.geteuid()]
    if len(names) < len(TORTURE_SET):
        tally.remarks.append("No limit stops a fork bomb that is root, so that one was left out.")
    programs = max(1, min(os.cpu_count() or 1, sessions))
    shares = [names[i::programs] for i in range(programs)]
    with ThreadPoolExecutor(programs) as pool:
        found = list(pool.map(lambda share: _play_share(share, sessions, tally), shares))
    _judge_delays([one for one in found if one], tally, timed=scale >= TIMED_FROM)
    if tally.runs < len(names) * sessions:
        tally.remarks.append(f"Time was up after {tally.runs:,} of {len(names) * sessions:,} sessions.")
    return tally.row("P10", f"{len(names)} misbehaving agents, the window open", counts=["lost"])


def _play_share(names: list[str], sessions: int, tally: Tally) -> dict[str, Any]:
    """What one program measured with its share of the agents."""
    with tempfile.TemporaryDirectory() as top, _screen() as display:
        folder = Path(top) / "data"
        folder.mkdir()
        if os.geteuid() == 0:
            for place in (Path(top), folder):
                os.chown(place, NOBODY, NOBODY)
        _play(folder, sessions, names, display, tally)
        return _judge(folder, tally)


def _play(folder: Path, sessions: int, names: list[str], display: str, tally: Tally) -> None:
    environment = {**os.environ, "DISPLAY": display, "HOME": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    environment["TMPDIR"] = str(folder)
    program = [sys.executable, "-m", "tests.torture.window_program"]
    told = subprocess.run(
        [*_ordinary_command(), *program, str(folder), str(sessions), str(LONGEST), *names],
        env=environment,
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
    """Every session ended in a defined state, its log replays, and holds all that the window was told."""
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


def _judge_delays(found: list[dict[str, Any]], tally: Tally, *, timed: bool) -> None:
    """The window was never late while a session was played."""
    for one in found:
        tally.delays += one["delays"]
    row = tally.row("P10", "")
    in_time = row.p99 is not None and row.p99 < MOST_DELAY
    tally.expect(in_time or not timed, f"The window was late: p99 {row.p99}, worst {row.worst} s.")
    own = max((delay for one in found for delay in one["own_delays"]), default=0.0)
    ends = Counter(end for one in found for end in one["ends"])
    told = ", ".join(f"{count} by {end}" for end, count in sorted(ends.items()))
    tally.remarks.append(
        f"{len(found)} programs at a time; {len(tally.delays):,} beats of their windows, one every 10 ms "
        f"while a session is played; sessions ended {told}; building screens and showing the end, measured "
        f"apart, kept a window busy for {own * 1000:.0f} ms at most; "
        f"{'as an ordinary user' if _ordinary_command() or os.geteuid() else 'as root'}."
    )


def _judge_session(path: Path, seen: list[int], tally: Tally) -> str:
    log = read_log(path)
    name = log.header.seats["agent"].agent or ""
    ending = replay(log).state.ending
    seqs = {event.seq for event in log.events}
    lost = [seq for seq in seen if seq not in seqs]
    tally.lost += len(lost)
    tally.expect(not lost, f"{name}: the window was told of {len(lost)} events that the log does not hold.")
    said = [e.payload.text for e in log.events if isinstance(e.payload, Message) and e.sender == "agent"]
    tally.expect(str(SECRET) not in " ".join(said), f"{name}: it saw the other side's reservation value.")
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


def _ordinary_command() -> list[str]:
    """What stands before a command so that it runs as an ordinary user; nothing where that cannot be.

    One right of root is kept, to read: the interpreter may lie where nobody else may look.
    """
    setpriv = shutil.which("setpriv")
    if os.geteuid() != 0 or setpriv is None:
        return []
    user = [f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
    return [setpriv, *user, "--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search"]


def _processes_in(folder: Path) -> list[int]:
    """Running processes whose folder for temporary files is this one: those of the program's agents."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if str(folder).encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
    return found


@contextmanager
def _screen() -> Iterator[str]:
    """A private X server with a window manager, open to every user of this machine."""
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            *f"Xvfb -displayfd {write} -screen 0 1280x800x24 -ac -nolisten tcp -noreset".split(),
        ],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    number = b""
    while not number.endswith(b"\n"):
        assert select.select([read], [], [], 30.0)[0], "Xvfb did not start."
        number += os.read(read, 20)
    os.close(read)
    display = f":{number.decode().strip()}"
    environment = {**os.environ, "DISPLAY": display}
    manager = subprocess.Popen(
        ["openbox"], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield display
    finally:
        for process in (manager, server):
            process.terminate()
            process.wait(30.0)
