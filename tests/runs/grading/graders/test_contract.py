from runs.grading.graders.contract import (
    Outcome,
    Source,
    State,
    decided,
    evaluator_error,
    infra_error,
    pack_error,
    unavailable,
)


def test_a_decision_is_worth_one_or_zero_unless_it_has_a_score_of_its_own():
    assert decided(True, "unused").score == 1
    assert (decided(True, "unused").reason, decided(False, "why").reason) == ("", "why")
    assert decided(False, score=0.7).score == 0.7


def test_what_cannot_be_judged_has_no_score_and_is_no_fail():
    for judgement in (unavailable("x"), pack_error("x"), evaluator_error("x"), infra_error("x")):
        assert judgement.score is None
        assert judgement.outcome not in (Outcome.PASS, Outcome.FAIL)
        assert judgement.state is not State.AVAILABLE


def test_a_source_leaves_out_what_it_does_not_know():
    assert Source("run_event", 3).as_dict() == {"kind": "run_event", "sequence": 3}
