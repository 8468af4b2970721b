"""Exports of a run: JSON, JSON Lines, JUnit XML, one HTML page, trial records with their traces, and run folders."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from xml.sax.saxutils import escape, quoteattr

import orjson
from django.db.models import QuerySet

from runs.models import Run, RunAgent, Trial, TrialStatus
from runs.models.trial_counts import trial_counts_of
from runs.results.calibrating import Doubt, doubtful_judges, doubts_shown
from runs.results.exporting.candidates import as_candidates
from runs.results.exporting.folders import as_classic, as_pinned
from runs.results.pictures.svg import printable
from runs.results.serializers import RunSerializer, TrialDetailSerializer
from runs.results.sharing import redactor_for
from runs.results.sheets.runs import run_sheet
from runs.results.tracing import record_lines
from runs.statistics.shares import Shares, shares_of


def run_document(run: Run) -> dict[str, Any]:
    """The run as JSON values, the shape of the API, with the judges that people disagree with too often."""
    return {**RunSerializer(run).data, "doubtful_judges": doubts_shown(run.version.pack)}


def trial_documents(run: Run) -> Iterator[dict[str, Any]]:
    """Every trial with its grades and its scorecard."""
    # One for all: making a serializer takes longer than what it does.
    document_of = TrialDetailSerializer().to_representation
    for agent in run.agents.order_by("position"):
        for trial in trials_of(agent).prefetch_related("grades").iterator(chunk_size=200):
            yield {**document_of(trial), "scorecard": trial.scorecard}


def trials_of(agent: RunAgent) -> QuerySet[Trial]:
    """The trials of an agent in their order; an index has them so, and the first one comes at once."""
    return Trial.objects.filter(run_agent=agent).order_by("case_position", "number")


def as_json(run: Run) -> Iterator[bytes]:
    """One document: the run and its trials."""
    yield orjson.dumps({"run": run_document(run)})[:-1] + b',"trials":['
    for position, trial in enumerate(trial_documents(run)):
        yield (b"," if position else b"") + orjson.dumps(trial)
    yield b"]}\n"


def as_jsonl(run: Run) -> Iterator[bytes]:
    """One trial a line."""
    doubtful = doubts_shown(run.version.pack)
    about = {"run": run.pk, **({"doubtful_judges": doubtful} if doubtful else {})}
    for trial in trial_documents(run):
        yield orjson.dumps({**about, **trial}) + b"\n"


def as_junit(run: Run) -> Iterator[bytes]:
    """A test suite for each agent, a test case for each trial: what most CI systems show."""
    yield b'<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f"<testsuites name={attribute(run.name)}>\n".encode()
    doubtful = doubtful_judges(run.version.pack)
    for agent in run.agents.order_by("position"):
        yield from junit_suite(run, agent, doubtful)
    yield b"</testsuites>\n"


def junit_suite(run: Run, agent: RunAgent, doubtful: Mapping[str, Doubt]) -> Iterator[bytes]:
    trials, statuses = trials_of(agent).defer("scorecard"), trial_counts_of(run.pk).by_agent.get(agent.pk, Counter())
    shares, errors = shares_of(statuses), statuses[TrialStatus.ERROR]
    yield (
        f'  <testsuite name={attribute(agent.name)} tests="{shares.planned}" failures="{shares.failed}" '
        f'errors="{errors}" skipped="{shares.missing - errors}">\n{properties(shares, doubtful)}'
    ).encode()
    names = dict(run.version.input_sets.values_list("pk", "key"))
    for trial in trials.select_related("case").prefetch_related("grades").iterator(chunk_size=500):
        suite = names[trial.case.input_set_id] if trial.case else run.version.pack.slug
        yield junit_case(trial, suite).encode()
    yield b"  </testsuite>\n"


def properties(shares: Shares, doubtful: Mapping[str, Doubt]) -> str:
    """The pass rate and the coverage of a test suite, which test managers would make otherwise; none without trials.

    Then the judges that people disagree with too often.
    """
    known = [(name, repr(share)) for name, share in shares.as_dict().items() if isinstance(share, float)]
    known += [("doubtful_judge", f"{judge}: {found.described}") for judge, found in doubtful.items()]
    lines = "".join(f'      <property name="{name}" value={attribute(value)}/>\n' for name, value in known)
    return f"    <properties>\n{lines}    </properties>\n" if lines else ""


def junit_case(trial: Trial, suite: str) -> str:
    name = f"{trial.case_key or trial.challenge_key or 'run'} #{trial.number}"
    seconds = trial.seconds or 0.0
    opening = f'    <testcase classname={attribute(suite)} name={attribute(name)} time="{seconds:.3f}"'
    reported = finish_property(trial)
    if trial.status == TrialStatus.PASSED:
        return f"{opening}>\n{reported}    </testcase>\n" if reported else f"{opening}/>\n"
    element = {TrialStatus.FAILED: "failure", TrialStatus.ERROR: "error"}.get(TrialStatus(trial.status), "skipped")
    message = trial.error or "; ".join(
        f"{grade.key}: {grade.reason or grade.verdict}" for grade in trial.grades.all() if grade.verdict != "pass"
    )
    kind = f" type={attribute(trial.fault)}" if trial.fault and element != "skipped" else ""
    body = "" if element == "skipped" else escape(printable(trial.final_output[:2000]))
    text = message or trial.status
    found = f"      <{element} message={attribute(text)}{kind}>{body}</{element}>\n"
    return f"{opening}>\n{reported}{found}    </testcase>\n"


def finish_property(trial: Trial) -> str:
    """What says that a reply of the agent's model was cut off; empty where none was."""
    if not trial.finish_reason:
        return ""
    value = attribute(trial.finish_reason)
    return f'      <properties><property name="finish_reason" value={value}/></properties>\n'


def attribute(text: str) -> str:
    """An attribute's value with its quotes."""
    return quoteattr(printable(text))


def as_html(run: Run) -> Iterator[bytes]:
    """One page that needs nothing else."""
    yield run_sheet(run, redactor_for([run])).encode()


# Names of exports whose files end otherwise.
SUFFIXES = {
    "junit": "xml",
    "traces": "traces.jsonl",
    "agentv": "agentv.zip",
    "agentv-pinned": "agentv.zip",
    "candidates": "zip",
}
# Name of an export -> what writes it, and its media type.
EXPORTS: dict[str, tuple[Callable[[Run], Iterator[bytes]], str]] = {
    "json": (as_json, "application/json"),
    "jsonl": (as_jsonl, "application/x-ndjson"),
    "junit": (as_junit, "application/xml"),
    "html": (as_html, "text/html; charset=utf-8"),
    "traces": (record_lines, "application/x-ndjson"),
    "agentv": (as_classic, "application/zip"),
    "agentv-pinned": (as_pinned, "application/zip"),
    "candidates": (as_candidates, "application/zip"),
}
# Exports that runs of one format only can have.
OF_FORMAT = {"candidates": "benchmark_pack"}


def offered(run: Run) -> list[str]:
    """The names of the exports that a run can have."""
    return [kind for kind in EXPORTS if OF_FORMAT.get(kind, run.version.pack.format) == run.version.pack.format]
