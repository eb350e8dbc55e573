"""Work that takes its time, on a thread of its own; what comes of it is taken up on the window's."""

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
    """Does something beside the window.

    Args:
        root: The window.
        work: What is done.
        done: Is given what came of it.
        failed: Is given the sentence, if it could not be done.
        report: Is given an error that should not be.
        say: The language of the sentence about that.
    """
    results: SimpleQueue[T | BaseException] = SimpleQueue()

    def run() -> None:
        try:
            results.put(work())
        except BaseException as error:  # noqa: BLE001 - handed over, and dealt with on the window's thread
            results.put(error)

    def look() -> None:
        if results.empty():
            root.after(POLL_MS, look)
            return
        result = results.get()
        if isinstance(result, BaseException):
            fail(result)
            return
        try:
            done(result)
        except Exception as error:  # noqa: BLE001 - or the window would say for ever that it is at work
            fail(error)

    def fail(error: BaseException) -> None:
        if isinstance(error, NegoError):
            failed(str(error))
            return
        report(error)
        if isinstance(error, OSError):
            # A folder without permission, a full disk: the system says it best.
            file, why = error.filename, error.strerror or error
            failed(
                translate("{file}: this can’t be used ({why}).", file=file, why=why)
                if file
                else translate("This can’t be used ({why}).", why=why)
            )
            return
        failed(translate("Something went wrong inside NegoPlatform ({error}).", error=type(error).__name__))

    Thread(target=run, name="background", daemon=True).start()
    look()
