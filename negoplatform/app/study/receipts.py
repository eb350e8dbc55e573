"""Receipts of payments and the list to sign, as pages of HTML to be printed; they contain no scripts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from html import escape
from pathlib import Path

from negoplatform.app.study.study_data import StudyData
from negoplatform.app.support.system_file_manager import show_folder
from negoplatform.domain.errors import NegoError
from negoplatform.eventlog.atomic_write import atomic_write
from negoplatform.formats.windows_file_names import is_device_name
from negoplatform.study.local_text import text_in
from negoplatform.study.payment import two_decimals
from negoplatform.study.stages import PaymentStage
from negoplatform.study.visit_events import Paid
from negoplatform.study.visit_state import VisitState

RECEIPTS = "receipts"
SIGNATURES_FILE = "signatures.html"

RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ku", "ps", "sd", "ug", "ur", "yi"})
"""Codes of languages that are written from right to left."""

STYLE = """
body { font-family: sans-serif; max-width: 42em; margin: 2em auto; color: #000; background: #fff; }
table { border-collapse: collapse; width: 100%; }
td, th { padding: 0.4em 0.6em; border-bottom: 1px solid #999; text-align: start; overflow-wrap: anywhere; }
.amount { text-align: end; white-space: nowrap; }
.sum { font-weight: bold; }
.line { min-width: 14em; height: 2.6em; }
@media print { body { margin: 0; } tr { break-inside: avoid; } }
"""


SUM_ROW = '<tr class="sum">'
"""Beginning of the line with the sum of a list to sign."""

LISTED_AMOUNT = re.compile(r"<bdi>(-?\d+(?:\.\d+)?) ([^<]*)</bdi>")
"""Amount and currency in a row of the list to sign."""


@dataclass(frozen=True, slots=True)
class ReceiptWords:
    """Words of receipts and of the list to sign, in one language.

    Args:
        language: The code of the language.
        title: The heading of a receipt.
        list_title: The heading of the list.
        study: The label of the study.
        laboratory: The label of the laboratory.
        date: The label of the date.
        code: The label of the participant's code.
        number: The label of the receipt's number.
        amount: The label of the amount.
        total: The label of the sum.
        signature: The label of the line to sign.
        show_up: The name of the amount for everybody.
        points: The name of the amount for points, with ``{points}`` for their number.
        bonus: The name of a bonus.
        least: The name of what is added up to the lowest payment.
        most: The name of what is subtracted down to the highest payment.
        rounding: The name of what is added by rounding up.
    """

    language: str = "en"
    title: str = "Receipt"
    list_title: str = "Payments"
    study: str = "Study"
    laboratory: str = "Laboratory"
    date: str = "Date"
    code: str = "Code"
    number: str = "Number"
    amount: str = "Amount"
    total: str = "Total"
    signature: str = "Signature"
    show_up: str = "For taking part"
    points: str = "Points: {points}"
    bonus: str = "Bonus"
    least: str = "Added to reach the lowest payment"
    most: str = "Reduced to the highest payment"
    rounding: str = "Rounded up"

    def part(self, kind: str, points: str | None) -> str:
        """Return the name of a part of a payment."""
        if kind == "points":
            return self.points.format(points=points or "0")
        names = {
            "show_up": self.show_up,
            "bonus": self.bonus,
            "least": self.least,
            "most": self.most,
            "rounding": self.rounding,
        }
        return names.get(kind, kind)


ENGLISH_WORDS = ReceiptWords()


def paid_or_due(state: VisitState) -> Paid | None:
    """Return the payment of a visit; None if there is none.

    A visit that ended early has no payment of its own; where everybody who began is paid, it is what is due.
    """
    rules, payment = state.model.payment, state.payment
    is_due = rules is not None and rules.paid_when == "started" and state.assigned is not None
    if state.paid is not None or payment is None or state.ended is None or not is_due:
        return state.paid
    return Paid(
        n=state.n,
        t=state.t,
        t_utc=state.header.created_at,
        amount=f"{payment.amount:f}",
        currency=payment.currency,
        parts=payment.part_records,
    )


def receipt_page(state: VisitState, words: ReceiptWords = ENGLISH_WORDS) -> str:
    """Return the receipt of a person's payment.

    Raises:
        NegoError: If nothing was paid in the visit, and nothing is due.
    """
    paid, header, model = paid_or_due(state), state.header, state.model
    if paid is None:
        raise NegoError(f"Nothing was paid to {header.code} yet, so there is no receipt.")
    facts = [(words.study, f"{text_in(model.title, words.language)} ({state.study.label})")]
    if model.lab is not None:
        facts.append((words.laboratory, text_in(model.lab.name, words.language)))
    facts += [(words.date, paid.t_utc[:10]), (words.code, header.code), (words.number, header.visit)]
    rows = [f"<tr><th>{_text(label)}</th><td>{_text(value)}</td></tr>" for label, value in facts]
    parts = [
        f"<tr><td>{_text(words.part(str(part['kind']), _points(part.get('points'))))}</td>"
        f'<td class="amount">{_money(str(part["amount"]), paid.currency)}</td></tr>'
        for part in paid.parts
    ]
    total = (
        f'<tr class="sum"><td>{_text(words.amount)}</td>'
        f'<td class="amount">{_money(paid.amount, paid.currency)}</td></tr>'
    )
    body = [
        f"<h1>{_text(words.title)}</h1>",
        "<table>",
        *rows,
        "</table>",
        "<p></p>",
        "<table>",
        *parts,
        total,
        "</table>",
        f'<table><tr><th>{_text(words.signature)}</th><td class="line"></td></tr></table>',
    ]
    return _page(words, words.title, body)


def _points(points: object) -> str | None:
    """Return points as text: a fraction as a decimal number if that is short."""
    if points is None:
        return None
    numerator, _, denominator = str(points).partition("/")
    if not denominator:
        return numerator
    return f"{Decimal(numerator) / Decimal(denominator):.2f}"


@dataclass(frozen=True, slots=True)
class ListedPayment:
    """Payment in the list to sign.

    Args:
        code: The participant's code.
        amount: The amount, an exact decimal.
        currency: The currency.
    """

    code: str
    amount: str
    currency: str


def signature_page(title: str, payments: Sequence[ListedPayment], words: ReceiptWords = ENGLISH_WORDS) -> str:
    """Return the list to print: code, amount and a line to sign for each payment, and the sum.

    Every row is one line of the file, so that the row of one person can be taken out.
    """
    rows = [
        f'<tr><td>{_text(one.code)}</td><td class="amount">{_money(one.amount, one.currency)}</td>'
        '<td class="line"></td></tr>'
        for one in payments
    ]
    sums: dict[str, Decimal] = {}
    for one in payments:
        sums[one.currency] = sums.get(one.currency, Decimal(0)) + Decimal(one.amount)
    totals = [
        f"{SUM_ROW}<td>{_text(words.total)}</td>"
        f'<td class="amount">{_money(f"{total:f}", currency)}</td><td></td></tr>'
        for currency, total in sums.items()
    ]
    heads = (words.code, words.amount, words.signature)
    body = [
        f"<h1>{_text(words.list_title)}</h1>",
        f"<p>{_text(title)}</p>",
        "<table>",
        f"<tr>{''.join(f'<th>{_text(head)}</th>' for head in heads)}</tr>",
        *rows,
        *totals,
        "</table>",
    ]
    return _page(words, words.list_title, body)


def with_new_totals(page: str) -> str:
    """Return a list to sign with the sums of its rows; the sum of a currency without rows is left out.

    Args:
        page: The list, from which rows were taken out.
    """
    sums: dict[str, Decimal] = {}
    for line in page.splitlines():
        found = LISTED_AMOUNT.search(line)
        if found is not None and not line.startswith(SUM_ROW):
            sums[found[2]] = sums.get(found[2], Decimal(0)) + Decimal(found[1])
    lines = []
    for line in page.splitlines(keepends=True):
        found = LISTED_AMOUNT.search(line)
        if found is None or not line.startswith(SUM_ROW):
            lines.append(line)
        elif found[2] in sums:
            lines.append(f"{line[: found.start(1)]}{two_decimals(sums[found[2]])}{line[found.end(1) :]}")
    return "".join(lines)


def _page(words: ReceiptWords, title: str, body: Iterable[str]) -> str:
    direction = "rtl" if words.language.partition("_")[0] in RIGHT_TO_LEFT else "ltr"
    lines = [
        "<!DOCTYPE html>",
        f'<html lang="{_text(words.language.replace("_", "-"))}" dir="{direction}">',
        "<head>",
        '<meta charset="utf-8">',
        f"<title>{_text(title)}</title>",
        f"<style>{STYLE}</style>",
        "</head>",
        "<body>",
        *body,
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def _text(text: str) -> str:
    """Return a text for HTML, in one line."""
    return escape(" ".join(text.split()))


def _money(amount: str, currency: str) -> str:
    # Isolated, so that the amount also precedes its currency in a right-to-left language.
    return f"<bdi>{_text(two_decimals(Decimal(amount)))} {_text(currency)}</bdi>"


def write_receipt(folder: Path, state: VisitState, words: ReceiptWords = ENGLISH_WORDS) -> Path:
    """Write the receipt of a visit's payment into a folder, and return its file, CODE.html.

    A later visit with the same code has a file of its own, with the id of the visit; so has each visit of a
    code that is a device on Windows, such as AUX.

    Raises:
        NegoError: If nothing was paid, or it cannot be written.
    """
    page = receipt_page(state, words)
    code, visit = state.header.code, state.header.visit
    try:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{code}.html"
        if is_device_name(code) or (
            path.exists() and visit not in path.read_text(encoding="utf-8", errors="replace")
        ):
            path = folder / f"{code}-{visit}.html"
    except OSError as error:
        raise NegoError(f"{error.filename or folder} cannot be written ({error.strerror}).") from None
    atomic_write(path, page.encode("utf-8", "replace"), private=True, replace=True)
    return path


def hand_out_receipt(
    data: StudyData, state: VisitState, stage: PaymentStage, words: ReceiptWords = ENGLISH_WORDS
) -> Path | None:
    """Save the receipt, or save and open it for printing, as the payment stage says.

    Args:
        data: The data of the study; receipts are in a folder apart from it.
        state: The visit.
        stage: The stage: ``screen`` saves nothing.
        words: The words in the participant's language.

    Returns:
        The file; None if none was saved.

    Raises:
        NegoError: If nothing was paid, or it cannot be written or opened; the sentence names the file.
    """
    if stage.receipt == "screen":
        return None
    path = write_receipt(data.payments / RECEIPTS, state, words)
    if stage.receipt == "print" and not show_folder(path):
        raise NegoError(f"{path} cannot be opened for printing; please open it by hand.")
    return path
