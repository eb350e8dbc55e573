"""Strategies for the feeds of a session and the entries of windows."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from negoplatform.agent_api.actions import (
    FormalAccept,
    FormalQuit,
    MechanismAct,
    ProposeChange,
    SendExpression,
    SendMessage,
    SendOffer,
    ShowTyping,
)
from negoplatform.app.session.participant_actions import (
    AbortGame,
    AnswerInterpretation,
    RecordInterpretation,
    RecordNote,
    SendShownMessage,
    SettleUnsentText,
    ShownInterpretation,
)
from negoplatform.app.session.participant_seat import (
    AnswerAdvice,
    FinishClosingRequest,
    PauseRequest,
    SaveDraftRequest,
    ShownAdvice,
    UnpauseRequest,
)
from negoplatform.app.session.unused_joint_gains import ParetoImprovement
from negoplatform.app.session.windows.session_feed import (
    AnswerSuggestion,
    ChangeWizardMode,
    DraftEntry,
    FeedAdvice,
    FeedAssistant,
    FeedEvent,
    FeedRawEvent,
    FeedRawHeader,
    FeedShared,
    FeedStatus,
    FeedSuggestion,
    FeedSuggestionClosed,
    FeedWizard,
    HoldSuggestion,
    JoinRole,
    OpenWholeState,
    RoleKind,
    SessionIntroduction,
    StartRequest,
)
from negoplatform.core.events import Expression, MessageSubtype
from negoplatform.core.log_note_kinds import NoteKind
from negoplatform.domain.assistant_settings import AssistantKind
from negoplatform.domain.joining_settings import SuggestionVerdict, WizardMode
from negoplatform.formats.interpretations import InterpretationVerdict, dump_interpretation
from negoplatform.hosting.agent_runner import ScheduledCall
from negoplatform.hosting.seat_actions import AcceptOffer, ShareDraft
from negoplatform.language import DialogueAct, Interpretation
from tests.eventlog.logs import header_for
from tests.formats.strategies import (
    ACTS_OF_TRADE,
    PAYLOADS,
    events,
    games,
    ids,
    json_objects,
    names,
    numbers,
    offers,
    points,
    seconds,
    stated,
    texts,
)

delays = st.integers(0, 10**6) | st.floats(0, 10**6)
seats = st.lists(names, max_size=3).map(tuple)
shown = st.builds(ShownInterpretation, st.integers(1, 2**53))
messages = st.builds(
    SendMessage,
    texts,
    st.sampled_from(MessageSubtype),
    delays,
    preference=st.none() | stated,
    batna=st.none() | numbers,
    to=seats,
    flushable=st.booleans(),
)
sent_offers = st.builds(SendOffer, offers(), delays, flushable=st.booleans())
acts = st.sampled_from(sorted(ACTS_OF_TRADE)).flatmap(
    lambda kind: st.builds(
        MechanismAct, st.just(kind), ACTS_OF_TRADE[kind], st.lists(names, max_size=1), delays
    )
)
acceptances = st.builds(AcceptOffer, ids)
interpretations = st.builds(
    dump_interpretation,
    names,
    st.builds(
        Interpretation,
        texts,
        st.lists(
            st.builds(DialogueAct, st.sampled_from(MessageSubtype), st.floats(0, 1), st.none() | stated),
            max_size=3,
        ).map(tuple),
        st.lists(offers(), max_size=2).map(tuple),
    ),
    st.just("en"),
    st.none() | st.lists(offers(), max_size=2),
)

COMMON_STEPS: dict[type[Any], SearchStrategy[Any]] = {
    SendMessage: messages,
    SendOffer: sent_offers,
    SendExpression: st.builds(SendExpression, st.sampled_from(Expression), st.integers(1, 60_000), delays),
    FormalQuit: st.builds(FormalQuit, delays),
    ShowTyping: st.builds(ShowTyping, st.integers(1, 60_000)),
    MechanismAct: acts,
}

PROPOSALS: dict[type[Any], SearchStrategy[Any]] = {
    **COMMON_STEPS,
    AcceptOffer: acceptances,
    ShareDraft: st.builds(ShareDraft, offers()),
    RecordNote: st.builds(RecordNote, st.sampled_from(NoteKind), json_objects | interpretations),
    RecordInterpretation: st.builds(RecordInterpretation, shown, interpretations),
    SendShownMessage: st.builds(SendShownMessage, shown, messages),
    AnswerInterpretation: st.builds(
        AnswerInterpretation,
        shown,
        st.sampled_from(InterpretationVerdict),
        st.none() | messages,
        st.none() | sent_offers | acceptances,
        st.booleans(),
        st.booleans(),
    ),
    SettleUnsentText: st.builds(SettleUnsentText, texts, st.booleans()),
    AbortGame: st.builds(AbortGame, texts),
}
"""Proposals by their class."""

proposals = st.one_of(*PROPOSALS.values())
scripts = st.lists(proposals, max_size=4).map(tuple)

STEPS: dict[type[Any], SearchStrategy[Any]] = {
    **COMMON_STEPS,
    FormalAccept: st.builds(FormalAccept, delays, flushable=st.booleans()),
    ProposeChange: st.builds(ProposeChange, json_objects, st.none() | st.integers(0, 10**6), delays),
    ScheduledCall: st.builds(ScheduledCall, ids, delays, st.booleans()),
}
"""Steps of an agent's script by their class."""

edited_scripts = st.lists(
    st.one_of(*(steps for kind, steps in STEPS.items() if kind is not ScheduledCall)), max_size=4
).map(tuple)

ENTRIES: dict[type[Any], SearchStrategy[Any]] = {
    tuple: scripts,
    PauseRequest: st.builds(PauseRequest, texts),
    UnpauseRequest: st.just(UnpauseRequest()),
    SaveDraftRequest: st.just(SaveDraftRequest()),
    FinishClosingRequest: st.just(FinishClosingRequest()),
    AnswerAdvice: st.builds(AnswerAdvice, ids, st.booleans()),
    StartRequest: st.just(StartRequest()),
    DraftEntry: st.builds(DraftEntry, json_objects),
    ChangeWizardMode: st.builds(ChangeWizardMode, st.sampled_from(WizardMode)),
    AnswerSuggestion: st.builds(AnswerSuggestion, ids, st.booleans(), st.none() | edited_scripts),
    HoldSuggestion: st.builds(HoldSuggestion, ids, st.booleans()),
    OpenWholeState: st.just(OpenWholeState()),
}
"""Entries of a window by their class."""

any_event = st.sampled_from(sorted(PAYLOADS)).flatmap(events)
headers = games().map(header_for)

ITEMS: dict[type[Any], SearchStrategy[Any]] = {
    FeedEvent: st.builds(FeedEvent, any_event),
    FeedStatus: st.builds(
        FeedStatus,
        seconds,
        st.booleans(),
        st.booleans(),
        st.booleans(),
        texts,
        texts,
        st.booleans(),
        seats,
        st.none() | st.builds(ParetoImprovement, st.none() | offers(), st.booleans()),
    ),
    FeedAdvice: st.builds(FeedAdvice, st.none() | st.builds(ShownAdvice, ids, edited_scripts, st.booleans())),
    FeedShared: st.builds(FeedShared, json_objects),
    FeedAssistant: st.builds(FeedAssistant, names, st.sampled_from(AssistantKind), json_objects),
    FeedSuggestion: st.builds(
        FeedSuggestion, ids, st.lists(st.one_of(*STEPS.values()), max_size=4).map(tuple), st.none() | seconds
    ),
    FeedSuggestionClosed: st.builds(FeedSuggestionClosed, ids, st.sampled_from(SuggestionVerdict)),
    FeedWizard: st.builds(
        FeedWizard,
        st.sampled_from(WizardMode),
        st.dictionaries(names, st.none() | points, max_size=3),
        st.booleans(),
    ),
    FeedRawHeader: st.builds(FeedRawHeader, headers),
    FeedRawEvent: st.builds(FeedRawEvent, any_event),
}
"""Items of a feed by their class."""

introductions = st.builds(
    SessionIntroduction,
    st.builds(JoinRole, st.sampled_from(RoleKind), st.none() | names),
    headers,
    texts,
    st.dictionaries(names, texts, max_size=3),
    st.dictionaries(names, texts, max_size=3),
    st.lists(st.tuples(names, texts), max_size=2).map(tuple),
    st.none() | json_objects,
    st.booleans(),
)
