from packs.formats.task import Dimension, Metric
from runs.grading.scoring import failed_scorecard
from runs.views.trials.reasons import reasons_left
from tests.runs.grading.scoring.trials import MISSES, by_grader, card

DONE = [("system.run.completed", {"final_output": "y"})]
# These trials have no case.
SCOPE = "0 cases are in scope, so evidence of the case is not available"


def test_what_the_rows_say_is_not_said_again_above_them():
    found = card(
        by_grader("misses", MISSES, gate=True, pass_threshold=0.5),
        Dimension("tone", "llm_judge", judge="tone"),
        pairs=DONE,
        graders=(MISSES,),
        metrics=(Metric("tokens", "numeric", "run_total_tokens", "tokens"),),
    ).as_dict()
    assert found["warnings"]
    assert found["validity_reason"]
    left = reasons_left(found, found["overall_reason"])
    assert left == {"overall": "", "validity": "", "warnings": [SCOPE]}


def test_what_no_row_says_is_left_to_say():
    found = card(by_grader("misses", MISSES, gate=True, pass_threshold=0.5), pairs=DONE).as_dict()
    assert reasons_left(found, "")["overall"] == found["overall_reason"] != ""
    assert reasons_left(found, "")["warnings"] == [SCOPE]
    failed = failed_scorecard(card(by_grader("misses", MISSES)).scoring, "the sandbox is gone").as_dict()
    assert reasons_left(failed, "")["validity"] == "the sandbox is gone"
    assert reasons_left(failed, "the sandbox is gone") == {"overall": "", "validity": "", "warnings": []}
    assert reasons_left({}, "") == {"overall": "", "validity": "", "warnings": []}
