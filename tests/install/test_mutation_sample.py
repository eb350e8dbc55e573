"""The mutants that are drawn are small faults of code, and never of texts."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts import mutation_sample

SOURCE = '''"""Not 5 words."""

LIMIT = 5


def surest(values: list[int] = [1], *, strict: bool = True) -> int:
    """Return 1 of them."""
    if not values and strict:
        raise ValueError(f"{1 + 1} or {not values}")
    values.append(
        LIMIT,
    )
    return max(values)
'''


def changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, bool]]:
    """Return all mutants of the source: what stands there instead of what, and whether that is at import."""
    (tmp_path / "code.py").write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(mutation_sample, "ROOT", tmp_path)
    return [
        (f"{' '.join(mutant.was.split())} → {' '.join(mutant.text.split())}", mutant.at_import)
        for mutant in mutation_sample.mutants_of("code.py")
    ]


def test_each_part_of_the_code_is_changed_and_no_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert sorted(changes(tmp_path, monkeypatch)) == sorted(
        [
            ("5 → (6)", True),
            ("1 → (2)", True),
            ("True → (False)", True),
            ("not values and strict → (not (not values and strict))", False),
            ("not values and strict → (not values or strict)", False),
            ("not values and strict → (strict)", False),
            ("not values and strict → (not values)", False),
            ("not values → (values)", False),
            ('raise ValueError(f"{1 + 1} or {not values}") → pass', False),
            ("values.append( LIMIT, ) → pass", False),
            ("return max(values) → return None", False),
            ("max(values) → (min(values))", False),
        ]
    )


def test_a_mutant_has_as_many_lines_as_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changes(tmp_path, monkeypatch)
    source = SOURCE.encode()

    for mutant in mutation_sample.mutants_of("code.py"):
        changed = mutant.apply(source)
        compile(changed, "code.py", "exec")
        assert changed != source
        assert changed.count(b"\n") == source.count(b"\n")


def test_the_same_seed_draws_the_same_mutants_of_each_package() -> None:
    first, again, other = (mutation_sample.draw(["eventlog", "hosting"], 20, seed) for seed in (1, 1, 2))

    assert first == again != other
    assert [mutant.path.split("/")[1] for mutant in first] == ["eventlog"] * 10 + ["hosting"] * 10
