"""Run of a host: the session of people, agents and a wizard, which windows in other processes join."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from types import FrameType

from negoplatform.app.joining.host_process import END_REQUEST
from negoplatform.app.joining.join_admission import full_name
from negoplatform.app.joining.join_codes import draw_code
from negoplatform.app.joining.join_place import start_join_server
from negoplatform.app.joining.join_server import JoinServer
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.log_proofs import LogProof, append_proof
from negoplatform.app.session.session_data_store import StoredHost
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import OpenSession
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.app.support.crash_reports import CrashFolder
from negoplatform.cli.host_output import HostFacts, HostOutput, ReportedSession
from negoplatform.core.events import Ending, Event, EventType

POLL_SECONDS = 0.2
"""Seconds between two looks whether the session is over."""

STARTER_GRACE = 60.0
"""Seconds without a person's window after which a host ends whose starter is gone."""

READING_SECONDS = 1.0
"""Seconds that windows have for reading the last status before the host ends."""


def roles_of(plan: SessionPlan) -> list[JoinRole]:
    """Return the roles in which windows can join a session: people, wizards, and those who watch."""
    return [
        *(JoinRole(RoleKind.SEAT, seat) for seat in plan.codes_of_people),
        *(JoinRole(RoleKind.WIZARD, seat) for seat in plan.wizards),
        *(JoinRole(RoleKind.PRINCIPAL, name) for name in plan.game.principals),
        JoinRole(RoleKind.EXPERIMENTER),
        JoinRole(RoleKind.SYSTEM),
        JoinRole(RoleKind.PUBLIC),
    ]


def start_server(
    listen: str, roles: list[JoinRole], crashes: CrashFolder, earlier: StoredHost | None = None
) -> tuple[JoinServer, HostFacts]:
    """Start the server of a host.

    Args:
        listen: The address to listen at, with a port or without one: then any free port, if the usual one is
            in use.
        roles: The roles that have a code.
        crashes: The folder of crash files.
        earlier: The host that ran the session before: its codes stay, and its port if it is free and no other
            one is named, so that windows come back by themselves.

    Raises:
        NegoError: If the address cannot be listened at.
    """
    kept = {} if earlier is None else earlier.codes
    codes = {role: kept.get(full_name(role)) or draw_code() for role in roles}
    server, place = start_join_server(listen, codes, crashes.write, None if earlier is None else earlier.port)
    return server, HostFacts(place, next(role.seat or "" for role in roles), Path())


def stored_host(facts: HostFacts) -> StoredHost:
    """Return how windows join a host, as it is kept for the next one that runs the session."""
    codes = {full_name(role): code for role, code in facts.place.codes.items()}
    return StoredHost(port=facts.place.port, codes=codes)


class HostRun:
    """Run of one session until it is over or the host is ended.

    Args:
        session: The session.
        server: The server that windows join.
        data_dir: The user's folder.
        crashes: The folder of crash files.
        output: Where events of the host are reported.
    """

    def __init__(
        self,
        session: OpenSession,
        server: JoinServer,
        *,
        data_dir: Path,
        crashes: CrashFolder,
        output: HostOutput,
    ) -> None:
        self._session, self._server = session, server
        self._data_dir, self._crashes, self._output = data_dir, crashes, output
        self._starter_is_gone = self._is_asked_to_end = False
        self._without_people_since = time.monotonic()
        self._people_here = 0
        self._live: LiveSession = session.create_live_session(crashes.write, self._on_event, has_window=False)

    def run(self) -> None:
        """Run until the session is over; Ctrl-C ends it with everything saved."""
        self._session.log.on_close = self._report_log
        self._server.serve(ReportedSession(self._live, self._output, self._count_people))
        self._live.await_start()
        if self._output.announce:
            Thread(target=self._watch_starter, name="starter", daemon=True).start()
        try:
            with _interruptible():
                while self._live.is_running and not (self._is_asked_to_end or self._is_abandoned):
                    time.sleep(POLL_SECONDS)
                if not self._live.is_running:
                    time.sleep(READING_SECONDS)
        except KeyboardInterrupt:
            pass
        finally:
            self._end()

    def _end(self) -> None:
        self._live.stop()
        self._server.stop()
        session = self._session
        if not self._live.has_started:
            session.discard()
            if session.resume_point is None:
                self._output.discarded()
                return
        if not session.log.closed:
            self._report_log()
        if session.log.ended:
            session.session_data.save_host(None)
        else:
            self._output.resumable(session.log.path.parent)

    def _report_log(self) -> None:
        """Report the log's location at once, and keep its proof."""
        log = self._session.log
        proof = f", last hash {log.last_hash}" if log.ended and log.last_hash else ""
        where = f"Log: {log.path}{proof}" if log.ended else f"Log so far: {log.path} (not finished)"
        self._output.log_closed(where, log.path, is_over=log.ended)
        if log.ended and log.last_hash:
            codes = ", ".join(self._session.plan.codes_of_people.values())
            try:
                append_proof(self._data_dir, LogProof(log.path, codes, log.events, log.last_hash))
            except OSError as error:
                self._crashes.write(error)

    def _on_event(self, event: Event) -> None:
        if event.type in (EventType.GAME_START, EventType.RESUMED):
            self._output.began()
        elif isinstance(event.payload, Ending):
            self._output.ended(event.payload.ended_by.value)

    def _count_people(self, number: int) -> None:
        self._people_here = number
        self._without_people_since = time.monotonic()

    @property
    def _is_abandoned(self) -> bool:
        """Whether the program that has started this host is gone, and no person's window has come back."""
        waited = time.monotonic() - self._without_people_since
        return self._starter_is_gone and not self._people_here and waited > STARTER_GRACE

    def _watch_starter(self) -> None:
        """Wait until the program that started this host requests its end, or ends itself."""
        try:
            # Without a buffer, whose lock the end of the program would wait for.
            while said := os.read(sys.stdin.fileno(), 1):
                if said == END_REQUEST:
                    self._is_asked_to_end = True
                    return
        except (OSError, ValueError, AttributeError):
            pass  # it was started without an input
        self._without_people_since = time.monotonic()
        self._starter_is_gone = True


@contextmanager
def _interruptible() -> Iterator[None]:
    """Make the signal to terminate work like Ctrl-C."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
