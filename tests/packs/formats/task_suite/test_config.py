"""Rules about the configuration of task suites that no vector of the corpus has."""

import pytest

from packs.formats.task_suite.checks.config import check_config


@pytest.mark.parametrize(
    ("k", "wanted"),
    [
        (0, "at least 1"),
        (1.5, "at least 1"),
        ("2", "at least 1"),
        (1e30, "at most 9,007,199,254,740,992"),
        (2**53 + 1, "at most 9,007,199,254,740,992"),
    ],
)
def test_a_number_that_is_too_large_is_not_called_too_small(k, wanted):
    suites = {"golden": {"path": "evals/golden", "default_trials": {"k": k}}}
    (found,) = check_config({"suites": suites, "gates": {}})
    assert (found.path[-1], found.message) == ("k", f"k must be a whole number of {wanted}.")


@pytest.mark.parametrize(
    ("gate", "place"),
    [
        ({}, None),
        ({"baseline": {"policy": "last_release"}, "blocking": False}, None),
        ({"baseline": {"policy": "newest"}}, ("baseline", "policy")),
        ({"baseline": "newest"}, ("baseline",)),
        ({"blocking": "yes"}, ("blocking",)),
    ],
)
def test_a_gate_says_what_it_is_compared_with_and_whether_it_blocks(gate, place):
    found = list(check_config({"suites": {}, "gates": {"nightly": gate}}))
    assert [finding.path for finding in found] == ([("gates", "nightly", *place)] if place else [])
