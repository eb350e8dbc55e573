"""The values that one sentence proposes, read from left to right."""

from __future__ import annotations

from collections.abc import Sequence

from negoplatform.domain.offer import Offer, Term
from negoplatform.language.game_values import Values
from negoplatform.language.lexicon import Meaning, NumberMention
from negoplatform.language.reading import Doubt
from negoplatform.language.settled import PLAIN, UNCLEAR, Found, Settled
from negoplatform.language.value_context import LACKS, PROPOSALS, STOPS, Marks
from negoplatform.language.value_marks import Role

_BY_TOPIC = 0.92
"""How sure a number is whose issue was spoken of just before."""
_PLAINLY_MONEY = 1_000
"""From here on a number counts no people, days or things that people talk of by the way."""
_MOST_UNKNOWN = 2
"""So many words that the grammar does not know leave a sentence understood."""


class SentenceReader:
    """One sentence.

    Args:
        marks: What its words do.
        values: The values of the game's issues.
        on_table: The offer on the table.
        asks: Whether it ends with a question mark.
        topic: The one issue that was spoken of last; None if there are several or none.
    """

    def __init__(self, marks: Marks, values: Values, on_table: Offer, asks: bool, topic: str | None) -> None:
        self._marks = marks
        self._values = values
        self._on_table = on_table
        self._asks = asks
        self._topic = topic
        self._found: list[Found] = []
        self._refused = False
        self._doubtful = False
        self.about: list[str] = []
        """The issues that it speaks of, in the order of the words, once it was read."""
        self.soft = marks.has(Role.SOFT, Role.NEED, Role.NEEDLESS)
        """Whether it is put as a wish."""
        self.corrects = marks.has(Role.INSTEAD)
        """Whether it takes back what was named before."""
        self.conditional = marks.has(Role.IF)
        """Whether it has a condition."""

    def read(self, settled: Settled) -> list[Found]:
        """The values that the sentence proposes; what is missing goes into ``settled``."""
        for i, mark in enumerate(self._marks.all):
            self._scope(mark.role)
            if mark.role == Role.VALUE and mark.mention is not None:
                self._value(i, [meaning for meaning in mark.mention.meanings if meaning.value], settled)
            elif mark.role == Role.NUMBER and mark.number is not None:
                self._number(i, mark.number, settled)
            elif mark.role == Role.ISSUE:
                self._issue(i, settled)
            elif mark.role == Role.BAD and self._found:
                self._found[-1].wanted = False
        wanted = [one for one in self._found if one.wanted]
        sure = min(self._proposes(), UNCLEAR if self._has_dark_condition() else PLAIN)
        for one in wanted:
            one.sure = min(one.sure, sure)
        return wanted if sure > 0 else []

    def _scope(self, role: Role) -> None:
        """A negation reaches to the next stop; behind an "and" it is in doubt whether it still does."""
        if role == Role.NOT:
            self._refused = True
        elif role in STOPS or role == Role.INSTEAD:
            self._refused = self._doubtful = False
        elif role == Role.AND and self._refused:
            self._refused, self._doubtful = False, True

    def _proposes(self) -> float:
        """How sure it is that the sentence proposes at all; 0 if it plainly does not."""
        marks = self._marks
        proposes = marks.has(*PROPOSALS)
        if (marks.has(Role.ASK) and self._asks) or (marks.has(Role.REPORT, Role.PREF) and not proposes):
            return 0.0
        known = _MOST_UNKNOWN + len(self._found) * (1 + proposes)
        if not (proposes or marks.has(Role.ISSUE) or self._answers()):
            known = 0  # "See you next month", "I slept 8 hours"
        if marks.has(Role.REPORT, Role.PREF, Role.OR) or marks.has_loose_word:
            return UNCLEAR
        if marks.unknown > known:
            return UNCLEAR
        return PLAIN

    def _answers(self) -> bool:
        """Whether it is about nothing but the issue that was spoken of last."""
        return self._topic is not None and all(one.issue == self._topic for one in self._found)

    def _has_dark_condition(self) -> bool:
        """Whether a condition speaks of something that was not understood: "140 if you clear the land"."""
        found = {one.at for one in self._found}
        for i, role in enumerate(self._marks.roles):
            after = self._marks.clause(i + 1) if role == Role.IF and i + 1 < len(self._marks.all) else ()
            there = {self._marks.roles[k] for k in after}
            if found.isdisjoint(after) and Role.UNITS not in there and Role.UNKNOWN in there:
                return True
        return False

    def _value(self, i: int, meanings: Sequence[Meaning], settled: Settled) -> None:
        issues = sorted({meaning.issue for meaning in meanings})
        named = issues if len(issues) == 1 else self._marks.issues_with(i, issues)
        if not named and self._topic in issues:
            named = [self._topic]
        if not named:
            self._missing(settled, Doubt.WHICH_ISSUE)
        for issue in named:
            fitting = [meaning.value for meaning in meanings if meaning.issue == issue]
            self.about.append(issue)
            if len(fitting) > 1 or self._marks.in_range(i):
                self._missing(settled, Doubt.WHICH_VALUE)
            else:
                self._add(i, issue, fitting[0])

    def _is_of_another(self, i: int, near: Sequence[str]) -> bool:
        """Whether a number is not of the issues near it: "nine hours, ninety thousand"."""
        counted = {one.issue for one in self._found}
        followed = Role.ISSUE in self._marks.roles[i + 1 : i + 2]
        fits = any(self._marks.fits(i, name, named=True) for name in near)
        return counted.issuperset(near) and not (near and (followed or fits))

    def _number(self, i: int, number: NumberMention, settled: Settled) -> None:
        if self._marks.counts_else(i):
            return
        near = [name for name in self._marks.issues_near(i) if self._values.is_numeric(name)]
        sure = PLAIN
        if self._is_of_another(i, near):
            near, sure = self._unnamed(i, number, settled)
        if not near:
            return
        issue = next((name for name in near if self._marks.fits(i, name, named=True)), near[0])
        term = self._values.by_number(issue, number, named=True)
        self.about.append(issue)
        if self._marks.in_range(i):
            self._missing(settled, Doubt.WHICH_VALUE)
        elif term is None:
            self._missing(settled, Doubt.IMPOSSIBLE)
        else:
            self._add(i, issue, term, sure)

    def _unnamed(self, i: int, number: NumberMention, settled: Settled) -> tuple[list[str], float]:
        """Which issue a number is about that is named nowhere near it, and how sure that is."""
        counted = self._marks.issues_counted(i)
        if number.value == 1 and not number.digits and not counted:
            return [], 0.0  # "the red one"
        if self._marks.in_row(i):
            self._missing(settled, Doubt.WHICH_ISSUE)  # "9 0 000": somebody's own way to write one number
            return [], 0.0
        fitting = [name for name in counted or self._values.issues if self._marks.fits(i, name)]
        topic = self._topic if self._topic is not None and self._values.is_numeric(self._topic) else None
        if not counted and self._counts_unknown(i, number):
            return ([topic], UNCLEAR) if topic in fitting and topic is not None else ([], 0.0)
        if topic is not None and topic in fitting:
            return [topic], PLAIN if len(fitting) == 1 else _BY_TOPIC
        if len(fitting) > 1:
            self._missing(settled, Doubt.WHICH_ISSUE)
            return [], 0.0
        if fitting or counted:
            return fitting or counted, PLAIN
        if topic is not None:
            return [topic], _BY_TOPIC
        return self._values.alone(money=number.money) if self._may_be_alone() else [], PLAIN

    def _counts_unknown(self, i: int, number: NumberMention) -> bool:
        """Whether a number counts what nobody knows: "20 people", "2 questions"; not "90k gross"."""
        plain = not (number.percent or number.money) and abs(number.value) < _PLAINLY_MONEY
        return plain and self._marks.is_followed(i, Role.UNKNOWN)

    def _may_be_alone(self) -> bool:
        """Whether a bare number may be meant for the one issue that has numbers."""
        proposes = self._marks.has(*PROPOSALS) or len(self._marks.all) == 1
        return proposes and not self._marks.has(Role.UNITS, Role.REPORT)

    def _issue(self, i: int, settled: Settled) -> None:
        """An issue by itself: with it, without it, or as it stands on the table."""
        issue = self._marks.named.get(i)
        if issue is None or issue not in self._values.issues:
            return
        self.about.append(issue)
        standing = self._on_table.get(issue)
        if standing is not None and any(self._marks.roles[k] == Role.AS_IS for k in self._marks.clause(i)):
            self._found.append(Found(issue, standing, i))
            return
        if self._marks.before(i) == Role.COMPARE:
            self._missing(settled, Doubt.WHICH_VALUE)
        if not self._marks.has_value(i, issue):
            self._polar(i, issue, settled)

    def _polar(self, i: int, issue: str, settled: Settled) -> None:
        yes, no = self._values.polar(issue, yes=True), self._values.polar(issue, yes=False)
        if yes is None and no is None:
            if self._marks.verb(i) in {Role.GET, Role.NEED}:
                self._missing(settled, Doubt.WHICH_VALUE)
            return
        polarity = self._marks.said_behind(i)
        if polarity is None:
            polarity = self._polarity(i)
        value = yes if polarity else no
        if polarity is not None and value is not None:
            self._found.append(Found(issue, value, i))
        elif polarity is False and yes is not None:
            self._found.append(Found(issue, yes, i, wanted=False))

    def _polarity(self, i: int) -> bool | None:
        """Whether the words around an issue ask for it, refuse it, or neither (None)."""
        before, verb = self._marks.before(i), self._marks.verb(i)
        if before in LACKS:
            return self._refused  # "not without a car"
        if before == Role.WITH:
            return not self._refused
        if verb in LACKS:
            return False
        if self._refused:
            listed = bool(self._found) and before == Role.NOT  # "90k, but not the car"
            return False if verb in PROPOSALS or listed else None
        if verb in {Role.GET, Role.NEED} or (verb == Role.CUE and self._marks.has_article(i)):
            return True
        return True if self._marks.in_list(i) else None

    def _add(self, i: int, issue: str, term: Term, sure: float = PLAIN) -> None:
        refused = self._refused or self._marks.before(i) in {Role.NOT, *LACKS}
        if self.corrects and not refused and self._found and self._found[-1].issue == issue:
            self._found[-1].wanted = False
        self._found.append(Found(issue, term, i, UNCLEAR if self._doubtful else sure, wanted=not refused))

    def _missing(self, settled: Settled, doubt: Doubt) -> None:
        """Something is missing; it counts only where the sentence may propose."""
        if self._proposes() > UNCLEAR and not self._refused:
            settled.unsure(UNCLEAR, doubt)
