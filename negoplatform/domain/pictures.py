"""Names of the pictures that a game may choose for its issues."""

from __future__ import annotations

import re

PICTURES = (
    *("apple", "banana", "bread", "grain", "spice", "food", "fish", "cup"),
    *("water", "wood", "firewood", "tree", "land", "house", "tent", "car"),
    *("book", "ball", "hat", "gift", "key", "coin", "money", "pension"),
    *("briefcase", "promotion", "calendar", "clock", "medicine", "phone"),
    *("circle", "square", "triangle", "diamond", "star", "heart"),
)
"""Pictures that the program draws."""

OWN_PICTURE = re.compile(r"[\w-]{1,60}\.png")
"""Name of a picture of the game's own: a PNG file next to the game file."""
