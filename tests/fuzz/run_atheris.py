"""Coverage-guided fuzzing: ``python -m tests.fuzz.run_atheris TARGET SECONDS``.

It starts from the seed corpus; findings go to a temporary folder, whose name is printed. Exit code 0 means
that nothing was found.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from random import Random

import atheris  # type: ignore[import-untyped, import-not-found, unused-ignore]  # has no types; an extra

from tests.fuzz.mutation import mutated

with atheris.instrument_imports(include=["negoplatform"]):
    from tests.fuzz.targets import TARGETS

CORPUS = Path(__file__).parent / "corpus"
LONGEST_INPUT = 20_000


def _mutate(data: bytes, longest: int, seed: int) -> bytes:
    """Mutate an input, mostly by our own rules, as random changes of bytes hardly ever leave JSON intact."""
    rng = Random(seed)
    changed = mutated(bytes(data), rng) if rng.random() < 0.7 else atheris.Mutate(data, longest)
    return bytes(changed)[:longest]


def main() -> None:
    """Run one target for so many seconds."""
    if len(sys.argv) != 3 or sys.argv[1] not in TARGETS or not sys.argv[2].isdigit():
        raise SystemExit(f"usage: python -m tests.fuzz.run_atheris {'|'.join(TARGETS)} SECONDS")
    target, seconds = sys.argv[1:]
    work = Path(tempfile.mkdtemp(prefix=f"fuzz-{target}-"))
    new = work / "corpus"
    new.mkdir()
    print(f"What is found goes to {work}.", flush=True)
    options = [
        f"-max_total_time={seconds}",
        f"-max_len={LONGEST_INPUT}",
        f"-artifact_prefix={work}/",
        "-timeout=10",
        "-rss_limit_mb=1024",
        "-print_final_stats=1",
        str(new),
        str(CORPUS / target),
    ]
    atheris.Setup([sys.argv[0], *options], TARGETS[target], custom_mutator=_mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
