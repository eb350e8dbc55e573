"""Features of a message, by which its dialogue acts are classified."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from negoplatform.domain.offer import Offer
from negoplatform.language.parsing.dialogue_act_rules import utterance_acts
from negoplatform.language.parsing.grammar.amount_phrases import Quantifier
from negoplatform.language.parsing.slots.slot_features import FeatureContext, turn_signature
from negoplatform.language.parsing.slots.slot_term_candidates import term_candidates
from negoplatform.language.parsing.slots.slots import (
    CandidateKind,
    SlotForm,
)
from negoplatform.language.parsing.words.lexical_tagger import Tag

_INDICATIVE_TAGS = (
    Tag.NOT,
    Tag.NONE_OF,
    Tag.DENY,
    Tag.REFUSE,
    Tag.WITHOUT,
    Tag.IF,
    Tag.OR,
    Tag.REPORT,
    Tag.JEST,
    Tag.REASON,
)

_HIGH_CONFIDENCE = 0.9


def message_symbols(text: FeatureContext) -> list[str]:
    """Return the words of a text, with symbols in place of issues, values and numbers."""
    signs: dict[int, str] = {}
    for slot in text.segmented.slots:
        sign = _SLOT_SYMBOLS.get(slot.form) or ("<I>" if slot.issue else "")
        if sign:
            signs |= dict.fromkeys(range(slot.token_start, slot.token_end), sign)
    found: list[str] = []
    for i, token in enumerate(text.segmented.tokens):
        sign = signs.get(i, "")
        if not sign:
            found.append("<n>" if token.number is not None else token.norm)
        elif signs.get(i - 1) != sign:
            found.append(sign)
    return found


_SLOT_SYMBOLS = {
    SlotForm.VALUE: "<V>",
    SlotForm.TOPIC: "<T>",
    SlotForm.FIGURE: "<N>",
    SlotForm.RATIO: "<R>",
    Quantifier.COUNT: "<A>",
    Quantifier.ALL: "<A>",
    Quantifier.OTHERS: "<A>",
    Quantifier.MORE: "<A>",
    Quantifier.HALF: "<A>",
    Quantifier.BOTH: "<A>",
}


def message_features(text: FeatureContext, terms: Offer, written: str) -> list[str]:
    """Return the features by which a message's acts are classified.

    Args:
        text: The message with its chosen candidates.
        terms: The terms that they compose.
        written: The message as it was typed.
    """
    symbols = message_symbols(text)
    framed = ["^", *symbols, "$"]
    found = [f"u={symbol}" for symbol in symbols]
    found += [f"b={one} {two}" for one, two in pairwise(framed)]
    found += [f"t={' '.join(framed[i : i + 3])}" for i in range(len(framed) - 2)]
    found.append(f"first={' '.join(framed[:4])}")
    if len(symbols) <= 5:
        found.append(f"whole={' '.join(symbols)}")
    found.append(f"len={min(len(symbols) // 4, 8)}")
    stripped = written.rstrip()
    found += [name for name, sign in (("?", "?"), ("!", "!"), ("??", "??"), ("..", "..")) if sign in written]
    if stripped.endswith("?"):
        found.append("ends?")
    them = turn_signature(text.state, text.other)
    on_table = "-" if not text.state.on_table else "o" if text.state.maker == text.other else "m"
    found += [f"lo={them}", f"table={on_table}", f"terms={min(len(terms), 4)}"]
    found += [f"lo={them}&{symbol}" for symbol in set(symbols[:3])]
    if len(symbols) <= 8:
        found += [f"short&{symbol}" for symbol in set(symbols)]
    found += _pattern_features(text)
    relation = _relation(text, terms)
    found += [f"rel={relation}", f"rel={relation}&{symbols[0] if symbols else ''}"]
    unused = [k for k, chosen in enumerate(text.chosen) if chosen.kind == CandidateKind.NONE]
    repeated = sum(_repeats(text, k) for k in unused)
    found += [
        f"unused={min(len(unused), 3)}",
        f"repeats={min(repeated, 2)}",
        f"repeats={repeated > 0}&{relation}",
    ]
    return list(dict.fromkeys(found))


def _pattern_features(text: FeatureContext) -> Iterator[str]:
    """Yield the dialogue acts and cues that the patterns of the language find."""
    utterance = utterance_acts(text.segmented.tokens, text.words.lexicon, text.words.language)
    for one in utterance.conditional_acts:
        yield f"act={one.act.subtype.value}"
        if one.act.sure >= _HIGH_CONFIDENCE:
            yield f"act!={one.act.subtype.value}"
    yield from (f"short={name}" for name in utterance.cues)
    if utterance.hedged:
        yield "hedged"
    there = {span.tag for span in text.segmented.spans}
    yield from (f"tag={tag.value}" for tag in _INDICATIVE_TAGS if tag in there)


def _repeats(text: FeatureContext, k: int) -> bool:
    """Return whether a slot without a term of the speaker's may repeat a term of the other side's."""
    options = term_candidates(text.segmented.slots[k], text.words, text.state, text.speaker, text.other)
    return any(
        option.term is not None and text.state.last_proposal(text.other, option.issue) == option.term
        for option in options
    )


def _relation(text: FeatureContext, terms: Offer) -> str:
    """Return a code of whether terms repeat, change or add to the other side's last ones."""
    same = different = new = 0
    for name, term in terms.terms:
        theirs = text.state.last_proposal(text.other, name)
        same += theirs == term
        different += theirs is not None and theirs != term
        new += theirs is None
    return f"{min(same, 2)}{min(different, 2)}{min(new, 2)}"
