"""Controller of a study on this computer: a code, a visit, and the next participant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from negoplatform.app.joining.join_place import JoinPlace
from negoplatform.app.study.participant_code import CodeRefused, KnownCode, look_up_code, rehearsal_codes
from negoplatform.app.study.study_data import StudyData
from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.app.visit.study_host import StudyHost, other_roles
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.app.visit.visit_sessions import VisitSessions
from negoplatform.domain.errors import NegoError
from negoplatform.domain.joining_settings import LOOPBACK
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.log_proof_printer import print_line
from negoplatform.gui.shell.session_tables import SessionTables
from negoplatform.gui.shell.visit_controller import HiddenTime, VisitController
from negoplatform.gui.study.code_screen import CodeScreen
from negoplatform.gui.study.joining_screen import JoiningScreen
from negoplatform.gui.study.step_actions import StepScreen
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.dialogs import ConfirmationDialog
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.screen_navigator import Screen, ScreenNavigator, show_retry_screen
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.start.participant_code_and_seed import draw_code
from negoplatform.study.local_text import text_in


class StudyRunController:
    """Controller of one study's visits, one after another.

    Args:
        navigator: The window's navigator.
        folder: The study.
        data: Its data on this computer.
        station: The name of this computer.
        language: The language in which visits begin; empty: the window's if the study has it, or its first.
        tables: The tables of the window's sessions.
        kiosk: Keeps the window in full screen, and asks for the experimenter's code.
        hidden: The time without the focus.
        appearance: The experimenter's appearance, to which each visit returns.
        announcer: Reports to UI tests what is shown.
        report: Called with an unexpected exception.
        on_leave: Called when the experimenter leaves the study.
        listen: The address at which others join, as the experimenter has given it; empty: it can be chosen in
            the window if others take part.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        folder: StudyFolder,
        data: StudyData,
        *,
        station: str,
        language: str = "",
        tables: SessionTables,
        kiosk: Kiosk,
        hidden: HiddenTime,
        appearance: Appearance,
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
        on_leave: Callable[[], None],
        listen: str = "",
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._folder, self._data, self._station = folder, data, station
        self._tables = tables
        self._kiosk = kiosk
        self._hidden = hidden
        self._appearance = appearance
        self._announcer = announcer
        self._report = report
        self._on_leave = on_leave
        languages = folder.study.model.languages
        usual = appearance.language if appearance.language in languages else languages[0]
        self._first_language = language or usual
        self._language = self._first_language
        self._visit: VisitController | None = None
        self._listen = listen
        self._others = other_roles(folder.study)
        self._host = StudyHost(self._others, report) if listen or self._others else None

    @property
    def visit(self) -> VisitController | None:
        """The visit that is shown; None: there is none."""
        return self._visit

    # Others who take part

    def open_for_others(self, then: Callable[[], None], *, may_ask: bool = True) -> None:
        """Let others join if the study needs them, and go on; the experimenter reads their codes first.

        Args:
            then: Called to go on to the first participant.
            may_ask: Whether a screen may show the codes; they are printed in any case.
        """
        if self._host is None:
            then()
            return
        try:
            place = self._host.start(self._listen or LOOPBACK)
        except NegoError as error:
            retry = partial(self.open_for_others, then, may_ask=may_ask)
            show_retry_screen(self._navigator, self._announcer, str(error), retry)
            return
        self._report_place(place)
        if self._listen or not may_ask:
            then()
        else:
            self._show_joining_screen(self._host, place, then)

    def _report_place(self, place: JoinPlace) -> None:
        for line in place_lines(place):
            print_line(line)
        codes = {role.name: code for role, code in place.codes.items()}
        self._announcer.announce("study_joining", place=place.text, codes=codes)

    def _show_joining_screen(self, host: StudyHost, place: JoinPlace, then: Callable[[], None]) -> None:
        """Show where others join, until the experimenter goes on."""
        shown = [place]

        def listen(address: str) -> None:
            try:
                shown[0] = host.start(address)
            except NegoError as error:
                retry = partial(self.open_for_others, then)
                show_retry_screen(self._navigator, self._announcer, str(error), retry)
                return
            self._report_place(shown[0])
            self._navigator.show(make)
            self._announcer.announce("joining_screen")

        def make() -> JoiningScreen:
            return JoiningScreen(
                self._theme,
                displayable(text_in(self._folder.study.model.title, self._first_language)),
                shown[0],
                announcer=self._announcer,
                on_listen=listen,
                on_continue=then,
            )

        self._navigator.show(make)
        self._announcer.announce("joining_screen")

    # The code

    def ask_code(self) -> None:
        """Ask the next participant for a code."""
        self._visit = None
        self._language = self._first_language
        self._theme.apply_appearance(replace(self._appearance, language=self._language))
        if self._theme.appearance.full_screen:
            self._kiosk.enter()
        self._show_code_screen()

    def _show_code_screen(self, problem: str = "") -> None:
        screen = self._navigator.show(self._make_code_screen)
        if isinstance(screen, CodeScreen):
            screen.focus_first()
        self._kiosk.require_experimenter(self.leave)
        self._announcer.announce("code_screen")
        if problem:
            self._show_problem(problem)

    def _make_code_screen(self) -> CodeScreen | MessageScreen:
        model, translate = self._folder.study.model, self._theme.translate
        title = displayable(text_in(model.title, self._language))
        screen: CodeScreen | MessageScreen
        if model.codes.drawn:
            screen = MessageScreen(self._theme, title, translate("Begin"))
            screen.on_press(lambda: self._on_code(draw_code()))
            self._announcer.register("code.begin", screen.button)
        else:
            screen = CodeScreen(
                self._theme,
                type_twice=model.codes.type_twice,
                announcer=self._announcer,
                on_code=self._on_code,
                study_title=title,
                languages=tuple(model.languages),
                on_language=self._choose_language,
                is_test=self._data.is_test,
            )
            if isinstance(self._navigator.current, CodeScreen):
                screen.fill(self._navigator.current.entered())
            elif self._data.is_test:
                # Who tries a study out has not been given a code.
                screen.fill((rehearsal_codes(self._folder, 1)[0],) * 2)
        add_experimenter_button(
            screen,
            self._theme,
            translate("For the experimenter"),
            self._ask_to_leave,
            "leave_study",
            self._announcer,
        )
        return screen

    def _choose_language(self, language: str) -> None:
        self._language = language
        self._theme.apply_appearance(replace(self._theme.appearance, language=language))
        self._show_code_screen()

    def _show_problem(self, sentence: str) -> None:
        screen = self._navigator.current
        if isinstance(screen, CodeScreen):
            screen.show_problem(sentence)
        else:
            show_retry_screen(self._navigator, self._announcer, sentence, self.ask_code)
        self._announcer.announce("problem", text=sentence)

    def _show_refusal(self, refusal: CodeRefused) -> None:
        self._show_problem(self._theme.translate(refusal.sentence, **refusal.values))

    def _on_code(self, typed: str) -> None:
        try:
            known = look_up_code(self._folder, self._data, typed)
        except CodeRefused as refusal:
            self._show_refusal(refusal)
            self._offer_permission(typed)
            return
        if known.unfinished is not None:
            self._ask_to_resume(known, known.unfinished.path)
        else:
            self.begin(known)

    def _offer_permission(self, typed: str) -> None:
        """Let the experimenter allow a code that was used before, where the study says so."""
        try:
            known = look_up_code(self._folder, self._data, typed, experimenter=True)
        except CodeRefused:
            return
        translate = self._theme.translate
        question = ConfirmationQuestion(
            translate("Use this code again?"),
            translate(
                "This is for the experimenter. The code {code} has already been used.", code=known.code
            ),
            translate("Use it again"),
            translate("Go back"),
        )
        self._kiosk.authorize(question, lambda: self.begin(known))

    def _ask_to_resume(self, known: KnownCode, path: Path) -> None:
        """Ask whether to go on with an unfinished visit; in a test, another one can be begun instead."""
        translate = self._theme.translate
        question = ConfirmationQuestion(
            translate("Continue where you left off?"),
            translate("The study was begun with the code {code}, but not finished.", code=known.code),
            translate("Continue"),
            translate("Go back"),
        )
        ConfirmationDialog(
            self._theme, question, on_yes=lambda: self.resume(path), announcer=self._announcer
        ).open()

    # The visit

    def begin_with(self, code: str) -> None:
        """Begin, or go on with, the visit of a code that the experimenter gave; else show the problem."""
        self.ask_code()
        try:
            known = look_up_code(self._folder, self._data, code)
        except CodeRefused as refusal:
            self._show_refusal(refusal)
            return
        if known.unfinished is not None:
            self.resume(known.unfinished.path)
        else:
            self.begin(known)

    def begin(self, known: KnownCode) -> None:
        """Begin the visit of a code."""
        self._run(
            lambda: VisitRun.begin(
                self._folder, self._data, known, station=self._station, language=self._language
            )
        )

    def resume(self, path: Path) -> None:
        """Go on with an interrupted visit."""
        if self._theme.appearance.full_screen:
            self._kiosk.enter()
        self._run(lambda: VisitRun.resume(self._folder, self._data, path))

    def _run(self, open_run: Callable[[], VisitRun]) -> None:
        try:
            run = open_run()
        except NegoError as error:
            self._show_problem(self._theme.translate(str(error)))
            return
        language = run.state.header.language
        if self._theme.appearance.language != language:
            self._theme.apply_appearance(replace(self._theme.appearance, language=language))
        self._kiosk.release_page()
        self._visit = VisitController(
            self._navigator,
            run,
            VisitSessions(run, report=self._report),
            host=self._host,
            tables=self._tables,
            kiosk=self._kiosk,
            hidden=self._hidden,
            language=Language.load(language),
            announcer=self._announcer,
            report=self._report,
            on_over=self._on_over,
        )
        self._announcer.announce("visit_begun", code=run.state.header.code, visit=run.state.header.visit)
        self._visit.show()

    def _on_over(self, screen: StepScreen) -> None:
        """Let the experimenter go on to the next participant from the last page of a visit."""
        theme = self._theme
        add_experimenter_button(
            screen,
            theme,
            theme.translate("Next participant"),
            self._ask_for_next,
            "next_participant",
            self._announcer,
        )
        self._kiosk.require_experimenter(self.ask_code)

    def _ask_for_next(self) -> None:
        """Go on to the next participant: at once, or in full screen with the experimenter's permission."""
        if not self._kiosk.locked:
            self.ask_code()
            return
        self._kiosk.authorize(
            _experimenter_question(self._theme, self._theme.translate("Next participant")), self.ask_code
        )

    # Leaving

    def _ask_to_leave(self) -> None:
        action = self._theme.translate("Leave the study")
        self._kiosk.authorize(_experimenter_question(self._theme, action), self.leave)

    def leave(self) -> None:
        """Leave the study, and restore the experimenter's appearance."""
        if self._host is not None:
            self._host.stop()
        self._kiosk.leave()
        self._theme.apply_appearance(self._appearance)
        self._on_leave()

    def stop(self) -> None:
        """End everything that runs, because the program ends; the visit can go on later."""
        if self._visit is not None and not self._visit.is_over:
            self._visit.stop()
        if self._host is not None:
            self._host.stop()


def _experimenter_question(theme: Theme, action: str) -> ConfirmationQuestion:
    translate = theme.translate
    return ConfirmationQuestion(
        translate("Experimenter code"),
        translate("This is for the experimenter."),
        action,
        translate("Go back"),
    )


def add_experimenter_button(
    screen: Screen,
    theme: Theme,
    text: str,
    command: Callable[[], None],
    name: str,
    announcer: UiTestAnnouncer,
) -> None:
    """Add a button for the experimenter in a lower corner of a screen for participants."""
    button = theme.button(screen.frame, text, "Ground.Quiet.TButton", command, icon="lock")
    side, gap = (0.0, theme.px(12)) if theme.rtl else (1.0, -theme.px(12))
    button.place(relx=side, rely=1.0, x=gap, y=-theme.px(10), anchor="sw" if theme.rtl else "se")
    button.lift()
    announcer.register(name, button)


def place_lines(place: JoinPlace) -> Iterator[str]:
    """Yield lines for the terminal: where others join, and the command for each role."""
    alone = ", from this computer alone (others need --listen ADDRESS)" if place.is_loopback else ""
    yield f"Others join this study at {place.text}{alone}:"
    for role in place.codes:
        yield f"  {role.name:<12}  {place.command(role)}"
