"""LLM judges, scored from the replies of models."""

import json
from dataclasses import replace

import pytest

from packs.formats.task import JudgeSpec
from runs.grading.scoring.judges import JudgeReply, judge_ranking, judge_replies, presentation_order
from runs.grading.scoring.judges.consensus import AGGREGATIONS

RUBRIC = JudgeSpec("tone", "rubric", ("m",), "Be kind.")
ASSERTION = JudgeSpec("safe", "assertion", ("m",), "It is safe.")


def replies(*texts, model="m"):
    return [JudgeReply(model, text) for text in texts]


def scored(judge, *texts):
    return judge_replies(judge, replies(*texts)).score


@pytest.mark.parametrize(
    "text",
    [
        '{"score": 4}',
        '  {"score": 4.0, "reasoning": "fine"}\n',
        '```json\n{"score": 4}\n```',
        'I think {this} is good: {"score": 4, "confidence": "high"} - that is all.',
        '{"note": "first"} {"score": 4}',
        '```\n{"score": 4, "why": "a } in a text"}\n``` done',
    ],
)
def test_the_score_is_found_however_the_reply_is_wrapped(text):
    assert scored(RUBRIC, text) == 0.75


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "four out of five",
        '{"score": "4"}',
        '{"score": NaN}',
        '{"score": true}',
        '{"rating": 4}',
        '{"score": 4',
        '{"unable_to_judge": true, "score": 4}',
        "{" * 5_000,
        '{"a":' * 5_000,
    ],
)
def test_a_reply_without_a_usable_score_is_no_vote(text):
    result = judge_replies(RUBRIC, replies(text))
    assert (result.score, result.sample_count) == (None, 1)
    assert result.reason
    assert result.warnings


@pytest.mark.parametrize(("score", "normal"), [(-3, 0), (1, 0), (2, 0.25), (5, 1), (17, 1)])
def test_a_score_is_clamped_and_mapped(score, normal):
    assert scored(RUBRIC, json.dumps({"score": score})) == normal


def test_a_scale_of_its_own_counts():
    judge = JudgeSpec("j", "reference", ("m",), "r", scale_min=-10, scale_max=10)
    assert scored(judge, '{"score": 5}') == 0.75
    assert scored(JudgeSpec("j", "rubric", ("m",), "r", scale_min=2, scale_max=2), '{"score": 2}') is None


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ({"pass": True}, 1),
        ({"pass": False}, 0),
        ({"verdict": "Yes"}, 1),
        ({"verdict": "fail", "pass": True}, 0),
        ({"pass": "no"}, 0),
        ({"verdict": "unclear", "pass": True}, 1),
        ({"verdict": "unclear"}, None),
        ({}, None),
    ],
)
def test_an_assertion_passes_or_fails(reply, score):
    assert scored(ASSERTION, json.dumps(reply)) == score
    turned = JudgeSpec("unsafe", "assertion", ("m",), "It is unsafe.", expect=False)
    assert scored(turned, json.dumps(reply)) == (None if score is None else 1 - score)


def test_samples_are_joined_by_median_and_votes_by_majority_with_ties_passing():
    assert scored(RUBRIC, '{"score": 1}', '{"score": 5}', '{"score": 2}') == 0.25
    assert scored(RUBRIC, '{"score": 1}', '{"score": 2}') == 0.125
    assert scored(ASSERTION, '{"pass": true}', '{"pass": false}') == 1
    assert scored(ASSERTION, '{"pass": true}', '{"pass": false}', '{"pass": false}') == 0


@pytest.mark.parametrize(("aggregate", "score"), [("", 0.75), ("median", 0.75), ("mean", 0.6), ("majority", 1.0)])
def test_samples_are_joined_as_the_judge_says(aggregate, score):
    judge = replace(RUBRIC, aggregate=aggregate)
    assert scored(judge, *(f'{{"score": {given}}}' for given in (5, 1, 5, 2, 4))) == pytest.approx(score)


def by_models(aggregation, *scores, **consensus):
    consensus = {"aggregation": aggregation, **consensus} if aggregation else None
    judge = JudgeSpec("j", "rubric", tuple("abcd"[: len(scores)]), "r", scale_min=0, scale_max=1, consensus=consensus)
    return judge_replies(judge, [JudgeReply(m, json.dumps({"score": s})) for m, s in zip("abcd", scores, strict=False)])


@pytest.mark.parametrize(
    ("aggregation", "scores", "score"),
    [
        ("median", (0.0, 0.25, 1.0), 0.25),
        ("mean", (0.0, 0.25, 0.5), 0.25),
        (None, (0.0, 0.5), 0.25),
        ("majority_vote", (0.0, 1.0), 1),
        ("majority_vote", (0.0, 0.0, 1.0), 0),
        ("unanimous", (0.5, 0.75), 1),
        ("unanimous", (0.25, 1.0), 0),
    ],
)
def test_models_are_joined_by_the_consensus(aggregation, scores, score):
    result = by_models(aggregation, *scores)
    assert (result.score, result.model_count) == (score, len(scores))


def test_every_aggregation_is_covered():
    assert set(AGGREGATIONS) == {"median", "mean", "majority_vote", "unanimous"}


def test_confidence_tells_how_far_scores_lie_apart():
    assert by_models("mean", 0.5, 0.5).confidence == "high"
    assert by_models("mean", 0.5, 0.75).confidence == "medium"
    assert by_models("mean", 0.0, 1.0).confidence == "low"
    assert by_models("mean", 0.5, 0.75, min_agreement_threshold=0.1).confidence == "low"
    assert by_models("mean", 0.5, 0.75, min_agreement_threshold=0).confidence == "medium"
    assert by_models("mean", 0.5, 0.76, min_agreement_threshold=0).confidence == "low"
    assert by_models("mean", 0.0, 1.0, min_agreement_threshold=1.0).confidence == "medium"
    assert judge_replies(RUBRIC, [*replies('{"score": 3}'), JudgeReply("m", error="timeout")]).confidence == "low"


def test_disagreement_is_flagged_where_the_consensus_asks_for_it():
    assert by_models("mean", 0.0, 1.0).warnings == ()
    assert len(by_models("mean", 0.0, 1.0, flag_on_disagreement=True).warnings) == 1
    assert by_models("mean", 0.5, 0.75, flag_on_disagreement=True).warnings == ()
    assert by_models("mean", 0.0, 1.0, flag_on_disagreement=True, min_agreement_threshold=1.0).warnings == ()


def test_variance_needs_two_scores():
    assert judge_replies(RUBRIC, replies('{"score": 3}')).variance is None
    assert judge_replies(RUBRIC, replies('{"score": 1}', '{"score": 5}')).variance == 0.25


def test_the_reason_is_that_of_the_vote_nearest_to_the_result():
    texts = [json.dumps({"score": score, "reasoning": f"it is a {score}"}) for score in (1, 3, 5)]
    assert judge_replies(RUBRIC, replies(*texts)).reason == "it is a 3"


def test_errors_and_an_unasked_judge_leave_no_score():
    failed = judge_replies(RUBRIC, [JudgeReply("m", error="timeout")] * 3)
    assert (failed.score, failed.sample_count) == (None, 3)
    assert "timeout" in failed.reason
    assert judge_replies(RUBRIC, []).score is None


def test_a_reply_that_breaks_the_output_schema_is_no_vote():
    schema = {"type": "object", "required": ["reasoning"]}
    judge = JudgeSpec("j", "rubric", ("m",), "r", output_schema=schema)
    assert scored(judge, '{"score": 5}') is None
    assert scored(judge, '{"score": 5, "reasoning": "good"}') == 1
    broken = JudgeSpec("j", "rubric", ("m",), "r", output_schema={"type": 3})
    assert scored(broken, '{"score": 5}') is None


RANKING = JudgeSpec("best", "n_wise", ("m",), "Who is best?")
AGENTS = ("x", "y", "z")


def ranked(*entries, order=AGENTS):
    return [(JudgeReply("m", json.dumps({"ranking": entries})), order)]


@pytest.mark.parametrize(
    "entries",
    [
        ("C", "A", "B"),
        ("z", "x", "y"),
        ({"label": "C"}, {"label": "A"}, {"label": "B"}),
        ({"agent_label": "A", "rank": 2}, {"agent_label": "C", "rank": 1}, {"agent_label": "B", "rank": 3}),
    ],
)
def test_a_place_is_worth_the_share_of_those_behind_it(entries):
    results = judge_ranking(RANKING, AGENTS, ranked(*entries))
    assert {agent: result.score for agent, result in results.items()} == {"z": 1, "x": 0.5, "y": 0}


def test_labels_stand_for_the_order_that_was_shown():
    shown = ranked("A", "B", "C") + ranked("A", "B", "C", order=("z", "y", "x"))
    assert {agent: result.score for agent, result in judge_ranking(RANKING, AGENTS, shown).items()} == {
        "x": 0.5,
        "y": 0.5,
        "z": 0.5,
    }


@pytest.mark.parametrize("entries", [("A", "B"), ("A", "A", "B"), ("A", "B", "D"), (), (1, 2, 3), ({}, {}, {})])
def test_a_ranking_that_is_not_of_every_candidate_is_no_vote(entries):
    results = judge_ranking(RANKING, AGENTS, ranked(*entries))
    assert [result.score for result in results.values()] == [None] * 3


def test_one_candidate_cannot_be_ranked_and_too_many_have_no_labels():
    assert judge_ranking(RANKING, ("x",), ranked("A"))["x"].score is None
    many = [str(number) for number in range(27)]
    assert judge_ranking(RANKING, many, ranked("A", order=many))["0"].score is None


def test_candidates_are_rotated_or_shuffled_the_same_way_every_time():
    rotating = JudgeSpec("best", "n_wise", ("m",), "?", position_debiasing=True)
    orders = [presentation_order(AGENTS, rotating, sample, "run") for sample in range(3)]
    assert orders == [["x", "y", "z"], ["y", "z", "x"], ["z", "x", "y"]]
    shuffled = [presentation_order(range(9), RANKING, sample, "run") for sample in (0, 0, 1)]
    assert shuffled[0] == shuffled[1] != shuffled[2]
    assert sorted(shuffled[2]) == list(range(9))
