"""What was understood of typed words, for whoever may see all of a log. No Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.game import GameSpec
from negoplatform.formats.interpretations import Read, ReadingForm
from negoplatform.language.parsing.interpretation import Doubt, Reading
from negoplatform.presentation.i18n import Language, mark
from negoplatform.presentation.replay.event_descriptions import VERDICT_WORDS, offer_line
from negoplatform.presentation.replay.participants import Cast

DOUBT_WORDS: Mapping[Doubt, str] = {
    Doubt.WHO: mark("Who gets it"),
    Doubt.HOW_MANY: mark("How many"),
    Doubt.WHICH_ISSUE: mark("Which issue"),
    Doubt.WHICH_VALUE: mark("Which value"),
    Doubt.EITHER: mark("Which of several offers"),
    Doubt.IMPOSSIBLE: mark("Not possible"),
}


def reading_pairs(note: ReadingForm, game: GameSpec, cast: Cast, say: Language) -> list[tuple[str, str]]:
    """A reading, as names with values."""
    reading = note.value()
    pairs = [(say("Understood as"), reading.subtype.value)]
    if len(reading.acts) > 1:
        acts = ", ".join(f"{act.subtype.value} {act.sure:g}" for act in reading.acts)
        pairs.append((say("Speech acts"), acts))
    pairs += [
        (say("Offer in the words"), offer_line(offer, game, cast, say) or "–") for offer in reading.offers
    ]
    if (shown := note.offers_held_out()) != reading.offers:
        pairs += [(say("Shown as offer"), offer_line(offer, game, cast, say) or "–") for offer in shown]
    if reading.offers:
        pairs.append((say("Certainty"), f"{reading.sure:.0%}"))
    if reading.doubt is not None:
        pairs.append((say("In doubt"), say(DOUBT_WORDS[reading.doubt])))
    if also := _also(reading, say):
        pairs.append((say("Also"), also))
    return pairs


def answer_pairs(read: Read, say: Language) -> list[tuple[str, str]]:
    """What the speaker answered to a reading, as names with values; nothing if they were not asked."""
    if not read.note.shown:
        return []
    verdict = say("Not answered") if read.answer is None else say(VERDICT_WORDS[read.answer.verdict])
    return [(say("Speaker’s answer"), verdict)]


def _also(reading: Reading, say: Language) -> str:
    """What else was noticed, in a few words."""
    noticed = [
        words
        for words, there in (
            (say("agrees"), reading.accepts),
            (say("on a condition"), reading.conditional),
            (say("as a wish"), reading.soft),
        )
        if there
    ]
    return ", ".join(noticed)
