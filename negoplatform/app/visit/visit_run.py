"""Run of a visit: the only writer of its log. Every call checks, writes one or more events, and moves on.

A call that is refused changes nothing, and neither does one whose events cannot be written: all events of a
call are written with one sync. After each call the visit stands at a step, waits for nothing but
the participant (or the experimenter), or is over.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from negoplatform.app.visit.step_games import guessed_step, step_game
from negoplatform.app.visit.visit_progress import VisitProgress, at_once
from negoplatform.core.events import EndedBy, clean_text
from negoplatform.domain.errors import Refused
from negoplatform.study.answers import MISSING, answer_fault, pages_of, shown_items
from negoplatform.study.condition import holds
from negoplatform.study.instrument import ItemModel
from negoplatform.study.stages import (
    CallStage,
    ChoiceStage,
    ConsentStage,
    FormStage,
    PageStage,
    QuizStage,
)
from negoplatform.study.visit_events import (
    Answered,
    CallReturned,
    Chosen,
    Consented,
    Declined,
    Flagged,
    HelpAnswered,
    HelpAsked,
    Interrupted,
    LeftBy,
    MovedByExperimenter,
    PageShown,
    QuizTried,
    Released,
    SessionClosed,
    SessionOpened,
    VisitEnded,
)
from negoplatform.study.visit_steps import form_items

LONGEST_TYPED = 2000
"""Greatest number of characters of a typed word or question that is recorded."""


@dataclass(frozen=True, slots=True)
class GivenAnswer:
    """Answer of a participant.

    Args:
        item: The name of the answer.
        value: The answer; None if the item was skipped.
        ms: Milliseconds from the display of the page to the last change.
        changes: Number of changes after the first answer.
    """

    item: str
    value: Any
    ms: int = 0
    changes: int = 0


class VisitRun(VisitProgress):
    """A visit, with everything that a participant or the experimenter can do in it."""

    @at_once
    def leave(self, how: LeftBy = "done", *, hidden_ms: int = 0) -> None:
        """Leave the open step, and enter the next one.

        Args:
            how: Why it is left.
            hidden_ms: Milliseconds in which the window did not have the focus.

        Raises:
            Refused: If something has to be done in it first.
        """
        step = self.step
        if how == "done":
            stage = step.stage
            waits = step.kind in ("game", "consent", "quiz", "choice", "call", "wait", "form")
            unread = isinstance(stage, PageStage) and self.state.page < len(stage.pages) - 1
            if waits or unread:
                raise Refused("This part is not finished yet.")
        self._leave(how, hidden_ms=hidden_ms)
        self.settle()

    @at_once
    def show_page(self, page: int) -> None:
        """Show another page of the open step."""
        if page != self.state.page:
            self._write(PageShown, step=self.step.id, page=page)

    @at_once
    def consent(self, ticks: Sequence[str], *, signature: str = "") -> None:
        """Record that the participant consents.

        Raises:
            Refused: If a statement is not ticked, or the code was not typed where that is wanted.
        """
        step, stage = self.step, self.step.stage
        if not isinstance(stage, ConsentStage):
            raise Refused("There is nothing to consent to.")
        if set(ticks) != set(stage.tick):
            raise Refused("Please tick every statement, or choose “I do not agree”.")
        if (
            stage.signature == "typed_code"
            and signature.strip().casefold() != self.state.header.code.casefold()
        ):
            raise Refused("Please type your code.")
        digest = self.folder.text_hash(stage.text, self.state.header.language)
        signed = signature.strip() if stage.signature == "typed_code" else ""
        self._write(Consented, step=step.id, text_sha256=digest, ticks=list(ticks), signature=signed)
        self.settle()

    @at_once
    def decline(self) -> None:
        """End the visit of a person who does not consent: nothing is kept but a count.

        Raises:
            NegoError: If the count cannot be written.
        """
        if not isinstance(self.step.stage, ConsentStage):
            raise Refused("There is nothing to consent to.")
        self._write(Declined, step=self.step.id)
        self.settle()

    def form_pages(self) -> list[list[ItemModel]]:
        """Return the items of the open form in pages, in the order that was drawn."""
        step, stage = self.step, self.step.stage
        assert isinstance(stage, FormStage), "only forms have items"
        items = form_items(stage, self.state.instruments)
        order = self.state.draws.items.get(step.id, tuple(range(len(items))))
        return pages_of([items[i] for i in order], stage.per_page)

    @at_once
    def answer_page(self, answers: Sequence[GivenAnswer]) -> None:
        """Record the answers of the current page of a form, and go to the next page or step.

        Raises:
            Refused: If an answer is missing or does not fit; nothing is recorded then.
        """
        pages, page = self.form_pages(), self.state.page
        given = {answer.item: answer for answer in answers}
        values = {name: answer.value for name, answer in given.items()}
        shown = shown_items(pages[page], self.state.value_of, values, self.step.id)
        names = {name: item for item in shown for name in item.fields}
        for name, item in names.items():
            if fault := self._answer_fault(item, values.get(name)):
                raise Refused(fault)
        before = sum(len(item.fields) for one in pages[:page] for item in one)
        for position, name in enumerate(names, start=before + 1):
            self._answer(name, given.get(name) or GivenAnswer(name, None), position)
        self._take_back_hidden(pages[page], names, before + 1)
        if page + 1 < len(pages):
            self.show_page(page + 1)
            return
        self._flag_answers()
        self._leave("done")
        self.settle()

    def _answer(self, name: str, answer: GivenAnswer, position: int) -> None:
        value = clean_text(answer.value) if isinstance(answer.value, str) else answer.value
        was = self.state.answers.get((self.step.id, name))
        known = (self.step.id, name) in self.state.answers
        if known and was == value:
            return
        self._write(
            Answered,
            step=self.step.id,
            item=name,
            value=value,
            was=was,
            ms=min(answer.ms, round(self.seconds_in_step * 1000)),
            position=position,
            changes=answer.changes,
        )

    def _answer_fault(self, item: ItemModel, value: Any) -> str:
        if fault := answer_fault(item, value):
            return fault
        if item.points_guess is None or not value:
            return ""
        game = step_game(self.state, self.folder, guessed_step(self.state, item.points_guess))
        return "" if len(value) == len(game.issues) else MISSING

    def _take_back_hidden(self, page: list[ItemModel], shown: Container[str], position: int) -> None:
        """Take back the answers to items of a page that was answered again and does not show them now."""
        for name in (name for item in page for name in item.fields if name not in shown):
            if self.state.answers.get((self.step.id, name)) is not None:
                self._answer(name, GivenAnswer(name, None), position)

    def _flag_answers(self) -> None:
        stage = self.step.stage
        if isinstance(stage, FormStage) and stage.flag_if and holds(stage.flag_if, self.state.value_of):
            self.flag("answers")

    @at_once
    def flag(self, what: str) -> None:
        """Flag something in the open step, once."""
        if (self.step.id, what) not in self.state.flags:
            self._write(Flagged, step=self.step.id, what=what)

    @at_once
    def time_out(self, does: Literal["flag", "go_on", "end"], answers: Sequence[GivenAnswer] = ()) -> None:
        """Do what follows when the time for the open page is over; the first time is flagged.

        Args:
            does: Only flag it, go on to the next page or step, or end the visit. Without consent, the visit
                ends instead of going on.
            answers: What was entered so far; answers that the form accepts are recorded unless it is only
                flagged.
        """
        self.flag("timeout")
        if does == "flag":
            return
        step, page, more = self.step, self.state.page, False
        if isinstance(step.stage, FormStage) and step.kind == "form":
            pages = self.form_pages()
            self._record_accepted(pages, answers)
            more = page + 1 < len(pages)
        elif isinstance(step.stage, PageStage):
            more = page + 1 < len(step.stage.pages)
        if does == "end" or isinstance(step.stage, ConsentStage):
            self.leave_study("aborted")
        elif more:
            self.show_page(page + 1)
        else:
            self.leave("timeout")

    def _record_accepted(self, pages: list[list[ItemModel]], answers: Sequence[GivenAnswer]) -> None:
        """Record those answers of a page that the form accepts."""
        given = {answer.item: answer for answer in answers}
        before = sum(len(item.fields) for page in pages[: self.state.page] for item in page)
        values = {name: answer.value for name, answer in given.items()}
        shown = shown_items(pages[self.state.page], self.state.value_of, values, self.step.id)
        names = [(name, item) for item in shown for name in item.fields]
        for position, (name, item) in enumerate(names, start=before + 1):
            if name in given and not self._answer_fault(item, values[name]):
                self._answer(name, given[name], position)

    @at_once
    def try_quiz(self, answers: Mapping[str, Any], right: Mapping[str, Any]) -> tuple[str, ...]:
        """Record an attempt at the open quiz; return the questions that were answered wrongly.

        Args:
            answers: The answers by question.
            right: The right answers by question.

        Raises:
            Refused: If an answer is missing, or the quiz was tried too often.
        """
        step, stage = self.step, self.step.stage
        if not isinstance(stage, QuizStage):
            raise Refused("There is nothing to answer.")
        if self.state.attempts.get(step.id, 0) >= stage.tries:
            raise Refused("Please call the experimenter.")
        if any(answers.get(question.id) is None for question in stage.questions):
            raise Refused("Please answer every question.")
        wrong = [
            one.id
            for one in stage.questions
            if Fraction(str(answers[one.id])) != Fraction(str(right[one.id]))
        ]
        attempt = self.state.attempts.get(step.id, 0) + 1
        self._write(QuizTried, step=step.id, attempt=attempt, answers=dict(answers), wrong=wrong)
        self.settle()
        return tuple(wrong)

    @at_once
    def choose(self, option: str) -> None:
        """Record what the participant chose, and go on.

        Raises:
            Refused: If there is no such option.
        """
        stage = self.step.stage
        if not isinstance(stage, ChoiceStage) or option not in [one.id for one in stage.options]:
            raise Refused("Please choose one of these.")
        self._write(Chosen, step=self.step.id, option=option)
        self.settle()

    @at_once
    def return_from_call(self, *, word: str = "", exit_code: int | None = None) -> None:
        """Record what another program or page returned, and go on.

        Raises:
            Refused: If the word or the exit code is missing, or the word is not one of the study's.
        """
        stage = self.step.stage
        if not isinstance(stage, CallStage):
            raise Refused("Nothing was opened here.")
        if stage.returns == "exit_code" and exit_code is None:
            raise Refused("Please finish the other program first.")
        if stage.returns == "word":
            word = clean_text(word)[:LONGEST_TYPED]
            known = {one.casefold(): one for one in stage.words or [word.strip()]}
            if not word.strip() or word.strip().casefold() not in known:
                raise Refused("That is not the word from the end of the other page. Please check it.")
            word = known[word.strip().casefold()]
        self._write(CallReturned, step=self.step.id, word=word.strip(), exit_code=exit_code)
        self.settle()

    @at_once
    def open_session(self, session: str, folder: str) -> None:
        """Record that the session of the open game has a log."""
        self._write(SessionOpened, step=self.step.id, session=session, folder=folder)

    @at_once
    def close_session(
        self, session: str, *, last_hash: str, ended_by: EndedBy, points: Any, agreement: bool
    ) -> None:
        """Record the end of the open game's session, and go on."""
        exact = None if points is None else str(Fraction(str(points)))
        if ended_by is EndedBy.AGENT_FAILURE:
            self.flag("agent_failure")
        self._write(
            SessionClosed,
            step=self.step.id,
            session=session,
            last_hash=last_hash,
            end=str(ended_by),
            agreement=agreement,
            points=exact,
        )
        self.settle()

    @at_once
    def ask_for_help(self, text: str) -> None:
        """Record a question to the experimenter."""
        self._write(HelpAsked, step=self.step.id, text=clean_text(text).strip()[:LONGEST_TYPED])

    @at_once
    def answer_help(self) -> None:
        """Record that the experimenter has answered the participant's question."""
        if self.state.help_text is not None:
            self._write(HelpAnswered)

    @at_once
    def release(self, by: Literal["experimenter", "time"]) -> None:
        """Let the participant go on: after a wait, or after a quiz that was tried too often."""
        self._write(Released, step=self.step.id, by=by)
        self.settle()

    @at_once
    def move(self, target: str, why: str) -> None:
        """Move the participant to another step.

        Raises:
            Refused: If there is no such step, or no reason is given.
        """
        if not why.strip():
            raise Refused("Please give a reason.")
        if self.state.step_named(target) is None:
            raise Refused(f"This visit has no step {target!r}.")
        self._write(MovedByExperimenter, origin=self.step.id, target=target, why=why.strip())
        self.settle()

    @at_once
    def leave_study(self, how: Literal["screened_out", "aborted"]) -> None:
        """End the visit early; what was said is kept."""
        self._write(VisitEnded, how=how)

    def interrupt(self, why: str = "") -> None:
        """Leave the visit, which can be resumed."""
        self._write(Interrupted, why=why)
        self.close()
