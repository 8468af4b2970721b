from dataclasses import replace

from packs.formats.benchmark_pack import case_from_failure, starter
from packs.formats.failure import Failure
from packs.formats.index import TreeIndex

FAILURE = Failure(facts={"trial": 1}, request="Where is it?", expected=("Leeds",), case_key="hub scan")
LONG = "The parcel waits at the hub because nobody could read its label, and so it was put aside on the second day."


def made(failure):
    return case_from_failure(TreeIndex(starter("numbat", "Numbat")), failure)


def test_a_short_answer_is_asked_for_as_such():
    row = made(FAILURE)
    assert row["id"] == "hub-scan-replay-1"
    assert row["input"] == {"question": "Where is it?"}
    assert row["eval"] == {"accepted_answers": ["Leeds"]}


def test_a_long_answer_is_looked_for_in_a_free_response():
    row = made(replace(FAILURE, expected=(LONG,)))
    assert row["family"] == "free_response"
    assert row["eval"]["rubric"]["accepted_answers"] == [LONG]


def test_facts_for_people_stand_in_the_metadata_beside_those_of_the_author():
    source = {"id": "old", "input": {"question": "?"}, "eval": {}, "metadata": {"level": 2}}
    row = made(replace(FAILURE, format="benchmark_pack", case=source, forbidden=("Guess",)))
    assert row["metadata"]["level"] == 2
    assert row["metadata"]["forbidden_behavior"] == ["Guess"]
    assert row["metadata"]["provenance"]["trial"] == 1
