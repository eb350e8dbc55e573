"""Addressees of a text, in a game of more than two seats."""

from __future__ import annotations

from negoplatform.domain.errors import NegoError
from negoplatform.language.parsing.dialogue_context import DialogueContext
from negoplatform.language.parsing.seats.seat_mentions import Address, find_address, find_seats, seat_names
from negoplatform.language.parsing.words.lexicon import lexicon_of

NOBODY = Address()
"""Address of a text that addresses no seat by name."""


def find_addressees(text: str, context: DialogueContext) -> Address:
    """Return the seats that a text addresses by name, except its speaker.

    With two seats no name is needed, and none is found, nor in a language that cannot be parsed.

    Args:
        text: The text as it was typed.
        context: Its context.
    """
    if len(context.game.seats) == 2:
        return NOBODY
    try:
        lexicon = lexicon_of(context.game, context.language)
    except NegoError:
        return NOBODY
    tokens = lexicon.tokenize(text)
    names = seat_names(context.game, lexicon)
    found = find_address(tokens, find_seats(tokens, names, lexicon), context.language)
    return Address(tuple(seat for seat in found.seats if seat != context.speaker), found.everyone)
