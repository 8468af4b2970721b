import io
import zipfile

from django.urls import reverse

from tests.packs.drafts import draft_of
from tests.packs.suites import draft_of_suite


def url(slug, variant):
    return reverse("packs:export-variant", args=["default", slug, variant])


def test_what_a_variant_cannot_say_is_shown_before_the_download(as_author, team, author):
    draft_of_suite(team, author)
    (loss,) = as_author.get(url("widgets", "pinned")).context["losses"]
    assert loss.field == "workspace.repos[0].clone.depth"
    data = as_author.get(url("widgets", "pinned"), {"download": "1"}).content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert b"repo: https://example.org/widget.git" in archive.read("widgets.eval.yaml")


def test_the_export_page_leads_to_each_variant_and_to_the_other_pages(as_author, team, author):
    draft_of_suite(team, author)
    text = as_author.get(reverse("packs:export", args=["default", "widgets"])).text
    assert all(url("widgets", variant) in text for variant in ("classic", "pinned", "next"))
    assert reverse("packs:arrangement", args=["default", "widgets"]) in text
    assert reverse("packs:origins", args=["default", "widgets"]) in text


def test_a_variant_that_the_format_does_not_have_is_not_found(as_author, team, author):
    draft_of(team)
    draft_of_suite(team, author)
    assert as_author.get(url("parcels", "pinned")).status_code == 404
    assert as_author.get(url("widgets", "ancient")).status_code == 404
