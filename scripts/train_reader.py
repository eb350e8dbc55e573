"""Training of the parser's models, which are written into the package.

Run, after ``pip install -e '.[train]'``:
``python -m scripts.train_reader [--casino FOLDER] [--negochat FOLDER]``.

The dialogues in ``benchmarks/data/talk/train`` are always used; of the two corpora only their development
parts. The test data of ``benchmarks/understanding.py`` are never read here.

Every slot, act and certainty that the last stage learns from was predicted by models that had not seen its
game: otherwise the certainty would be higher in training than on new games.
"""

from __future__ import annotations

import argparse
import json
import sys
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import compress

from benchmarks.corpora import casino, negochat
from benchmarks.talk import Dialogue, Label, read_talk
from negoplatform.language.parsing.slots.slot_filling import certainty_features
from negoplatform.language.parsing.trained_models import ParserModels, models_from_json
from scripts.reader_training.agent_talk import agent_talk
from scripts.reader_training.examples import ReadExample, groups, read_examples, slot_examples, weight_of
from scripts.reader_training.networks import fit_acts, fit_certainty, fit_slots

ROOT = Path(__file__).parents[1]
TALK = ROOT / "benchmarks" / "data" / "talk" / "train"
MODELS = ROOT / "negoplatform" / "language" / "data" / "models"
FOLDS = 5
SEED = 7
_NO_TREES: dict[str, Any] = {"base": 0.0, "trees": []}


def training_dialogues(casino_folder: Path | None, negochat_folder: Path | None) -> list[Dialogue]:
    """Return all dialogues to learn from."""
    found = [dialogue for file in sorted(TALK.glob("*.txt")) for dialogue in read_talk(file)]
    if casino_folder is not None:
        found += casino(casino_folder)["development"]
    if negochat_folder is not None:
        found += negochat(negochat_folder)["development"]
    games = {dialogue.game.name: dialogue.game for dialogue in found}
    return found + agent_talk(list(games.values()), SEED)


def labels_of(examples: Sequence[ReadExample]) -> dict[str, list[bool | None]]:
    """Return, for each label, whether each message has it; None if unknown."""
    return {label.value: [example.message.labels.get(label) for example in examples] for label in Label}


def train(dialogues: Sequence[Dialogue]) -> dict[str, Any]:
    """Return the data of all models, by file."""
    unseen: list[ReadExample] = []
    parts: list[int] = []
    for fold, (known, new) in enumerate(groups(dialogues, FOLDS)):
        slots = fit_slots(slot_examples(known), SEED)
        read = read_examples(new, _models(slots).slots)
        unseen += read
        parts += [fold] * len(read)
        print(f"part {fold + 1} of {FOLDS}: {len(read)} messages", flush=True)
    weights = [weight_of(example.dialogue) for example in unseen]
    features = [example.features for example in unseen]
    labels = labels_of(unseen)
    values = _certainty_values(unseen, parts, weights)
    some = [i for i, example in enumerate(unseen) if example.composed.terms]
    return {
        "slots": fit_slots(slot_examples(dialogues), SEED),
        "acts": fit_acts(features, labels, weights),
        "certainty": fit_certainty(
            [values[i] for i in some], [unseen[i].right for i in some], [weights[i] for i in some]
        ),
    }


def _certainty_values(
    examples: Sequence[ReadExample], parts: Sequence[int], weights: Sequence[float]
) -> list[list[float]]:
    """Return the certainty features, with acts from classifiers that had not seen the message."""
    found: list[list[float]] = [[] for _ in examples]
    for fold in range(FOLDS):
        known = [i for i, part in enumerate(parts) if part != fold]
        chosen = [examples[i] for i in known]
        acts = fit_acts(
            [example.features for example in chosen], labels_of(chosen), [weights[i] for i in known]
        )
        classifiers = _models(acts=acts).acts
        for i, example in enumerate(examples):
            if parts[i] == fold:
                found[i] = certainty_features(
                    example.text,
                    example.probabilities,
                    example.composed,
                    classifiers.probabilities(example.features),
                    example.message.text,
                )
    return found


def _models(slots: dict[str, Any] | None = None, acts: dict[str, Any] | None = None) -> ParserModels:
    empty = {name: b64encode(compress(b"")).decode() for name in ("features", "numbers")}
    no_slots = {
        "kinds": [], "size": 0, "around": empty, "fitting": empty, "bias": [], "out": [], "linear": [1.0, 1.0]
    }  # fmt: skip
    no_acts = {"classes": [], "weights": empty, "scale": 1.0, "bias": []}
    return models_from_json({"slots": slots or no_slots, "acts": acts or no_acts, "certainty": _NO_TREES})


def main(args: Sequence[str] | None = None) -> int:
    """Train and write the models; return 0 unless data are missing."""
    parser = argparse.ArgumentParser(description="Trains the models that read typed words.")
    parser.add_argument("--casino", type=Path, help="the folder with casino_train.json and casino_valid.json")
    parser.add_argument("--negochat", type=Path, help="the folder with the Negochat corpus' numbered files")
    given = parser.parse_args(args)
    try:
        dialogues = training_dialogues(given.casino, given.negochat)
    except OSError as error:
        print(f"train_reader: {error}", file=sys.stderr)
        return 1
    MODELS.mkdir(exist_ok=True)
    for name, data in train(dialogues).items():
        text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
        (MODELS / f"{name}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}: {len(text) // 1000} kB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
