"""Changes in the unified form."""

import difflib
import re

from hypothesis import given
from hypothesis import strategies as st

from runs.engine.workspace.unified import unified

NAMES = ("a/file", "b/file")
TEXTS = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=30)
HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")


def applied(old, told):
    """The text that comes out where the changes are made as they say."""
    made, at = [], 0
    for line in told[2:]:
        if found := HUNK.fullmatch(line):
            start, size = int(found[1]), int(found[2] or 1)
            made, at = made + old[at : start - bool(size)], start - bool(size)
            assert len(made) == int(found[3]) - bool(int(found[4] or 1))
            continue
        assert line[0] == "+" or old[at] == line[1:]
        at += line[0] != "+"
        made += [] if line[0] == "-" else [line[1:]]
    return made + old[at:]


@given(TEXTS, TEXTS)
def test_changes_that_are_made_give_the_other_text(old, new):
    told = list(unified(old, new, NAMES))
    assert applied(old, told) == new
    assert bool(told) == (old != new)


def test_the_form_is_that_of_difflib():
    old = [f"line {number}\n" for number in range(40)]
    for new in (old[1:], [*old, "more\n"], [*old[:9], "x\n", *old[12:30], *old[32:]], [], ["new\n"]):
        assert list(unified(old, new, NAMES)) == list(difflib.unified_diff(old, new, *NAMES))
        assert list(unified(new, old, NAMES)) == list(difflib.unified_diff(new, old, *NAMES))


def test_a_change_in_a_long_table_of_few_values_is_told():
    old = [f"{number * number % 499}\n" for number in range(150_000)]
    for places in ([70_000], [70_000, 100_000]):
        new = ["changed\n" if place in places else line for place, line in enumerate(old)]
        told = list(unified(old, new, NAMES))
        changes = [line for line in told[2:] if line[0] in "+-"]
        assert changes == [line for place in places for line in (f"-{old[place]}", "+changed\n")]


def test_tables_of_few_values_that_differ_everywhere_are_one_change():
    old = [f"{number * number % 499}\n" for number in range(40_000)]
    new = ["first\n", *(f"{number * 7 % 499}\n" for number in range(40_000)), "last\n"]
    told = list(unified(old, new, NAMES))
    assert [line for line in told if line.startswith("@@")] == ["@@ -1,40000 +1,40002 @@\n"]
    assert applied(old, told) == new
