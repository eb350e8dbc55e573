"""A folder with a commented agent and its test, for an author to begin with."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from negoplatform.domain.errors import NegoError

TEMPLATES = Path(__file__).parent / "template"
"""Plain text, so that nothing mistakes it for a module: ``agent_name`` and ``AgentName`` are put in."""

NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")

_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in range(10))}
)
"""Names that no folder can have on Windows."""


def write_new_agent(name: str, folder: Path) -> Path:
    """Writes ``NAME/agent.py`` and ``NAME/test_NAME.py`` into a folder; the agent's own folder.

    Raises:
        NegoError: If the name is no name, or something of that name is there already.
        OSError: If the folder cannot be written.
    """
    class_name = _class_name(name)
    texts = {
        file: (TEMPLATES / f"{file}.txt").read_text(encoding="utf-8")
        for file in ("agent.py", "test_agent.py")
    }
    # send_offer would be the class SendOffer, which the agent imports; and none the class None.
    clashes = keyword.iskeyword(class_name) or re.search(rf"import.*\b{class_name}\b", texts["agent.py"])
    if not NAME.fullmatch(name) or name in _DEVICES or clashes:
        raise NegoError(
            f"{name!r} cannot be an agent's name; take 1 to 40 small letters, digits and _, beginning with a "
            "letter, such as patient_buyer, and no word of Python or of the platform."
        )
    target = folder / name
    taken = next((path for path in (target, target.with_suffix(".py")) if path.exists()), None)
    if taken is not None:
        raise NegoError(f"{taken} is there already; take another name.")
    target.mkdir(parents=True)
    for file, text in texts.items():
        filled = text.replace("AgentName", class_name).replace("agent_name", name)
        path = target / ("agent.py" if file == "agent.py" else f"test_{name}.py")
        path.write_text(filled, encoding="utf-8", newline="\n")
    return target


def _class_name(name: str) -> str:
    """``patient_buyer`` as ``PatientBuyer``; a name of digits and _ alone cannot be."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))
