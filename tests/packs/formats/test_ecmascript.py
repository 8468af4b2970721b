"""Patterns of ECMAScript as authors write them."""

import pytest

from packs.formats.ecmascript import MAX_PATTERN_LENGTH, pattern_trouble


@pytest.mark.parametrize("source", [r"^\d+$", r"(?<year>\d{4})\k<year>", r"(?!no)yes", r"(?<=\$)\d", r"[^]"])
def test_patterns_of_javascript_can_be_used(source):
    assert pattern_trouble(source) == ""


@pytest.mark.parametrize("source", ["[", "(", "a{2,1}", "*", "x" * (MAX_PATTERN_LENGTH + 1), "[\ud800"])
def test_what_is_no_pattern_is_told_with_a_reason(source):
    assert pattern_trouble(source)
