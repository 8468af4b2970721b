"""Answers that a text offers to choose from are no leaks."""

import pytest

from packs.formats.offering import alternatives, is_offered


@pytest.mark.parametrize(
    ("text", "answer", "offered"),
    [
        ("Rate it as low, medium or high: the server is down.", "high", ["low", "medium", "high"]),
        ('Answer with "true" or "false".', "true", ["true", "false"]),
        ("Choose one of: red, green, blue.", "green", ["red", "green", "blue"]),
        ("Category (bug|feature|question)", "bug", ["bug", "feature", "question"]),
        ("Choose a label:\n- billing: money\n- outage: it is down\n", "outage", ["billing", "outage"]),
        ("Was it not found or gone?", "not found", ["not found", "gone"]),
    ],
)
def test_an_answer_among_others_is_offered(text, answer, offered):
    assert [item for item in alternatives(text, answer) if item in offered] == offered
    assert is_offered(text, answer)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The ship, the crew and the captain were lost.", "crew"),
        ("It is heliotrope. Is it heliotrope or rose?", "heliotrope"),
        ("Which one is it?", "rose"),
    ],
)
def test_an_answer_that_also_stands_elsewhere_is_not(text, answer):
    assert not is_offered(text, answer)
