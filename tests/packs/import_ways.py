"""The ways in which a pack comes in, and all that its rows say; each way gets a team of its own."""

import io
import zipfile

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.urls import reverse

from packs.access import Role
from packs.formats.archives import read_path
from packs.models import Pack, Team
from tests.people import client_of, make_member

COLUMNS = ("document", "revision", "findings", "error_count", "warning_count")


def team_with_author(slug):
    """A new team and a session of its author."""
    team = Team.objects.create(slug=slug, name=slug)
    return team, client_of(make_member(team, Role.AUTHOR))


def upload_of(path):
    """Name and bytes of a file; of a folder, those of a zip of it."""
    if path.is_file():
        return path.name, path.read_bytes()
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for file in sorted(file for file in path.rglob("*") if file.is_file()):
            archive.writestr(file.relative_to(path).as_posix(), file.read_bytes())
    return f"{path.name}.zip", data.getvalue()


def by_page(path):
    """Through the form of the import page, looked at first and then confirmed."""
    team, client = team_with_author("by-page")
    file = SimpleUploadedFile(*upload_of(path))
    shown = client.post(reverse("packs:import"), {"team": team.pk, "files": [file]})
    assert shown.status_code == 200, shown.context["findings"]
    assert not team.packs.exists()
    done = client.post(reverse("packs:import-confirm"), {"token": shown.context["preview"].token})
    assert done.status_code == 302
    return team.packs.get()


def by_api(path):
    """As the body of one request."""
    team, client = team_with_author("by-api")
    name, content = upload_of(path)
    address = f"/api/v1/packs/import/?team={team.slug}&name={name}"
    done = client.post(address, content, content_type="application/octet-stream")
    assert done.status_code == 201, done.content
    return Pack.objects.get(pk=done.json()["id"])


def by_command(path):
    """With `manage.py pack import`."""
    team, _ = team_with_author("by-command")
    call_command("pack", "import", str(path), "--team", team.slug, stdout=io.StringIO())
    return team.packs.get()


WAYS = {"page": by_page, "api": by_api, "command": by_command}


def rows_of(pack):
    """Everything that the rows of a draft say, without ids, owners and moments."""
    sets = list(pack.input_sets.order_by("position"))
    cases = [
        [*(getattr(case, name) for name in COLUMNS), case.key, case.challenge_key, case.position, sets.index(row)]
        for row in sets
        for case in row.cases.order_by("position")
    ]
    return {
        "pack": [pack.format, pack.slug, pack.title, pack.status, *(getattr(pack, name) for name in COLUMNS)],
        "errors": pack.problem_errors,
        "warnings": pack.problem_warnings,
        "challenges": list(pack.challenges.order_by("position").values_list(*COLUMNS, "key", "position")),
        "input_sets": list(pack.input_sets.order_by("position").values_list(*COLUMNS, "key", "position")),
        "cases": cases,
        "assets": list(pack.assets.order_by("position").values_list(*COLUMNS, "key", "position", "path", "blob")),
        "files": list(pack.files.order_by("path").values_list("path", "blob")),
    }


def export(pack, target):
    """The canonical files of a draft, written by `manage.py pack export` into a new folder: name to bytes."""
    call_command("pack", "export", pack.slug, "--team", pack.team.slug, "-o", str(target), stdout=io.StringIO())
    files, findings = read_path(target)
    assert findings == []
    return dict(files)


def import_again(pack, target):
    """What is exported after the exported folder was imported once more, by another team."""
    team, _ = team_with_author("again")
    call_command("pack", "import", str(target), "--team", team.slug, stdout=io.StringIO())
    again = team.packs.get()
    return again, export(again, target.with_name("again"))
