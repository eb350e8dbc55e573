"""Version of the agent API: agents for an older minor version work, and the rest give a reason."""

from __future__ import annotations

import pytest

from negoplatform.agent_api.version import API_VERSION, format_version, incompatibility_reason

MAJOR, MINOR = API_VERSION


@pytest.mark.parametrize("made_for", [f"{MAJOR}.{minor}" for minor in range(MINOR + 1)])
def test_an_agent_that_was_made_for_this_version_or_an_older_minor_one_fits(made_for: str) -> None:
    assert incompatibility_reason(made_for) == ""


@pytest.mark.parametrize("made_for", [f"{MAJOR}.{MINOR + 1}", f"{MAJOR + 1}.0"])
def test_an_agent_that_was_made_for_a_newer_version_says_what_to_do(made_for: str) -> None:
    assert incompatibility_reason(made_for) == (
        f"it needs a newer NegoPlatform (agent API {made_for}, this one has {format_version()}); update "
        "NegoPlatform, or ask for a version of the agent that was made for this one"
    )


def test_an_agent_that_was_made_for_an_older_major_version_says_what_to_do() -> None:
    assert incompatibility_reason(f"{MAJOR - 1}.9") == (
        f"it was made for the agent API {MAJOR - 1}.9, and what it builds on has changed since (this "
        f"NegoPlatform has {format_version()}); ask its author for a newer version"
    )


@pytest.mark.parametrize(
    "made_for", ["", "1", "1.", "1.0.0", "v1.0", " 1.0", "1.0\n", "-1.0", "١.١", "9" * 99]
)
def test_what_is_no_version_says_how_one_is_written(made_for: str) -> None:
    assert 'is written like "' in incompatibility_reason(made_for)
    assert len(incompatibility_reason(made_for)) < 150
