"""math_equivalence: two expressions are equal in symbols, or else in value (challenge-pack d.3)."""

from packs.formats.kinds import Settings
from runs.grading.graders.comparison import by_settings
from runs.grading.graders.contract import Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.mathematics import BadExpression, Expression, canonical, evaluate, parse, plain_notation


def _read(text: str, delimiter: str) -> Expression:
    if delimiter:
        text = text.rpartition(delimiter)[2]
    return parse(plain_notation(text))


def compare(actual: str, expected: str, settings: Settings) -> Judgement:
    delimiter = settings["answer_delimiter"] if settings["extract_answer"] else ""
    is_symbolic = settings["comparison_mode"] != "numeric"
    try:
        wanted = _read(expected, delimiter)
    except BadExpression as error:
        return pack_error(f"the expected value is not an expression: {error}")
    try:
        found = _read(actual, delimiter)
    except BadExpression as error:
        return evaluator_error(f"the value is not an expression: {error}")
    if is_symbolic and _are_same(found, wanted):
        return decided(True, mode="symbolic")
    if is_symbolic and not settings["numeric_fallback"]:
        return decided(False, "the expressions differ in symbols", mode="symbolic")
    return _compare_values(found, wanted, settings)


def _are_same(found: Expression, wanted: Expression) -> bool:
    """Whether two expressions are equal in symbols; where numbers are too long to be folded, as they are written."""
    try:
        return canonical(found) == canonical(wanted)
    except BadExpression:
        return found == wanted


def _compare_values(found: Expression, wanted: Expression, settings: Settings) -> Judgement:
    try:
        left, right = evaluate(found), evaluate(wanted)
    except BadExpression as error:
        if settings["comparison_mode"] != "numeric":
            return decided(False, "the expressions differ in symbols", mode="symbolic")
        return evaluator_error(f"the expressions cannot be compared as numbers: {error}")
    reason = f"{left:.10g} and {right:.10g} differ by more than {settings['tolerance']:.10g}"
    return decided(abs(left - right) <= settings["tolerance"], reason, mode="numeric", values=[str(left), str(right)])


grade = by_settings(compare)
