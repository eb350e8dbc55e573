"""The question before other people's code runs, and the entries in the lists of the start window."""

from __future__ import annotations

from pathlib import Path

import pytest

from negoplatform.app.catalogue.catalogue import CatalogueEntry, list_agents
from negoplatform.app.catalogue.trust import open_trust
from negoplatform.plugins.code_file_trust_hash import CodeFile, code_file
from negoplatform.presentation.i18n import ENGLISH
from negoplatform.presentation.start.plugin_cards import (
    UnusablePlugin,
    agent_card,
    selectable_key,
    selectable_rows,
    unusable_plugins,
)
from negoplatform.presentation.start.trust_question import trust_question

ODD = CodeFile(Path("agents") / "odd.py", "0123456789abcdef" * 4)
STATE = CodeFile(Path("games") / "plots" / "state.py", "f" * 64)


def test_the_question_shows_the_path_and_the_hash_in_groups() -> None:
    asked = trust_question([ODD], ENGLISH)

    assert asked.text.splitlines()[:4] == [
        str(ODD.path),
        "SHA-256",
        "01234567 89abcdef 01234567 89abcdef",
        "01234567 89abcdef 01234567 89abcdef",
    ]
    assert asked.warning == "It can do anything you can do on this computer. Trust it?"
    assert (asked.yes_label, asked.no_label) == ("Trust and start", "Cancel")


def test_a_game_and_an_agent_are_asked_about_together() -> None:
    asked = trust_question([STATE, ODD], ENGLISH)

    assert str(STATE.path) in asked.text
    assert str(ODD.path) in asked.text
    assert asked.warning == "They can do anything you can do on this computer. Trust them?"


def test_a_path_that_tk_cannot_draw_is_written_by_name() -> None:
    asked = trust_question([CodeFile(Path("🙂.py"), ODD.sha256)], ENGLISH)

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
