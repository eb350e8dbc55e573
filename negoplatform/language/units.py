"""From claims to allocations: numbers made whole by the game and by what was said before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat import Seat
from negoplatform.language.amounts import How
from negoplatform.language.claims import Claim, Claims, Side, Verb
from negoplatform.language.discourse import Memory
from negoplatform.language.hearing import Hearing, Named, is_meant, is_rest, is_stray
from negoplatform.language.reading import SURE, Doubt
from negoplatform.language.sureness import Reason, reasons_of

_GUESS = 0.6
_VAGUE = 0.85
_ON_TOP_OF_OFFER = 0.92
"""How sure "one more" is right after a formal offer; on top of mere words it may be one in all."""
_AGREES = 0.95
"""How sure an issue is whose shares are both told, and come to all that there is."""


@dataclass(frozen=True, slots=True)
class Share:
    """A number of units for one seat.

    Args:
        issue: Of what.
        seat: Whose.
        units: How many.
        sure: How sure that is, 0 to 1.
        soft: Whether it is a wish.
        sentence: The number of the sentence that says so.
        loose: Whether it is "the food", which need not be all of it where others say numbers.
    """

    issue: str
    seat: Seat
    units: int
    sure: float
    soft: bool = False
    sentence: int = 0
    loose: bool = False


@dataclass(slots=True)
class Division:
    """How a text divides units.

    Args:
        terms: Allocations by issue.
        described: Whose share was told, by issue.
        relative: The issues whose numbers are told by what stood before: "one more".
        sure: How sure it is, 0 to 1.
        doubt: What is missing, if anything.
        soft: Whether all of it is put as a wish.
        conditional: Whether a condition goes with it.
        reasons: Why it may be wrong all the same.
        unquestioned: How sure it would be without these reasons.
    """

    terms: dict[str, Allocation] = field(default_factory=dict)
    described: dict[str, Seat] = field(default_factory=dict)
    relative: set[str] = field(default_factory=set)
    sure: float = 1.0
    doubt: Doubt | None = None
    soft: bool = False
    conditional: bool = False
    reasons: tuple[Reason, ...] = ()
    unquestioned: float = 1.0

    @property
    def open_doubt(self) -> Doubt | None:
        """What is missing before it says anything surely; "2 food and some water" says 2 food."""
        return None if self.terms and self.sure >= SURE else self.doubt

    def unsure(self, most: float, doubt: Doubt | None = None) -> None:
        """Makes it at most so sure; the first doubt stays."""
        self.sure = min(self.sure, most)
        self.doubt = self.doubt or doubt


def _is_loose(item: Named) -> bool:
    return item.claim.amount.how in (How.THE, How.BARE)


class Divider:
    """Makes claims into allocations of a game's units.

    Args:
        game: The game.
        speaker: Who speaks.
        memory: What was said before.
    """

    def __init__(self, game: GameSpec, speaker: Seat, memory: Memory) -> None:
        self._hearing = Hearing(game, speaker, memory)
        self._issues = self._hearing.issues
        self._division = Division()
        self._shares: list[Share] = []
        self._alone = self._exchanged = False

    def divide(self, claims: Claims) -> Division:
        """The allocations that claims come to."""
        division = self._division
        self._hearing.recall(claims.found)
        self._hearing.whole(claims.found)
        rest = [claim for claim in claims.found if is_rest(claim) and is_meant(claim)]
        named, unclear = self._hearing.name(claims.found)
        if unclear:
            division.unsure(_GUESS, Doubt.WHICH_ISSUE)
        self._hearing.carry_on(named)
        self._hearing.settle(named, rest[0].receiver if rest else Side.NOBODY)
        one_sided = len({item.claim.receiver for item in named}) == 1
        self._exchanged = any(item.claim.flipped for item in named)
        self._alone = (one_sided or self._exchanged) and all(
            item.claim.amount.how in (How.THE, How.BARE) for item in named
        )
        for item in sorted(named, key=lambda item: item.claim.amount.how == How.MORE):
            self._share(item)
        numbered = any(item.claim.amount.how in (How.COUNT, How.ALL) for item in named)
        if division.doubt == Doubt.HOW_MANY and not numbered:
            division.unsure(_VAGUE)  # "An extra food for the water"
        kept = {
            claim.amount.issue
            for claim in claims.found
            if claim.amount.how == How.SOME and claim.verb in (Verb.GET, Verb.GIVE) and is_meant(claim)
        }
        self._rest(rest, kept)
        self._split(claims)
        self._allocate()
        self._alike(claims)
        self._reverse(claims)
        self._leftover(claims.found)
        softly = all(share.soft for share in self._shares)
        division.soft = bool(self._shares) and (softly or any(claim.floor for claim in claims.found))
        division.conditional = any(item.claim.conditional for item in named)
        if claims.seated and claims.found:
            division.terms.clear()  # Whoever is named may be the one who gets it.
            division.unsure(_GUESS, Doubt.WHO)
        division.reasons = reasons_of(claims, division.terms)
        return division

    def _leftover(self, found: Sequence[Claim]) -> None:
        """A number of an issue that nobody is said to get is a doubt, unless it is what stands."""
        meant = {claim.sentence for claim in found if is_meant(claim)}
        for claim in found:
            amount = claim.amount
            if not is_stray(claim) or claim.negated or claim.told:
                continue
            if amount.how != How.COUNT or not amount.number or amount.issue not in self._issues:
                continue
            # Where other sentences make the offer, what stands may be mentioned in passing.
            standing = None if claim.sentence in meant else self._standing(amount.issue)
            terms = (self._division.terms.get(amount.issue), standing)
            if all(term is None or amount.number not in term.units.values() for term in terms):
                self._division.unsure(_VAGUE, Doubt.WHO)

    def _share(self, item: Named) -> None:
        """Notes whose share of an issue a claim is."""
        claim = item.claim
        units = self._units(item)
        if units is None:
            return
        if units > self._issues[item.issue].quantity:
            if not claim.amount.issue:
                return  # "my family of 5"
            self._division.unsure(_GUESS, Doubt.IMPOSSIBLE)
            return
        sure = min(item.sure, self._certainty(claim))
        for seat in self._hearing.seats_of(claim):
            if seat is None:
                self._division.unsure(_GUESS, Doubt.WHO)
            else:
                claim.used = True
                self._shares.append(
                    Share(
                        item.issue,
                        seat,
                        units,
                        sure,
                        claim.verb == Verb.NEED,
                        claim.sentence,
                        _is_loose(item),
                    )
                )

    def _certainty(self, claim: Claim) -> float:
        """How sure it is that a claim is meant as one, by the way it is put."""
        sure = min(claim.sure, _VAGUE) if claim.ceiling else claim.sure
        if claim.receiver == Side.BOTH and (claim.amount.of_each or not claim.amount.each):
            sure = min(sure, 0.7)
        if claim.verb == Verb.NEED and claim.asked:
            sure = min(sure, 0.7)
        return sure

    def _units(self, item: Named) -> int | None:
        """How many units an amount comes to; None if nobody can tell."""
        amount, quantity = item.claim.amount, self._issues[item.issue].quantity
        match amount.how:
            case How.COUNT if amount.number == 0 and item.claim.verb == Verb.NEED:
                return None  # "I need no wood" leaves open who gets it
            case How.COUNT | How.OTHERS:
                return amount.number
            case How.ALL:
                if amount.number in (0, quantity):
                    return max(0, quantity - dict(amount.less).get(item.issue, 0))
            case How.THE | How.BARE if item.after_all:
                return quantity
            case How.THE if item.claim.verb in (Verb.GET, Verb.GIVE):
                asked_for = item.claim.receiver == Side.SPEAKER or item.claim.flipped
                loose = amount.owned or asked_for or item.claim.conditional or item.claim.sure < 1
                loose = loose or self._exchanged  # "I give out the food for the firewood"
                if (loose and self._alone) or (amount.owned and item.claim.flipped):
                    item.sure = min(item.sure, 0.85)
                return quantity
            case How.UNSAID:
                self._division.unsure(_GUESS, Doubt.HOW_MANY)
                return None
            case How.BARE if item.after_count:
                item.sure = min(item.sure, 0.9)
                return item.after_count
            case _:
                return self._relative(item)
        return None

    def _relative(self, item: Named) -> int | None:
        """Units that follow from others: one more, the rest of it, half."""
        amount, quantity = item.claim.amount, self._issues[item.issue].quantity
        base, remaining = self._base(item), self._remaining(item)
        match amount.how:
            case How.MORE if item.listed:
                item.sure = min(item.sure, 0.9)
                return amount.number  # "2 food and an extra water"
            case How.MORE if base is not None:
                # More than what was offered just now; words leave open what it is more than.
                memory = self._hearing.memory
                fresh = bool(amount.issue) and item.issue in memory.fresh
                item.sure = min(item.sure, _ON_TOP_OF_OFFER if fresh and memory.formal else _VAGUE)
                self._division.relative.add(item.issue)
                return base + amount.number
            case How.MORE if remaining == amount.number:
                return remaining  # "I give you an extra food and keep 2"
            case How.MORE:
                self._division.unsure(_VAGUE, Doubt.HOW_MANY)
                return None
            case How.REST if remaining is not None:
                return remaining
            case How.HALF if quantity % 2 == 0:
                return quantity // 2
            case How.THIRD if quantity * amount.number % 3 == 0:
                return quantity * amount.number // 3
            case How.BOTH if quantity == 2:
                return 2
            case _ if item.claim.verb in (Verb.GET, Verb.GIVE):
                self._division.doubt = self._division.doubt or Doubt.HOW_MANY
        return None

    def _base(self, item: Named) -> int | None:
        """What the receiver has in what was said last of an issue; None if nothing was said."""
        seat, standing = self._hearing.seat(item.claim.receiver), self._standing(item.issue)
        here = [share for share in self._shares if share.issue == item.issue and share.seat == seat]
        if here:
            return None if here[-1].soft else here[-1].units  # "I need 2 more. Can I have one more?"
        return None if seat is None or standing is None else standing.of(seat)

    def _remaining(self, item: Named) -> int | None:
        """What is left of an issue by what the other side has of it, here or in what was said last."""
        seat, standing = self._hearing.seat(item.claim.receiver.opposite), self._standing(item.issue)
        here = [share.units for share in self._shares if share.issue == item.issue and share.seat == seat]
        if not here and (seat is None or standing is None):
            return None
        taken = here[-1] if here else standing.of(seat) if standing is not None and seat is not None else 0
        return self._issues[item.issue].quantity - taken

    def _standing(self, issue: str) -> Allocation | None:
        return self._hearing.memory.standing.get(issue)

    def _rest(self, claims: Sequence[Claim], kept: Collection[str]) -> None:
        """ "The rest": what nobody was given of the issues that are divided, or the issues that are not."""
        for claim in claims:
            seat = self._hearing.seat(claim.receiver)
            divided = {share.issue: share for share in self._shares}
            if seat is None or not divided:
                self._division.unsure(_GUESS, Doubt.WHICH_ISSUE)
                continue
            claim.used = True
            left = [name for name in self._issues if name not in divided and name not in kept]
            only = next(iter(divided.values()))
            open_ = len(divided) == 1 and only.units < self._issues[only.issue].quantity and left
            if open_ and not claim.amount.of_others:
                self._division.unsure(_VAGUE, Doubt.WHICH_ISSUE)
                continue  # "I take 2 food and you the rest": of the food, or all that there is
            self._shares += [Share(name, seat, self._issues[name].quantity, 0.95) for name in left]

    def _split(self, claims: Claims) -> None:
        """ "Split the water", "split it evenly"."""
        names = tuple(self._issues) if claims.split is None else claims.split
        if claims.split is None and self._hearing.memory.topic:
            names = (self._hearing.memory.topic,)
        for name in names:
            issue = self._issues.get(name)
            if issue is None or any(share.issue == name for share in self._shares):
                continue
            if issue.quantity % len(self._hearing.seats):
                self._division.doubt = self._division.doubt or Doubt.HOW_MANY
            else:
                each = issue.quantity // len(self._hearing.seats)
                self._shares += [Share(name, seat, each, 0.92) for seat in self._hearing.seats]

    def _allocate(self) -> None:
        """Puts the shares of each issue together."""
        for name in dict.fromkeys(share.issue for share in self._shares):
            shares = [share for share in self._shares if share.issue == name]
            # "You can have the food, but I need 1": a number says more than "the food".
            shares = [share for share in shares if not share.loose] or shares
            units: dict[Seat, int] = {}
            soft: dict[Seat, bool] = {}
            for share in shares:
                if units.get(share.seat, share.units) != share.units:
                    self._division.unsure(
                        0.9 if soft.get(share.seat) and not share.soft else _GUESS, Doubt.EITHER
                    )
                units[share.seat], soft[share.seat] = share.units, share.soft
            self._put(name, units, shares)
            self._division.described[name] = shares[-1].seat if len(units) == 1 else shares[0].seat

    def _put(self, name: str, units: dict[Seat, int], shares: Sequence[Share]) -> None:
        sure = max(share.sure for share in shares)
        left = self._issues[name].quantity - sum(units.values())
        if left and len({share.soft for share in shares}) == 2:
            # A need, and then what is given up all the same: "I need 1, but I will give you all".
            hard = {share.seat for share in shares if not share.soft}
            units = {seat: number for seat, number in units.items() if seat in hard}
            left, sure = self._issues[name].quantity - sum(units.values()), 0.9
        if left < 0:
            self._division.unsure(_GUESS, Doubt.IMPOSSIBLE)
            return
        if not left and len(units) == 2:
            sure = max(sure, _AGREES)
        missing = [seat for seat in self._hearing.seats if seat not in units]
        if len(missing) == 1:
            units[missing[0]], left = left, 0
        if left and len({share.sentence for share in shares}) > 1:
            sure = min(sure, _VAGUE)  # Two sentences that leave units over may be two proposals.
        self._division.terms[name] = Allocation(units, left)
        self._division.unsure(sure)

    def _alike(self, claims: Claims) -> None:
        """ "The same with water"."""
        terms = self._division.terms
        for name in claims.alike:
            model = next(reversed(terms), None) or next(reversed(self._hearing.memory.last), None)
            term = terms.get(model or "") or self._standing(model or "")
            issue = self._issues.get(name)
            if model == name or term is None or issue is None or term.total != issue.quantity:
                self._division.unsure(_GUESS, Doubt.HOW_MANY)
            else:
                terms[name] = term

    def _reverse(self, claims: Claims) -> None:
        """ "The other way round": what stands, with the seats changed."""
        if not claims.reversal or self._hearing.other is None:
            return
        if claims.found:
            self._division.unsure(_GUESS)
            return
        for name in self._hearing.memory.last:
            term = self._hearing.memory.standing[name]
            units = {
                self._hearing.speaker: term.of(self._hearing.other),
                self._hearing.other: term.of(self._hearing.speaker),
            }
            self._division.terms[name] = Allocation(units, term.undecided)
        self._division.unsure(0.9)
