from dataclasses import replace

from packs.formats.challenge_pack import case_from_failure, starter
from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.formats.failure import Failure
from packs.formats.index import TreeIndex

FAILURE = Failure(facts={"trial": 1}, request="Where is it?", expected=("Leeds", "Hub 4"), challenge_key="other")


def texts(parts):
    return {part["key"]: part["value"] for part in parts}


def test_inputs_have_the_names_that_the_instructions_ask_for():
    case = case_from_failure(TreeIndex(starter("numbat", "Numbat")), FAILURE)
    assert texts(case["inputs"]) == {"question": "Where is it?"}
    assert case["challenge_key"] == "challenge-1"


def test_expectations_have_the_names_that_the_checks_ask_for():
    case = case_from_failure(TreeIndex(starter("numbat", "Numbat")), FAILURE)
    assert texts(case["expectations"]) == {"answer": "Leeds\nHub 4"}


def test_what_must_not_happen_again_is_told_to_judges_once():
    pack = starter("numbat", "Numbat")
    first = case_from_failure(TreeIndex(pack), replace(FAILURE, forbidden=("Guess",)))
    again = replace(FAILURE, forbidden=("Lie",), format="challenge_pack", case=first, challenge_key="challenge-1")
    case = case_from_failure(TreeIndex(pack), again)
    assert texts(case["expectations"]) == {"answer": "Leeds\nHub 4", "must_not": "Lie"}


def test_provenance_is_a_field_that_the_format_knows():
    case = case_from_failure(TreeIndex(starter("numbat", "Numbat")), FAILURE)
    assert set(case) <= set(SCHEMA[NodeKind.CASE]["properties"])
