"""Names of a recorded session's participants: for the experimenter, and as shown at the table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from negoplatform.core.visibility import Observer
from negoplatform.domain.seat_map import SYSTEM, Seat
from negoplatform.formats.local_time import local_time
from negoplatform.formats.log_header import Header, Occupant
from negoplatform.presentation.event_texts import displayed_name
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import (
    displayable,
    join_names,
    localized_occupant,
    role_name,
    truncate,
)
from negoplatform.presentation.time_and_points_text import date_text

LONGEST_NAME = 20
"""Maximum number of characters shown of a name, which is also a label of buttons."""

SEPARATOR = "  ·  "


@dataclass(frozen=True, slots=True)
class SeatOccupantNames:
    """Names of a session's participants.

    Args:
        names: Name of each seat for the experimenter: a participant's code, an agent's name.
        public_names: Name of each seat for the other seats.
        agent_ids: Catalogue id of the agent in each seat; empty for a person.
        occupants: The occupants as the log has them.
        mine: The seat on whose side the window is: the participant's, or the first.
        others: All other seats, in the game's order; the only one itself if there is no other.
    """

    names: Mapping[Seat, str]
    public_names: Mapping[Seat, str]
    agent_ids: Mapping[Seat, str]
    occupants: Mapping[Seat, Occupant]
    mine: Seat
    others: tuple[Seat, ...]

    def name(self, sender: str, translate: Language) -> str:
        """Return the name of a sender for the experimenter."""
        return displayed_name(sender, self.names, translate)

    def from_seat(self, seat: Seat) -> SeatOccupantNames:
        """Return the names with another seat's side as the window's."""
        return replace(self, mine=seat, others=_others(self.names, seat))

    def counterpart_names(self, seat: Seat) -> dict[Seat, str]:
        """Return the names that a seat's occupant reads for the other seats."""
        return {other: name for other, name in self.public_names.items() if other != seat}

    def view_name(self, observer: Observer, translate: Language) -> str:
        """Return the label of a view's button."""
        if observer.raw:
            return translate("Everything")
        if observer.seat is None:
            return translate("Public view")
        if observer.seat == SYSTEM:
            return translate("System")
        if observer.own_seat is None:
            return translate("{name} (principal)", name=displayable(observer.seat))
        return self.names[observer.seat]


def participants_of(header: Header, translate: Language) -> SeatOccupantNames:
    """Return the participants of a log.

    Args:
        header: The header of the log.
        translate: The window's language.
    """
    translate = translate.for_game(header.game.name)
    public_names = {
        seat: localized_occupant(who.name, seat, header.game, translate) for seat, who in header.seats.items()
    }
    short_names = {
        seat: truncate(
            displayable(who.participant or "") or public_names[seat] or role_name(seat), LONGEST_NAME
        )
        for seat, who in header.seats.items()
    }
    counts = Counter(short_names.values())
    # Two occupants with the same name are distinguished by their seats.
    names = {
        seat: name if counts[name] == 1 else f"{name} ({role_name(seat)})"
        for seat, name in short_names.items()
    }
    mine = header.people[0] if header.people else next(iter(header.seats))
    if header.view in header.seats:
        mine = header.view
    return SeatOccupantNames(
        names=names,
        public_names=public_names,
        agent_ids={seat: displayable(who.agent or "") for seat, who in header.seats.items()},
        occupants=header.seats,
        mine=mine,
        others=_others(header.seats, mine),
    )


def session_facts(header: Header, participants: SeatOccupantNames, translate: Language) -> str:
    """Return the names of the players, the time and the session's id in one line."""
    who = [
        translate("{name} ({kind})", name=name, kind=participants.agent_ids[seat])
        if participants.agent_ids[seat]
        else name
        for seat, name in participants.names.items()
    ]
    parts = [
        join_names(who, translate),
        _when(header.created_at, translate),
        translate("session {id}", id=header.session_id),
    ]
    return SEPARATOR.join(parts)


def _others(seats: Iterable[Seat], mine: Seat) -> tuple[Seat, ...]:
    return tuple(seat for seat in seats if seat != mine) or (mine,)


def _when(created_at: str, translate: Language) -> str:
    try:
        when = local_time(created_at)
    except ValueError:
        return displayable(created_at)
    return f"{date_text(when, translate)}, {when:%H:%M}"
