"""How a text divides units, read with what the talk before it has come to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

from negoplatform.domain.game import GameSpec
from negoplatform.domain.seat import BySeat, Seat
from negoplatform.language.claims import Claims
from negoplatform.language.clauses import claims_in
from negoplatform.language.discourse import Memory
from negoplatform.language.lexicon import Lexicon, lexicon_of
from negoplatform.language.pieces import Piece, Tag, pieces_in
from negoplatform.language.reading import SURE, Doubt
from negoplatform.language.situation import Situation
from negoplatform.language.sureness import surest
from negoplatform.language.tokens import Token
from negoplatform.language.units import Divider, Division

MOST_REMEMBERED = 160
"""So many tokens of each text before are looked at; the tokens of its end."""


def divisions_of(tokens: Sequence[Token], situation: Situation, lexicon: Lexicon) -> tuple[Division, ...]:
    """How a text divides units, in the game's own terms: one way, or one for each alternative that it names.

    Args:
        tokens: The text, cut by the lexicon.
        situation: Where it is said.
        lexicon: The words of the game.
    """
    claims, _, _ = _heard(tuple(tokens), lexicon)
    memory = memory_of(situation)
    ways = tuple(_divided(some, situation, memory) for some in claims.alternatives())
    for way in ways:
        way.unquestioned = way.sure
        way.unsure(surest(way.reasons, situation.language))
    return ways


def _divided(claims: Claims, situation: Situation, memory: Memory) -> Division:
    """How claims divide units; where they contradict each other, the last proposal among them counts."""
    whole = Divider(situation.game, situation.speaker, memory).divide(claims)
    last = claims.last_proposal() if whole.doubt in (Doubt.EITHER, Doubt.IMPOSSIBLE) else None
    if last is None:
        return whole
    division = Divider(situation.game, situation.speaker, memory).divide(last)
    division.unsure(SURE)
    return division if len(division.terms) > 1 and division.sure >= SURE else whole


def memory_of(situation: Situation) -> Memory:
    """What the talk before has come to, the offer on the table included."""
    lexicon = lexicon_of(situation.game, situation.language)
    memory = Memory().after_offer(situation.on_table, situation.game)
    for said in situation.talk:
        if said.offer is not None:
            memory = memory.after_offer(said.offer, situation.game)
        elif said.text:
            memory = _after_words(memory, said.text, said.sender, situation.game.seats, lexicon)
    return memory


# The talk is heard again at each text; most of it leads from what was remembered then to what was then too.
@lru_cache(maxsize=512)
def _after_words(
    memory: Memory, text: str, sender: Seat, seats: tuple[Seat, ...], lexicon: Lexicon
) -> Memory:
    game = GameSpec("", lexicon.issues, seats, BySeat())  # What is kept must not hold the whole game.
    claims, spoken, asked = _heard(lexicon.tokens(text)[-MOST_REMEMBERED:], lexicon)
    if claims == Claims(()):
        return memory.after_words({}, {}, spoken, asked=asked)
    ways = claims.alternatives()
    division = Divider(game, sender, memory).divide(ways[0])
    if division.doubt == Doubt.WHICH_ISSUE:
        spoken = tuple(issue.name for issue in game.issues)  # Nobody can tell what was spoken of.
    if division.sure < SURE or len(ways) > 1:
        return memory.after_words({}, {}, spoken, asked=asked)
    # "One more" that is asked for again is still one more than what stood before.
    plain = {name: term for name, term in division.terms.items() if name not in division.relative}
    return memory.after_words(plain, division.described, spoken or tuple(division.terms), asked=asked)


@lru_cache(maxsize=512)
def _heard(tokens: tuple[Token, ...], lexicon: Lexicon) -> tuple[Claims, tuple[str, ...], bool]:
    """What a text of the talk claims, the issues it names, and whether it asks the other side how many.

    Kept, for each is asked for many times.
    """
    pieces = pieces_in(tokens, lexicon)
    return claims_in(pieces), _spoken(pieces), _asks_how_many(pieces)


def _spoken(pieces: Sequence[Piece]) -> tuple[str, ...]:
    """The issues that pieces name; of a text that ends in a question about one of them, that one."""
    ends = [-1, *(i for i, piece in enumerate(pieces) if piece.tag == Tag.END)]
    for start, end in reversed(list(pairwise(ends))):
        asked = {piece.issue for piece in pieces[start + 1 : end] if piece.tag == Tag.ISSUE}
        if asked and len(asked) == 1 and pieces[end].question:
            return tuple(asked)
        if asked:
            break
    return tuple(dict.fromkeys(piece.issue for piece in pieces if piece.tag == Tag.ISSUE))


def _asks_how_many(pieces: Sequence[Piece]) -> bool:
    """Whether somebody is asked how many they would have: "how many do you need?"."""
    asked = next((i for i, piece in enumerate(pieces) if piece.tag == Tag.HOW_MANY), len(pieces))
    end = next((i for i in range(asked, len(pieces)) if pieces[i].tag == Tag.END), asked)
    return any(piece.tag == Tag.OTHER for piece in pieces[asked:end]) and pieces[end].question
