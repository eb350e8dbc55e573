"""Site of the guides and the reference: built without a warning, and without requests to other hosts."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.docs.pages import ROOT

ASKED_FOR = (
    "NegotiationAgent",
    "AgentContext",
    "SendOffer",
    "Event",
    "Offer",
    "Bids",
    "TrialTable",
    "check_agent",
    "ConcedingOffers",
    "simulate",
)
"""Some names that authors look up in the reference."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Site as ``make docs`` builds it."""
    folder = tmp_path_factory.mktemp("site")
    told = _build("mkdocs.yml", folder)
    assert told.returncode == 0, told.stderr
    return folder


def _build(settings: str, folder: Path) -> subprocess.CompletedProcess[str]:
    if find_spec("properdocs") is None or find_spec("mkdocstrings") is None:
        pytest.skip("The site is built with the extra docs, which is not installed here.")
    return subprocess.run(
        [sys.executable, "-m", "properdocs", "build", "-f", settings, "--strict", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )


def test_every_module_and_member_that_the_reference_names_is_there() -> None:
    missing = []
    for page in sorted((ROOT / "docs" / "api").glob("*.md")):
        text = page.read_text(encoding="utf-8")
        for entry in re.finditer(
            r"^::: (\S+)\n(?:    options:\n      members: \[(.*)\])?", text, re.MULTILINE
        ):
            module, members = import_module(entry[1]), (entry[2] or "").split(",")
            missing += [
                f"{entry[1]}.{name}" for name in members if name and not hasattr(module, name.strip())
            ]

    assert missing == []


def test_the_reference_has_what_an_author_looks_up(site: Path) -> None:
    reference = "".join(page.read_text(encoding="utf-8") for page in (site / "api").glob("*.html"))
    described = set(re.findall(r'id="negoplatform\.[\w.]*?(\w+)"', reference))

    assert set(ASKED_FOR) <= described


def test_no_page_fetches_anything_from_elsewhere(site: Path) -> None:
    pages = list(site.rglob("*.html"))

    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert not re.findall(r'(?:src="|<link[^>]*href=")https?:[^"]*', text), page
    assert len(pages) > 20


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[a page](nowhere.md)", "'nowhere.md'"),
        ("[a section](index.md#nowhere)", "'index.md#nowhere'"),
        ("![a picture](nowhere.png)", "'nowhere.png'"),
        ("", "other.md"),  # not in the navigation
    ],
)
def test_a_broken_link_and_a_page_outside_the_navigation_are_errors(
    line: str, complaint: str, tmp_path: Path
) -> None:
    pages = tmp_path / "docs"
    pages.mkdir()
    (pages / "site.css").write_text("", encoding="utf-8")
    (pages / "index.md").write_text(f"# Title\n\n{line}\n", encoding="utf-8")
    if not line:
        (pages / "other.md").write_text("# Other\n", encoding="utf-8")
    settings = tmp_path / "mkdocs.yml"
    settings.write_text(
        f"INHERIT: {ROOT / 'mkdocs.yml'}\ndocs_dir: docs\nnav: [index.md]\nplugins: []\n", encoding="utf-8"
    )

    told = _build(str(settings), tmp_path / "site")

    assert told.returncode != 0
    assert complaint in told.stderr
