"""Two texts line against line."""

from runs.statistics.comparing.lines import MAX_LINES, difference


def told(before, after):
    return [(line.kind, line.text) for line in difference(before, after).lines]


def test_changed_lines_stand_with_the_lines_around():
    before = "\n".join(f"line {number}" for number in range(20))
    assert told(before, before.replace("line 10", "tenth")) == [
        ("skipped", "7"),
        *(("same", f"line {number}") for number in (7, 8, 9)),
        ("removed", "line 10"),
        ("added", "tenth"),
        *(("same", f"line {number}") for number in (11, 12, 13)),
        ("skipped", "6"),
    ]


def test_equal_texts_have_no_difference():
    found = difference("a\nb", "a\nb")
    assert not found.lines
    assert not found.is_cut


def test_one_side_may_be_empty():
    assert told("", "a") == [("added", "a")]
    assert told("a", "") == [("removed", "a")]


def test_what_lies_between_two_changes_is_said():
    before = [str(number) for number in range(30)]
    after = ["first", *before[1:29], "last"]
    kinds = [line for line in told("\n".join(before), "\n".join(after)) if line[0] == "skipped"]
    assert kinds == [("skipped", "22")]


def test_long_texts_are_cut_and_say_so():
    same = "\n".join(["same"] * MAX_LINES)
    found = difference(f"{same}\na", f"{same}\nb")
    assert found.is_cut
    assert not found.lines
    (removed, added) = difference("x" * 5000, "y" * 5000).lines
    assert (len(removed.text), len(added.text)) == (1000, 1000)
