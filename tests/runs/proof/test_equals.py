"""Equal answers say what the reference says, in another way."""

import json

from runs.proof.equals import equals_of
from runs.proof.probes import Code, Expect


def texts(reference, **more):
    return {probe.name: probe.work.text for probe in equals_of(reference, **more)}


def test_json_is_written_with_other_spacing_and_another_order_and_says_the_same():
    value = {"a": 1, "b": {"c": [1, 2], "d": None}}
    found = texts(json.dumps(value))
    fenced = found.pop("the JSON in a code fence")
    assert fenced.startswith("```json\n")
    assert all(json.loads(text) == value for text in found.values())
    orders = {tuple(json.loads(text)) for text in found.values()}
    assert orders == {("a", "b"), ("b", "a")}


def test_a_number_has_one_more_zero():
    assert texts("24")["the number with one more zero behind its point"] == "24.0"
    assert texts("2.5")["the number with one more zero behind its point"] == "2.50"


def test_words_have_a_full_stop_or_lose_it():
    assert texts("the Leeds hub")["a full stop at the end"] == "the Leeds hub."
    prose = "It is at the hub, which is in Leeds, and it leaves on Friday."
    assert texts(prose)["no full stop at the end"] == prose[:-1]


def test_where_one_way_is_asked_for_only_json_decides():
    assert [probe.decides for probe in equals_of("24", is_exact=True)] == [False]
    probes = list(equals_of('{"a": 1, "b": 2}', is_exact=True))
    assert [probe.decides for probe in probes] == [False, True, True, True]


def test_a_patch_is_left_as_it_is():
    assert texts("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n") == {}


def test_every_equal_answer_is_to_pass_and_counts():
    for probe in equals_of("the Leeds hub"):
        assert (probe.expect, probe.code, probe.counts) == (Expect.PASS, Code.REFUSES_EQUAL, True)
