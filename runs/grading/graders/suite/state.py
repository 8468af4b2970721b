"""suite.state_check: the state of the environment afterwards, not what the agent claims."""

from collections.abc import Iterator, Mapping
from typing import Any

from runs.grading.graders.contract import Judgement
from runs.grading.graders.suite.scene import Check, Misconfigured, Missing, Trial, described, grade_with, judged
from runs.replay.trajectories.matching import matched_leaves, matches

PARTS = ("http", "logs", "files")


def judge(trial: Trial) -> Judgement:
    """Every expectation holds; the score is the share of single expectations that do."""
    expect = trial.grader.get("expect")
    if not isinstance(expect, Mapping) or not expect:
        raise Misconfigured("the grader expects nothing")
    checks = [*_http(trial, expect), *_logs(trial, expect), *_files(trial, expect)]
    met, count = sum(check.passed for check in checks), len(checks)
    wanted = {name: value for name, value in expect.items() if name not in PARTS}
    if wanted:
        state = trial.supplied.get("state")
        if not isinstance(state, Mapping):
            raise Missing("the final state was not recorded")
        held, leaves = matched_leaves(wanted, dict(state))
        checks.append(Check("state", held == leaves, wanted, {name: state.get(name) for name in wanted}))
        met, count = met + held, count + leaves
    failed = [check for check in checks if not check.passed]
    return judged(not failed, met / count if count else 1.0, described(failed), checks)


def _http(trial: Trial, expect: Mapping[str, Any]) -> Iterator[Check]:
    reported = trial.supplied.get("http")
    recorded = reported if isinstance(reported, list) else []
    for exchange in expect.get("http") or ():
        request, wanted = exchange["request"], exchange["response"]
        name = f"{request.get('method', '')} {request.get('path', '')}"
        answers = [item for item in recorded if isinstance(item, Mapping) and matches(request, item.get("request"))]
        if not answers:
            raise Missing(f"no response to {name} was recorded")
        yield Check(name, _answers(wanted, answers[-1].get("response")), wanted)


def _answers(wanted: Mapping[str, Any], response: Any) -> bool:
    if not isinstance(response, Mapping):
        return False
    contains = wanted.get("contains")
    texts = contains if isinstance(contains, list) else [contains] if isinstance(contains, str) else []
    body = str(response.get("text", response.get("body", response.get("json", ""))))
    rest = {name: value for name, value in wanted.items() if name != "contains"}
    return matches(rest, dict(response)) and all(text in body for text in texts)


def _logs(trial: Trial, expect: Mapping[str, Any]) -> Iterator[Check]:
    wanted = expect.get("logs")
    if not isinstance(wanted, Mapping):
        return
    lines = trial.supplied.get("logs")
    if not isinstance(lines, list):
        raise Missing("no log lines were recorded")
    yield from _contents("logs", wanted, "\n".join(map(str, lines)))


def _contents(name: str, wanted: Mapping[str, Any], text: str) -> Iterator[Check]:
    for part in wanted.get("contains") or ():
        yield Check(f"{name} contains {part[:60]!r}", part in text)
    for part in wanted.get("not_contains") or ():
        yield Check(f"{name} does not contain {part[:60]!r}", part not in text)


def _files(trial: Trial, expect: Mapping[str, Any]) -> Iterator[Check]:
    for path, wanted in (expect.get("files") or {}).items():
        content = trial.file(path)
        must_exist = wanted.get("exists", True)
        yield Check(f"{path} exists", (content is not None) is must_exist, must_exist, content is not None)
        if must_exist:
            yield from _contents(path, wanted, content or "")
        if "equals" in wanted:
            yield Check(f"{path} equals", content == wanted["equals"])


grade = grade_with(judge)
