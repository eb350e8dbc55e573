"""File agent.json next to an agent.py, read without running any code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from negoplatform.domain.errors import AgentError, InputFileError
from negoplatform.formats.agent_manifest import EMPTY_MANIFEST, Manifest, load_manifest, read_manifest
from negoplatform.formats.agent_permissions import NO_PERMISSIONS, AgentPermissions
from negoplatform.presentation.start.agent_option_fields import agent_options

WHOLE = {
    "id": "my_agent",
    "version": "1.2.0",
    "api_version": "1.0",
    "author": "Jo Doe, می‌خواهم",
    "licence": "MIT",
    "mechanisms": ["bargaining", "sealed_bid"],
    "needs": ["numpy >= 1.26", "sqlite3", 'tomli; python_version < "3.11"'],
    "options": {
        "type": "object",
        "properties": {
            "share": {"type": "number", "minimum": 0, "maximum": 1, "default": 0.6, "title": "Share"},
            "steps": {"type": "integer", "minimum": 0.5},
            "pace": {"type": "integer", "enum": [1, 2]},
            "talks": {"type": "boolean", "default": True},
            "style": {"type": "string", "enum": ["warm", "cool"], "default": "warm"},
            "words": {"type": "array", "items": {"type": "string"}, "maxItems": 2, "default": ["yes"]},
            "copy": {"type": "object", "readOnly": True},
            "key": {"type": "string", "format": "environment"},
        },
    },
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Path of the agent.json."""
    return tmp_path / "agent.json"


def read(file: Path, value: object) -> Manifest:
    file.write_text(json.dumps(value), encoding="utf-8")
    return read_manifest(file)


def options(file: Path, **properties: Any) -> Manifest:
    return read(file, {"options": {"properties": properties}})


def settled(manifest: Manifest, config: dict[str, Any]) -> dict[str, Any]:
    assert manifest.options is not None
    return manifest.options.resolve(config)


def test_everything_that_may_be_said_is_read(file: Path) -> None:
    manifest = read(file, WHOLE)

    assert (manifest.id, manifest.version, manifest.api_version) == ("my_agent", "1.2.0", "1.0")
    assert (manifest.author, manifest.licence) == (WHOLE["author"], "MIT")
    assert manifest.needs == ("numpy>=1.26", "sqlite3", 'tomli; python_version < "3.11"')
    assert manifest.options is not None
    assert list(manifest.options.to_json_schema()["properties"]) == list(WHOLE["options"]["properties"])  # type: ignore[index]  # a dict


def test_everything_may_be_left_out(file: Path) -> None:
    assert read(file, {}) == EMPTY_MANIFEST


def test_only_an_agent_py_has_one_and_need_not(tmp_path: Path) -> None:
    (tmp_path / "agent.json").write_text('{"version": "7"}')

    assert load_manifest(tmp_path / "agent.py").version == "7"
    assert load_manifest(tmp_path / "other.py") == EMPTY_MANIFEST
    assert load_manifest(tmp_path / "elsewhere" / "agent.py") == EMPTY_MANIFEST


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ([], "agent.json: an object in braces { } belongs into this file."),
        ({"license": "MIT"}, "agent.json at license: this key is not known here; check its spelling"),
        (
            {"id": "../x"},
            "at id: an id has small letters, digits and _, and begins with a letter, such as my_",
        ),
        ({"id": "a\nb"}, "at id: an id has small letters"),
        ({"id": "Mine"}, "at id: an id has small letters"),
        ({"id": "größe"}, "at id: an id has small letters"),
        ({"id": "_x"}, "at id: an id has small letters"),
        ({"id": "a" * 41}, "at id: the text is too long; at most 40 characters"),
        ({"id": 7}, "at id: a text in quotes belongs here, not 7"),
        ({"author": "Jo\nDoe"}, "at author: this is one line of text"),
        ({"author": "oJ\u202eeod"}, "at author: this is one line of text"),
        ({"licence": "x" * 201}, "at licence: the text is too long"),
        ({"version": 1.2}, "at version: a text in quotes belongs here, not 1.2"),
        ({"api_version": "9.0"}, "at api_version: it needs a newer NegoPlatform (agent API 9.0, this one"),
        ({"api_version": "0.3"}, "at api_version: it was made for the agent API 0.3"),
        ({"api_version": 1.1}, "at api_version: a text in quotes belongs here"),
        ({"mechanisms": "bargaining"}, "at mechanisms: a list in brackets [ ] belongs here"),
        ({"mechanisms": []}, "at mechanisms: at least 1 is needed here"),
        ({"mechanisms": ["Sealed bid"]}, "at mechanisms[0]: a kind of game has small letters, digits and _"),
        ({"needs": "numpy"}, "at needs: a list in brackets [ ] belongs here"),
        ({"needs": ["numpy", "os; import"]}, "at needs[1]: this names no package; write it as pip reads it"),
        ({"needs": ["-r /etc/passwd"]}, "at needs[0]: this names no package"),
        ({"needs": ["x @ http://example.org/x.whl"]}, "at needs[0]: name the package and its versions alone"),
        ({"needs": ["x===1.0"]}, "at needs[0]: name the package and its versions alone"),
        ({"needs": ["x"] * 51}, "at needs: at most 50 belong here"),
        ({"needs": ["x; sys_platform ~= 'linux'"]}, "at needs[0]: the condition after the ; is not valid"),
        ({"needs": ["x; 'x' in extras"]}, "at needs[0]: the condition after the ; is not valid"),
        ({"permissions": ["network"]}, "at permissions: an object in braces { } belongs here"),
        ({"permissions": {"delete": ["x"]}}, "at permissions.delete: this key is not known here"),
        ({"permissions": {"write": "scratch"}}, "at permissions.write: a list in brackets [ ] belongs here"),
        ({"permissions": {"read": ["model", "model/"]}}, 'at permissions.read: "model" appears twice'),
        ({"permissions": {"read": ["x"] * 21}}, "at permissions.read: at most 20 belong here"),
        ({"permissions": {"write": ["agent.py"]}}, "an agent writes folders of its own, and not agent.py"),
        (
            {"permissions": {"write": ["scratch/notes.txt"]}},
            "an agent writes folders, and scratch/notes.txt is named like a file; name its folder",
        ),
        (
            {"permissions": {"write": ["Agent.json"]}},
            "an agent writes folders of its own, and not Agent.json",
        ),
        ({"options": {}}, "at options.properties: this key is missing"),
        ({"options": {"properties": {"a b": {"type": "boolean"}}}}, "at options.properties.a b: "),
        ({"options": {"properties": {}, "required": ["a"]}}, "at options: 'a' is required and not among"),
    ],
)
def test_what_cannot_be_used_is_told_with_its_place(file: Path, value: object, sentence: str) -> None:
    with pytest.raises(InputFileError) as error:
        read(file, value)

    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    "place",
    [
        *("", ".", "..", "a/../b", "/etc", "//x", "C:/x", "C:x", "a\\b", "nul", "a/COM1.txt", "a/b."),
        *("a ", ".git", "a/.ssh", "a\nb", "a\u202eb", "a\ud800"),
    ],
)
@pytest.mark.parametrize("key", ["read", "write"])
def test_a_permission_leads_nowhere_but_into_the_agents_own_folder(file: Path, key: str, place: str) -> None:
    with pytest.raises(InputFileError) as error:
        read(file, {"permissions": {key: [place]}})

    sentence = str(error.value)
    assert "folder or a file in the agent's own folder" in sentence or "half of a character" in sentence
    assert all(c.isprintable() for c in sentence)


@pytest.mark.parametrize(
    "address",
    [
        *("", "example.org", "example.org:", ":443", "example.org:0", "example.org:65536", "a:443:443"),
        *("example.org:0443", "a..b:1", "-a:1", "https://example.org:443", "a b:1", "*:443", "[::g]:1"),
        *("[1:2]:3", "::1:443", "größe:1", "a:443/x", "me@a:443", "a:4\n"),
    ],
)
def test_a_service_is_a_host_with_a_port(file: Path, address: str) -> None:
    with pytest.raises(InputFileError, match=r"permissions\.network\[0\]: this is a host with a port"):
        read(file, {"permissions": {"network": [address]}})


def test_permissions_are_read_in_one_spelling(file: Path) -> None:
    asked = read(
        file,
        {"permissions": {"network": ["API.example.org:443", "[::1]:80"], "read": ["./model/", "a//b"]}},
    ).permissions

    assert asked.network == ("api.example.org:443", "[::1]:80")
    assert asked.ports == (443, 80)
    assert (asked.read, asked.write) == (("model", "a/b"), ())


def test_permissions_include_those_that_ask_for_no_more(file: Path) -> None:
    def asked(**permissions: list[str]) -> AgentPermissions:
        return read(file, {"permissions": permissions}).permissions

    much = asked(network=["a:1", "b:2"], write=["scratch"])

    assert much.includes(asked(network=["b:2"]))
    assert much.includes(NO_PERMISSIONS)
    assert not much.includes(asked(network=["b:3"]))
    assert not much.includes(asked(read=["scratch"]))
    assert not NO_PERMISSIONS.includes(much)
    assert asked(network=["a:1"]).joined_with(asked(network=["b:2"], write=["scratch"])) == much


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ({}, "a.type: this key is missing"),
        ({"type": "list"}, "a.type: 'list' is not known here; write 'boolean' or 'integer'"),
        ({"$ref": "file:///etc/passwd"}, "a.type: this key is missing"),
        ({"type": "string", "$ref": "https://example.org"}, "a.$ref: this key is not known here"),
        ({"type": "string", "pattern": "(a+)+$"}, "a.pattern: this key is not known here"),
        ({"type": "array", "items": {"type": "array"}}, "a.items.type: "),
        ({"type": "integer", "minimum": "1"}, "a.minimum: a number belongs here"),
        ({"type": "integer", "minimum": 1e300}, "a.minimum: the number must be at most"),
        ({"type": "integer", "default": 1.5}, "a.default: a whole number belongs here, not 1.5"),
        ({"type": "integer", "minimum": 3, "default": 2}, "a: the default does not fit: "),
        ({"type": "integer", "enum": [1, 2], "default": 3}, "a: the default does not fit: "),
        ({"type": "string", "enum": ["x"], "default": "y"}, "a: the default does not fit: "),
        ({"type": "string", "minLength": 2, "default": "y"}, "a: the default does not fit: "),
        ({"type": "array", "items": {"type": "string"}, "default": [1]}, "a: the default does not fit: "),
        (
            {"type": "integer", "minimum": 5, "maximum": 1},
            "a: nothing fits: the least whole number is 5 and the greatest 1",
        ),
        (
            {"type": "integer", "exclusiveMinimum": 0.5, "exclusiveMaximum": 0.6},
            "a: nothing fits: the least whole number is 1 and the greatest 0",
        ),
        (
            {"type": "number", "minimum": 0.5, "maximum": 1, "exclusiveMaximum": 0.5},
            "a: nothing fits: the numbers begin at 0.5 and end at 0.5",
        ),
        ({"type": "string", "minLength": 10, "maxLength": 2}, "a: nothing fits: minLength is 10 and maxLe"),
        ({"type": "array", "minItems": 2, "maxItems": 1}, "a: nothing fits: minItems is 2 and maxItems 1"),
        ({"type": "integer", "default": 10**400}, "a.default: a whole number has 18 digits at most"),
        ({"type": "integer", "enum": [10**400]}, "a.enum[0]: a whole number has 18 digits at most"),
        (
            {"type": "string", "format": "environment", "default": "OPENAI_API_KEY"},
            "a: which key is used is said by whoever uses the agent; leave the default out",
        ),
        (
            {"type": "string", "format": "uri", "default": "http://example.org"},
            "a: which service is asked is said by whoever uses the agent; leave the default out",
        ),
    ],
)
def test_an_option_that_makes_no_sense_is_told_before_anybody_sets_it(
    file: Path, option: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputFileError) as error:
        options(file, a=option)

    assert f"agent.json at options.properties.{sentence}" in str(error.value)


@pytest.mark.parametrize(
    ("option", "fits", "does_not"),
    [
        ({"type": "integer", "minimum": 0.5, "exclusiveMaximum": 1.5}, 1, 2),
        ({"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3}, 2, 3),
        ({"type": "number", "minimum": 0.5, "maximum": 0.5}, 0.5, 0.6),
        ({"type": "string", "minLength": 2, "maxLength": 2}, "ab", "a"),
    ],
)
def test_bounds_may_leave_room_for_one_value_alone(
    file: Path, option: dict[str, Any], fits: object, does_not: object
) -> None:
    manifest = options(file, a=option)

    assert settled(manifest, {"a": fits}) == {"a": fits}
    with pytest.raises(AgentError):
        settled(manifest, {"a": does_not})


def test_what_has_to_be_set_has_to_be_asked_for(file: Path) -> None:
    def required(**option: Any) -> Manifest:
        return read(file, {"options": {"properties": {"a": option}, "required": ["a"]}})

    with pytest.raises(InputFileError, match="at options: 'a' is required, and nobody is asked for it"):
        required(type="boolean", readOnly=True)

    assert settled(required(type="boolean", readOnly=True, default=False), {}) == {"a": False}
    assert settled(required(type="boolean"), {"a": True}) == {"a": True}


def test_settings_are_filled_up_with_what_is_usual(file: Path) -> None:
    manifest = read(file, WHOLE)

    assert settled(manifest, {"share": 1, "name": "Kim", "timing": {}}) == {
        "share": 1,
        "talks": True,
        "style": "warm",
        "words": ["yes"],
        "name": "Kim",
        "timing": {},
    }
    assert settled(manifest, settled(manifest, {})) == settled(manifest, {})


def test_what_one_agent_does_to_its_settings_is_not_what_the_next_one_is_given(file: Path) -> None:
    manifest = read(file, WHOLE)

    settled(manifest, {})["words"].append("no")

    assert settled(manifest, {})["words"] == ["yes"]


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        ({"share": 40}, "The setting 'share' is a share from 0 to 1 (0.4 for 40 %), not 40."),
        ({"steps": 0}, "The setting 'steps' is a whole number from 1 up, not 0."),
        ({"pace": 3}, "The setting 'pace' is one of 1, 2, not 3."),
        ({"pace": True}, "The setting 'pace' does not fit: a whole number belongs here, not true."),
        ({"talks": 1}, "The setting 'talks' is true or false, not 1."),
        ({"talks": None}, "The setting 'talks' is true or false, not None."),
        ({"style": "hot"}, "The setting 'style' is one of warm, cool, not 'hot'."),
        ({"words": ["a", "b", "c"]}, "The setting 'words' does not fit: "),
        ({"copy": []}, "The setting 'copy' does not fit: "),
        ({"shair": 0.5}, "There is no setting 'shair'; there is share, steps, pace, talks"),
    ],
)
def test_settings_that_do_not_fit_are_refused_in_a_sentence(
    file: Path, config: dict[str, Any], sentence: str
) -> None:
    manifest = read(file, WHOLE)

    with pytest.raises(AgentError) as error:
        settled(manifest, config)

    assert str(error.value).startswith(sentence)


def test_what_has_to_be_set_is_asked_for(file: Path) -> None:
    asks = {"properties": {"key": {"type": "string"}}, "required": ["key"]}
    manifest = read(file, {"options": asks})

    with pytest.raises(AgentError, match="The setting 'key' is missing"):
        settled(manifest, {})
    assert settled(manifest, {"key": "x"}) == {"key": "x"}


def test_an_agent_may_be_open_to_more(file: Path) -> None:
    manifest = read(file, {"options": {"properties": {}, "additionalProperties": True}})

    assert settled(manifest, {"anything": [1]}) == {"anything": [1]}


def test_the_start_window_makes_its_form_of_the_options(file: Path) -> None:
    manifest = read(file, WHOLE)

    assert manifest.options is not None
    form = {option.name: option for option in agent_options(manifest.options.to_json_schema())}

    assert {name: option.kind for name, option in form.items()} == {
        "share": "number",
        "steps": "whole",
        "pace": "choice",
        "talks": "check",
        "style": "choice",
        "words": "json",
        "key": "text",
    }
    assert (form["share"].default, form["share"].minimum, form["share"].maximum) == (0.6, 0, 1)
