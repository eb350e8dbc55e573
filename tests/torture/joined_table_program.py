"""Process of a study's kind: the session, the server that others join, and the person's window in one.

``python -m tests.torture.joined_table_program FOLDER AGENT`` writes the port and the codes of the others to
``FOLDER/hosting.json``, runs until ``FOLDER/stop`` exists, and writes its measurements to
``FOLDER/person.json``.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

from negoplatform.app.joining.join_codes import draw_code
from negoplatform.app.joining.join_server import JoinServer
from negoplatform.app.session.agent_setup import prepare_in_subprocess, starting_output_path
from negoplatform.app.session.session_plan import SessionPlan
from negoplatform.app.session.session_start import SESSIONS, OpenSession
from negoplatform.app.session.windows.session_feed import JoinRole, RoleKind
from negoplatform.domain.joining_settings import WizardMode, WizardSettings
from negoplatform.domain.seat_map import SeatMap
from negoplatform.formats.games import load_game
from negoplatform.gui.shell import application as window
from negoplatform.gui.shell.window_startup import make_theme
from negoplatform.plugins.agent_loader import AgentPlugin, hash_of
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.appearance import Appearance
from negoplatform.presentation.start.launch_options import LaunchOptions
from tests.torture.joined_window_program import BEAT_MS, Measured

PERSON, AGENT, SECOND = "parent", "gardener", "carpenter"

ROLES = {
    "wizard": JoinRole(RoleKind.WIZARD, AGENT),
    SECOND: JoinRole(RoleKind.SEAT, SECOND),
    "public": JoinRole(RoleKind.PUBLIC),
}


class OneProcess(window.Application):
    """Window with one session that others join.

    Args:
        folder: The folder of all files.
        agent: The agent's file.
    """

    def __init__(self, folder: Path, agent: Path) -> None:
        appearance = Appearance(reduce_motion=True)
        super().__init__(
            folder / "data",
            LaunchOptions(briefing=False),
            announce=False,
            make_theme=lambda: make_theme(appearance),
        )
        self._folder, self._agent = folder, agent
        self._measured = Measured(folder / "stop")
        self._server: JoinServer | None = None
        self._is_stopping = False

    def finish(self) -> None:
        """Stop the server, and write the measurements."""
        if self._server is not None:
            self._server.stop()
        self._measured.write(self._folder / "person.json")

    def _show_first(self) -> None:
        self._navigator.run_in_background(self._made, self._meet, self._complain)

    def _made(self) -> OpenSession:
        game = load_game(bundled("games") / "three_way.json")
        rules = replace(game.rules, deadline_seconds=36_000.0, closing_seconds=0.5)
        game = replace(game, rules=rules)
        agent = prepare_in_subprocess(
            AgentPlugin("answering", "Agent", self._agent, hash_of(self._agent), ""),
            AGENT,
            {},
            game=game,
            seed=1,
            output=starting_output_path(self._data_dir / SESSIONS, AGENT),
        )
        plan = SessionPlan(
            game=game,
            seed=1,
            human_seat=PERSON,
            participant="P01",
            people={SECOND: "P02"},
            agents=SeatMap([(AGENT, agent)]),
            wizards={AGENT: WizardSettings(WizardMode.ASSISTED, 600.0)},
        )
        return self._open(plan)

    def _meet(self, session: OpenSession) -> None:
        self._start_session(session)
        live = self._tables._open[-1][0]
        codes = {name: draw_code() for name in ROLES}
        self._server = JoinServer(
            "127.0.0.1", 0, {ROLES[name]: code for name, code in codes.items()}, report=self._complain_of
        )
        self._server.start()
        self._server.serve(live)
        facts = {"port": self._server.port, "codes": codes, "log": str(session.log.path)}
        half = self._folder / "hosting.part"
        half.write_text(json.dumps(facts), encoding="utf-8")
        half.replace(self._folder / "hosting.json")
        self._beat()

    def _beat(self) -> None:
        if not self._measured.beat(self._navigator.current):
            self._theme.root.after(BEAT_MS, self._beat)
        elif not self._is_stopping:
            self._is_stopping = True
            self._navigator.run_in_background(
                self._stop_session, lambda _none: self._theme.root.destroy(), self._complain
            )

    def _stop_session(self) -> None:
        for live, _ in self._tables._open:
            live.stop(30.0)

    def _complain(self, problem: str) -> None:
        print(problem, file=sys.stderr)
        self._theme.root.destroy()

    def _complain_of(self, error: BaseException) -> None:
        print(repr(error), file=sys.stderr)


def main() -> None:
    """Run as the command line says."""
    program = OneProcess(Path(sys.argv[1]), Path(sys.argv[2]))
    program.run()
    program.finish()


if __name__ == "__main__":
    main()
