"""Receipts and the list to sign: what they say, that they are safe, and where they are."""

from __future__ import annotations

import re
from decimal import Decimal
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from negoplatform.app.study import receipts
from negoplatform.app.study.receipts import (
    ListedPayment,
    ReceiptWords,
    hand_out_receipt,
    paid_or_due,
    receipt_page,
    signature_page,
    with_new_totals,
    write_receipt,
)
from negoplatform.domain.errors import NegoError
from negoplatform.presentation.receipt_words import receipt_words
from negoplatform.study.payment import two_decimals
from negoplatform.study.stages import PaymentStage
from tests.study.studies import small_study
from tests.study.visits import begin, finish


class Reader(HTMLParser):
    """Reader of a page: its tags, and its texts by cell."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.texts.append(data.strip())


def hostile(document: dict[str, Any]) -> None:
    document["title"] = "<script>alert('x')</script> & \"more\""
    document["lab"] = {"name": "מעבדה <b>"}


def test_a_receipt_has_the_code_the_parts_and_the_amount_of_the_log(tmp_path: Path) -> None:
    run = finish(begin(small_study(tmp_path)))
    paid = run.state.paid
    assert paid is not None

    texts = Reader(receipt_page(run.state)).texts

    assert {"P-01", run.state.header.visit, paid.t_utc[:10]} <= set(texts)
    for part in paid.parts:
        assert f"{Decimal(str(part['amount'])):.2f} EUR" in texts
    assert f"{Decimal(paid.amount):.2f} EUR" in texts


def test_a_receipt_holds_no_markup_of_others_and_no_scripts(tmp_path: Path) -> None:
    run = finish(begin(small_study(tmp_path, hostile)))

    read = Reader(receipt_page(run.state))

    names = {tag for tag, _ in read.tags}
    assert names <= {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "h1",
        "table",
        "tr",
        "td",
        "th",
        "p",
        "bdi",
    }
    assert not [name for _, attributes in read.tags for name in attributes if name.startswith("on")]
    assert any("<script>alert('x')</script>" in text for text in read.texts)


@pytest.mark.parametrize(
    ("language", "direction"), [("en", "ltr"), ("de_AT", "ltr"), ("he", "rtl"), ("ar", "rtl")]
)
def test_a_page_is_read_in_the_direction_of_its_language(
    tmp_path: Path, language: str, direction: str
) -> None:
    page = signature_page("Study", [ListedPayment("P-01", "5.00", "EUR")], ReceiptWords(language=language))

    attributes = next(attributes for tag, attributes in Reader(page).tags if tag == "html")
    assert attributes == {"lang": language.replace("_", "-"), "dir": direction}


def test_the_list_to_sign_has_a_line_for_each_person_and_an_exact_sum() -> None:
    listed = [ListedPayment(f"P-{n:02}", "0.10", "EUR") for n in range(1, 4)]

    page = signature_page("Study", listed)

    assert "0.30 EUR" in Reader(page).texts
    for one in listed:
        (line,) = [line for line in page.splitlines() if one.code in line]
        assert line.startswith("<tr>")
        assert line.endswith("</tr>")


def test_words_of_a_language_that_the_program_does_not_have_are_english() -> None:
    assert receipt_words("fi") == ReceiptWords()
    assert receipt_words("de").language == "de"


@pytest.mark.parametrize(("kind", "saved", "opened"), [("screen", 0, 0), ("save", 1, 0), ("print", 1, 1)])
def test_the_stage_says_whether_a_receipt_is_saved_and_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, saved: int, opened: int
) -> None:
    shown: list[Path] = []

    def show(path: Path) -> bool:
        shown.append(path)
        return True

    monkeypatch.setattr(receipts, "show_folder", show)
    run = finish(begin(small_study(tmp_path)))
    stage = PaymentStage.model_validate({"kind": "payment", "id": "pay", "receipt": kind})

    path = hand_out_receipt(run.data, run.state, stage)

    assert len(list(tmp_path.rglob("*.html"))) == saved
    assert shown == [path] * opened
    if path is not None:
        assert path == tmp_path / "data" / "payments" / "small-1.0.0" / "receipts" / "P-01.html"


def test_a_second_visit_with_a_code_does_not_replace_the_first_receipt(tmp_path: Path) -> None:
    folder = small_study(tmp_path, lambda document: document["codes"].update(reuse="allow"))
    first, second = finish(begin(folder)), finish(begin(folder))

    files = [write_receipt(tmp_path / "receipts", run.state) for run in (first, second, first, second)]

    assert [path.name for path in files[:2]] == ["P-01.html", f"P-01-{second.state.header.visit}.html"]
    assert files[:2] == files[2:]


def test_the_receipt_of_a_code_that_is_a_device_of_windows_is_a_file(tmp_path: Path) -> None:
    run = finish(
        begin(small_study(tmp_path, lambda document: document["codes"].update(pattern="COM#")), "COM1")
    )

    files = [write_receipt(tmp_path / "receipts", run.state) for _ in range(2)]

    assert [path.name for path in files] == [f"COM1-{run.state.header.visit}.html"] * 2
    assert [path.name for path in (tmp_path / "receipts").iterdir()] == [files[0].name]


def test_without_a_payment_there_is_no_receipt(tmp_path: Path) -> None:
    run = begin(small_study(tmp_path))

    with pytest.raises(NegoError, match="Nothing was paid to P-01 yet"):
        receipt_page(run.state)


def test_amounts_have_two_decimals() -> None:
    shown = [two_decimals(Decimal(amount)) for amount in ("3.4", "5", "0.1250", "-2.5", "1E+1")]

    assert shown == ["3.40", "5.00", "0.1250", "-2.50", "10.00"]


def test_the_sums_of_a_list_are_those_of_the_rows_that_are_left() -> None:
    listed = [ListedPayment("P-01", "7.5", "EUR"), ListedPayment("P-02", "3.40", "EUR")]
    page = signature_page("Study", [*listed, ListedPayment("P-03", "2", "CHF")])

    left = "".join(line for line in page.splitlines(keepends=True) if not re.search("P-0[13]", line))

    texts = Reader(with_new_totals(left)).texts
    assert texts.count("3.40 EUR") == 2
    assert not [text for text in texts if text in ("10.90 EUR", "2.00 CHF")]
    assert with_new_totals(page) == page


def test_a_visit_that_ended_early_has_a_receipt_where_everybody_is_paid(tmp_path: Path) -> None:
    folder = small_study(tmp_path, lambda document: document["payment"].update(paid_when="started"))
    run = begin(folder)
    run.consent(["age", "data"])

    assert paid_or_due(run.state) is None
    run.leave_study("aborted")

    assert run.state.paid is None
    assert Reader(receipt_page(run.state)).texts.count("5.00 EUR") == 2
