from runs.grading.judges.judgements import Judgement, judgements_of


def judge(key, score=None, mode="rubric", **call):
    document = {"judge_key": key, "mode": mode, "payload": {"calls": [{"model": "small", **call}]}}
    return document if score is None else {**document, "normalized_score": score}


def test_a_judge_of_its_own_passes_from_the_middle_of_its_scale():
    card = {"llm_judge_details": [judge("tone", 0.5), judge("facts", 0.4, answered_model="small-2"), judge("silent")]}
    assert list(judgements_of(card)) == [
        Judgement("tone", True, 0.5, ("small",)),
        Judgement("facts", False, 0.4, ("small-2",)),
    ]


def test_a_grader_that_asks_judges_has_the_verdict_of_its_pack():
    grade = {"key": "kind", "type": "suite.model_rubric", "verdict": "fail", "normalized_score": 0.6}
    card = {
        "validator_details": [grade, {"key": "text", "type": "exact_match", "verdict": "pass"}],
        "llm_judge_details": [judge("kind/tone", 0.9), judge("kind/assertion 1", 0.3)],
    }
    assert list(judgements_of(card)) == [Judgement("kind", False, 0.6, ("small",))]


def test_ranks_and_graders_without_a_verdict_say_nothing():
    card = {
        "validator_details": [{"key": "kind", "type": "agentv.llm-grader", "state": "unavailable"}],
        "llm_judge_details": [judge("best", 1.0, "n_wise")],
    }
    assert list(judgements_of(card)) == []
    assert list(judgements_of({})) == []
