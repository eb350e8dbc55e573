"""Recipients of what the participant says, in a game with several others; computed without Tk.

The recipients change only when the participant chooses others: not after a message is sent, because the next
one would reach everyone although its author thinks that one person gets it; and not while there is text in
the message field. With an empty field, the end of the game sets them to everyone, as a last word has to be.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import join_names

Address = tuple[Seat, ...]
"""Recipients of a message; none means everyone."""

EVERYONE: Address = ()


@dataclass(frozen=True, slots=True)
class AddressView:
    """View of the choice of recipients.

    Args:
        options: Recipients that can be chosen, each with its text.
        chosen: Index of the chosen ones.
        note: Who alone gets what is said; empty while everyone does.
        can_choose: Whether other recipients can be chosen now.
    """

    options: tuple[tuple[Address, str], ...]
    chosen: int
    note: str
    can_choose: bool

    @property
    def is_private(self) -> bool:
        """Whether not everyone gets what is said."""
        return self.options[self.chosen][0] != EVERYONE


def address_view(
    address: Address, names: Mapping[Seat, str], translate: Language, *, running: bool, can_talk: bool
) -> AddressView | None:
    """Return the choice of recipients; None with one other.

    Args:
        address: The chosen recipients.
        names: Display names of the other seats.
        translate: Translation into the window's language.
        running: Whether the game has not ended.
        can_talk: Whether a message can be sent now.
    """
    if len(names) < 2:
        return None
    options: list[tuple[Address, str]] = [(EVERYONE, translate("Everyone"))]
    if running:
        options += [((seat,), name) for seat, name in names.items()]
    if address not in [option for option, _text in options]:
        # Recipients of a former version, or ones that can no longer be chosen.
        options.append((address, address_names(address, names, translate)))
    chosen = next(index for index, (option, _text) in enumerate(options) if option == address)
    recipients = address_names(address, names, translate)
    return AddressView(
        tuple(options),
        chosen,
        translate("Only {names} gets what you say", names=recipients) if address else "",
        can_choose=can_talk and len(options) > 1,
    )


def address_names(address: Address, names: Mapping[Seat, str], translate: Language) -> str:
    """Return the names of recipients; empty for everyone."""
    return join_names([names[seat] for seat in address if seat in names], translate)
