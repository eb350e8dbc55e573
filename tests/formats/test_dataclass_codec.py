"""Codec that derives the JSON form of a dataclass from its annotations."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Any

import pytest
from pydantic import Field

from negoplatform.domain.errors import InputFileError
from negoplatform.domain.offer import Allocation, Offer
from negoplatform.formats import event_payloads
from negoplatform.formats.dataclass_codec import ModelOf, Shape, describe, dump, encode, form, load
from negoplatform.formats.strict_json import StrictModel, validate_json


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Dot:
    x: int
    colour: Colour = Colour.RED


@dataclass(frozen=True, slots=True)
class Line:
    length: float


@dataclass(frozen=True, slots=True)
class Drawing:
    name: str
    dots: tuple[Dot, ...]
    first: Dot | None = None
    offer: Offer | None = None
    notes: Mapping[str, Any] = field(default_factory=dict)
    size: int = 1


describe(Dot, tag={"kind": "dot"}, x=Annotated[int, Field(ge=0)])
describe(Line, tag={"kind": "line"}, length=Shape(float, None, round))
describe(Drawing, optional=["notes"], omitted=["size"])

OFFER = Offer({"day": "Sunday", "apples": Allocation({"human": 2}, 1)})
DRAWING = Drawing("a", (Dot(1), Dot(2, Colour.BLUE)), Dot(3), OFFER, {"b": [1]}, 2)
DOCUMENT = {
    "name": "a",
    "dots": [{"kind": "dot", "x": 1, "colour": "red"}, {"kind": "dot", "x": 2, "colour": "blue"}],
    "first": {"kind": "dot", "x": 3, "colour": "red"},
    "offer": {"apples": {"human": 2, "undecided": 1}, "day": "Sunday"},
    "notes": {"b": [1]},
    "size": 2,
}


class Page(StrictModel):
    drawing: Annotated[Any, ModelOf(Drawing)]
    shape: Annotated[Any, ModelOf(Annotated[Dot | Line, Field(discriminator="kind")])]


def read(drawing: Mapping[str, Any], shape: Mapping[str, Any] | None = None) -> Page:
    page = {"drawing": drawing, "shape": shape or {"kind": "line", "length": 1.5}}
    return validate_json(Page, json.dumps(page), "page")


def test_a_value_is_dumped_with_its_parts_in_the_order_of_its_fields() -> None:
    assert dump(DRAWING) == DOCUMENT
    assert list(dump(DRAWING)) == list(DOCUMENT)
    assert json.loads(encode(DRAWING)) == DOCUMENT


def test_what_was_dumped_is_loaded_as_it_was() -> None:
    assert load(Drawing, read(DOCUMENT).drawing) == DRAWING


def test_a_key_may_be_missing_only_where_that_is_described() -> None:
    few: dict[str, Any] = {"name": "a", "dots": [], "first": None, "offer": None}

    assert load(Drawing, read(few).drawing) == Drawing("a", ())
    with pytest.raises(InputFileError, match=r"drawing.first.*this key is missing"):
        read({key: few[key] for key in few if key != "first"})


def test_a_default_is_left_out_only_where_that_is_described() -> None:
    assert dump(Drawing("a", ())) == {"name": "a", "dots": [], "first": None, "offer": None, "notes": {}}


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"odd": 1}, "drawing.odd.*not known here"),
        ({"name": 1}, "drawing.name.*a text in quotes belongs here"),
        ({"first": {"kind": "dot", "x": -1, "colour": "red"}}, "drawing.first.x.*at least 0"),
        ({"first": {"kind": "dot", "x": 1, "colour": "pink"}}, "drawing.first.colour.*'red' or 'blue'"),
        ({"dots": {}}, "drawing.dots.*a list in brackets"),
    ],
)
def test_a_fault_is_one_sentence_with_its_place(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputFileError, match=sentence):
        read({**DOCUMENT, **change})


def test_classes_of_a_union_are_told_apart_by_their_tag() -> None:
    assert read(DOCUMENT).shape.value() == Line(1.5)
    assert read(DOCUMENT, {"kind": "dot", "x": 1, "colour": "red"}).shape.value() == Dot(1)
    with pytest.raises(InputFileError, match="'circle' is not known here"):
        read(DOCUMENT, {"kind": "circle"})


def test_a_field_may_have_a_shape_of_its_own() -> None:
    assert dump(Line(2.6)) == {"kind": "line", "length": 3}


def test_a_class_without_a_shape_is_refused() -> None:
    with pytest.raises(TypeError, match="object has no shape"):
        encode({"a": object()})


def test_offers_are_registered() -> None:
    assert form(Offer) == event_payloads.OfferModel
    assert dump(OFFER) == event_payloads.dump_offer(OFFER)
