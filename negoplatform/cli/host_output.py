"""Lines that a host prints: sentences for people, or JSON for the program that has started it."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from negoplatform.app.joining.join_admission import full_name
from negoplatform.app.joining.join_codes import shown_code
from negoplatform.app.joining.join_place import JoinPlace
from negoplatform.app.session.windows.session_feed import (
    FeedItem,
    JoinableSession,
    JoinRole,
    RemoteEntry,
    RoleKind,
    SessionIntroduction,
)
from negoplatform.cli.terminal_output import echo_line
from negoplatform.domain.seat_map import Seat


@dataclass(frozen=True, slots=True)
class HostFacts:
    """Facts about a host that windows and their users need.

    Args:
        place: Where windows join.
        first: The first participant's seat.
        log: The session's log.
    """

    place: JoinPlace
    first: Seat
    log: Path


class HostOutput:
    """Output of a host; its methods may be called on any thread.

    Args:
        announce: Whether lines of JSON are printed in place of sentences.
    """

    def __init__(self, *, announce: bool) -> None:
        self.announce = announce
        self._lock = Lock()

    def hosting(self, facts: HostFacts) -> None:
        """Report where windows join, with the code of each role."""
        place = facts.place
        codes = {reported_name(role): shown_code(code) for role, code in place.codes.items()}
        sentences = [f"Windows can join at {place.text}."]
        sentences += [f"  {reported_name(role)}: {place.command(role)}" for role in place.codes]
        sentences.append("Ctrl-C ends the host; an unfinished session can be resumed.")
        self._print(
            "hosting", sentences, place=place.text, address=place.address, port=place.port, codes=codes,
            first=reported_name(JoinRole(RoleKind.SEAT, facts.first)), log=str(facts.log),
        )  # fmt: skip

    def joined(self, role: JoinRole) -> None:
        """Report that a window has joined."""
        self._print_role("joined", role, f"{described(role)} has joined.")

    def left(self, role: JoinRole, reason: str) -> None:
        """Report that a window has left."""
        self._print_role("left", role, f"{described(role)} has left ({reason}).")

    def began(self) -> None:
        """Report that the game has begun."""
        self._print("began", ["The game has begun."])

    def ended(self, how: str) -> None:
        """Report that the game has ended."""
        self._print("ended", [f"The game has ended ({how}); last messages are possible."], how=how)

    def log_closed(self, sentence: str, log: Path, *, is_over: bool) -> None:
        """Report where the log is, in a sentence with its proof."""
        self._print("log", [sentence], log=str(log), over=is_over, text=sentence)

    def resumable(self, folder: Path) -> None:
        """Report the command that continues the unfinished session in a folder."""
        self._print(
            "resumable", [f"To continue the session: negoplatform host --resume {folder}"], log=str(folder)
        )

    def discarded(self) -> None:
        """Report that the game never began."""
        self._print("discarded", ["The game never began, so nothing was kept."])

    def refused(self, sentence: str) -> None:
        """Report, as JSON alone, that the options cannot be satisfied."""
        self._print("refused", [], text=sentence)

    def _print_role(self, event_name: str, role: JoinRole, text: str) -> None:
        self._print(event_name, [text], role=reported_name(role), kind=role.kind.value, text=text)

    def _print(self, event_name: str, sentences: list[str], **data: Any) -> None:
        # The reader of the pipe may be gone: no reason to stop a session.
        with self._lock, suppress(OSError, ValueError):
            if self.announce:
                print(json.dumps({"ev": event_name, **data}), flush=True)
                return
            for sentence in sentences:
                echo_line(sentence)


def reported_name(role: JoinRole) -> str:
    """Return the name of a role in reports; a seat that is called like a kind of role has its full name."""
    is_unclear = role.seat is not None and role.name == role.seat and role.name in list(RoleKind)
    return full_name(role) if is_unclear else role.name


def described(role: JoinRole) -> str:
    """Return a role as the beginning of a sentence."""
    match role.kind:
        case RoleKind.SEAT:
            return f"The person in the seat {role.seat}"
        case RoleKind.WIZARD:
            return f"The wizard of {role.seat}"
        case RoleKind.EXPERIMENTER:
            return "The experimenter's console"
        case RoleKind.PRINCIPAL:
            return f"A console with the view of the principal {role.seat}"
        case RoleKind.SYSTEM:
            return "A console with the view of the system"
        case _:
            return "A spectator's window"


@dataclass(slots=True)
class ReportedSession:
    """Session that reports which windows join and leave it.

    Args:
        session: The session.
        output: Where that is reported.
        on_seats: Called with the number of people's windows that are here, after each change.
    """

    session: JoinableSession
    output: HostOutput
    on_seats: Callable[[int], object]
    _seats: dict[JoinRole, Callable[[FeedItem], object]] = field(default_factory=dict)

    def introduction(self, role: JoinRole) -> SessionIntroduction:
        """Return the first value for a window in a role."""
        return self.session.introduction(role)

    def attach(self, role: JoinRole, put: Callable[[FeedItem], object]) -> None:
        """Feed a window from now on."""
        self.output.joined(role)
        self.session.attach(role, put)
        if role.kind is RoleKind.SEAT:
            self._seats[role] = put
            self.on_seats(len(self._seats))

    def detach(self, role: JoinRole, put: Callable[[FeedItem], object], reason: str) -> None:
        """Stop feeding a window."""
        self.output.left(role, reason)
        self.session.detach(role, put, reason)
        if self._seats.get(role) == put:
            del self._seats[role]
            self.on_seats(len(self._seats))

    def submit(self, role: JoinRole, entry: RemoteEntry) -> None:
        """Queue an entry of a window."""
        self.session.submit(role, entry)
