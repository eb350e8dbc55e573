"""Amounts, ids and refused codes in the languages of the window."""

from __future__ import annotations

from decimal import Decimal

import pytest

from negoplatform.app.study.participant_code import (
    DAMAGED_VISIT,
    NO_SUCH_CODE,
    USED_CODE,
    USED_CODE_ON_COMPUTER,
    CodeRefused,
)
from negoplatform.presentation.bidi import to_visual_order
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.study.payment_rows import money_text
from negoplatform.presentation.study.study_card import join_ids

HEBREW = Language.load("he")


def test_a_currency_follows_its_amount_in_a_hebrew_sentence() -> None:
    amount = money_text(Decimal("0.4"), "EUR", HEBREW)

    assert to_visual_order(f"סכום: {amount}", rtl=True).startswith("0.40\N{NO-BREAK SPACE}EUR")
    assert to_visual_order(amount, rtl=True) == "0.40\N{NO-BREAK SPACE}EUR"


def test_stages_are_in_their_order_in_a_hebrew_line_also_where_it_is_wrapped() -> None:
    stages = join_ids(["consent", "deal (8)", "end"], "→", HEBREW)

    assert to_visual_order(f"דק׳: {stages}", rtl=True).startswith("consent → deal (8) → end")
    assert "→ end" in to_visual_order("\u200f" + stages[stages.rindex("→") - 1 :], rtl=True)


@pytest.mark.parametrize("sentence", [NO_SUCH_CODE, USED_CODE, USED_CODE_ON_COMPUTER, DAMAGED_VISIT])
@pytest.mark.parametrize("language", ["de", "he"])
def test_a_refused_code_is_explained_in_the_language_of_the_window(sentence: str, language: str) -> None:
    values = {
        name: name.upper() for name in ("code", "reason", "computer", "time") if f"{{{name}}}" in sentence
    }
    refusal = CodeRefused(sentence, **values)

    shown = Language.load(language)(refusal.sentence, **refusal.values)

    assert shown != str(refusal)
    assert all(value in shown for value in values.values())
