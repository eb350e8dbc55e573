"""Work on a background thread, with its result delivered on the window's thread."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import TypeVar

from negoplatform.domain.errors import NegoError
from negoplatform.presentation.i18n import Language

POLL_MS = 16

T = TypeVar("T")


def in_background(
    root: tk.Misc,
    work: Callable[[], T],
    done: Callable[[T], None],
    failed: Callable[[str], None],
    *,
    report: Callable[[BaseException], object],
    translate: Language,
) -> None:
    """Run a task on a daemon thread, and deliver its result on the window's thread.

    Args:
        root: Root window.
        work: Task to run on the background thread.
        done: Called with the task's result.
        failed: Called with a sentence for the user if the task or ``done`` fails.
        report: Called with an unexpected error.
        translate: Translation into the language of that sentence.
    """
    results: SimpleQueue[T | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # noqa: BLE001 - passed to the window's thread and handled there
            results.put(error)

    def poll() -> None:
        if results.empty():
            root.after(POLL_MS, poll)
            return
        result = results.get()
        if isinstance(result, BaseException):
            fail(result)
            return
        try:
            done(result)
        except Exception as error:  # noqa: BLE001 - else the window would look busy for ever
            fail(error)

    def fail(error: BaseException) -> None:
        if isinstance(error, NegoError):
            failed(str(error))
            return
        report(error)
        if isinstance(error, OSError):
            # The system's own message describes a missing permission or a full disk best.
            file, why = error.filename, error.strerror or error
            failed(
                translate("{file}: this can’t be used ({why}).", file=file, why=why)
                if file
                else translate("This can’t be used ({why}).", why=why)
            )
            return
        failed(translate("Something went wrong inside NegoPlatform ({error}).", error=type(error).__name__))

    Thread(target=run, name="background", daemon=True).start()
    # Not before this call returns: a quick failure could close the window that is being made.
    root.after(0, poll)
