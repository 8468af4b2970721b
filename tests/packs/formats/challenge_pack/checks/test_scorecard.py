import pytest

from packs.formats.challenge_pack.checks.judges import judge_keys
from packs.formats.challenge_pack.checks.scorecard import dimensions
from tests.packs.formats.challenge_pack.samples import found_in

SPEC = "version.evaluation_spec."


def pack(**spec):
    return {"version": {"evaluation_spec": {"judge_mode": "hybrid", **spec}}}


def fields(place, **spec):
    found = found_in(pack(**spec), f"{SPEC}{place}")
    return [(rule, field.removeprefix(SPEC)) for rule, field in found]


def dimension_faults(dimension, **spec):
    found = fields("scorecard.dimensions[0]", scorecard={"dimensions": [dimension]}, **spec)
    return [(rule, field.removeprefix("scorecard.dimensions[0]")) for rule, field in found]


def test_a_built_in_dimension_is_written_out_with_its_source_and_direction():
    spec = {"scorecard": {"dimensions": ["correctness", {"key": " latency "}, "cost", "own"]}}
    assert [(d.get("source"), d.get("better_direction")) for _, d in dimensions(spec)] == [
        ("validators", "higher"),
        ("latency", "lower"),
        ("cost", "lower"),
        (None, None),
    ]


def test_a_built_in_dimension_takes_the_shared_normalization_and_the_budget_as_its_maximum():
    spec = {
        "runtime_limits": {"max_duration_ms": 5000, "max_cost_usd": 2},
        "scorecard": {
            "dimensions": ["latency", "cost"],
            "normalization": {"latency": {"target_ms": 100}, "cost": {"target_usd": 0.1, "max_usd": 1}},
        },
    }
    assert [dimension["normalization"] for _, dimension in dimensions(spec)] == [
        {"target": 100, "max": 5000},
        {"target": 0.1, "max": 1},
    ]


def test_the_budget_alone_is_no_normalization():
    limits = {"max_duration_ms": 5000}
    assert dimension_faults("latency", runtime_limits=limits) == [("G7", ".normalization")]


def test_a_stated_source_is_not_replaced_by_that_of_the_key():
    assert dimension_faults({"key": "latency", "source": "validators"}) == []


def test_the_faults_beside_a_missing_key_or_source_are_reported_too():
    assert dimension_faults({"key": "own", "weight": -1}) == [("G14", ".weight"), ("G4", ".source")]


@pytest.mark.parametrize("source", ["validators", "reliability", "llm_judge", "behavioral"])
def test_a_score_that_is_a_quality_is_never_better_when_lower(source):
    found = dimension_faults({"key": "d", "source": source, "better_direction": "lower", "judge_key": ""})
    assert ("G11", ".better_direction") in found


def test_human_preference_asks_for_nothing_more():
    assert dimension_faults({"key": "people", "source": "human_preference"}) == []


def test_a_gate_wants_a_threshold_and_zero_is_one():
    assert dimension_faults({"key": "d", "source": "validators", "gate": True}) == [("G15", ".pass_threshold")]
    assert dimension_faults({"key": "d", "source": "validators", "gate": True, "pass_threshold": 0}) == []


def test_a_binary_scorecard_wants_a_threshold_of_every_dimension():
    card = {"strategy": "binary", "dimensions": ["correctness", "reliability"]}
    assert fields("scorecard", scorecard=card) == [
        ("G15", "scorecard.dimensions[0].pass_threshold"),
        ("G15", "scorecard.dimensions[1].pass_threshold"),
    ]


def test_a_validator_is_named_as_it_is_written():
    validators = [{"key": " a "}]
    named = {"key": "d", "source": "validators", "validators": ["a", " a "]}
    assert dimension_faults(named, validators=validators) == [("G5", ".validators[1]")]


def test_a_judge_whose_key_is_taken_cannot_be_scored():
    judges = [{"key": "v"}, {"key": " j ", "mode": "no mode"}, {"key": "j"}, {"key": ""}]
    spec = {"validators": [{"key": "v"}], "metrics": [{"key": "m"}], "llm_judges": judges}
    assert judge_keys(spec) == {"j"}
    assert dimension_faults({"key": "d", "source": "llm_judge", "judge_key": "v"}, **spec) == [("G12", ".judge_key")]
    assert dimension_faults({"key": "d", "source": "llm_judge", "judge_key": " j"}, **spec) == []


def test_a_behavioural_dimension_without_signals_is_told_at_the_block():
    card = {"dimensions": [{"key": "own", "source": "behavioral"}]}
    assert fields("behavioral", scorecard=card) == [("H7", "behavioral")]


def judge_faults(**judge):
    judge = {"key": "j", "mode": "rubric", "rubric": "R", "model": "gpt-5", **judge}
    found = fields("llm_judges", llm_judges=[judge])
    return [(rule, field.removeprefix("llm_judges[0].")) for rule, field in found]


@pytest.mark.parametrize("model", ["Claude-x", "GPT-5", "o1", "o3-mini", "o4", "text-embedding-3", "GROK-2", "any/one"])
def test_a_model_that_tells_its_provider_is_accepted(model):
    assert judge_faults(model=model) == []


@pytest.mark.parametrize("model", ["llama3", "claude", "mistral", "o2", "my-gpt-5"])
def test_any_other_model_is_refused(model):
    assert judge_faults(model=model) == [("J5", "model")]


@pytest.mark.parametrize(
    ("mode", "unfit"),
    [
        ("rubric", {"majority_vote"}),
        ("n_wise", {"majority_vote"}),
        ("reference", {"majority_vote"}),
        ("assertion", {"median", "mean"}),
    ],
)
def test_an_aggregation_fits_the_kind_of_answer(mode, unfit):
    texts = {"assertion": "A", "prompt": "P", "reference_from": "final_output"}
    found = {
        aggregation
        for aggregation in ("median", "mean", "majority_vote", "unanimous")
        if judge_faults(mode=mode, **texts, model="", models=["gpt-5", "o1"], consensus={"aggregation": aggregation})
    }
    assert found == unfit


@pytest.mark.parametrize(("stated", "is_right"), [(-0.01, False), (0, True), (0.5, True), (1.0, True), (1.01, False)])
def test_agreement_is_a_share_of_one(stated, is_right):
    consensus = {"aggregation": "mean", "min_agreement_threshold": stated}
    found = judge_faults(model="", models=["gpt-5", "o1"], consensus=consensus)
    assert found == ([] if is_right else [("J8", "consensus.min_agreement_threshold")])


@pytest.mark.parametrize("text", ["${secrets.A}", "${ secrets.A }", "${secrets .A}"])
def test_a_secret_in_a_text_is_refused_even_where_the_mode_does_not_use_the_text(text):
    assert judge_faults(prompt=text) == [("J11", "prompt")]


def test_one_model_in_the_list_of_models_is_no_several():
    assert judge_faults(model="", models=["gpt-5"]) == []
    assert judge_faults(model="", models=["gpt-5"], consensus={"aggregation": "mean"}) == [("J7", "consensus")]


def test_a_scale_with_one_end_counts_the_other_as_zero():
    assert judge_faults(score_scale={"max": 5}) == []
    assert judge_faults(score_scale={"min": 1}) == [("J12", "score_scale")]
