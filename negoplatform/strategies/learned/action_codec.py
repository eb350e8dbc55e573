"""Translation of actions as numbers to an agent's actions, for programs that learn."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from typing import ClassVar

from negoplatform.agent_api.actions import Action, FormalQuit
from negoplatform.agent_api.context import AgentContext
from negoplatform.core.events import Event, EventType
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat_map import Seat
from negoplatform.strategies.learned.vector_action import VectorAction

WAIT, QUIT = "wait", "quit"
"""Heads that every codec has: nothing is done, and the seat walks away."""


class ActionCodec(ABC):
    """Codec of a seat's actions in one kind of game.

    The first choice of an action is its *head*, the kind of act; the other values complete it, and those
    that a head does not need are ignored. A neutral action waits. Continuous values are from 0 to 1.

    Args:
        game: The game, as the seat sees it.
        seat: The seat.

    Raises:
        NegoError: If the game is of another kind.
    """

    name: ClassVar[str]
    """Name of the codec in options and files."""
    mechanism: ClassVar[str]
    """Kind of game."""
    heads: ClassVar[tuple[str, ...]]
    """Names of the heads, in the order of their numbers."""

    def __init__(self, game: GameSpec, seat: Seat) -> None:
        if game.mechanism != self.mechanism:
            raise NegoError(
                f"The codec {self.name} is for games of the kind {self.mechanism}, "
                f"and {game.name} is of the kind {game.mechanism}."
            )
        self.game = game
        self.seat = seat
        self.dim_c = 0
        self.ncats: tuple[int, ...] = (len(self.heads),)

    def set_dimensions(self, *, continuous: int = 0, categories: Sequence[int] = ()) -> None:
        """Set the numbers of values besides the head.

        Args:
            continuous: The number of continuous values.
            categories: The number of categories of each further choice.
        """
        self.dim_c, self.ncats = continuous, (len(self.heads), *categories)

    def init_action(self) -> VectorAction:
        """Return the neutral action, which waits."""
        limits = ((0.0,) * self.dim_c, (1.0,) * self.dim_c)
        return VectorAction(self.dim_c, len(self.ncats), limits, self.ncats)

    def reset(self) -> None:  # noqa: B027 - most codecs keep nothing
        """Forget everything about an earlier game."""

    def hear(self, event: Event) -> None:  # noqa: B027 - most codecs keep nothing
        """Observe an event that the seat sees, in order."""

    def decode(self, action: VectorAction, ctx: AgentContext) -> list[Action]:
        """Return the actions that an action means in a moment; none if it waits.

        They may be refused when they are performed: :meth:`masks` says which heads are open.

        Args:
            action: The action; the codec's :meth:`init_action` has its dimensions.
            ctx: The context of the seat.

        Raises:
            NegoError: If it has other dimensions.
        """
        if (action.dim_c, action.ncats) != (self.dim_c, self.ncats):
            raise NegoError(
                f"An action of {self.seat} has {self.dim_c} continuous values and the categories "
                f"{self.ncats}, not {action.dim_c} and {action.ncats}."
            )
        head = self.heads[action.d[0]]
        if head == WAIT:
            return []
        if head == QUIT:
            return [FormalQuit()]
        return self.act(head, action, ctx)

    @abstractmethod
    def act(self, head: str, action: VectorAction, ctx: AgentContext) -> list[Action]:
        """Return the actions of a head other than waiting and walking away; none if it means nothing now."""

    def open_heads(self, ctx: AgentContext) -> frozenset[str]:
        """Return the heads that are open to the seat now; waiting always is."""
        return frozenset((WAIT, QUIT) if EventType.FORMAL_QUIT in ctx.legal else (WAIT,))

    def masks(self, ctx: AgentContext) -> tuple[array[int], ...]:
        """Return which categories of each choice are open now: 1 or 0 each, 8 bits wide.

        Only heads are ever closed. What completes them is checked when it is performed.
        """
        heads = self.open_heads(ctx)
        return (
            array("b", (head in heads for head in self.heads)),
            *[array("b", (1,) * number) for number in self.ncats[1:]],
        )
