"""Rules about the configuration of task suites that no vector of the corpus has."""

import pytest

from packs.formats.task_suite.checks.config import check_config
from packs.formats.task_suite.checks.structure import CONFIGURATION


def found_in(config):
    return list(CONFIGURATION.with_rules(config, check_config(config)))


@pytest.mark.parametrize(
    ("k", "wanted"),
    [
        (0, "at least 1"),
        (1.5, "a whole number"),
        ("2", "a whole number"),
        (1e30, "at most 9007199254740992"),
        (2**53 + 1, "at most 9007199254740992"),
    ],
)
def test_a_number_that_is_too_large_is_not_called_too_small(k, wanted):
    suites = {"golden": {"path": "evals/golden", "default_trials": {"k": k}}}
    (found,) = found_in({"suites": suites, "gates": {}})
    assert (found.path[-1], found.message) == ("k", f"k must be {wanted}.")


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
    found = found_in({"suites": {}, "gates": {"nightly": gate}})
    assert [finding.path for finding in found] == ([("gates", "nightly", *place)] if place else [])
