"""Which face an expressive agent shows."""

from __future__ import annotations

from negoplatform.core.events import Expression

FAIR_THRESHOLD = 0.85
"""An offer that has so much of what is asked for is a fair one."""

UNFAIR_THRESHOLD = 0.5
"""An offer that has less than this is an unfair one."""

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
"""What each style answers a face with; to others it shows nothing."""

UNFAIR_OFFER_EXPRESSIONS = {
    "warm": Expression.SAD,
    "neutral": Expression.SURPRISED,
    "tough": Expression.ANGRY,
}


class Faces:
    """Shows what it feels: about offers, about the other's faces, and at the end.

    Args:
        style: ``warm``, ``neutral`` or ``tough``.
    """

    def __init__(self, style: str = "warm") -> None:
        self.style = style

    def to_offer(self, fairness: float) -> Expression | None:
        """About an offer that it does not accept; None for no face.

        Args:
            fairness: What the offer has of what the agent asks for: 1 for all of it, 0 for nothing.
        """
        if fairness >= FAIR_THRESHOLD:
            return Expression.HAPPY
        return Expression.NEUTRAL if fairness >= UNFAIR_THRESHOLD else UNFAIR_OFFER_EXPRESSIONS[self.style]

    def to_face(self, shown: Expression) -> Expression | None:
        """To the other's face; None for no face."""
        return EXPRESSION_REPLIES[self.style].get(shown)

    def to_threat(self) -> Expression | None:
        """To being told that the other may leave."""
        return UNFAIR_OFFER_EXPRESSIONS[self.style]

    def when_agreed(self) -> Expression | None:
        """When it accepts, and at a deal."""
        return Expression.HAPPY

    def without_deal(self) -> Expression | None:
        """At an end without a deal."""
        return UNFAIR_OFFER_EXPRESSIONS[self.style]


class StoneFace(Faces):
    """Shows nothing, whatever happens."""

    def to_offer(self, fairness: float) -> Expression | None:  # noqa: ARG002 - the call that it answers
        """Nothing."""
        return None

    def to_face(self, shown: Expression) -> Expression | None:  # noqa: ARG002
        """Nothing."""
        return None

    def to_threat(self) -> Expression | None:
        """Nothing."""
        return None

    def when_agreed(self) -> Expression | None:
        """Nothing."""
        return None

    def without_deal(self) -> Expression | None:
        """Nothing."""
        return None
