from dataclasses import asdict

from packs import blobs
from packs.formats.tables import read_table
from packs.grid.beginnings import likely_recipe
from packs.models import Pack, PackStatus, Upload

TEXT = b"question,answer\nWhere is PX-1?,Leeds\nWhere is PX-2?,York\n"


def parameters(team, author, text=TEXT, **more):
    waiting = Upload.objects.create(
        team=team, user=author, name="t.csv", blob=blobs.put(text), format="table", expires_at="2999-01-01T00:00Z"
    )
    recipe = asdict(likely_recipe(read_table(text), "challenge_pack", "Parcels"))
    return {"upload": str(waiting.token), "names": True, "errors": False, "recipe": recipe, **more}


def test_a_table_becomes_a_pack(work, team, author):
    done = work("table-pack", parameters=parameters(team, author))
    assert done.outcome == {"slug": "parcels", "added": 2}
    assert (done.pack.cases.count(), done.pack.title) == (2, "Parcels")
    assert not Upload.objects.exists()


def test_looking_at_a_table_writes_nothing(work, team, author):
    done = work("table-pack-look", parameters=parameters(team, author, b"question,answer\na?,\nb?,x\n"))
    assert (done.outcome["added"], done.outcome["troubles"][0]["line"]) == (1, 2)
    assert not Pack.objects.exists()


def test_a_draft_that_another_worker_left_unfinished_goes(work, team, author):
    left = Pack.objects.create(team=team, slug="parcels", format="challenge_pack", status=PackStatus.IMPORTING)
    done = work("table-pack", parameters=parameters(team, author, pack=left.pk))
    assert Pack.objects.get() == done.pack


def test_a_table_that_waits_no_more_and_a_team_that_was_left_make_nothing(work, team, author):
    given = parameters(team, author)
    author.memberships.update(role="viewer")
    assert work("table-pack", parameters=given).status == "failed"
    author.memberships.update(role="author")
    Upload.objects.all().delete()
    gone = work("table-pack", parameters=given)
    assert (gone.status, gone.outcome["code"]) == ("refused", "no_such_upload")
    assert not Pack.objects.exists()
