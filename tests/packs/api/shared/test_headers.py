from drf_spectacular.generators import SchemaGenerator

from packs.models import Pack
from tests.packs.drafts import draft_of


def headers_of(operation, status):
    return set(operation["responses"][status].get("headers", {}))


def test_the_headers_that_are_described_are_those_that_come(as_author, team):
    draft = draft_of(team)
    assert isinstance(draft, Pack)
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    shown = as_author.get(f"/api/v1/packs/{draft.pk}/")
    assert headers_of(paths["/api/v1/packs/{id}/"]["get"], "200") == {"ETag"} <= set(shown.headers)
    exported = as_author.get(f"/api/v1/packs/{draft.pk}/export/")
    described = paths["/api/v1/packs/{id}/export/"]["get"]
    assert headers_of(described, "200") == {"ETag"} <= set(exported.headers)
    again = as_author.get(f"/api/v1/packs/{draft.pk}/export/", headers={"If-None-Match": exported.headers["ETag"]})
    assert again.status_code == 304
    assert headers_of(described, "304") == {"ETag"} <= set(again.headers)
    assert headers_of(paths["/api/v1/packs/{id}/publish/"]["post"], "202") == {"Location"}
