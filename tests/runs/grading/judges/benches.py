"""Judges, evidence and endpoints for tests of asking judges."""

import json
from dataclasses import replace

from packs.formats.task import EvidenceCase, JudgeSpec, Scoring
from runs.agents.endpoints.addresses import AllowList
from runs.agents.endpoints.exchange import Web
from runs.agents.endpoints.openai import OpenAIEndpoint
from runs.grading.graders.evidence import build_evidence
from runs.grading.judges import Bench
from tests.runs.moments import event
from tests.runs.tasks import make_task

STORED = {"schema_version": 1, "payload": {"question": "Where is PX-1?"}}
WEB = Web(AllowList.read(["127.0.0.1"]))


def rubric(key="tone", **more):
    return JudgeSpec(key, "rubric", **{"models": ("small",), "text": "Be kind.", "samples": 1, **more})


def ranking(key="best", **more):
    return JudgeSpec(key, "n_wise", **{"models": ("small",), "text": "Which is best?", "samples": 1, **more})


def judged_task(*judges, limits=None, prices=(), dimensions=(), **more):
    """A task with these judges and limits; its scorecard has these dimensions only."""
    scoring = Scoring(judge_limits=limits or {}, prices=tuple(prices), dimensions=tuple(dimensions))
    return replace(make_task(judges=judges, **more), scoring=scoring)


def evidence_of(output="It is at the hub.", stored=None):
    """The evidence of a trial that gave this output, none where it is None."""
    events = [event(1, "system.run.started")]
    events.append(
        event(2, "system.run.failed", error="gave up")
        if output is None
        else event(2, "system.run.completed", final_output=output)
    )
    return build_evidence([EvidenceCase(STORED if stored is None else stored)], events)


def bench_to(server, *models, threads=1, **more):
    """A bench where the server answers for these models."""
    known = models or ("small",)
    more.setdefault("max_retries", 0)
    endpoint = OpenAIEndpoint("models", server.url, WEB, "sk-planted-4711", **more)
    return Bench(lambda model: endpoint if model in known else None, threads=threads)


def scores(value, **more):
    """A judge's reply as a model gives it."""
    return json.dumps({"score": value, "confidence": "high", "reasoning": "so it is", **more})


def prompt_of(request):
    """What a model was told, as one text."""
    return "\n".join(message["content"] for message in request["messages"])


class Notes:
    """Takes note of the calls that were made."""

    def __init__(self):
        self.answers = []

    def __call__(self, answer):
        self.answers.append(answer)
        return len(self.answers)
