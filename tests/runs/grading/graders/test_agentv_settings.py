"""What settings of AgentV's assertions mean at their edges."""

import pytest

from tests.runs.grading.graders.test_agentv import call, graded


@pytest.mark.parametrize(
    ("names", "score"),
    [
        ((), 0.0),
        (("grep", "write_file"), 1.0),
        (("grep", "grep", "write_file", "write_file", "write_file"), 1.0),
        (("write_file",) * 3, 0.0),
        (("grep",) * 3, 0.0),
    ],
)
def test_the_share_of_calls_that_explore_is_near_what_is_wanted(names, score):
    limits = {"type": "execution-metrics", "target_exploration_ratio": 0.5, "exploration_tolerance": 0.1}
    assert graded(limits, *(call(name) for name in names)).score == score


@pytest.mark.parametrize("path", [None, "", "  ", 3])
def test_a_composite_whose_aggregator_names_no_program_fails_and_says_so(path):
    members = [{"name": "b", "type": "contains", "value": "hub"}]
    composite = {"type": "composite", "assertions": members, "aggregator": {"type": "code-grader", "path": path}}
    found = graded(composite)
    assert (found.score, found.raw["row"]["checks"][0]["text"]) == (0.0, "its aggregator has no path")
