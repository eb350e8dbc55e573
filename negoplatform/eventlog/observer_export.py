"""Export of a log as one observer may see it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from hashlib import sha256

from negoplatform.core.visibility import (
    EXPERIMENTER,
    PUBLIC,
    Observer,
    observer_of,
    visible_event,
    visible_game,
    visible_record_sections,
)
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.joining_settings import WAIT_FOR_LINK
from negoplatform.domain.seat_map import SYSTEM, Seat, SeatMap
from negoplatform.eventlog.hash_chain import RollingHash, add_hash
from negoplatform.eventlog.reader import SessionLog
from negoplatform.formats.events import encode_event
from negoplatform.formats.log_header import Header, Occupant, encode_header


def observer_named(view: str, game: GameSpec) -> Observer:
    """Return the observer called ``complete``, ``public``, ``system``, or by the name of a seat or principal.

    Raises:
        NegoError: If the game has no such view.
    """
    if view == "complete":
        return EXPERIMENTER
    if view == "public":
        return PUBLIC
    if view not in (SYSTEM, *game.seats, *game.principals):
        kinds = f"a seat: {', '.join(game.seats)}"
        if game.principals:
            kinds += f"; or a principal: {', '.join(game.principals)}"
        raise NegoError(f"There is no view {view!r}; choose complete, public, system, or {kinds}.")
    return observer_of(game, view)


def represented_seats(header: Header) -> tuple[Seat, ...]:
    """Return the seats of which a log holds everything that they may see: those of its observer, or all."""
    observer = observer_named(header.view, header.game)
    return header.game.seats if observer.raw else observer.represented


def filter_log(log: SessionLog, view: str) -> SessionLog:
    """Return the log as an observer may see it; the rest is left out entirely."""
    if log.header.view not in ("complete", view):
        raise NegoError(
            f"This log was exported for {log.header.view!r}; another view cannot be made from it."
        )
    observer = observer_named(view, log.header.game)
    if observer.raw:
        return log
    header = filter_header(log.header, view)
    pairs = [
        (seen, at)
        for event, at in zip(log.events, log.times, strict=True)
        if (seen := visible_event(event, observer)) is not None
    ]
    return SessionLog(log.path, header, tuple(e for e, _ in pairs), tuple(at for _, at in pairs))


def filter_header(header: Header, view: str) -> Header:
    """Return the header of a complete log as an observer may see it.

    Args:
        header: The header.
        view: ``complete``, ``system``, ``public``, a seat or a principal.

    Raises:
        NegoError: If the game has no such view.
    """
    observer = observer_named(view, header.game)
    if observer.raw:
        return header
    game = visible_game(header.game, observer)
    return replace(
        header,
        seed=None,
        study=None,
        isolation={},
        wizards={},
        advisers={},
        principals={name: _public_occupant(who) for name, who in header.principals.items()},
        assistants={
            name: _public_occupant(who) for name, who in header.assistants.items() if name in game.assistants
        },
        lost_link=WAIT_FOR_LINK,
        record=visible_record_sections(header.initial_record, observer),
        view=view,
        game=game,
        seats=SeatMap((seat, _public_occupant(who)) for seat, who in header.seats.items()),
    )


def _public_occupant(who: Occupant) -> Occupant:
    """Return the occupant of a seat as other seats see it: the name, and no type, file or code."""
    return Occupant(kind=who.kind, name=who.name)


def encode_log(log: SessionLog) -> bytes:
    """Return a log as the bytes of a file, with new hashes."""
    lines = [encode_event(event, at) for event, at in zip(log.events, log.times, strict=True)]
    return join_lines([encode_header(log.header), *lines])


def join_lines(lines: Iterable[bytes]) -> bytes:
    """Return lines without hashes as the bytes of a log."""
    running: RollingHash = sha256()
    sealed = []
    for line in lines:
        whole, running = add_hash(line, running)
        sealed.append(whole)
    return b"".join(sealed)
