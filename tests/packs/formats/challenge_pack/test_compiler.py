from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from packs.formats import challenge_pack

SAMPLES = Path(__file__).resolve().parents[4] / "packs" / "samples"
SECRET = "canary-93"

PACK = f"""
pack: {{slug: desk, name: Desk, family: security}}
version:
  number: 1
  execution_mode: MODE
  sandbox: {{network_access: false, env_vars: {{TOKEN: {SECRET}-env}}}}
  assets:
    - {{key: policy, path: files/policy.md, media_type: text/markdown}}
    - {{key: photo, path: files/photo.png}}
  evaluation_spec:
    name: desk-v1
    version_number: 1
    judge_mode: deterministic
    validators: [{{key: v, type: exact_match, target: final_output, expected_from: case.expectations.answer}}]
    scorecard: {{dimensions: [correctness]}}
challenges:
  - {{key: find, title: T, category: c, difficulty: easy, instructions: "Where is {{{{parcel}}}} of {{{{gone}}}}?"}}
input_sets:
  - key: day
    name: Day
    cases:
      - challenge_key: find
        case_key: one
        payload: {{parcel: PX-1, secret_note: told to the agent}}
        inputs: [{{key: parcel, kind: text, value: PX-2}}, {{key: doc, kind: file, artifact_key: policy}}]
        expectations: [{{key: answer, kind: text, value: {SECRET}-answer}}]
        assets: [{{key: policy, path: own.md}}, {{key: own, path: own2.md}}]
      - {{challenge_key: find, case_key: two, payload: {{parcel: PX-3}}}}
  - key: night
    name: Night
    cases: [{{challenge_key: find, case_key: three}}]
tools:
  custom:
    - name: look
      description: Looks.
      implementation: {{type: mock, strategy: static, response: {SECRET}-mock}}
security:
  planted_secrets: [{{name: KEY, value: {SECRET}-planted, location: env}}]
"""


def tasks_of(mode="native", input_set=None):
    text = PACK.replace("MODE", mode)
    pack, _ = challenge_pack.load({"p.yaml": text.encode()})
    return list(challenge_pack.compile_tasks(pack, input_set))


def test_every_case_is_a_task_of_its_own_in_order():
    assert [(task.input_set_key, task.case_key) for task in tasks_of()] == [
        ("day", "one"),
        ("day", "two"),
        ("night", "three"),
    ]


def test_one_input_set_can_be_chosen():
    assert [task.case_key for task in tasks_of(input_set="night")] == ["three"]
    assert tasks_of(input_set="none") == []


@pytest.mark.parametrize("mode", ["native", "prompt_eval", "responses", "multi_turn"])
def test_what_is_for_graders_never_reaches_the_agent(mode):
    for task in tasks_of(mode):
        assert SECRET not in orjson.dumps(task.for_agent()).decode()


def test_a_prompt_evaluation_tells_the_rendered_instructions_alone():
    task, *_ = tasks_of("prompt_eval")
    assert task.prompt.endswith("\n\nWhere is PX-2 of {{gone}}?")
    assert (task.title, task.visible) == ("Where is PX-2 of {{gone}}?", {})


def test_a_native_task_tells_payload_and_inputs_as_data():
    task, *_ = tasks_of()
    assert task.visible["case"]["payload"]["secret_note"] == "told to the agent"
    assert [given["key"] for given in task.visible["case"]["inputs"]] == ["parcel", "doc"]
    assert task.visible["manifest"]["tools"] == {"custom": [{"name": "look", "description": "Looks."}]}
    assert orjson.loads(task.prompt.partition("Benchmark context:\n")[2]) == task.visible


def test_graders_get_the_stored_document_the_expectations_and_the_gold_answer():
    task, *_ = tasks_of()
    assert task.evidence.stored["case_key"] == "one"
    assert task.hidden["expectations"][0]["key"] == "answer"
    assert task.reference == f"{SECRET}-answer"
    assert task.security["planted_secrets"][0]["name"] == "KEY"


def test_assets_in_scope_are_those_of_the_case_and_the_named_ones_of_the_version():
    one, two, _ = tasks_of()
    assert {key: asset["path"] for key, asset in one.evidence.assets.items()} == {
        "policy": "files/policy.md",
        "own": "own2.md",
    }
    assert two.evidence.assets == {}


def test_a_conversation_is_scripted_only_in_its_mode():
    text = PACK.replace("MODE", "multi_turn").replace(
        "case_key: three", "case_key: three, user_simulator: {schema_version: 1, kind: hybrid, phases: [{id: a}]}"
    )
    pack, _ = challenge_pack.load({"p.yaml": text.encode()})
    (task,) = challenge_pack.compile_tasks(pack, "night")
    assert task.conversation["phases"] == [{"id": "a"}]
    assert tasks_of("native")[0].conversation is None


def test_what_a_scripted_user_says_is_filled_in_from_the_case():
    phases = "[{id: a, actor: scripted, turns: [{message: 'Where is {{parcel}} of {{gone}}?', expects: []}]}]"
    script = f"payload: {{parcel: PX-7}}, user_simulator: {{schema_version: 1, kind: hybrid, phases: {phases}}}"
    text = PACK.replace("MODE", "multi_turn").replace("case_key: three", f"case_key: three, {script}")
    pack, _ = challenge_pack.load({"p.yaml": text.encode()})
    (task,) = challenge_pack.compile_tasks(pack, "night")
    assert task.conversation["phases"][0]["turns"][0]["message"] == "Where is PX-7 of {{gone}}?"


def read_sample(path):
    if path.is_file():
        return {path.name: path.read_bytes()}
    return {str(file.relative_to(path)): file.read_bytes() for file in path.rglob("*") if file.is_file()}


OWN = [path for path in sorted(SAMPLES.iterdir()) if challenge_pack.recognises(read_sample(path))]


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_our_own_packs_are_canonical_free_of_warnings_and_state_a_gold_answer(path):
    files = read_sample(path)
    pack, findings = challenge_pack.load(files)
    assert [*findings, *(one for one in challenge_pack.check(pack) if one.severity != "note")] == []
    assert sorted(challenge_pack.dump(pack).values()) == sorted(files.values())
    assert all(task.reference for task in challenge_pack.compile_tasks(pack))


def test_a_test_command_is_filled_in_from_each_case():
    text = PACK.replace("MODE", "native").replace(
        "type: exact_match, target: final_output, expected_from: case.expectations.answer}",
        "type: code_execution, target: 'file:f', config: {test_command: 'check {{parcel}} {{gone}}', timeout_ms: 5}}",
    )
    pack, _ = challenge_pack.load({"p.yaml": text.encode()})
    commands = [task.graders[0].config["test_command"] for task in challenge_pack.compile_tasks(pack, "day")]
    assert commands == ["check PX-2 {{gone}}", "check PX-3 {{gone}}"]


def test_a_config_that_is_no_mapping_is_left_to_the_grader():
    found = challenge_pack.load({"p.yaml": PACK.replace("MODE", "native").encode()})[0]
    spec = found.document["version"]["evaluation_spec"]
    odd = spec | {"validators": [spec["validators"][0] | {"config": "none"}]}
    pack = replace(found, document=found.document | {"version": found.document["version"] | {"evaluation_spec": odd}})
    assert [task.graders[0].config for task in challenge_pack.compile_tasks(pack, "night")] == ["none"]
