"""Animated picture of a short negotiation in the real window: ``make demo``.

Every state is captured once and shown for as long as it takes to read, so that a slow computer produces the
same picture.
"""

from __future__ import annotations

import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont, ImageGrab

from tests.window.conftest import Program
from tests.x_server import Screen

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "images" / "demo.gif"
LARGEST = 1_000_000
"""Maximum size in bytes; a page with the picture loads quickly even on a slow connection."""

SIZE = (1280, 760)
"""Small screen on which no row of the window is wrapped: the letters stay large."""
CAPTION = 40

SETTLED = 0.5
"""Seconds after which all animations have ended, such as a face or a new row."""

WORDS = "I would like four apples, and we pick on Saturday"

ARROW = [(0, 0), (0, 19), (5, 15), (8, 22), (11, 21), (8, 14), (14, 14)]


@dataclass(slots=True)
class Film:
    """The frames so far, with a caption and the pointer, which X servers leave out."""

    screen: Screen
    caption: str = ""
    pointer: tuple[int, int] = (850, 640)
    frames: list[Image.Image] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def take(self, milliseconds: int, *, settled: bool = True) -> None:
        """Capture the screen."""
        if settled:
            time.sleep(SETTLED)
        self._add(ImageGrab.grab(xdisplay=self.screen.env["DISPLAY"]), milliseconds)

    def glide(self, to: tuple[int, int], steps: int = 4) -> None:
        """Move the drawn pointer over the screen, which stays unchanged."""
        shown = ImageGrab.grab(xdisplay=self.screen.env["DISPLAY"])
        (x, y), (to_x, to_y) = self.pointer, to
        for step in range(1, steps + 1):
            self.pointer = x + (to_x - x) * step // steps, y + (to_y - y) * step // steps
            self._add(shown, 50)

    def save(self, path: Path) -> int:
        """Write the picture; return its size. With one palette for all frames only changes are stored."""
        palette = _palette(self.frames)
        first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
        path.parent.mkdir(parents=True, exist_ok=True)
        first.save(
            path,
            save_all=True,
            append_images=others,
            duration=self.lengths,
            loop=0,
            optimize=True,
            disposal=1,
        )
        return path.stat().st_size

    def _add(self, shown: Image.Image, milliseconds: int) -> None:
        frame = Image.new("RGB", (SIZE[0], SIZE[1] + CAPTION), "#1b2230")
        frame.paste(shown, (0, CAPTION))
        draw = ImageDraw.Draw(frame)
        font = ImageFont.truetype(str(ROOT / "assets" / "fonts" / "Inter-Bold.otf"), 19)
        draw.text((SIZE[0] // 2, CAPTION // 2), self.caption, "white", font, anchor="mm")
        x, y = self.pointer
        draw.polygon([(x + dx, y + dy + CAPTION) for dx, dy in ARROW], "black", "white")
        self.frames.append(frame)
        self.lengths.append(milliseconds)


@dataclass(slots=True)
class Actor:
    """The participant, whose actions are shown before they take effect."""

    program: Program
    film: Film

    def click(self, widget: str) -> None:
        x, y = self.program.widgets[widget]
        self.film.glide((x, y))
        self.program.click(widget)

    def writes(self, text: str) -> None:
        """Type a text, with a frame after each word."""
        for word in text.split(" "):
            self.program.types(word if word == text.split(" ")[0] else f" {word}")
            time.sleep(0.1)
            self.film.take(120, settled=False)

    def hears(self, kind: str, milliseconds: int, sender: str = "agent") -> None:
        """Wait for an event of a sender, and show it."""
        self.program.wait_for("shown", type=kind, sender=sender)
        self.film.take(milliseconds)


def play(program: Program, film: Film) -> None:
    """Play from the start window to the deal."""
    hand = Actor(program, film)
    program.wait_for("start_screen")
    film.caption = "Choose a game and an agent"
    film.take(1100)
    hand.click("agent.fair")
    program.wait_for("chosen", value="fair")
    film.take(500)
    hand.click("start")
    program.wait_for("briefing")
    film.caption = "Read the rules: the clock starts when you are ready"
    film.take(1600)
    program.press("Return")
    film.caption = "Talk …"
    hand.hears("SEND_MESSAGE", 900)
    say_an_offer(hand)
    build_an_offer(hand)
    agree(hand)


def say_an_offer(hand: Actor) -> None:
    """Propose an offer in words, confirm its interpretation, and show the answer."""
    hand.click("entry")
    hand.writes(WORDS)
    hand.program.press("Return")
    hand.program.wait_for("reading_shown", meaning="proposal")
    hand.film.caption = "… and your words are understood. You see the offer before it counts"
    hand.film.take(2400)
    hand.program.press("Return")
    hand.hears("SEND_OFFER", 700, sender="human")
    hand.film.caption = "The agent answers with a face, words and an offer of its own"
    hand.hears("SEND_MESSAGE", 900)
    hand.hears("SEND_OFFER", 1600)


def build_an_offer(hand: Actor) -> None:
    """Change the other side's offer by hand, and send it."""
    hand.film.caption = "Or build an offer by hand: start from theirs, and change it"
    for widget in ("from_theirs", "day.Sunday", "apples.human.more"):
        hand.click(widget)
        hand.program.wait_for("draft")
        hand.film.take(500)
    hand.film.take(500)
    hand.click("send_offer")
    hand.hears("SEND_OFFER", 400, sender="human")
    hand.hears("FORMAL_ACCEPT", 1200)


def agree(hand: Actor) -> None:
    """Confirm the deal."""
    hand.film.caption = "Once both have confirmed it, it is a deal"
    hand.click("accept")
    hand.program.wait_for("dialog_open")
    hand.film.take(1300)
    hand.click("dialog.yes")
    hand.program.wait_for("finished")
    hand.film.caption = "Every event is in the log, and can be played again"
    hand.film.take(2300)


def main() -> int:
    with Screen(size=SIZE) as screen, tempfile.TemporaryDirectory() as folder:
        film = Film(screen)
        fixed = ("--game", "practice", "--seed", "7", "--participant", "P-031", "--theme", "light")
        program = Program(screen, Path(folder) / "data", *fixed, "--reduce-motion", brief=True)
        try:
            play(program, film)
        finally:
            complaints = program.stop()
    size = film.save(PICTURE)
    print(f"{PICTURE}: {size:,} bytes, {len(film.frames)} frames, {sum(film.lengths) / 1000:.1f} s")
    if complaints or size >= LARGEST:
        print(complaints or f"The picture is larger than {LARGEST:,} bytes.", file=sys.stderr)
        return 1
    return 0


def _palette(frames: list[Image.Image]) -> Image.Image:
    """Return an image with one palette for all frames, computed from a few of them."""
    few = frames[:: max(1, len(frames) // 12)]
    sheet = Image.new("RGB", (few[0].width, few[0].height * len(few)))
    for place, frame in enumerate(few):
        sheet.paste(frame, (0, place * frame.height))
    return sheet.quantize(256, method=Image.Quantize.FASTOCTREE)


if __name__ == "__main__":
    raise SystemExit(main())
