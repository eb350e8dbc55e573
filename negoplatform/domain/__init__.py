"""Games, issues, offers and utilities: pure values and arithmetic, without a clock and without files.

The board and the searches over outcomes (``issue_status_board``, ``frontier``, ``bargaining_solutions`` …)
are imported from their modules: the window's first screen needs none of them, and waits for this package.
"""

from negoplatform.domain.agent_limits import DEFAULT_BUDGET, END_SESSION, AgentBudget
from negoplatform.domain.agreement_rules import Agreement, Outvoted, Quota, Turns
from negoplatform.domain.announcement import Announcement
from negoplatform.domain.briefing import NO_BRIEFING, Briefing
from negoplatform.domain.counterpart_settings import DEFAULT_COUNTERPART, CounterpartSettings
from negoplatform.domain.errors import (
    AgentError,
    InputFileError,
    LogWriteError,
    NegoError,
    NotVisible,
    OfferError,
    Refused,
    text_of,
)
from negoplatform.domain.expression import Expression
from negoplatform.domain.game import (
    CLOSING_SECONDS,
    RANDOM_PROFILE,
    Acceptance,
    GameSpec,
    Preferences,
    Profile,
    Rules,
    TimeCost,
    Visibility,
)
from negoplatform.domain.game_display_texts import (
    GENERIC_SEAT_NAMES,
    counted_titles,
    display_name,
    issue_texts,
    paragraphs,
    translatable_texts,
)
from negoplatform.domain.game_state_reference import GameStateReference
from negoplatform.domain.issue import CategoricalIssue, Issue, NumberIssue, QuantityIssue
from negoplatform.domain.offer import (
    EMPTY_OFFER,
    LARGEST_NUMBER,
    Allocation,
    Number,
    Offer,
    Term,
    exact_str,
    number_from_decimal,
)
from negoplatform.domain.seat_map import PLATFORM, RESERVED_NAMES, Seat, SeatMap
from negoplatform.domain.utility import (
    AdditiveUtility,
    Interaction,
    InteractionUtility,
    Points,
    UtilityFunction,
    fraction,
)

__all__ = [
    "CLOSING_SECONDS",
    "DEFAULT_BUDGET",
    "DEFAULT_COUNTERPART",
    "EMPTY_OFFER",
    "END_SESSION",
    "GENERIC_SEAT_NAMES",
    "LARGEST_NUMBER",
    "NO_BRIEFING",
    "PLATFORM",
    "RANDOM_PROFILE",
    "RESERVED_NAMES",
    "Acceptance",
    "AdditiveUtility",
    "AgentBudget",
    "AgentError",
    "Agreement",
    "Allocation",
    "Announcement",
    "Briefing",
    "CategoricalIssue",
    "CounterpartSettings",
    "Expression",
    "GameSpec",
    "GameStateReference",
    "InputFileError",
    "Interaction",
    "InteractionUtility",
    "Issue",
    "LogWriteError",
    "NegoError",
    "NotVisible",
    "Number",
    "NumberIssue",
    "Offer",
    "OfferError",
    "Outvoted",
    "Points",
    "Preferences",
    "Profile",
    "QuantityIssue",
    "Quota",
    "Refused",
    "Rules",
    "Seat",
    "SeatMap",
    "Term",
    "TimeCost",
    "Turns",
    "UtilityFunction",
    "Visibility",
    "counted_titles",
    "display_name",
    "exact_str",
    "fraction",
    "issue_texts",
    "number_from_decimal",
    "paragraphs",
    "text_of",
    "translatable_texts",
]
