"""Controller of the list of studies, and of the ways from it into a study."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tkinter import filedialog

from negoplatform.app.study.study_archive import ARCHIVE_SUFFIX, STUDIES, install_study
from negoplatform.app.study.study_check import check_study
from negoplatform.app.study.study_data import study_data
from negoplatform.app.study.study_folder import StudyFolder, load_study
from negoplatform.app.study.study_list import (
    ListedStudy,
    UnfinishedVisit,
    cell_counts,
    check_station,
    keep_station,
    list_studies,
    read_station,
    remember_folder,
    study_of,
    trust_files,
    unfinished_visits,
    untrusted_files,
)
from negoplatform.app.visit.visit_run import VisitRun
from negoplatform.domain.errors import NegoError
from negoplatform.gui.shell.kiosk import Kiosk
from negoplatform.gui.shell.session_tables import SessionTables
from negoplatform.gui.shell.study_run_controller import StudyRunController
from negoplatform.gui.shell.visit_controller import HiddenTime
from negoplatform.gui.study.studies_screen import StudiesScreen
from negoplatform.gui.widgets.dialogs import ConfirmationDialog
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator, show_retry_screen
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.hosting.sandbox.process_sandbox import available_sandbox
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.start.launch_options import StudyLaunch
from negoplatform.presentation.start.trust_question import trust_question, trusted_by_yes
from negoplatform.presentation.study.study_card import StudiesView, StudyResults, study_card, visit_card
from negoplatform.presentation.table.leaving_questions import end_visit_question


@dataclass(frozen=True, slots=True)
class _StudiesAndVisits:
    """Studies and interrupted visits of this computer."""

    studies: Sequence[ListedStudy]
    visits: Sequence[UnfinishedVisit]


class StudiesController:
    """Controller of the list of studies.

    Args:
        navigator: The window's navigator.
        data_dir: The user's folder.
        tables: The tables of the window's sessions.
        kiosk: Keeps the window in full screen, and asks for the experimenter's code.
        appearance: Returns the experimenter's appearance.
        announcer: Reports to UI tests what is shown.
        report: Called with an unexpected exception.
        on_back: Called to go back from the list.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        *,
        data_dir: Path,
        tables: SessionTables,
        kiosk: Kiosk,
        appearance: Callable[[], Appearance],
        announcer: UiTestAnnouncer,
        report: Callable[[BaseException], object],
        on_back: Callable[[], None],
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._data_dir = data_dir
        self._tables = tables
        self._kiosk = kiosk
        self._hidden = HiddenTime(navigator.theme.root)
        self._appearance = appearance
        self._announcer = announcer
        self._report = report
        self._on_back = on_back
        self._found = _StudiesAndVisits((), ())
        self._results: dict[Path, StudyResults] = {}
        self._running: StudyRunController | None = None

    @property
    def running(self) -> StudyRunController | None:
        """The study that is running; None: there is none."""
        return self._running

    # The list

    def show(self) -> None:
        """Show the list, after looking for studies; they are checked while it is shown."""
        self._running = None
        self._navigator.show_message(self._theme.translate("Looking for studies…"))
        self._navigator.run_in_background(
            self._find, self._show_found, lambda problem: self._show_retry(problem, self.show)
        )

    def check_unfinished(self, then: Callable[[], None]) -> None:
        """Show the list if an interrupted visit can be resumed here; otherwise go on."""

        def find() -> _StudiesAndVisits | None:
            return self._find() if unfinished_visits(self._data_dir) else None

        def take(found: _StudiesAndVisits | None) -> None:
            if found is not None and any(study_of(visit, found.studies) for visit in found.visits):
                self._show_found(found)
            else:
                then()

        self._navigator.run_in_background(find, take, lambda _problem: then())

    def stop(self) -> None:
        """End everything that runs, because the program ends."""
        if self._running is not None:
            self._running.stop()

    def _find(self) -> _StudiesAndVisits:
        return _StudiesAndVisits(
            list_studies(self._data_dir, self._report_sentence), unfinished_visits(self._data_dir)
        )

    def _show_found(self, found: _StudiesAndVisits, message: str = "") -> None:
        self._found, self._results = found, {}
        screen = self._navigator.show(self._make_screen)
        ids = [one.root.name for one in found.studies]
        self._announcer.announce("studies_screen", studies=ids, visits=[v.header.code for v in found.visits])
        if message:
            screen.show_message(message)
        self._examine(list(found.studies))

    def _make_screen(self) -> StudiesScreen:
        return StudiesScreen(
            self._theme,
            self._view(),
            announcer=self._announcer,
            on_start=lambda key: self._start(key, is_test=False),
            on_try=lambda key: self._start(key, is_test=True),
            on_go_on=self._go_on,
            on_close=self._end_visit,
            on_install=self._choose_archive,
            on_open=self._choose_folder,
            on_refresh=self._refresh,
            on_back=self._go_back,
        )

    def _view(self) -> StudiesView:
        translate = self._theme.translate
        return StudiesView(
            tuple(study_card(one, self._results.get(one.root), translate) for one in self._found.studies),
            tuple(visit_card(v, study_of(v, self._found.studies), translate) for v in self._found.visits),
            read_station(self._data_dir).station,
        )

    def _examine(self, left: list[ListedStudy]) -> None:
        """Count the participants of studies and check them, one after another, while the list is shown."""
        screen = self._screen
        if screen is None:
            return
        if not left:
            self._announcer.announce("studies_checked")
            return
        listed, folder = left[0], left[0].folder

        def show(results: StudyResults | None) -> None:
            if results is not None:
                self._results[listed.root] = results
            if self._screen is not None and listed in self._found.studies:
                self._screen.update(self._view())
                self._examine(left[1:])

        if folder is None:
            self._examine(left[1:])
        else:
            self._navigator.run_in_background(
                lambda: _examined(folder, listed), show, lambda _problem: show(None)
            )

    @property
    def _screen(self) -> StudiesScreen | None:
        return self._navigator.current if isinstance(self._navigator.current, StudiesScreen) else None

    def _listed(self, key: str) -> ListedStudy:
        return next(one for one in self._found.studies if str(one.root) == key)

    def _show_error(self, sentence: str) -> None:
        if self._screen is not None:
            self._screen.show_error(sentence)

    def _show_retry(self, problem: str, retry: Callable[[], None]) -> None:
        show_retry_screen(self._navigator, self._announcer, problem, retry)

    def _report_sentence(self, sentence: str) -> None:
        self._report(NegoError(sentence))

    # Adding studies

    def _choose_archive(self) -> None:
        translate = self._theme.translate
        if not self._keep_station():
            return
        name = filedialog.askopenfilename(
            parent=self._theme.root,
            title=translate("Install a study"),
            filetypes=[(translate("Studies"), f"*{ARCHIVE_SUFFIX}"), (translate("All files"), "*")],
        )
        if not name:
            return

        def work() -> tuple[_StudiesAndVisits, StudyFolder]:
            installed = install_study(Path(name), self._data_dir)
            return self._find(), installed

        def done(result: tuple[_StudiesAndVisits, StudyFolder]) -> None:
            found, installed = result
            self._show_found(found, translate("{study} is installed.", study=installed.study.label))

        self._navigator.run_in_background(work, done, self._show_error)

    def _choose_folder(self) -> None:
        if not self._keep_station():
            return
        name = filedialog.askdirectory(
            parent=self._theme.root, title=self._theme.translate("Open a study’s folder"), mustexist=True
        )
        if not name:
            return

        def work() -> _StudiesAndVisits:
            remember_folder(self._data_dir, load_study(Path(name), self._data_dir).root)
            return self._find()

        self._navigator.run_in_background(work, self._show_found, self._show_error)

    # Into a study

    def _start(self, key: str, *, is_test: bool) -> None:
        """Let participants begin a study, or try it out."""
        listed = self._listed(key)
        folder = listed.folder
        if folder is None or not self._keep_station():
            return
        self._with_trust(
            listed.untrusted, lambda: _begin(self._run(folder, is_test=is_test)), self._show_error
        )

    def _go_on(self, key: str) -> None:
        """Go on with an interrupted visit."""
        visit = next(one for one in self._found.visits if str(one.path) == key)
        listed = study_of(visit, self._found.studies)
        if listed is None or listed.folder is None or not self._keep_station():
            return
        folder = listed.folder

        def resume() -> None:
            controller = self._run(folder, is_test=visit.header.is_test)
            controller.open_for_others(lambda: controller.resume(visit.path))

        self._with_trust(listed.untrusted, resume, self._show_error)

    def _end_visit(self, key: str) -> None:
        """End an interrupted visit permanently, after a confirmation."""
        visit = next(one for one in self._found.visits if str(one.path) == key)
        listed = study_of(visit, self._found.studies)
        if listed is None or listed.folder is None:
            return
        folder = listed.folder

        def work() -> _StudiesAndVisits:
            data = study_data(folder, self._data_dir, is_test=visit.header.is_test)
            run = VisitRun.resume(folder, data, visit.path)
            try:
                if run.state.ended is None:
                    run.leave_study("aborted")
            finally:
                run.close()
            return self._find()

        question = end_visit_question(visit.header.code, self._theme.translate)
        ConfirmationDialog(
            self._theme,
            question,
            on_yes=lambda: self._navigator.run_in_background(work, self._show_found, self._show_error),
            announcer=self._announcer,
        ).open()

    def _keep_station(self) -> bool:
        """Store the name of this computer; return whether it is valid."""
        if self._screen is None:
            return True
        try:
            keep_station(self._data_dir, self._screen.station)
        except NegoError as error:
            self._show_error(str(error))
            return False
        return True

    def _refresh(self) -> None:
        if self._keep_station():
            self.show()

    def _go_back(self) -> None:
        """Leave the list; the name of this computer stays as it was if the new one cannot be stored."""
        if self._screen is not None:
            with suppress(NegoError):
                keep_station(self._data_dir, self._screen.station)
        self._on_back()

    def _with_trust(
        self, files: Sequence[CodeFile], then: Callable[[], None], failed: Callable[[str], None]
    ) -> None:
        """Go on once the study's programs are trusted."""
        if not files:
            then()
            return

        def trust() -> None:
            self._navigator.run_in_background(
                lambda: trust_files(
                    self._data_dir, trusted_by_yes(files, available_sandbox()), self._report_sentence
                ),
                lambda _none: then(),
                failed,
            )

        question = trust_question(files, self._theme.translate, available_sandbox())
        ConfirmationDialog(self._theme, question, on_yes=trust, announcer=self._announcer).open()

    def _run(
        self, folder: StudyFolder, *, is_test: bool, language: str = "", listen: str = ""
    ) -> StudyRunController:
        self._running = StudyRunController(
            self._navigator,
            folder,
            study_data(folder, self._data_dir, is_test=is_test),
            station=read_station(self._data_dir).station,
            language=language,
            tables=self._tables,
            kiosk=self._kiosk,
            hidden=self._hidden,
            appearance=self._appearance(),
            announcer=self._announcer,
            report=self._report,
            on_leave=self.show,
            listen=listen,
        )
        return self._running

    def launch(self, launch: StudyLaunch, folder: StudyFolder) -> None:
        """Run the study of the command line; one that participants begin has to be frozen.

        Args:
            launch: What the command line says.
            folder: Its study.
        """

        def run() -> None:
            controller = self._run(
                folder, is_test=launch.is_test, language=launch.language, listen=launch.listen
            )
            if launch.code:
                controller.open_for_others(lambda: controller.begin_with(launch.code), may_ask=False)
            else:
                _begin(controller)

        def ask(files: Sequence[CodeFile]) -> None:
            self._with_trust(files, run, lambda problem: self._show_retry(problem, lambda: ask(files)))

        self._navigator.show_message(self._theme.translate("Starting…"))
        self._navigator.run_in_background(
            lambda: untrusted_files(folder, self._report_sentence),
            ask,
            lambda problem: self._show_retry(problem, lambda: self.launch(launch, folder)),
        )


def launched_study(launch: StudyLaunch, data_dir: Path) -> StudyFolder:
    """Return the study of the command line: in a folder, or by its name among the installed and shipped ones.

    Raises:
        NegoError: If it cannot be read or does not have the language, or participants are to begin it and it
            is not frozen.
    """
    if launch.station:
        check_station(launch.station)
    places = [launch.study, data_dir / STUDIES / launch.study.name, bundled(STUDIES) / launch.study.name]
    named = launch.study.parent == Path()
    path = next((place for place in places[: 3 if named else 1] if place.exists()), launch.study)
    folder = load_study(path, data_dir)
    if not launch.is_test and not folder.is_frozen:
        reason = f"since it was frozen, {folder.changes[0]}" if folder.changes else "it is not frozen"
        raise NegoError(
            f"{folder.study.label} cannot be started: {reason}. Freeze it with 'negoplatform study freeze', "
            "or try it out with --test."
        )
    languages = folder.study.model.languages
    if launch.language and launch.language not in languages:
        raise NegoError(
            f"{folder.study.label} has no texts in the language {launch.language!r}; "
            f"choose {' or '.join(languages)}."
        )
    if launch.station:
        keep_station(data_dir, launch.station)
    remember_folder(data_dir, folder.root)
    return folder


def _begin(controller: StudyRunController) -> None:
    controller.open_for_others(controller.ask_code)


def _examined(folder: StudyFolder, listed: ListedStudy) -> StudyResults:
    counts = cell_counts(folder, study_data(folder, folder.data_dir, is_test=False))
    # The check loads the agents, which are programs.
    findings = None if listed.untrusted else check_study(folder)
    return StudyResults(counts, findings)
