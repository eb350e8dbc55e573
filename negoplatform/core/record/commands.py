"""Commands in the record: their form, and the mandate and the information that they leave behind.

A command is ``commands/<principal>/<number>``: an object with ``to`` (a seat or a principal directly below)
and at least one of ``mandate`` (advice in numbers and words), ``info`` (information) and ``actions``. With
``replace_pending`` it drops the earlier commands of the same principal that still wait.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from negoplatform.core.record.notes_and_tasks import Record
from negoplatform.domain.errors import NegoError

COMMAND_KEYS = frozenset({"to", "actions", "mandate", "info", "replace_pending"})
"""Keys of a command; only those that it uses are there."""

MOST_MANDATE_VALUES = 50
"""Values of one mandate."""

LONGEST_MANDATE_TEXT = 2000
"""Characters of a text in a mandate."""

MOST_COMMAND_ACTIONS = 100
"""Actions of one command."""


def check_command(form: object, below: Collection[str]) -> None:
    """Check the form of a command, except for the actions themselves.

    Args:
        form: The presumed command, JSON values.
        below: The names directly below its giver.

    Raises:
        NegoError: If it is no command for one of them; a sentence.
    """
    if not isinstance(form, Mapping):
        raise NegoError("A command is an object with 'to' and a mandate, information or actions.")
    if strange := sorted(set(form) - COMMAND_KEYS):
        raise NegoError(f"A command has no {strange[0]!r:.60}; it has {', '.join(sorted(COMMAND_KEYS))}.")
    to = form.get("to")
    if not isinstance(to, str) or to not in below:
        raise NegoError(
            f"A command is for one of those directly below ({', '.join(below)}), not for {to!r:.60}."
        )
    if not any(form.get(key) for key in ("actions", "mandate", "info", "replace_pending")):
        raise NegoError(f"The command for {to} says nothing; it needs a mandate, information or actions.")
    if "mandate" in form:
        check_mandate(form["mandate"])
    if not isinstance(form.get("info", {}), Mapping):
        raise NegoError(f"The information for {to} is an object of JSON values.")
    if not isinstance(form.get("replace_pending", False), bool):
        raise NegoError("replace_pending is true or false.")
    actions = form.get("actions", [])
    if not isinstance(actions, list | tuple) or len(actions) > MOST_COMMAND_ACTIONS:
        raise NegoError(f"The actions for {to} are a list of at most {MOST_COMMAND_ACTIONS}.")


def check_mandate(mandate: object) -> None:
    """Check the values of a mandate.

    Raises:
        NegoError: If they are no named numbers, short texts and truth values; a sentence.
    """
    if not isinstance(mandate, Mapping) or len(mandate) > MOST_MANDATE_VALUES:
        raise NegoError(f"A mandate is an object with at most {MOST_MANDATE_VALUES} named values.")
    for name, value in mandate.items():
        if not isinstance(name, str) or not (
            isinstance(value, int | float | bool)
            or (isinstance(value, str) and len(value) <= LONGEST_MANDATE_TEXT)
        ):
            raise NegoError(
                f"The value {name!r:.60} of a mandate is a number, a text of at most "
                f"{LONGEST_MANDATE_TEXT:,} characters, true or false, not {value!r:.60}."
            )


def mandate_of(record: Record, principal: str | None, name: str) -> dict[str, Any]:
    """Return the mandate that a principal has given to a seat or a principal below it, so far.

    A later command changes the values that it names; all others stay. Empty without a mandate.

    Args:
        record: The record, or a view of it in which these commands are visible.
        principal: The principal; None: there is none.
        name: The seat or the principal below it.
    """
    return _merged(record, principal, name, "mandate")


def information_for(record: Record, principal: str | None, name: str) -> dict[str, Any]:
    """Return the information that a principal has sent to a name below it, the newest value by key."""
    return _merged(record, principal, name, "info")


def _merged(record: Record, principal: str | None, name: str, key: str) -> dict[str, Any]:
    if principal is None or not record.commands:
        return {}
    given = record.commands.to_dict().get(principal)
    found: dict[str, Any] = {}
    if not isinstance(given, dict):
        return found
    for number in sorted(given, key=_order):
        command = given[number]
        if isinstance(command, dict) and command.get("to") == name and isinstance(command.get(key), dict):
            found.update(command[key])
    return found


def _order(number: str) -> tuple[int, str]:
    """Return the place of a command among those of its giver: by its number, not by its digits."""
    return (int(number), "") if number.isdecimal() and len(number) < 16 else (0, number)
