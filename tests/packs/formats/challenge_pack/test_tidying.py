import pytest

from packs.formats.challenge_pack.shapes import SHAPES
from packs.formats.challenge_pack.tidying import Tidying, tidied
from packs.formats.document import NodeKind

PACK, CASE = SHAPES[NodeKind.PACK], SHAPES[NodeKind.CASE]


def sandbox(value):
    return tidied(PACK, {"version": {"sandbox": value}})["version"]["sandbox"]


@pytest.mark.parametrize(("word", "value"), [("yes", True), ("on", True), ("y", True), ("no", False), ("off", False)])
def test_typed_booleans_take_words(word, value):
    assert sandbox({"network_access": word}) == {"network_access": value}


@pytest.mark.parametrize("word", ["YES", "maybe", "true "])
def test_other_words_stay_what_they_are(word):
    assert sandbox({"network_access": word}) == {"network_access": word}


def test_the_evaluation_spec_takes_no_words_for_booleans():
    spec = {"evaluation_spec": {"scorecard": {"dimensions": [{"key": "d", "gate": "yes"}]}}}
    assert tidied(PACK, {"version": spec}) == {"version": spec}


def test_a_fraction_is_cut_off_and_told():
    tidying = Tidying()
    assert tidying.tidy(PACK, {"version": {"number": 2.9}}) == {"version": {"number": 2}}
    assert [(finding.path, finding.severity) for finding in tidying.findings] == [(("version", "number"), "warning")]


def test_a_fraction_that_is_none_is_not_told():
    tidying = Tidying()
    assert tidying.tidy(PACK, {"version": {"number": 2.0}})["version"]["number"] == 2
    assert tidying.findings == []


def test_a_quoted_number_is_no_number():
    assert tidied(PACK, {"version": {"number": "7"}}) == {"version": {"number": "7"}}


def test_what_stands_for_absent_goes_and_free_form_values_stay():
    case = {
        "case_key": "k",
        "payload": {"empty": [], "nothing": None, "no": False},
        "inputs": [],
        "expectations": [{"key": "e", "kind": "text", "value": None, "source": ""}],
        "assets": None,
        "case_timeout_seconds": 0,
    }
    assert tidied(CASE, case) == {
        "case_key": "k",
        "payload": {"empty": [], "nothing": None, "no": False},
        "expectations": [{"key": "e", "kind": "text"}],
    }


@pytest.mark.parametrize("value", [0, False, "", [], {}])
def test_an_inline_value_is_kept_even_when_it_is_empty(value):
    case = {"inputs": [{"key": "a", "kind": "text", "value": value}]}
    assert tidied(CASE, case) == case


def test_an_emptied_block_of_deployment_defaults_goes_whole():
    assert tidied(PACK, {"version": {"number": 1, "deployment_defaults": {"aliases": {}, "lineups": {}}}}) == {
        "version": {"number": 1}
    }


def test_unknown_keys_and_white_space_stay():
    case = {"case_key": " k ", "own": None, "other": {}}
    assert tidied(CASE, case) == case


def test_null_entries_of_lists_are_left_out_and_those_of_the_evaluation_spec_count_as_empty_ones():
    assert tidied(CASE, {"inputs": [None, {"key": "a"}]}) == {"inputs": [{"key": "a"}]}
    spec = {"version": {"evaluation_spec": {"validators": [None]}}}
    assert tidied(PACK, spec) == {"version": {"evaluation_spec": {"validators": [{}]}}}


def test_tidying_twice_changes_nothing_more():
    once = tidied(CASE, {"inputs": [{"key": "", "kind": "a", "path": ""}], "artifacts": [], "payload": {}})
    assert tidied(CASE, once) == once
