"""Tokenizer: words, numbers and signs with their positions in the text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MAX_TEXT_LENGTH = 4_000
"""Maximum number of characters that are parsed; it bounds the time, and no offer takes more."""
MAX_TOKENS = 800
"""Maximum number of tokens that are parsed."""
_MOST_DIGITS = 13

_TOKEN = re.compile(
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?(?![0-9])"  # 90,000 and 90,000.50
    r"|[0-9]{1,3}(?:\.[0-9]{3})+(?![0-9])"  # 90.000
    r"|[1-9][0-9]{0,2}(?:[ \u00a0\u202f][0-9]{3})+(?![0-9])"  # 90 000
    r"|[0-9]+(?:\.[0-9]+)?(?:e[0-9]{1,2}(?!\w))?"  # 90, 1.5, 1e3
    r"|(?<![\w.])\.[0-9]+"  # .5
    r"|\n+"
    r"|[^\W\d_]+(?:'[^\W\d_]+)*"  # a word, including suffixes behind an apostrophe
    r"|[.?!]{2,}"
    r"|[^\w\s]"
)
_DIGIT_SEPARATOR = re.compile(r"[,\s]")
_THOUSANDS = re.compile(r"-?[1-9][0-9]{0,2}\.[0-9]{3}")
_SENTENCE_ENDS = frozenset(".!?\n;")
_NORMALIZED_SIGNS = str.maketrans(
    {"’": "'", "‘": "'", "`": "'", "´": "'", "…": ".", "“": '"', "”": '"', "–": "-", "—": "-", "−": "-"}
)
_UNIT_SIGNS = frozenset("%$€£°")
_LONGEST_WORD = 64
"""Maximum number of letters of a word before normalization: one sign may expand to many letters."""


@dataclass(frozen=True, slots=True)
class Token:
    """Word, number or sign.

    Args:
        text: The source text; both tokens of a contraction ("I'd": i, would) have all of it.
        norm: The normal form: lower case, contractions expanded, common misspellings corrected.
        start: The index of its first character.
        end: The index behind its last character.
        number: The value of digits; None for words and signs.
    """

    text: str
    norm: str
    start: int
    end: int
    number: int | float | None = None

    def __hash__(self) -> int:
        # Tokens are frequent cache keys; a hash of all fields takes several times as long.
        return hash(self.norm)

    @property
    def is_word(self) -> bool:
        """Whether it consists of letters."""
        return self.norm[:1].isalpha()

    @property
    def ends_sentence(self) -> bool:
        """Whether it ends a sentence."""
        return self.norm[:1] in _SENTENCE_ENDS

    @property
    def is_question_mark(self) -> bool:
        """Whether it ends a question."""
        return "?" in self.norm and not self.is_word


@dataclass(frozen=True, slots=True)
class Sentence:
    """Range of tokens that forms a sentence.

    Args:
        start: The index of its first token.
        end: The index behind its last token, without the sign that ends it.
        question: Whether it ends with a question mark.
    """

    start: int
    end: int
    question: bool = False


_EMOTICON = re.compile(r"(?<!\S)[:;=][-'^]?[()DPpOo/\\|*]+(?!\w)")
"""Emoticons, which are not tokens: ":D"."""


def _same_length_spaces(found: re.Match[str]) -> str:
    """Return spaces of the same length, so that positions in the text are unchanged."""
    return " " * len(found.group())


def tokenize(text: str, spellings: Mapping[str, str] | None = None) -> tuple[Token, ...]:
    """Return the tokens of a text in order; of a long text, those of its beginning.

    Args:
        text: Any text.
        spellings: Replacements: "don't" by "do not", "watter" by "water". A replacement of several words
            makes several tokens with the same position.
    """
    known = spellings or {}
    found: list[Token] = []
    # Character by character, so that positions in the text are unchanged.
    alike = _EMOTICON.sub(_same_length_spaces, text[:MAX_TEXT_LENGTH].translate(_NORMALIZED_SIGNS))
    for piece in _TOKEN.finditer(alike):
        written, start, end = text[piece.start() : piece.end()], piece.start(), piece.end()
        plain = piece.group()
        if plain[-1].isascii() and plain[-1].isdigit():
            plain = f"0{plain}" if plain.startswith(".") else plain
            if _is_minus(found, start):
                plain, start = f"-{plain}", found.pop().start
                written = text[start:end]
            found.append(Token(written, plain, start, end, _number(plain)))
        else:
            norm = _normal(plain)
            found += [Token(written, word, start, end) for word in known.get(norm, norm).split(" ")]
        if len(found) >= MAX_TOKENS:
            break
    return tuple(found)


def split_sentences(tokens: Sequence[Token]) -> tuple[Sentence, ...]:
    """Return the sentences, without the signs that end them."""
    found: list[Sentence] = []
    start = 0
    for i, token in enumerate(tokens):
        if token.ends_sentence:
            if i > start:
                found.append(Sentence(start, i, token.is_question_mark))
            start = i + 1
    if start < len(tokens):
        found.append(Sentence(start, len(tokens)))
    return tuple(found)


def _is_minus(found: Sequence[Token], start: int) -> bool:
    """Return whether the last token is the sign of a number that begins here: "temp -5", but not "80-90"."""
    if not found or found[-1].norm != "-" or found[-1].end != start:
        return False
    before = found[-2] if len(found) > 1 else None
    if before is None:
        return True
    parted = before.end < found[-1].start
    return before.number is None and before.norm not in _UNIT_SIGNS and (parted or not before.is_word)


def _normal(plain: str) -> str:
    if plain.isascii():
        return plain.lower()
    parts = unicodedata.normalize("NFKD", plain[:_LONGEST_WORD].lower())[:_LONGEST_WORD]
    return "".join(part for part in parts if not unicodedata.combining(part)) or plain


def _number(plain: str) -> int | float | None:
    """Return the value of digits; None if there are too many for any game."""
    digits = plain if plain.isdigit() else _DIGIT_SEPARATOR.sub("", plain)
    if len(digits) > 1 and not digits.strip("-0"):
        return None  # The rest of "0 000"
    if digits.count(".") > 1 or ("." in digits and _THOUSANDS.fullmatch(digits)):
        digits = digits.replace(".", "")  # 90.000 is 90,000 in some countries
    if len(digits) > _MOST_DIGITS:
        return None
    value = float(digits)
    if abs(value) >= 10**_MOST_DIGITS:
        return None
    return int(value) if value.is_integer() else value
