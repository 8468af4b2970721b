from packs.formats.comparing import Act, FieldChange, Run
from packs.views.changes.shown import AROUND, MAX_RUN, cut, runs_of, shortened


def test_long_texts_are_shown_by_their_changes():
    same = "word " * 500
    found = runs_of(FieldChange(Act.CHANGED, ("a",), "a", f"{same}old {same}", f"{same}new {same}"))
    assert [run.act for run in found] == [None, Act.REMOVED, Act.ADDED, None]
    assert all(len(run.text) < AROUND + 10 for run in found)
    assert found[0].text.startswith(" … ")
    assert found[-1].text.endswith(" … ")


def test_short_texts_stay_whole():
    runs = [Run("a" * AROUND), Run("b", Act.ADDED)]
    assert shortened(runs) == runs


def test_very_long_new_texts_are_cut_and_say_so():
    (run,) = runs_of(FieldChange(Act.ADDED, ("a",), "a", None, "x" * (MAX_RUN + 5)))
    assert run.text == cut("x" * (MAX_RUN + 5), MAX_RUN)
    assert run.text.endswith("(5 characters more)")


def test_values_of_other_types_are_shown_as_json():
    assert runs_of(FieldChange(Act.CHANGED, ("a",), "a", None, {"b": 1})) == [
        Run("null", Act.REMOVED),
        Run('{\n  "b": 1\n}', Act.ADDED),
    ]


def test_a_move_says_from_where_to_where():
    assert runs_of(FieldChange(Act.MOVED, ("a", 2), "a[x]", 0, 2)) == [Run("From place 1 to 3")]
