"""Digests of what the parser makes of the written dialogues.

The models weigh features by their names: with other features, or with another grammar, they have to be
trained again. After a change that is meant, ``python -m tests.language.parsing.talk_digests`` writes the
digests again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from benchmarks.talk import Dialogue, read_talk
from negoplatform.language.parsing.trained_models import load_models
from scripts.reader_training.examples import read_examples, slot_examples

TALK = Path(__file__).parents[3] / "benchmarks" / "data" / "talk"
DIGESTS = Path(__file__).parent / "talk_digests.json"

DIGITS = 6
"""Hexadecimal digits of a digest."""

EVERY = 10
"""Of as many dialogues one is read, so that a test of them takes seconds."""


def dialogues() -> list[Dialogue]:
    """Return a sample of the dialogues with which the models were trained and tested."""
    return [dialogue for file in sorted(TALK.rglob("*.txt")) for dialogue in read_talk(file)][::EVERY]


def digest_of(dialogue: Dialogue) -> str:
    """Return a digest of the claims, features, candidates and terms of a dialogue's messages."""
    made = hashlib.sha256()
    for line in _lines(dialogue):
        made.update(f"{line}\n".encode())
    return made.hexdigest()[:DIGITS]


def _lines(dialogue: Dialogue) -> Iterator[str]:
    for slot in slot_examples([dialogue]):
        yield f"{sorted(slot.around)} {[(kind, sorted(features)) for kind, features in slot.options]}"
    for example in read_examples([dialogue], load_models().slots):
        text = example.text
        made = (text.segmented.spans, text.segmented.slots, text.claims, text.chosen, example.composed)
        yield f"{_plain(made)} {sorted(example.features)}"


def _plain(value: Any) -> Any:
    """Return a value whose text is the same in every process: sets have an order."""
    if isinstance(value, frozenset | set):
        return sorted(map(str, value))
    if isinstance(value, dict):
        return sorted((str(key), _plain(each)) for key, each in value.items())
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if is_dataclass(value):
        return [_plain(getattr(value, each.name)) for each in fields(value)]
    return str(value)


def main() -> None:
    """Write the digests."""
    found = {dialogue.name: digest_of(dialogue) for dialogue in dialogues()}
    DIGESTS.write_text(json.dumps(found, indent=0, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
