"""Writing for the generations of AgentV, and reading the next one."""

import pytest

from packs.formats import agentv, yamlio
from packs.formats.agentv.origins import origin_of
from packs.formats.agentv.successor import from_next, to_next
from packs.formats.agentv.variants import CLASSIC, NEXT, PINNED, write_variant

SUITE = b"""\
name: widgets
tags: [swe]
execution: {targets: [small, large], workers: 4, trials: {count: 2, strategy: mean}}
workspace:
  repos:
    - path: ./repo
      source: {type: git, url: https://example.org/widget.git}
      checkout: {base_commit: 4f3e2d19b6e4e8f1c2b7d9a0e5a6b7c8d9e0f123, ancestor: 1}
      clone: {depth: 3, sparse: [src]}
  hooks:
    before_each: {command: [./prepare.sh]}
assertions:
  - {name: no, type: contains, value: sorry, negate: true}
tests:
  - id: a
    criteria: Mends it
    input: Mend it.
    expected_output: Done
    assertions:
      - {type: skill-trigger, skill: mend, should_trigger: false}
      - {name: program, type: code-grader, command: [python, check.py], required: 0.5}
    metadata: {source_row: 7}
"""


def parsed(files, name="w.eval.yaml"):
    return yamlio.read(files[name], dialect=yamlio.CORE_12)[0]


def pack():
    return agentv.load({"w.eval.yaml": SUITE})[0]


def test_the_pinned_form_keeps_what_is_checked_out_and_tells_what_it_loses():
    files, losses = write_variant(pack(), PINNED)
    (repository,) = parsed(files)["workspace"]["repos"]
    assert repository == {
        "path": "./repo",
        "repo": "https://example.org/widget.git",
        "commit": "4f3e2d19b6e4e8f1c2b7d9a0e5a6b7c8d9e0f123",
        "ancestor": 1,
        "sparse": ["src"],
    }
    assert [(loss.file, loss.field) for loss in losses] == [("w.eval.yaml", "workspace.repos[0].clone.depth")]


def test_classic_to_pinned_and_back_keeps_address_commit_ancestor_and_sparse():
    there, _ = write_variant(pack(), PINNED)
    back, losses = write_variant(agentv.load(there)[0], CLASSIC)
    (repository,) = parsed(back)["workspace"]["repos"]
    (before,) = parsed({"w.eval.yaml": SUITE})["workspace"]["repos"]
    assert losses == []
    assert repository["source"] == before["source"]
    assert repository["checkout"] == before["checkout"]
    assert repository["clone"] == {"sparse": ["src"]}


def test_a_local_source_is_told_as_lost():
    local = SUITE.replace(b"{type: git, url: https://example.org/widget.git}", b"{type: local, path: ../w}")
    _, losses = write_variant(agentv.load({"w.eval.yaml": local})[0], PINNED)
    assert "workspace.repos[0].source.path" in {loss.field for loss in losses}


def test_a_workspace_file_changes_with_its_suites():
    shared = b"repos: [{path: ./r, source: {type: git, url: https://example.org/w.git}}]\n"
    suite = b"workspace: ./space.yaml\ntests: [{id: a, input: Hi, criteria: C}]\n"
    files, _ = write_variant(agentv.load({"w.eval.yaml": suite, "space.yaml": shared})[0], PINNED)
    assert parsed(files, "space.yaml")["repos"] == [{"path": "./r", "repo": "https://example.org/w.git"}]


def test_the_next_generation_is_written_with_the_list_of_what_it_cannot_say():
    files, losses = write_variant(pack(), NEXT)
    suite = parsed(files)
    assert suite["providers"] == ["small", "large"]
    assert suite["evaluate_options"] == {"max_concurrency": 4, "repeat": 2}
    assert suite["assert"] == [{"metric": "no", "type": "not-contains", "value": "sorry"}]
    (test,) = suite["tests"]
    assert test["vars"] == {"input": "Mend it.", "expected_output": "Done"}
    assert test["assert"][0] == "Mends it"
    assert [item["type"] for item in test["assert"][1:]] == ["not-skill-used", "script"]
    assert test["assert"][2]["min_score"] == 0.5
    fields = {loss.field for loss in losses}
    assert fields == {"execution.trials.strategy", "workspace.repos"}


def test_a_suite_of_the_next_generation_is_read_as_a_classic_one_with_a_word_about_it():
    files, _ = write_variant(pack(), NEXT)
    again, findings = agentv.load(files)
    assert [finding.code for finding in findings] == ["agentv.N601"]
    (case,) = again.input_sets[0].cases
    assert case.document["input"] == "Mend it."
    assert case.document["expected_output"] == "Done"
    assert case.document["assertions"][0] == "Mends it"
    assert case.document["assertions"][1] == {"type": "skill-trigger", "skill": "mend", "should_trigger": False}
    suite = again.input_sets[0].document
    assert suite["execution"] == {"targets": ["small", "large"], "workers": 4, "trials": {"count": 2}}
    assert suite["assertions"] == [{"name": "no", "type": "contains", "value": "sorry", "negate": True}]
    assert suite["workspace"]["hooks"]["before_each"]["command"] == ["./prepare.sh"]


def test_what_the_next_generation_alone_can_say_is_told_when_it_comes_in():
    suite = b"prompts: [A, B]\nscenarios: [{}]\ntests: [{id: a, assert: [{type: 'trajectory:goal-success'}]}]\n"
    read, findings = agentv.load({"n.eval.yaml": suite})
    assert read is not None
    assert [finding.code for finding in findings] == ["agentv.N601", *["agentv.W602"] * 3]
    assert all(finding.file and finding.line for finding in findings)


@pytest.mark.parametrize(
    ("stated", "field"),
    [
        ("tags: smoke", "tags"),
        ("execution: fast", "execution"),
        ("execution: {target: a, targets: [b]}", "execution.target"),
        ("execution: {trials: 3}", "execution.trials"),
        ("assertions: {type: contains}", "assertions"),
        ("workspace: [a]", "workspace"),
        ("workspace: {docker: {image: i, memory: 2g}}", "workspace.docker.memory"),
        (
            "workspace: {hooks: {before_each: {command: [./a.sh], timeout_ms: 5}}}",
            "workspace.hooks.before_each.timeout_ms",
        ),
        ("workspace: {hooks: {at_noon: {command: [./a.sh]}}}", "workspace.hooks.at_noon"),
        ("tests: [{id: a, criteria: [c]}]", "tests[a].criteria"),
        ("tests: [{id: a, input: i, vars: {input: j}}]", "tests[a].vars.input"),
        ("tests: [{id: a, assertions: be nice}]", "tests[a].assertions"),
    ],
)
def test_nothing_of_a_classic_suite_is_left_out_unsaid(stated, field):
    suite, _ = yamlio.read(stated, dialect=yamlio.CORE_12)
    _, told = to_next(suite, suite.get("tests"))
    assert field in {name for name, _ in told}


def test_the_one_target_of_a_suite_is_its_provider():
    assert to_next({"target": "small"}, None)[0]["providers"] == ["small"]


@pytest.mark.parametrize(
    ("stated", "field"),
    [
        ("default_test: file://shared.yaml", "default_test"),
        ("default_test: {threshold: 0.5}", "default_test.threshold"),
        ("default_test: {vars: {a: 1}}\ntests: cases.yaml", "default_test.vars"),
        ("prompts: ['Answer {{ q }}']\ntests: cases.yaml", "prompts"),
        ("providers: [{id: p, config: {temperature: 0}}]", "providers"),
        ("environment: {type: host, image: i}", "environment.image"),
        ("extensions: ['file://a.py:beforeAll', 'file://b.py:beforeAll']", "extensions"),
        ("evaluate_options: fast", "evaluate_options"),
        ("tests: [{id: a, vars: file://vars.yaml}]", "tests[a].vars"),
        ("tests: [{id: a, assert: be nice}]", "tests[a].assert"),
    ],
)
def test_nothing_of_a_next_suite_is_left_out_unsaid(stated, field):
    _, told = from_next(yamlio.read(stated, dialect=yamlio.CORE_12)[0])
    assert field in {name for name, _ in told}


def test_one_prompt_and_one_provider_may_stand_without_a_list():
    suite, told = from_next({"prompts": "Say hello.", "providers": "small", "tests": [{"id": "a"}]})
    assert (suite["tests"], suite["execution"], told) == ([{"id": "a", "input": "Say hello."}], {"target": "small"}, [])


def test_there_is_no_other_variant():
    with pytest.raises(KeyError):
        write_variant(pack(), "ancient")


def test_the_origin_of_a_test_is_what_it_records_and_else_what_is_checked_out():
    (suite,) = pack().input_sets
    origin = origin_of(suite.document, suite.cases[0].document)
    assert (origin.repository, origin.row, origin.is_checked_out) == ("https://example.org/widget.git", "7", True)
    assert origin.commit.startswith("4f3e")
    stated = origin_of(suite.document, {"metadata": {"repo_url": "https://example.org/x", "source_commit": "abc"}})
    assert (stated.repository, stated.commit) == ("https://example.org/x", "abc")
    assert not origin_of({}, {}).is_known
