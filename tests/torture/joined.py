"""P14: no stranger at a host's port gets in, learns anything or slows the windows that have joined."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from negoplatform.app.joining.host_process import HostProcess
from negoplatform.app.joining.join_client import JoinClient, Joined
from negoplatform.core.events import Message
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.eventlog.reader import read_log
from negoplatform.eventlog.replay import replay
from tests.app.joining.hosted import NewsReader
from tests.torture.join_attackers import ATTACKS, INSIDERS
from tests.torture.rows import Row, Tally
from tests.x_server import Screen

PHASE_SECONDS = 20.0
"""Seconds of each attack."""

LEAST_SECONDS = 1.5

MOST_DELAY = 0.1
"""Maximum delay in seconds of 99 of 100 beats of a window, during any attack."""

MOST_MEGABYTES = 64
"""Maximum growth of the host's memory during all attacks."""

TIMED_FROM = 0.1
"""Scale above which a late window is a fault: short tests may share the machine with other work."""

PATIENCE = 60.0
SHORT = ("guess_codes", "send_long_lines", "read_nothing", "send_as_wizard", "send_huge_drafts")
"""Attacks of a short trial."""

ATTACKERS = 2
"""Programs that attack at a time."""

PERSON, AGENT, SECOND = "parent", "gardener", "carpenter"

ANSWERING_AGENT = f"""
from negoplatform.agent_api import NegotiationAgent, SendMessage


class Agent(NegotiationAgent):
    name = "Robin"

    def on_send_message(self, ctx, event):
        if event.sender == "{PERSON}":
            return [SendMessage("About " + event.get_text())]
        return []
"""


@dataclass(frozen=True, slots=True)
class Phase:
    """Time of one attack, with what the attackers reported and what the host used."""

    name: str
    begin: float
    end: float
    attempts: int
    processor: float
    """Part of one processor that the host used."""
    megabytes: float
    """Memory of the host at the end."""


def run(scale: float) -> Row:
    """Attack a host, and a process like that of a study, with one kind of attack after another."""
    tally = Tally()
    seconds = max(LEAST_SECONDS, PHASE_SECONDS * scale)
    is_timed = scale >= TIMED_FROM
    names = ["", *(ATTACKS if is_timed else SHORT)]
    for kind in (_HostTrial, _OneProcessTrial) if is_timed else (_HostTrial,):
        with tempfile.TemporaryDirectory() as top, ExitStack() as stack:
            trial = kind(Path(top), stack)
            trial.begin()
            phases = [trial.attack(name, seconds, tally) for name in names]
            windows = trial.end(tally)
            for name, measured in windows.items():
                judge_beats(f"{name} ({kind.place})", measured["beats"], phases, tally, timed=is_timed)
            if len(windows) == 2:
                judge_course(trial.log, windows, tally)
            judge_host(phases, tally)
        tally.runs += len(phases) - 1
    return tally.row("P14", f"{len(names) - 1} attacks on a host with two windows", counts=["lost"])


class _Trial:
    """Session with a person's and a wizard's window, and a second person without a screen.

    Args:
        folder: A folder for all files.
        stack: Ends everything.
    """

    place = ""
    log: Path
    _port: int
    _codes: Mapping[str, str]
    _attacked: int
    """The process whose port is attacked."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self._windows: dict[str, subprocess.Popen[bytes]] = {}
        self._errors: list[BaseException] = []

    def begin(self) -> None:
        """Start everything, and wait until the game has begun."""
        agent = self._folder / "agent.py"
        agent.write_text(ANSWERING_AGENT, encoding="utf-8")
        self._start(agent)
        self._join("wizard", "wizard")
        code = self._codes[SECOND]
        self._second = JoinClient("127.0.0.1", self._port, code, report=self._errors.append)
        self._stack.callback(self._second.stop)
        self._second.start()
        NewsReader(self._second).next(Joined)
        assert self._second.seat is not None
        self._second.seat.start()
        self._second.seat.updates.get(timeout=PATIENCE)
        time.sleep(2.0)  # the windows build their screens

    def _start(self, agent: Path) -> None:
        """Start the session and the person's window."""
        raise NotImplementedError

    def _await_end(self) -> None:
        """Wait until the session is over, and its log closed."""

    def _join(self, name: str, role: str) -> None:
        """Open a window that joins in a role."""
        self._open(
            name,
            "tests.torture.joined_window_program",
            f"127.0.0.1:{self._port}",
            self._codes[role],
            str(self._folder),
            name,
        )

    def _open(self, name: str, module: str, *arguments: str) -> None:
        """Run a program with a window on a screen of its own."""
        screen = self._stack.enter_context(Screen())
        window = subprocess.Popen([sys.executable, "-m", module, *arguments], env=screen.env)
        self._windows[name] = window
        self._stack.callback(window.wait)
        self._stack.callback(window.terminate)

    def attack(self, name: str, seconds: float, tally: Tally) -> Phase:
        """Attack for a time; an empty name is the time without an attack, with which the others compare."""
        begin, used = time.monotonic(), self._processor_seconds()
        attempts = 0
        if name:
            attempts = self._run_attackers(name, seconds, tally)
        else:
            time.sleep(seconds)
        end = time.monotonic()
        processor = (self._processor_seconds() - used) / (end - begin)
        return Phase(name or "none", begin, end, attempts, processor, self._megabytes())

    def _processor_seconds(self) -> float:
        """Return the processor time of the host so far."""
        line = Path(f"/proc/{self._attacked}/stat").read_text(encoding="utf-8")
        fields = line.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def _megabytes(self) -> float:
        """Return the memory of the host."""
        pages = Path(f"/proc/{self._attacked}/statm").read_text(encoding="utf-8").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 2**20

    def _run_attackers(self, name: str, seconds: float, tally: Tally) -> int:
        codes = f"{self._codes['public']},{self._codes[SECOND]}"
        command = [sys.executable, "-m", "tests.torture.join_attackers", name, str(self._port), codes]
        # The windows of one seat replace each other.
        number = 1 if name in ("send_huge_drafts", "send_many_messages") else ATTACKERS
        attackers = [
            subprocess.Popen([*command, str(seconds)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(number)
        ]
        attempts = joined = 0
        for attacker in attackers:
            output, errors = attacker.communicate(timeout=seconds + PATIENCE)
            if not tally.expect(attacker.returncode == 0, f"{name}: {errors.decode()[-500:]}"):
                continue
            said = json.loads(output)
            attempts, joined = attempts + said["attempts"], joined + said["joined"]
            tally.expect(not said["admitted"], f"{name}: {said['admitted']} strangers were admitted.")
            tally.expect(not said["leaked"], f"{name}: a stranger got {said['leaked']} lines of the session.")
        tally.expect(attempts > 0, f"{name}: no attack was tried.")
        tally.expect(joined > 0 or name not in INSIDERS, f"{name}: no window with a right code was admitted.")
        return attempts

    def end(self, tally: Tally) -> dict[str, Any]:
        """End the game, and return what the windows have measured."""
        (self._folder / "stop").touch()
        found = {}
        for name, window in self._windows.items():
            try:
                code = window.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                tally.faults.append(f"The window of the {name} did not see the end of the game.")
                continue
            if tally.expect(code == 0, f"The window of the {name} ended with {code}."):
                found[name] = json.loads((self._folder / f"{name}.json").read_bytes())
        self._second.stop()
        self._await_end()
        tally.expect(not self._errors, f"The second person's client failed: {self._errors[:1]}")
        crashes = [crash for folder in self._folder.glob("**/crashes") for crash in folder.iterdir()]
        tally.expect(
            not crashes, f"A crash file was left: {[each.read_text()[-500:] for each in crashes[:1]]}"
        )
        return found


class _HostTrial(_Trial):
    """Session in the process of a host, which both windows join."""

    place = "host"

    def _start(self, agent: Path) -> None:
        options = ["--data-dir", str(self._folder / "data"), "--game", "three_way"]
        options += ["--agent", f"{AGENT}={agent}", "--wizard", AGENT, "--suggestion-time", "600"]
        options += ["--people", f"{PERSON}=P01", "--people", f"{SECOND}=P02"]
        self._host = HostProcess([*options, "--time-limit", "36000", "--closing-time", "0.5"])
        self._stack.callback(self._host.stop)
        session = self._host.await_session()
        self._port, self._codes, self.log = session.port, session.codes, session.log
        self._attacked = self._host._process.pid
        self._join("person", PERSON)

    def _await_end(self) -> None:
        self._host.await_end(PATIENCE)


class _OneProcessTrial(_Trial):
    """Session in the process of the person's window, as in a study; the wizard's window joins it."""

    place = "one process"

    def _start(self, agent: Path) -> None:
        self._open("person", "tests.torture.joined_table_program", str(self._folder), str(agent))
        facts = self._folder / "hosting.json"
        end = time.monotonic() + PATIENCE
        while not facts.is_file():
            assert time.monotonic() < end, "the window did not host a session"
            time.sleep(0.05)
        found = json.loads(facts.read_bytes())
        self._port, self._codes, self.log = found["port"], found["codes"], Path(found["log"])
        self._attacked = self._windows["person"].pid


def p99(delays: Sequence[float]) -> float:
    """Return the delay that 99 of 100 stay below."""
    return Tally(delays=list(delays)).row("P14", "").p99 or 0.0


def judge_beats(
    name: str, beats: Sequence[Sequence[float]], phases: Sequence[Phase], tally: Tally, *, timed: bool
) -> None:
    """Check that a window was late during no attack.

    Args:
        name: The name of the window.
        beats: The ``time.monotonic()`` and the delay in seconds of each beat.
        phases: The attacks.
        tally: The counts that receive the result.
        timed: Whether a late window is a fault.
    """
    told = []
    for phase in phases:
        delays = [delay for at, delay in beats if phase.begin <= at < phase.end]
        if phase.name != "none":
            tally.delays += delays
        late = p99(delays)
        tally.expect(bool(delays), f"{phase.name}: no beat of the window of the {name} fell into it.")
        if timed:
            tally.expect(late < MOST_DELAY, f"{phase.name}: the {name}'s window was late, p99 {late:.3f} s.")
        told.append(f"{phase.name} {late * 1000:.0f} ms")
    tally.remarks.append(f"p99 of the beats of the {name}'s window: {', '.join(told)}.")


def judge_course(log: Path, windows: dict[str, Any], tally: Tally) -> None:
    """Check that each act of both windows is in the log once, and seen by the other one."""
    found = read_log(log)
    tally.expect(replay(found).state.ending is not None, "The log has no end.")
    texts = [event.payload.text for event in found.events if isinstance(event.payload, Message)]
    latencies = []
    for name, other in (("person", "wizard"), ("wizard", "person")):
        for text, at in windows[name]["sent"].items():
            times = texts.count(text)
            tally.lost += times == 0
            tally.expect(times == 1, f"What the {name} sent is in the log {times} times: {text}")
            seen = windows[other]["seen"].get(text)
            tally.expect(seen is not None, f"The {other}'s window did not show what was sent: {text}")
            if name == "wizard" and seen is not None:
                latencies.append(seen - at)
    tally.expect(len(latencies) > 2, "The wizard sent next to nothing.")
    forged = [text for text in texts if text == "I am a spectator."]
    modes = [event for event in found.events if getattr(event.payload, "kind", "") == NoteKind.WIZARD_MODE]
    tally.expect(not forged and not modes, "A spectator has acted.")
    middle = sorted(latencies)[len(latencies) // 2] if latencies else 0.0
    tally.remarks.append(
        f"From the wizard's press of Send to the participant's window, in {len(latencies)} cases: median "
        f"{middle * 1000:.0f} ms, p99 {p99(latencies) * 1000:.0f} ms."
    )


def judge_host(phases: Sequence[Phase], tally: Tally) -> None:
    """Check that the host did not grow, and report its processor time."""
    first, most = phases[0].megabytes, max(phase.megabytes for phase in phases)
    tally.expect(most - first < MOST_MEGABYTES, f"The host grew from {first:.0f} to {most:.0f} MB.")
    told = ", ".join(f"{each.name} {each.attempts:,} ({each.processor:.2f})" for each in phases)
    tally.remarks.append(
        f"The host's memory: {first:.0f} MB before the attacks, {most:.0f} MB at most. Attempts, and the "
        f"part of one processor that the host used: {told}."
    )
