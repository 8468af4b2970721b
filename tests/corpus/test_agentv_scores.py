"""Scores that `agentv eval` gives to answers of a program, against those that `run grade` gives to the same answers.

AgentV runs the programs of the corpus without a sandbox; they are stand-ins that were written for it.
"""

import io
import json
from dataclasses import replace

import orjson
import pytest

from packs.formats import agentv
from runs.engine.given import grade_given
from runs.engine.rooms import without_assets
from runs.grading.judges import Bench
from runs.management.grading import main
from tests.corpora import corpus_folder
from tests.corpus.test_agentv_grading import DOCUMENT, SANDBOX, STATUSES, Voice, events_of, suite_of
from tests.original.agentv import AgentV, needed, write

needed()
pytestmark = pytest.mark.long

FOLDER = corpus_folder("agentv")
VECTORS = DOCUMENT["vectors"]
WORDS = {"pass": "ok", "fail": "quality_failure", "error": "execution_error"}
# AgentV measures a time of its own where an answer states none.
TOOK = {"duration_ms": 7}
ENDING = {"event_type": "system.run.completed", "payload": {"latency_ms": TOOK["duration_ms"]}}
JUDGED = {"agentv.llm-grader", "agentv.composite"}
# What models reply: fenced, surrounded, odd in one field, or nothing that can be used.
REPLIES = (
    '{"score": 0.9}',
    'So: {"score": 0.9, "assertions": [{"text": "a", "passed": true, "evidence": "b"}]} That is all.',
    '```json\n{"score": 0.3}\n```',
    '```\n{"score": 0.3}\n```',
    '[{"score": 0.5}]',
    '{"score": 0.6, "score": 0.2}',
    '{"score": 0.9, "assertions": [{"text": "a", "passed": maybe}]}',
    '{"score": 0.9, "assertions": [{"text": "a", "passed": "yes"}, {"text": "b", "passed": TRUE}]}',
    '{"score": 0.9, "assertions": [{"text": "a", "Passed": no}]}',
    '{"score": 0.9, "assertions": [{"text": "a"}]}',
    '{"score": 0.9, "assertions": [{"text": "a", "passed": 1}]}',
    '{"score": 0.9, "assertions": [{"text": 3, "passed": true}]}',
    '{"score": 0.9, "assertions": [{"text": "a", "passed": true, "evidence": 3}]}',
    '{"score": 0.9, "assertions": null}',
    '{"score": 0.9, "assertions": [null]}',
    '{"score": 0.9, "details": []}',
    '{"score": 0.4} or {"score": 0.5}',
    '{"score": "0.9"}',
    '{"score": 1.5}',
    '{"score": true}',
    '{"score": .5}',
    "no idea",
    '{"checks": [{"id": "a", "satisfied": true, "reasoning": "r"}], "overall_reasoning": ""}',
    '{"checks": [{"id": "a", "satisfied": true, "reasoning": "r"}, {"id": "b", "satisfied": false, "reasoning": "r"}],'
    ' "overall_reasoning": "half"}',
    '{"checks": [], "overall_reasoning": ""}',
    '{"checks": [{"id": "a", "satisfied": "yes", "reasoning": "r"}], "overall_reasoning": ""}',
    '{"checks": [{"id": "a", "satisfied": true}], "overall_reasoning": ""}',
    '{"checks": [{"id": "a", "satisfied": true, "reasoning": "r"}]}',
    '{"checks": [{"id": "a", "score": 8}]}',
    '{"checks": [{"id": "a", "score": 8, "reasoning": "r"}, {"id": "b", "score": 3}, {"id": "z", "score": 1}]}',
    '{"checks": [{"id": "a", "score": 7.5}]}',
    '{"checks": [{"id": "a", "score": 11}]}',
)
RANGES = {"0": "bad", "5": "fair", "8": "good"}
JUDGES = {
    "free": {"type": "llm-grader", "prompt": "Is it right?"},
    "listed": {"type": "rubrics", "criteria": [{"id": "a", "outcome": "A"}, {"id": "b", "outcome": "B", "weight": 3}]},
    "ranged": {"type": "rubrics", "criteria": [{"id": name, "outcome": name, "score_ranges": RANGES} for name in "ab"]},
}


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    return AgentV(tmp_path_factory.mktemp("agentv"))


def stage(root, name, files, answer, judges=()):
    """A pack in a folder with a suite of a name of its own, and the answer of its agent; gives the suite's path."""
    targets = [{"name": judge, "provider": "mock", "response": reply} for judge, reply in judges]
    copying = f"cp {root / 'answers'}/{{EVAL_ID}}.json {{OUTPUT_FILE}}"
    targets.append({"name": "canned", "provider": "cli", "command": copying, "grader_target": "judge"})
    write({**files, ".agentv/targets.yaml": orjson.dumps({"targets": targets})}, root)
    for case, document in answer.items():
        write({f"{case}.json": orjson.dumps({**TOOK, **document})}, root / "answers")
    return root / name


def answer_of(vector):
    """What the agent of a vector hands in."""
    metrics = vector.get("metrics", {})
    said = vector.get("messages") or [{"role": "assistant", "content": vector["output"]}]
    return {
        "output": said,
        **{name: metrics[name] for name in ("token_usage", "cost_usd", "duration_ms") if name in metrics},
    }


def judges_of(vector):
    return {"judge": vector.get("default_judge_reply", '{"score": 0.5}'), **vector.get("judge_replies", {})}


def other_answers():
    """The vectors, each once more with the answer of the next one of its kind."""
    for index, vector in enumerate(VECTORS):
        yield vector
        following = VECTORS[(index + 1) % len(VECTORS)]
        if "output" in vector and "output" in following and vector["output"] != following["output"]:
            yield {**vector, "name": f"{vector['name']}-again", "output": following["output"]}


def staged(tmp_path, vectors):
    """Every vector in a folder of its own, and the suites."""
    return [
        stage(
            tmp_path / vector["name"],
            "suite.eval.yaml",
            suites_named(vector),
            {vector["name"]: answer_of(vector)},
            judges_of(vector).items(),
        )
        for vector in vectors
    ]


def suites_named(vector):
    """The files of a vector's suite, which is called as the vector."""
    files = suite_of(vector)
    return {
        **files,
        "suite.eval.yaml": orjson.dumps({**orjson.loads(files["suite.eval.yaml"]), "name": name_of(vector)}),
    }


def name_of(vector):
    return vector["name"].replace(".", "-").lower()


def asks_a_judge(vector):
    return any(word in json.dumps(vector) for word in ("llm-grader", "rubrics", "judge")) or not all(
        isinstance(item, dict) for item in vector.get("assertions") or ["text"]
    )


def run_grade(path, rows, tmp_path):
    """What `run grade` says of rows, by the keys of their cases."""
    outputs, out = tmp_path / "outputs.jsonl", io.StringIO()
    outputs.write_bytes(b"\n".join(orjson.dumps(row) for row in rows))
    main(["grade", str(path), "--outputs", str(outputs), "--json"], out, io.StringIO())
    said = json.loads(out.getvalue())
    assert not [finding for finding in said["findings"] if finding["code"].startswith("outputs.")]
    return {(found["input_set"], found["case_key"]): found for found in said["results"]}


def outcome_of(row):
    return row["execution_status"], pytest.approx(row["score"], abs=1e-9)


def test_programs_patterns_and_limits_score_as_in_agentv(tool, tmp_path):
    # Programs of the later generation are told in another shape, which takes a pinned repository.
    vectors = [each for each in other_answers() if not asks_a_judge(each) and "expect_late" not in each]
    assert len(vectors) > 80
    rows = tool.evaluate(staged(tmp_path, vectors))
    found = {}
    for vector in vectors:
        given = {**vector, "metrics": {**TOOK, **vector.get("metrics", {})}}
        answer = vector["messages"][-1]["content"] if "messages" in vector else vector["output"]
        row = {"case_key": vector["name"], "output": answer, "events": list(events_of(given))}
        files = tmp_path / "packs" / vector["name"]
        write(suite_of(vector), files)
        [said] = run_grade(files, [row], tmp_path).values()
        theirs = outcome_of(rows[name_of(vector), vector["name"]])
        if (WORDS[said["verdict"]], said["score"] or 0) != theirs:
            found[vector["name"]] = said["verdict"], said["score"], theirs
    assert found == {}


def test_judges_replies_are_worth_what_they_are_in_agentv(tool, tmp_path):
    cases = {f"{kind}-{number}": (kind, reply) for kind in JUDGES for number, reply in enumerate(REPLIES)}
    asked = [
        {"id": name, "input": "Hi", "assertions": [{"name": "it", "target": name, **JUDGES[kind]}]}
        for name, (kind, _) in cases.items()
    ]
    files = {"judged.eval.yaml": orjson.dumps({"name": "judged", "tests": asked})}
    judges = [(name, reply) for name, (_, reply) in cases.items()]
    answers = {name: {"output": [{"role": "assistant", "content": "Hello"}]} for name in cases}
    rows = tool.evaluate([stage(tmp_path, "judged.eval.yaml", files, answers, judges)])
    pack, _ = agentv.load(files)
    bench = Bench({name: Voice(reply) for name, reply in judges}.get)
    found = {}
    for task in agentv.compile_tasks(pack):
        outcome = grade_given(task, "Hello", (), SANDBOX, without_assets, bench=bench)
        theirs = rows["judged", task.case_key]
        rules = [[check["passed"] for check in each["checks"]] for each in map(row_of, outcome.grades)]
        ours = STATUSES[outcome.verdict], outcome.score or 0, rules
        checks = [[check["passed"] for check in row["assertions"]] for row in theirs["scores"]]
        if ours != (*outcome_of(theirs), checks):
            found[task.case_key] = ours, outcome_of(theirs), checks, cases[task.case_key][1]
    assert found == {}
    assert {row["execution_status"] for row in rows.values()} == set(STATUSES.values())


def row_of(grade):
    return grade.raw["row"]


def can_be_compared(task):
    """Whether a test of the corpus needs no repository, container, hook or judge."""
    plan, kinds = task.environment.workspace, {spec.kind for spec in task.graders}
    is_plain = plan is None or not (plan.repositories or plan.hooks or task.environment.image)
    return is_plain and task.conversation is None and task.graders and kinds.isdisjoint(JUDGED)


def test_the_corpus_scores_as_in_agentv(tool, tmp_path):
    suites, packs = [], {}
    for folder in sorted(path for path in FOLDER.iterdir() if path.is_dir()):
        files = {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
        files = {name: content for name, content in files.items() if not name.startswith(("run-", ".agentv/targets"))}
        pack, _ = agentv.load(files)
        for suite in pack.input_sets:
            tasks = [task for task in agentv.compile_tasks(pack, suite.key) if can_be_compared(task)]
            name = f"{folder.name}-{len(suites)}"
            if tasks:
                packs[name] = folder, [row_for(pack, suite, task) for task in tasks]
                kept = only(pack, suite, tasks, name)
                answers = {task.case_key: {"output": [{"role": "assistant", "content": said(task)}]} for task in tasks}
                suites.append(stage(tmp_path / name, suite.key, {**files, **agentv.dump(kept)}, answers))
    theirs, found, count = tool.evaluate(suites), {}, 0
    for name, (folder, rows) in packs.items():
        for (_, case), ours in run_grade(folder, rows, tmp_path).items():
            expected = outcome_of(theirs[name, case])
            count += 1
            if (WORDS[ours["verdict"]], ours["score"] or 0) != expected:
                found[name, case] = ours["verdict"], ours["score"], ours["error"], expected
    assert found == {}
    assert count > 30


def only(pack, suite, tasks, name):
    """A pack of one suite with some of its tests, under a name of its own."""
    keys = {task.case_key for task in tasks}
    cases = tuple(case for case in suite.cases if case.key in keys)
    document = {key: value for key, value in suite.document.items() if key != "execution"}
    execution = {key: value for key, value in suite.document.get("execution", {}).items() if "target" not in key}
    document |= {"name": name, **({"execution": execution} if execution else {})}
    return replace(pack, input_sets=(replace(suite, document=document, cases=cases),))


def said(task):
    return task.reference or "OK"


def row_for(pack, suite, task):
    """A row of outputs: the files of a workspace are as the agent found them."""
    contents = {asset.key: asset.content.decode() for asset in pack.assets}
    left = {"files": {file.path: contents[file.asset_key] for file in task.environment.files}}
    files = left if task.environment.workspace else {}
    return {"case_key": task.case_key, "input_set": suite.key, "output": said(task), "events": [ENDING], **files}
