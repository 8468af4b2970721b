"""Every grading vector of AgentV: loaded as a suite, compiled, and graded as a trial that was handed in."""

import orjson
import pytest

from packs.formats import yamlio
from packs.formats.agentv.compiler import compile_tasks
from packs.formats.agentv.reader import load
from runs.agents.endpoints.contract import ModelReply
from runs.engine.given import grade_given
from runs.engine.outcome import Verdict
from runs.grading.judges import Bench
from runs.sandbox import SANDBOXES
from runs.sandbox.choice import Choice, Policy
from tests.corpora import corpus_folder

FOLDER = corpus_folder("agentv")
DOCUMENT, _ = yamlio.read((FOLDER / "grading_vectors.yaml").read_bytes(), file="v.yaml", dialect=yamlio.CORE_12)
PARAMS = [pytest.param(vector, id=vector["name"]) for vector in DOCUMENT["vectors"]]
STATUSES = {Verdict.PASSED: "ok", Verdict.FAILED: "quality_failure", Verdict.ERROR: "execution_error"}
SANDBOX = Choice(SANDBOXES, Policy())


class Voice:
    """Answers for one model, always the same."""

    name, provider, has_responses = "voices", "here", False

    def __init__(self, text):
        self.text = text

    def ask(self, request):
        return ModelReply(text=self.text, model=request.model)


def suite_of(vector):
    """The files of the suite that a vector describes."""
    test = {"id": vector["name"], "input": "prompt"}
    test |= {
        name: vector[name] for name in ("criteria", "assertions", "expected_output", "execution") if name in vector
    }
    suite = {"$schema": "agentv-eval-v2", "tests": [test]}
    if "suite_assertions" in vector:
        suite["assertions"] = vector["suite_assertions"]
    # JSON is YAML.
    files = {"suite.eval.yaml": orjson.dumps(suite)}
    return files | {name: text.encode() for name, text in DOCUMENT["helpers"].items()}


def events_of(vector):
    """What the agent did, told as events."""
    metrics = vector.get("metrics", {})
    for message in vector.get("messages", ()):
        for call in message.get("tool_calls", ()):
            given = {"arguments": call["input"]} if "input" in call else {}
            yield {"event_type": "tool.call.completed", "payload": {"tool_name": call["tool"], **given}}
    tokens, cost = metrics.get("token_usage"), metrics.get("cost_usd")
    if tokens or cost is not None:
        usage = {f"{name}_tokens": count for name, count in (tokens or {}).items()}
        usage |= {} if cost is None else {"cost_usd": cost}
        yield {"event_type": "model.call.completed", "payload": {"usage": usage}}
    if "duration_ms" in metrics:
        yield {"event_type": "system.run.completed", "payload": {"latency_ms": metrics["duration_ms"]}}


def bench_of(vector):
    voices = {name: Voice(text) for name, text in vector.get("judge_replies", {}).items()}
    voices["judge"] = Voice(vector.get("default_judge_reply", '{"score": 0.5}'))
    return Bench(voices.get)


def graded(vector, generation="classic"):
    """The outcome of a vector."""
    files = suite_of(vector)
    pack, _ = load(files)
    [task] = compile_tasks(pack)
    for spec in task.graders:
        spec.config["test"] |= {"generation": generation, "targets": list(vector.get("judge_replies", ()))}
    output = vector["messages"][-1]["content"] if "messages" in vector else vector["output"]
    contents = {asset.key: asset.content for asset in pack.assets}
    events = list(events_of(vector))
    return grade_given(task, output, events, SANDBOX, lambda file: contents[file.asset_key], bench=bench_of(vector))


def shown(row):
    """A row as a vector writes it."""
    return {
        "name": row["name"],
        "type": row["type"],
        "score": round(row["score"], 6),
        "verdict": row["verdict"],
        "checks": [check["passed"] for check in row["checks"]],
        **({"details": row["details"]} if "details" in row else {}),
        **({"members": [member(each) for each in row["members"]]} if "members" in row else {}),
    }


def member(row):
    return {"name": row["name"], "score": round(row["score"], 6), "verdict": row["verdict"]}


def assert_as_expected(outcome, expect):
    assert STATUSES[outcome.verdict] == expect["status"], outcome.error
    assert round(outcome.score or 0, 6) == expect["score"]
    assert [shown(grade.raw["row"]) for grade in outcome.grades if "graders" in expect] == expect.get("graders", [])


@pytest.mark.parametrize("vector", PARAMS)
def test_scores_verdicts_and_checks_are_those_of_the_reference(vector):
    assert_as_expected(graded(vector), vector["expect"])


@pytest.mark.parametrize("vector", [param for param in PARAMS if "expect_late" in param.values[0]])
def test_the_later_generation_tells_programs_in_its_own_shape(vector):
    assert_as_expected(graded(vector, "pinned"), vector["expect_late"])
