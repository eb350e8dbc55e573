"""Seed corpus, everything that fuzzing once found, and a few thousand inputs like them."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.fuzz.mutation import mutated
from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
FILES = sorted(path for path in CORPUS.rglob("*") if path.is_file())

INPUTS = {"log": 600, "game": 1500, "protocol": 2000}
"""Number of inputs derived from the corpus for each target: as many as fit into two or three seconds."""


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_input_of_the_corpus_meets_no_bug(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("target", TARGETS)
def test_inputs_like_those_of_the_corpus_meet_no_bug(target: str) -> None:
    rng = Random(f"inputs for {target}")
    seeds = [path.read_bytes() for path in FILES if path.parent.name == target]

    for number in range(INPUTS[target]):
        data = mutated(rng.choice(seeds), rng)
        try:
            TARGETS[target](data)
        except Exception as error:
            error.add_note(f"Input {number}, to be kept in the corpus: {data!r}")
            raise


def test_the_corpus_is_small() -> None:
    assert {path.parent.name for path in FILES} == set(TARGETS)
    assert len(FILES) <= 30
    assert all(path.stat().st_size <= 20_000 for path in FILES)
