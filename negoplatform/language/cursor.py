"""Where the reading of a text stands, and what lies around that place."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.language.amounts import Amount, How, amount_at
from negoplatform.language.claims import Claim, Side, Verb
from negoplatform.language.pieces import Piece, Tag


class Cursor:
    """A place among the pieces of a text.

    Args:
        pieces: The pieces.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self._at = 0
        self._opened = 0
        """Where its sentence began."""

    def _tag(self, away: int) -> Tag:
        i = self._at + away
        return self._pieces[i].tag if 0 <= i < len(self._pieces) else Tag.END

    def _asked(self) -> bool:
        """Whether the sentence is a question."""
        end = next((piece for piece in self._pieces[self._at :] if piece.tag == Tag.END), None)
        return end is not None and end.question

    def _next_amount(self) -> Amount | None:
        return amount_at(self._pieces, self._at + 1) if self._at + 1 < len(self._pieces) else None

    def _opens_clause(self) -> bool:
        """Whether the sentence begins here, but for one word: "Fine, take 2"."""
        away = self._at - self._opened
        return away == 0 or (away == 1 and self._tag(-1) in (Tag.WORD, Tag.SEP))

    def _is_single(self) -> bool:
        """Whether the piece is one word."""
        piece = self._pieces[self._at]
        return piece.end - piece.start == 1

    def _acts_next(self) -> bool:
        """Whether the pronoun is the subject of a verb: "for you to have", "for me having"."""
        k = 2 if self._tag(1) == Tag.MODAL else 1
        return self._tag(k) in (Tag.GET, Tag.HAVE, Tag.GIVE)

    def _lists_next(self) -> bool:
        """Whether "for me" opens a list: "for me 2 food", "for me, 2 food", or a sentence of its own."""
        behind = self._at + 1 + (self._tag(1) == Tag.SEP)
        following = amount_at(self._pieces, behind) if behind < len(self._pieces) else None
        opens = self._tag(1) == Tag.END if following is None else following.how in (How.COUNT, How.ALL)
        return opens and self._tag(-1) in (Tag.FOR, Tag.TO)

    def _gives_own(self, claim: Claim) -> bool:
        """Whether somebody is given what is called theirs: "I exchange you one of your food"."""
        owner = {Side.SPEAKER: Tag.MY, Side.OTHER: Tag.YOUR}.get(claim.receiver)
        amount = self._pieces[claim.amount.start : claim.amount.end]
        return claim.verb == Verb.GIVE and any(piece.tag == owner for piece in amount)
