"""The compiled form: everything that a worker needs to run and grade one case, in words that no format owns."""

from dataclasses import asdict, dataclass, field
from typing import Any

from packs.formats.answers import Answer as Answer
from packs.formats.case_values import EvidenceCase as EvidenceCase
from packs.formats.environment import Capture as Capture
from packs.formats.environment import Environment as Environment
from packs.formats.environment import Hook as Hook
from packs.formats.environment import Repository as Repository
from packs.formats.environment import WorkspaceFile as WorkspaceFile
from packs.formats.environment import WorkspacePlan as WorkspacePlan
from packs.formats.faults import ToolFault as ToolFault
from packs.formats.judge import JudgeSpec as JudgeSpec

Json = Any
TITLE_LENGTH = 80


def title_of(reported: str) -> str:
    """The first line of what an agent is told, cut for lists; what it is not told cannot be in its title."""
    first = reported.strip().partition("\n")[0].rstrip()
    return first if len(first) <= TITLE_LENGTH else f"{first[: TITLE_LENGTH - 1]}…"


@dataclass(frozen=True, slots=True)
class Budgets:
    """Limits of one trial; None means no limit. Durations in seconds, cost in US dollars.

    Where `are_decisive`, a trial that passes one has failed whatever its graders say (task-suite 3).
    """

    wall_seconds: float | None = None
    steps: int | None = None
    tool_calls: int | None = None
    total_tokens: int | None = None
    cost_usd: float | None = None
    are_decisive: bool = False


@dataclass(frozen=True, slots=True)
class GraderSpec:
    """One grader of a task: `kind` is a key of `runs.grading.graders.GRADERS`.

    `target` and `expected` are evidence references; empty where the kind takes none. `files` are hidden from the agent:
    they are there only for what this grader runs, in a workspace that begins as the agent left its own.
    """

    key: str
    kind: str
    target: str = ""
    expected: str = ""
    config: dict[str, Json] | None = None
    files: tuple[WorkspaceFile, ...] = ()


@dataclass(frozen=True, slots=True)
class Metric:
    """A measured value: `kind` is numeric, text or boolean; `collector` names how it is taken from the events."""

    key: str
    kind: str
    collector: str
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Signal:
    """A behavioural signal over the tool calls of a trial."""

    key: str
    weight: float
    gate: bool = False
    pass_threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Price:
    """What a model costs, in US dollars per million tokens."""

    provider: str
    model: str
    input_per_million: float = 0.0
    output_per_million: float = 0.0


@dataclass(frozen=True, slots=True)
class Dimension:
    """One dimension of a scorecard.

    `source` is validators, metric, reliability, latency, cost, behavioral, llm_judge, human_preference or grader: the
    verdict of the one grader that it names.
    """

    key: str
    source: str
    graders: tuple[str, ...] = ()
    metric: str = ""
    judge: str = ""
    better_direction: str = "higher"
    target: float | None = None
    maximum: float | None = None
    weight: float = 1.0
    gate: bool = False
    pass_threshold: float | None = None


@dataclass(frozen=True, slots=True)
class Tracking:
    """What is measured of a trial beside its verdict: names of `runs.replay.trajectories.tracked.FIELDS`.

    `inputs`, `budgets` and `secrets` are those of the task, which measures refer to; `reference` the names of the tools
    that a good trial calls.
    """

    fields: tuple[str, ...] = ()
    inputs: dict[str, Json] = field(default_factory=dict)
    budgets: dict[str, float] = field(default_factory=dict)
    secrets: dict[str, str] = field(default_factory=dict)
    reference: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Scoring:
    """How the grades of a trial become a scorecard and a verdict; `strategy` is a key of
    `runs.grading.scoring.strategies.STRATEGIES`."""

    dimensions: tuple[Dimension, ...] = ()
    strategy: str = "weighted"
    pass_threshold: float | None = None
    metrics: tuple[Metric, ...] = ()
    signals: tuple[Signal, ...] = ()
    tracking: Tracking | None = None
    prices: tuple[Price, ...] = ()
    judge_limits: dict[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Gating:
    """What gates ask of a task beside its trials (task-suite 7).

    `fingerprint` is equal for tasks that measure the same; where it is empty, equal stored documents do. `flags` are
    the task's own words about the gates that it belongs to.
    """

    fingerprint: str = ""
    flags: dict[str, bool] = field(default_factory=dict)
    forbidden_tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Trials:
    """How often a case is tried, and how the attempts become one verdict: first, pass@k, pass^k, mean or
    confidence_interval (the lower bound of the mean's). No more are begun once they cost `cost_usd` together."""

    count: int = 1
    rule: str = "first"
    cost_usd: float | None = None


@dataclass(frozen=True, slots=True)
class Schedule:
    """What a pack says of the run that a task is part of; None and empty where it says nothing.

    The cases of `depends_on` end first. Where one of them ended as an error, `on_dependency_failure` says what becomes
    of this task: skip and fail end it as an error, run runs it. `targets` are the names of the agents that are meant.
    """

    depends_on: tuple[str, ...] = ()
    on_dependency_failure: str = "skip"
    targets: tuple[str, ...] = ()
    workers: int | None = None
    cost_usd: float | None = None
    stops_on_error: bool = False


def shown_tools(tools: dict[str, Json]) -> dict[str, Json]:
    """The tools as an agent may see them: without the implementations, which can hold recorded answers."""
    return {
        name: [_declared(tool) for tool in part] if isinstance(part, list) else part for name, part in tools.items()
    }


def _declared(tool: Json) -> Json:
    return {name: part for name, part in tool.items() if name != "implementation"} if isinstance(tool, dict) else tool


# The kinds of grader that need the result of a program: they judge in the sandbox, after the agent has ended.
EXECUTING = frozenset(
    {
        "code_completion",
        "code_execution",
        "repo_patch",
        "suite.deterministic_tests",
        "suite.static_analysis",
        "terminal_task",
    }
)


@dataclass(frozen=True, slots=True)
class Task:
    """A compiled case.

    `title`, `prompt` and `visible` are all that the agent is told; `question` is what of the prompt this case asks,
    where the format adds words of its own. `hidden`, `evidence`, `graders`, `judges`,
    `reference` (the gold answer, where the case states one) and `reference_files` (path in the workspace to text, files
    that belong to the gold answer) are for graders only. `staged` is hidden too until the agent has ended: then it
    reaches the sandbox in which graders run their programs. `answers` are what would give the task away; where they are
    None, the reference would. `conversation` is the script of a simulated user.
    """

    format: str
    challenge_key: str
    input_set_key: str
    case_key: str
    title: str
    prompt: str
    visible: dict[str, Json]
    hidden: dict[str, Json]
    evidence: EvidenceCase
    environment: Environment = field(default_factory=Environment)
    graders: tuple[GraderSpec, ...] = ()
    judges: tuple[JudgeSpec, ...] = ()
    scoring: Scoring = field(default_factory=Scoring)
    trials: Trials = field(default_factory=Trials)
    gating: Gating = field(default_factory=Gating)
    budgets: Budgets = field(default_factory=Budgets)
    conversation: dict[str, Json] | None = None
    reference: str | None = None
    reference_files: dict[str, str] = field(default_factory=dict)
    security: dict[str, Json] | None = None
    staged: dict[str, Json] = field(default_factory=dict)
    answers: tuple[Answer, ...] | None = None
    schedule: Schedule = field(default_factory=Schedule)
    question: str = ""

    def for_agent(self) -> dict[str, Json]:
        """What an agent may see of this task, as JSON values."""
        return {
            "challenge_key": self.challenge_key,
            "case_key": self.case_key,
            "title": self.title,
            "mode": self.environment.mode,
            "prompt": self.prompt,
            "context": self.visible,
            "working_directory": self.environment.working_directory,
            "files": [file.path for file in self.environment.files],
            "tools": shown_tools(self.environment.tools),
            "tool_policy": self.environment.tool_policy,
        }

    def for_graders(self) -> dict[str, Json]:
        """What only graders may see of this task, as JSON values."""
        return {
            "hidden": self.hidden,
            "staged": self.staged,
            "evidence": asdict(self.evidence),
            "reference": self.reference,
            "reference_files": self.reference_files,
            "graders": [asdict(grader) for grader in self.graders],
            "judges": [asdict(judge) for judge in self.judges],
            "scoring": asdict(self.scoring),
            "conversation": self.conversation,
            "security": self.security,
        }

    def as_dict(self) -> dict[str, Json]:
        """The whole task as JSON values, each side apart."""
        return {
            "format": self.format,
            "input_set": self.input_set_key,
            "challenge_key": self.challenge_key,
            "case_key": self.case_key,
            "agent": self.for_agent(),
            "graders": self.for_graders(),
            "environment": asdict(self.environment),
            "trials": asdict(self.trials),
            "budgets": asdict(self.budgets),
            "schedule": asdict(self.schedule),
        }
