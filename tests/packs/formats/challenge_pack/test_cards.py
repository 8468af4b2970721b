import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.challenge_pack.cards import card

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def document(scorecard, **spec):
    return {"version": {"evaluation_spec": {"scorecard": scorecard, **spec}}}


def only_dimension(dimension, **scorecard):
    return card(document({"dimensions": [dimension], **scorecard})).dimensions[0]


@given(ANYTHING, ANYTHING, ANYTHING)
def test_a_broken_draft_has_a_card_too(pack, dimension, scorecard):
    card({"pack": pack, "version": pack})
    card(document(scorecard))
    card(document({"dimensions": [dimension, {"key": dimension, "source": "metric", "normalization": scorecard}]}))


@pytest.mark.parametrize(
    ("dimension", "summary"),
    [
        ({"key": "a", "source": "validators"}, "Mean of all validators"),
        ({"key": "a", "source": "validators", "validators": ["x", "y"]}, "Mean of x, y"),
        ("correctness", "Mean of all validators"),
        ({"key": "a", "source": "llm_judge", "judge_key": "tone"}, "Judge tone"),
        (
            {"key": "a", "source": "metric", "metric": "tokens", "normalization": {"target": 100, "max": 900}},
            "Metric tokens: 1 at 100, 0 at 900",
        ),
        (
            {"key": "latency", "source": "latency", "normalization": {"target": 2000, "max": 8000}},
            "Time: 1 at 2000 ms, 0 at 8000 ms",
        ),
    ],
)
def test_a_dimension_says_what_it_measures(dimension, summary):
    assert only_dimension(dimension).summary == summary


def test_latency_takes_its_range_from_the_scorecard():
    found = only_dimension("latency", normalization={"latency": {"target_ms": 5, "max_ms": 9}})
    assert found.summary == "Time: 1 at 5 ms, 0 at 9 ms"


def test_binary_asks_every_dimension():
    dimensions = [{"key": "a", "pass_threshold": 1}, {"key": "b", "pass_threshold": 0.5}]
    found = card(document({"strategy": "binary", "dimensions": dimensions}))
    assert len(found.criteria) == 2
    assert "0.5" in found.criteria[1]


def test_gates_come_before_the_mean():
    dimensions = [{"key": "safe", "gate": True, "pass_threshold": 1}, {"key": "b"}]
    found = card(document({"strategy": "hybrid", "pass_threshold": 0.7, "dimensions": dimensions}))
    assert "safe" in found.criteria[0]
    assert "0.7" in found.criteria[1]


def test_the_mode_defaults_to_native():
    assert dict(card({}).facts)["Mode"] == dict(card({"version": {"execution_mode": "native"}}).facts)["Mode"]
