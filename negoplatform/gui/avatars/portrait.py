"""A face on the window that changes, blinks and looks about."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.avatars import framed, picture_of
from negoplatform.gui.avatars.face import FACES, Face, blinked, mix, paint_portrait
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.characters import CHARACTERS, Character

STEPS, STEP_MS = 9, 33
"""How many frames a change of expression has, and how long each is shown."""

BLINK_SECONDS = (3.0, 6.0)
"""The shortest and the longest time between two blinks."""

GLANCES = 0.15
"""How often there is a look to one side in place of a blink."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A moment of a movement: what the face does, and for how many milliseconds."""

    face: Face
    ms: int


@dataclass(frozen=True, slots=True)
class Fade:
    """A moment between two of an agent's own pictures: how much of the second shows, 0 to 1."""

    first: Image.Image
    second: Image.Image
    share: float
    ms: int = STEP_MS


def change(first: Face, second: Face) -> list[Frame]:
    """From one expression to another: slow, quick, slow; the last frame is the second exactly."""
    return [Frame(mix(first, second, _eased(step / STEPS)), STEP_MS) for step in range(1, STEPS + 1)]


def blink(face: Face) -> list[Frame]:
    """The eyes fall shut and open again."""
    return [
        *(Frame(blinked(face, share), ms) for share, ms in ((0.6, 35), (1.0, 60), (0.45, 40))),
        Frame(face, 0),
    ]


def glance(face: Face, side: int) -> list[Frame]:
    """A look to one side, -1 or 1, and back."""
    away = replace(face, gaze=0.7 * side)
    shown = ((0.5, STEP_MS), (1.0, 900), (0.5, STEP_MS))
    return [*(Frame(mix(face, away, share), ms) for share, ms in shown), Frame(face, 0)]


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


class Portrait:
    """Shows somebody's face. A timer runs only while it is seen, and one only: for the next frame or blink.

    Args:
        parent: Where it is put.
        theme: Its looks.
        size: Across and down, for 96 dpi.
        ground: The colour around the round; a card's unless given.
        character: Who it is.
    """

    def __init__(
        self,
        parent: tk.Misc,
        theme: Theme,
        size: float,
        *,
        ground: str = "",
        character: Character = CHARACTERS["rowan"],
    ) -> None:
        self._theme = theme
        self._size = theme.px(size)
        self._ground = ground or theme.colours.card
        self._character = character
        self._own: Mapping[Expression, Image.Image] = {}
        self._chance = Random()
        self._expression = Expression.NEUTRAL
        self._shown: Frame | Fade | None = None
        self._plan: list[Frame | Fade] = []
        self._ready: Image.Image | None = None
        self._timer = self._idle = ""
        self._picture = theme.picture(Image.new("RGB", (self._size, self._size), self._ground))
        self.frame = tk.Label(parent, image=self._picture, bg=self._ground, bd=0, padx=0, pady=0)
        self.frame.bind("<Destroy>", lambda _event: self._stop())
        self.frame.bind("<Unmap>", lambda _event: self._stop())
        # The second is told when what it lies in comes back into sight.
        for event in ("<Map>", "<Visibility>"):
            self.frame.bind(event, lambda _event: self._seen())
        self._jump()

    def use(self, pictures: Mapping[Expression, Image.Image]) -> None:
        """Shows an agent's own pictures; for a missing one the neutral, without that somebody drawn."""
        self._own = {
            expression: framed(picture, self._size, self._ground) for expression, picture in pictures.items()
        }
        self._jump()

    def show(self, expression: Expression) -> None:
        """Moves to an expression; what is shown already costs nothing."""
        if expression is self._expression:
            return
        before, self._expression = self._expression, expression
        if self._theme.reduce_motion or not self.frame.winfo_viewable():
            self._jump()
            return
        self._stop()
        first, second = picture_of(self._own, before), picture_of(self._own, expression)
        if first is not None and second is not None:
            self._plan = [Fade(first, second, _eased(step / STEPS)) for step in range(1, STEPS + 1)]
        elif first is not None or second is not None:
            self._jump()
            return
        else:
            # From where the face is now, which may be on its way to somewhere else.
            now = self._shown.face if isinstance(self._shown, Frame) else FACES[before]
            self._plan = list(change(now, FACES[expression]))
        self._follow(0)

    def _jump(self) -> None:
        """Shows the expression at once."""
        self._stop()
        self._put(self._at_rest(), None)
        self._wait_to_blink()

    def _seen(self) -> None:
        """It came into sight, perhaps after it was hidden in the middle of a movement."""
        if not self._timer:
            rest = self._at_rest()
            if self._shown != rest:
                self._put(rest, None)
            self._wait_to_blink()

    def _at_rest(self) -> Frame | Fade:
        own = picture_of(self._own, self._expression)
        return Frame(FACES[self._expression], 0) if own is None else Fade(own, own, 1.0)

    def _follow(self, ms: int) -> None:
        """Shows the next frame after a time, and draws it before, when nothing else is to do."""
        self._ready = None
        self._timer = self.frame.after(max(1, ms), self._next)
        self._idle = self.frame.after_idle(self._prepare)

    def _prepare(self) -> None:
        self._idle = ""
        if self._plan and self._ready is None:
            self._ready = self._drawn(self._plan[0])

    def _next(self) -> None:
        self._timer = ""
        self._drop_idle()
        moment = self._plan.pop(0)
        self._put(moment, self._ready)
        if self._plan:
            self._follow(moment.ms)
        else:
            self._wait_to_blink()

    def _wait_to_blink(self) -> None:
        still = self._theme.reduce_motion or isinstance(self._shown, Fade)
        if self._timer or still or not self.frame.winfo_viewable():
            return
        self._timer = self.frame.after(round(1000 * self._chance.uniform(*BLINK_SECONDS)), self._blink)

    def _blink(self) -> None:
        self._timer = ""
        if not self.frame.winfo_viewable():
            return  # it goes on when it is seen again
        face, looks_about = FACES[self._expression], self._chance.random() < GLANCES
        self._plan = list(glance(face, self._chance.choice((-1, 1))) if looks_about else blink(face))
        self._follow(STEP_MS)

    def _put(self, moment: Frame | Fade, drawn: Image.Image | None) -> None:
        self._shown = moment
        self._picture.paste(self._drawn(moment) if drawn is None else drawn)

    def _drawn(self, moment: Frame | Fade) -> Image.Image:
        if isinstance(moment, Fade):
            return Image.blend(moment.first, moment.second, moment.share)
        return paint_portrait(self._character, moment.face, self._size, self._ground)

    def _stop(self) -> None:
        """Nothing moves any more; what was on its way is left as it is."""
        self._drop_idle()
        self._plan, self._ready = [], None
        if self._timer:
            self.frame.after_cancel(self._timer)
            self._timer = ""

    def _drop_idle(self) -> None:
        if self._idle:
            self.frame.after_cancel(self._idle)
            self._idle = ""
