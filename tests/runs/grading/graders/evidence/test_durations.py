from datetime import UTC, datetime, timedelta

import pytest

from packs.formats.task import Metric, Scoring
from runs.grading.graders.evidence import build_evidence
from runs.grading.graders.evidence.durations import milliseconds
from runs.grading.scoring import score


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        ("2026-03-15T00:00:00Z", "2026-03-15T00:00:01.2349Z", 1234),
        ("2026-03-15T00:00:00Z", "2026-03-15T02:00:00+02:00", 0),
        ("2026-03-15T00:00:00", "2026-03-15T00:00:00.5Z", 500),
        ("2026-03-15T00:00:00Z", "2026-03-15T00:00:00.123456789Z", 123),
        (datetime(2026, 3, 15, tzinfo=UTC), datetime(2026, 3, 15, tzinfo=UTC) + timedelta(minutes=1), 60_000),
        ("yesterday", "2026-03-15", None),
        (None, "2026-03-15", None),
        (5, 6, None),
    ],
)
def test_the_time_between_two_stamps_is_in_whole_milliseconds(start, end, expected):
    assert milliseconds(start, end) == expected


def measured(collector, *timed):
    listed = [
        {
            "sequence_number": number,
            "event_type": kind,
            "occurred_at": f"2026-01-01T00:00:0{second}Z",
            "payload": payload,
        }
        for number, (kind, second, payload) in enumerate(timed, 1)
    ]
    metrics = (Metric("m", "numeric", collector),)
    return score(Scoring(metrics=metrics), (), build_evidence([], listed)).metrics[0].value


STARTED, AGAIN = ("system.run.started", 1, {}), ("system.run.started", 2, {})


def test_latency_runs_from_the_first_start_to_the_last_end():
    ends = [("system.run.failed", 4, {}), ("system.run.completed", 6, {})]
    assert measured("run_total_latency_ms", STARTED, AGAIN, *ends) == 5000
    assert measured("run_total_latency_ms", *ends) is None
    assert measured("run_total_latency_ms", STARTED) is None


def test_a_latency_that_the_completion_reports_wins():
    assert measured("run_total_latency_ms", STARTED, ("system.run.completed", 6, {"latency_ms": 12.9})) == 12


def test_the_first_output_is_a_delta_or_the_finalized_one():
    delta, finalized = ("model.output.delta", 3, {}), ("system.output.finalized", 5, {})
    assert measured("run_ttft_ms", STARTED, delta, finalized) == 2000
    assert measured("run_ttft_ms", STARTED, finalized) == 4000
    assert measured("run_ttft_ms", delta) is None
