"""Live sessions: planned, started, run, stored and resumed."""

from negoplatform.app.session.agent_placement import default_human_seat
from negoplatform.app.session.agent_setup import (
    PreparedAgent,
    prepare_in_process,
    prepare_in_subprocess,
    starting_output_path,
)
from negoplatform.app.session.live_session import LiveSession
from negoplatform.app.session.log_proofs import PROOFS_FILE, LogProof, append_proof, read_proofs
from negoplatform.app.session.participant_actions import ShownInterpretation
from negoplatform.app.session.participant_controller import ParticipantController
from negoplatform.app.session.participant_seat import ParticipantSeat, SessionUpdate
from negoplatform.app.session.practice_session import PracticeTexts, practice_game, practice_session
from negoplatform.app.session.resume import close_interrupted, resume_session
from negoplatform.app.session.session_plan import (
    ResumePoint,
    SessionPlan,
    check_participant,
    read_settings,
    with_limits,
)
from negoplatform.app.session.session_runner import SessionRunner, run_session
from negoplatform.app.session.session_start import (
    SESSIONS,
    OpenSession,
    fallback_folders,
    is_first_session,
    open_session,
)
from negoplatform.app.session.unfinished_sessions import UnfinishedSession, find_unfinished
from negoplatform.app.session.unused_joint_gains import ParetoImprovement, find_pareto_improvement

__all__ = [
    "PROOFS_FILE",
    "SESSIONS",
    "LiveSession",
    "LogProof",
    "OpenSession",
    "ParetoImprovement",
    "ParticipantController",
    "ParticipantSeat",
    "PracticeTexts",
    "PreparedAgent",
    "ResumePoint",
    "SessionPlan",
    "SessionRunner",
    "SessionUpdate",
    "ShownInterpretation",
    "UnfinishedSession",
    "append_proof",
    "check_participant",
    "close_interrupted",
    "default_human_seat",
    "fallback_folders",
    "find_pareto_improvement",
    "find_unfinished",
    "is_first_session",
    "open_session",
    "practice_game",
    "practice_session",
    "prepare_in_process",
    "prepare_in_subprocess",
    "read_proofs",
    "read_settings",
    "resume_session",
    "run_session",
    "starting_output_path",
    "with_limits",
]
