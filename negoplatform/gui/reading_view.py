"""What typed words seem to be meant as, before they count: what the participant is shown, without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from negoplatform.core.events import EventType, MessageSubtype
from negoplatform.core.mechanisms.bargaining import OnTable, bargaining, board_of, why_not_accept
from negoplatform.core.state import Phase, State
from negoplatform.domain.board import Standing
from negoplatform.domain.game import GameSpec
from negoplatform.domain.offer import EMPTY_OFFER, Allocation, Offer
from negoplatform.domain.seat import Seat
from negoplatform.gui.builder_view import accept_view, builder_view
from negoplatform.gui.draft import Draft
from negoplatform.gui.language import Language
from negoplatform.gui.lines import BETWEEN
from negoplatform.gui.questions import worse_text
from negoplatform.gui.texts import drawable, listed, points_text, term_text
from negoplatform.language.reading import Reading

LIKELY = 0.75
"""From here on an offer that is not sure is asked about."""

MOST_CHOICES = 3
"""Of so many meanings one is chosen; words that can be taken in more ways are better said and asked about."""

RIGHT_TO_LEFT_MARK = "\u200f"


class Meaning(StrEnum):
    """What words seem to be meant as."""

    PROPOSAL = "proposal"
    """An offer."""
    CHOICE = "choice"
    """One of several offers."""
    ACCEPTANCE = "acceptance"
    """The formal acceptance of the offer on the table."""
    AGREEMENT = "agreement"
    """A yes to a partial offer, which nobody can formally accept: an offer of the same terms, or of more."""
    WISH = "wish"
    """A wish, which is talk and is said at once; the offer that it would be is held out afterwards."""
    GUESS = "guess"
    """Perhaps an offer; said at once likewise, for it may be mere talk."""


@dataclass(frozen=True, slots=True)
class Held:
    """What words seem to be meant as, until their speaker says whether they are.

    Args:
        reading: What was understood of them.
        meaning: What they seem to be meant as.
        offers: The offers that they may mean, or the one that they accept.
        offer_id: The offer on the table that they are about; None if they are about none.
        agreed: What both have agreed on and that goes along with what was said.
        deed: The seq of what their speaker offered or accepted last before them; 0 before the first.
    """

    reading: Reading
    meaning: Meaning
    offers: tuple[Offer, ...]
    offer_id: int | None = None
    agreed: Offer = EMPTY_OFFER
    deed: int = 0

    @property
    def said(self) -> bool:
        """Whether the words themselves wait for nothing."""
        return self.meaning in (Meaning.WISH, Meaning.GUESS)


@dataclass(frozen=True, slots=True)
class StripView:
    """The strip above the line for writing.

    Args:
        heading: What was understood.
        detail: What it would be worth, or what follows from it.
        yes: The words on the button that Enter presses; empty if Enter does nothing.
        choices: What may be meant, each with its worth; one is chosen by its number.
        can_edit: Whether the terms can be put into the builder.
        can_only_say: Whether there is anything that the words could be said without.
        binds: Whether a yes accepts formally.
        worse: Whether it would give less than no deal.
        said: Whether the words are said already; then the line is empty, and a yes is one only while it is.
    """

    heading: str
    detail: str = ""
    yes: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    can_edit: bool = False
    can_only_say: bool = True
    binds: bool = False
    worse: bool = False
    said: bool = False


def held_by(reading: Reading, state: State, seat: Seat) -> Held | None:
    """What words seem to be meant as; None if they are nothing but talk. Some have to wait (`Held.said`).

    Args:
        reading: What was understood of them.
        state: The session as their speaker sees it.
        seat: Their speaker.
    """
    if state.phase is not Phase.NEGOTIATING:
        return None
    accepted = _accepted(reading, state, seat)
    if accepted is not None:
        return accepted
    agreed, on_table = _agreed(state, seat), _to_accept(state, seat) if reading.adapts else None
    # "I accept if I also get 1 food" leaves the rest of the other's offer as it is.
    base = agreed if on_table is None else agreed.with_terms_of(on_table.offer)
    offers = tuple(base.with_terms_of(offer) for offer in reading.offers)
    offer_id = None if on_table is None else on_table.offer_id
    held = Held(reading, Meaning.PROPOSAL, offers, offer_id, agreed, last_deed(state, seat))
    match len(offers):
        case 0:
            return None
        case 1 if reading.soft:
            return None if reading.offer is None else _held_out(held, Meaning.WISH, state, seat)
        case 1 if reading.offer is None:
            likely = reading.sure >= LIKELY and not reading.has(MessageSubtype.OFFER_REJECT)
            return _held_out(held, Meaning.GUESS, state, seat) if likely else None
        case 1:
            return held
        case n if n <= MOST_CHOICES and not reading.soft:
            return replace(held, meaning=Meaning.CHOICE)
        case _:
            return None


def still_stands(held: Held, state: State, seat: Seat) -> bool:
    """Whether what words seem to be meant as can still be done, and what was said is still to be offered."""
    if state.phase is not Phase.NEGOTIATING:
        return False
    if held.said and (held.deed != last_deed(state, seat) or _known(held.offers[0], state, seat)):
        return False
    if not _within((held.agreed,), _agreed(state, seat)):
        return False
    if held.offer_id is None:
        return True
    on_table = _to_accept(state, seat)
    return on_table is not None and on_table.offer_id == held.offer_id


def last_deed(state: State, seat: Seat) -> int:
    """The seq of what a seat offered or accepted last; 0 before the first."""
    deeds = (EventType.SEND_OFFER, EventType.FORMAL_ACCEPT)
    return next((e.seq for e in state.transcript.newest() if e.sender == seat and e.type in deeds), 0)


def strip_view(
    held: Held, state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language
) -> StripView:
    """What is shown of what words seem to be meant as.

    Args:
        held: The words.
        state: The session as their speaker sees it.
        seat: Their speaker.
        names: The other seats' names, as they are shown.
        now: Session time (s).
        say: The window's language.
    """

    def words(offer: Offer) -> str:
        return offer_words(offer, state.game, seat, names, say)

    def worth(offer: Offer) -> tuple[str, ...]:
        draft = Draft(state.game).started_from(offer)
        view = builder_view(state, seat, names, now, draft, say)
        return say("{points} for you", points=view.worth), view.note

    offer = held.offers[0]
    match held.meaning:
        case Meaning.ACCEPTANCE:
            return _acceptance(words(offer), state, seat, names, now, say)
        case Meaning.CHOICE:
            return StripView(
                heading=say("Do you mean one of these offers?"),
                detail=BETWEEN.join(
                    (say("Press Alt and its number to send it with your words."), *_gone_along(held, say))
                ),
                choices=tuple((words(each), worth(each)[0]) for each in held.offers),
            )
    return StripView(
        _heading(held, words(offer), state, say),
        BETWEEN.join((*worth(offer), *_gone_along(held, say))),
        say("Send as offer"),
        can_edit=True,
        can_only_say=not held.said,
        said=held.said,
    )


def _heading(held: Held, offer: str, state: State, say: Language) -> str:
    on_table = bargaining(state).on_table
    theirs = on_table is not None and on_table.offer == held.offers[0]
    match held.meaning:
        case Meaning.AGREEMENT if not theirs:
            return say("You agree and propose: {offer}. Send as offer?", offer=offer)
        case Meaning.WISH:
            return say("You wish for: {offer}. Send as offer?", offer=offer)
        case Meaning.GUESS:
            return say("Perhaps you mean: {offer}. Send as offer?", offer=offer)
        case Meaning.PROPOSAL if not held.reading.echoes:
            return say("You propose: {offer}. Send as offer?", offer=offer)
        case _:
            return say("You agree to: {offer}. Send as offer?", offer=offer)


def _gone_along(held: Held, say: Language) -> tuple[str, ...]:
    """What is told of the terms that were not said: none, or where they come from."""
    if held.meaning is Meaning.AGREEMENT or set(held.offers) <= set(held.reading.offers):
        return ()
    if held.offer_id is not None:
        return (say("with the rest of the offer on the table"),)
    return (say("with what you both agreed on"),)


def gone_view(say: Language) -> StripView:
    """What is shown when the offer that words were about is gone."""
    return StripView(
        heading=say("That offer is no longer on the table."),
        detail=say("Nothing was sent. Your words are still in the line."),
        can_only_say=False,
    )


def offer_words(offer: Offer, game: GameSpec, seat: Seat, names: Mapping[Seat, str], say: Language) -> str:
    """An offer within a sentence: ``2 Food and 1 Water for you, 1 Food for Sam, Salary: 90,000``."""
    # Words of a game from left to right would take the comma and the figure behind them into their order.
    end = RIGHT_TO_LEFT_MARK if say.rtl else ""
    units: dict[Seat | None, list[str]] = {}
    values = []
    for issue in game.issues:
        term, title = offer.get(issue.name), drawable(issue.title)
        if isinstance(term, Allocation):
            shares: Sequence[tuple[Seat | None, int]] = [(who, term.of(who)) for who in game.seats]
            for who, n in (*shares, (None, term.undecided)):
                if n:
                    units.setdefault(who, []).append(f"{n} {title}{end}")
        elif term is not None:
            values.append(f"{title}: {drawable(term_text(issue, term, say))}{end}")
    parts = []
    if seat in units:
        parts.append(say("{things} for you", things=listed(units[seat], say)))
    parts += [
        say("{things} for {name}", things=listed(units[other], say), name=names[other])
        for other in game.others(seat)
        if other in units
    ]
    if None in units:
        parts.append(say("{things} undecided", things=listed(units[None], say)))
    return ", ".join([*parts, *values])


def _acceptance(
    terms: str, state: State, seat: Seat, names: Mapping[Seat, str], now: float, say: Language
) -> StripView:
    accept, on_table = accept_view(state, seat, names, now, say), bargaining(state).on_table
    assert on_table is not None, "what is accepted stands on the table"
    if accept.closes:
        heading, yes = say("You confirm the deal: {offer}.", offer=terms), say("Confirm")
    else:
        maker = names[on_table.sender]
        heading, yes = say("You accept {name}’s offer: {offer}.", name=maker, offer=terms), say("Accept")
    worse, points = accept.worse_than_no_deal, points_text(accept.points, say)
    gives = worse_text(accept, say) if worse else say("You would get {points}.", points=points)
    return StripView(heading, f"{gives} {accept.hint}", yes, binds=True, worse=worse)


def _accepted(reading: Reading, state: State, seat: Seat) -> Held | None:
    """What a yes would accept, or add to; None without a yes, without an offer, if nothing of it is left."""
    on_table = _to_accept(state, seat)
    if not reading.accepts or on_table is None:
        return None
    if _within(reading.offers, on_table.offer):
        meaning = Meaning.ACCEPTANCE if on_table.may_be_bound else Meaning.AGREEMENT
        return Held(reading, meaning, (on_table.offer,), on_table.offer_id)
    if reading.offer is None or reading.soft:
        return None
    both = on_table.offer.with_terms_of(reading.offer)
    if both == reading.offer:
        return None
    # Whoever agrees to a whole deal with other terms in it does not agree to that deal.
    meaning = Meaning.PROPOSAL if state.game.is_complete(on_table.offer) else Meaning.AGREEMENT
    return Held(reading, meaning, (both,), on_table.offer_id)


def _agreed(state: State, seat: Seat) -> Offer:
    """What all have agreed on, issue by issue."""
    board = board_of(state)
    names = [issue.name for issue in state.game.issues]
    return Offer({name: board.terms(name)[seat] for name in names if board.standing(name) is Standing.AGREED})


def _held_out(held: Held, meaning: Meaning, state: State, seat: Seat) -> Held | None:
    """An offer that words might be which are said already; None if that offer was made before."""
    return None if _known(held.offers[0], state, seat) else replace(held, meaning=meaning)


def _known(offer: Offer, state: State, seat: Seat) -> bool:
    """Whether an offer is the one on the table, or the last one of a seat."""
    on_table = bargaining(state).on_table
    if on_table is not None and on_table.offer == offer:
        return True
    offers = (event for event in state.transcript.newest() if event.type == EventType.SEND_OFFER)
    return next((event.get_offer() == offer for event in offers if event.sender == seat), False)


def _within(offers: Sequence[Offer], whole: Offer) -> bool:
    """Whether all terms of some offers are those of a whole one."""
    return all(whole.get(name) == term for offer in offers for name, term in offer.terms)


def _to_accept(state: State, seat: Seat) -> OnTable | None:
    """The offer on the table that a seat may agree to: another's, or its own that all others accepted."""
    play = bargaining(state)
    on_table = play.on_table
    if on_table is None or seat in play.accepted_by:
        return None
    if on_table.sender == seat:
        return on_table if set(play.accepted_by) == set(state.game.others(seat)) else None
    if on_table.may_be_bound and why_not_accept(state, seat, on_table.offer_id):
        return None
    return on_table
