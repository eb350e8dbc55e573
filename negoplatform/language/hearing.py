"""Which issue each claim is about, and whose share it tells where it does not say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat import Seat
from negoplatform.language.amounts import How
from negoplatform.language.claims import JOINS, Claim, Side, Verb
from negoplatform.language.discourse import Memory

NAMED_BEFORE = 0.93
"""How sure a number is whose issue was named in the message before."""
_NAMED_BEHIND = 0.92
"""The same where it is named only behind the next number: "you take 2 and I take 1 food"."""
_CARRIED_ON = 0.9
"""How sure it is that a list goes on in the next sentence."""
_SPREAD = frozenset({How.MORE, How.SOME})
"""What holds for the rest of a list, too: "one more food and water"."""
_OWN_LIST = 0.89
"""How sure a list of several issues is that the speaker "can do": their share, or what they grant."""
_ASKED_FOR = 0.92
"""How sure a list is that answers how many somebody would have."""
_RECALLED = 0.92
"""How sure something told of the past is that is just what stands."""


@dataclass(slots=True)
class Named:
    """A claim with its issue.

    Args:
        claim: The claim.
        issue: The issue that it is about.
        sure: How sure that is.
        after_all: Whether it continues a list that began with "all".
        after_count: The number of the amount before it in a list; 0 if there is none.
        listed: Whether it stands in a sentence with other numbers for the same side.
    """

    claim: Claim
    issue: str
    sure: float = 1.0
    after_all: bool = False
    after_count: int = 0
    listed: bool = False


class Hearing:
    """Where claims are heard: the issues that are divided, the seats, and what was said before.

    Args:
        game: The game.
        speaker: Who speaks.
        memory: What was said before.
    """

    def __init__(self, game: GameSpec, speaker: Seat, memory: Memory) -> None:
        self.issues = {issue.name: issue for issue in game.issues if isinstance(issue, QuantityIssue)}
        self.seats = game.seats
        self.speaker = speaker
        others = game.others(speaker)
        self.other = others[0] if len(others) == 1 else None
        self.memory = memory

    def seat(self, side: Side) -> Seat | None:
        """Who sits on a side; None if nobody can tell: no side, or several others."""
        return {Side.SPEAKER: self.speaker, Side.OTHER: self.other}.get(side)

    def seats_of(self, claim: Claim) -> tuple[Seat | None, ...]:
        """Who gets what a claim says; None for one that nobody can tell."""
        if claim.receiver != Side.BOTH:
            return (self.seat(claim.receiver),)
        others = self.seats if claim.amount.each else (self.speaker, self.other)
        return (self.speaker, *(seat for seat in others if seat != self.speaker))

    def name(self, found: Sequence[Claim]) -> tuple[list[Named], bool]:
        """Each claim that is meant, with its issue; and whether an issue could not be told."""
        named: list[Named] = []
        unclear = False
        last: Claim | None = None
        nearest: Claim | None = None
        here: set[str] = set()
        before: Named | None = None
        for i, claim in enumerate(found):
            amount = claim.amount
            if amount.issue:
                aside = is_stray(claim) and claim.gap and amount.how in (How.BARE, How.THE)
                last = last if last is not None and aside else claim
                nearest = claim
                here.add(amount.issue)
            if not is_meant(claim) or is_rest(claim):
                before = None
            elif amount.of_each or amount.of_others:
                whole = {issue for issue, number in amount.less if not number}
                some = [name for name in self.issues if amount.of_each or name not in here]
                named += [Named(claim, name) for name in some if name not in whole]
            else:
                following = next((more for more in found[i + 1 :] if more.sentence == claim.sentence), None)
                named_last = nearest if amount.how == How.ALL and not amount.number else last
                issue, sure = (amount.issue, 1.0) if amount.issue else self._unnamed(claim, named_last, here)
                if last is None and following is not None and _is_said_behind(claim, following):
                    issue, sure = following.amount.issue, _NAMED_BEHIND
                if before is not None and before.claim.amount.how in _SPREAD and _joined(before, claim):
                    like = before.claim.amount
                    claim.amount = replace(amount, how=like.how, number=like.number)
                before = Named(claim, issue, sure, _follows_all(before, claim), _follows_count(before, claim))
                if issue in self.issues:
                    named.append(before)
                else:
                    unclear = unclear or amount.number <= self._most
        counted = {(item.claim.sentence, item.claim.receiver) for item in named if _counts(item.claim)}
        for item in named:
            item.listed = (item.claim.sentence, item.claim.receiver) in counted
        return named, unclear

    @property
    def _most(self) -> int:
        return max((issue.quantity for issue in self.issues.values()), default=0)

    def _unnamed(self, claim: Claim, last: Claim | None, here: set[str]) -> tuple[str, float]:
        """The issue of a bare number: what was spoken of last; and how sure that is."""
        if len(self.issues) == 1:
            return next(iter(self.issues)), 1.0
        if last is not None and claim.flipped and last.sentence == claim.sentence and not last.flipped:
            return "", 0.0  # "I take the extra food for all 3 packages": of something else
        if last is not None:
            near = last.sentence == claim.sentence or len(here) == 1
            return last.amount.issue, 0.97 if near else 0.85
        topic = self.memory.topic
        return (topic, NAMED_BEFORE) if topic else ("", 0.0)

    def carry_on(self, named: Sequence[Named]) -> None:
        """A list goes on in a sentence of its own: "I want 2 food. 1 water, too."."""
        for before, item in pairwise(named):
            said, claim = before.claim, item.claim
            alone = claim.receiver == Side.NOBODY and claim.sentence in (said.sentence, said.sentence + 1)
            carried = said.verb not in (Verb.NONE, Verb.NEED) and said.receiver in (Side.SPEAKER, Side.OTHER)
            plain = _counts(claim) and claim.sure == 1 and not (claim.flipped or claim.proposed)
            again = any(more.issue == item.issue and more is not item for more in named)
            if alone and carried and plain and not again:
                claim.receiver, claim.verb = said.receiver, said.verb
                item.sure = min(item.sure, _CARRIED_ON)

    def settle(self, named: Sequence[Named], rest: Side) -> None:
        """Says who gets what nobody is said to get: whose share stands so, or was told last.

        Args:
            named: All claims.
            rest: Who gets "the rest", if anybody: not the one who gets what nobody is said to get.
        """
        items = [item for item in named if item.claim.receiver == Side.NOBODY]
        told = [item for item in items if item.claim.amount.how in (How.COUNT, How.ALL)]
        if not told:
            return
        by_rest = rest in (Side.SPEAKER, Side.OTHER)
        side, sure = (rest.opposite, 0.95) if by_rest else self._whose(told)
        plain = {
            item.issue: item.claim for item in named if item.claim.receiver in (Side.SPEAKER, Side.OTHER)
        }
        again = [plain[item.issue] for item in told if item.issue in plain and not item.claim.flipped]
        if again and self._completes(told, plain):
            side, sure, by_rest = again[0].receiver.opposite, 0.95, True
        elif again:
            # "I need 1 water. How about 1 water and 2 food?"
            sure = 0.85 if len({claim.receiver for claim in again}) == 1 else 0.7
            side = again[0].receiver
        alike = bool(again) and all(
            _counts_alike(plain[item.issue], item.claim) for item in told if item.issue in plain
        )
        sure = 0.92 if alike and sure == 0.85 else sure
        for item in items:
            claim = item.claim
            claim.receiver = side.opposite if claim.flipped else side
            if by_rest or alike:
                claim.verb = Verb.GET
            item.sure = min(item.sure, sure)

    def _completes(self, told: Sequence[Named], plain: Mapping[str, Claim]) -> bool:
        """Whether a list is what the shares that are told leave over: "you get 2 food and 1 food for me"."""
        pairs = [(item, plain[item.issue]) for item in told if item.issue in plain]
        return len({claim.receiver for _, claim in pairs}) == 1 and all(
            _counts(claim)
            and not item.claim.flipped
            and self._number(item.claim, item.issue) + self._number(claim, item.issue)
            == self.issues[item.issue].quantity
            for item, claim in pairs
        )

    def _number(self, claim: Claim, issue: str) -> int:
        return self.issues[issue].quantity if claim.amount.how == How.ALL else claim.amount.number

    def _whose(self, items: Sequence[Named]) -> tuple[Side, float]:
        """Whose share a list of amounts is, and how sure that is."""
        if self.memory.asked and not any(item.claim.proposed or item.claim.flipped for item in items):
            return Side.SPEAKER, _ASKED_FOR
        for side in (Side.SPEAKER, Side.OTHER):
            if all(self.stands(item, side) for item in items):
                return side, 0.95 if self._is_new(items, side) else 0.85
        described = {self.memory.described.get(item.issue) for item in items}
        proposed = all(item.claim.proposed or item.claim.asked for item in items)
        several = len({item.issue for item in items}) > 1
        exchanged = any(item.claim.own and item.claim.flipped for item in items)
        if several and all(item.claim.own and not item.claim.flipped for item in items):
            return Side.SPEAKER, _OWN_LIST  # "I can do 2 food and 1 water"
        if len(described) == 1 and None not in described:
            side = self._side(described.pop())
            likely = proposed and (side == Side.SPEAKER or not several)
            return side, 0.9 if likely and not exchanged else 0.85
        if self.memory.share is not None:
            side = self._side(self.memory.share)
            return side, 0.8
        return Side.SPEAKER, 0.7

    def _side(self, seat: Seat | None) -> Side:
        return Side.SPEAKER if seat == self.speaker else Side.OTHER

    def _is_new(self, items: Sequence[Named], side: Side) -> bool:
        """Whether what stands may be what is meant: "how about 1" hardly repeats what the other proposed."""
        if not any(item.claim.proposed for item in items):
            return True
        seats = {self.memory.described.get(item.issue) for item in items if not item.claim.flipped}
        return self.seat(side) in seats

    def stands(self, item: Named, side: Side) -> bool:
        """Whether a number is what a side has in what was said last of the issue."""
        standing = self.memory.standing.get(item.issue)
        seat = self.seat(side.opposite if item.claim.flipped else side)
        if standing is None or seat is None:
            return False
        return standing.of(seat) == self._number(item.claim, item.issue)

    def recall(self, found: Sequence[Claim]) -> None:
        """What is told of the past counts where it is what stands: "you said that I would get 2 food"."""
        told = [claim for claim in found if claim.told and not claim.negated]
        plain = [
            claim for claim in told if claim.amount.how == How.COUNT and claim.amount.issue in self.issues
        ]
        if not plain or len(plain) < len(told) or any(claim.receiver == Side.NOBODY for claim in told):
            return
        if all(self.stands(Named(claim, claim.amount.issue), claim.receiver) for claim in plain):
            for claim in plain:
                claim.told, claim.sure, claim.flipped = False, _RECALLED, False

    def whole(self, found: Sequence[Claim]) -> None:
        """What both sides are said to have is proposed if it comes to all: "I have 2 food. You have 1"."""
        had = [claim for claim in found if claim.verb == Verb.HAVE and not claim.negated]
        plain = [
            claim for claim in had if claim.amount.how == How.COUNT and claim.amount.issue in self.issues
        ]
        sums: dict[str, int] = {}
        for claim in plain:
            sums[claim.amount.issue] = sums.get(claim.amount.issue, 0) + claim.amount.number
        sides = {claim.receiver for claim in plain}
        complete = all(units == self.issues[name].quantity for name, units in sums.items())
        if complete and len(plain) == len(found) and {Side.SPEAKER, Side.OTHER} <= sides:
            for claim in plain:
                claim.verb, claim.told = Verb.GET, False


def is_meant(claim: Claim) -> bool:
    """Whether a claim is one of the deal, rather than denied, told, or a number that stands about."""
    return not (claim.negated or claim.told or claim.verb == Verb.HAVE or is_stray(claim))


def is_stray(claim: Claim) -> bool:
    """Whether it is a number that nobody is said to get, where no list would begin."""
    return claim.loose and claim.receiver == Side.NOBODY


def is_rest(claim: Claim) -> bool:
    """Whether it is about all that is left, of no issue that it names."""
    return claim.amount.how == How.REST and not claim.amount.issue


def _counts_alike(one: Claim, other: Claim) -> bool:
    return (one.amount.how, one.amount.number) == (other.amount.how, other.amount.number)


def _counts(claim: Claim) -> bool:
    return claim.amount.how in (How.COUNT, How.ALL)


def _is_said_behind(claim: Claim, following: Claim) -> bool:
    """Whether an issue is named only with the next number: "you take 2 and I take 1 food"."""
    return bool(following.amount.issue) and claim.receiver != following.receiver


def _joined(before: Named, claim: Claim) -> bool:
    """Whether a claim continues the list of the one before it: "all the food and water"."""
    return (
        claim.amount.how in (How.BARE, How.THE)
        and before.claim.sentence == claim.sentence
        and 0 <= claim.amount.start - before.claim.amount.end <= JOINS
        and before.claim.verb == claim.verb
        and before.claim.sure == claim.sure
        and before.claim.flipped == claim.flipped
    )


def _follows_all(before: Named | None, claim: Claim) -> bool:
    if before is None or not _joined(before, claim):
        return False
    amount = before.claim.amount
    the = amount.how == How.THE and before.claim.verb in (Verb.GET, Verb.GIVE)
    return before.after_all or amount.how == How.ALL or the


def _follows_count(before: Named | None, claim: Claim) -> int:
    if before is None or not _joined(before, claim) or claim.amount.how != How.BARE:
        return 0
    return before.claim.amount.number if before.claim.amount.how == How.COUNT else before.after_count
