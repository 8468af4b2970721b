"""Mathematical expressions as people and models write them: reading, canonical forms, numeric values."""

from runs.grading.graders.mathematics.canonical import canonical
from runs.grading.graders.mathematics.expressions import BadExpression, Expression, evaluate, parse
from runs.grading.graders.mathematics.notation import plain_notation

__all__ = ["BadExpression", "Expression", "canonical", "evaluate", "parse", "plain_notation"]
