"""The question whether somebody else's code may be run, asked before it is run for the first time."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.plugins.code_file import CodeFile
from negoplatform.presentation.dialog_text import ConfirmationQuestion
from negoplatform.presentation.formatting import displayable
from negoplatform.presentation.i18n import Language


def trust_question(files: Sequence[CodeFile], say: Language) -> ConfirmationQuestion:
    """What is asked about files that nobody trusts yet: where each lies, and its hash in groups of eight."""
    told = [
        f"{displayable(code.display_path)}\nSHA-256\n{code.hash_lines[0]}\n{code.hash_lines[1]}"
        for code in files
    ]
    if len(files) == 1:
        title = say("Do you trust this file?")
        danger = say("It can do anything you can do on this computer. Trust it?")
        told.append(say("It hasn’t been run here before, or it has changed since you trusted it."))
    else:
        title = say("Do you trust these files?")
        danger = say("They can do anything you can do on this computer. Trust them?")
        told.append(say("They haven’t been run here before, or they’ve changed since you trusted them."))
    return ConfirmationQuestion(
        title, "\n\n".join(told), say("Trust and start"), say("Cancel"), warning=danger
    )
