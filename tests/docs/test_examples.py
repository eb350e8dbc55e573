"""Examples in the guides, carried out as written by a reader who has nothing else."""

from __future__ import annotations

import re
from enum import StrEnum
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.domain.errors import NegoError
from negoplatform.testing import TrialTable
from tests.docs.pages import ROOT, Block, blocks_of
from tests.docs.workshop import Workshop, with_method

PAGES = (
    "README.md",
    "docs/agents.md",
    "docs/agents_reference.md",
    "docs/assistants.md",
    "docs/expressive.md",
    "docs/games.md",
    "docs/trading_games.md",
    "docs/instruments.md",
    "docs/language_model.md",
    "docs/plugins.md",
    "docs/principals.md",
    "docs/studies.md",
    "docs/teams.md",
    "docs/training.md",
    "docs/typed_state.md",
)


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Workshop:
    """Runner in the empty folder of a reader who has never used the program."""
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return Workshop(work, capsys)


@pytest.mark.timeout(900)  # a page of agents plays many games, each in processes
@pytest.mark.parametrize("page", PAGES)
def test_everything_that_a_page_shows_works(page: str, workshop: Workshop) -> None:
    blocks = list(blocks_of(page))
    for block in blocks:
        workshop.do(block)
    workshop.finish()

    fences = re.findall(r"(?m)^ *```", (ROOT / page).read_text(encoding="utf-8"))
    assert len(fences) == 2 * len(blocks)


def test_the_state_of_the_guide_keeps_what_its_game_announces(workshop: Workshop) -> None:
    for block in blocks_of("docs/typed_state.md"):
        workshop.do(block)
    table = TrialTable(find_game("game.json", Path()))

    table.wait(181)

    state = table.context("agent").state
    assert state is not None
    public = state.model_dump()["public_information"]
    assert public == {"tax_rate": 0.05, "first_tax_rate": 0.1, "changes": 1}
    assert state.model_dump()["private_information"] == {"value_signals": [130.0, 150.0]}


@pytest.mark.parametrize(
    ("block", "complaint"),
    [
        (Block("page", 1, "indented", "negoplatform\n"), "Nobody knows how to try page:1"),
        (Block("page", 1, "python", "print()\n"), "Nobody knows how to try page:1"),
        (Block("page", 1, "sh", "nego list games\n"), "Nobody knows how to try 'nego list games'"),
        (Block("page", 1, "sh", "negoplatform list gams\n"), "ends with"),
        (Block("page", 1, "sh", "negoplatform play --gam practice\n"), "No such option"),
        (Block("page", 1, "sh", "negoplatform play --game pratice\n"), "There is no game 'pratice'"),
        (Block("page", 1, "sh", "pip install '.[lm]'\n"), "is no extra"),
        (Block("page", 1, "sh", "pip install 'negoplatform[llm]'\n"), "would come from an index"),
        (Block("page", 1, "sh", "make tests\n"), "The Makefile has no tests"),
        (Block("page", 1, "console", "$ negoplatform --version\nbanana\n"), "and not"),
        (Block("page", 1, "python", "assert False\n", "file", "test_it.py"), "1 error"),
        (Block("page", 1, "json", '{"step": 2}', "settings of", "conceding"), "a share from 0 to 1"),
    ],
    ids=str,
)
def test_what_does_not_work_is_noticed(workshop: Workshop, block: Block, complaint: str) -> None:
    with pytest.raises((AssertionError, NegoError), match=complaint):
        workshop.do(block)


def test_an_agent_that_fails_is_noticed_in_the_end(workshop: Workshop) -> None:
    text = (
        "from negoplatform.agent_api.base import NegotiationAgent\n\n\n"
        "class Bad(NegotiationAgent):\n    def on_game_start(self, ctx, event):\n        return 1 / 0\n"
    )
    workshop.do(Block("page", 1, "python", text, "file", "bad/agent.py"))

    with pytest.raises(AssertionError, match="2 failures of agents"):
        workshop.finish()


def test_a_page_that_shows_something_else_than_the_program_writes_is_noticed(workshop: Workshop) -> None:
    workshop.do(Block("page", 1, "sh", "negoplatform new-agent buyer --dir .\n"))

    with pytest.raises(AssertionError, match=r"is not what buyer/agent\.py holds"):
        workshop.do(Block("page", 2, "python", "class Buyer: ...\n", "shows", "buyer/agent.py"))


def test_a_method_takes_the_place_of_the_one_that_is_there() -> None:
    module = "class A:\n    def on_time(self):\n        return 1\n\n    def other(self):\n        return 2\n"

    replaced = with_method(module, "def on_time(self):\n    return 3\n")
    added = with_method(module, "def on_game_end(self):\n    return 3\n")

    assert replaced == module.replace("return 1", "return 3")
    assert added == module + "\n    def on_game_end(self):\n        return 3\n"


@pytest.mark.parametrize("names", [Expression, MessageSubtype], ids=lambda names: names.__name__)
def test_the_reference_names_every_face_and_every_speech_act(names: type[StrEnum]) -> None:
    page = (ROOT / "docs/agents_reference.md").read_text(encoding="utf-8")
    listed = re.search(rf"(?s)\n- `{names.__name__}`(.+?)[;.] (?:a person|What a person)", page)

    assert listed is not None
    assert sorted(re.findall(r"`([A-Z_]+)`", listed[1])) == sorted(names)


def test_every_page_that_a_page_names_is_there() -> None:
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} names {target}"
