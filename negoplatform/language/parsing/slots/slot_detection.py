"""Detection of the slots of a text, with the vocabulary of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import CategoricalIssue, Issue, QuantityIssue
from negoplatform.domain.offer import Allocation
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier, amount_at
from negoplatform.language.parsing.slots.slots import SegmentedText, Slot, SlotForm
from negoplatform.language.parsing.words.lexical_tagger import Tag, TaggedSpan, tag_tokens
from negoplatform.language.parsing.words.lexicon import Lexicon, lexicon_of
from negoplatform.language.parsing.words.tokenizer import Token
from negoplatform.language.parsing.words.value_resolver import ValueResolver, value_resolver

_MOST_SLOTS = 40
"""Maximum number of slots of a text."""

_RATIO_SEPARATORS = frozenset({"-", ":", "/", "to", "zu"})


class GameVocabulary:
    """Vocabulary of a game in a language; get it by ``game_vocabulary``.

    Args:
        issues: The game's issues.
        seats: Its seats.
        lexicon: Its lexicon.
        language: The language of the words.
    """

    def __init__(
        self, issues: tuple[Issue, ...], seats: tuple[Seat, ...], lexicon: Lexicon, language: str
    ) -> None:
        self.lexicon = lexicon
        self.language = language
        self.values: ValueResolver = value_resolver(lexicon, language)
        self.issues = {issue.name: issue for issue in issues}
        self.units = {issue.name: issue.quantity for issue in issues if isinstance(issue, QuantityIssue)}
        """The number of units of each quantity issue."""
        self.values_by_seat = {
            issue.name: doers
            for issue in issues
            if isinstance(issue, CategoricalIssue) and (doers := _values_by_seat(issue, seats, lexicon))
        }
        """For issues whose values name seats ("Buyer clears"), the value of each seat."""

    def segment(self, text: str) -> SegmentedText:
        """Return a text with its slots."""
        return _segment(self, text)

    def allocation(
        self, issue: str, seat: Seat, units: int, other: Seat, theirs: int | None = None
    ) -> Allocation:
        """Return the allocation of units to a seat; the other seat gets the rest, or its own number."""
        quantity = self.units[issue]
        left = quantity - units if theirs is None else theirs
        return Allocation({seat: units, other: left}, quantity - units - left)


def game_vocabulary(game: GameSpec, language: str) -> GameVocabulary:
    """Return the vocabulary of a game; it is created once.

    Raises:
        NegoError: If the language does not exist.
    """
    return _game_vocabulary(game.issues, game.seats, lexicon_of(game, language), language)


@lru_cache(maxsize=32)
def _game_vocabulary(
    issues: tuple[Issue, ...], seats: tuple[Seat, ...], lexicon: Lexicon, language: str
) -> GameVocabulary:
    return GameVocabulary(issues, seats, lexicon, language)


def _values_by_seat(issue: CategoricalIssue, seats: Sequence[Seat], lexicon: Lexicon) -> dict[Seat, str]:
    named: dict[Seat, str] = {}
    for value in issue.values:
        words = {token.norm for token in lexicon.tokenize(value)}
        there = [seat for seat in seats if seat.lower() in words]
        if len(there) == 1:
            named.setdefault(there[0], value)
    return named if len(named) > 1 else {}


# A text is segmented again as history of the next ones.
@lru_cache(maxsize=64)
def _segment(words: GameVocabulary, text: str) -> SegmentedText:
    tokens = words.lexicon.tokenize(text)
    spans = tag_tokens(tokens, words.lexicon)
    found = tuple(_find_slots(tokens, spans, words))[:_MOST_SLOTS]
    return SegmentedText(tokens, spans, found)


def _find_slots(
    tokens: Sequence[Token], spans: Sequence[TaggedSpan], words: GameVocabulary
) -> Iterator[Slot]:
    i = 0
    while i < len(spans):
        slot = _ratio(tokens, spans, i, words) or _amount(spans, i) or _single(tokens, spans, i, words)
        if slot is None:
            i += 1
            continue
        # "Them 3-3": a ratio behind a word that may begin an amount.
        inside = (_ratio(tokens, spans, k, words) for k in range(i + 1, slot.end))
        slot = next((ratio for ratio in inside if ratio is not None), slot)
        slot.loose = slot.loose or _is_loose(tokens, slot, spans)
        following = tokens[slot.token_end].norm if slot.token_end < len(tokens) else ""
        slot.unit = following if words.values.is_unit(following) else ""
        yield slot
        i = max(slot.end, i + 1)


def _is_loose(tokens: Sequence[Token], slot: Slot, spans: Sequence[TaggedSpan]) -> bool:
    mentions = (span.mention for span in spans[slot.start : slot.end])
    if any(mention is not None and mention.is_partial for mention in mentions):
        return True
    named = [t for t in tokens[slot.token_start : slot.token_end] if t.is_word]
    return bool(slot.issue or slot.referents) and any(
        t.text.lower().rstrip("s") != t.norm.rstrip("s") for t in named
    )


def _slot(form: Quantifier | SlotForm, spans: Sequence[TaggedSpan], start: int, end: int) -> Slot:
    return Slot(form, start, end, spans[start].start, spans[end - 1].end)


def _amount(spans: Sequence[TaggedSpan], i: int) -> Slot | None:
    amount = amount_at(spans, i)
    if amount is None or amount.quantifier == Quantifier.UNSPECIFIED:
        return None
    slot = _slot(amount.quantifier, spans, amount.start, amount.end)
    slot.number = (
        amount.number
        if amount.number or amount.quantifier in (Quantifier.COUNT, Quantifier.OTHERS, Quantifier.MORE)
        else None
    )
    slot.issue, slot.each, slot.owned, slot.less = amount.issue, amount.each, amount.owned, amount.less
    slot.of_each = amount.of_each or amount.of_others
    slot.figure = next((p.figure for p in spans[amount.start : amount.end] if p.figure is not None), None)
    return slot


_FORMS: Mapping[Tag, Quantifier | SlotForm] = {
    Tag.ALL: Quantifier.ALL,
    Tag.ALL_OF_IT: Quantifier.ALL,
    Tag.BOTH: Quantifier.BOTH,
    Tag.REST: Quantifier.REST,
    Tag.ELSE: Quantifier.REST,
    Tag.EVENLY: SlotForm.EVEN,
    Tag.SPLIT: SlotForm.EVEN,
    Tag.HALF: SlotForm.EVEN,
    Tag.SWAPPED: SlotForm.SWAPPED,
    Tag.ISSUE: Quantifier.BARE,
    Tag.NUMBER: SlotForm.FIGURE,
    Tag.FIGURE: SlotForm.FIGURE,
    Tag.VALUE: SlotForm.VALUE,
    Tag.TOPIC: SlotForm.TOPIC,
    Tag.MIDDLE: SlotForm.MIDDLE,
}


def _single(
    tokens: Sequence[Token], spans: Sequence[TaggedSpan], i: int, words: GameVocabulary
) -> Slot | None:
    span = spans[i]
    form = _FORMS.get(span.tag)
    if span.tag == Tag.VALUE and _is_bare_yes_or_no(tokens, spans, i, words):
        return None
    if form is None:
        shared = words.values.partial_names.get(tokens[span.start].norm, ()) if span.tag == Tag.WORD else ()
        if not shared:
            return None
        slot = _slot(SlotForm.VALUE, spans, i, i + 1)
        slot.referents = shared
        slot.loose = True
        return slot
    slot = _slot(form, spans, i, i + 1)
    slot.of_each = span.tag in (Tag.EVERYTHING, Tag.ELSE)
    slot.issue = span.issue if span.tag == Tag.ISSUE else ""
    slot.number = None if span.figure is None else span.figure.value
    slot.figure = span.figure
    slot.referents = () if span.mention is None or span.tag == Tag.ISSUE else span.mention.referents
    return slot


def _is_bare_yes_or_no(
    tokens: Sequence[Token], spans: Sequence[TaggedSpan], i: int, words: GameVocabulary
) -> bool:
    """Return whether a value is a bare "no" whose issue is not named: an answer rather than a value."""
    span = spans[i]
    if span.end - span.start > 1 or words.values.word_polarity(tokens[span.start].norm) is None:
        return False
    issues = {meaning.issue for meaning in span.mention.referents} if span.mention is not None else set()
    return not any(
        other.tag == Tag.TOPIC
        and other.mention is not None
        and issues & {m.issue for m in other.mention.referents}
        for other in spans
    )


def _ratio(
    tokens: Sequence[Token], spans: Sequence[TaggedSpan], i: int, words: GameVocabulary
) -> Slot | None:
    """Return a ratio: "3-1", "2/2", "4 to 2", "50/50", with the issue next to it."""
    if spans[i].tag != Tag.NUMBER:
        return None
    k = i + 1
    if k < len(spans) and spans[k].tag != Tag.NUMBER:
        k += 1
    if k >= len(spans) or spans[k].tag != Tag.NUMBER:
        return None
    between = "".join(token.norm for token in tokens[spans[i].end : spans[k].start])
    if between and between not in _RATIO_SEPARATORS:
        return None
    first, second = spans[i].number, spans[k].number
    end = k + 1
    issue = spans[i - 1].issue if i and spans[i - 1].tag == Tag.ISSUE else ""
    if end < len(spans) and spans[end].tag == Tag.ISSUE and issue in ("", spans[end].issue):
        issue, end = spans[end].issue, end + 1
    halves = (first, second) == (50, 50)
    fits = [name for name, units in words.units.items() if first + second == units]
    if not halves and not (fits if issue not in words.units else issue in fits):
        return None
    slot = _slot(SlotForm.RATIO, spans, i, end)
    slot.number, slot.second, slot.issue = first, second, issue if issue in words.units else ""
    return slot
