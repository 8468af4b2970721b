"""Secrets stay out of what a trial leaves behind."""

from runs.engine.redaction import DiscreetRecorder
from runs.tools.redaction import MARK, Redactor


def test_an_event_is_cleared_before_anybody_gets_it():
    given = []
    recorder = DiscreetRecorder("native_engine", given.append, redactor=Redactor(["hush-4711"]))
    recorder.record("tool.call.completed", {"tool_name": "t", "network": [{"path": "/?key=hush%2D4711"}]})
    assert [event["payload"]["network"][0]["path"] for event in given] == [f"/?key={MARK}"]
    assert recorder.events == given
