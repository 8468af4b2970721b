"""Every scoring vector of the corpus: one validator on a pair of texts, and whole runs."""

from datetime import UTC, datetime, timedelta

import pytest
import yaml

from packs.formats.challenge_pack.compiler import compile_tasks
from packs.formats.challenge_pack.definition import compile_scoring
from packs.formats.document import Asset, Case, InputSet, Pack
from packs.formats.task import GraderSpec
from runs.grading.graders import grade
from runs.grading.graders.evidence import build_evidence
from runs.grading.graders.values import parse_json
from runs.grading.scoring import score
from runs.grading.scoring.results import JudgeResult
from tests.corpora import corpus_folder

FILE = corpus_folder("challenge-pack") / "scoring-vectors.yaml"
START = datetime(2026, 3, 15, tzinfo=UTC)

# Written by PyYAML, so read with it: 1e+06 without quotes is a text there.
vectors = yaml.load(FILE.read_text(), Loader=yaml.CSafeLoader)
ALWAYS_PASSES = {"key": "always", "type": "contains", "target": "literal:x", "expected_from": "literal:x"}
FILE_KINDS = ("file_exists", "file_content_match", "file_json_schema", "directory_structure")


def named(kind):
    return [pytest.param(vector, id=vector["name"]) for vector in vectors[kind]]


def rounded(value):
    return round(value, 6) if isinstance(value, float) else value


def as_json_if_object(text):
    if not isinstance(text, str) or not text.startswith(("{", "[")):
        return text
    try:
        return parse_json(text)
    except ValueError:
        return text


def events_of(vector):
    for number, event in enumerate(vector.get("events", ()), 1):
        yield {
            "sequence_number": number,
            "event_type": event["type"],
            "source": event.get("source", "native_engine"),
            "occurred_at": (START + timedelta(milliseconds=event.get("ms", number))).isoformat(),
            "payload": event["payload"],
        }


def final_output(text):
    event = {"event_type": "system.output.finalized", "payload": {"final_output": text}}
    return [] if text is None else [{"sequence_number": 1} | event]


def captured_file(text):
    event = {"event_type": "grader.verification.file_captured"}
    payload = {"key": "f", "path": "/w/f", "exists": True, "content": text, "size": 0}
    return [] if text is None else [{"sequence_number": 1, "payload": payload} | event]


@pytest.mark.parametrize("vector", named("validators"))
def test_a_validator_judges_a_pair_of_texts_as_stated(vector):
    is_file = vector["type"] in FILE_KINDS
    events = captured_file(vector["actual"]) if is_file else final_output(vector["actual"])
    spec = GraderSpec(
        key="v",
        kind=vector["type"],
        target="file:f" if is_file else "final_output",
        expected=f"literal:{vector['expected']}" if "expected" in vector else "",
        config=vector.get("config"),
    )
    found = grade(spec, build_evidence([], events))
    assert grade_shape(found, vector) == {name: vector[name] for name in vector if name in GRADE_SHAPE}


GRADE_SHAPE = {
    "state": lambda found: found.state.value,
    "verdict": lambda found: found.verdict and found.verdict.value,
    "score": lambda found: rounded(found.score),
    "outcome": lambda found: found.outcome.value,
    "actual": lambda found: found.actual,
    "source": lambda found: found.source and found.source.as_dict(),
}


def grade_shape(found, wanted):
    shape = {name: read(found) for name, read in GRADE_SHAPE.items()}
    if found.actual is None and "actual" in wanted:
        shape["actual"] = wanted["actual"]
    return {name: shape[name] for name in wanted if name in GRADE_SHAPE}


def complete(spec):
    """A vector's partial spec with what the file says is assumed."""
    spec = {"name": "n", "version_number": 1, "judge_mode": "deterministic", "validators": [ALWAYS_PASSES]} | spec
    return spec | {"scorecard": {"dimensions": ["correctness"]} | spec.get("scorecard", {})}


def evidence_cases(vector):
    """The cases as compiling a pack of them gives them."""
    cases = [Case(case["case_key"], case["challenge_key"], case) for case in vector.get("cases", ())]
    assets = [Asset(asset["key"], asset.get("path", ""), asset) for asset in vector.get("version_assets", ())]
    document = {"version": {"number": 1, "evaluation_spec": {}}}
    pack = Pack("challenge_pack", "p", document, (), (InputSet("s", {"key": "s"}, tuple(cases)),), tuple(assets))
    return [task.evidence for task in compile_tasks(pack)]


def judge_results(vector):
    for judge in vector.get("judges", ()):
        yield JudgeResult(judge["judge_key"], judge["mode"], judge["normalized_score"], reason=judge.get("reason", ""))


def scored(vector):
    graders, _, scoring = compile_scoring(complete(vector["spec"]))
    evidence = build_evidence(evidence_cases(vector), events_of(vector))
    judges = list(judge_results(vector))
    return score(scoring, graders, evidence, judges, vector.get("human_preference_score"))


def metric_shape(result):
    shape = {"state": result.state.value}
    if isinstance(result.value, bool):
        return shape | {"flag": result.value}
    return shape if result.value is None else shape | {"value": rounded(result.value)}


def dimension_shape(result):
    shape = {"state": result.state.value}
    return shape if result.score is None else shape | {"score": rounded(result.score)}


def overall_shape(card):
    return {
        "score": rounded(card.score),
        "passed": card.passed,
        "status": card.status,
        "validity": card.validity,
        "strategy": card.scoring.strategy,
    }


def comparable(value):
    """Texts that are JSON objects compare as JSON."""
    if isinstance(value, dict):
        return {name: comparable(item) for name, item in value.items()}
    return as_json_if_object(value)


@pytest.mark.parametrize("vector", named("runs"))
def test_a_run_is_scored_as_stated(vector):
    card = scored(vector)
    wanted = vector["expect"]
    assert set(wanted) <= {"validators", "metrics", "dimensions", "overall"}
    grades = {found.key: found for found in card.grades}
    metrics = {result.metric.key: metric_shape(result) for result in card.metrics}
    dimensions = {result.dimension.key: dimension_shape(result) for result in card.dimensions}
    found = {
        "validators": {
            key: {name: GRADE_SHAPE[name](grades[key]) for name in expected}
            for key, expected in wanted.get("validators", {}).items()
        },
        "metrics": {key: metrics[key] for key in wanted.get("metrics", {})},
        "dimensions": {key: dimensions[key] for key in wanted.get("dimensions", {})},
        "overall": overall_shape(card),
    }
    assert comparable({part: found[part] for part in wanted}) == comparable(wanted)
