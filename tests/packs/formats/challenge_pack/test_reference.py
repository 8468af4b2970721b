import pytest

from packs.formats.challenge_pack.reference import answers_of, reference_answer
from packs.formats.task import EvidenceCase, GraderSpec, JudgeSpec

STORED = {
    "schema_version": 1,
    "case_key": "k",
    "payload": {"a": {"b": [1, "deep"]}},
    "inputs": [{"key": "question", "kind": "text", "value": "Why?"}],
    "expectations": [
        {"key": "answer", "kind": "text", "value": "Leeds"},
        {"key": "echo", "kind": "text", "source": "input: question"},
        {"key": "loop", "kind": "text", "source": "input:gone"},
        {"key": "number", "kind": "number", "value": 42.0},
        {"key": "wrapped", "kind": "json", "value": {"text": "inner"}},
        {"key": "listed", "kind": "json", "value": ["only"]},
        {"key": "object", "kind": "json", "value": {"b": 1, "a": [True]}},
    ],
}
ASSETS = {"manual": {"key": "manual", "path": "docs/manual.pdf"}}


def answer(*graders, judges=()):
    return reference_answer(EvidenceCase(STORED, ASSETS), [GraderSpec("g", *grader) for grader in graders], judges)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        ("literal:yes", "yes"),
        ("literal:", ""),
        ("case.expectations.answer", "Leeds"),
        ("case.expectations.echo", "Why?"),
        ("case.expectations.loop", None),
        ("case.expectations.gone", None),
        ("case.expectations.number", "42"),
        ("case.expectations.wrapped", "inner"),
        ("case.expectations.listed", "only"),
        ("case.expectations.object", '{"a":[true],"b":1}'),
        ("case.inputs.question", "Why?"),
        ("case.payload.a.b.1", "deep"),
        ("case.payload.a.b.9", None),
        ("case.payload.a.b.²", None),
        (f"case.payload.a.b.{'9' * 5000}", None),
        ("artifact.file", None),
        ("artifact.manual", "docs/manual.pdf"),
    ],
)
def test_the_gold_answer_is_what_the_output_must_equal(reference, expected):
    assert answer(("exact_match", "final_output", reference)) == expected


def test_equality_comes_before_likeness_to_parts():
    graders = [("contains", "final_output", "literal:part"), ("exact_match", "run.final_output", "literal:whole")]
    assert answer(*graders) == "whole"


def test_all_texts_that_the_output_must_contain_stand_in_the_answer():
    graders = [("contains", "final_output", f"literal:{text}") for text in ("one", "two", "one")]
    assert answer(*graders) == "one\ntwo"
    empty = [("contains", "final_output", reference) for reference in ("literal:", "case.expectations.gone")]
    assert answer(*empty, *graders) == "one\ntwo"
    assert answer(*empty) is None


def test_the_reference_of_a_judge_is_a_gold_answer():
    judge = JudgeSpec("j", "reference", ("m",), "", reference="case.expectations.answer")
    assert answer(("contains", "final_output", "literal:x"), judges=[judge]) == "Leeds"


def test_the_first_of_several_references_is_taken():
    assert answer(("bleu_score", "final_output", 'literal:["first", "second"]')) == "first"
    assert answer(("exact_match", "final_output", 'literal:["first"]')) == '["first"]'
    assert answer(("rouge_score", "final_output", "literal:[not json")) == "[not json"


def test_checks_of_other_evidence_state_no_answer():
    assert answer(("exact_match", "file:report", "literal:x"), ("regex_match", "final_output", "literal:.+")) is None


def test_answers_that_agents_must_not_read_are_texts_and_json_but_not_what_an_input_gives():
    found = {answer.path[1]: answer.text for answer in answers_of(STORED)}
    assert found == {0: "Leeds", 4: '{"text": "inner"}', 5: '["only"]', 6: '{"b": 1, "a": [true]}'}


def test_an_answer_that_no_encoder_takes_is_no_trouble():
    odd = {"expectations": [{"key": "a", "kind": "json", "value": {"n": 2**70, "t": "\ud800"}}]}
    assert len(list(answers_of(odd))) == 1


@pytest.mark.parametrize(
    ("kind", "expected", "found"),
    [
        ("json_schema", '{"const": {"b": 1, "a": [2]}}', '{"a":[2],"b":1}'),
        ("json_schema", '{"const": null}', "null"),
        ("json_schema", '{"enum": [1, 2]}', None),
        ("json_schema", "no schema", None),
        ("json_schema", f'{{"const": {"[" * 300}{"]" * 300}}}', None),
        ("json_path_match", '{"path": "$", "value": {"b": 1, "a": 2}}', '{"a":2,"b":1}'),
        ("json_path_match", '{"path": "$", "comparator": "contains", "value": 1}', None),
        ("json_path_match", '{"path": "$.a", "value": 1}', None),
        ("json_path_match", "$.a", None),
    ],
)
def test_a_value_of_json_that_the_whole_output_must_equal_is_the_gold_answer(kind, expected, found):
    assert answer((kind, "final_output", f"literal:{expected}")) == found
