"""Training examples are parsed as the parser parses them."""

from __future__ import annotations

import json

from benchmarks.talk import Dialogue, Label, Message
from negoplatform.domain.offer import EMPTY_OFFER
from negoplatform.formats.games import load_game
from negoplatform.language.parsing.dialogue_state import DialogueState
from negoplatform.language.parsing.slots.slot_detection import game_vocabulary
from negoplatform.language.parsing.slots.slot_filling import fill_slots
from negoplatform.language.parsing.trained_models import load_models
from negoplatform.plugins.program_and_user_folders import bundled
from scripts.reader_training.examples import read_examples, slot_examples
from tests.language.parsing.talk_digests import DIGESTS, dialogues, digest_of

JOB = load_game(bundled("games") / "job_candidate.json")
TEXTS = ("90k and no car", "no damn car for you", "fine, 10 hours", "hello there")


def dialogue(text: str) -> Dialogue:
    seat = JOB.seats[0]
    labels = {label: label == Label.TALK for label in Label}
    return Dialogue("job/1", JOB, "en", (Message(seat, text, "job/1/1", {}, EMPTY_OFFER, labels),))


def test_training_reads_a_message_as_the_parser_does() -> None:
    models, (speaker, other) = load_models(), JOB.seats
    words = game_vocabulary(JOB, "en")

    for text in TEXTS:
        (example,) = read_examples([dialogue(text)], models.slots)
        parsed = fill_slots(text, words, DialogueState(), speaker, other, models)

        assert tuple(example.text.chosen) == parsed.chosen
        assert tuple(example.probabilities) == parsed.probabilities
        assert example.composed == parsed.composed


def test_a_denied_value_is_no_candidate_in_training_either() -> None:
    (denied,) = slot_examples([dialogue("no damn car")])
    (named,) = slot_examples([dialogue("the car")])

    assert [kind for kind, _ in denied.options] == ["without", "none"]
    assert len(named.options) > 2


def test_the_features_of_the_written_dialogues_are_those_with_which_the_models_were_trained() -> None:
    expected = json.loads(DIGESTS.read_text(encoding="utf-8"))

    found = {each.name: digest_of(each) for each in dialogues()}

    assert found.keys() == expected.keys()
    assert [name for name in found if found[name] != expected[name]] == []
