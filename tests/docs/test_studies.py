"""Pages about studies and instruments: they name every key, kind, placeholder, template and score."""

from __future__ import annotations

from typing import get_args

import pytest
from pydantic import BaseModel

from negoplatform.app.study.study_folder import shipped_instruments
from negoplatform.app.study.study_template import TEMPLATES, shipped_studies
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.study.condition import BoundsModel
from negoplatform.study.instrument import (
    KINDS,
    ItemModel,
    LikertModel,
    MatrixModel,
    NumberFieldModel,
    SliderModel,
    TextFieldModel,
    load_instrument,
)
from negoplatform.study.partners import LostLinkModel, PartnerModel, WizardModel
from negoplatform.study.scoring import score_names
from negoplatform.study.stages import AnyStage, GameAnswer, QuestionModel, RoundModel
from negoplatform.study.study_file import (
    BonusModel,
    CodeRules,
    DesignModel,
    PaceModel,
    PaidPoints,
    PaymentModel,
    StudyModel,
    WithinFactor,
)
from negoplatform.study.study_text import PLACEHOLDERS
from tests.docs.pages import ROOT

MODELS: tuple[type[BaseModel], ...] = (
    *(
        StudyModel,
        DesignModel,
        WithinFactor,
        CodeRules,
        PartnerModel,
        WizardModel,
        LostLinkModel,
        PaymentModel,
        PaidPoints,
        BonusModel,
    ),
    *(PaceModel, BoundsModel, QuestionModel, GameAnswer, RoundModel, ItemModel, LikertModel, MatrixModel),
    *(NumberFieldModel, SliderModel, TextFieldModel, *get_args(AnyStage)),
)


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.__name__)
def test_the_page_on_studies_names_every_key(model: type[BaseModel]) -> None:
    text = page("studies.md")

    keys = {field.alias or name for name, field in model.model_fields.items()}

    assert [key for key in keys if f"`{key}" not in text and f'"{key}"' not in text] == []


def test_the_page_on_studies_names_every_kind_placeholder_and_template() -> None:
    text = page("studies.md")
    kinds = [get_args(stage.model_fields["kind"].annotation)[0] for stage in get_args(AnyStage)]

    assert [kind for kind in kinds if f"**`{kind}`**" not in text] == []
    assert [kind for kind in KINDS if f"`{kind}`" not in text] == []
    assert [name for name in PLACEHOLDERS if f"`{{{name}}}`" not in text] == []
    assert [name for name in TEMPLATES if f"| `{name}` |" not in text] == []
    assert [name for name in TEMPLATES.values() if f"`{name}` |" not in text] == []
    assert set(TEMPLATES.values()) == set(shipped_studies())


def test_the_page_on_instruments_names_every_instrument_with_its_scores() -> None:
    lines = page("instruments.md").splitlines()

    for name in shipped_instruments():
        instrument = load_instrument(bundled("instruments") / f"{name}.json")
        (row,) = (line for line in lines if line.startswith(f"| `{name}` |"))
        assert [score for score in score_names(instrument) if f"`{score}`" not in row] == []
        assert f"| {len(instrument.items)}" in row
