"""The stance of a sentence does not depend on the process that computes it."""

from __future__ import annotations

import os
import subprocess
import sys

SCRIPT = """
from negoplatform.language_model.deal_stance_detection import detect_stance, load_stance_lexicon
words = "i'm open to your zebra, quartz, violin, harbour and walnut suggestion"
stance = detect_stance(words, load_stance_lexicon("en"))
print(stance.agrees, stance.unknown)
"""


def test_two_processes_name_the_same_words_in_the_same_order() -> None:
    printed = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(4)
    }

    assert len(printed) == 1
