"""What the participant's window shows at one moment: plain values, nothing of Tk."""

from __future__ import annotations

from dataclasses import dataclass, replace

from negoplatform.core.events import Expression
from negoplatform.presentation.bargaining.offer_builder_view import AcceptView, BuilderView
from negoplatform.presentation.bargaining.offer_card_view import OfferCardView
from negoplatform.presentation.bargaining.progress_view import ProgressView
from negoplatform.presentation.chat.phrases import PhrasesView
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.offers.batna_comparison import NoDealComparison
from negoplatform.presentation.offers.preference_texts import Priorities


@dataclass(frozen=True, slots=True)
class HeaderView:
    """The bar at the top.

    Args:
        title: The game.
        subtitle: With whom one negotiates, and as whom.
        clock: Time left, as a clock shows it.
        clock_words: What the clock says.
        left: The share of the time that is left, 0 to 1; None without a limit.
        urgent: Whether the last minute runs.
        points: Own points of the offer on the table, or of the result, as a bare figure; empty without.
        points_words: What these are.
        compared: What no deal gives, and how the offer or the result compares with that.
        versus: The same comparison as a value.
        can_walk_away: Whether the game can be ended from here.
    """

    title: str
    subtitle: str
    clock: str
    clock_words: str
    left: float | None
    urgent: bool = False
    points: str = ""
    points_words: str = ""
    compared: str = ""
    versus: NoDealComparison = NoDealComparison.OPEN
    can_walk_away: bool = False


@dataclass(frozen=True, slots=True)
class CounterpartView:
    """Who sits opposite.

    Args:
        name: Their name.
        expression: What their face shows.
        expression_text: The same in words.
        activity: What they are about, in words; empty if nothing is to be seen.
        typing: Whether they are typing.
    """

    name: str
    expression: Expression
    expression_text: str
    activity: str
    typing: bool = False


@dataclass(frozen=True, slots=True)
class RulesView:
    """The rules of the game as its participant reads them: headings and what stands below them."""

    title: str
    subtitle: str
    sections: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class EndView:
    """The end.

    Args:
        heading: How it ended.
        rows: The deal, if there is one: issue, terms, and what they are worth to oneself.
        points: Own points in words; empty if nobody can say.
        compared: How these compare with no deal; empty if there is nothing to compare.
        better: Whether they are more (1), as much (0) or less (-1) than without a deal.
        share: Own points as a share, 0 to 1, of the most one could get; None if nobody can say.
        no_deal_share: What no deal gives as such a share.
        facts: What else one may know: pairs of words.
        left_on_table: Whether another deal would have been better for both; empty if that is not told.
        left_on_table_rows: That deal, as pairs of issue and terms.
        advice: What happens next.
    """

    heading: str
    rows: tuple[tuple[str, str, str], ...]
    points: str
    advice: str
    share: float | None = None
    no_deal_share: float | None = None
    facts: tuple[tuple[str, str], ...] = ()
    compared: str = ""
    better: int = 0
    left_on_table: str = ""
    left_on_table_rows: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class TableView:
    """Everything that the window shows at one moment, but for the lines of its transcript."""

    header: HeaderView
    counterpart: CounterpartView
    priorities: Priorities
    who_sees_priorities: str
    their_priorities: Priorities | None
    progress: ProgressView
    my_expression: Expression
    expression_until: float | None
    can_express: bool
    can_talk: bool
    talk_hint: str
    talk_note: str
    phrases: PhrasesView
    builder: BuilderView
    accept: AcceptView
    card: OfferCardView | None
    end: EndView | None


def paused(view: TableView, translate: Language) -> TableView:
    """The same while the session stands still: everything can be read, and nothing can be done."""
    return replace(
        view,
        header=replace(view.header, clock_words=translate("paused"), urgent=False, can_walk_away=False),
        can_express=False,
        can_talk=False,
        talk_hint="",
        talk_note="",
        phrases=replace(view.phrases, can_talk=False),
        builder=replace(
            view.builder, can_send=False, can_clear=False, can_edit=False, can_undo=False, can_redo=False
        ),
        accept=replace(view.accept, offer_id=None),
        card=None if view.card is None else replace(view.card, enabled=False),
    )


def held_while_reading(view: TableView, translate: Language) -> TableView:
    """The same while the session stands still because the participant reads."""
    return replace(view, header=replace(view.header, clock_words=translate("clock stopped"), urgent=False))


def with_author_feedback(view: TableView, failure: str, translate: Language) -> TableView:
    """The same for whoever writes the agent: the end says what it did wrong last, and what comes next."""
    if view.end is None:
        return view
    then = translate("Play again starts the next game with whatever is saved by then.")
    return replace(view, end=replace(view.end, advice=f"{failure}\n{then}" if failure else then))


def stopped(view: TableView, trouble: str, translate: Language) -> TableView:
    """The same once the session had to stop: why, and nothing can be done any more."""
    return replace(
        view,
        header=replace(
            view.header, clock_words=translate("negotiation stopped"), urgent=False, can_walk_away=False
        ),
        can_talk=False,
        talk_hint="",
        talk_note="",
        can_express=False,
        phrases=replace(view.phrases, can_talk=False),
        end=EndView(
            heading=translate("The session had to stop"), rows=(), points="", advice=translate(trouble)
        ),
    )
