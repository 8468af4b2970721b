"""Evidence references, and what they stand for."""

import pytest

from packs.formats.task import EvidenceCase
from runs.grading.graders.evidence import build_evidence
from tests.runs.grading.graders.grading import events, file_captured

STORED = {
    "schema_version": 1,
    "case_key": "k",
    "payload": {"content": "hello", "list": [10, {"x": True}], "n": None},
    "inputs": [
        {"key": "prompt", "kind": "text", "value": "Where?"},
        {"key": "zero", "kind": "number", "value": 0},
        {"key": "doc", "kind": "artifact", "artifact_key": "manual"},
        {"key": "rel", "kind": "file", "path": "docs/a.txt"},
        {"key": "none", "kind": "text"},
        {"key": "loop", "kind": "text", "source": "input:loop"},
    ],
    "expectations": [
        {"key": "gold", "kind": "text", "source": "input: prompt"},
        {"key": "file", "kind": "text", "source": "artifact:manual"},
        {"key": "via", "kind": "text", "source": "input:doc"},
        {"key": "both", "kind": "text", "value": "V", "source": "input:prompt"},
        {"key": "odd", "kind": "text", "source": "elsewhere:x"},
        {"key": "gone", "kind": "text", "source": "input:gone"},
    ],
}
MANUAL = {"key": "manual", "kind": "file", "path": "docs/manual.pdf", "media_type": "application/pdf"}
CASE = EvidenceCase(STORED, {"manual": MANUAL})


def resolved(reference, cases=(CASE,), pairs=()):
    return build_evidence(list(cases), events(*pairs)).resolve(reference)


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("case.payload", "hello"),
        ("case.payload.list", '[10,{"x":true}]'),
        ("case.payload.list.1.x", "true"),
        ("case.payload.n", "null"),
        ("challenge_input", "hello"),
        ("case.inputs.prompt", "Where?"),
        ("case.inputs.zero", "0"),
        ("case.inputs.doc", "docs/manual.pdf"),
        ("case.inputs.doc.media_type", "application/pdf"),
        ("case.inputs.rel", "docs/a.txt"),
        ("case.expectations.gold", "Where?"),
        ("case.expectations.file.key", "manual"),
        ("case.expectations.via", "docs/manual.pdf"),
        ("case.expectations.both", "V"),
        ("artifact.manual", "docs/manual.pdf"),
        ("artifact.manual.kind", "file"),
        ("literal:", ""),
        ("literal:a:b", "a:b"),
    ],
)
def test_a_reference_gives_the_text_of_its_value(reference, text):
    assert resolved(reference).text == text


@pytest.mark.parametrize(
    "reference",
    [
        "case.payload.missing",
        "case.payload.list.2",
        "case.payload.list." + "9" * 5_000,
        "case.payload.list.x",
        "case.payload.content.x",
        "case.inputs.zzz",
        "case.inputs.none",
        "case.inputs.rel.x",
        "case.expectations.gone",
        "artifact.unused",
        "artifact.manual.size",
        "final_output",
        "file:never",
        "transcript.full",
        "transcript.from_mismatch",
        "turn.expectations",
    ],
)
def test_what_is_not_there_is_unavailable_with_a_reason(reference):
    found = resolved(reference)
    assert (found.text, found.malformed) == (None, False)
    assert found.reason


@pytest.mark.parametrize(
    "reference",
    [
        "",
        "Final_output",
        "case",
        "case.inputs",
        "case.inputs.",
        "case.inputs.a. ",
        "case.payload.",
        "case.other.x",
        "artifact.",
        "file: ",
        "transcript.last_n:0",
        "transcript.last_n:two",
        "transcript.tail",
        "turn.other",
        "case.expectations.odd",
        "case.inputs.loop",
    ],
)
def test_a_reference_that_breaks_the_grammar_is_marked(reference):
    assert resolved(reference).malformed


def test_a_bare_payload_is_the_payload_itself():
    bare = EvidenceCase({"a": 1.0, "b": "<x>"})
    assert resolved("case.payload.b", [bare]).text == "<x>"
    assert resolved("challenge_input", [bare]).text == '{"a":1,"b":"<x>"}'


def test_a_structured_case_without_payload_gives_an_empty_object():
    assert resolved("challenge_input", [EvidenceCase({"schema_version": 1, "case_key": "k"})]).text == "{}"


def test_case_evidence_needs_exactly_one_case_in_scope():
    for cases in ((), (CASE, CASE)):
        for reference in ("case.payload", "challenge_input", "artifact.manual"):
            assert resolved(reference, cases).text is None
    assert "ambiguous" in resolved("case.payload", (CASE, CASE)).reason
    assert resolved("literal:x", (CASE, CASE)).text == "x"


def test_a_value_nested_too_deeply_is_unavailable():
    value = "x"
    for _ in range(300):
        value = {"a": value, "b": 1}
    assert resolved("case.payload", [EvidenceCase({"k": value})]).text is None


def test_a_file_gives_its_content_and_where_it_came_from():
    found = resolved("file:f", pairs=[file_captured("abc")])
    assert (found.text, found.source.sequence, found.source.field_path) == ("abc", 1, "file:f")
    gone = build_evidence([], events(file_captured(None)))
    assert gone.resolve("file:f").text is None
    assert gone.is_missing_file("file:f")
    assert not gone.is_missing_file("file:other")


def test_a_listing_is_json_with_its_members_in_order():
    entries = [{"path": "/w/src", "size": 0, "is_dir": True}, {"path": "/w/a", "size": 9}, "odd"]
    listed = ("grader.verification.directory_listed", {"key": "d", "path": "/w", "entries": entries})
    assert resolved("file:d", pairs=[listed]).text == (
        '{"key":"d","path":"/w","entries":[{"path":"/w/src","size":0,"is_dir":true},{"path":"/w/a","size":9}]}'
    )


TURNS = [
    ("turn.user.message", {"turn_index": 2, "phase_id": "push", "content": "Really?"}),
    ("turn.user.message", {"turn_index": 1, "phase_id": "open", "content": "Hi"}),
    ("turn.assistant.message", {"turn_index": 1, "content": "Hello"}),
    ("turn.assistant.message", {"turn_index": 2, "content": " "}),
    ("turn.completed", {"turn_index": 2, "mismatch": True}),
    ("turn.user.message", {"turn_index": "three", "content": "no number"}),
    ("turn.user.message", {"turn_index": 3, "content": "Ok"}),
]


@pytest.mark.parametrize(
    ("reference", "text"),
    [
        ("transcript.full", "user[1]: Hi\nassistant[1]: Hello\nuser[2]: Really?\nuser[3]: Ok"),
        ("transcript.from_mismatch", "user[2]: Really?\nuser[3]: Ok"),
        ("transcript.last_n:1", "user[3]: Ok"),
        ("transcript.last_n: 2", "user[2]: Really?\nuser[3]: Ok"),
        ("transcript.last_n:99999999999999", "user[1]: Hi\nassistant[1]: Hello\nuser[2]: Really?\nuser[3]: Ok"),
        (
            "turn.expectations",
            '[{"turn_index":1,"phase_id":"open","mismatch":false},{"turn_index":2,"phase_id":"push","mismatch":true},'
            '{"turn_index":3,"mismatch":false}]',
        ),
    ],
)
def test_a_conversation_is_told_turn_by_turn(reference, text):
    assert resolved(reference, pairs=TURNS).text == text


FINALIZED = ("system.output.finalized", {"final_output": "first"})


@pytest.mark.parametrize(
    ("pairs", "text", "source"),
    [
        ([FINALIZED, ("system.output.finalized", {"final_output": "second"})], "first", ("final_output", 1)),
        ([FINALIZED, ("system.run.completed", {"final_output": "third"})], "third", ("final_output", 1)),
        ([("system.output.finalized", {"output": {"text": "loose"}})], "loose", ("final_output", 1)),
        (
            [
                ("model.call.completed", {}),
                ("model.call.completed", {}),
                ("system.run.completed", {"final_output": "x"}),
            ],
            "x",
            ("model_call", 2),
        ),
        ([("system.run.completed", {"final_output": ""})], "", None),
    ],
)
def test_the_completed_run_tells_the_final_output_first(pairs, text, source):
    found = resolved("run.final_output", pairs=pairs)
    assert found.text == text
    assert (found.source and (found.source.kind, found.source.sequence)) == source
