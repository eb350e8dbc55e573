"""Background tasks of the window, each of which ends with a message or a result."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from negoplatform.domain.errors import NegoError
from negoplatform.gui.widgets import background_task
from negoplatform.gui.widgets.background_task import in_background
from negoplatform.presentation.i18n import ENGLISH


class Clock:
    """Timer that calls at once, where a window would call a little later."""

    def after(self, _ms: int, call: Callable[[], None]) -> None:
        call()


def told(work: Callable[[], object], done: Callable[[object], None]) -> tuple[list[str], list[str]]:
    """Return the sentences shown and the errors reported."""
    root: Any = Clock()
    sentences: list[str] = []
    kept: list[str] = []
    in_background(
        root,
        work,
        done,
        sentences.append,
        report=lambda error: kept.append(type(error).__name__),
        translate=ENGLISH,
    )
    return sentences, kept


def fails(error: Exception) -> Callable[..., None]:
    def fail(*_given: object) -> None:
        raise error

    return fail


INSIDE = "Something went wrong inside NegoPlatform (KeyError)."


@pytest.mark.parametrize(
    ("error", "sentences", "kept"),
    [
        (NegoError("There is no such log."), ["There is no such log."], []),
        (KeyError("x"), [INSIDE], ["KeyError"]),
        (
            PermissionError(13, "Permission denied", "/home/data"),
            ["/home/data: this can’t be used (Permission denied)."],
            ["PermissionError"],
        ),
        (OSError(28, "No space left"), ["This can’t be used (No space left)."], ["OSError"]),
    ],
)
@pytest.mark.parametrize("late", [False, True])
def test_whatever_fails_is_said(error: Exception, sentences: list[str], kept: list[str], late: bool) -> None:
    """Raise in the task, or, if late, once the task is done and its result is to be shown."""
    found = told(*((int, fails(error)) if late else (fails(error), print)))

    assert found == (sentences, kept)


def test_what_comes_of_it_is_handed_over() -> None:
    shown: list[object] = []

    assert (told(lambda: "the log", shown.append), shown) == (([], []), ["the log"])


def test_a_result_that_is_there_at_once_comes_after_the_call_has_returned(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Call nothing back inside the call: the window may not be complete yet, and a failure closes it."""

    class QuickThread:
        def __init__(self, target: Callable[[], None], **_more: object) -> None:
            self.start = target

    later: list[Callable[[], None]] = []
    root: Any = type("Root", (), {"after": lambda _self, _ms, call: later.append(call)})()
    results: list[object] = []
    monkeypatch.setattr(background_task, "Thread", QuickThread)

    in_background(root, lambda: 3, results.append, pytest.fail, report=print, translate=ENGLISH)
    before = list(results)
    for call in later:
        call()

    assert before == []
    assert results == [3]
