"""Interpretation of typed words, for an observer of the whole log. No Tk."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.domain.game import GameSpec
from negoplatform.formats.interpretations import InterpretationModel, RecordedInterpretation
from negoplatform.language.parsing.interpretation import Ambiguity, Interpretation
from negoplatform.presentation.event_texts import VERDICT_WORDS
from negoplatform.presentation.formatting import offer_line
from negoplatform.presentation.i18n import Language, gettext_noop
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
    """Return an interpretation as names with values."""
    interpretation, names = note.value(), participants.names
    pairs = [(translate("Understood as"), interpretation.subtype.value)]
    if len(interpretation.acts) > 1:
        acts = ", ".join(f"{act.subtype.value} {act.sure:g}" for act in interpretation.acts)
        pairs.append((translate("Speech acts"), acts))
    pairs += [
        (translate("Offer in the words"), offer_line(offer, game, None, names, translate) or "–")
        for offer in interpretation.offers
    ]
    if (shown := note.shown_offers()) != interpretation.offers:
        pairs += [
            (translate("Shown as offer"), offer_line(offer, game, None, names, translate) or "–")
            for offer in shown
        ]
    if interpretation.offers:
        pairs.append((translate("Certainty"), f"{interpretation.sure:.0%}"))
    if interpretation.doubt is not None:
        pairs.append((translate("In doubt"), translate(DOUBT_WORDS[interpretation.doubt])))
    if also := _extra_notes(interpretation, translate):
        pairs.append((translate("Also"), also))
    return pairs


def answer_pairs(recorded: RecordedInterpretation, translate: Language) -> list[tuple[str, str]]:
    """Return the author's answer to an interpretation as names with values; empty without a question."""
    if not recorded.interpretation.shown:
        return []
    verdict = (
        translate("Not answered")
        if recorded.answer is None
        else translate(VERDICT_WORDS[recorded.answer.verdict])
    )
    return [(translate("Speaker’s answer"), verdict)]


def _extra_notes(interpretation: Interpretation, translate: Language) -> str:
    """Return the interpretation's other features in a few words."""
    noticed = [
        words
        for words, there in (
            (translate("agrees"), interpretation.accepts),
            (translate("on a condition"), interpretation.conditional),
            (translate("as a wish"), interpretation.soft),
        )
        if there
    ]
    return ", ".join(noticed)
