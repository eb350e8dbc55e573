"""The strip above the line for writing: what is shown of typed words before they count, without Tk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from negoplatform.core.mechanisms.bargaining import bargaining
from negoplatform.core.state import State
from negoplatform.domain.game import GameSpec
from negoplatform.domain.issue import QuantityIssue
from negoplatform.domain.offer import Offer
from negoplatform.domain.seat import Seat
from negoplatform.language.parsing.interpretation import Doubt, Reading
from negoplatform.presentation.bargaining.confirmation_texts import worse_text
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.bargaining.offer_builder_view import accept_view, builder_view
from negoplatform.presentation.chat.interpretation_chips import Chip, chips_of
from negoplatform.presentation.chat.interpretation_marks import Mark, Span, first_unread, marked, notes_of
from negoplatform.presentation.chat.pending_interpretation import Held, Meaning
from negoplatform.presentation.formatting import drawable, points_text, shown
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.noun_forms import counted, in_sentence
from negoplatform.presentation.offers.offer_sentence import offer_sentence
from negoplatform.presentation.transcript.transcript_entries import BETWEEN


@dataclass(frozen=True, slots=True)
class StripView:
    """The strip above the line for writing.

    Args:
        heading: What was understood, or what is asked.
        detail: What it would be worth, or what follows from it.
        words: The typed words, cut where a mark begins or ends.
        notes: Why it is not plain, in sentences.
        chips: The terms, each to be corrected.
        yes: The words on the button that sends or accepts; empty if there is none.
        offers: What a yes would send or accept.
        choices: What may be meant, each with its worth; one is chosen by its number.
        armed: Whether Enter says yes; if not, Enter says the words alone, and Ctrl+Enter says yes.
        can_edit: Whether the terms can be put into the builder.
        can_only_say: Whether there is anything that the words could be said without.
        binds: Whether a yes accepts formally.
        worse: Whether it would give less than no deal.
        said: Whether the words are said already; then the line is empty, and a yes is one only while it is.
        corrected: Whether a term was corrected, which Back undoes first.
    """

    heading: str
    detail: str = ""
    words: tuple[Span, ...] = ()
    notes: str = ""
    chips: tuple[Chip, ...] = ()
    yes: str = ""
    offers: tuple[Offer, ...] = ()
    choices: tuple[tuple[str, str], ...] = ()
    armed: bool = False
    can_edit: bool = False
    can_only_say: bool = True
    binds: bool = False
    worse: bool = False
    said: bool = False
    corrected: bool = False

    @property
    def is_gone(self) -> bool:
        """Whether it only tells that the offer is gone; then Enter reads the words again."""
        return not (self.said or self.yes or self.choices or self.chips)


def strip_view(
    held: Held, state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language
) -> StripView:
    """Return what is shown of what words seem to be meant as.

    Args:
        held: The words.
        state: The session as their speaker sees it.
        seat: Their speaker.
        names: The other seats' names, as they are shown.
        now: Session time (s).
        say: The window's language.
    """
    match held.meaning:
        case Meaning.ACCEPTANCE:
            return _acceptance(held, state, seat, names, now, say)
        case Meaning.CHOICE:
            return _choice(held, state, seat, names, now, say)
    offer = held.offers[0] if held.offers else None
    worth = () if offer is None else _worth(offer, state, seat, names, now, say)
    return StripView(
        _heading(held, state, say),
        BETWEEN.join((*worth, *_gone_along(held, say))),
        _words(held),
        _notes(held, say),
        chips_of(offer or Offer(), held.missing, state.game, seat, names, say),
        say("Send as offer") if offer is not None else "",
        held.offers,
        armed=held.armed and offer is not None,
        can_edit=offer is not None,
        can_only_say=not held.said,
        said=held.said,
        corrected=held.corrected,
    )


def gone_view(say: Language) -> StripView:
    """Return what is shown when the offer that words were about is gone."""
    return StripView(
        heading=say("That offer is no longer on the table."),
        detail=say("Nothing was sent. Your words are still in the line."),
        can_only_say=False,
    )


def terms_told(held: Held, game: GameSpec, seat: Seat, names: Mapping[Seat, str], say: Language) -> str:
    """Return the first offer in one line, as a sentence has it; empty if there is none."""
    return offer_sentence(held.offers[0], game, seat, names, say) if held.offers else ""


def _heading(held: Held, state: State, say: Language) -> str:
    on_table = bargaining(state).on_table
    theirs = on_table is not None and held.offers == (on_table.offer,)
    if held.reading.doubt is not None and held.said and not held.corrected:
        return _question(held.reading, held.reading.doubt, held.missing, state.game, say)
    match held.meaning:
        case Meaning.QUESTION if not held.offers:
            return say("What do you have in mind?")
        case Meaning.GUESS if not held.corrected:
            return say("Did you mean this as an offer?")
        case Meaning.AGREEMENT if theirs:
            return say("You agree to this. Send it as an offer?")
        case Meaning.AGREEMENT:
            return say("You agree, and propose this. Send it as an offer?")
        case Meaning.PROPOSAL if held.reading.echoes:
            return say("You agree to this. Send it as an offer?")
        case _:
            return say("Send this as an offer?")


def _question(reading: Reading, doubt: Doubt, missing: tuple[str, ...], game: GameSpec, say: Language) -> str:
    """What is missing, asked back in a sentence."""
    issue = game.issue(missing[0]) if len(missing) == 1 else None
    title = "" if issue is None else in_sentence(shown(issue.title, say), say)
    words = first_unread(reading)
    match doubt:
        case Doubt.EITHER:
            return say("Which of these do you mean?")
        case Doubt.IMPOSSIBLE if isinstance(issue, QuantityIssue):
            things = drawable(counted(issue.title, issue.quantity, say))
            return say("There’s a total of {things}. How do you want to share?", things=things)
        case Doubt.IMPOSSIBLE:
            return say("That isn’t possible. What do you have in mind?")
        case Doubt.WHO if words:
            return say("Who gets “{words}”?", words=words)
        case Doubt.WHO:
            return say("Who gets what?")
        case Doubt.HOW_MANY if title:
            return say("How do you want to share the {things}?", things=title)
        case Doubt.HOW_MANY:
            return say("How many for each of you?")
        case Doubt.WHICH_ISSUE if words:
            return say("What does “{words}” stand for?", words=words)
        case Doubt.WHICH_VALUE if title:
            return say("What do you have in mind for the {issue}?", issue=title)
        case _:
            return say("What do you have in mind?")


def _words(held: Held) -> tuple[Span, ...]:
    """The typed words; none if they are in the line and nothing of them has to be looked at."""
    spans = marked(held.reading)
    plain = held.reading.plain or all(span.mark is Mark.NONE for span in spans)
    return () if plain and not held.said else spans


def _notes(held: Held, say: Language) -> str:
    if held.corrected:
        return ""
    # What a question asks for needs not be told besides.
    notes = notes_of(held.reading, say, unread=not (held.said and held.reading.doubt is not None))
    if not notes and not (held.said or held.reading.plain or held.reading.echoes):
        notes = (say("Please check this before you send it."),)
    return " ".join(notes)


def _worth(
    offer: Offer, state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language
) -> tuple[str, ...]:
    draft = Draft(state.game).started_from(offer)
    view = builder_view(state, seat, names, now, draft, say)
    return say("{points} for you", points=view.worth), view.note


def _gone_along(held: Held, say: Language) -> tuple[str, ...]:
    """What is told of the terms that were not said: none, or where they come from."""
    read = held.offers if held.read is None else held.read
    if held.meaning is Meaning.AGREEMENT or set(read) <= set(held.reading.offers):
        return ()
    if held.offer_id is not None:
        return (say("with the rest of the offer on the table"),)
    return (say("with what you both agreed on"),)


def _choice(
    held: Held, state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language
) -> StripView:
    def told(offer: Offer) -> tuple[str, str]:
        words = offer_sentence(offer, state.game, seat, names, say)
        return words, _worth(offer, state, seat, names, now, say)[0]

    return StripView(
        heading=say("Do you mean one of these offers?"),
        detail=BETWEEN.join(
            (say("Click one to send it, or press Alt and its number."), *_gone_along(held, say))
        ),
        words=_words(held),
        notes=_notes(held, say),
        offers=held.offers,
        choices=tuple(told(offer) for offer in held.offers),
        can_only_say=False,
        said=True,
    )


def _acceptance(
    held: Held, state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language
) -> StripView:
    accept, on_table = accept_view(state, seat, names, now, say), bargaining(state).on_table
    assert on_table is not None, "what is accepted stands on the table"
    terms = terms_told(held, state.game, seat, names, say)
    if accept.closes:
        heading, yes = say("You confirm the deal: {offer}.", offer=terms), say("Confirm")
    else:
        maker = names[on_table.sender]
        heading, yes = say("You accept {name}’s offer: {offer}.", name=maker, offer=terms), say("Accept")
    worse, points = accept.worse_than_no_deal, points_text(accept.points, say)
    gives = worse_text(accept, say) if worse else say("You’d get {points}.", points=points)
    return StripView(
        heading,
        f"{gives} {accept.hint}",
        _words(held),
        _notes(held, say),
        yes=yes,
        offers=held.offers,
        armed=held.armed,
        binds=True,
        worse=worse,
    )
