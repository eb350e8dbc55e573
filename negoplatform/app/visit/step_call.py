"""Pages and programs that a call of a study opens, with the participant's code filled in."""

from __future__ import annotations

import subprocess
import webbrowser
from collections.abc import Mapping
from urllib.parse import quote

from negoplatform.app.study.study_folder import StudyFolder
from negoplatform.domain.errors import NegoError
from negoplatform.plugins.program_and_user_folders import system_environment
from negoplatform.study.assignment import keyed_hex
from negoplatform.study.stages import CallStage
from negoplatform.study.study_file import cell_name
from negoplatform.study.visit_state import VisitState


def cell_token(state: VisitState) -> str:
    """Return the token of a visit's cell: 8 hex digits that do not name it; empty if there is none."""
    if state.assigned is None:
        return ""
    return keyed_hex(state.model.design.seed, f"cell\x1f{cell_name(state.assigned.cell)}")[:8]


def call_values(state: VisitState) -> dict[str, str]:
    """Return the placeholders of a call's address or arguments, with their values."""
    header = state.header
    return {"code": header.code, "visit": header.visit, "cell_token": cell_token(state)}


def call_url(stage: CallStage, state: VisitState) -> str:
    """Return the address of a call's page."""
    assert stage.url is not None, "the call has a page"
    return _filled(stage.url, {name: quote(value, safe="") for name, value in call_values(state).items()})


def call_program(stage: CallStage, state: VisitState, folder: StudyFolder) -> list[str]:
    """Return the arguments of a call's program; a program in the study's folder is named by its full path.

    Raises:
        InputFileError: If such a program of a frozen study was changed.
    """
    assert stage.program is not None, "the call has a program"
    program, *arguments = stage.program
    own = folder.root / program
    # A name need not be absolute to lead elsewhere: on Windows \tools\task.exe is not.
    if own.is_file() and own.is_relative_to(folder.root):
        folder.check_unchanged(own)
    values = call_values(state)
    return [str(own.resolve()) if own.is_file() else program, *(_filled(one, values) for one in arguments)]


def _filled(text: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        text = text.replace(f"{{{name}}}", value)
    return text


def open_page(url: str) -> None:
    """Open a page in the browser; slow.

    Raises:
        NegoError: If this computer has no browser.
    """
    if not webbrowser.open(url, new=1):
        raise NegoError(f"No browser could be opened for {url}. Please call the experimenter.")


def run_program(arguments: list[str], folder: StudyFolder) -> int:
    """Run a program until it ends, without a shell, and return its exit code.

    Raises:
        NegoError: If it cannot be started.
    """
    try:
        ended = subprocess.run(
            arguments,
            cwd=folder.root,
            env=system_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            check=False,
        )
    except OSError as error:
        raise NegoError(
            f"The program {arguments[0]} cannot be started ({error.strerror}). Please call the experimenter."
        ) from None
    return ended.returncode
