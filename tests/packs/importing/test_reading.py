import pytest

from packs.importing import ImportRefused
from packs.importing.reading import free_slug, read, slug_of
from tests.packs.drafts import draft_of, pack_text


@pytest.mark.parametrize(
    ("text", "slug"),
    [
        ("Parcel desk", "parcel-desk"),
        ("Ä--ö", "a-o"),
        ("_x_", "x"),
        ("🙂", ""),
        ("a" * 200, "a" * 120),
        ("a" * 119 + " b", "a" * 119),
    ],
)
def test_a_slug_is_made_of_any_name(text, slug):
    assert slug_of(text) == slug


def test_the_slug_is_the_packs_own_key_or_the_name_of_the_file(team):
    assert read(team, {"p.yaml": pack_text()}, "some file.yaml").slug == "parcels"
    odd = pack_text().replace(b"slug: parcels", "slug: 🙂".encode())
    assert read(team, {"p.yaml": odd}, "some file.yaml").slug == "some-file"
    assert read(team, {"p.yaml": odd}, "🙂.yaml").slug == "pack"


def test_a_new_pack_has_the_slug_that_it_is_given_else_that_of_its_title(team):
    assert free_slug(team, "Parcel desk") == "parcel-desk"
    assert free_slug(team, "Parcel desk", "own") == "own"
    draft_of(team, slug="own")
    for slug in ("not one", "own"):
        with pytest.raises(ImportRefused):
            free_slug(team, "Parcel desk", slug)


def test_a_slug_that_nobody_asked_for_gets_a_number_where_it_is_taken(team, other_team):
    draft_of(other_team, slug="own")
    assert (free_slug(team, "Own"), free_slug(team, "🙂")) == ("own", "pack")
    for slug in ("own", "own-2", "a" * 120):
        draft_of(team, slug=slug)
    assert (free_slug(team, "Own"), free_slug(team, "a" * 200)) == ("own-3", f"{'a' * 118}-2")


def test_the_draft_that_has_the_slug_is_found_in_the_own_team_only(team, other_team):
    draft = draft_of(team)
    assert read(team, {"p.yaml": pack_text()}, "p").pack == draft
    assert read(other_team, {"p.yaml": pack_text()}, "p").pack is None


def test_a_draft_of_another_format_is_not_overwritten(team):
    draft_of(team)
    team.packs.update(format="agentv")
    found = read(team, {"p.yaml": pack_text()}, "p")
    assert (found.slug, found.pack, found.refused) == ("parcels-2", None, [])
    asked = read(team, {"p.yaml": pack_text()}, "p", slug="parcels")
    assert [finding.code for finding in asked.refused] == ["pack.E011"]


def test_errors_in_the_content_are_no_reason_to_refuse(team):
    found = read(team, {"p.yaml": pack_text().replace(b"family: logistics", b"family: ''")}, "p")
    assert any(finding.is_error for finding in found.findings)
    assert found.refused == []


def test_a_pack_in_a_later_revision_comes_in_converted_and_says_so(team):
    checker = b'{"checker": {"source": "script", "path": "run.sh"}}'
    row = b'{"id": "a", "family": "terminal_task", "input": {"instructions": "I"}, "eval": ' + checker + b"}\n"
    manifest = b"id: quiz\nversion: 1\ndefaults: {environment: {image: i}}\n"
    files = {"manifest.yaml": manifest, "tasks.jsonl": row, "hidden/run.sh": b"true"}
    found = read(team, files, "quiz")
    assert [(finding.code, finding.line) for finding in found.findings] == [("benchmark_pack.W601", 1)]
    assert found.tree.input_sets[0].cases[0].document["eval"]["run_tests"] == {"path": "run.sh"}
