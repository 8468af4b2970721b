"""The judges of published packs, asked of a model server that knows what to say."""

import json

import pytest

from packs.formats import adapter_of
from runs.agents.endpoints.openai import OpenAIEndpoint
from runs.grading.judges import Bench
from tests.corpora import corpus_folder
from tests.openai_server import Answer
from tests.runs.grading.judges.benches import WEB
from tests.runs.tasks import run

FOLDER = corpus_folder("challenge-pack")
PACKS = ["incident-response-llm-judge.yaml", "summarization-faithfulness.yaml", "fibonacci-e2e-showcase.yaml"]


def task_of(name):
    pack, findings = adapter_of("challenge_pack").load({"pack.yaml": (FOLDER / name).read_bytes()})
    assert pack is not None, findings
    return next(adapter_of("challenge_pack").compile_tasks(pack))


def judged(model_server, name, output):
    endpoint = OpenAIEndpoint("models", model_server.url, WEB, max_retries=0)
    bench = Bench(lambda model: endpoint, threads=3)
    task = task_of(name)
    outcome, _ = run(task, "scripted", {"default": output}, bench=bench)
    return task, outcome


@pytest.mark.parametrize("name", PACKS)
@pytest.mark.parametrize(("reply", "score"), [({"score": 5, "pass": True}, 1.0), ({"score": 1, "pass": False}, 0.0)])
def test_every_judge_of_a_pack_is_asked_and_decides_its_dimension(model_server, name, reply, score):
    model_server.reply(json.dumps({**reply, "confidence": "high", "reasoning": "as it is"}))
    task, outcome = judged(model_server, name, '{"incident_id": "INC-1", "severity": "sev1"}')
    dimensions = outcome.scorecard["dimensions"]
    for dimension in task.scoring.dimensions:
        if dimension.source == "llm_judge":
            assert (dimensions[dimension.key]["state"], dimensions[dimension.key]["score"]) == ("available", score)
    samples = sum(judge.samples * len(judge.models) for judge in task.judges)
    assert len(model_server.requests) == samples
    assert {request["model"] for request in model_server.requests} == {
        model for judge in task.judges for model in judge.models
    }


def test_the_judge_limits_of_a_pack_hold(model_server):
    used = {"prompt_tokens": 5000, "completion_tokens": 100, "total_tokens": 5100}
    model_server.answer = lambda request: Answer('{"score": 4, "pass": true}', usage=used)
    task, outcome = judged(model_server, "incident-response-llm-judge.yaml", "Escalate now.")
    # 12,000 tokens: the third call passes the limit.
    assert task.scoring.judge_limits["max_tokens"] == 12_000
    assert len(model_server.requests) == 3
    details = outcome.scorecard["llm_judge_details"]
    assert [judge["confidence"] for judge in details] == ["low", "low"]
    assert all("normalized_score" in judge for judge in details)
