"""LLM judges, scored from the replies that models gave (challenge-pack d.7). Asking a model is not done here."""

from runs.grading.scoring.judges.consensus import judge_replies
from runs.grading.scoring.judges.ranking import judge_ranking, presentation_order
from runs.grading.scoring.judges.replies import JudgeReply

__all__ = ["JudgeReply", "judge_ranking", "judge_replies", "presentation_order"]
