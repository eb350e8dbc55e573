"""Shares of single seats in a text, in a game of more than two: who gets how many units.

The trained models know two sides only. This grammar is strict instead: it explains every word of a text, or
nothing of it. What it does not explain is asked about.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.seats.seat_items import Item, ItemKind, SpeakerContext, read_items
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slots import SegmentedText

_AROUND_SPLIT = frozenset(
    {ItemKind.CALLED, ItemKind.CONNECT, ItemKind.FILLER, ItemKind.SUPPOSE, ItemKind.END}
)


def read_shares(
    text: SegmentedText, words: GameVocabulary, where: SpeakerContext
) -> Mapping[str, Allocation] | None:
    """Return the shares of the seats by issue; None unless every word of the text is explained.

    Args:
        text: The text.
        words: The vocabulary of the game.
        where: Who speaks to whom.
    """
    items = read_items(text, words, where)
    even = _even_split(items, words, where.game.seats)
    if even is not None:
        return even
    try:
        return _ShareReader(items, words, where.speaker).read()
    except _NotExplainedError:
        return None


def _even_split(
    items: Sequence[Item], words: GameVocabulary, seats: Sequence[Seat]
) -> Mapping[str, Allocation] | None:
    """Return equal shares of one issue: "split the budget evenly"; None for anything else."""
    said = [item for item in items if item.kind not in _AROUND_SPLIT]
    said = [item for item in said if item.kind != ItemKind.PARTY or item.seats != tuple(seats)]
    kinds = [item.kind for item in said if item.kind not in (ItemKind.SPLIT, ItemKind.EVENLY)]
    if kinds != [ItemKind.ISSUE] or not any(item.kind == ItemKind.EVENLY for item in said):
        return None
    name = next(item.issue for item in said if item.issue)
    if name not in words.units or words.units[name] % len(seats):
        return None
    return {name: Allocation(dict.fromkeys(seats, words.units[name] // len(seats)))}


class _NotExplainedError(Exception):
    """Raised at a word that the grammar does not explain."""


@dataclass(slots=True)
class _Clause:
    """Meaning of the words so far for those that follow."""

    receiver: Item | None = None
    each: bool = False
    verb: bool = False
    giving: bool = False
    supposed: bool = False
    called: tuple[Seat, ...] = ()
    pending: list[Item] = field(default_factory=list)
    """Amounts whose receiver is still to come: "2 for Kim"."""


class _ShareReader:
    """Reader of the shares from the parts of a text.

    Args:
        items: The parts.
        words: The vocabulary of the game.
        speaker: The speaker's seat.
    """

    def __init__(self, items: Sequence[Item], words: GameVocabulary, speaker: Seat) -> None:
        self._items, self._words, self._speaker = items, words, speaker
        named = {each.issue or (each.amount.issue if each.amount else "") for each in items} - {""}
        self._issue = next(iter(named)) if len(named) == 1 else ""
        self._several_issues = len(named) > 1
        self._shares: dict[str, dict[Seat, int]] = {}
        self._rest: dict[str, Seat] = {}
        self._clause = _Clause()
        self._i = 0

    def read(self) -> Mapping[str, Allocation]:
        """Return the shares by issue.

        Raises:
            _NotExplainedError: If a part is not explained, or more units are given than there are.
        """
        while self._i < len(self._items):
            self._take(self._items[self._i])
            self._i += 1
        self._end_clause()
        if not self._shares and not self._rest:
            raise _NotExplainedError
        return {name: self._allocation(name) for name in dict.fromkeys((*self._shares, *self._rest))}

    def _allocation(self, name: str) -> Allocation:
        quantity = self._words.units[name]
        units = dict(self._shares.get(name, {}))
        if not units:
            raise _NotExplainedError  # "Kim gets the rest": after what?
        left = quantity - sum(units.values())
        if left < 0:
            raise _NotExplainedError
        if name in self._rest:
            seat = self._rest[name]
            if seat in units:
                raise _NotExplainedError
            units[seat], left = left, 0
        return Allocation(units, left)

    def _kind(self, away: int) -> ItemKind:
        i = self._i + away
        return self._items[i].kind if 0 <= i < len(self._items) else ItemKind.END

    def _take(self, item: Item) -> None:
        clause = self._clause
        match item.kind:
            case ItemKind.PARTY:
                self._take_party(item)
            case ItemKind.CALLED:
                clause.called = (*clause.called, *item.seats)
            case ItemKind.AMOUNT:
                self._take_amount(item)
            case ItemKind.ISSUE:
                self._take_issue(item)
            case ItemKind.VERB:
                self._take_verb(item)
            case ItemKind.MAYBE_VERB if clause.supposed:
                self._take_verb(item)
            case ItemKind.WISH if clause.receiver is not None and clause.receiver.seats == (self._speaker,):
                self._take_verb(item)
            case ItemKind.GIVE:
                self._end_amounts()
                clause.giving, clause.receiver = True, None
            case ItemKind.FOR:
                self._take_for(item)
            case ItemKind.EACH:
                clause.each = True
            case ItemKind.BOTH if clause.receiver is not None and len(clause.receiver.seats) == 2:
                clause.each = True
            case ItemKind.SUPPOSE:
                self._take_supposition()
            case _:
                self._take_break(item)

    def _take_break(self, item: Item) -> None:
        if item.kind in (ItemKind.END, ItemKind.BREAK):
            self._end_clause()
        elif item.kind not in (ItemKind.CONNECT, ItemKind.FILLER):
            raise _NotExplainedError

    def _take_supposition(self) -> None:
        if self._clause.giving and self._clause.pending and self._kind(1) == ItemKind.PARTY:
            self._take_for(Item(ItemKind.FOR, self._i))  # "I give 2 to Kim"
        else:
            self._clause.supposed = True

    def _take_party(self, item: Item) -> None:
        """Make seats the subject, or the receiver of what is given: "Kim and Robin get …", "give Kim …"."""
        self._end_amounts()
        clause = self._clause
        clause.receiver = self._joined(item)
        clause.each, clause.verb = clause.receiver.each, clause.verb and clause.giving

    def _joined(self, item: Item) -> Item:
        """Return the seats of a list, the last of which is the current part afterwards."""
        seats, each = list(item.seats), item.each
        while (
            all(self._kind(k) == ItemKind.CONNECT for k in range(1, self._behind_connects()))
            and self._behind_connects() > 1
            and self._kind(self._behind_connects()) == ItemKind.PARTY
        ):
            self._i += self._behind_connects()
            seats += self._items[self._i].seats
            each = each or self._items[self._i].each
        if len(set(seats)) < len(seats):
            raise _NotExplainedError
        return Item(ItemKind.PARTY, item.start, tuple(seats), each)

    def _behind_connects(self) -> int:
        away = 1
        while self._kind(away) in (ItemKind.CONNECT, ItemKind.FILLER):
            away += 1
        return away

    def _take_verb(self, item: Item) -> None:
        clause = self._clause
        clause.verb = True
        if item.seats:
            self._end_amounts()
            clause.receiver = Item(ItemKind.PARTY, item.start, item.seats)
        if item.issue:
            self._issue = item.issue

    def _take_issue(self, item: Item) -> None:
        """Note an issue without a number, which must head a list or stand for a verb: "Kim mows 2"."""
        clause = self._clause
        if clause.receiver is not None and (clause.verb or self._kind(1) != ItemKind.AMOUNT):
            raise _NotExplainedError  # "Kim gets the budget": all of it, or a part?
        self._issue = item.issue

    def _take_amount(self, item: Item) -> None:
        clause = self._clause
        if clause.receiver is None and clause.verb and not clause.giving and len(clause.called) == 1:
            clause.receiver = Item(ItemKind.PARTY, item.start, clause.called)  # "Kim, take 2"
        listed = self._amounts_before_for()
        if clause.receiver is None:
            clause.pending.append(item)
        elif not listed:
            self._assign(clause.receiver, item, each=clause.each or item.each)
        elif clause.giving or not self._repeats_issue(item, listed):
            raise _NotExplainedError  # "I take 2 for Kim"
        else:
            self._assign(clause.receiver, item, each=clause.each or item.each)
            clause.receiver = None  # "I take 2, 1 for Kim"

    def _amounts_before_for(self) -> list[Item]:
        """Return the amounts of the list that begins here, if it ends with a receiver: "2 and 3 for Kim"."""
        found = [self._items[self._i]]
        away = 1
        while self._kind(away) in (ItemKind.CONNECT, ItemKind.AMOUNT):
            if self._kind(away) == ItemKind.AMOUNT:
                found.append(self._items[self._i + away])
            away += 1
        return found if self._kind(away) == ItemKind.FOR else []

    def _repeats_issue(self, item: Item, listed: Sequence[Item]) -> bool:
        """Return whether a list of two amounts has one issue, so that they are for different seats."""
        if len(listed) != 2:
            return False
        first, second = (each.amount.issue if each.amount else "" for each in listed)
        return item is listed[0] and second in ("", first)

    def _take_for(self, item: Item) -> None:
        """Assign the amounts of a list to those behind "for"."""
        if item.seats:
            party = Item(ItemKind.PARTY, item.start, item.seats)
        else:
            while self._kind(1) == ItemKind.FILLER:
                self._i += 1
            if self._kind(1) != ItemKind.PARTY:
                raise _NotExplainedError
            self._i += 1
            party = self._listed_receivers(self._items[self._i])
        clause = self._clause
        if clause.receiver is not None or not clause.pending:
            raise _NotExplainedError
        each = party.each or clause.each
        if self._kind(1) == ItemKind.EACH:
            self._i, each = self._i + 1, True
        for pending in clause.pending:
            self._assign(party, pending, each=each or pending.each)
        self._clause = _Clause(called=clause.called, supposed=clause.supposed)

    def _listed_receivers(self, item: Item) -> Item:
        """Return the seats behind "for": of "2 for me and Kim gets 1" the first one alone."""
        at = self._i
        joined = self._joined(item)
        if len(joined.seats) > len(item.seats) and self._kind(1) not in (
            ItemKind.END,
            ItemKind.EACH,
            ItemKind.CONNECT,
            ItemKind.BREAK,
        ):
            self._i = at
            return item
        return joined

    def _assign(self, party: Item, item: Item, *, each: bool) -> None:
        amount = item.amount
        assert amount is not None
        name = amount.issue or self._issue
        if name not in self._words.units or (len(party.seats) > 1 and not each):
            raise _NotExplainedError
        if len(party.seats) == 1 and item.each:
            raise _NotExplainedError  # "I take 2 each"
        self._issue = name
        if amount.quantifier == Quantifier.REST:
            vague = self._several_issues and not amount.issue
            if vague or len(party.seats) > 1 or self._rest.get(name, party.seats[0]) != party.seats[0]:
                raise _NotExplainedError
            self._rest[name] = party.seats[0]
            return
        units = amount.number
        if amount.quantifier == Quantifier.ALL:
            units = units or self._words.units[name]
            if units != self._words.units[name]:
                raise _NotExplainedError
        stated = self._shares.setdefault(name, {})
        for seat in party.seats:
            if stated.setdefault(seat, units) != units:
                raise _NotExplainedError

    def _end_amounts(self) -> None:
        """Check that no amount is left without a receiver."""
        if self._clause.pending:
            raise _NotExplainedError

    def _end_clause(self) -> None:
        self._end_amounts()
        self._clause = _Clause()
