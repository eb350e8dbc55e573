"""The question before other people's code runs, and the entries in the lists of the start window."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import list_agents
from negoplatform.app.catalogue.catalogue_entry import CatalogueEntry
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.formats.agent_permissions import NO_SANDBOX, AgentPermissions, SandboxLevel
from negoplatform.plugins.code_file_trust_hash import CodeFile, code_file
from negoplatform.presentation.bidi import left_to_right
from negoplatform.presentation.i18n import ENGLISH, Language
from negoplatform.presentation.start.plugin_cards import (
    UnusablePlugin,
    agent_card,
    selectable_key,
    selectable_rows,
    unusable_plugins,
)
from negoplatform.presentation.start.trust_question import sandbox_note, trust_question, trusted_by_yes
from tests.app.catalogue.test_catalogue import AGENT
from tests.app.trusting import trusted_agents

FULL, PARTIAL = SandboxLevel(7, seccomp=True), SandboxLevel(3, seccomp=True)

ODD = CodeFile(Path("agents") / "odd.py", "0123456789abcdef" * 4, in_program=False)
ASKER = replace(
    ODD, permissions=AgentPermissions(network=("api.example.org:443",), read=("model",), write=("scratch",))
)
STATE = CodeFile(Path("games") / "plots" / "state.py", "f" * 64)


def test_the_question_shows_the_path_and_the_hash_in_groups() -> None:
    asked = trust_question([ODD], ENGLISH, NO_SANDBOX)

    assert asked.text.splitlines()[:4] == [
        str(ODD.path),
        "SHA-256",
        "01234567 89abcdef 01234567 89abcdef",
        "01234567 89abcdef 01234567 89abcdef",
    ]
    assert asked.warning == "It can do anything you can do on this computer. Trust it?"
    assert (asked.yes_label, asked.no_label) == ("Trust and start", "Cancel")


def test_paths_and_hashes_keep_their_direction_in_hebrew() -> None:
    asked = trust_question([ODD], Language.load("he"), NO_SANDBOX)

    assert asked.text.splitlines()[:2] == [left_to_right(str(ODD.path)), left_to_right("SHA-256")]


def test_a_game_and_an_agent_are_asked_about_together() -> None:
    asked = trust_question([STATE, ODD], ENGLISH, FULL)

    assert str(STATE.path) in asked.text
    assert str(ODD.path) in asked.text
    assert asked.warning == "They can do anything you can do on this computer. Trust them?"


def test_an_agent_in_a_sandbox_is_not_said_to_do_what_it_cannot() -> None:
    one, two = trust_question([ODD], ENGLISH, FULL), trust_question([ODD, ASKER], ENGLISH, FULL)

    contained = "runs in a sandbox: it sees its own seat’s part of the game and its own files, and nothing"
    assert f"It {contained} else on this computer." in one.text
    assert f"Each {contained} else on this computer." in two.text
    assert one.warning == two.warning == ""
    assert "It may also: connect to port 443 of any computer (it names api.example.org) · " in two.text


def test_what_an_agent_asks_for_beyond_its_seat_is_what_there_is_to_decide() -> None:
    asked = trust_question([ASKER], ENGLISH, FULL)

    assert asked.warning == (
        "It may also: connect to port 443 of any computer (it names api.example.org) · read "
        '"model" in its folder · change files in "scratch" in its folder.'
    )


@pytest.mark.parametrize("level", [NO_SANDBOX, PARTIAL])
def test_without_a_whole_sandbox_an_agent_can_do_anything(level: SandboxLevel) -> None:
    asked = trust_question([ASKER], ENGLISH, level)

    assert asked.warning == "It can do anything you can do on this computer. Trust it?"
    assert "sandbox" not in asked.text
    assert "port 443 of any computer (it names api.example.org)" in asked.text


def test_who_trusts_an_agent_that_can_do_anything_trusts_it_inside_the_program_too() -> None:
    assert trusted_by_yes([ODD], FULL) == (ODD,)
    for level in (NO_SANDBOX, PARTIAL):
        assert trusted_by_yes([ODD, STATE], level) == (replace(ODD, in_program=True), STATE)


def test_the_code_of_a_game_runs_inside_the_program_whatever_the_sandbox() -> None:
    assert trust_question([STATE], ENGLISH, FULL).warning.startswith("It can do anything")


def test_a_sandbox_that_is_not_whole_is_a_warning() -> None:
    notes = [sandbox_note(level, ENGLISH) for level in (FULL, PARTIAL, NO_SANDBOX)]

    assert [(note.label, note.is_warning) for note in notes] == [
        ("In a sandbox", False),
        ("Incomplete sandbox", True),
        ("No sandbox", True),
    ]


def test_a_path_that_tk_cannot_draw_is_written_by_name() -> None:
    asked = trust_question([CodeFile(Path("🙂.py"), ODD.sha256)], ENGLISH, FULL)

    assert asked.text.startswith("[slightly smiling face].py")


def test_lists_hold_what_can_be_used_and_what_can_be_once_it_is_trusted() -> None:
    fair = CatalogueEntry("fair", Path("fair.py"), "the agent")
    broken: CatalogueEntry[str] = CatalogueEntry("broken", Path("broken.py"), None, "broken.py: no.")
    odd: CatalogueEntry[str] = CatalogueEntry("odd", ODD.path, None, untrusted=ODD)
    other: CatalogueEntry[str] = CatalogueEntry("odd", Path("odd") / "agent.py", None, untrusted=ODD)

    assert selectable_rows([fair, broken, odd, other]) == {
        "fair": fair,
        "odd (not yet trusted)": odd,
        f"{other.file} (not yet trusted)": other,
    }


def test_what_cannot_be_used_stands_apart_with_its_reason() -> None:
    fair = CatalogueEntry("fair", Path("fair.py"), "the agent")
    broken: CatalogueEntry[str] = CatalogueEntry("broken", Path("broken.py"), None, "broken.py: no.")
    odd: CatalogueEntry[str] = CatalogueEntry("odd", ODD.path, None, untrusted=ODD)

    assert unusable_plugins([fair, broken, odd]) == [UnusablePlugin("broken", "broken.py", "broken.py: no.")]


def test_what_cannot_be_used_is_told_with_its_file_once() -> None:
    assert (
        UnusablePlugin("odd", "agents/odd.py", "agents/odd.py: no.").description
        == "odd\nagents/odd.py: no.\n"
    )
    assert (
        UnusablePlugin("odd", "agents/odd.py", "It is odd.").description == "odd\nagents/odd.py\nIt is odd.\n"
    )
    folder = Path("agents", "odd")
    beside = f"{folder / 'agent.json'} at id: no."
    assert UnusablePlugin("odd", str(folder / "agent.py"), beside).description == f"odd\n{beside}\n"


def test_what_a_person_names_is_found_trusted_or_not_and_nothing_else_is_taken_for_it() -> None:
    rows = selectable_rows(
        [
            CatalogueEntry("fair", Path("fair.py"), "the agent"),
            CatalogueEntry("odd", ODD.path, None, untrusted=ODD),
        ]
    )

    assert [selectable_key(name, rows) for name in ("fair", "odd", "nobody")] == [
        "fair",
        "odd (not yet trusted)",
        "",
    ]


def test_what_was_chosen_is_found_by_its_file_under_whatever_name() -> None:
    mine, pair = Path("mine.py"), Path("pair.py")
    rows = selectable_rows(
        [
            CatalogueEntry("new name", mine, "it"),
            CatalogueEntry("one", pair, "a"),
            CatalogueEntry("two", pair, "b"),
            CatalogueEntry("fair", pair, "c"),
        ]
    )

    assert selectable_key("old name", rows, mine) == "new name"
    assert selectable_key("fair", rows, mine) == "new name", "another file has taken its name"
    assert selectable_key("two", rows, pair) == "two"
    assert selectable_key("pair", rows, pair) == "", "one of several was not chosen"


def test_the_card_of_an_agent_says_what_it_may_do_beyond_its_seat(tmp_path: Path) -> None:
    folder = tmp_path / "agents" / "mine"
    folder.mkdir(parents=True)
    (folder / "agent.py").write_text(AGENT, encoding="utf-8")
    (folder / "agent.json").write_text('{"permissions": {"write": ["scratch"]}}', encoding="utf-8")

    untrusted = next(row for row in list_agents(tmp_path) if row.name == "mine")
    trusted = next(row for row in trusted_agents(tmp_path) if row.name == "mine")

    said = 'It may also: change files in "scratch" in its folder.'
    assert agent_card("mine", untrusted, ENGLISH).text == said
    assert agent_card("mine", trusted, ENGLISH).text == f"Says nothing. And means it.\n{said}"


def test_the_card_of_a_file_says_whether_it_was_trusted_with_another_text(tmp_path: Path) -> None:
    file = tmp_path / "agents" / "mine.py"
    file.parent.mkdir()
    file.write_text("# nothing in it yet\n", encoding="utf-8")

    def warning() -> str:
        row = next(row for row in list_agents(tmp_path) if row.file == file)
        return agent_card("mine", row, ENGLISH).warning

    before = warning()
    with open_trust(tmp_path, pytest.fail) as trust:
        trust.add(code_file(file))
    file.write_text("# another thought\n", encoding="utf-8")

    assert before == "Not trusted yet. None of its code has been run."
    assert warning() == "It has changed since you trusted it. None of the new code has been run."
