"""Parameters of drawn faces, one face for each expression, and the faces between two of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, dataclass, replace

from negoplatform.core.events import Expression

CLOSED_UP_TO = 0.5
"""Intensity of an expression up to which the mouth stays closed."""

CURVE = 0.7
"""Exponent of the intensity for all other parts; below 1, so that a faint mood can still be seen."""

STRONG_PARTS = ("mouth", "teeth", "tongue", "tear", "sweat")
"""Parameters that only a strong expression changes."""


@dataclass(frozen=True, slots=True)
class Face:
    """Parameters of a face; 0 is the resting position unless stated otherwise.

    Args:
        smile: Corners of the mouth, from -1 down to 1 up.
        mouth: Opening of the mouth, 0 to 1.
        wide: Width of the mouth; 1 is usual.
        skew: Height of one corner of the mouth over the other, 0 to 1.
        teeth: Visible part of the upper teeth, 0 to 1; from 1 to 2, both rows, clenched.
        tongue: Visible part of the tongue, 0 to 1.
        brow: Inner ends of the brows, from -1 down to 1 up.
        lift: Height of the brows, -1 to 1.
        uneven: Height of one brow over the other, 0 to 1.
        eye: Opening of the eyes; 1 is usual.
        squint: Raise of the lower lids, 0 to 1.
        pupil: Size of the pupils; 1 is usual.
        gaze: Horizontal direction of the eyes, from -1 left to 1 right.
        glance: Vertical direction of the eyes, from -1 up to 1 down.
        blush: Redness of the cheeks, 0 to 1.
        tear: Size of a tear on the cheek, 0 to 1.
        sweat: Size of a drop on the forehead, 0 to 1.
        wrinkle: Wrinkles on the nose, 0 to 1.
        furrow: Furrows between the brows, 0 to 1.
        flush: Redness of the whole face, 0 to 1.
    """

    smile: float = 0.0
    mouth: float = 0.0
    wide: float = 1.0
    skew: float = 0.0
    teeth: float = 0.0
    tongue: float = 0.0
    brow: float = 0.0
    lift: float = 0.0
    uneven: float = 0.0
    eye: float = 1.0
    squint: float = 0.0
    pupil: float = 1.0
    gaze: float = 0.0
    glance: float = 0.0
    blush: float = 0.0
    tear: float = 0.0
    sweat: float = 0.0
    wrinkle: float = 0.0
    furrow: float = 0.0
    flush: float = 0.0


FACES: Mapping[Expression, Face] = {
    Expression.NEUTRAL: Face(smile=0.12),
    Expression.HAPPY: Face(
        smile=1.0, mouth=0.72, wide=1.18, teeth=1.0, lift=0.35, eye=0.95, squint=0.75, blush=0.7
    ),
    Expression.SAD: Face(smile=-0.85, wide=0.85, brow=1.0, lift=0.1, eye=0.78, glance=0.5, tear=1.0),
    Expression.ANGRY: Face(
        smile=-0.6,
        mouth=0.45,
        wide=1.0,
        teeth=2.0,
        brow=-1.0,
        lift=-0.75,
        eye=0.85,
        squint=0.35,
        pupil=0.85,
        furrow=1.0,
        flush=1.0,
    ),
    Expression.SURPRISED: Face(mouth=1.0, wide=0.55, lift=1.0, eye=1.5, pupil=0.85),
    Expression.DISGUSTED: Face(
        smile=-0.6,
        mouth=0.42,
        tongue=1.0,
        skew=0.25,
        brow=-0.4,
        lift=-0.45,
        eye=0.5,
        squint=0.7,
        gaze=-0.45,
        wrinkle=1.0,
    ),
    Expression.SCARED: Face(
        smile=-0.55, mouth=0.5, wide=1.12, teeth=2.0, brow=1.0, lift=0.8, eye=1.42, pupil=0.6, sweat=1.0
    ),
    Expression.CONTEMPT: Face(
        smile=0.3, skew=1.0, wide=0.95, brow=-0.3, lift=-0.1, uneven=1.0, eye=0.58, gaze=0.75, glance=0.2
    ),
}


EMOJI: Mapping[Expression, Face] = {
    **FACES,
    Expression.HAPPY: replace(FACES[Expression.HAPPY], mouth=0.85),
    Expression.ANGRY: replace(FACES[Expression.ANGRY], mouth=0.0, smile=-0.95, wide=0.8),
    Expression.SCARED: replace(FACES[Expression.SCARED], teeth=0.5, mouth=0.7),
}
"""Faces of the yellow emoji, which has no room for clenched teeth."""


def interpolate_faces(first: Face, second: Face, share: float) -> Face:
    """Return a face between two faces; exactly the first at share 0, exactly the second at 1."""
    if share <= 0:
        return first
    if share >= 1:
        return second
    pairs = zip(astuple(first), astuple(second), strict=True)
    return Face(*(a + (b - a) * share for a, b in pairs))


def face_at_intensity(expression: Expression, intensity: float) -> Face:
    """Return the face of an expression at an intensity from 0, neutral, to 1.

    Up to half of the intensity a mouth stays closed, without tears or sweat: a faint anger is a frown.
    """
    full, rest = FACES[expression], FACES[Expression.NEUTRAL]
    mild = interpolate_faces(rest, full, max(0.0, intensity) ** CURVE)
    if intensity >= 1 or mild is rest:
        return mild
    strong = max(0.0, (intensity - CLOSED_UP_TO) / (1 - CLOSED_UP_TO))
    parts = {name: getattr(full, name) * strong for name in STRONG_PARTS}
    return replace(mild, **{**parts, "tongue": full.tongue * strong**2})


def blinking_face(face: Face, share: float) -> Face:
    """Return a face with the eyes closed by a share from 0 to 1."""
    return replace(face, eye=face.eye * (1 - share))
