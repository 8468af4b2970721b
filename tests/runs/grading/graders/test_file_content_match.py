import pytest

from tests.runs.grading.graders.grading import file_captured, graded_on, outcome


def matched(content, expected, **config):
    return outcome(
        graded_on("file_content_match", [file_captured(content)], "file:f", f"literal:{expected}", config=config)
    )


@pytest.mark.parametrize(
    ("content", "expected", "config", "verdict"),
    [
        ("line one\nline two", "line two", {}, "pass"),
        ("a\n", "a", {"match_mode": "exact"}, "fail"),
        ("a  \n b", "a b", {"match_mode": "exact", "ignore_whitespace": True}, "pass"),
        ("def add(a, b):", r"def \w+\(", {"match_mode": "regex"}, "pass"),
        ("clean", "TODO", {"match_mode": "not_contains"}, "pass"),
        ('{"b":1,"a":[1,2]}', '{"a":[1,2.0],"b":1.0}', {"match_mode": "json_equal"}, "pass"),
        ("[1]", "[true]", {"match_mode": "json_equal"}, "fail"),
        ("{", "{}", {"match_mode": "json_equal"}, "evaluator_error"),
        ("{}", "{", {"match_mode": "json_equal"}, "pack_error"),
        ("a", "(", {"match_mode": "regex"}, "pack_error"),
        ("a", "a", {"match_mode": "glob"}, "pack_error"),
        (None, "a", {}, "unavailable"),
    ],
)
def test_each_mode_compares_in_its_way(content, expected, config, verdict):
    assert matched(content, expected, **config) == verdict
