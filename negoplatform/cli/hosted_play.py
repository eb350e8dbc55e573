"""Session that ``negoplatform play --listen`` hosts in one process, and joins in another."""

from __future__ import annotations

import signal
import time
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from negoplatform.app.joining.host_process import END_SECONDS, HostedSession, HostProcess
from negoplatform.app.joining.join_place import bracketed
from negoplatform.app.joining.window_process import WindowProcess, WindowStart, window_arguments
from negoplatform.app.session.windows.session_feed import RoleKind
from negoplatform.cli.session_options import check_resumed_alone
from negoplatform.cli.terminal_output import echo_line
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.appearance import read_appearance
from negoplatform.presentation.start.participant_code_and_seed import draw_code

WINDOW_OPTIONS = ("listen", "briefing", "practice", "watch")
"""Options of ``play`` that the host does not get."""

POLL_SECONDS = 0.2

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


def play_hosted(
    data_dir: Path,
    *,
    announce: bool,
    reset: bool,
    appearance_overrides: Mapping[str, Any],
    chosen: dict[str, Any],
) -> int:
    """Start a host and join it in a window; when the window is closed and the session is over, both end.

    The window is a process of its own, which has neither the options of the session nor the codes of others.

    Args:
        data_dir: The user's folder.
        announce: Whether to report to UI tests what is shown.
        reset: Whether to reset the appearance first.
        appearance_overrides: Fields of the appearance that differ for this start only, by name.
        chosen: The parsed arguments of ``play``.

    Returns:
        The exit code of the window.

    Raises:
        NegoError: If the options cannot be satisfied.
    """
    if chosen["watch"] is not None:
        raise NegoError("--watch is for an author's own window, which others cannot join; leave one out.")
    is_participant = chosen["participant"] is not None or bool(appearance_overrides.get("full_screen"))
    language = appearance_overrides.get("language") or read_appearance(data_dir).language
    reports = _HostReports()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)
    host, window = HostProcess(host_arguments(data_dir, language, chosen), reports.take), None
    try:
        session = host.await_session()
        reports.first = session.first
        _print_codes(session)
        start = WindowStart(
            address=f"{bracketed(session.address)}:{session.port}",
            code=session.codes[session.first],
            is_participant=is_participant,
            shows_briefing=chosen["briefing"] is not False,
        )
        own = window_arguments(data_dir, appearance_overrides, announce=announce, reset=reset)
        window = WindowProcess(start, own)
        code = _await_window(window, host)
        if code == 0:
            _await_host(host, session, reports)
        return code
    finally:
        if window is not None:
            window.stop()
        if host.is_running:
            host.stop()


def _await_window(window: WindowProcess, host: HostProcess) -> int:
    """Wait until the window is closed; return its exit code."""
    while (code := window.exit_code) is None:
        window.tell(
            is_running=host.is_running,
            is_log_over=host.is_log_over,
            log="" if host.log is None else str(host.log),
        )
        time.sleep(POLL_SECONDS)
    return code


def host_arguments(data_dir: Path, language: str, chosen: Mapping[str, Any]) -> list[str]:
    """Return the arguments of ``negoplatform host`` for the parsed arguments of ``play --listen``.

    Args:
        data_dir: The user's folder.
        language: The window's language.
        chosen: The arguments.

    Raises:
        NegoError: If they name no game, or more than a session that is resumed.
    """
    arguments = ["--data-dir", str(data_dir), "--listen", chosen["listen"]]
    if chosen["resume"] is not None:
        check_resumed_alone(chosen, ignoring=("resume", *WINDOW_OPTIONS))
        return [*arguments, "--resume", str(chosen["resume"])]
    if chosen["game"] is None:
        raise NegoError("With --listen, the game is named with --game, and the agents with --agent.")
    people: dict[Seat, str] = dict(chosen["people"])
    if "" in people:
        raise NegoError(
            f"--people {people['']} needs a seat, as in --people seller={people['']}; the person at this "
            "window is named with --seat and --participant."
        )
    code = chosen["participant"] or draw_code()
    people = {chosen["seat"] or "": code, **people}
    if len(people) == len(chosen["people"]):
        raise NegoError(
            f"The seat {chosen['seat']!r} is given to two people; choose another seat for one of them."
        )
    arguments += ["--language", language]
    for seat, theirs in people.items():
        arguments += ["--people", f"{seat}={theirs}" if seat else theirs]
    for seat, mode in chosen["wizards"].items():
        arguments += ["--wizard", f"{seat}:{mode}"]
    for seat, agent in chosen["agents"].items():
        arguments += ["--agent", agent if seat is None else f"{seat}={agent}"]
    for seat, agent in chosen["advisers"].items():
        arguments += ["--adviser", f"{seat}={agent}" if seat else agent]
    for name, plugin in chosen["principals"].items():
        arguments += ["--principal", f"{name}={plugin}"]
    for assistant in chosen["assistants"] or ():
        arguments += ["--assistant", assistant]
    for seat, profile in chosen["profiles"].items():
        arguments += ["--profile", f"{seat}={profile}"]
    rule = chosen["on_lost"]
    agent = f"={rule.agent}" if rule.agent else ""
    seconds = "" if rule.action == "wait" else f":{rule.seconds:g}"
    arguments += ["--on-lost", f"{rule.action}{agent}{seconds}"]
    special = (
        "resume",
        "people",
        "wizards",
        "agents",
        "advisers",
        "principals",
        "assistants",
        "profiles",
        "on_lost",
        "participant",
        "seat",
    )
    for name, value in chosen.items():
        if name in (*special, *WINDOW_OPTIONS) or value is None or value is False:
            continue
        arguments += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return arguments


def _leave(_number: int, _frame: FrameType | None) -> NoReturn:
    """End the window and the host."""
    raise SystemExit(INTERRUPTED)


class _HostReports:
    """Reports of the host, printed as far as they are not about the window of this command.

    ``first`` is the role of this window by its name, once it is known.
    """

    def __init__(self) -> None:
        self.first = ""
        self.has_begun = False
        self._people: set[str] = set()

    @property
    def others_here(self) -> bool:
        """Whether the window of another person is in the session."""
        return bool(self._people - {self.first})

    def take(self, report: Mapping[str, Any]) -> None:
        """Take a report; called on the thread that reads them."""
        match report:
            case {"ev": "began"}:
                self.has_begun = True
            case {"ev": "joined" | "left" as change, "role": str(role), "kind": kind, "text": str(text)}:
                if kind == RoleKind.SEAT:
                    (self._people.add if change == "joined" else self._people.discard)(role)
                if role != self.first:
                    echo_line(text)
            case {"ev": "log", "text": str(text)}:
                echo_line(text)
            case {"ev": "error", "text": str(text)}:
                echo_line(text, err=True)
            case {"ev": "resumable", "log": str(log)}:
                echo_line(f"To continue the session: negoplatform play --resume {log} --listen")
            case _:
                pass


def _print_codes(session: HostedSession) -> None:
    echo_line(f"Others can join at {session.place}:")
    for role in session.codes:
        if role != session.first:
            echo_line(f"  {role}: {session.join_command(role)}")


def _await_host(host: HostProcess, session: HostedSession, reports: _HostReports) -> None:
    """Wait until the host ends by itself, for a time, or as long as other people are in the session."""
    until, is_told = time.monotonic() + END_SECONDS, False
    while host.is_running and reports.has_begun:
        if reports.others_here:
            if not is_told:
                is_told = True
                echo_line(
                    "The window is closed, and others are still in the session. Ctrl-C ends the host; "
                    f"{session.join_command(session.first)} comes back."
                )
        elif time.monotonic() > until:
            return
        time.sleep(POLL_SECONDS)
