"""The rows of evaluation: agents, runs, trials and what they left behind."""

from runs.models.agents import Agent
from runs.models.attempts import Attempt
from runs.models.badges import Badge
from runs.models.calls import ConnectionCall
from runs.models.case_counts import CaseChange, CaseCount
from runs.models.connections import Connection, Secret
from runs.models.dependencies import Dependency
from runs.models.failures import FailureGroup
from runs.models.gates import Gate, GateCheck, GateRequest, GateSchedule, GateSettings, GateVerdict, Release, TrialFacts
from runs.models.judge_calls import GoneJudgeCalls
from runs.models.links import SharedPage
from runs.models.notices import Delivery, Notification, NotificationChoice, StoredNotice, Webhook
from runs.models.plans import TrialPlan
from runs.models.proofs import StoredProof
from runs.models.rankings import Ranking
from runs.models.records import RecordUpload, TrialRecord
from runs.models.replies import StoredReply
from runs.models.rescores import OPEN_RESCORES, Asks, Probe, Rescore, RescoreResult, RescoreStatus
from runs.models.review_queues import ReviewClaim, ReviewQueue
from runs.models.reviews import Adjudication, Review, ReviewRequest
from runs.models.runs import ACTIVE_RUNS, ENDED_RUNS, Run, RunAgent, RunStatus
from runs.models.shares import Share
from runs.models.spending import Spending
from runs.models.standards import JudgeStandard
from runs.models.suggestions import Suggestion
from runs.models.trial_counts import TrialCount
from runs.models.trials import FINAL_STATUSES, IDLE_STATUSES, OPEN_STATUSES, Event, Grade, Replay, Trial, TrialStatus
from runs.models.tryouts import Tryout, TryoutStatus
from runs.models.turns import HumanTurn
from runs.models.workers import WorkerBeat

__all__ = [
    "ACTIVE_RUNS",
    "ENDED_RUNS",
    "OPEN_RESCORES",
    "FINAL_STATUSES",
    "IDLE_STATUSES",
    "OPEN_STATUSES",
    "Adjudication",
    "Agent",
    "Asks",
    "Attempt",
    "Badge",
    "CaseChange",
    "CaseCount",
    "Connection",
    "ConnectionCall",
    "Delivery",
    "Dependency",
    "Event",
    "FailureGroup",
    "Gate",
    "GateCheck",
    "GateRequest",
    "GateSchedule",
    "GateSettings",
    "GateVerdict",
    "Grade",
    "HumanTurn",
    "GoneJudgeCalls",
    "JudgeStandard",
    "Notification",
    "NotificationChoice",
    "Probe",
    "Ranking",
    "RecordUpload",
    "Release",
    "Replay",
    "Rescore",
    "RescoreResult",
    "RescoreStatus",
    "Review",
    "ReviewClaim",
    "ReviewQueue",
    "ReviewRequest",
    "Run",
    "RunAgent",
    "RunStatus",
    "Secret",
    "Share",
    "SharedPage",
    "Spending",
    "StoredNotice",
    "StoredProof",
    "StoredReply",
    "Suggestion",
    "Trial",
    "TrialCount",
    "TrialFacts",
    "TrialPlan",
    "TrialRecord",
    "TrialStatus",
    "Tryout",
    "TryoutStatus",
    "Webhook",
    "WorkerBeat",
]
