"""Steps of the guided practice, without Tk: instructions, and the controls they refer to.

    step     ends when
    -------  ------------------------------------------------------------------
    HELLO    the partner has made an offer, or the participant has
    OFFER    the participant has sent an offer
    WORDS    they have sent another one, and the partner has answered it
    ACCEPT   the game has ended
    DONE     the participant presses Done

If typed messages are not interpreted, there is no WORDS, and OFFER ends with the partner's answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from negoplatform.app.session.practice_session import PracticeTexts
from negoplatform.core.events import EventType
from negoplatform.core.state import State
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.i18n import Language


class PracticeStep(IntEnum):
    """Step of the guided practice."""

    HELLO = 1
    OFFER = 2
    WORDS = 3
    ACCEPT = 4
    DONE = 5


@dataclass(frozen=True, slots=True)
class GuideOptions:
    """Options of a guided practice.

    Args:
        on_leave: Called with the current step when the participant leaves the practice.
        reads_talk: Whether the practice includes a typed offer.
    """

    on_leave: Callable[[PracticeStep], None]
    reads_talk: bool


@dataclass(frozen=True, slots=True)
class GuideView:
    """View of the bar above the table.

    Args:
        step: Current step.
        progress: Number of the step and of all steps, in words.
        text: Instruction.
        button: Label of the button that leaves the practice.
        targets: Names of the controls concerned; the first visible one is framed.
    """

    step: PracticeStep
    progress: str
    text: str
    button: str
    targets: tuple[str, ...]


def practice_step(state: State, seat: Seat, *, reads_talk: bool) -> PracticeStep:
    """Return the participant's current step."""
    if state.ending is not None:
        return PracticeStep.DONE
    mine, theirs, answered = 0, 0, False
    for event in state.transcript_of(seat):
        if event.type not in (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT):
            continue
        answered = event.sender != seat
        if event.type == EventType.SEND_OFFER:
            mine, theirs = mine + (not answered), theirs + answered
    if not mine:
        return PracticeStep.OFFER if theirs else PracticeStep.HELLO
    if reads_talk and (mine < 2 or not answered):
        return PracticeStep.WORDS
    return PracticeStep.ACCEPT if answered else PracticeStep.OFFER


def guide_view(
    state: State, seat: Seat, name: str, translate: Language, *, can_send: bool, guide: GuideOptions
) -> GuideView:
    """Return the view of the bar.

    Args:
        state: State of the session, as visible to the participant.
        seat: Seat of the participant.
        name: Name of the partner.
        translate: Translation into the window's language.
        can_send: Whether the draft can be sent.
        guide: Options of the practice.
    """
    step = practice_step(state, seat, reads_talk=guide.reads_talk)
    steps = [
        each
        for each in PracticeStep
        if each is not PracticeStep.DONE and (guide.reads_talk or each is not PracticeStep.WORDS)
    ]
    progress = translate("Practice")
    if step in steps:
        progress = translate("Practice · {n} of {m}", n=steps.index(step) + 1, m=len(steps))
    text, targets = _step_text(step, name, translate, can_send=can_send)
    button = translate("Continue") if step is PracticeStep.DONE else translate("Skip practice")
    return GuideView(step, progress, text, button, targets)


def _step_text(
    step: PracticeStep, name: str, translate: Language, *, can_send: bool
) -> tuple[str, tuple[str, ...]]:
    match step:
        case PracticeStep.HELLO:
            return translate("This is {name}. Say hello: type a few words and press Enter.", name=name), (
                "entry",
            )
        case PracticeStep.OFFER if can_send:
            return (
                translate("This is your offer, and what it’s worth to you. Press Send offer."),
                ("send_offer", "tab.offer"),
            )
        case PracticeStep.OFFER:
            return (
                translate(
                    "{name} offers you half of everything. Apples are worth more to you: build an offer of "
                    "your own with more of them. Click a column to put an item there.",
                    name=name,
                ),
                ("apples.human.more", "tab.offer"),
            )
        case PracticeStep.WORDS:
            return (
                translate(
                    "You can also type an offer. Try “I get 4 apples and you get 4 bananas”, and press "
                    "Enter. If it’s understood, you can send it as an offer."
                ),
                ("entry", "tab.talk"),
            )
        case PracticeStep.ACCEPT:
            return (
                translate(
                    "{name} agrees. Press the framed button, check the deal, and confirm it.", name=name
                ),
                ("accept", "tab.offer"),
            )
        case PracticeStep.DONE:
            return translate("That’s all there is to it. Now for the real thing."), ("guide.leave",)


def practice_words(translate: Language) -> PracticeTexts:
    """Return the texts of the practice."""
    return PracticeTexts(
        title=translate("A short practice"),
        briefing=translate("You and Sam divide 4 apples and 4 bananas. You like apples better."),
        partner=translate("Sam"),
        greeting=translate("Hi there! Nice to meet you. How about half of everything for each of us?"),
        hint=translate("Good to know! What would you offer?"),
        second_offer_request=translate(
            "We’re nearly there! Can you tell me the whole deal in your own words?"
        ),
        completing_offer=translate("Let’s settle the rest, too. How about this?"),
        agreed=translate("That works for me. Deal!"),
        farewell=translate("That was easy. Good luck!"),
    )
