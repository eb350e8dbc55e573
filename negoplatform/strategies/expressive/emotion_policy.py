"""Facial expressions of an expressive agent."""

from __future__ import annotations

from negoplatform.core.events import Expression

FAIR_THRESHOLD = 0.85
"""Least share of its demand with which an offer is fair."""

UNFAIR_THRESHOLD = 0.5
"""Share of its demand below which an offer is unfair."""

EXPRESSION_REPLIES = {
    "warm": {
        Expression.HAPPY: Expression.HAPPY,
        Expression.SAD: Expression.SAD,
        Expression.ANGRY: Expression.SAD,
        Expression.SURPRISED: Expression.HAPPY,
    },
    "neutral": {
        Expression.HAPPY: Expression.HAPPY,
        Expression.ANGRY: Expression.SURPRISED,
        Expression.SURPRISED: Expression.NEUTRAL,
    },
    "tough": {
        Expression.HAPPY: Expression.NEUTRAL,
        Expression.ANGRY: Expression.ANGRY,
        Expression.SURPRISED: Expression.NEUTRAL,
    },
}
"""Answers of each style to a face; other faces get none."""

INSULT_EXPRESSIONS = {
    "warm": (Expression.SAD, Expression.ANGRY),
    "neutral": (Expression.SURPRISED, Expression.ANGRY),
    "tough": (Expression.ANGRY, Expression.ANGRY),
}
"""Answers of each style to the first insult, and to each later one."""

STYLE_BY_VOICE = {"cheerful": "warm", "formal": "neutral"}
"""Styles of the voices that have none of their own."""

UNFAIR_OFFER_EXPRESSIONS = {
    "warm": Expression.SAD,
    "neutral": Expression.SURPRISED,
    "tough": Expression.ANGRY,
}


class Faces:
    """Policy that shows emotions: about offers, about the other's faces, and at the end.

    Args:
        style: ``warm``, ``neutral`` or ``tough``; a voice that is none of these has one of their manners.
    """

    def __init__(self, style: str = "warm") -> None:
        self.style = STYLE_BY_VOICE.get(style, style)
        self._insults = 0

    def to_offer(self, fairness: float) -> Expression | None:
        """Return the face for an offer that it does not accept; None for no face.

        Args:
            fairness: The offer's share of the agent's demand: 1 for all of it, 0 for nothing.
        """
        if fairness >= FAIR_THRESHOLD:
            return Expression.HAPPY
        return Expression.NEUTRAL if fairness >= UNFAIR_THRESHOLD else UNFAIR_OFFER_EXPRESSIONS[self.style]

    def to_face(self, shown: Expression) -> Expression | None:
        """Return the face that answers the other's face; None for no face."""
        return EXPRESSION_REPLIES[self.style].get(shown)

    def to_threat(self) -> Expression | None:
        """Return the face for a threat of the other to leave."""
        return UNFAIR_OFFER_EXPRESSIONS[self.style]

    def to_insult(self) -> Expression | None:
        """Return the face for an insult."""
        self._insults += 1
        first, later = INSULT_EXPRESSIONS[self.style]
        return first if self._insults == 1 else later

    def when_agreed(self) -> Expression | None:
        """Return the face for its own acceptance, and for a deal."""
        return Expression.HAPPY

    def without_deal(self) -> Expression | None:
        """Return the face for an end without a deal."""
        return UNFAIR_OFFER_EXPRESSIONS[self.style]


class StoneFace(Faces):
    """Policy that never shows an emotion."""

    def to_offer(self, fairness: float) -> Expression | None:  # noqa: ARG002 - the call that it answers
        """Return no face."""
        return None

    def to_face(self, shown: Expression) -> Expression | None:  # noqa: ARG002
        """Return no face."""
        return None

    def to_threat(self) -> Expression | None:
        """Return no face."""
        return None

    def to_insult(self) -> Expression | None:
        """Return no face."""
        return None

    def when_agreed(self) -> Expression | None:
        """Return no face."""
        return None

    def without_deal(self) -> Expression | None:
        """Return no face."""
        return None
