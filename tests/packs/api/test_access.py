"""Every endpoint of the API of packs, asked by a stranger and by each role."""

import json

import pytest
from django.db import transaction

from packs import editing, publish
from packs.access import Permission, Role
from packs.formats.document import NodeKind
from tests.access.roles import MAY
from tests.packs.drafts import draft_of, pack_text
from tests.people import client_of

READ, EDIT, CURATE = Permission.READ, Permission.EDIT, Permission.CURATE
JSON = "application/json"

# Method, address, permission, body. Addresses name the rows of the fixture `places`.
CALLS = [
    ("get", "packs/{pack}/", READ, None),
    ("put", "packs/{pack}/", EDIT, {"document": {}}),
    ("get", "packs/{pack}/findings/", READ, None),
    ("get", "packs/{pack}/export/", READ, None),
    ("get", "packs/{pack}/source/", READ, None),
    ("get", "packs/{pack}/history/", READ, None),
    ("post", "packs/{pack}/changes/", EDIT, {"changes": []}),
    ("post", "packs/{pack}/undo/", EDIT, None),
    ("post", "packs/{pack}/redo/", EDIT, None),
    ("post", "packs/{pack}/publish/", CURATE, {}),
    ("post", "packs/{pack}/archive/", CURATE, None),
    ("post", "packs/{pack}/deprecate/", CURATE, None),
    ("post", "packs/{pack}/restore/", CURATE, None),
    ("get", "packs/{pack}/versions/", READ, None),
    *(("get", f"packs/{{pack}}/{name}/", READ, None) for name in ("challenges", "input-sets", "cases", "assets")),
    *(("post", f"packs/{{pack}}/{name}/", EDIT, {}) for name in ("challenges", "input-sets", "cases", "assets")),
    *(
        (method, f"{name}/{{{name}}}/", READ if method == "get" else EDIT, {"document": {}})
        for name in ("challenges", "input-sets", "cases", "assets")
        for method in ("get", "put", "delete")
    ),
    ("get", "assets/{assets}/content/", READ, None),
    ("put", "assets/{assets}/content/", EDIT, b"bytes"),
    ("get", "versions/{version}/", READ, None),
    ("get", "versions/{version}/input-sets/", READ, None),
    ("get", "versions/{version}/cases/", READ, None),
    ("get", "versions/{version}/export/", READ, None),
    ("post", "versions/{version}/deprecate/", CURATE, None),
    ("post", "versions/{version}/archive/", CURATE, None),
    ("post", "versions/{version}/restore/", CURATE, None),
    ("get", "version-cases/{version_case}/", READ, None),
    ("post", "packs/import/?team=default", EDIT, pack_text()),
    ("post", "packs/import/?team=default&dry_run=true", EDIT, pack_text()),
    ("post", "packs/", EDIT, {"team": "default", "title": "New"}),
]


@pytest.fixture
def places(team):
    draft = draft_of(team)
    asset = editing.add_node(draft, NodeKind.ASSET, None, document={"key": "a", "path": "a.txt"}).node
    version = publish.publish(draft, None)
    return {
        "pack": draft.pk,
        "challenges": draft.challenges.get().pk,
        "input-sets": draft.input_sets.get().pk,
        "cases": draft.cases.first().pk,
        "assets": asset,
        "version": version.pk,
        "version_case": version.cases.first().pk,
    }


def ask(client, places, method, address, body):
    data = body if isinstance(body, bytes) else json.dumps(body or {})
    if method == "get":
        return client.get(f"/api/v1/{address.format(**places)}")
    kind = "application/octet-stream" if isinstance(body, bytes) else JSON
    return getattr(client, method)(f"/api/v1/{address.format(**places)}", data, content_type=kind)


def answers(client, places):
    """Each call with the status of its answer; whatever it did is taken back."""
    for method, address, needed, body in CALLS:
        with transaction.atomic():
            status = ask(client, places, method, address, body).status_code
            transaction.set_rollback(True)
        yield method, address, needed, status


def test_a_stranger_sees_nothing_and_nobody_must_sign_in(places, as_stranger, as_nobody):
    for client, expected in ((as_stranger, 404), (as_nobody, 401)):
        wrong = [
            (method, address, status) for method, address, _, status in answers(client, places) if status != expected
        ]
        assert wrong == []


@pytest.mark.parametrize("role", Role)
def test_each_role_may_do_what_it_grants(places, members, role):
    for method, address, needed, status in answers(client_of(members[role]), places):
        assert (status == 403) == (needed not in MAY[role]), (method, address, status)
        assert status != 404 or address.endswith(("source/", "content/")), (method, address)


def test_a_stranger_finds_nothing_in_lists(places, as_stranger):
    assert as_stranger.get("/api/v1/packs/").json()["results"] == []
    assert [team["slug"] for team in as_stranger.get("/api/v1/teams/").json()] == ["other"]
