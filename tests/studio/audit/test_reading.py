import json

import pytest

from packs.audit import narrowed, record
from packs.models import AuditEvent
from studio.audit.reading import as_csv, as_jsonl


@pytest.fixture
def events(team, other_team, administrator):
    AuditEvent.objects.all().delete()
    record("member.changed", "ann", team=team, by=administrator, changes={"role": ["viewer", "author"]})
    record("secret.created", "=TRACKER()", team=team)
    record("member.created", "ben", team=other_team)
    return administrator


@pytest.mark.parametrize(
    ("query", "subjects"),
    [
        ({}, ["=TRACKER()", "ann"]),
        ({"kind": "member"}, ["ann"]),
        ({"kind": "secret.created"}, ["=TRACKER()"]),
        ({"person": "ADMIN"}, ["ann"]),
        ({"subject": "track"}, ["=TRACKER()"]),
        ({"team": "other"}, []),
        ({"since": "2000-01-01", "until": "2000-01-02"}, []),
        ({"since": "2000-01-01"}, ["=TRACKER()", "ann"]),
        ({"since": "soon", "until": "2000-13-45"}, ["=TRACKER()", "ann"]),
    ],
)
def test_the_log_is_narrowed(events, query, subjects):
    assert [row.subject for row in narrowed(events, query)] == subjects


def test_the_log_is_a_file_of_json_lines(events):
    lines = [json.loads(line) for line in as_jsonl(narrowed(events, {}))]
    assert [line["kind"] for line in lines] == ["secret.created", "member.changed"]
    assert lines[1]["changes"] == {"role": ["viewer", "author"]}


def test_no_cell_of_the_table_is_run_by_a_spreadsheet(events):
    table = b"".join(as_csv(narrowed(events, {}))).decode("utf-8-sig")
    assert "'=TRACKER()" in table
    assert table.splitlines()[0].startswith("id,at,kind,team,person")
