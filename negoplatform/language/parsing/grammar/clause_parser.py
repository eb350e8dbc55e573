"""Sentences read from left to right: who gives or gets, and the amounts that go with it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from negoplatform.language.parsing.grammar.claims import Claim, Claims, Side, Verb, after_repeat
from negoplatform.language.parsing.grammar.clause_cursor import Cursor
from negoplatform.language.parsing.grammar.clause_state import (
    CARRIED_ON,
    DREADED,
    GOES_ON,
    LEFT_OUT,
    OPENS_LIST,
    PLAIN,
    POSSIBLE,
    SUFFICES,
    WHY,
    WHY_LOOSE,
    Clause,
)
from negoplatform.language.parsing.grammar.quantifiers import Amount, How, amount_at
from negoplatform.language.parsing.tagger import Piece, Tag

_WHO = {
    Tag.SPEAKER: Side.SPEAKER,
    Tag.OTHER: Side.OTHER,
    Tag.WE: Side.BOTH,
    Tag.EACH_OF_US: Side.BOTH,
    Tag.US: Side.SPEAKER,
}
_OWNERS = {
    Tag.MINE: Side.SPEAKER,
    Tag.IS_MINE: Side.SPEAKER,
    Tag.YOURS: Side.OTHER,
    Tag.IS_YOURS: Side.OTHER,
}
_VERBS = {
    Tag.GET: Verb.GET,
    Tag.HAVE: Verb.GET,
    Tag.TOOK: Verb.GET,
    Tag.NEED: Verb.NEED,
    Tag.WANT: Verb.WANT,
    Tag.HAVE_GOT: Verb.HAVE,
}
_GIVING = frozenset({Tag.GIVE, Tag.SHARE, Tag.TRADE, Tag.LEAVE, Tag.LEAVING, Tag.GAVE})
_ENDS_CLAUSE = frozenset(
    {Tag.SEP, Tag.AND, Tag.IF, Tag.SO, Tag.BUT, Tag.EXCEPT, Tag.END, Tag.OR, Tag.ABOUT, Tag.I_DO, Tag.REASON}
)
_DENIES = frozenset({Tag.NOT, Tag.NONE_OF})


def claims_in(pieces: Sequence[Piece]) -> Claims:
    """What pieces claim, read from left to right, once."""
    reader = _Reader(pieces)
    reader.read()
    return Claims(
        tuple(reader.found),
        reader.reversal,
        tuple(reader.alike),
        reader.splits(),
        tuple(reader.unread),
        reader.jest,
        any(piece.tag == Tag.SEAT for piece in pieces),
    )


class _Reader(Cursor):
    """Reads the pieces from left to right."""

    def __init__(self, pieces: Sequence[Piece]) -> None:
        super().__init__(pieces)
        self._sentence = 0
        self._began = 0
        self.reversal = self.jest = False
        self.unread: list[str] = []
        self.alike: list[str] = []
        self._split: list[str] = []
        self._splitting = self._split_all = False

    def read(self) -> None:
        """Reads all of it."""
        while self._at < len(self._pieces):
            amount = amount_at(self._pieces, self._at)
            if amount is not None:
                self._claim(amount)
                self._at = max(amount.end, self._at + 1)
            else:
                self._step(self._pieces[self._at])
                self.unread += self._passed_over()
                self._at += 1

    def splits(self) -> tuple[str, ...] | None:
        """The issues that are to be divided evenly; None for all of them."""
        return None if self._split_all else tuple(self._split)

    def _claim(self, amount: Amount) -> None:
        clause = self._clause
        before = self._tag(-1)
        if before == Tag.COMPARE or (before == Tag.LESS and not clause.negated):
            return
        if clause.each and clause.receiver == Side.BOTH:
            amount = replace(amount, each=True)  # "We each get 1"
        if self._splitting and amount.how in (How.THE, How.BARE, How.ALL) and amount.issue:
            self._split.append(amount.issue)
        elif self._splitting and amount.of_each:
            return  # "We need to divide 3 of each"
        far = clause.gap > (3 if amount.issue and amount.how in (How.COUNT, How.ALL) else 0)
        receiver, verb = (Side.NOBODY, Verb.NONE) if far else (clause.receiver, clause.verb)
        if amount.each and amount.how == How.BARE and clause.run and receiver in (Side.SPEAKER, Side.OTHER):
            amount = replace(amount, each=False)  # "I take 1 food and water each": of each of them
        receiver = Side.BOTH if amount.each else receiver
        # "If I cannot get 2" asks for 2.
        ultimatum = clause.conditional and receiver in (Side.SPEAKER, Side.OTHER)
        negated = (clause.negated and not ultimatum) or clause.denied or before == Tag.NOT
        least = negated and before == Tag.LESS  # "I cannot do with less than 2": 2, or more
        negated = negated and not least
        told = clause.told or clause.elsewhere or self._splitting
        claim = Claim(amount, receiver, verb, self._sentence, negated, told)
        claim.ultimatum = ultimatum and clause.negated
        claim.conditional, claim.proposed, claim.option = clause.conditional, clause.proposed, clause.option
        claim.flipped, claim.sure, claim.gap = clause.flipped, clause.sure, clause.gap
        claim.supposed, claim.own = clause.supposed, clause.own
        claim.either = Tag.OR in (before, self._tag(amount.end - self._at))
        claim.stale = (clause.stale and receiver == clause.receiver) or self._gives_own(claim)
        claim.loose = not self._opens(before, bool(amount.issue))
        if least:
            claim.sure = min(claim.sure, DREADED)
        bounds = {piece.bound for piece in self._pieces[amount.start : amount.end]}
        claim.floor = Tag.AT_LEAST in bounds
        claim.ceiling = Tag.AT_MOST in bounds
        if clause.reason:
            counted = amount.how in (How.COUNT, How.ALL)
            claim.sure = min(claim.sure, WHY if counted else WHY_LOOSE)
        self.found.append(claim)
        clause.run.append(claim)
        clause.gap = 0

    def _step(self, piece: Piece) -> None:
        """What a piece that is no amount changes."""
        match piece.tag:
            case Tag.END:
                self._end(piece)
            case Tag.SPEAKER | Tag.OTHER | Tag.WE | Tag.US | Tag.EACH_OF_US:
                self._who(_WHO[piece.tag])
                self._clause.each = self._clause.each or piece.tag == Tag.EACH_OF_US
            case Tag.MINE | Tag.YOURS:
                self._owner(_OWNERS[piece.tag])
            case Tag.IS_MINE | Tag.IS_YOURS:
                self._own(_OWNERS[piece.tag])
            case Tag.GET | Tag.HAVE | Tag.NEED | Tag.WANT | Tag.HAVE_GOT | Tag.TOOK:
                self._get(piece.tag)
            case Tag.GIVE | Tag.TRADE | Tag.LEAVE | Tag.LEAVING | Tag.GAVE:
                self._give(piece.tag)
            case Tag.FOR | Tag.EXCHANGE:
                self._for(piece.tag)
            case Tag.SAME:
                self._same()
            case Tag.SHARE if self._shares_out():
                self._give(Tag.GIVE)
            case Tag.SPLIT | Tag.SHARE | Tag.EVENLY:
                self._evenly(piece.tag)
            case Tag.WITH | Tag.DO | Tag.SUFFICE:
                self._done_with(piece.tag)
            case _:
                self._mark(piece.tag)

    def _done_with(self, tag: Tag) -> None:
        """Words that say who gets something in some places, and nothing in others."""
        if tag == Tag.WITH and self._tag(-1) == Tag.I_DO:
            self._clause.subject = Side.SPEAKER
            self._get(Tag.GET)  # "I can do with 2 food"
        elif tag == Tag.DO and self._does_for_it():
            self._clause.receives(Side.SPEAKER, Verb.GIVE)
        elif tag == Tag.SUFFICE and self._asked():
            self._suffice()
        else:
            self._mark(tag)

    def _mark(self, tag: Tag) -> None:
        """Words that change how what follows is meant."""
        clause = self._clause
        supposed = clause.supposed and tag == Tag.SEP and self._next_amount() is not None
        clause.mark(tag, self._at)
        clause.supposed = clause.supposed or supposed  # A list goes on.
        match tag:
            case Tag.NOT if self._next_amount() is None:
                clause.negated = True
                self._deny_before()
                self.jest = self.jest or self._is_afterthought()
            case Tag.JEST if self._tag(1) in (Tag.END, Tag.SEP) and self._tag(-1) not in _DENIES:
                self.jest = True
            case Tag.REASON:
                clause.leads = self._at <= self._opened + 1
            case Tag.DENY:
                self._deny_before()
            case Tag.REFUSE:
                for claim in self.found[self._began :]:
                    claim.negated = claim.negated or (clause.conditional and not claim.ultimatum)
            case Tag.OR:
                self._or()
            case Tag.SWAPPED:
                self.reversal = True
            case _:
                pass

    def _deny_before(self) -> None:
        """ "All the wood will not work": what stands before is denied, unless it is asked."""
        clause = self._clause
        if clause.verb != Verb.NONE or clause.reason or self._tag(-1) in OPENS_LIST or self._asked():
            return
        for claim in clause.run:
            claim.negated = True

    def _end(self, piece: Piece) -> None:
        for claim in self.found[self._began :]:
            claim.asked = piece.question
            claim.conditional = claim.conditional or self._clause.conditional
            if claim.ultimatum and not self._clause.refused:
                claim.sure = min(claim.sure, DREADED)
        clause, said = self._clause, len(self.found) > self._began
        self._clause = Clause()
        if self._tag(-1) in (Tag.ABOUT, Tag.I_DO) and not said:
            self._clause.mark(Tag.ABOUT, self._at)  # "How about ... I take 2"
        if not said and clause.receiver != Side.NOBODY and self._at - self._opened <= 2:
            self._clause.receives(clause.receiver, clause.verb)  # "For me. 2 food …"
        self._began, self._opened = len(self.found), self._at + 1
        self._sentence += 1
        self._splitting = False

    def _who(self, who: Side) -> None:
        """A pronoun: whom something is given to, whom it is for, or who does what follows."""
        clause = self._clause
        clause.elsewhere = False
        before = self._tag(-1)
        if before in _GIVING and who != Side.BOTH:
            if before == Tag.LEAVE and who == Side.OTHER and clause.subject == Side.NOBODY:
                clause.negated = False  # "That would leave you with 1 food": what comes of one's own offer
            clause.receives(who, Verb.GIVE)
        elif before == Tag.GET and who in (Side.SPEAKER, Side.OTHER) and self._counts_next():
            clause.receives(who, Verb.GIVE)  # "I can get you 2 food"
        elif before == Tag.WITH and clause.verb == Verb.GIVE and not clause.run and who != Side.BOTH:
            clause.receives(who, Verb.GIVE)  # "I share with you 2 food"
        elif before in (Tag.FOR, Tag.TO) and not self._acts_next():
            self._postfix(who)
        elif self._takes_next(who):
            verb = Verb.GET if clause.verb in (Verb.NONE, Verb.GIVE) else clause.verb
            clause.receives(who, verb)
            clause.subject = who
        else:
            if before in _ENDS_CLAUSE:
                clause.negated = False
            if before == Tag.SEP:
                clause.denied = clause.reason = False
            elif (clause.leads and clause.subject != Side.NOBODY) or (
                clause.argued and (before == Tag.AND or self._tag(1) == Tag.MODAL)
            ):
                clause.reason = clause.told = False  # "Since you need more than I do I would …"
            if clause.supposed and clause.receiver != Side.NOBODY and self._tag(1) == Tag.MODAL:
                clause.supposed = False  # "If you like you can have 2"
            clause.stale = clause.receiver != Side.NOBODY and (who != clause.subject or before == Tag.IF)
            clause.subject = who

    def _get(self, tag: Tag) -> None:
        clause = self._clause
        supposed, dreamt = clause.modal or clause.proposed or clause.letting, False
        if tag == Tag.TOOK:
            supposed = clause.conditional or clause.proposed
            dreamt = self._pieces[self._opened].tag == Tag.IF and not (clause.proposed or self._asked())
        if tag == Tag.HAVE and clause.subject != Side.NOBODY and self._tag(-2) != Tag.DO:
            supposed = supposed or self._asked()  # "So I have 2 food?"
        if tag in (Tag.HAVE, Tag.TOOK) and not supposed:
            tag = Tag.HAVE_GOT
        sure, receiver = PLAIN, clause.subject
        if receiver == Side.NOBODY:
            receiver, sure = Side.SPEAKER, POSSIBLE if clause.modal and self._asked() else LEFT_OUT
            if self._opens_clause() and tag == Tag.GET and self._is_single():
                receiver, sure = Side.OTHER, 0.9  # "Take 2 food"; but "happy with 2 food"
        elif receiver == Side.BOTH and not clause.each:
            receiver, sure = Side.SPEAKER, 0.9  # "We will need 2 food": the speaker's people
        if tag == Tag.NEED and receiver == Side.OTHER:
            sure = 0.92
        self._splitting = False
        if dreamt:
            sure = min(sure, DREADED)  # "If I had 2 food I would be happy"
        clause.receives(receiver, _VERBS[tag], sure)

    def _give(self, tag: Tag) -> None:
        clause = self._clause
        sure, receiver = PLAIN, clause.subject.opposite
        if clause.subject in (Side.NOBODY, Side.BOTH):
            receiver, sure = Side.OTHER, LEFT_OUT
            opens = self._opens_clause() or self._tag(-1) == Tag.SEP
            if tag == Tag.GIVE and opens and self._is_single():
                receiver, sure = Side.SPEAKER, 0.9  # "Give 2 food"; "give up 2 food" may leave out an "I"
            if tag == Tag.LEAVE:
                clause.negated = True  # "That would leave me with 1 food": what comes of the other's offer
        if tag == Tag.GAVE and not (clause.modal or clause.proposed):
            clause.told = True
        self._splitting = False
        clause.receives(receiver, Verb.GIVE, sure)

    def _for(self, tag: Tag) -> None:
        """ "2 food for 2 water": what stands behind goes the other way."""
        clause = self._clause
        amount = self._next_amount()
        given = [claim for claim in clause.run if claim.amount.how not in (How.BARE, How.SOME)]
        if amount is None or not (given or clause.receiver != Side.NOBODY):
            if tag == Tag.EXCHANGE:
                clause.receiver = clause.receiver.opposite
            return
        if tag == Tag.FOR and amount.how in (How.BARE, How.THE) and clause.verb not in (Verb.GIVE, Verb.NONE):
            return  # "I need water for the food": what it is for
        if tag == Tag.FOR and (clause.gap > 1 or not clause.run or (not given and clause.verb != Verb.GIVE)):
            return
        clause.receiver = clause.receiver.opposite
        clause.flipped = not clause.flipped
        clause.gap = 0
        clause.run = []

    def _postfix(self, who: Side) -> None:
        """ "2 food and 1 water for me": what was listed is for somebody."""
        clause = self._clause
        if clause.reason:
            return  # "Since water matters to you"
        near = clause.gap <= (self._tag(0) in (Tag.MINE, Tag.YOURS))
        loosely = (How.BARE, How.SOME, How.THE)
        here = self._first_of_list() if near else len(clause.run)
        run = [claim for i, claim in enumerate(clause.run) if i >= here or claim.amount.how not in loosely]
        if self._tag(-2) in (Tag.AND, Tag.SEP) and self._lists_next():
            clause.run = run = []  # "2 food for me, and for you 1 water"
        run = after_repeat(run)
        if run and all(claim.receiver == who and claim.verb == Verb.GIVE for claim in run):
            return  # "I give 2 food to you for 1 water"
        against = [claim for claim in run if claim.receiver not in (who, Side.NOBODY) and claim.sure == PLAIN]
        if against and not near:
            return  # "Can I have 2 food, if that is a fair split for you?"
        if against:
            run = run[-1:]
        for claim in run:
            claim.receiver, claim.sure, claim.flipped = who, PLAIN, False
            claim.told = claim.told and not (self._splitting and len(run) == 1)
            claim.verb = claim.verb if claim.verb != Verb.NONE else Verb.GET
        if clause.gap > 1 if run else not self._lists_next():
            return
        if against:
            clause.sure = min(clause.sure, CARRIED_ON)  # "If you accept 2 food for me and 3 firewood"
        else:
            clause.receives(who, Verb.GET, GOES_ON if run else PLAIN)

    def _owner(self, who: Side) -> None:
        if self._acts_next():
            self._who(who)  # "Would you agree to me taking 2?"
        elif self._clause.verb != Verb.NONE or self._counted_before() or not self._asked():
            self._postfix(who)  # "How important is the wood to you?" says nothing

    def _own(self, who: Side) -> None:
        """ "The food is mine": all of it, where no number says otherwise."""
        for claim in self._uncounted_before():
            claim.amount = replace(claim.amount, how=How.ALL)
        self._postfix(who)

    def _suffice(self) -> None:
        """ "Would 2 food be enough?": for the other, unless somebody is named."""
        clause = self._clause
        if clause.receiver == Side.NOBODY and self._tag(1) not in (Tag.FOR, Tag.MINE):
            for claim in clause.run:
                claim.receiver, claim.verb, claim.sure = Side.OTHER, Verb.GET, SUFFICES

    def _same(self) -> None:
        following = self._next_amount()
        if following is not None and following.issue and following.how in (How.BARE, How.THE):
            self.alike.append(following.issue)
            self._at = following.end - 1

    def _evenly(self, tag: Tag) -> None:
        if tag != Tag.EVENLY:
            self._splitting = True
        elif not self._split:
            self._split_all = self._splitting

    def _or(self) -> None:
        """ "2 food or 2 water": from here on another alternative, the one before it being the first."""
        clause, following = self._clause, self._next_amount()
        if self._at == self._opened:
            before = self.found[:]  # "I take 2 food. Otherwise I take 2 water"
        elif following is None and self._tag(1) in (*_WHO, Tag.MODAL):
            # "Or you take 2": what the sentence claims so far is the first alternative.
            before = self.found[self._began :]
        elif following is not None:
            before = [claim for claim in clause.run[-1:] if claim.amount.how not in (How.BARE, How.SOME)]
        else:
            return
        if clause.option == 0 and before:
            clause.option = 1
            for claim in before:
                claim.option = 1
        clause.option += bool(before)
