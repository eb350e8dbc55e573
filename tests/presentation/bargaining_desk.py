"""A participant's window of a bargaining game, without a window: the table and what bargaining adds to it."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.core.state import State
from negoplatform.core.visibility import View
from negoplatform.domain.game import GameSpec, Rules
from negoplatform.domain.seat_map import Seat
from negoplatform.presentation.bargaining.bargaining_help import bargaining_help
from negoplatform.presentation.bargaining.bargaining_presenter import BargainingPresenter, BargainingView
from negoplatform.presentation.bargaining.bargaining_result import bargaining_result
from negoplatform.presentation.bargaining.bargaining_rules import bargaining_rules
from negoplatform.presentation.bargaining.draft_offer import Draft
from negoplatform.presentation.chat.address_view import EVERYONE, Address
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.plots.seat_styles import SeatMark
from negoplatform.presentation.table.help_text import help_view
from negoplatform.presentation.table.result_view import end_view
from negoplatform.presentation.table.rules_text import rules_view
from negoplatform.presentation.table.table_presenter import TablePresenter
from negoplatform.presentation.table.table_view import ResultView, RulesView, TableView
from negoplatform.presentation.table.work_presenter import USUAL_RULES


class BargainingDesk(TablePresenter):
    """Presenter of a participant's table with bargaining."""

    def __init__(
        self,
        seat: Seat,
        names: Mapping[Seat, str],
        translate: Language,
        *,
        people: tuple[Seat, ...] = (),
        marks: Mapping[Seat, SeatMark] | None = None,
    ) -> None:
        super().__init__(seat, names, translate, BargainingPresenter, people=people, marks=marks)

    @property
    def bargaining(self) -> BargainingPresenter:
        """The presenter of bargaining."""
        assert isinstance(self.work, BargainingPresenter)
        return self.work

    def table(
        self,
        view: View,
        now: float,
        draft: Draft,
        *,
        finished: bool = False,
        left_on_table: ParetoImprovement | None = None,
        can_undo: bool = False,
        counter_base_id: int | None = None,
        address: Address = EVERYONE,
    ) -> TableView[BargainingView]:
        """Return the whole view, as the window's workbench and screen compute it."""
        work = self.bargaining.view(
            view.state, now, draft, can_undo=can_undo, counter_base_id=counter_base_id
        )
        return self.view(view, now, work, finished=finished, left_on_table=left_on_table, address=address)


def rules_page(game: GameSpec, seat: Seat, names: Mapping[Seat, str], translate: Language) -> RulesView:
    """Return the page of rules of a bargaining game."""
    return rules_view(game, seat, names, translate, bargaining_rules(game, seat, names, translate))


def help_page(translate: Language, *, several: bool = False, rules: Rules = USUAL_RULES) -> RulesView:
    """Return the help page of bargaining games."""
    return help_view(translate, bargaining_help(translate, several=several, rules=rules), several=several)


def end_page(
    state: State,
    seat: Seat,
    names: Mapping[Seat, str],
    translate: Language,
    *,
    finished: bool,
    can_talk: bool,
    left_on_table: ParetoImprovement | None = None,
) -> ResultView | None:
    """Return the result of a bargaining game; None while it is running."""
    if state.ending is None:
        return None
    work = bargaining_result(state, seat, names, translate, left_on_table)
    return end_view(state, seat, names, translate, work=work, finished=finished, can_talk=can_talk)
