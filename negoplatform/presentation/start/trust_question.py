"""Question before unknown code is run for the first time, and what is said about agents' sandbox."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from negoplatform.formats.agent_permissions import AgentPermissions, SandboxLevel
from negoplatform.plugins.code_file_trust_hash import CodeFile
from negoplatform.presentation.bidi import left_to_right
from negoplatform.presentation.confirmation_question import ConfirmationQuestion
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.localized_names import displayable


def trust_question(
    files: Sequence[CodeFile], translate: Language, sandbox: SandboxLevel
) -> ConfirmationQuestion:
    """Return the question about untrusted files: the path of each, its hash, and what it asks for.

    Args:
        files: The files.
        translate: The window's language.
        sandbox: The sandbox that agents' processes reach on this computer.
    """
    is_contained = sandbox.name == "full" and not any(code.in_program for code in files)
    paragraphs = [_file_paragraph(code, translate) for code in files]
    asked = [permissions_text(code.permissions, translate) for code in files]
    if len(files) == 1:
        title = translate("Do you trust this file?")
        changed = translate(
            "It’s new here, or it has changed or asks for more than it did when you trusted it."
        )
        contained = translate(
            "It runs in a sandbox: it sees its own seat’s part of the game and its own files, and nothing "
            "else on this computer."
        )
        danger = translate("It can do anything you can do on this computer. Trust it?")
    else:
        title = translate("Do you trust these files?")
        changed = translate(
            "They’re new here, or they’ve changed or ask for more than they did when you trusted them."
        )
        contained = translate(
            "Each runs in a sandbox: it sees its own seat’s part of the game and its own files, and nothing "
            "else on this computer."
        )
        danger = translate("They can do anything you can do on this computer. Trust them?")
    if is_contained and len(files) == 1:
        # What it asks for is what there is to think about.
        danger = asked[0]
    else:
        paragraphs = ["\n".join(filter(None, pair)) for pair in zip(paragraphs, asked, strict=True)]
        danger = "" if is_contained else danger
    paragraphs += [changed, contained] if is_contained else [changed]
    return ConfirmationQuestion(
        title, "\n\n".join(paragraphs), translate("Trust and start"), translate("Cancel"), warning=danger
    )


def trusted_by_yes(files: Sequence[CodeFile], sandbox: SandboxLevel) -> tuple[CodeFile, ...]:
    """Return the files as a person trusts them who says yes.

    Without a full sandbox the question says that they can do anything. So they may also run inside the
    program, and a command that does that need not ask again.
    """
    if sandbox.name == "full":
        return tuple(files)
    return tuple(replace(code, in_program=True) for code in files)


def _file_paragraph(code: CodeFile, translate: Language) -> str:
    """Return the path of a file, and its hash in groups of eight digits."""
    lines = [displayable(code.display_path), "SHA-256", *code.hash_lines]
    return "\n".join([left_to_right(line) for line in lines] if translate.rtl else lines)


def permissions_text(permissions: AgentPermissions, translate: Language) -> str:
    """Return what an agent may do beyond its seat; empty if that is nothing.

    Not "connect to api.example.org": the system restricts the ports, and not the hosts.
    """
    parts = [
        translate(
            "connect to port {port} of any computer (it names {host})",
            port=address.rpartition(":")[2],
            host=displayable(address.rpartition(":")[0]),
        )
        for address in permissions.network
    ]
    if permissions.read:
        parts.append(translate("read {names} in its folder", names=_joined(permissions.read)))
    if permissions.write:
        parts.append(translate("change files in {names} in its folder", names=_joined(permissions.write)))
    return translate("It may also: {permissions}.", permissions=" · ".join(parts)) if parts else ""


def _joined(names: Sequence[str]) -> str:
    # In quotation marks, which no name can contain: a folder may be called "nothing".
    return ", ".join(f'"{displayable(name)}"' for name in names)


@dataclass(frozen=True, slots=True)
class SandboxNote:
    """Note on the sandbox of agents' processes on this computer.

    Args:
        label: A few words.
        explanation: What it means, in a sentence.
        is_warning: Whether less is restricted than could be.
    """

    label: str
    explanation: str
    is_warning: bool


def sandbox_note(sandbox: SandboxLevel, translate: Language) -> SandboxNote:
    """Return the note on a level of the sandbox."""
    if sandbox.name == "full":
        return SandboxNote(
            translate("In a sandbox"),
            translate(
                "It sees its own seat’s part of the game and its own files, and nothing else unless its card "
                "says so."
            ),
            is_warning=False,
        )
    if sandbox.name == "partial":
        return SandboxNote(
            translate("Incomplete sandbox"),
            translate("This system restricts it only in part. Use only agents whose author you know."),
            is_warning=True,
        )
    return SandboxNote(
        translate("No sandbox"),
        translate("It can do anything you can do. Use only agents whose author you know."),
        is_warning=True,
    )
