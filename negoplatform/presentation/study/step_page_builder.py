"""The page of the open step of a visit, computed from its state without Tk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.step_games import (
    game_in_window,
    guessed_step,
    partner_id,
    right_answers,
    step_agent,
    step_game,
    step_seat,
)
from negoplatform.core.visibility import observer_of, visible_game
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable, join_names, localized_text
from negoplatform.presentation.study.form_items import FormItem, form_item, quiz_item
from negoplatform.presentation.study.payment_rows import money_text, payment_rows, result_rows
from negoplatform.presentation.study.step_page import ChoiceOptionView, StepPage
from negoplatform.presentation.table.rules_text import rules_view
from negoplatform.presentation.time_and_points_text import format_number
from negoplatform.presentation.work_presenters import WORK_PRESENTERS
from negoplatform.study.condition import references
from negoplatform.study.instrument import ItemModel
from negoplatform.study.local_text import text_in
from negoplatform.study.stages import (
    BriefingStage,
    CallStage,
    ChoiceStage,
    ConsentStage,
    EndStage,
    FormStage,
    ForSeconds,
    GameAnswer,
    PageStage,
    PaymentStage,
    QuestionModel,
    QuizStage,
    RoundsStage,
    WaitStage,
)
from negoplatform.study.study_text import Span, TextBlock, fill_blocks
from negoplatform.study.visit_state import VisitState
from negoplatform.study.visit_steps import VisitStep

TIMED = ("consent", "page", "quiz", "form", "choice", "briefing", "result")
"""Kinds of screens to which the study's time limit for pages applies."""


def step_page(
    state: VisitState,
    folder: StudyFolder,
    *,
    page_items: Sequence[Sequence[ItemModel]] = (),
    draft: Mapping[str, Any] | None = None,
    elapsed_seconds: float = 0.0,
    translate: Language,
) -> StepPage:
    """Return the page that the participant sees now; not for a step in which a game is played.

    Args:
        state: The state of the visit; also one that is over.
        folder: The study.
        page_items: The pages of the open form.
        draft: Unsent entries of this page.
        elapsed_seconds: Seconds for which the step has been open.
        translate: The participant's language.

    Raises:
        NegoError: If a text or a game cannot be used.
    """
    return _PageBuilder(state, folder, translate).build(page_items, draft or {}, elapsed_seconds)


def round_text(step: VisitStep, translate: Language) -> str:
    """Return the announcement of a round; empty if there is none."""
    if isinstance(step.stage, RoundsStage) and step.stage.announce_rounds and step.of > 1:
        return translate("Round {n} of {of}", n=step.round, of=step.of)
    return ""


def game_note(step: VisitStep, translate: Language) -> str:
    """Return the note at the table of a game: the title of its stage, and the round; empty: none."""
    title = step.stage.title
    parts = ("" if title is None else text_in(title, translate.code), round_text(step, translate))
    return displayable(" · ".join(part for part in parts if part))


class _PageBuilder:
    """Builder of the page of a state of a visit."""

    def __init__(self, state: VisitState, folder: StudyFolder, translate: Language) -> None:
        self._state, self._folder, self._translate = state, folder, translate
        self._step = state.step
        if self._step is None and state.position >= 0:
            self._step = state.steps[state.position]
        self.values = self._placeholder_values()

    def build(
        self, page_items: Sequence[Sequence[ItemModel]], draft: Mapping[str, Any], elapsed: float
    ) -> StepPage:
        """Return the page."""
        state, step, translate = self._state, self._step, self._translate
        if step is None:
            return StepPage("over", "", is_test=state.header.is_test, language=self._translate.code)
        page = StepPage(
            kind=step.kind,
            step=step.id,
            page=state.page,
            title=self._local(step.stage.title),
            progress=self._progress(step),
            is_test=state.header.is_test,
            language=self._translate.code,
            at_least_seconds=step.stage.at_least_seconds or 0,
            timeout_seconds=self._timeout(step),
            shows_time=(step.stage.timeout_does or state.model.pace.timeout_does) != "flag",
            elapsed_seconds=elapsed,
            answers={**state.answers_of(step.id), **draft},
            has_help=state.model.help_button,
            help_is_open=state.help_text is not None,
            can_go_back=state.page > 0,
        )
        if state.ended is not None:
            return self._over(page, step)
        if step.is_result:
            title = translate("Round {n} of {of}", n=step.round, of=step.of)
            return replace(page, title=title, rows=result_rows(state, step, self._translate))
        return self._with_contents(page, step, page_items)

    def _with_contents(
        self, page: StepPage, step: VisitStep, page_items: Sequence[Sequence[ItemModel]]
    ) -> StepPage:
        translate, stage = self._translate, step.stage
        match stage:
            case ConsentStage():
                page = self._with_text(page, stage.text)
                return replace(
                    page,
                    title=page.title or translate("Consent"),
                    declined_blocks=() if stage.declined is None else self._text(stage.declined),
                    ticks=tuple(stage.tick),
                    wants_signature=stage.signature == "typed_code",
                )
            case PageStage():
                page = self._with_text(page, stage.pages[page.page])
                return replace(page, pages=len(stage.pages), must_scroll=stage.must_scroll)
            case QuizStage():
                return self._quiz(page, stage)
            case FormStage():
                return self._form(page, stage, page_items)
            case WaitStage():
                page = self._with_text(page, stage.text)
                seconds = stage.for_.seconds if isinstance(stage.for_, ForSeconds) else None
                return replace(page, title=page.title or translate("Please wait"), wait_seconds=seconds)
            case CallStage():
                page = self._with_text(page, stage.text)
                target = "page" if stage.url is not None else "program"
                return replace(page, target=target, returns=stage.returns)
            case PaymentStage():
                return self._payment(page, table=stage.show == "table")
            case EndStage():
                return self._end(page, stage)
            case BriefingStage():
                return self._briefing(page, stage)
            case ChoiceStage():
                options = tuple(
                    ChoiceOptionView(one.id, self._local(one.label), self._local(one.text))
                    for one in stage.options
                )
                ask = TextBlock("paragraph", (Span(self._local(stage.ask)),))
                title = page.title or translate("Your choice")
                return replace(page, title=title, blocks=(ask,), options=options)
            case _:
                raise NegoError(f"The step {step.id!r} has no page of its own.")

    def _local(self, text: str | Mapping[str, str] | None) -> str:
        return "" if text is None else displayable(text_in(text, self._translate.code))

    def _raw_text(self, name: str) -> tuple[TextBlock, ...]:
        return tuple(self._folder.text(name, self._translate.code))

    def _text(self, name: str) -> tuple[TextBlock, ...]:
        return fill_blocks(self._raw_text(name), self.values)

    def _with_text(self, page: StepPage, name: str | None) -> StepPage:
        """Return a page with a text; its first heading becomes the title where the stage has none."""
        blocks = () if name is None else self._text(name)
        if blocks and blocks[0].kind == "heading" and page.title in ("", blocks[0].plain):
            return replace(page, title=displayable(blocks[0].plain), blocks=blocks[1:])
        return replace(page, blocks=blocks)

    def _progress(self, step: VisitStep) -> tuple[int, int]:
        if self._state.assigned is None:
            return 0, 0
        ids = [one.id for one in self._state.steps]
        return ids.index(step.id) + 1, len(ids)

    def _timeout(self, step: VisitStep) -> int | None:
        usual = self._state.model.pace.page_timeout_seconds if step.kind in TIMED else None
        return step.stage.timeout_seconds or usual

    def _form(self, page: StepPage, stage: FormStage, page_items: Sequence[Sequence[ItemModel]]) -> StepPage:
        state, translate = self._state, self._translate
        blocks: tuple[TextBlock, ...] = ()
        title = page.title
        if stage.instrument is not None:
            instrument = state.instruments[stage.instrument]
            title = title or self._local(instrument.title)
            if instrument.instructions is not None and page.page == 0:
                words = Span(self._local(instrument.instructions))
                blocks = fill_blocks([TextBlock("paragraph", (words,))], self.values)
        models = page_items[page.page] if page.page < len(page_items) else ()
        known = {
            name: state.value_of(name) for model in models for name, _wanted in references(model.when or {})
        }
        return replace(
            page,
            title=title or translate("Some questions"),
            pages=max(1, len(page_items)),
            blocks=blocks,
            items=tuple(self._item(model) for model in models),
            known=known,
        )

    def _item(self, model: ItemModel) -> FormItem:
        values, issues = self.values, tuple[str, ...]()
        if model.points_guess is not None:
            step = guessed_step(self._state, model.points_guess)
            values = {**values, "partner": self._partner_name(step)}
            issues = self._issue_titles(step)
        return form_item(model, values=values, translate=self._translate, issues=issues)

    def _issue_titles(self, step: VisitStep) -> tuple[str, ...]:
        game = step_game(self._state, self._folder, step)
        own = self._translate.for_game(game.name)
        return tuple(localized_text(issue.title, own) for issue in game.issues)

    def _quiz(self, page: StepPage, stage: QuizStage) -> StepPage:
        state, translate = self._state, self._translate
        wrong = state.wrong.get(page.step, ())
        right = right_answers(state, self._folder, stage) if wrong else {}
        items, faults = [], {}
        for question in stage.questions:
            game, seat = self._game_of(question)
            items.append(quiz_item(question, values=self.values, game=game, seat=seat, translate=translate))
            if question.id in wrong and stage.show_wrong:
                why = "" if question.why is None else self._local(question.why)
                faults[question.id] = why or _why_wrong(question, right[question.id], items[-1], translate)
        attempts = state.attempts.get(page.step, 0)
        left = stage.tries - attempts
        return replace(
            page,
            title=page.title or translate("Have you understood the rules?"),
            items=tuple(items),
            faults=faults,
            tried=state.answers_of(page.step) if attempts else {},
            attempts_left=max(0, left),
        )

    def _game_of(self, question: QuestionModel) -> tuple[GameSpec | None, str]:
        if not isinstance(question.correct, GameAnswer):
            return None, ""
        wanted = question.correct.from_game
        for step in self._state.steps:
            if step.game is None:
                continue
            game = self._game_or_none(step)
            if game is not None and game.name == wanted:
                return game, step_seat(step, game)
        raise NegoError(f"The game {wanted!r} is not played in this visit.")

    def _game_or_none(self, step: VisitStep) -> GameSpec | None:
        try:
            return step_game(self._state, self._folder, step)
        except NegoError:
            return None  # such as a game that the participant has not chosen yet

    def _payment(self, page: StepPage, *, table: bool) -> StepPage:
        rows = payment_rows(self._state, self._translate) if table else ()
        translate = self._translate
        title = page.title or translate("Your payment")
        return replace(page, title=title, rows=rows, amount=self._amount)

    @property
    def _amount(self) -> str:
        """The amount that was paid; before that, the one that would be paid now; empty: nothing is paid."""
        payment = self._state.payment
        return "" if payment is None else money_text(payment.amount, payment.currency, self._translate)

    def _end(self, page: StepPage, stage: EndStage) -> StepPage:
        page = self._with_text(page, stage.text)
        says_code = any("{withdrawal_code}" in block.plain for block in self._raw_text(stage.text))
        code = self._state.withdrawal_code if stage.withdrawal_code and not says_code else ""
        amount = self._amount if self._state.paid is not None else ""
        translate = self._translate
        title = page.title or translate("Thank you")
        return replace(page, title=title, amount=amount, withdrawal_code=code)

    def _over(self, page: StepPage, step: VisitStep) -> StepPage:
        """Return the page after the visit: that of its end, without a button."""
        plain = replace(page, timeout_seconds=None, at_least_seconds=0, answers={}, can_go_back=False)
        if isinstance(step.stage, EndStage):
            return replace(self._end(plain, step.stage), kind="over", help_is_open=False)
        amount = self._amount if self._state.paid is not None else ""
        translate = self._translate
        title = translate("Thank you")
        return replace(plain, kind="over", title=title, amount=amount, help_is_open=False)

    def _briefing(self, page: StepPage, stage: BriefingStage) -> StepPage:
        step = next(one for one in self._state.steps if one.stage.id == stage.of and one.game is not None)
        game = step_game(self._state, self._folder, step)
        seat, partner = step_seat(step, game), step_agent(self._state, self._folder, step)
        game = game_in_window(game, seat, partner, self._state.header.language)
        shown = visible_game(game, observer_of(game, seat))
        names = {other: self._partner_name(step) for other in game.seats if other != seat}
        translate = self._translate.for_game(game.name)
        work = WORK_PRESENTERS[game.mechanism]()(seat, names, translate)
        rules = rules_view(shown, seat, names, translate, work.rules(shown))
        return replace(page, title=page.title or rules.title, rules=rules)

    def _partner_name(self, step: VisitStep | None) -> str:
        if step is not None and self._state.assigned is not None:
            try:
                name = self._state.model.partners[partner_id(self._state, step)].name
            except NegoError:
                name = None  # not chosen yet
            if name is not None:
                return displayable(name)
        translate = self._translate
        return translate("the other side")

    def _partner_step(self) -> VisitStep | None:
        """Return the game whose partner texts are about: that of the round, the last one, or the next one."""
        games = [(i, one) for i, one in enumerate(self._state.steps) if one.game is not None]
        if self._step is None or not games:
            return None
        at = self._state.steps.index(self._step)
        before = [one for i, one in games if i <= at and one.id in self._state.sessions]
        after = [one for i, one in games if i > at]
        if self._step.round > 0 or self._step.kind in ("form", "payment", "end"):
            return before[-1] if before else after[0] if after else None
        return after[0] if after else before[-1] if before else None

    def _service_hosts(self) -> list[str]:
        """Return the hosts to which partners of any cell send what is written."""
        endpoints = [
            str(partner.settings["endpoint"])
            for model in self._state.study.models.values()
            for partner in model.partners.values()
            if partner.settings.get("endpoint")
        ]
        return list(dict.fromkeys(urlsplit(endpoint).netloc or endpoint for endpoint in endpoints))

    def _placeholder_values(self) -> dict[str, str]:
        state, translate = self._state, self._translate
        model = state.model
        values = {
            "code": state.header.code,
            "partner": self._partner_name(self._partner_step()),
            "station": state.header.station,
            "title": self._local(model.title),
            "withdrawal_code": state.withdrawal_code,
        }
        if model.contact is not None:
            values["contact"] = self._local(model.contact)
        if model.lab is not None:
            values["lab"] = self._local(model.lab.name)
        if self._step is not None and self._step.of:
            values["rounds"] = str(self._step.of)
        else:
            values["rounds"] = str(max((one.of for one in state.steps), default=0))
        if hosts := self._service_hosts():
            values["service"] = join_names(hosts, translate)
        rules = model.payment
        if rules is None:
            return values
        values["currency"] = rules.currency
        values["amount"] = self._amount
        values["show_up"] = money_text(rules.show_up, rules.currency, translate)
        for name, amount in (("least", rules.least), ("most", rules.most)):
            if amount is not None:
                values[name] = money_text(amount, rules.currency, translate)
        if rules.points is not None:
            values["rate"] = money_text(rules.points.rate, rules.currency, translate)
        return values


def _why_wrong(question: QuestionModel, right: Any, item: FormItem, translate: Language) -> str:
    """Return the explanation of a wrong answer where the study has none; empty if there is nothing to say."""
    computed = question.correct
    if not isinstance(computed, GameAnswer):
        return translate("This answer isn’t right.")
    number = "" if computed.is_ == "best_issue" else format_number(right, translate)
    match computed.is_:
        case "no_deal":
            return translate("Without a deal you get {n}.", n=number)
        case "worth_of_offer":
            return translate("This offer is worth {n} to you.", n=number)
        case "most_possible":
            return translate("The best possible deal is worth {n} to you.", n=number)
        case "best_issue":
            return translate("“{issue}” can bring you the most points.", issue=item.options[int(right) - 1])
