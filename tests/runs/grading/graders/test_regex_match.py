import pytest

from tests.runs.grading.graders.grading import graded, outcome


def test_it_searches_anywhere():
    assert outcome(graded("regex_match", "order PX-100 ok", "PX-[0-9]+")) == "pass"
    assert outcome(graded("regex_match", "order PX-100 ok", "^PX")) == "fail"


@pytest.mark.parametrize("pattern", ["(", "a(?=b)", r"(a)\1", "x{5000}", "a" * 20_000, "\ud800"])
def test_a_pattern_that_re2_refuses_is_the_authors_mistake(pattern):
    assert outcome(graded("regex_match", "ab", pattern)) == "pack_error"


def test_a_pattern_that_other_engines_hang_on_is_quick():
    assert outcome(graded("regex_match", "a" * 200_000 + "!", "^(a+)+$")) == "fail"
