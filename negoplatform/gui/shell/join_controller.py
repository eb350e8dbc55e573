"""Flow of a window that joins sessions in other processes: connecting, the screens of its role, the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty

from negoplatform.app.catalogue.search_path import plugin_files
from negoplatform.app.joining.join_client import (
    AwaitingSession,
    EntriesNotSent,
    JoinClient,
    Joined,
    JoinNews,
    JoinRefused,
    LinkLost,
    LinkRestored,
)
from negoplatform.app.joining.join_link import parse_address, token_path
from negoplatform.app.joining.window_process import HostState, StartingProgram
from negoplatform.app.session.participant_seat import ParticipantSeat
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind, SessionIntroduction
from negoplatform.core.mechanisms.registry import BARGAINING
from negoplatform.domain.errors import NegoError
from negoplatform.domain.seat_map import Seat
from negoplatform.gui.avatars.agent_avatar import Avatar, load_avatar
from negoplatform.gui.console.console_screen import ConsoleScreen
from negoplatform.gui.pictures.game_picture_set import GamePictureSet, custom_picture_names, load_pictures
from negoplatform.gui.shell.debriefing_controller import DebriefingController
from negoplatform.gui.shell.practice_controller import PracticeController
from negoplatform.gui.shell.session_end_pages import SessionEndPages
from negoplatform.gui.start.join_form import JoinForm
from negoplatform.gui.table.table_screen import TableScreen
from negoplatform.gui.table.table_screen_inputs import TableScreenInputs
from negoplatform.gui.widgets.message_screen import MessageScreen
from negoplatform.gui.widgets.screen_navigator import ScreenNavigator
from negoplatform.gui.widgets.timers import Ticker
from negoplatform.gui.widgets.ui_test_announcer import UiTestAnnouncer
from negoplatform.gui.wizard.wizard_side import WizardPanelInputs
from negoplatform.gui.workbenches import make_workbench
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.console.watched_session import WatchedSession
from negoplatform.presentation.game_words import game_words
from negoplatform.presentation.i18n import gettext_noop
from negoplatform.presentation.localized_names import displayable
from negoplatform.presentation.refusals_for_translation import localized_refusal
from negoplatform.presentation.table.table_view import LinkState

POLL_MS = 40
"""Milliseconds between two looks at the news of the connection."""

FIRST_UPDATE_MS = 400
"""Milliseconds within which a game that has begun sends its first update; otherwise the rules are shown."""


JOIN_AGAIN = gettext_noop("To continue, close this window and join again while the host is running.")
"""Sentence for a wizard or the experimenter whose connection has ended for good."""


@dataclass(frozen=True, slots=True)
class JoinChoice:
    """Session that a window joins.

    Args:
        address: The address of the host, with a port or without one; empty: the window asks for it.
        code: The code; empty: the window asks for it.
        wanted: The role that is named; empty: the one that the code belongs to.
    """

    address: str = ""
    code: str = field(default="", repr=False)
    wanted: str = ""


class JoinController:
    """Controller of the window's screens from the form to the end of the last session.

    Args:
        navigator: The window's navigator.
        end_pages: Shows the page after a session.
        data_dir: The user's folder, for pictures of games.
        announcer: Reports to UI tests what is shown.
        on_appearance: Called with an appearance chosen at a table.
        report: Called with an unexpected exception.
        starter: The program that has started this window with its host; None: the host was there before.
        is_participant: Whether a person in a seat is a participant, who reaches no page of the experimenter.
        shows_briefing: Whether the rules are shown before a new game.
    """

    def __init__(
        self,
        navigator: ScreenNavigator,
        end_pages: SessionEndPages,
        *,
        data_dir: Path,
        announcer: UiTestAnnouncer,
        on_appearance: Callable[[Appearance], None],
        report: Callable[[BaseException], object],
        starter: StartingProgram | None = None,
        is_participant: bool = True,
        shows_briefing: bool = True,
    ) -> None:
        self._navigator, self._theme = navigator, navigator.theme
        self._end_pages = end_pages
        self._data_dir, self._announcer = data_dir, announcer
        self._on_appearance, self._report = on_appearance, report
        self._starter, self._is_participant = starter, is_participant
        self._shows_briefing = shows_briefing
        self._debriefing = DebriefingController(navigator, announcer=announcer)
        self._practice = PracticeController(
            navigator, announcer=announcer, on_appearance=on_appearance, report=report
        )
        self._client: JoinClient | None = None
        self._choice = JoinChoice()
        self._link = LinkState()
        self._role: JoinRole | None = None
        self._is_host_gone = self._shows_end = False
        self.on_session: Callable[[], None] = lambda: None
        """Called when the screen of a session is shown."""
        self._ticker = Ticker(self._theme.root, self._poll)

    # Joining

    def begin(self, choice: JoinChoice) -> None:
        """Join a session, or ask what is missing."""
        self._choice = choice
        if choice.address and choice.code:
            self._connect(choice)
        else:
            self._ask("")

    def stop(self) -> None:
        """Leave the session; what waits to be sent is sent if the connection takes it at once."""
        if self._client is not None:
            self._client.stop()
            if self._is_over:
                self._client.forget()

    def _ask(self, problem: str) -> None:
        def submit(address: str, code: str) -> None:
            self._choice = JoinChoice(address, code, self._choice.wanted)
            self._connect(self._choice)

        choice = self._choice
        self._navigator.show(
            lambda: JoinForm(
                self._theme,
                choice.address,
                choice.code,
                problem=problem,
                announcer=self._announcer,
                on_join=submit,
            )
        )
        self._announcer.announce("join_form", problem=problem)

    def _connect(self, choice: JoinChoice) -> None:
        self.stop()
        try:
            host, port = parse_address(choice.address)
            self._client = JoinClient(
                host,
                port,
                choice.code,
                choice.wanted,
                report=self._report,
                token_file=token_path(self._data_dir, choice.address, choice.code, choice.wanted),
            )
        except NegoError as problem:
            self._client = None
            self._ask(str(problem))
            return
        self._link = LinkState()
        self._navigator.show_message(self._theme.translate("Connecting to the host…"))
        self._announcer.announce("connecting")
        self._client.start()
        self._ticker.schedule(POLL_MS)

    # News of the connection

    def _poll(self) -> None:
        """Handle what has happened to the connection, and to the host."""
        client = self._client
        try:
            while client is not None and self._client is client:
                self._on_news(client, client.news.get_nowait())
        except Empty:
            pass
        starter = self._starter
        if starter is not None and starter.is_gone:
            self._theme.root.destroy()
            return
        if starter is not None and not starter.host.is_running and not self._is_host_gone:
            self._on_host_gone(starter.host)
        if self._client is not None or starter is not None:
            self._ticker.schedule(POLL_MS)

    def _on_news(self, client: JoinClient, news: JoinNews) -> None:
        match news:
            case Joined(introduction):
                self._join(client, introduction)
            case AwaitingSession():
                self._await_session()
            case LinkLost(reason, _):
                self._show_link(LinkState(is_lost=True, reason=reason))
            case LinkRestored():
                self._show_link(LinkState())
            case EntriesNotSent(_, sentence):
                self._show_note(sentence)
            case JoinRefused(sentence):
                self._on_refused(sentence)

    def _join(self, client: JoinClient, introduction: SessionIntroduction) -> None:
        self._link, self._role = LinkState(), introduction.role
        match introduction.role.kind, client.seat:
            case RoleKind.SEAT, ParticipantSeat() as seat:
                if introduction.shows_briefing and seat.updates.empty():
                    self._theme.root.after(
                        FIRST_UPDATE_MS, lambda: self._open_seat(client, introduction, seat)
                    )
                else:
                    self._open_seat(client, introduction, seat)
            case RoleKind.WIZARD, ParticipantSeat() as seat:
                self._open_wizard(client, introduction, seat)
            case _:
                self._open_console(client, introduction)

    def _await_session(self) -> None:
        if self._is_over:
            return  # the result stays until the next session begins
        self._show_waiting()

    def _show_waiting(self) -> None:
        translate = self._theme.translate
        self._navigator.show(
            lambda: MessageScreen(
                self._theme,
                translate("You are connected. Please wait for the session to begin."),
                details=[translate("This window continues by itself.")],
            )
        )
        self._announcer.announce("awaiting_next_session")

    def _show_wizards_end(self) -> None:
        translate = self._theme.translate
        self._shows_end = True
        self._navigator.show(
            lambda: MessageScreen(
                self._theme,
                translate("You’re done with this session."),
                details=[
                    translate("If another session begins, this window continues by itself."),
                    translate("Otherwise you can close it."),
                ],
            )
        )
        self._announcer.announce("wizard_done")

    def _show_link(self, link: LinkState) -> None:
        self._link = link
        screen, translate = self._navigator.current, self._theme.translate
        if isinstance(screen, TableScreen):
            screen.show_link(link)
        elif isinstance(screen, ConsoleScreen):
            lost = translate("The connection is lost. Trying again…")
            reason = localized_refusal(link.reason, translate)
            screen.show_link(f"{lost} {reason}".strip() if link.is_lost else "")
        elif link.is_lost and isinstance(screen, MessageScreen) and not self._is_over:
            self._navigator.show(
                lambda: MessageScreen(
                    self._theme,
                    translate("The connection is lost. Trying again…"),
                    details=[localized_refusal(link.reason, translate)],
                )
            )
        self._announcer.announce("link", lost=link.is_lost, reason=link.reason)

    def _show_note(self, sentence: str) -> None:
        screen = self._navigator.current
        if isinstance(screen, TableScreen):
            screen.show_note(localized_refusal(sentence, self._theme.translate))

    def _on_refused(self, sentence: str) -> None:
        """Show why the window is not connected any more; a finished session stays readable."""
        client, self._client = self._client, None
        if client is not None:
            client.stop()
        self._announcer.announce("join_refused", text=sentence)
        screen = self._navigator.current
        if isinstance(screen, ConsoleScreen):
            # A session that is over stays readable, whether its host has ended or not.
            if not self._is_over:
                translate = self._theme.translate
                screen.show_link(f"{localized_refusal(sentence, translate)} {translate(JOIN_AGAIN)}")
        elif isinstance(screen, TableScreen) or self._starter is not None:
            if not self._is_over:
                self._show_end_of_link(sentence)
        elif not self._is_over:
            self._ask(sentence)

    def _show_end_of_link(self, sentence: str) -> None:
        translate = self._theme.translate
        text = localized_refusal(sentence, translate)
        is_person = self._role is None or self._role.kind is RoleKind.SEAT
        hint = "Please call the experimenter." if is_person and self._is_participant else JOIN_AGAIN
        self._shows_end = True
        self._navigator.show(lambda: MessageScreen(self._theme, text, details=[translate(hint)]))

    def _on_host_gone(self, host: HostState) -> None:
        """Show that the host of this window has ended before its session was over."""
        self._is_host_gone = True
        if host.is_log_over or self._is_over:
            return
        self.stop()
        self._client = None
        translate = self._theme.translate
        details = []
        if host.log:
            command = f"negoplatform play --resume {Path(host.log).parent} --listen"
            details = [
                translate("Everything so far is saved: {log}", log=displayable(host.log)),
                translate(
                    "For the experimenter: to continue the session, type “{command}”.", command=command
                ),
            ]
        self._navigator.show(
            lambda: MessageScreen(
                self._theme,
                translate(
                    "The session has stopped, because its host has ended. Please call the experimenter."
                ),
                details=details,
            )
        )
        self._announcer.announce("host_gone", log=host.log)

    @property
    def _is_over(self) -> bool:
        """Whether the window shows something of a session that is over, such as its result."""
        screen = self._navigator.current
        if isinstance(screen, TableScreen):
            return not screen.running
        if isinstance(screen, ConsoleScreen):
            return screen.session.status.finished
        return self._shows_end

    # The screens of the roles

    def _open_seat(
        self, client: JoinClient, introduction: SessionIntroduction, seat: ParticipantSeat
    ) -> None:
        if client is not self._client or client.seat is not seat:
            return
        translate = self._theme.translate
        words = game_words(seat.game.mechanism)
        names = introduction.names
        started = not seat.updates.empty()
        debriefed = {source: names[source] for source, _ in introduction.debriefings if source in names}

        def finish() -> None:
            screen = self._navigator.current
            result = screen.result_text if isinstance(screen, TableScreen) else ""
            self._shows_end = True
            self._debriefing.run(
                seat,
                introduction.debriefings,
                debriefed,
                lambda: self._end_pages.after_end(words, result, participant=self._is_participant),
            )

        def leave() -> None:
            self._shows_end = True
            self.stop()
            self._end_pages.after_leaving(words, participant=self._is_participant)

        def practise() -> None:
            self._practice.begin(lambda _result: show(shows_briefing=True))

        def show(*, shows_briefing: bool) -> None:
            inputs = TableScreenInputs(
                seat,
                names,
                make_workbench(seat.game),
                _avatars(introduction),
                pictures=self._pictures(seat),
                saved_draft=introduction.saved_draft,
                shows_briefing=shows_briefing,
                leave_label=translate("Leave"),
                on_practise=practise if seat.game.mechanism == BARGAINING else None,
            )
            self._show_table(inputs, finish, leave)

        show(shows_briefing=self._shows_briefing and introduction.shows_briefing and not started)
        self._announce(introduction)

    def _open_wizard(
        self, client: JoinClient, introduction: SessionIntroduction, seat: ParticipantSeat
    ) -> None:
        inputs = TableScreenInputs(
            seat,
            introduction.names,
            make_workbench(seat.game),
            _avatars(introduction),
            pictures=self._pictures(seat),
            wizard=WizardPanelInputs(client.items, client.send),
        )
        self._show_table(inputs, self._show_wizards_end)
        self._announce(introduction)

    def _open_console(self, client: JoinClient, introduction: SessionIntroduction) -> None:
        session, items = WatchedSession(introduction, self._theme.translate), client.items
        self._shows_end = False
        self._navigator.show(
            lambda: ConsoleScreen(self._theme, session, items, announcer=self._announcer, report=self._report)
        )
        self._announce(introduction)

    def _show_table(
        self,
        inputs: TableScreenInputs,
        on_done: Callable[[], None],
        on_leave: Callable[[], None] = lambda: None,
    ) -> None:
        self._shows_end = False
        screen = TableScreen(
            self._theme,
            inputs,
            announcer=self._announcer,
            on_appearance=self._on_appearance,
            on_done=on_done,
            on_leave=on_leave,
        )
        self._navigator.replace(screen)
        if self._link.is_lost:
            screen.show_link(self._link)
        self.on_session()

    def _announce(self, introduction: SessionIntroduction) -> None:
        role = introduction.role
        self._announcer.announce("joined", role=role.kind.value, seat=role.seat or "")

    def _pictures(self, seat: ParticipantSeat) -> GamePictureSet:
        game, folder = seat.game, None
        if custom_picture_names(game):
            # Found by its name alone: a file of a game has what this seat may not see.
            files = plugin_files("games", self._data_dir)
            folder = next((file.parent for file in files if file.stem == game.name), None)
        found = load_pictures(game, folder)
        for problem in found.problems:
            self._report(NegoError(problem))
        return found


def _avatars(introduction: SessionIntroduction) -> dict[Seat, Avatar]:
    """Return the drawn portraits that agents have chosen; pictures of their own are not sent to windows."""
    return {
        seat: load_avatar(named, None, name=introduction.names[seat])
        for seat, named in introduction.avatars.items()
    }
