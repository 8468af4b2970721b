"""Another name for anything that a pack declares: what follows, what is refused, and that the way back is exact."""

from random import Random

import pytest

from packs.formats import FORMATS, adapter_of
from packs.formats.document import NodeKind
from packs.formats.names import homes_of
from packs.formats.names.renames import RenameRefused, rename, things
from tests.packs.fine.generated import bases
from tests.packs.formats.comparing.edited import edited
from tests.packs.formats.names.ways import declared, other, renamed_or_none, said, there_and_back

PACK = """\
pack: {slug: desk, name: Desk, family: support}
version:
  number: 1
  execution_mode: prompt_eval
  evaluation_spec:
    name: desk
    version_number: 1
    judge_mode: deterministic
    post_execution_checks: [{key: report, type: file_capture, path: report.md}]
    validators:
    - {key: right, type: exact_match, target: final_output, expected_from: case.expectations.answer}
    - {key: told, type: contains, target: "file:report", expected_from: case.inputs.question.text}
    - {key: runs, type: code_execution, target: "file:report", config: {test_command: "check '{{ question.text }}'"}}
    metrics: [{key: spent, type: numeric, collector: run_total_tokens}]
    scorecard:
      dimensions:
      - {key: accuracy, source: validators, validators: [right, told]}
      - {key: thrift, source: metric, metric: spent, better_direction: lower, normalization: {target: 1, max: 9}}
challenges:
- key: locate
  title: Locate
  category: support
  difficulty: easy
  instructions: "Where is {{question.text}}, {{place}}?"
input_sets:
- key: default
  name: Default
  cases:
  - challenge_key: locate
    case_key: one
    payload: {place: York}
    inputs: [{key: question, kind: json, value: {text: PX-1}}]
    expectations:
    - {key: answer, kind: text, value: Hub 7}
    - {key: echo, kind: text, source: "input:question"}
  - challenge_key: locate
    case_key: two
    payload: {place: Leeds}
    inputs: [{key: question, kind: json, value: {text: PX-2}}]
    expectations: [{key: answer, kind: text, value: Hub 8}]
"""
CHALLENGE_PACK = adapter_of("challenge_pack")


@pytest.fixture
def desk():
    pack, findings = CHALLENGE_PACK.load({"pack.yaml": PACK.encode()})
    assert not findings
    return pack


def text_after(pack, what, old, new):
    return CHALLENGE_PACK.dump(rename(CHALLENGE_PACK, pack, what, old, new).pack)["pack.yaml"].decode()


@pytest.mark.parametrize(
    ("what", "old", "told"),
    [
        (
            "inputs",
            "question",
            ["case.inputs.fresh.text", "input:fresh", "{{ fresh.text }}", "{{fresh.text}}, {{place}}"],
        ),
        ("payload", "place", ["{{question.text}}, {{fresh}}", "fresh: York", "fresh: Leeds"]),
        ("expectations", "answer", ["case.expectations.fresh", "key: fresh"]),
        ("captures", "report", ["file:fresh", "path: report.md"]),
        ("validators", "right", ["- fresh", "key: fresh"]),
        ("metrics", "spent", ["metric: fresh", "key: fresh"]),
        (NodeKind.CHALLENGE, "locate", ["challenge_key: fresh", "key: fresh"]),
        (NodeKind.CASE, "one", ["case_key: fresh"]),
        (NodeKind.INPUT_SET, "default", ["key: fresh"]),
    ],
)
def test_everything_that_names_it_follows(desk, what, old, told):
    text = text_after(desk, what, old, "fresh")
    for each in told:
        assert each in text
    found = rename(CHALLENGE_PACK, desk, what, old, "fresh")
    assert not [finding for finding in CHALLENGE_PACK.check(found.pack) if finding.is_error]


def test_the_places_are_those_that_declare_and_name_it(desk):
    found = rename(CHALLENGE_PACK, desk, "inputs", "question", "fresh")
    assert found.places == 6
    assert found.nodes == {NodeKind.PACK: 1, NodeKind.CHALLENGE: 1, NodeKind.CASE: 2}


@pytest.mark.parametrize(
    ("what", "old", "new", "code"),
    [
        ("inputs", "question", " ", "bad_name"),
        ("inputs", "question", "question", "bad_name"),
        ("inputs", "question", "a.b", "bad_name"),
        ("inputs", "question", "a\nb", "bad_name"),
        # Templates cannot spell it.
        ("inputs", "question", "my-question", "bad_name"),
        ("expectations", "answer", "echo", "name_is_taken"),
        # Inputs hide what the payload holds under the same name.
        ("inputs", "question", "place", "name_is_taken"),
        ("payload", "place", "question", "name_is_taken"),
        ("validators", "right", "spent", "name_is_taken"),
        ("payload", "place", "workspace_files", "name_is_fixed"),
        ("inputs", "gone", "other", "no_such_name"),
        (NodeKind.CASE, "one", "two", "name_is_taken"),
        (NodeKind.CHALLENGE, "gone", "other", "no_such_name"),
    ],
)
def test_a_name_that_cannot_be_is_refused(desk, what, old, new, code):
    with pytest.raises(RenameRefused) as refused:
        rename(CHALLENGE_PACK, desk, what, old, new)
    assert refused.value.code == code


def test_a_name_that_would_give_a_meaning_to_what_has_none_is_refused():
    pack, _ = CHALLENGE_PACK.load({"pack.yaml": PACK.replace("{{place}}", "{{city}}").encode()})
    with pytest.raises(RenameRefused, match="would mean this"):
        rename(CHALLENGE_PACK, pack, "payload", "place", "city")


def test_a_template_that_may_mean_an_input_or_the_payload_is_not_guessed_at():
    text = PACK.replace("payload: {place: Leeds}", "payload: {place: Leeds, question: old}")
    pack, _ = CHALLENGE_PACK.load({"pack.yaml": text.encode()})
    with pytest.raises(RenameRefused) as refused:
        rename(CHALLENGE_PACK, pack, "inputs", "question", "fresh")
    assert refused.value.code == "name_is_ambiguous"


def test_a_folder_takes_its_files_along():
    adapter = adapter_of("task_suite")
    task = b"task_id: a_1\nsuite: golden\ndescription: d\ninputs: {repo_path: ../_shared/fixtures/app}\ngraders: []\n"
    folder = "evals/_shared/fixtures"
    files = {"evals/golden/a_1.yaml": task, f"{folder}/app/a.txt": b"a", f"{folder}/app/in/b.txt": b"b"}
    pack, _ = adapter.load(files)
    found = rename(adapter, pack, NodeKind.ASSET, f"{folder}/app", f"{folder}/shop").pack
    assert [asset.path for asset in found.assets] == [f"{folder}/shop/a.txt", f"{folder}/shop/in/b.txt"]
    assert found.input_sets[0].cases[0].document["inputs"]["repo_path"] == "../_shared/fixtures/shop"


def test_the_weight_of_a_rubric_has_the_name_of_its_file():
    adapter = adapter_of("task_suite")
    rubrics = "evals/_shared/rubrics"
    task = """\
task_id: a_1
suite: open_ended
description: d
inputs: {user_message: Hello}
graders:
- type: model_rubric
  rubric_paths: [../_shared/rubrics/tone.md]
  scoring: {weights: {tone: 0.5, output_quality: 0.5}}
"""
    pack, _ = adapter.load({"evals/open_ended/a_1.yaml": task.encode(), f"{rubrics}/tone.md": b"# Rubric: Tone"})
    found = rename(adapter, pack, NodeKind.ASSET, f"{rubrics}/tone.md", f"{rubrics}/manner.md").pack
    [grader] = found.input_sets[0].cases[0].document["graders"]
    assert grader["rubric_paths"] == ["../_shared/rubrics/manner.md"]
    assert grader["scoring"]["weights"] == {"manner": 0.5, "output_quality": 0.5}


def test_the_suites_of_a_format_have_fixed_names():
    adapter = adapter_of("task_suite")
    pack = adapter.starter("small", "Small")
    with pytest.raises(RenameRefused) as refused:
        rename(adapter, pack, NodeKind.INPUT_SET, pack.input_sets[0].key, "silver")
    assert refused.value.code == "name_is_fixed"


@pytest.mark.parametrize("format_name", FORMATS)
def test_all_that_documents_declare_can_be_renamed(format_name):
    adapter = adapter_of(format_name)
    sorts = {home.name for schema in adapter.SCHEMA.values() for home in homes_of(schema)}
    assert sorts <= {*adapter.REFERRERS}
    assert {*things(adapter).values()} == {*adapter.REFERRERS, *adapter.KEY_POINTERS}


@pytest.mark.parametrize("format_name", FORMATS)
def test_there_and_back_in_whole_packs(format_name):
    adapter = adapter_of(format_name)
    for files in bases()[format_name]:
        pack, _ = adapter.load(files)
        there_and_back(pack, compiles=not any(found.is_error for found in adapter.check(pack)))


@pytest.mark.parametrize("format_name", FORMATS)
def test_there_and_back_in_packs_that_were_edited_at_random(format_name):
    """Whatever stands in a pack, a rename that is not refused has a way back to the same bytes."""
    adapter, random = adapter_of(format_name), Random(14)
    renamed = 0
    for files in bases()[format_name]:
        pack, _ = adapter.load(files)
        for _ in range(12):
            pack = edited(adapter, random, pack)
            for what, name, input_set in declared(pack, most=1):
                found = renamed_or_none(pack, what, name, other(what, name), input_set)
                if found is not None:
                    assert said(rename(adapter, found.pack, what, other(what, name), name, input_set).pack) == said(
                        pack
                    )
                    renamed += 1
    assert renamed > 10
