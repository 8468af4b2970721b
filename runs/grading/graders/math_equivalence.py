"""math_equivalence: two expressions are equal in symbols, or else in value (challenge-pack d.3)."""

from dataclasses import dataclass

from packs.formats.task import GraderSpec
from runs.grading.graders.comparison import grade_pair
from runs.grading.graders.contract import Grade, Judgement, decided, evaluator_error, pack_error
from runs.grading.graders.evidence import Evidence
from runs.grading.graders.mathematics import BadExpression, Expression, canonical, evaluate, parse, plain_notation
from runs.grading.graders.settings import Settings
from runs.grading.graders.texts import trim

SETTINGS = ("extract_answer", "answer_delimiter", "comparison_mode", "numeric_fallback", "tolerance")


@dataclass(frozen=True, slots=True)
class Options:
    """How to compare; `delimiter` is empty when the whole text is the answer."""

    delimiter: str
    is_symbolic: bool
    is_numeric: bool
    tolerance: float


def read_options(settings: Settings) -> Options:
    """Raises BadSettings."""
    delimiter = trim(settings.text("answer_delimiter")) or "####"
    mode = settings.choice("comparison_mode", "symbolic", "numeric")
    tolerance = settings.number("tolerance")
    return Options(
        delimiter=delimiter if settings.flag("extract_answer") else "",
        is_symbolic=mode == "symbolic",
        is_numeric=mode == "numeric" or settings.flag("numeric_fallback", default=True),
        tolerance=1e-6 if tolerance is None else tolerance,
    )


def _read(text: str, delimiter: str) -> Expression:
    if delimiter:
        text = text.rpartition(delimiter)[2]
    return parse(plain_notation(text))


def compare(actual: str, expected: str, options: Options) -> Judgement:
    try:
        wanted = _read(expected, options.delimiter)
    except BadExpression as error:
        return pack_error(f"the expected value is not an expression: {error}")
    try:
        found = _read(actual, options.delimiter)
    except BadExpression as error:
        return evaluator_error(f"the value is not an expression: {error}")
    if options.is_symbolic and _are_same(found, wanted):
        return decided(True, mode="symbolic")
    if not options.is_numeric:
        return decided(False, "the expressions differ in symbols", mode="symbolic")
    return _compare_values(found, wanted, options)


def _are_same(found: Expression, wanted: Expression) -> bool:
    """Whether two expressions are equal in symbols; where numbers are too long to be folded, as they are written."""
    try:
        return canonical(found) == canonical(wanted)
    except BadExpression:
        return found == wanted


def _compare_values(found: Expression, wanted: Expression, options: Options) -> Judgement:
    try:
        left, right = evaluate(found), evaluate(wanted)
    except BadExpression as error:
        if options.is_symbolic:
            return decided(False, "the expressions differ in symbols", mode="symbolic")
        return evaluator_error(f"the expressions cannot be compared as numbers: {error}")
    reason = f"{left:.10g} and {right:.10g} differ by more than {options.tolerance:.10g}"
    return decided(abs(left - right) <= options.tolerance, reason, mode="numeric", values=[str(left), str(right)])


def grade(spec: GraderSpec, evidence: Evidence) -> Grade:
    return grade_pair(spec, evidence, lambda a, b: compare(a, b, read_options(Settings(spec.config, SETTINGS))))
