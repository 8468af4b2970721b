"""LLM judges, scored from the replies that models gave (challenge-pack d.7). Asking a model is not done here."""

from runs.scoring.judges.consensus import judge_replies
from runs.scoring.judges.ranking import judge_ranking, presentation_order
from runs.scoring.judges.replies import JudgeReply

__all__ = ["JudgeReply", "judge_ranking", "judge_replies", "presentation_order"]
