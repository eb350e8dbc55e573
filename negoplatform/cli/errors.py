"""The last door: what goes wrong leaves the program as a sentence and an exit code, never as a traceback."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from negoplatform.app.support.console_fallback import keep_output
from negoplatform.cli.run_context import Places
from negoplatform.domain.errors import NegoError


class LastDoor:
    """Says what went wrong: to the terminal, and in a window of its own where there is none.

    Args:
        places: Where this run keeps things.
        announce: Whether tests are told what that window shows.
    """

    def __init__(self, places: Places, *, announce: bool) -> None:
        self.places = places
        self._announce = announce
        keep_output(lambda: places.data_dir / "crashes")

    def out_of(self, work: Callable[[], int]) -> int:
        """Does something; its exit code, or that of what went wrong."""
        try:
            return work()
        except NegoError as error:
            return self.say(str(error), 1)
        except BrokenPipeError:
            return 1
        except OSError as error:
            # A name too long, a folder without permission, a full disk: the system says it best.
            about = f"{error.filename}: " if error.filename else ""
            return self.say(f"{_shortened(str(about))}this cannot be used ({error.strerror or error}).", 1)
        except Exception as error:  # noqa: BLE001 - the trace goes to a file, a sentence to the user
            return self.say(self._unforeseen(error), 70)

    def say(self, sentence: str, code: int) -> int:
        """Says it, and gives the exit code back."""
        # A name may be as long as it likes; the sentence is about what is wrong with it.
        readable = " ".join(_shortened(word) for word in sentence.split(" "))
        self.tell(readable)
        if self.places.in_window and not has_terminal():
            _show(readable, self.places.data_dir_if_any, announce=self._announce)
        return code

    def tell(self, sentence: str) -> None:
        """Prints it."""
        # Loaded when there is something to say: it comes with a library that the first window does not need.
        from negoplatform.cli.output import tell

        tell(f"negoplatform: {sentence}", err=True)

    def _unforeseen(self, error: Exception) -> str:
        from negoplatform.app.support.crash_reports import CrashFolder

        data_dir = self.places.data_dir_if_any
        crash = CrashFolder(None if data_dir is None else data_dir / "crashes").write(error)
        where = f" The details are in {crash}." if crash else ""
        return f"Something went wrong inside NegoPlatform ({type(error).__name__}).{where}"


def has_terminal() -> bool:
    """Whether anybody reads what is printed: a double click leaves the program no terminal."""
    return any(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr))


def _show(sentence: str, data_dir: Path | None, *, announce: bool) -> None:
    """Shows what was said in a window; where none can be opened, it has been printed."""
    with suppress(ImportError, NegoError):
        from negoplatform.gui.shell.error_window import show_error

        show_error(sentence, data_dir, announce=announce)


def _shortened(text: str) -> str:
    return text if len(text) <= 200 else f"{text[:100]} … {text[-90:]}"
