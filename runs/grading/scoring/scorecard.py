"""The scorecard of one trial (challenge-pack h.6)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from packs.formats.task import Scoring
from runs.grading.graders.contract import Grade, State
from runs.grading.scoring.document import (
    dimension_documents,
    grade_document,
    grade_summary,
    judge_document,
    metric_document,
    present,
    ratio_document,
    state_summary,
)
from runs.grading.scoring.results import DimensionResult, JudgeResult, MetricResult, Overall, Ratio


@dataclass(frozen=True, slots=True)
class Scorecard:
    """Everything that scoring says of one trial.

    `status` is complete, partial or failed; `validity` valid, degraded or invalid.
    """

    scoring: Scoring
    status: str
    overall: Overall
    validity: str
    validity_reason: str = ""
    warnings: tuple[str, ...] = ()
    dimensions: Sequence[DimensionResult] = ()
    grades: Sequence[Grade] = ()
    metrics: Sequence[MetricResult] = ()
    judges: Sequence[JudgeResult] = ()
    side_metrics: Mapping[str, Ratio] = field(default_factory=dict)
    tracked: Mapping[str, Any] = field(default_factory=dict)

    @property
    def score(self) -> float | None:
        """The overall score, 0 to 1."""
        return self.overall.score

    @property
    def passed(self) -> bool | None:
        """Whether the trial passed in the sense of its strategy; None when that is undecided."""
        return self.overall.passed

    @property
    def verdict(self) -> str:
        """The verdict of the trial: pass, fail, error or undecided.

        What could not be judged is never a fail: a trial that only such a gate keeps from passing is undecided, or an
        error when a grader erred.
        """
        if self.status == "failed" or self.overall.undecided_by is State.ERROR:
            return "error"
        if self.overall.undecided_by is State.UNAVAILABLE:
            return "undecided"
        if self.passed is None:
            return "error" if any(result.state is State.ERROR for result in self.dimensions) else "undecided"
        return "pass" if self.passed else "fail"

    def as_dict(self, run_agent_id: str = "", evaluation_spec_id: str = "") -> dict[str, Any]:
        """The document of a scorecard (challenge-pack h.6), with our own `verdict`; empty members are left out."""
        return {
            **present({"run_agent_id": run_agent_id, "evaluation_spec_id": evaluation_spec_id}),
            "status": self.status,
            "strategy": self.scoring.strategy,
            **present({"overall_score": self.score, "passed": self.passed, "overall_reason": self.overall.reason}),
            "verdict": self.verdict,
            "validity": self.validity,
            **present({"validity_reason": self.validity_reason}),
            "warnings": list(self.warnings),
            "dimensions": dimension_documents(self.scoring, self.dimensions),
            "validator_summary": grade_summary(self.grades),
            "validator_details": [grade_document(grade) for grade in self.grades],
            "metric_summary": state_summary([result.state for result in self.metrics]),
            "metric_details": [metric_document(result) for result in self.metrics],
            **present({"side_metrics": {key: ratio_document(ratio) for key, ratio in self.side_metrics.items()}}),
            **({"tracked": dict(self.tracked)} if self.tracked else {}),
            **present({"llm_judge_details": [judge_document(judge) for judge in self.judges]}),
        }
