"""Precision and recall of the topics of typed messages.

``python -m benchmarks.topics`` prints, for each written set, the figures of docs/understanding.md;
``--errors NAME`` also prints the errors of one set. The errors of a held-out set are not to be used for
changes of the rules.

A set is a text file: ``# TOPIC`` begins the sentences of a topic, ``# NONE`` those without one; ``@camp``
before a sentence names the game, the job negotiation otherwise. A sentence may have further topics, in
brackets behind it: they are right, but not required.
"""

from __future__ import annotations

import argparse
import re
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from negoplatform.domain.game import GameSpec
from negoplatform.formats.games import load_game
from negoplatform.language import DialogueContext, Topic, find_topics
from negoplatform.plugins.program_and_user_folders import bundled

DATA = Path(__file__).parent / "data" / "topics"
GAMES = {
    "camp": "campsite.json",
    "job": "job_candidate.json",
    "land": "land_sale/game.json",
    "prac": "practice.json",
    "res": "resource_exchange.json",
}
_LINE = re.compile(r"(?:@(?P<game>\w+) )?(?P<text>.*?)(?: \[(?P<also>[A-Z_ ]+)\])?")


@dataclass(frozen=True, slots=True)
class Sentence:
    """Labelled sentence: its topic, further topics that are right, its game and its text."""

    topic: str
    also: frozenset[str]
    game: str
    text: str


def load_sentences(file: Path) -> list[Sentence]:
    """Return the sentences of a set."""
    found: list[Sentence] = []
    topic = ""
    for line in file.read_text("utf-8").splitlines():
        if line.startswith("# "):
            topic = line[2:]
        elif line and (parts := _LINE.fullmatch(line)) is not None:
            also = frozenset((parts["also"] or "").split())
            found.append(Sentence(topic, also, parts["game"] or "job", parts["text"]))
    return found


def found_topics(sentence: Sentence, games: dict[str, GameSpec], language: str) -> set[str]:
    """Return the topics that are found in a sentence."""
    game = games[sentence.game]
    context = DialogueContext(game, game.seats[0], language=language)
    return {mention.topic.value for mention in find_topics(sentence.text, context)}


def report(file: Path, games: dict[str, GameSpec], *, errors: bool) -> None:
    """Print the precision and the recall of each topic in a set."""
    language = file.stem.rpartition("_")[2]
    sentences = load_sentences(file)
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    there: Counter[str] = Counter(sentence.topic for sentence in sentences)
    for sentence in sentences:
        found = found_topics(sentence, games, language)
        right.update(found & {sentence.topic})
        extra = found - {sentence.topic} - sentence.also
        wrong.update(extra)
        if errors and (extra or sentence.topic not in found | {"NONE"}):
            print(f"    {sentence.topic:14} {sorted(found)!s:36} {sentence.text}")
    print(f"{file.stem}: {len(sentences)} sentences")
    for topic in Topic:
        if there[topic]:
            hits, all_found = right[topic], right[topic] + wrong[topic]
            precision = hits / all_found if all_found else 1.0
            print(
                f"  {topic:16} precision {hits:3}/{all_found:3} = {precision:.2f}   "
                f"recall {hits:3}/{there[topic]:3} = {hits / there[topic]:.2f}"
            )
    total, false, told = sum(right.values()), sum(wrong.values()), len(sentences) - there["NONE"]
    print(
        f"  all              precision {total}/{total + false} = {total / (total + false):.3f}   "
        f"recall {total}/{told} = {total / told:.3f}"
    )


def main() -> None:
    """Print the figures of all sets."""
    parser = argparse.ArgumentParser(description="Precision and recall of the topics of typed messages.")
    parser.add_argument("--errors", default="", help="the name of a set whose errors are printed")
    errors = parser.parse_args().errors
    games = {name: load_game(bundled("games") / path) for name, path in GAMES.items()}
    for file in sorted(DATA.glob("*.txt")):
        report(file, games, errors=file.stem == errors)
    sentences = [sentence for file in sorted(DATA.glob("*_en.txt")) for sentence in load_sentences(file)]
    started = time.perf_counter()
    for sentence in sentences:
        found_topics(sentence, games, "en")
    print(f"{1000 * (time.perf_counter() - started) / len(sentences):.2f} ms per text")


if __name__ == "__main__":
    main()
