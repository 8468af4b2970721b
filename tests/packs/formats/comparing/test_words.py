from difflib import unified_diff

from hypothesis import given
from hypothesis import strategies as st

from packs.formats.comparing.values import Act
from packs.formats.comparing.words import MAX_WORDS, hunks, runs

texts = st.text("ab \n.", max_size=40)


@given(texts, texts)
def test_the_runs_hold_both_texts_whole(old, new):
    found = runs(old, new)
    assert "".join(run.text for run in found if run.act is not Act.ADDED) == old
    assert "".join(run.text for run in found if run.act is not Act.REMOVED) == new


def test_words_are_told_apart():
    found = [(run.act, run.text) for run in runs("Refund the order.", "Refund the whole order now.")]
    assert found == [
        (None, "Refund the "),
        (Act.ADDED, "whole "),
        (None, "order"),
        (Act.ADDED, " now"),
        (None, "."),
    ]


def test_words_that_are_all_new_are_one_run():
    found = [(run.act, run.text) for run in runs("say one two three", "say four five six")]
    assert found == [(None, "say "), (Act.REMOVED, "one two three"), (Act.ADDED, "four five six")]


def test_very_long_texts_are_compared_line_by_line():
    old = "a b\n" * MAX_WORDS
    (_, last) = runs(old, old + "c d\n")
    assert (last.act, last.text) == (Act.ADDED, "c d\n")


@given(st.lists(st.sampled_from("abcd"), max_size=25), st.lists(st.sampled_from("abcd"), max_size=25))
def test_hunks_agree_with_difflib(old, new):
    ours = [line[0] for hunk in hunks("\n".join(old), "\n".join(new)) for line in (hunk.head, *hunk.lines)]
    theirs = [line[0] for line in list(unified_diff(old or [""], new or [""], lineterm=""))[2:]]
    # Which of equal lines come and go is up to either; how many more come than go is not.
    assert ours.count("+") - ours.count("-") == theirs.count("+") - theirs.count("-")
    assert bool(ours) == bool(theirs)


def test_a_hunk_names_its_lines_as_patches_do():
    (hunk,) = hunks("a\nb\nc\nd\ne", "a\nb\nX\nd\ne\nf")
    assert (hunk.head, hunk.lines) == ("@@ -1,5 +1,6 @@", [" a", " b", "-c", "+X", " d", " e", "+f"])
