"""What was understood of typed words, for whoever may see all of a log. No Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.game import GameSpec
from negoplatform.formats.interpretations import InterpretationModel, RecordedInterpretation
from negoplatform.language import Ambiguity, Interpretation
from negoplatform.presentation.i18n import Language, gettext_noop
from negoplatform.presentation.replay.event_descriptions import VERDICT_WORDS, offer_line
from negoplatform.presentation.replay.participants import Participants

DOUBT_WORDS: Mapping[Ambiguity, str] = {
    Ambiguity.WHO: gettext_noop("Who gets it"),
    Ambiguity.HOW_MANY: gettext_noop("How many"),
    Ambiguity.WHICH_ISSUE: gettext_noop("Which issue"),
    Ambiguity.WHICH_VALUE: gettext_noop("Which value"),
    Ambiguity.EITHER: gettext_noop("Which of several offers"),
    Ambiguity.IMPOSSIBLE: gettext_noop("Not possible"),
}


def interpretation_pairs(
    note: InterpretationModel, game: GameSpec, participants: Participants, translate: Language
) -> list[tuple[str, str]]:
    """A reading, as names with values."""
    reading = note.value()
    pairs = [(translate("Understood as"), reading.subtype.value)]
    if len(reading.acts) > 1:
        acts = ", ".join(f"{act.subtype.value} {act.sure:g}" for act in reading.acts)
        pairs.append((translate("Speech acts"), acts))
    pairs += [
        (translate("Offer in the words"), offer_line(offer, game, participants, translate) or "–")
        for offer in reading.offers
    ]
    if (shown := note.shown_offers()) != reading.offers:
        pairs += [
            (translate("Shown as offer"), offer_line(offer, game, participants, translate) or "–")
            for offer in shown
        ]
    if reading.offers:
        pairs.append((translate("Certainty"), f"{reading.sure:.0%}"))
    if reading.doubt is not None:
        pairs.append((translate("In doubt"), translate(DOUBT_WORDS[reading.doubt])))
    if also := _extra_notes(reading, translate):
        pairs.append((translate("Also"), also))
    return pairs


def answer_pairs(read: RecordedInterpretation, translate: Language) -> list[tuple[str, str]]:
    """What the speaker answered to a reading, as names with values; nothing if they were not asked."""
    if not read.interpretation.shown:
        return []
    verdict = (
        translate("Not answered") if read.answer is None else translate(VERDICT_WORDS[read.answer.verdict])
    )
    return [(translate("Speaker’s answer"), verdict)]


def _extra_notes(reading: Interpretation, translate: Language) -> str:
    """What else was noticed, in a few words."""
    noticed = [
        words
        for words, there in (
            (translate("agrees"), reading.accepts),
            (translate("on a condition"), reading.conditional),
            (translate("as a wish"), reading.soft),
        )
        if there
    ]
    return ", ".join(noticed)
