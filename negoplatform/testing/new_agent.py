"""Templates of agents, principals and assistants: a folder with the code, its test and its agent.json."""

from __future__ import annotations

import ast
import json
import keyword
import re
from pathlib import Path

from negoplatform.agent_api.version import format_version
from negoplatform.domain.errors import NegoError
from negoplatform.formats.windows_file_names import is_device_name
from negoplatform.plugins.program_and_user_folders import bundled

TEMPLATES = Path(__file__).parent / "template"
"""Folder per style, of plain text, so that the files are not taken for modules.

``agent_name``, ``AgentName`` and ``API_VERSION`` are replaced.
"""

STYLES = ("minimal", "policies", "language-model")
"""Styles: a few lines; composed of the platform's policies; in the words of a language model."""

KINDS = ("bargaining", "trading", "market")
"""Kinds of game for which there is a template; bargaining has one per style, the others one each."""

ROLES = ("seat", "principal", "agenda", "insights", "debrief")
"""Roles for which there is a template: an agent in a seat, a principal, and each kind of assistant."""

PRINCIPAL, GAME_FILE = "head", "game.json"
"""Name of the principal in the game that a new principal comes with, and the file of this game."""

FILES = ("agent.py", "test_agent.py", "agent.json")

NAME_PATTERN = re.compile(r"[a-z][a-z0-9_]{0,39}")


def write_new_agent(
    name: str, folder: Path, style: str = "minimal", mechanism: str = "bargaining", role: str = "seat"
) -> Path:
    """Write ``NAME/agent.py``, ``NAME/test_NAME.py`` and ``NAME/agent.json``; return the agent's folder.

    A principal also gets ``NAME/game.json``, a game with a principal.

    Args:
        name: The agent's name in lists and logs.
        folder: The parent of its folder.
        style: One of ``STYLES``.
        mechanism: The kind of game that it plays, one of ``KINDS``; but for bargaining there is the style
            ``minimal`` alone.
        role: One of ``ROLES``; but for agents in seats there is one template each.

    Raises:
        NegoError: If the name is invalid, there is no such style, kind or role, or the name is taken already.
        OSError: If the folder cannot be written.
    """
    if style not in STYLES:
        raise NegoError(f"There is no style {style!r}; there is {', '.join(STYLES)}.")
    if mechanism not in KINDS:
        raise NegoError(
            f"There is no template for games of the kind {mechanism!r}; there is {', '.join(KINDS)}."
        )
    if mechanism != "bargaining" and style != "minimal":
        raise NegoError(
            f"The style {style!r} is for bargaining; leave it out for games of the kind {mechanism}."
        )
    if role not in ROLES:
        raise NegoError(f"There is no role {role!r}; there is {', '.join(ROLES)}.")
    if role != ROLES[0] and (style, mechanism) != (STYLES[0], KINDS[0]):
        raise NegoError(
            f"A style or a kind of game is for agents in seats; leave it out for the role {role}."
        )
    template = role if role != ROLES[0] else style if mechanism == "bargaining" else mechanism
    texts = {file: (TEMPLATES / template / f"{file}.txt").read_text(encoding="utf-8") for file in FILES}
    class_name = _class_name(name)
    # send_offer would be the class SendOffer, which the agent imports; and none the class None.
    clashes = keyword.iskeyword(class_name) or any(
        class_name in _names_in(text) for file, text in texts.items() if file.endswith(".py")
    )
    if not NAME_PATTERN.fullmatch(name) or is_device_name(name) or name.startswith("test") or clashes:
        # pytest takes every class for tests whose name begins with Test.
        raise NegoError(
            f"{name!r} cannot be an agent's name; take 1 to 40 small letters, digits and _, beginning with a "
            "letter but not with test, such as patient_buyer, and no word of Python or of the platform."
        )
    target = folder / name
    taken = next((path for path in (target, target.with_suffix(".py")) if path.exists()), None)
    if taken is not None:
        raise NegoError(f"{taken} is there already; take another name.")
    target.mkdir(parents=True)
    for file, text in texts.items():
        filled = text.replace("AgentName", class_name).replace("agent_name", name)
        path = target / file.replace("test_agent", f"test_{name}")
        path.write_text(filled.replace("API_VERSION", format_version()), encoding="utf-8", newline="\n")
    if role == "principal":
        (target / GAME_FILE).write_text(_game_with_principal(), encoding="utf-8", newline="\n")
    return target


def _game_with_principal() -> str:
    """Return the file of the practice game with a principal above the seat ``agent``."""
    game = json.loads((bundled("games") / "practice.json").read_bytes())
    principal = {"over": ["agent"], "timing": {"tick_interval": 5}}
    game |= {"name": "practice_with_principal", "principals": {PRINCIPAL: principal}}
    return json.dumps(game, ensure_ascii=False, indent=2) + "\n"


def _class_name(name: str) -> str:
    """Return ``patient_buyer`` as ``PatientBuyer``; a name of digits and _ alone gives no class name."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def _names_in(source: str) -> set[str]:
    """Return the names that a module imports, defines or uses."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.alias(name=found) | ast.ClassDef(name=found) | ast.Name(id=found):
                names.add(found)
    return names
