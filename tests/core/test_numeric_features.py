"""Features: their contents and their declaration."""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from types import ModuleType
from typing import Any

import pytest

from negoplatform.core.features import numeric_features
from negoplatform.core.features.numeric_features import Feature, feature_class
from negoplatform.domain.errors import NegoError
from negoplatform.domain.game import Visibility


class BatteryCharge(Feature):
    visibility = ("public",)
    ranges = {"soc": (0.0, 1.0)}  # noqa: RUF012 - as an author writes it

    soc: float = 0.5
    capacity: float = 100.0


class Mixed(Feature):
    ranges = {"pair": (-1, 1)}  # noqa: RUF012 - as an author writes it

    last: int = 7
    flag: bool = False
    pair: tuple[float, ...] = (0.0, 0.0)
    many: tuple[float, ...] = ()


class Secret(Feature):
    number: float = 1.0


@pytest.fixture(autouse=True)
def _what_a_test_loads_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(numeric_features, "_classes", dict(numeric_features._classes))
    modules = set(sys.modules)
    yield
    for name in set(sys.modules) - modules:
        del sys.modules[name]


def loaded(source: str, name: str = "feature_plugin", file: str = "feature_plugin.py") -> ModuleType:
    """Return a module loaded from source text, as a plugin is."""
    module = ModuleType(name)
    module.__file__ = file
    sys.modules[name] = module
    text = (
        "from typing import ClassVar\nfrom negoplatform.core.features.numeric_features import Feature\n"
        + source
    )
    exec(compile(text, file, "exec"), module.__dict__)
    return module


# Contents of a feature


def test_one_charging_step_gives_the_worked_number() -> None:
    charge = BatteryCharge(soc=0.5)

    charged = charge.set_values(soc=charge.soc + 0.3 * 0.01)

    assert charged.soc == 0.503
    assert charged.capacity == 100.0


@pytest.mark.parametrize(("asked", "kept"), [(1.2, 1.0), (-0.1, 0.0), (0.8, 0.8)])
def test_a_value_is_clipped_to_its_range(asked: float, kept: float) -> None:
    assert BatteryCharge().set_values(soc=asked).soc == kept
    assert BatteryCharge(soc=asked).soc == kept


def test_every_number_of_a_list_is_clipped() -> None:
    assert Mixed(pair=(-3, 0.25)).pair == (-1, 0.25)


def test_setting_values_leaves_the_feature_as_it_was() -> None:
    charge = BatteryCharge(soc=0.5)

    charge.set_values(soc=0.9)

    assert charge.soc == 0.5
    with pytest.raises(FrozenInstanceError):
        charge.soc = 0.9  # type: ignore[misc]  # what is tried is forbidden


def test_the_vector_has_the_values_in_the_order_of_their_declaration() -> None:
    vector = Mixed(many=(4, 5), flag=True, pair=[0.5, -0.5]).vector()  # type: ignore[arg-type]  # a list will do

    assert vector == array("f", [7, 1, 0.5, -0.5, 4, 5])
    assert vector.typecode == "f"


def test_a_feature_comes_back_from_json() -> None:
    mixed = Mixed(flag=True, pair=(0.1, 0.2), many=(1, 2, 3))

    back = Mixed.from_dict(json.loads(json.dumps(mixed.to_dict())))

    assert back == mixed
    assert mixed.to_dict() == {"last": 7, "flag": True, "pair": [0.1, 0.2], "many": [1, 2, 3]}


def test_what_a_dict_does_not_name_has_its_default() -> None:
    assert BatteryCharge.from_dict({"soc": 0.1}) == BatteryCharge(soc=0.1, capacity=100.0)


def test_features_differ_by_value_and_by_visibility() -> None:
    assert Mixed() == Mixed(last=7)
    assert Mixed() != Mixed(last=8)
    assert Mixed() != Mixed().with_visibility("public")
    assert hash(Mixed()) == hash(Mixed(last=7))


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"sock": 1}, r"BatteryCharge has no 'sock'; it has soc, capacity\."),
        ({"soc": "full"}, r"BatteryCharge\.soc is a number, not str\."),
        ({"soc": True}, r"BatteryCharge\.soc is a number, not bool\."),
        ({"soc": None}, r"BatteryCharge\.soc is a number, not NoneType\."),
        ({"soc": float("nan")}, r"BatteryCharge\.soc is a finite number"),
        ({"capacity": float("inf")}, r"BatteryCharge\.capacity is a finite number"),
        ({"capacity": 1e39}, r"BatteryCharge\.capacity is a finite number that fits into 32 bits\."),
        ({"capacity": 10**400}, r"BatteryCharge\.capacity is a finite number that fits into 32 bits\."),
    ],
)
def test_a_value_that_does_not_fit_is_refused_with_a_sentence(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NegoError, match=sentence):
        BatteryCharge().set_values(**values)
    with pytest.raises(NegoError, match=sentence):
        BatteryCharge.from_dict(values)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"pair": (1,)}, r"Mixed\.pair has 2 numbers, not 1\."),
        ({"pair": "ab"}, r"Mixed\.pair is a list of numbers, not str\."),
        ({"pair": 3}, r"Mixed\.pair is a list of numbers, not int\."),
        ({"pair": (1, "b")}, r"Mixed\.pair is a number, not str\."),
        ({"flag": 1}, r"Mixed\.flag is true or false, not int\."),
    ],
)
def test_a_list_or_a_flag_that_does_not_fit_is_refused(values: dict[str, Any], sentence: str) -> None:
    with pytest.raises(NegoError, match=sentence):
        Mixed(**values)


def test_a_list_without_a_fixed_length_keeps_the_length_that_it_was_made_with() -> None:
    mixed = Mixed(many=(1, 2))

    assert mixed.set_values(many=[3, 4]).many == (3, 4)
    with pytest.raises(NegoError, match=r"Mixed\.many has 2 numbers, not 3\."):
        mixed.set_values(many=[3, 4, 5])


def test_a_list_can_be_given_as_an_array() -> None:
    assert Mixed(pair=array("f", [0.5, 1])).pair == (0.5, 1)  # type: ignore[arg-type]  # an array will do


# Declaration of a feature


def test_a_feature_is_known_by_the_name_of_its_class() -> None:
    assert BatteryCharge.feature_name == "BatteryCharge"
    assert BatteryCharge().feature_name == "BatteryCharge"
    assert feature_class("BatteryCharge") is BatteryCharge


def test_an_unknown_feature_is_an_error() -> None:
    with pytest.raises(NegoError, match="no feature 'Nothing'; define or load its class first"):
        feature_class("Nothing")


def test_what_declares_no_visibility_is_its_owners() -> None:
    assert Secret.visibility == (Visibility.OWNER,)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (
            "visibility = ['everyone']",
            "one or more of public, owner, upper_level, team, system; not 'everyone'",
        ),
        ("visibility = 'public'", r"The visibility of Wrong is a list: \['public'\]"),
        ("visibility = []", "The visibility of Wrong is empty"),
        ("visibility: list[str] = ['public']", "Wrong.visibility cannot be a field"),
        ("soc: float", "Wrong.soc needs a default"),
        ("vector: float = 0.0", "Wrong.vector cannot be a field"),
        ("_soc: float = 0.0", "Wrong._soc cannot be a field"),
        ("soc: str = 'x'", "Wrong.soc is a number, not str"),
        ("soc: dict = {}", "mutable default"),
        ("soc: float = float('nan')", "Wrong.soc is a finite number"),
        ("ranges = {'sock': (0, 1)}", "Wrong has a range for 'sock', which is no number of it"),
        ("soc: float = 0.0\n    ranges = {'soc': (1, 0)}", "The range of Wrong.soc goes from the least"),
    ],
)
def test_a_wrong_declaration_is_an_error_when_the_class_is_defined(body: str, sentence: str) -> None:
    with pytest.raises(TypeError, match=sentence):
        loaded(f"class Wrong(Feature):\n    {body}\n")

    with pytest.raises(NegoError, match="no feature 'Wrong'"):
        feature_class("Wrong")


def test_a_class_variable_is_no_field() -> None:
    module = loaded("class Plain(Feature):\n    unit: ClassVar[str] = 'kWh'\n    soc: float = 0.5\n")

    assert module.Plain().to_dict() == {"soc": 0.5}


def test_a_list_as_default_is_kept_as_a_tuple() -> None:
    module = loaded("class Listed(Feature):\n    pair: list = [1, 2]\n")

    assert module.Listed().pair == (1, 2)
    assert module.Listed(pair=[3, 4]).to_dict() == {"pair": [3, 4]}


def test_a_feature_may_extend_another_and_keeps_its_fields_and_visibility() -> None:
    module = loaded(
        "class Base(Feature):\n    visibility = ['public']\n    a: float = 1.0\n"
        "class Extended(Base):\n    b: float = 2.0\n"
    )

    assert module.Extended().vector() == array("f", [1, 2])
    assert module.Extended.visibility == (Visibility.PUBLIC,)


def test_a_second_class_of_one_name_is_an_error() -> None:
    loaded("class Twice(Feature):\n    soc: float = 0.5\n", name="first_plugin", file="first.py")

    with pytest.raises(TypeError, match=r"already a class Twice in first\.py; choose another name"):
        loaded("class Twice(Feature):\n    soc: float = 0.6\n", name="second_plugin", file="second.py")
    assert feature_class("Twice")().to_dict() == {"soc": 0.5}


def test_a_file_that_is_loaded_again_replaces_its_class_when_it_says_so() -> None:
    source = "class Again(Feature, replace=True):\n    soc: float = {}\n"
    loaded(source.format(0.5), name="again_1", file="again.py")

    loaded(source.format(0.6), name="again_2", file="again.py")

    assert feature_class("Again")().to_dict() == {"soc": 0.6}


def test_a_file_that_is_loaded_again_without_saying_so_is_an_error() -> None:
    source = "class Silent(Feature):\n    soc: float = 0.5\n"
    loaded(source, name="silent_1", file="silent.py")

    with pytest.raises(TypeError, match=r"replace=True"):
        loaded(source, name="silent_2", file="silent.py")


def test_nobody_can_replace_the_class_of_another_file() -> None:
    with pytest.raises(TypeError, match="already a class Secret"):
        loaded("class Secret(Feature, replace=True):\n    visibility = ['public']\n    number: float = 1.0\n")

    assert feature_class("Secret") is Secret
