"""Sessions that this window plays, and the table screens that show them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from negoplatform.app.catalogue.catalogue import game_folder
from negoplatform.app.session.agent_setup import PreparedAgent
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.session_start import OpenSession
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import GameSpec
from negoplatform.gui.avatars.agent_avatar import Avatar, load_avatar
from negoplatform.gui.pictures.game_picture_set import GamePictureSet, custom_picture_names, load_pictures
from negoplatform.gui.shell.log_proof_printer import LogProofPrinter
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.theming.theme import Theme
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.gui.workbenches import make_workbench
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.table.author_fault_reporter import AuthorFaultReporter


class SessionTables:
    """Live sessions of the window; their logs are reported, and they are stopped when the program ends.

    Args:
        theme: The window's theme.
        data_dir: The user's folder, for the pictures of games.
        proof_printer: Prints and keeps the proofs of logs.
        announcer: Reports to UI tests what is shown.
        on_appearance: Called with an appearance chosen at a table.
        report: Called with an unexpected exception.
    """

    def __init__(
        self,
        theme: Theme,
        *,
        data_dir: Path,
        proof_printer: LogProofPrinter,
        announcer: UiTestAnnouncer,
        on_appearance: Callable[[Appearance], None],
        report: Callable[[BaseException], object],
    ) -> None:
        self._theme = theme
        self._data_dir = data_dir
        self._proof_printer = proof_printer
        self._announcer = announcer
        self._on_appearance = on_appearance
        self._report = report
        self._open: list[tuple[LiveSession, OpenSession]] = []

    def open(self, session: OpenSession, faults: AuthorFaultReporter | None = None) -> LiveSession:
        """Return the live session of a session, whose game waits for its participant."""
        if faults is None:
            table = session.create_live_session(self._report)
        else:
            table = session.create_live_session(faults.record_error, faults.on_event)
        # Finished sessions are no longer needed.
        self._open = [(other, of) for other, of in self._open if not of.log.closed]
        self._open.append((table, session))
        session.log.on_close = lambda: self._report_log(session)
        table.await_start()
        return table

    def make_screen(
        self,
        table: LiveSession,
        session: OpenSession,
        *,
        shows_briefing: bool,
        leave_label: str,
        on_done: Callable[[], None],
        on_leave: Callable[[], None] = lambda: None,
        on_practise: Callable[[], None] | None = None,
        faults: AuthorFaultReporter | None = None,
        has_next_game: bool = False,
        find_folder: Callable[[str], Path | None] | None = None,
        on_ask: Callable[[], None] | None = None,
    ) -> TableScreen:
        """Return the screen of a session.

        Args:
            table: The live session.
            session: The session.
            shows_briefing: Whether a new session begins with the rules.
            leave_label: The text of the button that leaves before the game begins; empty: no button.
            on_done: Called when the participant closes the result.
            on_leave: Called when the participant leaves before the game begins.
            on_practise: Show the practice before the game begins; None: it is not offered.
            faults: Reports the agent's faults to its author.
            has_next_game: Whether another game follows at the end.
            find_folder: Returns the folder of a game's pictures by the game's name; None: the catalogue's.
            on_ask: Called for a question to the experimenter; None: it is not offered.
        """
        agents = session.plan.agents
        inputs = TableScreenInputs(
            table.participant_seat,
            session.plan.names,
            make_workbench(session.plan.game),
            {seat: self._avatar(seated) for seat, seated in agents.items()},
            pictures=self._pictures(session.plan.game, find_folder),
            saved_draft=session.saved_draft,
            shows_briefing=session.resume_point is None and shows_briefing,
            leave_label=leave_label,
            has_next_game=has_next_game,
            fault_reporter=faults,
            on_practise=on_practise,
            on_ask=on_ask,
        )
        return TableScreen(
            self._theme,
            inputs,
            announcer=self._announcer,
            on_appearance=self._on_appearance,
            on_done=on_done,
            on_leave=on_leave,
        )

    def remove(self, table: LiveSession, session: OpenSession) -> None:
        """Forget a session that was never started."""
        table.stop(0.0)  # this runs on the Tk thread, and nothing has to be closed
        self._open.remove((table, session))

    def stop(self) -> None:
        """Stop all sessions, because the program ends; a game in progress can be resumed."""
        for table, session in self._open:
            table.stop()
            if not table.has_started:
                session.discard()
            elif not session.log.closed:
                self._report_log(session)

    def _report_log(self, session: OpenSession) -> None:
        self._proof_printer.print_proof(session.log, session.plan.participant)

    def _avatar(self, prepared: PreparedAgent) -> Avatar:
        avatar = load_avatar(prepared.avatar, prepared.plugin.file, name=prepared.name)
        if avatar.problem:
            self._report(NegoError(avatar.problem))
        return avatar

    def _pictures(self, game: GameSpec, find_folder: Callable[[str], Path | None] | None) -> GamePictureSet:
        folder = game.folder
        if folder is None and custom_picture_names(game):  # a resumed session has its game from the log
            folder = None if find_folder is None else find_folder(game.name)
            folder = folder or game_folder(game.name, self._data_dir)
        found = load_pictures(game, folder)
        for problem in found.problems:
            self._report(NegoError(problem))
        return found
