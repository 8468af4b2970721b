"""The task-suite adapter on packs of our own: reading, writing, checking, and what workbench and runs ask of it."""

import re
from pathlib import Path

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from packs.formats import task_suite
from packs.formats.adapter import Node
from packs.formats.checking import check_files
from packs.formats.document import Address, NodeKind
from packs.formats.findings import Rule, has_errors
from packs.formats.index import TreeIndex
from packs.formats.task_suite import layout, reading
from packs.formats.task_suite.checks import config, contents, fields, graders, inputs, places, rubrics, structure
from tests.drawing import drawn
from tests.packs.formats.challenge_pack.generated import keys, values

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = sorted((ROOT / "tests" / "fixtures" / "task_suite").glob("*.yaml"))
TASK = b"""task_id: greet_1
suite: golden
description: Greet.
inputs: {user_message: "Say hello."}
graders: [{type: string_match, patterns: [hello]}]
tracked_metrics: [{type: tokens, fields: [total_tokens]}]
"""


def loaded(**files):
    pack, findings = task_suite.load({name.replace("__", "/"): data for name, data in files.items()})
    assert not has_errors(findings)
    return pack


def task_of(pack):
    return pack.input_sets[0].cases[0].document


def codes(findings):
    return sorted(finding.code for finding in findings)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_every_sample_has_just_the_finding_that_it_is_named_after(path):
    letter, number = re.match(r"([EWN])(\d+)", path.stem).groups()
    result = check_files(files_of_sample(path), "task_suite")
    told = [finding for finding in result.findings if finding.code.startswith("task_suite.")]
    assert {finding.code for finding in told} == {f"task_suite.{letter}{number}"}
    assert all(finding.file and finding.line for finding in told)


def files_of_sample(path):
    """A sample is one task, or several files after lines such as `#### evals/golden/a.yaml`."""
    parts = re.split(r"^#### (.+)\n", path.read_text(), flags=re.MULTILINE)
    if len(parts) == 1:
        return {path.name: path.read_bytes()}
    return {name: text.encode() for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def test_every_rule_of_the_format_has_a_sample():
    modules = (config, contents, fields, graders, inputs, places, rubrics, structure, reading)
    declared = {rule.code for module in modules for rule in vars(module).values() if isinstance(rule, Rule)}
    samples = {f"task_suite.{path.stem.partition('-')[0]}" for path in SAMPLES}
    # E010 is about a pack without anything. Ids that differ in case only also break E201, so no sample has E507 alone;
    # the vectors do.
    assert declared - samples == {"task_suite.E010", "task_suite.E507"}


def test_a_new_pack_has_no_errors_and_survives_writing():
    pack = task_suite.starter("my-pack", "My pack")
    files = task_suite.dump(pack)
    again, findings = task_suite.load(files)
    assert again == pack
    assert codes([*findings, *task_suite.check(again)]) == []
    assert (again.key, task_suite.title(again.document)) == ("my-pack", "My pack")
    assert task_suite.recognises(files)


@pytest.mark.parametrize("suite", ["golden", "open_ended", "adversarial", "failure_replays"])
def test_a_new_task_of_any_suite_lacks_a_description_and_graders(suite):
    pack = loaded(**{f"evals__{suite}__greet_1.yaml": TASK.replace(b"golden", suite.encode())})
    document = task_suite.new_document(NodeKind.CASE, TreeIndex(pack), 0)
    node = Node(NodeKind.CASE, document, document["task_id"], suite, 0, 1)
    assert document["suite"] == suite
    errors = [finding.field_path for finding in task_suite.check_node(TreeIndex(pack), node) if finding.is_error]
    assert sorted(errors) == ["description", "graders"]


def test_a_new_task_takes_an_id_that_is_free():
    first = task_suite.new_document(NodeKind.CASE, None)
    pack = loaded(**{"evals__golden__task_1.yaml": TASK.replace(b"greet_1", b"task_1")})
    second = task_suite.new_document(NodeKind.CASE, TreeIndex(pack), 0)
    assert (first["task_id"], second["task_id"]) == ("task_1", "task_2")


def test_findings_lead_to_the_file_the_line_and_the_field_inside_it():
    files = {"evals/golden/greet_1.yaml": TASK.replace(b"string_match", b"string_macth")}
    (finding,) = [found for found in check_files(files).findings if found.rule == "TS-301"]
    assert (finding.file, finding.line) == ("evals/golden/greet_1.yaml", 5)
    assert finding.field_path == "graders[0].type"


@pytest.mark.parametrize("kind", list(NodeKind))
def test_paths_lead_to_nodes_and_back(kind):
    indices = {NodeKind.PACK: (), NodeKind.CASE: (1, 2)}.get(kind, (1,))
    address = Address(kind, indices)
    finding = structure.BLANK_TEXT.at((*task_suite.path_of(address), "x"))
    assert task_suite.locate(finding) == (address, ("x",))


def test_a_pack_is_found_below_any_folder_and_from_inside_evals():
    outer = loaded(**{"repo__evals__golden__greet_1.yaml": TASK, "repo__evals___shared__a.md": b"x"})
    inner = loaded(**{"golden__greet_1.yaml": TASK, "_shared__a.md": b"x"})
    assert outer == inner
    assert [asset.path for asset in outer.assets] == ["evals/_shared/a.md"]


def test_one_broken_file_keeps_the_pack_from_being_read_half():
    files = {"evals/golden/greet_1.yaml": TASK, "evals/golden/other_1.yaml": b"task_id: [1"}
    pack, findings = task_suite.load(files)
    assert pack is None
    assert [(found.rule, found.file) for found in findings] == [("TS-001", "evals/golden/other_1.yaml")]


def test_every_task_gets_a_file_of_its_own_whatever_its_id():
    ids = ["same_1", "same_1", "../../up", "", "a/b", "ü"]
    pack = task_suite.starter("p", "P")
    cases = tuple(
        type(pack.input_sets[0].cases[0])(task_id, "golden", {**task_of(pack), "task_id": task_id}) for task_id in ids
    )
    changed = type(pack)(
        pack.format,
        pack.key,
        pack.document,
        pack.challenges,
        (type(pack.input_sets[0])("golden", {"suite": "golden"}, cases),),
    )
    names = [name for name in task_suite.dump(changed) if name.startswith("evals/golden/")]
    assert len(names) == len(ids)
    assert all(re.fullmatch(r"evals/golden/[^/]+\.yaml", name) and ".." not in name.split("/") for name in names)


def test_budgets_and_trials_come_from_the_task_then_the_configuration_then_the_suite():
    own = TASK + b"environment: {sandbox: s, budgets: {max_steps: 7}}\ntrials: {k: 4}\n"
    settings_of = (
        b"suites: {golden: {default_trials: {metric: pass@k}, default_budgets: {max_tool_calls: 9}}}\ngates: {}\n"
    )
    pack = loaded(**{"evals__golden__greet_1.yaml": own, "evals__config.yml": settings_of})
    (task,) = task_suite.compile_tasks(pack)
    assert (task.budgets.steps, task.budgets.tool_calls, task.budgets.total_tokens) == (7, 9, 120_000)
    assert (task.trials.count, task.trials.rule) == (4, "pass@k")
    assert task.budgets.are_decisive


def test_the_agent_is_told_the_request_and_nothing_that_only_graders_know():
    hidden = b'{user_message: "Say hello.", forbidden_tools: [rm], secrets_in_env: [TOKEN], note: deep, policy: {a: b}}'
    pack = loaded(**{"evals__golden__greet_1.yaml": TASK.replace(b'{user_message: "Say hello."}', hidden)})
    (task,) = task_suite.compile_tasks(pack)
    told = orjson.dumps(task.for_agent()).decode()
    assert "Say hello." in task.prompt
    assert task.visible["policy"] == {"a": "b"}
    assert not any(word in told for word in ("forbidden_tools", "TOKEN", "deep", "string_match"))
    assert task.hidden == {"forbidden_tools": ["rm"], "secrets_in_env": ["TOKEN"], "note": "deep"}


def test_a_title_comes_from_the_request_and_the_description_is_told_only_where_nothing_is_asked():
    done = TASK.replace(b"description: Greet.", b"description: Greets.")
    (task,) = task_suite.compile_tasks(loaded(**{"evals__golden__greet_1.yaml": done}))
    assert task.title == "Say hello."
    assert "Greets" not in str(task.for_agent())
    silent = done.replace(b'{user_message: "Say hello."}', b"{policy: {a: b}}")
    (task,) = task_suite.compile_tasks(loaded(**{"evals__golden__greet_1.yaml": silent}))
    assert task.title == "Greets."
    assert "Greets." in task.prompt


def test_rubrics_below_the_repository_stay_with_the_graders():
    inputs = b'{user_message: "Say hello.", repo_path: ".."}'
    graders = b"graders: [{type: model_rubric, rubric_paths: [tone.md]}]\n"
    task = re.sub(rb"graders: .*\n", graders, TASK.replace(b'{user_message: "Say hello."}', inputs))
    files = ("evals/golden/tone.md", "evals/_shared/rubrics/other.md", "evals/_shared/fixtures/app/main.py")
    named = {name.replace("/", "__"): b"# Rubric: x" for name in files}
    (task,) = task_suite.compile_tasks(loaded(**{"evals__golden__greet_1.yaml": task, **named}))
    assert [file.path for file in task.environment.files] == ["_shared/fixtures/app/main.py"]


@pytest.mark.parametrize(
    ("listed", "allowed"),
    [(b"", []), (b", tools_available: []", ["submit"]), (b", tools_available: [read_file]", ["read_file", "submit"])],
)
def test_a_model_gets_the_tools_that_the_task_lists(listed, allowed):
    inputs = b'{user_message: "Say hello."' + listed + b"}"
    pack = loaded(**{"evals__golden__greet_1.yaml": TASK.replace(b'{user_message: "Say hello."}', inputs)})
    (task,) = task_suite.compile_tasks(pack)
    assert task.environment.tools.get("allowed", []) == allowed


def test_graders_without_an_id_are_called_by_their_type_and_a_number():
    same = b"{type: string_match, patterns: [a]}"
    three = b"graders: [%b, %b, {id: string_match-3, type: string_match, patterns: [b]}, %b]\n" % (same, same, same)
    pack = loaded(**{"evals__golden__greet_1.yaml": re.sub(rb"graders: .*\n", three, TASK)})
    (task,) = task_suite.compile_tasks(pack)
    assert [grader.key for grader in task.graders] == [
        "string_match",
        "string_match-2",
        "string_match-3",
        "string_match-4",
    ]


@pytest.mark.parametrize(
    ("stated", "code"), [("1", None), ("30", None), ("0", "E606"), ("1.5", "E606"), ("true", "E606"), ("-1", "E606")]
)
def test_samples_of_a_gate_are_counted_in_whole_numbers(stated, code):
    config = f"suites: {{}}\ngates:\n  ci_merge_gate: {{budgets: {{min_samples: {stated}}}}}\n"
    files = {"evals/golden/greet_1.yaml": TASK, "evals/config.yml": config.encode()}
    told = [
        finding.code for finding in check_files(files, "task_suite").findings if "min_samples" in finding.field_path
    ]
    assert told == ([f"task_suite.{code}"] if code else [])


def test_null_is_no_value_of_a_task_although_a_field_may_be_left_out():
    findings = check_files({"greet_1.yaml": TASK + b"reference_solution: null\n"}, "task_suite").findings
    assert "task_suite.W108" in codes(findings)


def nested(depth):
    return [nested(depth - 1)] if depth else 1


@pytest.mark.parametrize(
    ("where", "value", "is_read"),
    [
        ("config", nested(63), True),
        ("config", nested(64), False),
        ("task", nested(63), True),
        ("task", nested(64), False),
        ("task", [1] * 9_000, True),
        ("task", [1] * 10_000, False),
        ("config", "x" * (reading.MAX_BYTES - 1000), True),
        ("config", "x" * reading.MAX_BYTES, False),
        ("task", "\u202e" * (reading.MAX_BYTES // 8), True),
        ("task", "\u202e" * (reading.MAX_BYTES // 6), False),
        ("task", [nested(60)] * 150, True),
    ],
)
def test_a_file_that_could_not_be_read_again_is_an_error_before_it_is_written(where, value, is_read):
    pack = loaded(**{"evals/config.yml": b"x-slug: a", "evals/golden/greet_1.yaml": TASK})
    document = pack.document if where == "config" else task_of(pack)
    document["x-note"] = value
    assert ("task_suite.E007" not in codes(task_suite.check(pack))) is is_read
    assert (task_suite.load(task_suite.dump(pack))[0] is not None) is is_read


documents = st.dictionaries(
    st.one_of(st.sampled_from(["task_id", "suite", "tags", "inputs", "graders", "tracked_metrics", "x-a"]), keys),
    values,
    min_size=1,
    max_size=6,
)


@settings(max_examples=drawn(50))
@given(documents)
def test_any_mapping_survives_writing_and_is_written_the_same_again(document):
    text = task_suite.dump_node(NodeKind.CASE, document)
    again, findings = task_suite.load_node(NodeKind.CASE, text)
    assert again == document
    assert not has_errors(findings)
    assert task_suite.dump_node(NodeKind.CASE, again) == text


@settings(max_examples=drawn(50))
@given(documents, documents)
def test_no_content_makes_checking_or_compiling_fall_over(task, configuration):
    case = task_suite.starter("p", "P").input_sets[0].cases[0]
    pack = task_suite.starter("p", "P")
    cases = (type(case)(*task_suite.identify(NodeKind.CASE, task), task),)
    broken = type(pack)(
        pack.format,
        "p",
        configuration,
        pack.challenges,
        (type(pack.input_sets[0])("golden", {"suite": "golden"}, cases),),
    )
    list(task_suite.check(broken))
    list(task_suite.compile_tasks(broken))
    task_suite.card(configuration)


@settings(max_examples=drawn(50))
@given(st.dictionaries(st.sampled_from(["evals/config.yml", "evals/golden/a.yaml", "a.yaml"]), st.binary(max_size=60)))
def test_no_bytes_make_loading_fall_over(files):
    task_suite.recognises(files)
    pack, findings = task_suite.load(files)
    assert pack is not None or findings
    assert layout.lay_out(files) is None or isinstance(pack, type(pack))
