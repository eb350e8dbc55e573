"""Shipped strategies, compared with plain loops of the published formulas in alternating turns."""

from __future__ import annotations

import pytest

from benchmarks.parity import drawn_game, in_words, pairs, played_here, played_plainly

PAIRS = pairs()


@pytest.mark.parametrize("at", range(len(PAIRS)), ids=[" - ".join(s.label for s in pair) for pair in PAIRS])
def test_a_pair_reaches_the_agreement_of_the_published_formulas(at: int) -> None:
    match = drawn_game(at), PAIRS[at], at

    agreement = played_here(match)

    assert in_words(agreement) == in_words(played_plainly(match))


def test_most_pairs_make_an_agreement_of_their_own() -> None:
    agreements = [played_plainly((drawn_game(at), pair, at)) for at, pair in enumerate(PAIRS)]

    assert len(set(agreements) - {None}) > 30
