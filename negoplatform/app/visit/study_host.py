"""Host of a study at a station: a wizard or a second person joins it once, and stays for all games."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from negoplatform.app.joining.join_codes import draw_code
from negoplatform.app.joining.join_place import JoinPlace, start_join_server
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.windows.session_feed import (
    FeedItem,
    JoinableSession,
    JoinRole,
    RemoteEntry,
    RoleKind,
    SessionIntroduction,
)
from negoplatform.domain.errors import NegoError
from negoplatform.study.study import Study

if TYPE_CHECKING:
    from negoplatform.app.joining.join_server import JoinServer

WIZARD = JoinRole(RoleKind.WIZARD, "partner")
PARTNER = JoinRole(RoleKind.SEAT, "partner")
EXPERIMENTER, SPECTATOR = JoinRole(RoleKind.EXPERIMENTER), JoinRole(RoleKind.PUBLIC)
"""Roles in a study; the partner has one name, whatever the seat is called in a game."""


def other_roles(study: Study) -> tuple[JoinRole, ...]:
    """Return the roles of those who take part in a study besides its participants; usually none."""
    partners = [partner for model in study.models.values() for partner in model.partners.values()]
    found = []
    if any(partner.wizard_settings is not None for partner in partners):
        found.append(WIZARD)
    if any(partner.person for partner in partners):
        found.append(PARTNER)
    return tuple(found)


@dataclass(frozen=True, slots=True)
class HostedGame:
    """Session of a visit that windows join in the roles of the study.

    Args:
        session: The session.
        roles: Its roles by those of the study.
    """

    session: JoinableSession
    roles: Mapping[JoinRole, JoinRole]

    def introduction(self, role: JoinRole) -> SessionIntroduction:
        """Return what a window in a role gets first.

        Raises:
            NegoError: If this game has no such role.
        """
        if role not in self.roles:
            raise NegoError("This game is played without you; the next one may need you.")
        return self.session.introduction(self.roles[role])

    def attach(self, role: JoinRole, put: Callable[[FeedItem], object]) -> None:
        """Feed a window from now on."""
        self.session.attach(self.roles[role], put)

    def detach(self, role: JoinRole, put: Callable[[FeedItem], object], reason: str) -> None:
        """Stop feeding a window."""
        self.session.detach(self.roles[role], put, reason)

    def submit(self, role: JoinRole, entry: RemoteEntry) -> None:
        """Queue an entry of a window."""
        self.session.submit(self.roles[role], entry)


def hosted_game(session: JoinableSession, plan: SessionPlan) -> HostedGame:
    """Return the session of a visit as windows join it."""
    roles = {EXPERIMENTER: EXPERIMENTER, SPECTATOR: SPECTATOR}
    for seat in plan.wizards:
        roles[WIZARD] = JoinRole(RoleKind.WIZARD, seat)
    for seat in plan.people:
        roles[PARTNER] = JoinRole(RoleKind.SEAT, seat)
    return HostedGame(session, roles)


class StudyHost:
    """Host of one study at this station. Its codes stay the same until the study is left.

    Args:
        others: The roles of those who take part besides the participants.
        report: Called with an unexpected error.
    """

    def __init__(self, others: Iterable[JoinRole], report: Callable[[BaseException], object]) -> None:
        self._codes = {role: draw_code() for role in (*others, EXPERIMENTER)}
        self._report = report
        self._server: JoinServer | None = None
        self._game: HostedGame | None = None

    def start(self, listen: str) -> JoinPlace:
        """Listen at an address, in place of the one before, and return where windows join.

        Args:
            listen: The address, with a port or without one.

        Raises:
            NegoError: If the address cannot be listened at; then no window can join.
        """
        self.stop()
        self._server, place = start_join_server(listen, self._codes, self._report)
        self._server.serve(self._game)
        return place

    def serve(self, session: JoinableSession, plan: SessionPlan) -> None:
        """Let windows join the session of a visit; those that are here join it at once."""
        self._game = hosted_game(session, plan)
        if self._server is not None:
            self._server.serve(self._game)

    def release(self) -> None:
        """Let windows wait for the next session."""
        self._game = None
        if self._server is not None:
            self._server.serve(None)

    def stop(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.stop()
            self._server = None
