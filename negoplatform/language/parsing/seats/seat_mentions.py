"""Names of seats in a text, in a game of more than two, and whom a text addresses by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from negoplatform.domain.game import GameSpec
from negoplatform.domain.game_display_texts import GENERIC_SEAT_NAMES, display_name
from negoplatform.domain.seat_map import Seat, SeatMap
from negoplatform.language.parsing.words.language_vocabulary import Phrase, load_parsing_data
from negoplatform.language.parsing.words.lexicon import Lexicon
from negoplatform.language.parsing.words.tokenizer import Sentence, Token, split_sentences, tokenize

_CALL_SIGN = "@"
_CALLS = frozenset({",", "!", "?", ":", "-", "?!", "!!", "??"})
"""Signs behind a name with which a sentence begins."""
_LABELS = frozenset({":", "-"})
"""Signs that may also stand between a name and what that seat gets."""
_LONGEST_QUESTION = 4
"""Number of words after a name within which a question to it says "you"."""


@dataclass(frozen=True, slots=True)
class SeatMention:
    """Range of tokens that names a seat.

    Args:
        start: The index of its first token.
        end: The index behind its last token.
        seat: The seat.
        is_owner: Whether it is a genitive: "Dana's share".
        is_called: Whether an @ stands before it.
    """

    start: int
    end: int
    seat: Seat
    is_owner: bool = False
    is_called: bool = False


@dataclass(frozen=True, slots=True)
class Address:
    """Seats that a text addresses by name.

    Args:
        seats: The seats, in the order of the text, each once.
        everyone: Whether it addresses all: "what do you two think?".
    """

    seats: tuple[Seat, ...] = ()
    everyone: bool = False


class AddressWords:
    """Words of a language with which a text addresses a seat.

    Args:
        language: The language's folder.

    Raises:
        NegoError: If texts of the language cannot be parsed.
    """

    def __init__(self, language: str) -> None:
        read = load_parsing_data(language, "address")
        self.openers = _phrases(read["openers"])
        """Words before the name with which a sentence begins: "hey", "and"."""
        self.everyone = _phrases(read["everyone"])
        """Words for all seats where a name could stand."""
        self.everyone_anywhere = _phrases(read["everyone_anywhere"])
        """Words for all seats in any position."""
        self.asks_with_you = _words(read["asks_with_you"])
        """Words behind a name that begin a question to it, if "you" follows."""
        self.speaks_to = _words(read["speaks_to"])
        """Words behind a name that speak to it."""
        self.asks_you_later = _words(read["asks_you_later"])
        """The same in a question that says "you" anywhere: "Kim is that enough for you?"."""
        self.speaks_of = _words(read["speaks_of"])
        """Words before a name at the end of a sentence that speak of it: "do you agree with Kim?"."""
        self.view_verbs = _words(read["view_verbs"])
        """Verbs of what a seat thinks or wants: "what would Kim say?"."""
        self.view_auxiliaries = _words(read["view_auxiliaries"])
        """Words before a name with which a question for this begins."""
        self.view_verbs_before_name = _words(read["view_verbs_before_name"])
        """Verbs before a name that ask for this on their own."""
        self.second_person = _words(read["second_person"])
        self.joins = _words(read["joins"])
        """Words between two names."""
        self.genitives: tuple[str, ...] = tuple(read["genitives"])
        self.all_each = _phrases(read["all_each"])
        """Words for every seat, the speaker's included, of which each gets so much."""
        self.others_each = _phrases(read["others_each"])
        """Words for all other seats, of which each gets so much: "both of you"."""
        self.others_together = _phrases(read["others_together"])
        """Words for all other seats, each or together: "you two"."""
        self.third_person = _phrases(read["third_person"])
        """Words for a person or group of which several may be meant: "she"."""
        self.unless = _phrases(read["unless"])
        """Words of a condition that excludes its terms."""
        self.two = _words(read["two"])
        """Words of these phrases that mean exactly two seats."""
        self.before_value = _phrases(read["before_value"])
        """Prepositions before a value: "on" of "on Saturday"."""
        self.states_value = _phrases(read["states_value"])
        """Words between an issue and its value: "is" of "the fee is 40"."""
        self.does_work = _phrases(read["does_work"])
        """Verbs whose subject gets units of work: "does" of "Kim does 2 hours"."""


@cache
def address_words(language: str) -> AddressWords:
    """Return the words of a language; they are loaded once."""
    return AddressWords(language)


def _words(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(word for phrase in _phrases(texts) for word in phrase)


def _phrases(texts: Sequence[str]) -> tuple[Phrase, ...]:
    found = {tuple(token.norm for token in tokenize(text)) for text in texts}
    return tuple(sorted(found, key=lambda words: (-len(words), words)))


SeatNames = tuple[tuple[Phrase, Seat], ...]
"""The normal forms of the words of each name, with the seat, the longest first."""


def seat_names(game: GameSpec, lexicon: Lexicon) -> SeatNames:
    """Return the names of the seats: as the game calls them, and of those who sit there.

    A name that two seats have names neither. With two seats there are none: they say "you" and "I".

    Args:
        game: The game.
        lexicon: Its lexicon.
    """
    return _seat_names(game.seats, lexicon, game.names) if len(game.seats) > 2 else ()


@lru_cache(maxsize=32)
def _seat_names(seats: tuple[Seat, ...], lexicon: Lexicon, names: SeatMap[str]) -> SeatNames:
    found: dict[Phrase, set[Seat]] = {}
    for seat in seats:
        titles = [] if seat in GENERIC_SEAT_NAMES else [display_name(seat)]
        for name in (*titles, *([names[seat]] if seat in names else [])):
            words = tuple(token.norm for token in tokenize(name, lexicon.vocabulary.spellings))
            found.setdefault(words, set()).add(seat)
    clear = [(words, next(iter(those))) for words, those in found.items() if words and len(those) == 1]
    return tuple(sorted(clear, key=lambda pair: (-len(pair[0]), pair[0])))


def find_seats(tokens: Sequence[Token], names: SeatNames, lexicon: Lexicon) -> tuple[SeatMention, ...]:
    """Return the mentions of seats in order, without overlaps.

    A name that is a number or has a function in the language ("one", "you") counts only behind an @.
    """
    return tuple(_scan(tokens, names, lexicon)) if names else ()


def _scan(tokens: Sequence[Token], names: SeatNames, lexicon: Lexicon) -> Iterator[SeatMention]:
    i = 0
    while i < len(tokens):
        called = i > 0 and tokens[i - 1].norm == _CALL_SIGN
        found = _mention_at(tokens, i, names, lexicon, called=called)
        if found is not None:
            yield found
        i = i + 1 if found is None else found.end


def _mention_at(
    tokens: Sequence[Token], i: int, names: SeatNames, lexicon: Lexicon, *, called: bool
) -> SeatMention | None:
    for words, seat in names:
        end = i + len(words)
        # The first test excludes nearly every token; a genitive begins with the name too.
        if end > len(tokens) or not tokens[end - 1].norm.startswith(words[-1]):
            continue
        if any(tokens[i + k].norm != word for k, word in enumerate(words[:-1])):
            continue
        last = tokens[end - 1]
        owned = _is_genitive(last, words[-1], lexicon)
        if (last.norm == words[-1] or owned) and (called or not _is_ordinary_word(words, lexicon)):
            return SeatMention(i, end, seat, is_owner=owned, is_called=called)
    return None


def _is_genitive(token: Token, name: str, lexicon: Lexicon) -> bool:
    """Return whether a token is the genitive of a name; "Dana's" is a name of the game without its ending."""
    endings = address_words(lexicon.language).genitives
    if token.norm == name:
        written = token.text.lower().replace("’", "'")
        return written != name and any(written == name + ending for ending in endings)
    return any(token.norm == name + ending for ending in endings) and not lexicon.is_known_word(token.norm)


def _is_ordinary_word(words: Phrase, lexicon: Lexicon) -> bool:
    if len(words) > 1:
        return False
    (word,) = words
    tagged = any(phrase == words for phrase, _ in lexicon.vocabulary.phrases_from(word))
    return tagged or word in lexicon.vocabulary.numbers or not word[:1].isalpha()


def find_address(tokens: Sequence[Token], mentions: Sequence[SeatMention], language: str) -> Address:
    """Return whom a text addresses by name.

    Args:
        tokens: The tokens of the text.
        mentions: The seats that it mentions.
        language: Its language.
    """
    words = address_words(language)
    norms = [token.norm for token in tokens]
    everyone = any(
        phrase_at(norms, i, words.everyone_anywhere, len(norms)) is not None for i in range(len(norms))
    )
    readers = [_SentenceReader(norms, sentence, mentions, words) for sentence in split_sentences(tokens)]
    everyone = everyone or any(reader.addresses_everyone() for reader in readers)
    found = (mention.seat for reader in readers for mention in (*reader.addressed(), *reader.asked()))
    return Address(tuple(dict.fromkeys(found)), everyone)


def find_called(
    tokens: Sequence[Token], mentions: Sequence[SeatMention], language: str
) -> tuple[SeatMention, ...]:
    """Return the mentions with which a text addresses a seat, in order.

    Args:
        tokens: The tokens of the text.
        mentions: The seats that it mentions.
        language: Its language.
    """
    words, norms = address_words(language), [token.norm for token in tokens]
    readers = (_SentenceReader(norms, sentence, mentions, words) for sentence in split_sentences(tokens))
    found = {mention.start: mention for reader in readers for mention in reader.addressed()}
    return tuple(found[start] for start in sorted(found))


def phrase_at(norms: Sequence[str], i: int, phrases: Sequence[Phrase], last: int) -> int | None:
    """Return the index behind the longest phrase that begins at an index; None if none does."""
    if i >= last:
        return None
    first = norms[i]
    for phrase in phrases:
        if phrase[0] == first and i + len(phrase) <= last and tuple(norms[i : i + len(phrase)]) == phrase:
            return i + len(phrase)
    return None


class _SentenceReader:
    """Reader of the address of one sentence.

    Args:
        norms: The normal forms of all tokens.
        sentence: The sentence.
        mentions: The seats that the text mentions.
        words: The words of the language.
    """

    def __init__(
        self, norms: Sequence[str], sentence: Sentence, mentions: Sequence[SeatMention], words: AddressWords
    ) -> None:
        self._norms, self._words = norms, words
        self._start, self._end, self._question = sentence.start, sentence.end, sentence.question
        inside = [each for each in mentions if sentence.start <= each.start < sentence.end]
        self._mentions = {each.start: each for each in inside if not each.is_owner}
        self._ends = {each.end for each in inside}

    def addressed(self) -> Iterator[SeatMention]:
        """Yield the mentions with which the sentence addresses a seat."""
        group, behind = self._opening_names()
        if group and self._calls(behind):
            yield from group
        for mention in self._mentions.values():
            if mention.is_called or self._is_called_inside(mention):
                yield mention

    def asked(self) -> Iterator[SeatMention]:
        """Yield the mentions of seats whose view a question asks for without speaking to them."""
        if not self._question:
            return
        for mention in self._mentions.values():
            before = self._norms[mention.start - 1] if mention.start > self._start else ""
            behind = self._norms[mention.end : min(self._end, mention.end + _LONGEST_QUESTION)]
            asks = before in self._words.view_auxiliaries and any(
                word in self._words.view_verbs for word in behind
            )
            if asks or before in self._words.view_verbs_before_name or self._ends_short_question(mention):
                yield mention

    def _ends_short_question(self, mention: SeatMention) -> bool:
        """Return whether a question is one word and a name: "thoughts Kim?"."""
        word = self._norms[self._start]
        short = mention.start == self._start + 1 and mention.end >= self._end
        return short and word.isalpha() and word not in {*self._words.speaks_of, *self._words.joins}

    def addresses_everyone(self) -> bool:
        """Return whether the sentence begins or ends with a word for all seats."""
        start = self._behind_openers()
        behind = phrase_at(self._norms, start, self._words.everyone, self._end)
        if behind is not None and (self._sign(behind) or behind == self._end):
            return True
        commas = [i for i in range(self._start, self._end) if self._norms[i] == ","]
        last = commas[-1] + 1 if commas else self._end
        return last < self._end and phrase_at(self._norms, last, self._words.everyone, self._end) == self._end

    def _behind_openers(self) -> int:
        """Return the index behind the words with which a sentence opens."""
        i = self._start
        while i < self._end:
            behind = phrase_at(self._norms, i, self._words.openers, self._end)
            if behind is None and i > self._start and self._norms[i] == ",":
                behind = i + 1
            if behind is None:
                return i if self._norms[i] != _CALL_SIGN else i + 1
            i = behind
        return i

    def _opening_names(self) -> tuple[list[SeatMention], int]:
        """Return the names with which the sentence begins, and the index behind them."""
        i = self._behind_openers()
        group: list[SeatMention] = []
        while (mention := self._mentions.get(i)) is not None:
            group.append(mention)
            i = mention.end
            joins = i < self._end and (
                self._norms[i] in (",", _CALL_SIGN) or self._norms[i] in self._words.joins
            )
            joined = i + 1 if joins else i
            if joined not in self._mentions:
                break
            i = joined
        return group, i

    def _calls(self, behind: int) -> bool:
        """Return whether what follows the names with which a sentence begins speaks to them."""
        if self._sign(behind):
            labelled = behind < self._end and self._norms[behind] in _LABELS
            return not (labelled and behind + 1 < self._end and self._norms[behind + 1][:1].isdigit())
        if behind >= self._end:
            return self._question or self._behind_openers() > self._start  # "Kim?", "hi Kim"
        if self._norms[behind] in self._words.speaks_to:
            return True
        following = self._norms[behind + 1 : min(self._end, behind + 1 + _LONGEST_QUESTION)]
        if self._question and self._norms[behind] in self._words.asks_you_later:
            return self._says_you()
        asks = self._norms[behind] in self._words.asks_with_you
        return asks and any(word in self._words.second_person for word in following)

    def _sign(self, i: int) -> bool:
        if i >= len(self._norms):
            return False
        called = self._norms[i] in _CALLS or set(self._norms[i]) <= {"!", "?"}
        return called and (i < self._end or self._norms[i] != "?")

    def _says_you(self) -> bool:
        return any(word in self._words.second_person for word in self._norms[self._start : self._end])

    def _is_called_inside(self, mention: SeatMention) -> bool:
        """Return whether a name is called at the end or in the middle: "what about you, Kim?"."""
        before = self._norms[mention.start - 1] if mention.start > self._start else ""
        ends = mention.end >= self._end
        parted = not ends and self._norms[mention.end] == ","
        if before in self._words.second_person:
            return ends or parted
        if ends and before not in (",", _CALL_SIGN) and mention.start > self._start + 1:
            # "What do you think Kim?"
            joined = before in self._words.joins or mention.start in self._ends
            return not joined and before not in self._words.speaks_of and self._says_you()
        if before != "," or mention.start - 2 < self._start:
            return False
        listed = mention.start - 1 in self._ends
        if listed:
            return False
        if self._norms[mention.start - 2] in self._words.second_person:
            return True
        return ends or (parted and not self._is_in_list(mention))

    def _is_in_list(self, mention: SeatMention) -> bool:
        """Return whether other seats or numbers stand so near that the name may belong to a list."""
        near = range(max(self._start, mention.start - 4), min(self._end, mention.end + 4))
        seats = any(i in self._mentions and self._mentions[i] is not mention for i in near)
        return seats and not self._says_you()
