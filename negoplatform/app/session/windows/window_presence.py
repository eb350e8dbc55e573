"""Presence of the people and wizards of a live session: ready, lost or done."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.domain.seat_map import Seat


class WindowPresence:
    """Presence of the people and wizards of one session. Used on the session's thread.

    Args:
        people: The seats of people.
        joined: Those of them whose windows are in other processes.
        wizards: The seats whose wizards are awaited before the game begins.
    """

    def __init__(self, people: Iterable[Seat], joined: Collection[Seat], wizards: Iterable[Seat]) -> None:
        self._people = tuple(people)
        self._joined = frozenset(joined)
        self._awaited = {JoinRole(RoleKind.SEAT, seat) for seat in self._joined}
        self._awaited |= {JoinRole(RoleKind.WIZARD, seat) for seat in wizards}
        self._here: set[JoinRole] = set()
        self._been_here: set[JoinRole] = set()
        self._ready: set[Seat] = set()
        self._gone: set[Seat] = set()
        self._taken_over: set[Seat] = set()
        self._done: set[Seat] = set()

    @property
    def is_complete(self) -> bool:
        """Whether the game can begin: each person is ready, and each awaited window is here."""
        return self._awaited <= self._here and self._ready >= set(self._people)

    @property
    def absent(self) -> tuple[Seat, ...]:
        """The seats of people whose windows are not here, and who hold them still."""
        return tuple(
            seat
            for seat in self._people
            if seat in self._joined
            and JoinRole(RoleKind.SEAT, seat) not in self._here
            and seat not in self._gone
        )

    @property
    def is_closing_over(self) -> bool:
        """Whether each person who is here has ended the closing."""
        return all(seat in self._done for seat in self._people if self._is_here(seat))

    def set_ready(self, seat: Seat) -> None:
        """Take a person as ready for the game."""
        self._ready.add(seat)

    def join(self, role: JoinRole) -> bool:
        """Take a window as here; return whether one of this role was here before."""
        back = role in self._been_here
        self._here.add(role)
        self._been_here.add(role)
        return back

    def leave(self, role: JoinRole, *, begun: bool) -> None:
        """Take a window as gone; before the game its person has to be ready again."""
        self._here.discard(role)
        if not begun and role.kind is RoleKind.SEAT and role.seat is not None:
            self._ready.discard(role.seat)

    def give_up(self, seat: Seat) -> bool:
        """Take a person as gone for good; return whether none is left at the table."""
        self._gone.add(seat)
        return self._gone >= set(self._people)

    def has_gone(self, seat: Seat) -> bool:
        """Return whether a person has left for good, or an agent has their seat."""
        return seat in self._gone

    def take_over(self, seat: Seat) -> None:
        """Take the seat of a person as that of an agent."""
        self._taken_over.add(seat)
        self._gone.add(seat)

    def is_taken_over(self, seat: Seat) -> bool:
        """Return whether an agent has a person's seat."""
        return seat in self._taken_over

    def finish(self, seat: Seat) -> None:
        """Take a person as done with the closing."""
        self._done.add(seat)

    def _is_here(self, seat: Seat) -> bool:
        if seat in self._taken_over:
            return False  # the window is there, and can do nothing
        return seat not in self._joined or JoinRole(RoleKind.SEAT, seat) in self._here
