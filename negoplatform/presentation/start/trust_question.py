"""Question before unknown code is run for the first time."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable


def trust_question(files: Sequence[CodeFile], translate: Language) -> ConfirmationQuestion:
    """Return the question about untrusted files: the path of each, and its hash in groups of eight digits."""
    paragraphs = [
        f"{displayable(code.display_path)}\nSHA-256\n{code.hash_lines[0]}\n{code.hash_lines[1]}"
        for code in files
    ]
    if len(files) == 1:
        title = translate("Do you trust this file?")
        danger = translate("It can do anything you can do on this computer. Trust it?")
        paragraphs.append(
            translate("It hasn’t been run here before, or it has changed since you trusted it.")
        )
    else:
        title = translate("Do you trust these files?")
        danger = translate("They can do anything you can do on this computer. Trust them?")
        paragraphs.append(
            translate("They haven’t been run here before, or they’ve changed since you trusted them.")
        )
    return ConfirmationQuestion(
        title, "\n\n".join(paragraphs), translate("Trust and start"), translate("Cancel"), warning=danger
    )
