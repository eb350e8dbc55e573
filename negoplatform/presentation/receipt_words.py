"""Words of receipts and of the list of payments, in the language of the participant."""

from __future__ import annotations

from negoplatform.app.study.receipts import ReceiptWords
from negoplatform.presentation.i18n import LANGUAGES, Language


def receipt_words(code: str) -> ReceiptWords:
    """Return the words in a language; in English if the program does not have it.

    Args:
        code: The code of the language.
    """
    known = code if code in LANGUAGES else code.partition("_")[0]
    if known not in LANGUAGES:
        return ReceiptWords()
    translate = Language.load(known)
    return ReceiptWords(
        language=code,
        title=translate("Receipt"),
        list_title=translate("Payments"),
        study=translate("Study"),
        laboratory=translate("Laboratory"),
        date=translate("Date"),
        code=translate("Code"),
        number=translate("Number"),
        amount=translate("Amount"),
        total=translate("Total"),
        signature=translate("Signature"),
        show_up=translate("For taking part"),
        points=translate("Points: {points}"),
        bonus=translate("Bonus"),
        least=translate("Added to reach the lowest payment"),
        most=translate("Reduced to the highest payment"),
        rounding=translate("Rounded up"),
    )
