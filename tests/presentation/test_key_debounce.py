"""A key that is held, bounces, or was pressed too early confirms nothing."""

from __future__ import annotations

from negoplatform.presentation.key_debounce import KeyDebounce


def pressed_and_shown(*, at: float = 10.0) -> KeyDebounce:
    """Return a debouncer for which Enter went down at second ``at``, and a view was shown."""
    press = KeyDebounce()
    press.is_confirmation(int(at * 1000), at)
    press.on_shown(at)
    return press


def test_a_press_of_its_own_after_a_while_counts() -> None:
    press = pressed_and_shown()
    press.on_release(10_080)

    assert press.is_confirmation(11_100, 11.1)


def test_a_press_right_after_counts_not() -> None:
    press = pressed_and_shown()
    press.on_release(10_080)

    assert not press.is_confirmation(10_900, 10.9)


def test_a_key_that_was_never_let_go_counts_not() -> None:
    press = pressed_and_shown()

    assert not press.is_confirmation(12_000, 12.0)


def test_a_held_key_as_x11_tells_it_counts_not_however_long() -> None:
    press = pressed_and_shown()

    counted = []
    for ms in range(10_500, 14_000, 33):
        press.on_release(ms)
        counted.append(press.is_confirmation(ms, ms / 1000))

    assert not any(counted)


def test_a_held_key_counts_once_it_was_let_go_and_pressed_again() -> None:
    press = pressed_and_shown()
    press.on_release(11_500)
    press.is_confirmation(11_500, 11.5)
    press.on_release(11_533)

    assert press.is_confirmation(11_700, 11.7)


def test_after_a_while_elsewhere_the_first_press_counts() -> None:
    press = pressed_and_shown()  # released outside the window

    press.reset()

    assert press.is_confirmation(12_000, 12.0)
