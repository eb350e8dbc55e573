"""Pages of a study for tests, one of each kind, in English, German and Hebrew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

from negoplatform.app.catalogue.catalogue import find_game
from negoplatform.plugins.program_and_user_folders import bundled
from negoplatform.presentation.i18n import Language
from negoplatform.presentation.study.form_items import FormItem, form_item
from negoplatform.presentation.study.payment_rows import money_text
from negoplatform.presentation.study.step_page import ChoiceOptionView, StepPage, declined_page
from negoplatform.study.instrument import ItemModel, load_instrument
from negoplatform.study.study_text import Span, TextBlock, parse_text
from tests.presentation.bargaining_desk import rules_page

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
- [ ] data: I have read and understood this text, and I agree that my data are stored without my name and \
used for research.
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

ITEMS: tuple[dict[str, Any], ...] = (
    {
        "id": "liked",
        "ask": {
            "en": "How much did you like {partner}?",
            "de": "Wie sympathisch war Ihnen {partner}?",
            "he": "כמה חיבבתם את {partner}?",
        },
        "likert": {
            "points": 7,
            "from": {"en": "Not at all", "de": "Überhaupt nicht sympathisch", "he": "בכלל לא"},
            "middle": {"en": "Somewhat", "de": "Einigermaßen", "he": "במידה מסוימת"},
            "to": {"en": "Very much", "de": "Außerordentlich sympathisch", "he": "מאוד"},
        },
    },
    {
        "id": "again",
        "ask": {
            "en": "Would you negotiate with this person again?",
            "de": "Würden Sie mit dieser Person noch einmal verhandeln?",
            "he": "האם תנהלו משא ומתן עם האדם הזה שוב?",
        },
        "choices": [
            {"en": "Yes", "de": "Ja", "he": "כן"},
            {"en": "No", "de": "Nein", "he": "לא"},
            {
                "en": "Only if there is no other way, and the subject is one that matters a great deal to me",
                "de": "Nur wenn es nicht anders geht und wenn es um etwas geht, das mir sehr wichtig ist",
                "he": "רק אם אין ברירה אחרת, והנושא חשוב לי מאוד",
            },
        ],
    },
    {
        "id": "why",
        "ask": {"en": "Why not?", "de": "Warum nicht?", "he": "למה לא?"},
        "text": {"lines": 3},
        "when": {"form.again": 2},
    },
    {
        "id": "felt",
        "ask": {"en": "What did you feel?", "de": "Was haben Sie gefühlt?", "he": "מה הרגשתם?"},
        "many": [
            {"en": "Joy", "de": "Freude", "he": "שמחה"},
            {"en": "Anger", "de": "Ärger", "he": "כעס"},
            {"en": "Fear", "de": "Angst", "he": "פחד"},
            {"en": "Sadness", "de": "Trauer", "he": "עצב"},
            {"en": "Surprise", "de": "Überraschung", "he": "הפתעה"},
            {"en": "Disgust", "de": "Ekel", "he": "גועל"},
            {"en": "Pride", "de": "Stolz", "he": "גאווה"},
            {"en": "Nothing of this", "de": "Nichts davon", "he": "שום דבר מאלה"},
        ],
        "may_skip": True,
    },
)

MORE_ITEMS: tuple[dict[str, Any], ...] = (
    {
        "id": "age",
        "ask": {"en": "How old are you?", "de": "Wie alt sind Sie?", "he": "בני כמה אתם?"},
        "number": {"least": 16, "most": 120, "unit": {"en": "years", "de": "Jahre", "he": "שנים"}},
    },
    {
        "id": "sure",
        "ask": {"en": "How sure are you?", "de": "Wie sicher sind Sie?", "he": "כמה אתם בטוחים?"},
        "slider": {
            "from": {"en": "Not sure at all", "de": "Überhaupt nicht sicher", "he": "בכלל לא בטוחים"},
            "to": {"en": "Completely sure", "de": "Völlig sicher", "he": "בטוחים לגמרי"},
        },
    },
    {
        "id": "field",
        "ask": {"en": "What do you study?", "de": "Was studieren Sie?", "he": "מה אתם לומדים?"},
        "text": {},
    },
    {
        "id": "order",
        "ask": {
            "en": "What mattered most to {partner}?",
            "de": "Was war {partner} am wichtigsten?",
            "he": "מה היה הכי חשוב ל-{partner}?",
        },
        "rank": {
            "things": [
                {"en": "Food", "de": "Essen", "he": "אוכל"},
                {"en": "Water", "de": "Wasser", "he": "מים"},
                {"en": "Firewood", "de": "Brennholz", "he": "עצים"},
            ]
        },
    },
)

MATRIX: dict[str, Any] = {
    "id": "m",
    "ask": {
        "en": "How far do you agree?",
        "de": "Wie sehr stimmen Sie zu?",
        "he": "עד כמה אתם מסכימים?",
    },
    "matrix": {
        "likert": {
            "points": 5,
            "from": {"en": "Not at all", "de": "Gar nicht", "he": "בכלל לא"},
            "to": {"en": "Completely", "de": "Völlig", "he": "לגמרי"},
        },
        "rows": [
            {
                "id": f"r{n}",
                "ask": {
                    "en": f"My partner told me openly what mattered to them, in matter {n}.",
                    "de": f"Mein Partner hat mir in der Sache {n} offen gesagt, was ihm dabei wichtig ist.",
                    "he": f"השותף שלי אמר לי בגלוי מה חשוב לו, בעניין {n}.",
                },
            }
            for n in range(1, 11)
        ],
    },
}


def sample_item(document: dict[str, Any], translate: Language, issues: tuple[str, ...] = ()) -> FormItem:
    """Return an item as it is shown."""
    model = ItemModel.model_validate(document)
    return form_item(model, values={"partner": "Sam"}, translate=translate, issues=issues)


def paragraph(text: str) -> tuple[TextBlock, ...]:
    """Return a text of one paragraph."""
    return (TextBlock("paragraph", (Span(text),)),)


def pages(translate: Language) -> dict[str, StepPage]:
    """Return a page of each kind by name."""
    language = translate.code
    common: dict[str, Any] = {"progress": PROGRESS, "language": language, "has_help": True}
    consent = parse_text(CONSENT[language])
    svo = load_instrument(bundled("instruments") / "svo_slider.json")
    instructions = svo.instructions
    assert isinstance(instructions, dict)
    game = find_game("campsite", Path("nowhere")).resolve_profiles(1)
    seat, other = game.seats

    def items(*documents: dict[str, Any]) -> tuple[FormItem, ...]:
        return tuple(sample_item(document, translate) for document in documents)

    found = {
        "consent": StepPage(
            "consent",
            "consent",
            title=translate("Consent"),
            blocks=consent,
            declined_blocks=paragraph(translate("Thank you")),
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
            can_go_back=True,
            **common,
        ),
        "form": StepPage("form", "form", title=translate("Some questions"), items=items(*ITEMS), **common),
        "form_typed": StepPage(
            "form",
            "form",
            page=1,
            pages=2,
            title=translate("Some questions"),
            items=items(*MORE_ITEMS),
            answers={"sure": 70, "order": [2, 1, 3]},
            can_go_back=True,
            **common,
        ),
        "matrix": StepPage("form", "form", title=translate("Some questions"), items=items(MATRIX), **common),
        "svo": StepPage(
            "form",
            "svo",
            pages=3,
            title=sample_item({**ITEMS[0], "ask": svo.title}, translate).ask,
            blocks=paragraph(instructions[language]),
            items=tuple(form_item(model, values={}, translate=translate) for model in svo.items[:2]),
            answers={"i1": 4},
            **common,
        ),
        "guess": StepPage(
            "form",
            "form",
            title=translate("Some questions"),
            items=(
                sample_item(
                    {"id": "guess", "ask": MORE_ITEMS[3]["ask"], "points_guess": {"of": "r"}},
                    translate,
                    tuple(
                        translate.for_game("campsite").translate_plugin_text(one.title) for one in game.issues
                    ),
                ),
            ),
            **common,
        ),
        "quiz": StepPage(
            "quiz",
            "quiz",
            title=translate("Have you understood the rules?"),
            items=(
                FormItem("no_deal", "number", _ask_no_deal(language), ("no_deal",), whole=False),
                FormItem(
                    "binding", "choices", ITEMS[1]["ask"][language], ("binding",), options=_yes_no(language)
                ),
            ),
            answers={"no_deal": 3, "binding": 1},
            faults={"no_deal": translate("Without a deal you get {n}.", n=5)},
            attempts_left=2,
            **common,
        ),
        "quiz_failed": StepPage(
            "quiz",
            "quiz",
            title=translate("Have you understood the rules?"),
            items=(FormItem("no_deal", "number", _ask_no_deal(language), ("no_deal",), whole=False),),
            answers={"no_deal": 3},
            faults={"no_deal": translate("Without a deal you get {n}.", n=5)},
            attempts_left=0,
            help_is_open=True,
            **common,
        ),
        "wait": StepPage("wait", "wait", title=translate("Please wait"), elapsed_seconds=65.2, **common),
        "call": StepPage(
            "call",
            "call",
            title=consent[1].plain,
            blocks=consent[:1],
            target="page",
            returns="word",
            **common,
        ),
        "choice": StepPage(
            "choice",
            "choice",
            title=translate("Your choice"),
            blocks=paragraph(ITEMS[1]["ask"][language]),
            options=(
                ChoiceOptionView("sam", "Sam", ITEMS[0]["ask"][language].replace("{partner}", "Sam")),
                ChoiceOptionView("robin", "Robin", consent[0].plain),
            ),
            **common,
        ),
        "briefing": StepPage(
            "briefing",
            "briefing",
            title=translate.for_game("campsite").translate_plugin_text(game.title),
            rules=rules_page(game, seat, {other: "Sam"}, translate.for_game(game.name)),
            **common,
        ),
        "result": StepPage(
            "result",
            "r.2.result",
            title=translate("Round {n} of {of}", n=2, of=3),
            rows=(
                (translate("How it ended"), translate("With a deal")),
                (translate("Your points in this round"), "34"),
                (translate("Your points so far"), "61"),
            ),
            **common,
        ),
        "payment": StepPage(
            "payment",
            "pay",
            title=translate("Your payment"),
            rows=(
                (translate("For taking part"), money_text(Decimal("5.00"), "EUR", translate)),
                (
                    translate("{game}: {points}", game=translate("Round {n}", n=1), points=27),
                    translate("not drawn"),
                ),
                (
                    translate("{game}: {points}", game=translate("Round {n}", n=2), points=34),
                    translate("drawn for payment"),
                ),
                (
                    translate(
                        "Your points: {points} × {rate}",
                        points=34,
                        rate=money_text(Decimal("0.40"), "EUR", translate),
                    ),
                    money_text(Decimal("13.60"), "EUR", translate),
                ),
                (translate("Bonus"), money_text(Decimal("1.00"), "EUR", translate)),
            ),
            amount=money_text(Decimal("19.60"), "EUR", translate),
            **common,
        ),
        "end": StepPage(
            "end",
            "end",
            title=translate("Thank you"),
            blocks=consent[:1],
            amount=money_text(Decimal("19.60"), "EUR", translate),
            withdrawal_code="4f7a0c2b",
            **common,
        ),
    }
    return {**found, "declined": declined_page(found["consent"])}


def _ask_no_deal(language: str) -> str:
    return {
        "en": "How many points do you get without a deal?",
        "de": "Wie viele Punkte bekommen Sie ohne Einigung?",
        "he": "כמה נקודות תקבלו בלי הסכם?",
    }[language]


def _yes_no(language: str) -> tuple[str, ...]:
    choices = ITEMS[1]["choices"][:2]
    return tuple(choice[language] for choice in choices)


def with_entries(page: StepPage, entries: Mapping[str, Any]) -> StepPage:
    """Return a page with unsent entries filled in, for a screen that is built again."""
    return replace(page, answers={**page.answers, **entries})
