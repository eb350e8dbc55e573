"""A key that is held, trembles, or was pressed too soon confirms nothing."""

from __future__ import annotations

from negoplatform.presentation.key_debounce import SecondPress


def pressed_and_shown(*, at: float = 10.0) -> SecondPress:
    """Enter went down at second ``at``, and something appeared."""
    press = SecondPress()
    press.counts(int(at * 1000), at)
    press.shown(at)
    return press


def test_a_press_of_its_own_after_a_while_counts() -> None:
    press = pressed_and_shown()
    press.let_go(10_080)

    assert press.counts(11_100, 11.1)


def test_a_press_right_after_counts_not() -> None:
    press = pressed_and_shown()
    press.let_go(10_080)

    assert not press.counts(10_900, 10.9)


def test_a_key_that_was_never_let_go_counts_not() -> None:
    press = pressed_and_shown()

    assert not press.counts(12_000, 12.0)


def test_a_held_key_as_x11_tells_it_counts_not_however_long() -> None:
    press = pressed_and_shown()

    counted = []
    for ms in range(10_500, 14_000, 33):
        press.let_go(ms)
        counted.append(press.counts(ms, ms / 1000))

    assert not any(counted)


def test_a_held_key_counts_once_it_was_let_go_and_pressed_again() -> None:
    press = pressed_and_shown()
    press.let_go(11_500)
    press.counts(11_500, 11.5)
    press.let_go(11_533)

    assert press.counts(11_700, 11.7)


def test_after_a_while_elsewhere_the_first_press_counts() -> None:
    press = pressed_and_shown()  # let go where nobody saw it

    press.left()

    assert press.counts(12_000, 12.0)
