import json
from urllib.parse import urlencode

import pytest

from packs.formats import FORMATS
from packs.formats.tables.texts import OTHER_ENCODING
from packs.jobs import execute_job
from packs.models import Job, Pack
from tests.packs.grid.benchmark import grid_draft

NEW = "/api/v1/packs/table/"
TEXT = "Frage;Antwort\nWhere is PX-1?;Leeds\nWhere is PX-2?;York\n"


def send(client, url, text=TEXT, **asked):
    data = text if isinstance(text, bytes) else text.encode()
    return client.post(f"{url}?{urlencode(asked)}", data, content_type="text/csv")


@pytest.mark.parametrize("name", list(FORMATS))
def test_a_table_becomes_a_pack_of_any_format(as_author, name):
    looked = send(as_author, NEW, title="Parcel desk", format=name, dry_run="true").json()
    assert (looked["format"], looked["added"], looked["refused"], looked["broken"]) == (name, 2, 0, 0)
    assert looked["mapping"]["Antwort"] == "answer"
    assert not Pack.objects.exists()
    made = send(as_author, NEW, title="Parcel desk", format=name)
    assert made.status_code == 201
    assert (made.json()["slug"], made.json()["counts"]["cases"], made.json()["error_count"]) == ("parcel-desk", 2, 0)


def test_every_line_that_stands_in_the_way_is_in_the_answer(as_author):
    answer = send(as_author, NEW, f"{TEXT}Why?;\n;so\n", title="Parcel desk")
    assert answer.status_code == 422
    assert [(item["code"], item["line"]) for item in answer.json()["findings"]] == [
        ("table.E001", 4),
        ("table.E001", 5),
    ]
    assert not Pack.objects.exists()


def test_columns_are_named_in_words(as_author):
    mapping = json.dumps({"Frage": "answer", "Antwort": "question"})
    looked = send(as_author, NEW, title="x", format="agentv", mapping=mapping, dry_run="true").json()
    assert looked["mapping"] == {"Frage": "answer", "Antwort": "/input"}
    for wrong in ("nonsense", '["a"]', '{"Frage": 1}', '{"None": "answer"}', '{"Frage": "nothing"}'):
        assert send(as_author, NEW, title="x", mapping=wrong).status_code == 422, wrong
    assert send(as_author, NEW).status_code == 422
    assert send(as_author, NEW, title="x", format="benchmark_pack", check="regex_match").status_code == 422


def test_a_table_changes_and_adds_cases_of_a_set(as_author, team):
    draft = grid_draft(team)
    url = f"/api/v1/packs/{draft.pk}/table/"
    text = "id,question,accepted_answers\nrow-1,Why?,1 parcels\nnew,When?,now\n"
    looked = send(as_author, url, text, dry_run="true").json()
    assert (looked["added"], looked["changed"]) == (1, 1)
    assert draft.edits.count() == 0
    assert send(as_author, url, text, input_set=draft.input_sets.get().pk).json()["added"] == 1
    assert draft.cases.get(key="row-1").document["input"] == {"question": "Why?"}
    assert send(as_author, url, "id,question\nempty,\n").status_code == 422
    assert send(as_author, url, text, input_set=10**9).status_code == 422
    assert draft.cases.count() == 7


def test_a_table_in_another_encoding_says_how_it_was_read(as_author, team):
    text = "question,answer\nWo ist Jürgen?,Köln\n"
    for url, more in ((NEW, {"title": "x"}), (f"/api/v1/packs/{grid_draft(team).pk}/table/", {})):
        looked = [send(as_author, url, text.encode(name), dry_run="true", **more) for name in ("utf-8", "cp1252")]
        assert [answer.json()["note"] for answer in looked] == ["", OTHER_ENCODING], url


@pytest.mark.parametrize(("asked", "kind"), [({}, "table-pack"), ({"dry_run": "true"}, "table-pack-look")])
def test_a_long_table_is_a_jobs_work(as_author, monkeypatch, asked, kind):
    monkeypatch.setattr("packs.api.tables.MANY_CASES", 1)
    answer = send(as_author, NEW, title="Parcel desk", **asked)
    assert answer.status_code == 202
    job = Job.objects.get()
    execute_job(job.pk)
    done = as_author.get(answer["Location"]).json()
    assert (done["kind"], done["status"], done["outcome"]["added"]) == (kind, "completed", 2)
    assert Pack.objects.count() == (kind == "table-pack")


def test_a_long_table_for_a_set_is_a_jobs_work(as_author, team, monkeypatch):
    monkeypatch.setattr("packs.api.tables.MANY_CASES", 1)
    draft = grid_draft(team)
    text = "id,question,accepted_answers\na,Why?,x\nb,When?,now\n"
    assert send(as_author, f"/api/v1/packs/{draft.pk}/table/", text).status_code == 202
    execute_job(Job.objects.get().pk)
    assert draft.cases.count() == 8
