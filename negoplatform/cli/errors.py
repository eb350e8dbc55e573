"""Outermost error handler: every error ends the program with a sentence and an exit code, not a traceback."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TextIO

from negoplatform.app.support.console_fallback import ensure_stdio, write_utf8
from negoplatform.cli.run_context import RunContext
from negoplatform.domain.errors import NegoError

CRASHED = 70
"""Exit code after an error of the program itself."""


class ErrorHandler:
    """Reporter of errors: in the terminal, or in a window if the program has no terminal.

    Args:
        context: The folders of this run.
        announce: Whether the contents of that window are printed for tests.
    """

    def __init__(self, context: RunContext, *, announce: bool) -> None:
        self.context = context
        self._announce = announce
        if os.name == "nt":
            write_utf8(sys.stdout, sys.stderr)
        ensure_stdio(lambda: context.data_dir / "crashes")

    def run_guarded(self, work: Callable[[], int]) -> int:
        """Run a function and return its exit code, or the exit code of its error."""
        try:
            return work()
        except NegoError as error:
            return self.report(str(error), 1)
        except BrokenPipeError:
            return 1
        except OSError as error:
            # A name too long, a folder without permission, a full disk: the system's own message is best.
            about = f"{error.filename}: " if error.filename else ""
            return self.report(f"{_shortened(str(about))}this cannot be used ({error.strerror or error}).", 1)
        except Exception as error:  # noqa: BLE001 - the trace goes to a file, a sentence to the user
            return self.report(self._report_crash(error), CRASHED)

    def report(self, sentence: str, code: int) -> int:
        """Report an error and return the exit code."""
        # A name may be arbitrarily long; the sentence has to stay readable.
        readable = " ".join(_shortened(word) for word in sentence.split(" "))
        self.print_error(readable)
        if self.context.opens_window and not has_terminal():
            _show_in_window(
                readable, self.context.data_dir_or_none, is_crash=code == CRASHED, announce=self._announce
            )
        return code

    def print_error(self, sentence: str) -> None:
        """Print an error message."""
        # Imported only for an error: click is a library that the start window does not need.
        from negoplatform.cli.terminal_output import echo_line

        echo_line(f"negoplatform: {sentence}", err=True)

    def _report_crash(self, error: Exception) -> str:
        from negoplatform.app.support.crash_reports import CrashFolder

        data_dir = self.context.data_dir_or_none
        crash = CrashFolder(None if data_dir is None else data_dir / "crashes").write(error)
        where = f" The details are in {crash}." if crash else ""
        return f"Something went wrong inside NegoPlatform ({type(error).__name__}).{where}"


def has_terminal() -> bool:
    """Return whether printed text is visible: a program started by a double click has no terminal."""
    return any(_is_terminal(stream) for stream in (sys.stdin, sys.stdout, sys.stderr))


def _is_terminal(stream: TextIO | None) -> bool:
    if stream is None or not stream.isatty():
        return False
    if sys.platform == "win32":
        # The null device, which a launcher may give the program, passes for a terminal there.
        import ctypes
        import msvcrt

        handle, mode = msvcrt.get_osfhandle(stream.fileno()), ctypes.c_ulong()
        return bool(ctypes.windll.kernel32.GetConsoleMode(ctypes.c_void_p(handle), ctypes.byref(mode)))
    return True


def _show_in_window(sentence: str, data_dir: Path | None, *, is_crash: bool, announce: bool) -> None:
    """Show a message in a window; without a display the printed message is the only one."""
    with suppress(ImportError, NegoError):
        from negoplatform.gui.shell.fatal_error_window import show_error

        show_error(sentence, data_dir, is_crash=is_crash, announce=announce)


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:100]} … {text[-90:]}"
