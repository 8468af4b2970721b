"""Rules about the configuration of task suites that no vector of the corpus has."""

import pytest

from packs.formats.task_suite.checks.config import check_config


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
