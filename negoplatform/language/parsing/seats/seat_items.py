"""Parts of a text that matter for the shares of several seats: seats, amounts, verbs, "for", "each"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.seat_map import Seat
from negoplatform.language.parsing.confirmation_blocking_words import is_closing_question
from negoplatform.language.parsing.grammar.amount_phrases import Amount, Quantifier, amount_at
from negoplatform.language.parsing.seats.seat_mentions import (
    AddressWords,
    address_words,
    find_called,
    find_seats,
    phrase_at,
    seat_names,
)
from negoplatform.language.parsing.seats.value_phrases import value_phrase_at
from negoplatform.language.parsing.slots.slot_detection import GameVocabulary
from negoplatform.language.parsing.slots.slots import SegmentedText
from negoplatform.language.parsing.words.lexical_tagger import Tag
from negoplatform.language.parsing.words.tokenizer import split_sentences


class ItemKind(Enum):
    """Kind of a part of a sentence."""

    PARTY = auto()
    """Seats."""
    STRANGER = auto()
    """A person or group that may be any of several: "she", or "you" said to everyone."""
    CALLED = auto()
    """Seats that are spoken to."""
    AMOUNT = auto()
    ISSUE = auto()
    """An issue without an amount: "budget: …"."""
    VERB = auto()
    """A verb whose subject gets what follows."""
    MAYBE_VERB = auto()
    """The same in a proposal only: "have"."""
    WISH = auto()
    """A verb of which only the speaker's own is a proposal: "I want 2", but "Kim wants 2"."""
    GIVE = auto()
    FOR = auto()
    """Between an amount and its receiver."""
    EACH = auto()
    BOTH = auto()
    """The same, of two seats."""
    SPLIT = auto()
    EVENLY = auto()
    CONNECT = auto()
    BREAK = auto()
    """Beginning of another clause."""
    SUPPOSE = auto()
    """A word that makes a proposal of what follows: "can", "if", "let"."""
    FILLER = auto()
    UNLESS = auto()
    """Beginning of a condition that excludes its terms."""
    UNKNOWN = auto()
    END = auto()


@dataclass(frozen=True, slots=True)
class Item:
    """Part of a sentence.

    Args:
        kind: Its kind.
        start: The index of its first span.
        seats: The seats that it names.
        each: Whether each of the seats gets the amount.
        amount: The amount.
        issue: The issue of a verb or a heading.
    """

    kind: ItemKind
    start: int
    seats: tuple[Seat, ...] = ()
    each: bool = False
    amount: Amount | None = None
    issue: str = ""


_KINDS = {
    Tag.END: ItemKind.END,
    Tag.GET: ItemKind.VERB,
    Tag.HAVE: ItemKind.MAYBE_VERB,
    Tag.WANT: ItemKind.WISH,
    Tag.NEED: ItemKind.WISH,
    Tag.GIVE: ItemKind.GIVE,
    Tag.FOR: ItemKind.FOR,
    Tag.TO: ItemKind.FOR,
    Tag.EACH: ItemKind.EACH,
    Tag.SEP: ItemKind.CONNECT,
    Tag.AND: ItemKind.CONNECT,
    Tag.BUT: ItemKind.BREAK,
    Tag.SO: ItemKind.BREAK,
    Tag.IF: ItemKind.SUPPOSE,
    Tag.MODAL: ItemKind.SUPPOSE,
    Tag.LET: ItemKind.SUPPOSE,
    Tag.ABOUT: ItemKind.SUPPOSE,
    Tag.DET: ItemKind.FILLER,
    Tag.OF: ItemKind.FILLER,
    Tag.VALUE: ItemKind.FILLER,
    Tag.TOPIC: ItemKind.FILLER,
    Tag.SOMEONE: ItemKind.STRANGER,
}
_HEADINGS = frozenset({Quantifier.BARE, Quantifier.DEFINITE})
_COUNTED = frozenset({Quantifier.COUNT, Quantifier.ALL, Quantifier.REST})
_SHORTEST_VERB = 3
"""Fewest letters of a verb that is taken for an issue's: "mow" for mowing."""
_ING = "ing"
_VERBS = frozenset({Tag.WORD, Tag.DO, Tag.GET})
"""Tags of words that may be verbs of work."""


@dataclass(frozen=True, slots=True)
class SpeakerContext:
    """Speaker of a text and those to whom it speaks.

    Args:
        game: The game, with the names of those who sit there.
        speaker: The speaker's seat.
        to: The seats for which alone the text is; empty: it is for everyone.
    """

    game: GameSpec
    speaker: Seat
    to: tuple[Seat, ...] = ()


def read_items(text: SegmentedText, words: GameVocabulary, where: SpeakerContext) -> tuple[Item, ...]:
    """Return the parts of a text, with the seats that they name."""
    return tuple(_ItemScanner(text, words, where).scan())


class _ItemScanner:
    """Scanner of the parts of a text.

    Args:
        text: The text.
        words: The vocabulary of the game.
        where: Who speaks to whom.
    """

    def __init__(self, text: SegmentedText, words: GameVocabulary, where: SpeakerContext) -> None:
        self._text, self._tokens, self._spans = text, text.tokens, text.spans
        self._norms = [token.norm for token in text.tokens]
        self._words, self._where = words, where
        self._address: AddressWords = address_words(words.language)
        names = seat_names(where.game, words.lexicon)
        mentions = find_seats(text.tokens, names, words.lexicon)
        self._called = {each.start: each for each in find_called(text.tokens, mentions, words.language)}
        self._mentions = {each.start: each for each in mentions}
        self._others = where.game.others(where.speaker)
        self._you: tuple[Seat, ...] = ()
        self._said: tuple[Item | None, Item | None] = (None, None)
        """The two parts before the present one, the nearer one last."""
        self._starts = {each.start: each for each in split_sentences(text.tokens)}

    def scan(self) -> Iterator[Item]:
        """Yield the parts, from left to right."""
        self._you = self._where.to
        token = span = 0
        while span < len(self._spans):
            if token in self._starts:
                self._turn_to(token, self._starts[token].end)
            item, behind = self._at(token, span)
            yield item
            self._said = (self._said[1], item)
            token, span = self._next(behind, span)

    def _turn_to(self, start: int, end: int) -> None:
        """Note whom a sentence speaks to."""
        called = {each.seat for at, each in self._called.items() if start <= at < end}
        if called:
            self._you = tuple(seat for seat in self._others if seat in called)

    def _next(self, token: int, span: int) -> tuple[int, int]:
        """Return the next token that a span begins at or contains, and that span."""
        while span < len(self._spans) and self._spans[span].end <= token:
            if self._spans[span].start == self._spans[span].end == token:
                break  # the end of the text
            span += 1
        if span < len(self._spans):
            token = max(token, self._spans[span].start)
        return token, span

    def _at(self, token: int, i: int) -> tuple[Item, int]:
        """Return the part that begins at a token, and the index of the token behind it."""
        span = self._spans[i]
        if token >= len(self._tokens) or span.tag == Tag.END:
            return Item(ItemKind.END, i), max(span.end, token + 1)
        seated = self._seats_at(token, i)
        if seated is not None:
            return seated
        inside = () if span.tag == Tag.VALUE else range(token + 1, span.end)  # "the tree as he left it"
        cut = next((k for k in inside if self._seats_at(k, i) is not None), None)
        if cut is not None:
            # "for each of us": its first word alone is "for".
            return Item(self._kind_of_word(token), i), cut
        if token == span.start:
            value = value_phrase_at(self._text, i, self._words)
            if value is not None:
                paid = value.figure is not None and self._is_anothers_object()
                return Item(ItemKind.UNKNOWN if paid else ItemKind.FILLER, i), self._spans[value.end - 1].end
            amount = amount_at(self._spans, i) or self._measured_at(i)
            if span.tag == Tag.BOTH and (amount is None or not amount.issue):
                return Item(ItemKind.BOTH, i), span.end
            if amount is not None:
                return self._amount(amount, i)
            work = self._work_at(token) if span.tag in _VERBS else None
            if work is not None:
                return Item(ItemKind.VERB, i, issue=work[0]), work[1]
            skipped = self._opener_at(token) or self._closing_question_at(token)
            if skipped is not None:
                return Item(ItemKind.FILLER, i), skipped
        return self._single(i), span.end

    def _is_anothers_object(self) -> bool:
        """Return whether another seat gets or takes the next part: "the dairy takes the fee of 40"."""
        who, verb = self._said
        gets = verb is not None and verb.kind == ItemKind.VERB
        return (
            gets and who is not None and who.kind == ItemKind.PARTY and self._where.speaker not in who.seats
        )

    def _opener_at(self, token: int) -> int | None:
        """Return the index behind "ok", "hey" and the like, with a comma or a name behind it."""
        if token not in self._starts:
            return None
        end = phrase_at(self._norms, token, self._address.openers, len(self._norms))
        if end is None or end >= len(self._norms):
            return None
        return end if self._norms[end] == "," or end in self._mentions else None

    def _closing_question_at(self, token: int) -> int | None:
        """Return the index behind a closing ", ok?", that of its question mark."""
        sentence = next(each for each in self._starts.values() if each.start <= token <= each.end)
        if not sentence.question or token == sentence.start or self._norms[token - 1] != ",":
            return None
        words = " ".join(each.text for each in self._tokens[token : sentence.end] if each.is_word)
        return sentence.end if is_closing_question(words, self._words.language) else None

    def _kind_of_word(self, token: int) -> ItemKind:
        tags = {tag for phrase, tag in self._words.lexicon.vocabulary.phrases_from(self._norms[token])
                if phrase == (self._norms[token],)}  # fmt: skip
        return ItemKind.FOR if Tag.FOR in tags or Tag.TO in tags else ItemKind.UNKNOWN

    def _seats_at(self, token: int, i: int) -> tuple[Item, int] | None:
        mention = self._mentions.get(token)
        if mention is not None:
            kind = ItemKind.CALLED if token in self._called else ItemKind.PARTY
            kind = ItemKind.STRANGER if mention.is_owner else kind
            return Item(kind, i, (mention.seat,)), mention.end
        last = len(self._norms)
        for phrases, seats, each in (
            (self._address.all_each, self._where.game.seats, True),
            (self._address.others_each, self._group(), True),
            (self._address.others_together, self._group(), False),
            (self._address.third_person, (), False),
        ):
            end = phrase_at(self._norms, token, phrases, last)
            if end is not None and not self._ends_in_count(end):
                return self._group_item(i, seats, self._norms[token:end], each=each), end
        return None

    def _ends_in_count(self, end: int) -> bool:
        """Return whether the word before an index counts units: "two" in "I give you two shares"."""
        lexicon = self._words.lexicon
        if end >= len(self._tokens) or self._norms[end - 1] not in lexicon.vocabulary.numbers:
            return False
        named = lexicon.mention_at(self._tokens, end)
        return named is not None and all(each.issue in self._words.units for each in named.referents)

    def _group(self) -> tuple[Seat, ...]:
        """Return the seats that "all of you" means: those spoken to if they are several, else all others."""
        return self._you if len(self._you) > 1 else self._others

    def _group_item(self, i: int, seats: tuple[Seat, ...], phrase: Sequence[str], *, each: bool) -> Item:
        two = any(word in self._address.two for word in phrase)
        if not seats or (two and len(seats) != 2):
            return Item(ItemKind.STRANGER, i)
        return Item(ItemKind.PARTY, i, seats, each)

    def _amount(self, amount: Amount, i: int) -> tuple[Item, int]:
        last = self._spans[amount.end - 1]
        hidden = any(self._seats_at(k, i) is not None for k in range(self._spans[i].start + 1, last.end))
        bound = any(span.bound is not None for span in self._spans[i : amount.end])
        if hidden or bound or amount.of_each or amount.of_others or amount.less:
            return Item(ItemKind.UNKNOWN, i), self._spans[i].end
        if amount.quantifier in _HEADINGS:
            return Item(ItemKind.ISSUE, i, issue=amount.issue), last.end
        kind = ItemKind.AMOUNT if amount.quantifier in _COUNTED else ItemKind.UNKNOWN
        return Item(kind, i, amount=amount, each=amount.each), last.end

    def _single(self, i: int) -> Item:
        span = self._spans[i]
        match span.tag:
            case Tag.SPEAKER:
                return Item(ItemKind.PARTY, i, (self._where.speaker,))
            case Tag.MINE:
                return Item(ItemKind.FOR, i, (self._where.speaker,))
            case Tag.OTHER | Tag.YOURS:
                if not self._you:
                    return Item(ItemKind.STRANGER, i)
                return Item(ItemKind.PARTY if span.tag == Tag.OTHER else ItemKind.FOR, i, self._you)
            case Tag.EACH_OF_US:
                return Item(ItemKind.PARTY, i, self._where.game.seats, each=True)
            case Tag.WE if span.end - span.start == 1:
                return Item(ItemKind.PARTY, i, self._where.game.seats)
            case Tag.GET if self._is_inverted(i):
                return Item(ItemKind.VERB, i, (self._where.speaker,))
            case Tag.IF if tuple(self._norms[span.start : span.end]) in self._address.unless:
                return Item(ItemKind.UNLESS, i)
            case Tag.SPLIT | Tag.EVENLY:
                two = any(word in self._address.two for word in self._norms[span.start : span.end])
                kind = ItemKind.SPLIT if span.tag == Tag.SPLIT else ItemKind.EVENLY
                return Item(ItemKind.UNKNOWN if two else kind, i)
            case _:
                return Item(_KINDS.get(span.tag, ItemKind.UNKNOWN), i)

    def _is_inverted(self, i: int) -> bool:
        """Return whether a verb contains its subject: "nehme ich"."""
        span, find = self._spans[i], self._words.lexicon.vocabulary.phrases_from
        return any(
            tag == Tag.SPEAKER and phrase == (self._norms[k],)
            for k in range(span.start + 1, span.end)
            for phrase, tag in find(self._norms[k])
        )

    def _measured_at(self, i: int) -> Amount | None:
        """Return a number with an issue's measure, "2 hours" for hours of mowing; None if there is none."""
        spans = self._spans
        if spans[i].tag != Tag.NUMBER or i + 1 >= len(spans) or spans[i + 1].tag != Tag.WORD:
            return None
        word = self._norms[spans[i + 1].start]
        further = spans[i + 2].tag if i + 2 < len(spans) else Tag.END
        if further in (Tag.OF, Tag.WORD) or self._words.values.is_unit_of_value(word):
            return None
        measured = [
            name for name in self._words.units if word in self._measures(name) and self._is_named(name)
        ]
        return (
            Amount(Quantifier.COUNT, i, i + 2, spans[i].number, measured[0]) if len(measured) == 1 else None
        )

    def _is_named(self, name: str) -> bool:
        """Return whether a text names an issue, or has its verb; "give me 2 hours" may ask for time."""
        if any(span.tag == Tag.ISSUE and span.issue == name for span in self._spans):
            return True
        return any(
            (work := self._work_at(k)) is not None and work[0] == name for k in range(len(self._norms))
        )

    def _measures(self, name: str) -> set[str]:
        """Return the words with which the phrases for the units of an issue begin: "hour", "hours"."""
        issue = self._words.issues[name]
        spoken = (issue.spoken or ()) if isinstance(issue, QuantityIssue) else ()
        return {words[0] for words in (text.lower().split() for text in spoken) if len(words) > 1}

    def _work_at(self, token: int) -> tuple[str, int] | None:
        """Return the issue of a verb of work, empty if it names none, and the index behind the verb."""
        end = phrase_at(self._norms, token, self._address.does_work, len(self._norms))
        if end is not None:
            return ("", end) if self._is_number(end) else None
        found = "", token
        for name in self._words.units:
            issue = self._words.issues[name]
            for text in (name, issue.label, *issue.synonyms):
                end = self._verb_of(text.lower().split(), token)
                found = (name, end) if end is not None and end > found[1] else found
        return found if found[0] else None

    def _verb_of(self, noun: Sequence[str], token: int) -> int | None:
        """Return the index behind the verb of a noun, "mows" of "mowing", with a "for" before a number."""
        verb = self._norms[token]
        stems = (verb, verb.removesuffix("s"), verb.removesuffix("ies") + "y")
        at = next((k for k, word in enumerate(noun) if word.removesuffix(_ING) in stems), None)
        if at is None or not noun[at].endswith(_ING) or len(noun[at]) < _SHORTEST_VERB + len(_ING):
            return None
        behind = tuple(noun[at + 1 :])
        end = token + 1
        if behind and tuple(self._norms[end : end + len(behind)]) == behind:
            end += len(behind)
        if end < len(self._norms) and self._kind_of_word(end) == ItemKind.FOR and self._is_number(end + 1):
            end += 1
        return end

    def _is_number(self, token: int) -> bool:
        return any(span.start == token and span.tag in (Tag.NUMBER, Tag.ALL) for span in self._spans)
