"""Asking LLM judges: prompts, calls within limits, and results from the replies (challenge-pack d.7).

Pure: models are asked through endpoints that are handed in.
"""

from runs.grading.judges.calls import Answer, Bench, Note
from runs.grading.judges.rankings import ask_ranking, still_ranked
from runs.grading.judges.verdicts import RANKING, ask_judges

__all__ = ["RANKING", "Answer", "Bench", "Note", "ask_judges", "ask_ranking", "still_ranked"]
