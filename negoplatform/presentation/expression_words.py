"""Emotional expressions in words."""

from __future__ import annotations

from collections.abc import Mapping

from negoplatform.core.events import Expression
from negoplatform.presentation.i18n import gettext_noop

EXPRESSION_WORDS: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("Neutral"),
    Expression.HAPPY: gettext_noop("Happy"),
    Expression.SAD: gettext_noop("Sad"),
    Expression.ANGRY: gettext_noop("Angry"),
    Expression.SURPRISED: gettext_noop("Surprised"),
    Expression.DISGUSTED: gettext_noop("Disgusted"),
    Expression.SCARED: gettext_noop("Scared"),
    Expression.CONTEMPT: gettext_noop("Scornful"),
}


EXPRESSION_SENTENCES: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("Looks calm"),
    Expression.HAPPY: gettext_noop("Looks pleased"),
    Expression.SAD: gettext_noop("Looks sad"),
    Expression.ANGRY: gettext_noop("Looks angry"),
    Expression.SURPRISED: gettext_noop("Looks surprised"),
    Expression.DISGUSTED: gettext_noop("Looks disgusted"),
    Expression.SCARED: gettext_noop("Looks worried"),
    Expression.CONTEMPT: gettext_noop("Looks scornful"),
}


MILD_EXPRESSION_SENTENCES: Mapping[Expression, str] = {
    Expression.NEUTRAL: gettext_noop("Looks calm"),
    Expression.HAPPY: gettext_noop("Looks a little pleased"),
    Expression.SAD: gettext_noop("Looks a little sad"),
    Expression.ANGRY: gettext_noop("Looks a little angry"),
    Expression.SURPRISED: gettext_noop("Looks a little surprised"),
    Expression.DISGUSTED: gettext_noop("Looks a little disgusted"),
    Expression.SCARED: gettext_noop("Looks a little worried"),
    Expression.CONTEMPT: gettext_noop("Looks a little scornful"),
}

STRONG_INTENSITY = 0.7
"""Intensity from which an expression is described without "a little"."""


PARTICIPANTS_EXPRESSIONS = (
    Expression.NEUTRAL,
    Expression.HAPPY,
    Expression.SAD,
    Expression.ANGRY,
    Expression.SURPRISED,
)
"""Expressions that a participant can show."""
