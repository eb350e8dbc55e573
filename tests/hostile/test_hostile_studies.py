"""Broken studies: each is refused in one sentence with file, place and reason."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from negoplatform.app.study.study_check import StudyFindingKind, check_study
from negoplatform.app.study.study_folder import load_study
from negoplatform.app.study.text_check import LARGEST_PICTURE, LARGEST_SIDE
from negoplatform.domain.errors import InputFileError
from negoplatform.gui.pictures import picture_file_reader
from tests.study.studies import stage, write_study

Change = Callable[[dict[str, Any]], object]


def at(stage_id: str, **values: Any) -> Change:
    """Return a change of some keys of a stage."""
    return lambda study: stage(study, stage_id).update(values)


def without(stage_id: str, key: str) -> Change:
    """Return a change that removes a key of a stage."""
    return lambda study: stage(study, stage_id).pop(key)


def top(**values: Any) -> Change:
    """Return a change of some keys of the study."""
    return lambda study: study.update(values)


def design(**values: Any) -> Change:
    """Return a change of some keys of the design."""
    return lambda study: study["design"].update(values)


def codes(**values: Any) -> Change:
    """Return a change of some keys of the codes."""
    return lambda study: study["codes"].update(values)


def pay(**values: Any) -> Change:
    """Return a change of some keys of the payment."""
    return lambda study: study["payment"].update(values)


def sam(**values: Any) -> Change:
    """Return a change of some keys of the partner sam."""
    return lambda study: study["partners"]["sam"].update(values)


def question(index: int, /, **values: Any) -> Change:
    """Return a change of some keys of a question of the quiz."""
    return lambda study: stage(study, "quiz")["questions"][index].update(values)


def item(index: int, /, **values: Any) -> Change:
    """Return a change of some keys of an item of the form ``about``."""
    return lambda study: stage(study, "about")["items"][index].update(values)


def game(number: int, **values: Any) -> Change:
    """Return a change of some keys of a round."""
    return lambda study: stage(study, "r")["rounds"][number].update(values)


BROKEN: dict[str, tuple[Change, str, str]] = {
    "unknown key": (top(colour="red"), "colour", "not known here"),
    "unknown key of a stage": (at("pay", sound=True), "sound", "not known here"),
    "missing key": (lambda study: study.pop("design"), "design", "missing"),
    "another schema": (top(schema="negoplatform.study/9"), "schema", "write 'negoplatform.study/1'"),
    "name with capitals": (top(name="Small"), "name", "small letters"),
    "version of two numbers": (top(version="1.0"), "version", "three numbers"),
    "no language": (top(languages=[]), "languages", "at least 1"),
    "unknown language": (top(languages=["english!"]), "languages", "is no language"),
    "language twice": (top(languages=["en", "en"]), "", "twice"),
    "language without texts": (top(languages=["en", "de"]), "", "there is no texts/de/consent.md"),
    "title without a language": (top(title={"de": "Studie"}), "title", "missing in the language 'en'"),
    "empty title": (top(title=" "), "title", "must not be empty"),
    "factor with one level": (
        lambda s: s["factors"].update(emotion=["happy"]),
        "factors.emotion",
        "at least 2",
    ),
    "level twice": (lambda s: s["factors"].update(emotion=["happy", "happy"]), "", "a level twice"),
    "unused factor": (lambda s: s["factors"].update(light=["on", "off"]), "", "not in design.between"),
    "unknown factor": (design(between=["emotion", "concession", "light"]), "", "'light', which there is not"),
    "choice of an unknown factor": (sam(mood={"by": "light"}), "partners.sam.mood", 'no factor "light"'),
    "choice without a level": (
        sam(name={"by": "emotion", "happy": "Sam"}),
        "partners.sam.name",
        "no value for the level 'angry'",
    ),
    "choice of an unknown level": (
        sam(name={"by": "emotion", "happy": "A", "angry": "B", "sad": "C"}),
        "partners.sam.name",
        "no level 'sad'",
    ),
    "choice of an id": (at("pay", id={"by": "emotion"}), "id", "the same in all cells"),
    "choice of the name": (top(name={"by": "emotion"}), "name", "the same for all participants"),
    "choice before the assignment": (
        at("consent", title={"by": "emotion"}),
        "stages[0]",
        "before the assignment",
    ),
    "mood that there is not": (sam(mood="hungry"), "partners.sam.mood", "the mood is one of"),
    "agent that there is not": (sam(agent="nobody"), "partners.sam.agent", "no agent 'nobody'"),
    "setting that does not fit": (sam(pace=99), "partners.sam.pace", "at most 4"),
    "persona of an agent without one": (sam(persona="warm"), "partners.sam", "has no persona"),
    "block that is no multiple": (design(block=6), "", "no multiple of 4"),
    "seed that is no number": (design(seed="x"), "design.seed", "a whole number"),
    "assignment that there is not": (design(assign="share"), "design.assign", "not known here"),
    "plan that is missing": (design(assign="plan"), "design.assign", "there is no plan.csv"),
    "fallback without a plan": (design(fallback="code"), "design", "write assign: plan"),
    "stratum that there is not": (design(strata=["age"]), "design.strata", "there is no 'age'"),
    "weight of an unknown cell": (
        design(weights={"sad-soft": 2}),
        "",
        "the cell 'sad-soft', which there is not",
    ),
    "within of a page": (
        design(within={"sequence": {"of": "debrief"}}),
        "design.within.sequence",
        "no stage of the kind rounds",
    ),
    "two orders of one stage": (
        design(within={"a": {"of": "r"}, "b": {"of": "r"}}),
        "design.within.b",
        "already belongs",
    ),
    "pattern without digits": (codes(pattern="PART"), "codes", "write # for each digit"),
    "pattern with too few codes": (codes(pattern="P-#"), "codes.pattern", "makes 10 codes"),
    "pattern and file": (codes(**{"from": "codes.csv"}), "codes", "write one of these keys"),
    "file of codes that is missing": (lambda s: s.update(codes={"from": "codes.csv"}), "", "cannot be read"),
    "spare code twice": (
        codes(replace={"happy-soft": ["S-1"], "angry-soft": ["S-1"]}),
        "codes",
        "appears twice",
    ),
    "spare code of an unknown cell": (
        codes(replace={"sad": ["S-1"]}),
        "",
        "the cell 'sad', which there is not",
    ),
    "drawn codes by list": (lambda s: s.update(codes={"drawn": True}), "design.assign", "a drawn code"),
    "kind that there is not": (at("pay", kind="party"), "stages[8].kind", "not known here"),
    "two stages of one id": (at("pay", id="svi"), "", "two stages named 'svi'"),
    "id with a space": (at("pay", id="my pay"), "id", "small letters"),
    "stage named as a factor": (at("pay", id="emotion"), "", "a stage and a factor"),
    "when of an unknown answer": (
        at("pay", when={"about.size": 3}),
        "stages.pay.when",
        "there is no 'about.size'",
    ),
    "when that looks forward": (
        at("instructions", when={"about.age": 18}),
        "stages.instructions.when",
        "not known yet",
    ),
    "when of an impossible level": (at("pay", when={"emotion": "sad"}), "stages.pay.when", "is never 'sad'"),
    "when of another type": (at("pay", when={"r.1.agreement": "yes"}), "stages.pay.when", "true or false"),
    "range of a text": (at("pay", when={"emotion": {"at_least": 2}}), "stages.pay.when", "range of numbers"),
    "empty when": (at("pay", when={}), "stages[8]", "at least one reference"),
    "text that is missing": (
        at("debrief", text="other.md"),
        "stages.debrief.text",
        "there is no texts/en/other.md",
    ),
    "text outside of the folder": (
        at("debrief", text="../x.md"),
        "stages[9].text (stage debrief)",
        "without a folder",
    ),
    "page without a text": (without("debrief", "text"), "", "either text or texts"),
    "tick without a statement": (
        at("consent", tick=["age", "data", "video"]),
        "",
        "no statement to tick for 'video'",
    ),
    "statement without a tick": (at("consent", tick=["age"]), "", "the statement 'data' is not in tick"),
    "quiz without a right answer": (question(1, correct=3), "", "has no right answer"),
    "quiz with an unplayed game": (
        question(0, correct={"from_game": "used_car", "is": "no_deal"}),
        "stages.quiz.batna",
        "is not played",
    ),
    "quiz about an offer without one": (
        question(0, correct={"from_game": "campsite", "is": "worth_of_offer"}),
        "",
        "needs the offer",
    ),
    "quiz with choices and a number": (question(1, number=True), "", "either choices or number"),
    "quiz that leads forward": (
        at("quiz", then={"read_again": "debrief"}),
        "stages.quiz.then",
        "before this quiz",
    ),
    "game that there is not": (game(0, game="chess"), "rounds[0].game", "no game 'chess'"),
    "game with three seats": (game(0, game="three_way"), "rounds[0].game", "3 seats"),
    "profile that there is not": (game(0, profile={"human": "tall"}), "rounds[0]", "tall"),
    "partner that there is not": (at("r", partner="max"), "partner", "no partner 'max'"),
    "round without a partner": (without("practice", "partner"), "stages.practice.partner", "nobody is there"),
    "consent between rounds": (
        at("r", between=[{"kind": "end", "id": "x", "text": "thanks.md"}]),
        "",
        "between rounds there are",
    ),
    "partner of a later choice": (
        at("practice", partner={"chosen": "pick"}),
        "stages.practice.partner",
        "no choice of a partner",
    ),
    "instrument that there is not": (
        at("svi", instrument="mood_now"),
        "stages.svi.instrument",
        "no instrument 'mood_now'",
    ),
    "form without items": (without("about", "items"), "", "either an instrument or items"),
    "item of two kinds": (item(0, text={}), "", "exactly one kind of answer"),
    "item without a kind": (lambda s: stage(s, "about")["items"][0].pop("number"), "", "but it has none"),
    "two items of one id": (item(1, id="age"), "", "two items named 'age'"),
    "item that depends on a later one": (
        item(0, when={"svi.i1": 3}),
        "stages.about.age.when",
        "not known yet",
    ),
    "scale with one point": (
        item(0, number=None, likert={"points": 1, "from": "a", "to": "b"}),
        "points",
        "at least 2",
    ),
    "flag of an unknown item": (
        at("attention", flag_if={"attention.z": 1}),
        "stages.attention.flag_if",
        "no 'attention.z'",
    ),
    "payment that is no text": (pay(show_up=5.0), "payment.show_up", "written in quotes"),
    "payment below zero": (pay(show_up="-1.00"), "payment.show_up", "0 to 1,000,000"),
    "least above most": (pay(least="30.00"), "payment", "the least payment is above the most"),
    "most that nobody can get": (pay(most="25.05"), "payment", "no multiple of round_up_to"),
    "payment of a form": (
        lambda s: s["payment"]["points"].update(of="svi"),
        "payment.points.of",
        "no negotiation",
    ),
    "payment of practice": (
        lambda s: s["payment"]["points"].update(of="practice"),
        "payment.points.of",
        "does not count",
    ),
    "payment of a stage that some skip": (
        at("r", when={"emotion": "happy"}),
        "payment.points.of",
        "not everybody plays",
    ),
    "bonus for nothing": (
        pay(bonuses=[{"for": "quiz.luck", "amount": "1.00"}]),
        "payment.bonuses",
        "no 'quiz.luck'",
    ),
    "payment page without payment": (lambda s: s.pop("payment"), "stages.pay", "no payment to show"),
    "stage behind the end": (
        lambda s: s["stages"].append({"kind": "payment", "id": "late"}),
        "stages.late",
        "no visit can reach",
    ),
    "wait for nobody": (
        lambda s: s["stages"].insert(3, {"kind": "wait", "id": "w"}),
        "stages[3].for",
        "missing",
    ),
    "call of no address": (
        lambda s: s["stages"].insert(3, {"kind": "call", "id": "c", "url": "ftp://x"}),
        "stages[3].url (stage c)",
        "begins with https://",
    ),
    "call of nothing": (
        lambda s: s["stages"].insert(3, {"kind": "call", "id": "c"}),
        "",
        "either a url or a program",
    ),
}


def refusals(root: Path) -> list[tuple[str, str, str]]:
    """Return file, place and reason of every error of a study."""
    try:
        folder = load_study(root, root.parent / "data")
    except InputFileError as error:
        return [(str(error.path), error.where, error.reason)]
    errors = [one for one in check_study(folder) if one.kind is StudyFindingKind.ERROR]
    return [(str(one.path), one.where, one.reason) for one in errors]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_study_is_refused_with_file_place_and_reason(tmp_path: Path, name: str) -> None:
    change, place, words = BROKEN[name]

    found = refusals(write_study(tmp_path / "small", change))

    fitting = [one for one in found if words in one[2] and place in one[1]]
    assert fitting, found
    path, _, reason = fitting[0]
    assert path.startswith(str(tmp_path))
    assert "\n" not in reason
    assert not reason.endswith(".")


def rewritten(name: str, text: str) -> Callable[[Path], object]:
    """Return a change of a file of a study."""

    def write(root: Path) -> None:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")

    return write


def instrument(name: str, **keys: Any) -> Callable[[Path], object]:
    """Return a change that adds an own instrument for the form ``attention``."""
    document = {
        "schema": "negoplatform.instrument/1",
        "name": name,
        "title": "Title",
        "source": "own",
        "licence": "CC0-1.0",
        "items": [{"id": "a", "ask": "?", "text": {}}],
        **keys,
    }
    return rewritten("instruments/attention.json", json.dumps(document))


def picture(width: int, height: int, kind: str = "PNG") -> bytes:
    """Return a picture."""
    out = BytesIO()
    Image.effect_noise((width, height), 50).save(out, kind)
    return out.getvalue()


PICTURE = picture(60, 40)


def with_picture(data: bytes) -> Callable[[Path], object]:
    """Return a change that adds a picture to a text."""

    def write(root: Path) -> None:
        rewritten("texts/en/debrief.md", "![A boat](boat.png)\n\nThe end.\n")(root)
        (root / "pictures").mkdir()
        (root / "pictures" / "boat.png").write_bytes(data)

    return write


BROKEN_FILES: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "no JSON": (rewritten("study.json", "{"), "study.json", "no valid JSON"),
    "missing comma": (
        rewritten("study.json", '{"name": "a"\n"version": "1.0.0"}'),
        "study.json",
        "a comma is missing before this place",
    ),
    "comma too much": (rewritten("study.json", '{"name": "a",}'), "study.json", "there is an extra comma"),
    "typographic quotes": (
        rewritten("study.json", '{"name": “a”}'),
        "study.json",
        "write straight quotes",
    ),
    "empty file": (rewritten("study.json", ""), "study.json", "nothing in it"),
    "a list": (rewritten("study.json", "[]"), "study.json", "an object in braces"),
    "no study": (lambda root: (root / "study.json").unlink(), "study.json", "cannot be read"),
    "link in a text": (
        rewritten("texts/en/debrief.md", "see [here](http://x.y)"),
        "debrief.md",
        "a link cannot be shown",
    ),
    "HTML in a text": (
        rewritten("texts/en/debrief.md", "<b>x</b>\n\n<div>\ny\n</div>\n\n> q\n"),
        "debrief.md",
        "cannot be shown",
    ),
    "unknown placeholder": (
        rewritten("texts/en/debrief.md", "Dear {name}"),
        "debrief.md",
        "no placeholder {name}",
    ),
    "placeholder without a value": (
        rewritten("texts/en/debrief.md", "Ask {contact}"),
        "debrief.md",
        "{contact} has no value; add the key contact",
    ),
    "missing picture": (
        rewritten("texts/en/debrief.md", "![x](boat.png)"),
        "debrief.md",
        "no picture 'boat.png'",
    ),
    "text that no window holds": (
        rewritten("texts/en/debrief.md", "word " * 5000),
        "debrief.md",
        "at most 20,000 characters",
    ),
    "text of too many paragraphs": (
        rewritten("texts/en/debrief.md", "word\n\n" * 300),
        "debrief.md",
        "and 250 paragraphs",
    ),
    "picture that is none": (
        with_picture(b"no picture"),
        "pictures/boat.png",
        "no complete PNG, JPEG or GIF picture",
    ),
    "picture of a few bytes": (
        with_picture(PICTURE[:8] + PICTURE[-12:-8]),
        "pictures/boat.png",
        "no complete PNG, JPEG or GIF picture",
    ),
    "picture that is cut off": (
        with_picture(PICTURE[: len(PICTURE) // 2]),
        "pictures/boat.png",
        "no complete PNG, JPEG or GIF picture",
    ),
    "picture of too many pixels": (
        with_picture(picture(5000, 10)),
        "pictures/boat.png",
        "more than 4096 pixels",
    ),
    "photograph of too many pixels": (
        with_picture(picture(5000, 10, "JPEG")),
        "pictures/boat.png",
        "more than 4096 pixels",
    ),
    "animation of too many pixels": (
        with_picture(picture(10, 5000, "GIF")),
        "pictures/boat.png",
        "more than 4096 pixels",
    ),
    "picture of too many bytes": (
        with_picture(PICTURE + bytes(LARGEST_PICTURE)),
        "pictures/boat.png",
        "larger than 4 MB",
    ),
    "empty text": (rewritten("texts/en/debrief.md", "  \n"), "debrief.md", "nothing in it"),
    "text that is no UTF-8": (
        lambda root: (root / "texts/en/debrief.md").write_bytes(b"\xff\xfe"),
        "debrief.md",
        "no UTF-8",
    ),
    "instrument that is no JSON": (
        rewritten("instruments/attention.json", "{]"),
        "attention.json",
        "no valid JSON",
    ),
    "instrument of another name": (instrument("x"), "attention.json", "is called 'x'"),
    "scale of an unknown item": (
        instrument("attention", scales=[{"name": "n", "items": ["b"]}]),
        "attention.json",
        "'b', which there is not",
    ),
    "manifest that is no JSON": (rewritten("manifest.json", "x"), "manifest.json", "no valid JSON"),
    "plan with an unknown cell": (
        rewritten("plan.csv", "code,cell\nP-01,sad\n"),
        "plan.csv",
        "the cell 'sad', which there is not",
    ),
    "plan without a column": (rewritten("plan.csv", "code\nP-01\n"), "plan.csv", "no column 'cell'"),
    "plan with a code twice": (
        rewritten("plan.csv", "code,cell\nP-01,happy-soft\np-01,happy-soft\n"),
        "plan.csv",
        "appears twice",
    ),
    "plan with a wrong order": (
        rewritten("plan.csv", "code,cell,order\nP-01,happy-soft,sequence=1-1\n"),
        "plan.csv",
        "each of 1 to 2 once",
    ),
    "plan with a short row": (rewritten("plan.csv", "code,cell\nP-01\n"), "plan.csv", "this row has 1 cells"),
}


@pytest.mark.parametrize("name", BROKEN_FILES)
def test_a_broken_file_of_a_study_is_refused_with_its_name(tmp_path: Path, name: str) -> None:
    change, file, words = BROKEN_FILES[name]
    root = write_study(tmp_path / "small")
    change(root)

    found = refusals(root)

    assert [one for one in found if words in one[2] and Path(one[0]).as_posix().endswith(file)], found


def test_at_least_sixty_studies_are_broken() -> None:
    assert len(BROKEN) + len(BROKEN_FILES) >= 60


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF"])
def test_a_picture_that_is_correct_has_no_fault_and_limits_are_those_of_the_window(
    tmp_path: Path, kind: str
) -> None:
    root = write_study(tmp_path / "small")
    with_picture(picture(60, 40, kind))(root)

    assert refusals(root) == []
    assert picture_file_reader.LARGEST_FILE == LARGEST_PICTURE
    assert picture_file_reader.LARGEST_SIDE == LARGEST_SIDE
