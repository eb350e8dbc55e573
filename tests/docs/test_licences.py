"""Page of licences: it has everything that the program requires, with the licence in its metadata."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.docs.pages import ROOT

PAGE = ROOT / "docs" / "licences.md"

ROW = re.compile(r"^\| `([\w-]+)` \| (`([^`]+)`|by ([\w-]+)) \| ([^|]+) \| [^|]+ \| [^|]+ \|$", re.MULTILINE)

SYSTEMS: Mapping[str, Mapping[str, str]] = {
    "Linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "Windows": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}

PYTHONS = ("3.11", "3.12", "3.13", "3.14")

CLASSIFIERS = {
    ("MIT License",): "MIT",
    ("GNU Library or Lesser General Public License (LGPL)",): "LGPL-3.0-or-later",
    ("GNU General Public License v2 (GPLv2)",): "GPL-2.0-or-later WITH Bootloader-exception",
}
"""Licences of packages whose metadata has no SPDX expression, by the classifiers that it has instead."""

BUILDS_ONLY = {"altgraph", "pefile", "pyinstaller-hooks-contrib", "setuptools"}


@dataclass(frozen=True, slots=True)
class LicenceRow:
    """Row of the page about a package.

    Args:
        requirement: Requirement of ``pyproject.toml``; empty for a package that another one requires.
        required_by: The other package.
        licence: SPDX expression.
    """

    requirement: str
    required_by: str
    licence: str


def rows_of(text: str) -> dict[str, LicenceRow]:
    """Return the rows about packages, by the package's name."""
    return {
        found[1]: LicenceRow(found[3] or "", found[4] or "", found[5].strip()) for found in ROW.finditer(text)
    }


def installed(name: str) -> Distribution | None:
    """Return a package's metadata; None if it is not installed here."""
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None


def licence_in_metadata(package: Distribution) -> str:
    """Return the licence that a package states, as an SPDX expression."""
    classifiers = package.metadata.get_all("Classifier") or []
    known = tuple(each.rpartition(" :: ")[2] for each in classifiers if each.startswith("License ::"))
    expression, older = (
        "".join(package.metadata.get_all(name) or []) for name in ("License-Expression", "License")
    )
    return expression or CLASSIFIERS.get(known) or older


def required_by(package: Distribution, extras: frozenset[str]) -> Iterator[Requirement]:
    """Yield the requirements that hold on one of the systems with one of the supported versions of Python."""
    for requirement in map(Requirement, package.requires or ()):
        marker = requirement.marker
        if marker is None or any(
            marker.evaluate(
                {**system, "python_version": python, "python_full_version": f"{python}.0", "extra": extra}
            )
            for system in SYSTEMS.values()
            for python in PYTHONS
            for extra in extras | {""}
        ):
            yield requirement


def packages_of_the_program() -> dict[str, Distribution | None]:
    """Return all packages that the packaged program requires; None for those not installed here."""
    found: dict[str, Distribution | None] = {}
    visited = set()
    waiting = [("negoplatform", frozenset({"app"}))]
    while waiting:
        name, extras = waiting.pop()
        if (name, extras) in visited:
            continue
        visited.add((name, extras))
        package = found[name] = installed(name)
        if package is not None:
            waiting += [
                (canonicalize_name(each.name), frozenset(each.extras))
                for each in required_by(package, extras)
            ]
    return {name: package for name, package in found.items() if name not in BUILDS_ONLY | {"negoplatform"}}


@pytest.fixture(scope="module")
def rows() -> dict[str, LicenceRow]:
    """Return the rows about packages."""
    return rows_of(PAGE.read_text(encoding="utf-8"))


def test_each_package_that_the_program_requires_is_on_the_page(rows: dict[str, LicenceRow]) -> None:
    missing = packages_of_the_program().keys() - rows.keys()

    assert missing == set()


def test_the_page_says_the_licence_that_the_package_states(rows: dict[str, LicenceRow]) -> None:
    stated = {
        name: licence_in_metadata(package) for name, package in packages_of_the_program().items() if package
    }

    assert {name: rows[name].licence for name in stated} == stated


def test_each_row_says_what_requires_the_package(rows: dict[str, LicenceRow]) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    direct = [each for each in (*project["dependencies"], *extras["llm"], *extras["app"]) if "[" not in each]
    wrong = []
    for name, row in rows.items():
        package = installed(row.required_by) if row.required_by else None
        if package is not None:
            names = {canonicalize_name(each.name) for each in required_by(package, frozenset())}
            wrong += [name] if name not in names else []
        elif row.required_by and row.required_by not in rows:
            wrong.append(name)

    assert wrong == []
    assert sorted(row.requirement for row in rows.values() if row.requirement) == sorted(direct)


def test_each_installed_package_has_a_licence_text(rows: dict[str, LicenceRow]) -> None:
    text = re.compile(r"(?i)licen[cs]e|copying")
    without = [
        name
        for name, package in packages_of_the_program().items()
        if package and not any(text.match(file.name) for file in package.files or ())
    ]

    assert without == []


def test_everything_in_the_folder_of_assets_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assets = [path for path in (ROOT / "assets").iterdir() if path.name != "README.md"]

    assert [path.name for path in assets if f"assets/{path.name}" not in text] == []
    assert [path.name for path in (ROOT / "assets" / "fonts").iterdir() if path.name not in text] == []
