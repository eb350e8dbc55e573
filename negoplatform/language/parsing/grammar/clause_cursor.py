"""Where the reading of a text stands, and what lies around that place."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.language.parsing.grammar.claims import JOINS, Claim, Side, Verb, lie_close
from negoplatform.language.parsing.grammar.clause_state import OPENS_LIST, Clause
from negoplatform.language.parsing.grammar.quantifiers import Amount, How, amount_at
from negoplatform.language.parsing.tagger import Piece, Tag

_COUNTED = frozenset({Tag.ISSUE, Tag.NUMBER})
"""What a number counts that stands before it."""
_GOVERNS = frozenset({Tag.FOR, Tag.WITH, Tag.OF})


class Cursor:
    """A place among the pieces of a text.

    Args:
        pieces: The pieces.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = pieces
        self.found: list[Claim] = []
        """What was claimed up to here."""
        self._at = 0
        self._clause = Clause()
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

    def _counts_next(self) -> bool:
        """Whether so many, or all, of something is named next."""
        following = self._next_amount()
        return following is not None and following.how in (How.COUNT, How.ALL, How.MORE)

    def _gets_unknown(self) -> bool:
        """Whether somebody is to get so many here of what nobody knows."""
        away = 1
        while self._tag(away) in (Tag.OF, Tag.DET):
            away += 1
        taken = self._tag(-1) in (Tag.GET, Tag.HAVE, Tag.GIVE, Tag.NEED, Tag.WANT)
        return taken and away > 1 and self._tag(away) == Tag.WORD

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

    def _opens(self, before: Tag, named: bool) -> bool:
        """Whether the place is one where a list of amounts begins or goes on."""
        clause = self._clause
        follows = bool(clause.run) and clause.run[-1].amount.end == self._at
        exchanged = before == Tag.FOR and clause.flipped
        if follows or before in (Tag.SEP, Tag.AND):
            stray = clause.run[-1:] and clause.run[-1].loose and clause.run[-1].amount.end >= self._at - 1
            return not (stray and clause.receiver == Side.NOBODY)
        early = (
            named
            and clause.verb == Verb.NONE
            and not clause.run
            and self._at - max(self._opened, clause.opened) <= 3
        )
        if self._pieces[self._at].tag == Tag.A and not (clause.proposed or self._asked()):
            return False  # "A package of water goes a long way"
        return before in OPENS_LIST or exchanged or (early and before not in _GOVERNS)

    def _counted_before(self) -> bool:
        return any(claim.amount.how in (How.COUNT, How.ALL) for claim in self._clause.run)

    def _uncounted_before(self) -> list[Claim]:
        """The list without numbers that ends here: "the food and water"."""
        found: list[Claim] = []
        end = self._at
        for claim in reversed(self._clause.run):
            if not 0 <= end - claim.amount.end <= JOINS or claim.amount.how not in (How.BARE, How.THE):
                break
            found.append(claim)
            end = claim.amount.start
        return found

    def _first_of_list(self) -> int:
        """The index, among the claims at hand, of the first one of the list that ends here."""
        run = self._clause.run
        return next((i for i in range(len(run) - 1, 0, -1) if not lie_close(run[i - 1], run[i])), 0)

    def _shares_out(self) -> bool:
        """Whether so many are named that are given away: "I can share 2 food with you"."""
        following = self._next_amount()
        if following is None:
            behind = self._tag(2) if self._tag(1) == Tag.WITH else self._tag(1)
            return behind in (Tag.OTHER, Tag.SPEAKER, Tag.US)
        return following.how == How.COUNT and self._clause.subject != Side.BOTH

    def _does_for_it(self) -> bool:
        """Whether the other is to do something for what is given: "if you can do 2 food, I give 1 water"."""
        clause = self._clause
        return clause.supposed and clause.subject == Side.OTHER and self._counts_next()

    def _passed_over(self) -> list[str]:
        """The issue that is counted here by a number that nobody reads, if any; empty where none is named."""
        clause = self._clause
        if self._tag(0) == Tag.NUMBER and self._tag(1) in _COUNTED:
            return [self._pieces[self._at + 1].issue]
        if self._tag(0) in (Tag.NUMBER, Tag.ALL) and self._gets_unknown():
            return [""]  # "I take all the marshmallows"
        if self._tag(0) == Tag.DET and self._tag(-1) == Tag.FOR and self._tag(1) == Tag.END and clause.run:
            return [""]  # "I give you 1 food for it"
        if self._tag(0) == Tag.RATIO and self._tag(1) in (*_COUNTED, Tag.UNIT):
            return [""]  # "For each food I take you take 2 water"
        return []

    def _is_afterthought(self) -> bool:
        """Whether a "not" takes back what was said: "I take 3 food not", "I take 3 food. Not!"."""
        behind = any(claim.amount.end == self._at for claim in self._clause.run)
        return self._tag(1) == Tag.END and (behind or (self._at == self._opened and bool(self.found)))

    def _takes_next(self, who: Side) -> bool:
        """Whether a pronoun stands right before an amount: "and you 1 food"."""
        following = self._next_amount()
        if following is None and self._at == self._opened and self._tag(1) == Tag.SEP:
            following = amount_at(self._pieces, self._at + 2) if self._at + 2 < len(self._pieces) else None
        if following is None or who == Side.BOTH or following.how in (How.BARE, How.THE, How.SOME):
            return False
        opens = self._tag(-1) in (Tag.END, Tag.ABOUT, Tag.TRADE) and bool(following.issue)
        return self._clause.letting or bool(self.found) or opens
