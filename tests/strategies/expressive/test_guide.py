"""What the guide to expressive agents shows is run as it stands there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from negoplatform.testing import check_agent
from tests.docs.test_examples import blocks


def test_the_mixed_agent_of_the_guide_plays_and_passes_its_own_test(tmp_path: Path) -> None:
    agent, test = blocks("docs/expressive.md", "python")
    (tmp_path / "moody.py").write_text(agent, encoding="utf-8")
    (tmp_path / "test_moody.py").write_text(test, encoding="utf-8")

    told = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
    )

    assert "1 passed" in told.stdout, told.stdout
    assert check_agent(tmp_path / "moody.py") == []
