"""Codecs by name, and the usual one of each kind of game."""

from __future__ import annotations

from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.learned.action_codec import ActionCodec
from negoplatform.strategies.learned.bargaining_codecs import DemandCodec, TermsCodec
from negoplatform.strategies.learned.trading_codecs import OrderCodec, TradeCodec

CODECS: dict[str, type[ActionCodec]] = {
    codec.name: codec for codec in (TermsCodec, DemandCodec, OrderCodec, TradeCodec)
}
"""All codecs by name; the first one of a kind of game is its usual one."""


def codec_of(game: GameSpec, seat: Seat, name: str | None = None) -> ActionCodec:
    """Return a codec of a seat's actions.

    Args:
        game: The game, as the seat sees it.
        seat: The seat.
        name: The name of the codec; None: the usual one of this kind of game.

    Raises:
        NegoError: If there is no such codec, or it is for another kind of game.
    """
    fitting = [codec for codec in CODECS.values() if codec.mechanism == game.mechanism]
    if name is None:
        if not fitting:
            raise NegoError(f"There is no codec for games of the kind {game.mechanism}, such as {game.name}.")
        return fitting[0](game, seat)
    if name not in CODECS:
        raise NegoError(f"There is no codec {name!r}; there are {', '.join(CODECS)}.")
    return CODECS[name](game, seat)
