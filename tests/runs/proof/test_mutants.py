"""Mutants are wrong: none says what the reference says."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runs.proof.mutants import MOST, file_mutants, mutants_of
from runs.proof.probes import Expect
from runs.proof.shapes import same

KEYS = st.text("xyz", min_size=1, max_size=3)
VALUES = st.recursive(
    st.booleans() | st.integers(-999, 999) | st.text("abc ", max_size=12),
    lambda inner: st.dictionaries(KEYS, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=8,
)


def texts(reference, **more):
    return {probe.name: probe.work.text for probe in mutants_of(reference, **more)}


@given(st.dictionaries(KEYS, VALUES, max_size=4))
def test_no_mutant_of_json_is_equal_to_it(value):
    mutants = list(mutants_of(json.dumps(value)))
    assert len(mutants) <= MOST
    assert all(json.loads(probe.work.text) != value for probe in mutants)


@given(st.integers(-(10**6), 10**6), st.floats(0, 100))
def test_no_mutant_of_a_number_is_equal_to_it_or_differs_by_less_than_the_tolerance_when_off_by_some(value, tolerance):
    found = texts(str(value), tolerance=tolerance)
    assert not any(same(text, str(value)) for text in found.values())
    assert float(found["a number that is too large"]) - value > tolerance


@pytest.mark.parametrize(
    ("reference", "mutant"),
    [
        ("Leeds hub", "not Leeds hub"),
        ("room 7", "room 8"),
        (
            "The parcel is at the hub and leaves by Friday noon.",
            "The parcel is not at the hub and leaves by Friday noon.",
        ),
        ("The parcel cannot leave before the next working day.", "The parcel can leave before the next working day."),
        ("PX-41", "PX-410"),
        ("INV-0099", "INV-0100"),
        ("B", "A"),
        ("Ann beat Bob", "Bob beat Ann"),
        ("Yes", "No"),
        ("true", "false"),
        ("2, 3, 5, 7", "2, 3, 5"),
        ("ledger\nmailer\ngateway", "mailer\ngateway"),
    ],
)
def test_words_are_denied_or_changed(reference, mutant):
    assert mutant in texts(reference).values()


def test_texts_that_may_be_worded_freely_are_left_alone():
    found = texts('{"code": 7, "why": "because the wind was too strong"}')
    assert {json.loads(text).get("why") for text in found.values()} == {"because the wind was too strong"}


def test_names_that_are_only_joined_are_not_swapped():
    assert "Bob and Ann" not in texts("Ann and Bob").values()


def test_lists_and_parts_of_objects_are_left_out_of_json():
    found = [json.loads(text) for text in texts('{"items": [1, 2], "of": {"a": 1}}').values()]
    assert {"items": [1], "of": {"a": 1}} in found
    assert {"items": [1, 2]} in found


def test_a_program_loses_its_end_or_what_it_returns():
    found = texts("def add(a, b):\n    c = a + b\n    return c\n")
    assert found["a program that returns nothing"].endswith("return None\n")
    assert "return" not in found["the program without its second half"]


def test_a_patch_is_turned_round_and_cut_short():
    patch = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"
    found = texts(patch)
    assert found["the patch turned round"].count("+a") == 1
    assert found["the patch without its last part"].endswith("+b\n")
    assert found["the patch without what it changes"] == "--- a/x\n+++ b/x\n"


def test_files_are_left_out_emptied_cut_and_changed():
    probes = list(file_mutants("Done.", {"total.txt": "4130\n", "run.sh": "a\nb\nc\n"}))
    assert all(probe.expect is Expect.REFUSE and probe.work.text == "Done." for probe in probes)
    named = {probe.name: dict(probe.work.files) for probe in probes}
    assert named["`total.txt` left out"] == {"run.sh": "a\nb\nc\n"}
    assert named["`run.sh` empty"]["run.sh"] == ""
    assert named["`run.sh` as comments"]["run.sh"] == "# a\n# b\n# c\n"
    assert named["`run.sh` cut off"]["run.sh"] == "a\nb"
    assert named["`total.txt` with half the number"]["total.txt"] == "2065"
    assert not any(name.startswith("`run.sh` with") for name in named)
