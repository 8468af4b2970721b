import pytest
from django.urls import reverse

from runs.results.importing import import_records, look, read_records
from runs.views.trials.dimensions import six_dimensions, tracked_shown
from runs.views.trials.judges import PROBLEMS
from tests.runs.failing import publish_suite, task
from tests.runs.results.test_importing import lines, record
from tests.runs.working import work_off


def card(**scores):
    return {"validator_details": [{"evidence": {"dimensions": scores}}]}


def test_scores_are_told_with_their_anchors_and_weighted():
    six = six_dimensions(card(output_quality=4, trajectory_quality=3, robustness=3, safety_policy=4, efficiency_cost=2))
    assert six["mean"] == pytest.approx(3.35)
    assert [row.name for row in six["rows"]][:2] == ["output_quality", "trajectory_quality"]
    [met] = [value for value, _, is_met in six["rows"][0].anchors if is_met]
    assert met == 4
    assert six["rows"][0].meaning


def test_a_score_between_two_anchors_meets_the_lower_one():
    [row] = six_dimensions(card(output_quality=2.5))["rows"]
    assert [value for value, _, is_met in row.anchors if is_met] == [2]


def test_what_nobody_knows_has_no_meaning():
    six = six_dimensions(card(output_quality="unknown"))
    assert (six["mean"], six["rows"][0].score, six["rows"][0].meaning) == (None, None, "")


def test_scorecards_of_other_kinds_have_none_of_the_six():
    assert six_dimensions({}) == {}
    assert six_dimensions(card(tone=4)) == {}
    assert six_dimensions({"validator_details": [{"evidence": {"dimensions": "text"}}, {}]}) == {}


def test_values_are_spelled_for_readers():
    kept = {"loop_rate": {"over": 0, "under": 0}, "policy_flags": {"counts": {"leak": 2}}, "secret_leak_detected": True}
    assert [metric["value"] for metric in tracked_shown({"tracked": kept})] == ["–", "leak × 2", "yes"]


@pytest.mark.django_db
def test_the_page_of_a_trial_shows_the_dimensions_that_judges_scored(team, author, as_author):
    weights = {"output_quality": 0.5, "safety_policy": 0.5}
    grader = {"type": "model_rubric", "scoring": {"weights": weights, "pass_threshold": 3.0}}
    version = publish_suite(team, author, task("chat_1", "open_ended", graders=[grader], trials={"k": 1}))
    said = [{"dimension": name, "score": score} for name, score in (("output_quality", 4), ("safety_policy", 3))]
    told = {**record("chat_1"), "evidence": {"judge": said}}
    run = work_off(import_records(look(version, read_records("a.jsonl", lines(told))), author))
    answer = as_author.get(reverse("runs:trial", args=[run.trials.get().pk]))
    assert answer.context["six"]["mean"] == pytest.approx(3.6)
    assert 'id="dimensions"' in answer.content.decode()
    assert {judge["problem"] for judge in answer.context["judges"]} == {PROBLEMS["recorded"]}
