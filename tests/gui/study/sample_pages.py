"""Pages of a study for tests, one of each kind, in English, German and Hebrew."""

from __future__ import annotations

from typing import Any

from negoplatform.presentation.i18n import Language
from negoplatform.presentation.study.step_page import StepPage
from negoplatform.study.study_text import parse_text

CONSENT = {
    "en": """Thank you for your interest in this study of the **Laboratory for Negotiation**.

## What you will do

You negotiate with a partner about the division of supplies. This takes about *40 minutes*.

1. You read the instructions and answer some questions about them.
2. You negotiate three times.
3. You answer questions about how it was for you.

## What is recorded

- Your messages and offers, and when you sent them
- Your answers to the questions
  - not your name, and **nothing that identifies you**, such as your *address* or your telephone number
- Your code

- [ ] age: I am at least 18 years old.
- [ ] data: I have read and understood this text, and I agree that my data are stored without my name and used \
for research.
""",
    "de": """Vielen Dank für Ihr Interesse an dieser Studie des **Labors für Verhandlung**.

## Was Sie tun

Sie verhandeln mit einem Partner über die Aufteilung von Vorräten. Das dauert etwa *40 Minuten*.

1. Sie lesen die Anleitung und beantworten einige Verständnisfragen.
2. Sie verhandeln dreimal.
3. Sie beantworten Fragen dazu, wie es für Sie war.

## Was aufgezeichnet wird

- Ihre Nachrichten und Angebote und wann Sie sie gesendet haben
- Ihre Antworten auf die Fragen
  - nicht Ihr Name und **nichts, was Sie identifiziert**, wie Ihre *Adresse* oder Ihre Telefonnummer
- Ihr Code

- [ ] age: Ich bin mindestens 18 Jahre alt.
- [ ] data: Ich habe diesen Text gelesen und verstanden und bin damit einverstanden, dass meine Daten ohne \
meinen Namen gespeichert und für die Forschung verwendet werden.
""",
    "he": """תודה על ההתעניינות במחקר של **המעבדה למשא ומתן**.

## מה תעשו

תנהלו משא ומתן עם Sam על חלוקת ציוד. זה נמשך כ-*40 דקות*.

1. תקראו את ההוראות ותענו על כמה שאלות עליהן.
2. תנהלו משא ומתן שלוש פעמים.
3. תענו על שאלות על מה שהיה.

## מה נרשם

- ההודעות וההצעות שלכם ומתי שלחתם אותן
- התשובות שלכם לשאלות
  - לא השם שלכם, **ולא שום פרט מזהה**, כמו *כתובת* או מספר טלפון
- הקוד שלכם

- [ ] age: אני בגיל 18 לפחות.
- [ ] data: קראתי והבנתי את הטקסט הזה, ואני מסכים שהנתונים שלי יישמרו ללא שמי וישמשו למחקר.
""",
}

PROGRESS = (3, 12)


def pages(translate: Language) -> dict[str, StepPage]:
    """Return a page of each kind by name."""
    language = translate.code
    common: dict[str, Any] = {"progress": PROGRESS, "language": language}
    consent = parse_text(CONSENT[language])
    return {
        "consent": StepPage(
            "consent",
            "consent",
            title=translate("Consent"),
            blocks=consent,
            ticks=("age", "data"),
            wants_signature=True,
            is_test=True,
            language=language,
        ),
        "page": StepPage(
            "page",
            "instructions",
            page=1,
            pages=3,
            title=consent[1].plain,
            blocks=tuple(block for block in consent if block.kind != "tick"),
            has_help=True,
            can_go_back=True,
            **common,
        ),
    }
