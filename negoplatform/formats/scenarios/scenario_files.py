"""Scenarios from files or a folder, whichever format they have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element

from negoplatform.domain.errors import InputFileError, NegoError
from negoplatform.formats.scenarios import geniusweb_reader, negmas_reader
from negoplatform.formats.scenarios.genius_reader import DOMAIN_TAG, PROFILE_TAG, genius_scenario
from negoplatform.formats.scenarios.genius_xml import read_xml
from negoplatform.formats.scenarios.scenario import ReadingOptions, Scenario
from negoplatform.formats.scenarios.scenario_json import read_json, read_yaml

SUFFIXES = {".xml": "xml", ".json": "json", ".yml": "yaml", ".yaml": "yaml"}
"""Formats of scenarios by the ends of their files' names."""

GENERAL_NAMES = ("domain", "scenario", "template", "negotiation_template")
"""Names of files with a domain that say nothing about it; their folder has its name."""

SIDE_FILES = "_"
"""Beginning of the names of NegMAS' files about a scenario of any format, such as ``_info.yaml``."""

MOST_FILES = 1_000
"""Maximum number of files of one scenario."""


def read_scenario(paths: Sequence[Path], options: ReadingOptions) -> Scenario:
    """Return the scenario in some files, or in a folder.

    Args:
        paths: A folder, or the files of one domain and its profiles.
        options: What the files leave open.

    Raises:
        InputFileError: If a file is none of a scenario, or cannot be imported exactly.
        NegoError: If the files do not belong together, or there is no profile.
    """
    folder = paths[0] if len(paths) == 1 and paths[0].is_dir() else None
    files = _files_in(folder) if folder else list(paths)
    formats = {SUFFIXES.get(path.suffix.lower(), "") for path in files}
    if "" in formats:
        odd = next(path for path in files if path.suffix.lower() not in SUFFIXES)
        raise InputFileError(odd, "", f"a scenario is a folder, or files that end in {', '.join(SUFFIXES)}")
    if len(formats) > 1:
        raise NegoError(f"{_listed(files)} are of different platforms; name the files of one of them.")
    if formats == {"xml"}:
        scenario = _read_genius(files, folder, options)
    else:
        scenario = _read_values(files, folder, options)
    if folder:
        scenario = replace(scenario, name=folder.resolve().name)
    elif scenario.name.lower() in GENERAL_NAMES:
        scenario = replace(scenario, name=files[0].resolve().parent.name or scenario.name)
    if len(scenario.profiles) < 2:
        there = f"only {scenario.profiles[0].file}" if scenario.profiles else "none"
        raise NegoError(f"A game needs two profiles; in {_listed(paths)} there is {there}.")
    return scenario


def _files_in(folder: Path) -> list[Path]:
    try:
        inside = sorted(folder.iterdir())
    except OSError as error:
        raise InputFileError(folder, "", f"the folder cannot be read ({error.strerror})") from None
    found = [
        path for path in inside if path.suffix.lower() in SUFFIXES and not path.name.startswith(SIDE_FILES)
    ]
    if not found:
        sentence = f"there is no file in it that ends in {', '.join(SUFFIXES)}"
        if any(path.is_dir() for path in inside):
            sentence += f"; folders in it are not searched, name each of them, such as by {folder}/*"
        raise InputFileError(folder, "", sentence)
    if len(found) > MOST_FILES:
        raise InputFileError(folder, "", f"there are {len(found):,} files in it, more than {MOST_FILES:,}")
    return found


def _read_genius(files: Iterable[Path], folder: Path | None, options: ReadingOptions) -> Scenario:
    domains: list[tuple[Path, Element]] = []
    profiles: list[tuple[Path, Element]] = []
    left_out: list[str] = []
    for path in files:
        root = read_xml(path)
        if root is not None and root.tag == DOMAIN_TAG:
            domains.append((path, root))
        elif root is not None and root.tag == PROFILE_TAG:
            profiles.append((path, root))
        elif folder:
            left_out.append(path.name)
        else:
            raise InputFileError(path, "", "this is no domain and no profile of Genius; name those alone")
    if len(domains) > 1:
        raise NegoError(
            f"There are several domains, {_listed(path for path, _ in domains)}; "
            "name one of them, and the files of its profiles."
        )
    if not profiles:
        raise NegoError("There is no profile: a file of Genius whose root element is utility_space.")
    scenario = genius_scenario(domains[0] if domains else profiles[0], profiles, options.steps)
    remarks = list(scenario.remarks)
    if not domains:
        remarks.append(f"There is no domain; its issues are those of {profiles[0][0].name}.")
    return replace(scenario, remarks=(*remarks, *_left_out(left_out)))


def _read_values(files: Sequence[Path], folder: Path | None, options: ReadingOptions) -> Scenario:
    """Return the scenario in JSON or YAML files, of GeniusWeb or of NegMAS."""
    values = [
        (path, read_json(path) if path.suffix.lower() == ".json" else read_yaml(path)) for path in files
    ]
    if any(negmas_reader.is_domain(value) or negmas_reader.is_profile(value) for _, value in values):
        return _read_negmas(values, folder, options)
    no_profile = geniusweb_reader.is_domain, geniusweb_reader.is_description
    of_profiles = [(path, value) for path, value in values if not any(is_one(value) for is_one in no_profile)]
    left_out: list[str] = []
    if folder:
        left_out = [path.name for path, value in of_profiles if not geniusweb_reader.is_profile(value)]
        of_profiles = [pair for pair in of_profiles if geniusweb_reader.is_profile(pair[1])]
    if not of_profiles:
        raise NegoError(f"There is no profile, only {_listed(files)}.")
    scenario = geniusweb_reader.geniusweb_scenario(of_profiles)
    return replace(scenario, remarks=(*scenario.remarks, *_left_out(left_out)))


def _read_negmas(
    values: Sequence[tuple[Path, Any]], folder: Path | None, options: ReadingOptions
) -> Scenario:
    domains = [pair for pair in values if negmas_reader.is_domain(pair[1])]
    profiles = [pair for pair in values if negmas_reader.is_profile(pair[1])]
    known = {path for path, _ in (*domains, *profiles)}
    odd = [path for path, _ in values if path not in known]
    if odd and not folder:
        reason = "this is no domain and no utility function of NegMAS; name those alone"
        raise InputFileError(odd[0], "", reason)
    negmas_reader.refuse_several_negotiations(profiles)
    if not domains:
        there = _listed(path for path, _ in profiles)
        raise NegoError(f"{there}: the domain is missing, a file with the issues.")
    if len(domains) > 1 or not profiles:
        there = _listed(path for path, _ in domains)
        raise NegoError(
            f"Name the files of one domain of NegMAS and of its utility functions (domains: {there})."
        )
    scenario = negmas_reader.negmas_scenario(domains[0], profiles, options)
    return replace(scenario, remarks=(*scenario.remarks, *_left_out([path.name for path in odd])))


def _left_out(names: Sequence[str]) -> list[str]:
    """Return the remark about files of a folder that were not read; none if there are none."""
    return [f"Left out, because they are no domain and no profile: {', '.join(names)}."] if names else []


def _listed(paths: Iterable[Path]) -> str:
    return ", ".join(path.name for path in paths)
