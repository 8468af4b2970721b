import json

import pytest

from packs import blobs, editing
from packs.exporting import export_draft
from packs.formats.archives import write_zip
from packs.formats.benchmark_pack import reader
from packs.importing import import_pack
from packs.models import Case, Pack, Upload
from tests.packs.grid.benchmark import MANIFEST, grid_draft, row, rows_of


def files_of(rows):
    lines = b"".join(json.dumps(item).encode() + b"\n" for item in rows)
    return {"manifest.yaml": MANIFEST, "tasks.jsonl": lines}


def stored(files):
    return {name: blobs.put(data).digest for name, data in files.items()}


@pytest.fixture
def look(work):
    def act(files, **more):
        return work("look", parameters={"files": stored(files), "name": "upload.zip", **more})

    return act


@pytest.fixture
def long_ones(monkeypatch):
    monkeypatch.setattr(reader, "LONG", 0)


@pytest.mark.parametrize("way", ["short", "long"])
def test_a_large_upload_is_looked_at_and_imported_as_a_small_one_is(look, work, team, author, request, way):
    if way == "long":
        request.getfixturevalue("long_ones")
    files = files_of([*rows_of(30), row(1), {"id": "broken"}])
    looked = look(files, slug="large")
    assert looked.status == "completed"
    assert (looked.outcome["counts"]["case"], looked.outcome["totals"]["created"]) == (32, 33)
    assert looked.outcome["findings"]
    assert not Pack.objects.exists()
    done = work("import", parameters={"token": looked.outcome["token"]})
    assert (done.status, done.pack.slug, done.pack.status) == ("completed", "large", "draft")
    same = import_pack(team, author, files, "same", slug="same")
    assert export_draft(done.pack).files == export_draft(same).files
    assert (done.pack.problem_errors, done.pack.problem_warnings) == (same.problem_errors, same.problem_warnings)
    assert not Upload.objects.exists()


def test_of_many_packs_in_a_large_upload_one_is_chosen(work, team):
    both = {f"{name}/{file}": data for name in ("one", "two") for file, data in files_of(rows_of(2)).items()}
    asked = {"files": stored({"both.zip": write_zip(both)}), "name": "both.zip"}
    assert list(work("look", parameters=asked).outcome["packs"]) == ["one", "two"]
    looked = work("look", parameters={**asked, "chosen": "two"})
    done = work("import", parameters={"token": looked.outcome["token"]})
    assert done.pack.cases.count() == 2


def test_an_upload_that_has_a_draft_changes_it_and_can_be_undone(look, work, team, author):
    draft = grid_draft(team)
    looked = look(files_of([row(1), row(99)]), slug="rows")
    assert looked.outcome["pack"] == draft.pk
    done = work("import", parameters={"token": looked.outcome["token"]})
    assert done.pack == draft
    assert sorted(draft.cases.values_list("key", flat=True)) == ["row-1", "row-99"]
    editing.undo(draft, author)
    assert draft.cases.count() == 6


def test_files_that_are_refused_leave_nothing_behind(look, work):
    looked = look({"manifest.yaml": MANIFEST, "tasks.jsonl": b'\xff{"id": 1}\n'})
    assert looked.status == "completed"
    assert looked.outcome["refused"]
    assert looked.outcome["token"] == ""
    refused = work("import", parameters={"token": ""})
    assert (refused.status, refused.outcome["code"]) == ("refused", "no_such_upload")
    assert not Pack.objects.exists()


def test_an_import_that_is_stopped_while_it_writes_leaves_nothing_behind(look, work, monkeypatch):
    looked = look(files_of(rows_of(10)))

    def stop(self, done):
        raise RuntimeError("power cut")

    monkeypatch.setattr("packs.jobs.progress.Progress.tick", stop)
    monkeypatch.setattr("packs.jobs.acts.watched", lambda tree, progress, phase: tree)
    broken = work("import", parameters={"token": looked.outcome["token"]})
    assert broken.status == "failed"
    assert not Pack.objects.exists()
    assert not Case.objects.exists()
    assert Upload.objects.count() == 1


def test_an_export_gives_the_canonical_files(work, team):
    draft = grid_draft(team)
    done = work("export", pack=draft)
    assert done.outcome["digest"] == export_draft(draft).digest
    assert done.outcome["name"] == "rows.zip"
    assert done.blob.size == done.outcome["size"]


def test_all_that_match_are_changed_by_a_job(work, team, author):
    draft = grid_draft(team)
    wish = {"act": "set", "pointer": "/metadata/level", "text": "tough", "find": ""}
    asked = {"q": "metadata.level:hard"}
    given = {"set": draft.input_sets.get().pk, "asked": asked, "target": None, "first": False}
    done = work("change", pack=draft, parameters={**given, "act": "edit", "wish": wish})
    assert done.outcome == {"changed": 3, "unchanged": 0, "refused": 0, "renamed": []}
    assert draft.cases.get(key="row-1").document["metadata"]["level"] == "tough"
    removal = {**given, "asked": {"q": "tough"}, "act": "remove", "wish": None}
    assert work("change", pack=draft, parameters=removal).outcome == {"changed": 3, "unchanged": 0, "refused": 0}
    assert sorted(draft.cases.values_list("key", flat=True)) == ["row-0", "row-2", "row-4"]


def test_a_long_table_is_taken_by_a_job(work, team, author):
    draft = grid_draft(team)
    text = b"id,Frage\nnew,Why?\nrow-1,When?\n"
    waiting = Upload.objects.create(
        team=team, user=author, name="t.csv", blob=blobs.put(text), format="table", expires_at="2999-01-01T00:00Z"
    )
    mapping = {"id": "/id", "Frage": "/input/question"}
    given = {"set": draft.input_sets.get().pk, "upload": str(waiting.token), "mapping": mapping}
    done = work("table", pack=draft, parameters={**given, "names": True, "adds": False, "errors": True})
    assert done.outcome == {"added": 1, "changed": 1}
    assert draft.cases.get(key="row-1").document["input"]["question"] == "When?"


def test_who_may_not_edit_any_more_changes_nothing(work, team, author):
    draft = grid_draft(team)
    author.memberships.update(role="viewer")
    failed = work("change", pack=draft, parameters={"set": draft.input_sets.get().pk, "asked": {}, "act": "remove"})
    assert failed.status == "failed"
    assert draft.cases.count() == 6


def test_a_key_of_metadata_is_renamed_by_a_job_and_undone_at_once(work, team, author):
    pack = grid_draft(team, [{**row(at), "metadata": {"level": at}} for at in range(3)])
    done = work("rename-metadata", pack=pack, parameters={"steps": ["level"], "name": "rank"})
    assert done.outcome == {"changed": 3, "refused": 0}
    assert [case.document["metadata"] for case in pack.cases.order_by("position")] == [{"rank": at} for at in range(3)]
    pack.refresh_from_db()
    editing.undo(pack, author)
    assert pack.cases.first().document["metadata"] == {"level": 0}


def test_fixes_of_a_large_draft_are_one_edit_of_a_job(work, team, author):
    rows = [row(at) for at in range(3)]
    pack = grid_draft(team, [{"metdata": each.pop("metadata", {}), **each} for each in rows])
    before = [case.document["metdata"] for case in pack.cases.order_by("position")]
    done = work("fix", pack=pack, parameters={"code": "benchmark_pack.W110"})
    assert done.outcome == {"changed": 3}
    assert [case.document["metadata"] for case in pack.cases.order_by("position")] == before
    pack.refresh_from_db()
    editing.undo(pack, author)
    assert [case.document["metdata"] for case in pack.cases.order_by("position")] == before
