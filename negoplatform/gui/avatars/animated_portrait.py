"""Animated face in the window: it changes its expression, blinks and glances."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random

from PIL import Image

from negoplatform.core.events import Expression
from negoplatform.gui.avatars.agent_avatar import crop_to_circle, picture_for
from negoplatform.gui.avatars.face_drawing import paint_portrait
from negoplatform.gui.avatars.face_parameters import (
    Face,
    blinking_face,
    face_at_intensity,
    interpolate_faces,
)
from negoplatform.gui.theming.theme import Theme
from negoplatform.presentation.agent_characters import CHARACTERS, Character
from negoplatform.presentation.face_mood import NEUTRAL_FACE, ShownFace

STEPS, STEP_MS = 9, 33
"""Frames in a change of expression, and duration of each in milliseconds."""

TURN_STEPS = 4
"""Frames in a change of the direction of the eyes alone."""

AHEAD = (0.0, 0.0)
"""Direction of eyes that look ahead, as the expression has them."""

BLINK_SECONDS = (3.0, 6.0)
"""Shortest and longest time between two blinks, in seconds."""

GLANCE_PROBABILITY = 0.15
"""Probability of a glance to one side instead of a blink."""


@dataclass(frozen=True, slots=True)
class FaceFrame:
    """Frame of a drawn animation: a face, and its duration in milliseconds."""

    face: Face
    ms: int


@dataclass(frozen=True, slots=True)
class PictureFade:
    """Frame of a fade between two pictures; ``share`` is the second one's part, from 0 to 1."""

    first: Image.Image
    second: Image.Image
    share: float
    ms: int = STEP_MS


def transition_frames(first: Face, second: Face, steps: int = STEPS) -> list[FaceFrame]:
    """Return the frames from one face to another, slow at both ends; the last is exactly the second face."""
    return [
        FaceFrame(interpolate_faces(first, second, _eased(step / steps)), STEP_MS)
        for step in range(1, steps + 1)
    ]


def with_eyes(face: Face, eyes: tuple[float, float]) -> Face:
    """Return a face whose eyes look in a direction: horizontally and vertically, from -1 to 1."""
    return replace(face, gaze=eyes[0], glance=eyes[1])


def blink_frames(face: Face) -> list[FaceFrame]:
    """Return the frames in which the eyes close and open again."""
    return [
        *(FaceFrame(blinking_face(face, share), ms) for share, ms in ((0.6, 35), (1.0, 60), (0.45, 40))),
        FaceFrame(face, 0),
    ]


def glance_frames(face: Face, side: int) -> list[FaceFrame]:
    """Return the frames of a glance to one side (-1 or 1) and back."""
    away = replace(face, gaze=0.7 * side)
    shown = ((0.5, STEP_MS), (1.0, 900), (0.5, STEP_MS))
    return [*(FaceFrame(interpolate_faces(face, away, share), ms) for share, ms in shown), FaceFrame(face, 0)]


def _eased(share: float) -> float:
    return share * share * (3 - 2 * share)


class Portrait:
    """Face of one side. The only timer is for the next frame or blink, and runs only while it is visible.

    Args:
        parent: Parent widget.
        theme: Theme of the window.
        size: Side in pixels at 96 dpi.
        ground: Colour around the disc; the card's by default.
        character: Character to draw.
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
        self._own_pictures: Mapping[Expression, Image.Image] = {}
        self._rng = Random()
        self._face = NEUTRAL_FACE
        self._eyes = AHEAD
        self._shown: FaceFrame | PictureFade | None = None
        self._pending_frames: list[FaceFrame | PictureFade] = []
        self._ready: Image.Image | None = None
        self._timer = self._idle = ""
        self._picture = theme.picture(Image.new("RGB", (self._size, self._size), self._ground))
        self.frame = tk.Label(parent, image=self._picture, bg=self._ground, bd=0, padx=0, pady=0)
        self.frame.bind("<Destroy>", lambda _event: self._stop())
        self.frame.bind("<Unmap>", lambda _event: self._stop())
        # <Visibility> reports that the containing widget is visible again.
        for event in ("<Map>", "<Visibility>"):
            self.frame.bind(event, lambda _event: self._on_visible())
        self._jump()

    def set_pictures(self, pictures: Mapping[Expression, Image.Image]) -> None:
        """Use an agent's own pictures; a missing one is replaced by the neutral one, or by a drawn face."""
        self._own_pictures = {
            expression: crop_to_circle(picture, self._size, self._ground)
            for expression, picture in pictures.items()
        }
        self._jump()

    def show(self, face: ShownFace, eyes: tuple[float, float] = AHEAD) -> None:
        """Change to a face; do nothing if it is shown already.

        Args:
            face: The face.
            eyes: Direction of the eyes, horizontally and vertically, from -1, left and up, to 1. Eyes of
                pictures do not move, nor do any with reduced motion.
        """
        eyes = AHEAD if self._theme.reduce_motion else eyes
        if (face, eyes) == (self._face, self._eyes):
            return
        before, self._face = self._face, face
        turned, self._eyes = eyes != self._eyes, eyes
        if self._theme.reduce_motion or not self.frame.winfo_viewable():
            self._jump()
            return
        first, second = picture_for(self._own_pictures, before), picture_for(self._own_pictures, face)
        if first is second and first is not None:
            return
        self._stop()
        if first is not None and second is not None:
            self._pending_frames = [
                PictureFade(first, second, _eased(step / STEPS)) for step in range(1, STEPS + 1)
            ]
        elif first is not None or second is not None:
            self._jump()
            return
        else:
            # Start from the current face, which may be in the middle of another change.
            rest = self._resting_face()
            now = self._shown.face if isinstance(self._shown, FaceFrame) else rest
            turns_only = turned and face == before
            self._pending_frames = list(transition_frames(now, rest, TURN_STEPS if turns_only else STEPS))
        self._schedule_next(0)

    def _jump(self) -> None:
        """Show the expression at once."""
        self._stop()
        self._draw_frame(self._resting_frame(), None)
        self._wait_to_blink()

    def _on_visible(self) -> None:
        """Resume after the portrait becomes visible, possibly after it was hidden during an animation."""
        if not self._timer:
            rest = self._resting_frame()
            if self._shown != rest:
                self._draw_frame(rest, None)
            self._wait_to_blink()

    def _resting_frame(self) -> FaceFrame | PictureFade:
        own = picture_for(self._own_pictures, self._face)
        return FaceFrame(self._resting_face(), 0) if own is None else PictureFade(own, own, 1.0)

    def _resting_face(self) -> Face:
        face = face_at_intensity(self._face.expression, self._face.intensity)
        return face if self._eyes == AHEAD else with_eyes(face, self._eyes)

    def _schedule_next(self, ms: int) -> None:
        """Show the next frame after a time; draw it before, when Tk is idle."""
        self._ready = None
        self._timer = self.frame.after(max(1, ms), self._next)
        self._idle = self.frame.after_idle(self._prepare)

    def _prepare(self) -> None:
        self._idle = ""
        if self._pending_frames and self._ready is None:
            self._ready = self._drawn(self._pending_frames[0])

    def _next(self) -> None:
        self._timer = ""
        self._drop_idle()
        moment = self._pending_frames.pop(0)
        self._draw_frame(moment, self._ready)
        if self._pending_frames:
            self._schedule_next(moment.ms)
        else:
            self._wait_to_blink()

    def _wait_to_blink(self) -> None:
        still = self._theme.reduce_motion or isinstance(self._shown, PictureFade)
        if self._timer or still or not self.frame.winfo_viewable():
            return
        self._timer = self.frame.after(round(1000 * self._rng.uniform(*BLINK_SECONDS)), self._blink)

    def _blink(self) -> None:
        self._timer = ""
        if not self.frame.winfo_viewable():
            return  # blinking resumes when the portrait is visible again
        face = self._resting_face()
        glances = self._eyes == AHEAD and self._rng.random() < GLANCE_PROBABILITY
        self._pending_frames = list(
            glance_frames(face, self._rng.choice((-1, 1))) if glances else blink_frames(face)
        )
        self._schedule_next(STEP_MS)

    def _draw_frame(self, moment: FaceFrame | PictureFade, drawn: Image.Image | None) -> None:
        self._shown = moment
        self._picture.paste(self._drawn(moment) if drawn is None else drawn)

    def _drawn(self, moment: FaceFrame | PictureFade) -> Image.Image:
        if isinstance(moment, PictureFade):
            return Image.blend(moment.first, moment.second, moment.share)
        return paint_portrait(self._character, moment.face, self._size, self._ground)

    def _stop(self) -> None:
        """Stop all animation and leave the current frame as it is."""
        self._drop_idle()
        self._pending_frames, self._ready = [], None
        if self._timer:
            self.frame.after_cancel(self._timer)
            self._timer = ""

    def _drop_idle(self) -> None:
        if self._idle:
            self.frame.after_cancel(self._idle)
            self._idle = ""
