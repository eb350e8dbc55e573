"""What stands around a mark of a sentence: its verb, its clause, the issue that a number belongs to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from negoplatform.language.game_values import Values
from negoplatform.language.tokens import Token
from negoplatform.language.value_marks import Mark, Role

PROPOSALS = frozenset({Role.CUE, Role.GET, Role.NEED})
"""Verbs and other words that a proposal is made with."""
LACKS = frozenset({Role.WITHOUT, Role.NEEDLESS})
"""Words that what follows is left out by."""
STOPS = frozenset({Role.SEP, Role.BUT, Role.IF})
"""Where a clause ends."""
_NEAR = 4
"""A number belongs to an issue that is named within so many marks, and two more."""
_FAR = 50
"""A verb reaches over so many marks of a list."""
_NAMES = frozenset({Role.NUMBER, Role.VALUE})
_CARRIES = frozenset({*_NAMES, Role.SMALL, Role.A, Role.WITH, Role.AND, Role.SEP, Role.ISSUE})
"""What may stand between a verb and the last thing that hangs on it: "take QA, 90k and a car"."""
_TERMS = frozenset({*_NAMES, Role.ISSUE})
_JOINS = frozenset({Role.AND, Role.SEP, Role.WITH})
_PARTS = frozenset({*_NAMES, Role.BUT, Role.UNITS, Role.IF})
"""What parts an issue from a value."""


class Marks:
    """The marks of a sentence.

    Args:
        tokens: The tokens of the text.
        marks: The marks, in order.
        values: The values of the game's issues.
    """

    def __init__(self, tokens: Sequence[Token], marks: Sequence[Mark], values: Values) -> None:
        self.all = tuple(marks)
        self.roles = tuple(mark.role for mark in marks)
        self._tokens = tokens
        self._values = values
        self._has = frozenset(self.roles)
        self._clauses = _clauses(self.roles)
        self._valued: dict[tuple[int, str], bool] = {}
        self.named = {
            i: mark.mention.issue
            for i, mark in enumerate(marks)
            if mark.role == Role.ISSUE and mark.mention is not None and mark.mention.issue is not None
        }
        """The issues that are named without a value, by the index of the mark."""

    def has(self, *roles: Role) -> bool:
        """Whether one of these is in the sentence."""
        return not self._has.isdisjoint(roles)

    def before(self, i: int) -> Role | None:
        """What the last word before a mark does; articles and small words do not count."""
        near = reversed(self.roles[max(0, i - _NEAR) : i])
        return next((role for role in near if role not in {Role.SMALL, Role.A}), None)

    def verb(self, i: int) -> Role | None:
        """What a mark hangs on: a word that proposes, or leaves out; None if there is none."""
        joined = False
        for role in reversed(self.roles[max(0, i - _FAR) : i]):
            if role in PROPOSALS | LACKS:
                return role
            if role not in _CARRIES or (role in _TERMS and not joined):
                return None  # "the pension for the car": two things that stand in no list
            joined = role in _JOINS or (joined and role not in _TERMS)
        return None

    def has_article(self, i: int) -> bool:
        """Whether "a" stands before a mark."""
        return i > 0 and self.roles[i - 1] == Role.A

    def in_list(self, i: int) -> bool:
        """Whether an issue stands by itself in a list of terms: "90k, car, fast track"."""
        first = i - 1 if i and self.roles[i - 1] in {Role.A, Role.SMALL} else i
        return self.has(*_NAMES) and self._is_joined(first - 1) and self._is_joined(i + 1)

    @cached_property
    def unknown(self) -> int:
        """How many words nobody knows."""
        return self.roles.count(Role.UNKNOWN)

    @cached_property
    def has_loose_word(self) -> bool:
        """Whether an unknown word stands by itself in a list: a term that was not understood."""
        unknown = (i for i, role in enumerate(self.roles) if role == Role.UNKNOWN)
        return any(self._is_joined(i - 1) and self._is_joined(i + 1) for i in unknown)

    def _is_joined(self, i: int) -> bool:
        """Whether a part of a list may end at a mark: at a comma, an "and", or where the sentence does."""
        return not 0 <= i < len(self.roles) or self.roles[i] in _JOINS

    def said_behind(self, i: int) -> bool | None:
        """Whether yes or no stands behind an issue ("car: yes", "the car is included"); None if neither."""
        k = i + 1
        while k < len(self.all) and self.roles[k] in {Role.SEP, Role.CUE, Role.SMALL, Role.UNKNOWN}:
            said = self._values.polarity_of(self._word(self.all[k]))
            if said is not None or not (
                self.roles[k] == Role.CUE or self._word(self.all[k]) in {":", "-", "="}
            ):
                break
            k += 1
        if k >= len(self.all) or not (k + 1 == len(self.all) or self.roles[k + 1] in STOPS | {Role.AND}):
            return None
        return self._values.polarity_of(self._word(self.all[k]))

    def has_value(self, i: int, issue: str) -> bool:
        """Whether a value of an issue is named in the clause around a mark."""
        clause = self.clause(i)
        known = self._valued.get((clause.start, issue))
        if known is None:
            known = any(self._names_value(k, issue) for k in clause)
            self._valued[clause.start, issue] = known
        return known

    def clause(self, i: int) -> range:
        """The indexes of the marks between the stops around a mark; of a stop, those behind it."""
        return self._clauses[i]

    def issues_near(self, i: int) -> list[str]:
        """Issues that are named near a mark, the likeliest first.

        Where a sentence names an issue before its first number ("salary 90k, pension 10"), issues stand
        before their numbers, elsewhere behind.
        """
        first = next((k for k, role in enumerate(self.roles) if role in _NAMES), i)
        leads = next(iter(self.named), first) < first
        around = range(i - _NEAR - 2, i + _NEAR + 3)
        near = [k for k in around if k in self.named and self._unparted(k, i)]
        near.sort(key=lambda k: ((k > i) == leads, abs(k - i)))
        return [self.named[k] for k in near]

    def issues_with(self, i: int, issues: Iterable[str]) -> list[str]:
        """Which of some issues a value goes with: those behind it, or the last before."""
        around = range(i - _FAR, i + _FAR + 1)
        clear = [k for k in around if k in self.named and self.named[k] in issues and self._unparted(k, i)]
        behind = [k for k in clear if k > i and self.roles[i + 1] != Role.SEP]
        before = [k for k in clear if k < i]
        return [self.named[k] for k in behind or before[-1:]]

    def issues_counted(self, i: int) -> list[str]:
        """The issues whose unit stands behind a number: "12 days"."""
        behind = self.all[i].end
        if behind >= len(self._tokens):
            return []
        return [name for name in self._values.issues if self._values.counts(name, self._tokens[behind].norm)]

    def fits(self, i: int, issue: str, *, named: bool = False) -> bool:
        """Whether a mark is a number that names a value of an issue."""
        number = self.all[i].number
        return number is not None and self._values.by_number(issue, number, named=named) is not None

    def counts_else(self, i: int) -> bool:
        """Whether a number counts something else: units that are divided, minutes, points, an age."""
        behind = self.roles[i + 1 : i + _NEAR]
        if i and self.roles[i - 1] == Role.AM:
            return True  # "I am 20"
        return Role.UNITS in behind or behind[:1] == (Role.REPORT,)

    def is_followed(self, i: int, role: Role) -> bool:
        """Whether the next mark does something."""
        return i + 1 < len(self.roles) and self.roles[i + 1] == role

    def in_row(self, i: int) -> bool:
        """Whether a number stands right beside another one, and neither has a unit."""
        pairs = ((self.all[i].number, self.all[k].number) for k in (i - 1, i + 1) if 0 <= k < len(self.all))
        return any(all(n is not None and not (n.percent or n.money) for n in pair) for pair in pairs)

    def in_range(self, i: int) -> bool:
        """Whether a value is the end of a range: "at least 90", "80 to 90", "90 or more"."""
        before = [k for k in range(max(0, i - 2), i) if self.roles[k] not in {Role.SMALL, Role.A}]
        if before and self._is_range(before[-1]):
            return True
        if i + 1 < len(self.all) and (self._is_range(i + 1) or self._is_offset(i + 1)):
            return True
        return self._is_summed(i) or self._is_joint(i + 1) or self._is_joint(i - 1) or self._is_between(i)

    def _names_value(self, k: int, issue: str) -> bool:
        mention = self.all[k].mention
        if self.roles[k] == Role.VALUE and mention is not None:
            return any(meaning.issue == issue for meaning in mention.meanings)
        return self.roles[k] == Role.NUMBER and self.fits(k, issue, named=True)

    def _unparted(self, k: int, i: int) -> bool:
        """Whether nothing parts an issue from a value; one comma may, behind the issue: "salary, 90k"."""
        between = self.roles[min(k, i) + 1 : max(k, i)]
        return _PARTS.isdisjoint(between) and between.count(Role.SEP) <= (k < i)

    def _is_range(self, k: int) -> bool:
        return self.roles[k] == Role.RANGE and not self._is_to(k)

    def _is_offset(self, k: int) -> bool:
        """Whether a mark makes what stands before it a difference: "150 more"."""
        return self.roles[k] == Role.COMPARE and self._values.is_offset(self._word(self.all[k]))

    def _is_summed(self, i: int) -> bool:
        """Whether a number is to be reckoned with another: "120 + 20"; but "90k + 10 %" are two terms."""
        for sign, other in ((i + 1, i + 2), (i - 1, i - 2)):
            if 0 <= other < len(self.all) and self._word(self.all[sign]) == "+":
                pair = (self.all[i].number, self.all[other].number)
                if all(number is not None and not number.percent for number in pair):
                    return True
        return False

    def _is_to(self, k: int) -> bool:
        """Whether a mark is a word that makes a range only between two values."""
        return self.roles[k] == Role.RANGE and self._values.joins_range(self._word(self.all[k]))

    def _is_joint(self, k: int) -> bool:
        """Whether a mark is the "to" or "-" of a range between the values at its sides."""
        if k < 1 or k + 1 >= len(self.all) or not {self.roles[k - 1], self.roles[k + 1]} <= _NAMES:
            return False
        return self._is_to(k) or self._word(self.all[k]) == "-"

    def _is_between(self, i: int) -> bool:
        """Whether a value stands behind the "and" of "between … and …"."""
        k = next((k for k in range(i - 1, max(-1, i - 5), -1) if self._is_range(k)), None)
        between = self.roles[k:i] if k is not None else ()
        return Role.AND in between and not _NAMES.isdisjoint(between)

    def _word(self, mark: Mark) -> str:
        return " ".join(token.norm for token in self._tokens[mark.start : mark.end])


def _clauses(roles: Sequence[Role]) -> tuple[range, ...]:
    """The clause around each mark."""
    found: list[range] = []
    start = 0
    for i, role in enumerate((*roles, Role.SEP)):
        if role in STOPS:
            found += [range(start, i)] * (i - len(found))
            start = i + 1
            found += [range(start, start)] * (i < len(roles))
    return tuple(found)
