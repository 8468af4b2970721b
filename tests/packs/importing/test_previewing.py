from datetime import timedelta

import pytest
from django.utils import timezone

from packs.formats.findings import MAX_FINDINGS
from packs.importing import ImportRefused, confirm, import_pack, preview
from packs.importing.previewing import LISTED
from packs.models import Edit, Membership, Pack, Upload
from tests.packs.drafts import pack_text


def keys(items, kind):
    return [item.key for item in items if item.kind == kind]


def test_a_preview_lists_what_would_be_new_and_writes_no_pack(team, author):
    found = preview(team, author, {"pack.yaml": pack_text(2)}, "pack.yaml")
    assert (found.slug, found.title, found.is_new, found.can_import) == ("parcels", "Parcels", True, True)
    assert keys(found.created, "case") == ["case-0", "case-1"]
    assert found.counts == {"pack": 1, "challenge": 1, "input_set": 1, "case": 2}
    assert not Pack.objects.exists()


def test_a_preview_lists_what_would_change_in_a_draft_and_changes_nothing(team, author):
    row = import_pack(team, author, {"pack.yaml": pack_text(3)}, "pack.yaml")
    text = pack_text(4).replace(b"Where is parcel case-1?", b"Where?").replace(b"case_key: case-0", b"case_key: other")
    found = preview(team, author, {"pack.yaml": text}, "pack.yaml")
    assert found.pack == row
    assert keys(found.created, "case") == ["other", "case-3"]
    assert keys(found.changed, "case") == ["case-1"]
    assert keys(found.removed, "case") == ["case-0"]
    assert not Edit.objects.exists()


def test_a_preview_says_what_stays_without_effect(team, author):
    text = b"# words\n" + pack_text().replace(b"difficulty: easy", b"difficulty: easy\n    dificulty: hard")
    found = preview(team, author, {"pack.yaml": text, "notes.txt": b"x"}, "folder")
    assert found.has_comments
    assert keys(found.ignored, "key") == ["dificulty"]
    assert keys(found.ignored, "file") == ["notes.txt"]


def test_comments_in_any_of_several_files_are_said(team, author):
    plain = b"tests: [{id: a, input: Hi, criteria: C}]\n"
    for first, second, has_comments in ((plain, b"# why\n" + plain, True), (plain, plain, False)):
        files = {"a.eval.yaml": first, "b.eval.yaml": second, "notes.txt": b"# a heading"}
        assert preview(team, author, files, "folder", format="agentv").has_comments is has_comments


def test_a_long_list_is_cut_and_its_length_is_told(team, author):
    found = preview(team, author, {"pack.yaml": pack_text(LISTED + 5)}, "pack.yaml")
    assert (len(found.created), found.totals["created"]) == (LISTED, LISTED + 5 + 2)


def test_all_findings_are_counted_and_the_first_of_each_kind_is_among_those_that_are_listed(team, author):
    many = MAX_FINDINGS + 50
    head, last, tail = pack_text(many).replace(b"- key: prompt", b"- key: ''").rpartition(b"        case_key:")
    found = preview(team, author, {"pack.yaml": head + b"        casekey: x\n" + last + tail}, "pack.yaml")
    counted = {kind.code: kind.count for kind in found.kinds}
    slips = [finding for finding in found.findings if finding.path[-1] == "casekey"]
    assert [counted[slip.code] for slip in slips] == [1]
    empty = next(finding for finding in found.findings if finding.is_error)
    assert counted[empty.code] == many
    assert found.finding_count == sum(counted.values())
    assert found.totals["ignored"] == 1


def test_a_preview_that_would_be_refused_gives_no_token(team, author):
    found = preview(team, author, {"pack.yaml": b"pack: ["}, "pack.yaml", format="challenge_pack")
    assert found.token is None
    assert found.refused
    assert not Upload.objects.exists()


def test_confirming_imports_just_what_was_previewed(team, author):
    found = preview(team, author, {"pack.yaml": pack_text(2)}, "pack.yaml", slug="mine")
    row = confirm(author, found.token)
    assert (row.slug, row.cases.count(), row.source_name) == ("mine", 2, "pack.yaml")
    assert not Upload.objects.exists()


def test_several_files_are_confirmed_together(team, author):
    found = preview(team, author, {"pack.yaml": pack_text(), "a/b.txt": b"x"}, "folder")
    assert [file.path for file in confirm(author, found.token).files.all()] == ["a/b.txt"]


def test_nobody_else_confirms_a_preview(team, author, administrator, stranger):
    token = preview(team, author, {"pack.yaml": pack_text()}, "pack.yaml").token
    for user in (administrator, stranger):
        with pytest.raises(ImportRefused) as refused:
            confirm(user, token)
        assert refused.value.code == "no_such_upload"


def test_who_is_no_author_any_more_confirms_nothing(team, author):
    token = preview(team, author, {"pack.yaml": pack_text()}, "pack.yaml").token
    Membership.objects.filter(user=author).update(role="viewer")
    with pytest.raises(ImportRefused):
        confirm(author, token)


@pytest.mark.parametrize("token", ["", "nonsense", "00000000-0000-0000-0000-000000000000"])
def test_an_unknown_token_is_refused(author, token):
    with pytest.raises(ImportRefused):
        confirm(author, token)


def test_a_preview_expires_after_a_day(team, author):
    token = preview(team, author, {"pack.yaml": pack_text()}, "pack.yaml").token
    Upload.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(ImportRefused):
        confirm(author, token)
    preview(team, author, {"pack.yaml": pack_text()}, "pack.yaml")
    assert not Upload.objects.filter(token=token).exists()


def test_hundreds_of_thousands_of_blank_lines_are_looked_through_at_once(team, author):
    found = preview(team, author, {"pack.yaml": pack_text() + b"\n" * 300_000}, "pack.yaml")
    assert found.can_import
    assert not found.has_comments


def test_a_preview_says_which_repositories_this_studio_may_not_fetch(team, author, settings):
    suite = (
        b"name: s\nworkspace:\n  repos:\n    - path: ./r\n      source: {type: git, url: 'https://host.example/a/../b'}\n"
        b"tests:\n  - id: t\n    input: q\n    criteria: c\n"
    )
    settings.WORKSPACE_SOURCES = ["https://host.example/a/"]
    found = preview(team, author, {"s.eval.yaml": suite}, "s.eval.yaml")
    warnings = [(finding.file, finding.line) for finding in found.findings if finding.code == "pack.W010"]
    assert warnings == [("s.eval.yaml", 3)]
    settings.WORKSPACE_SOURCES = ["https://host.example/b"]
    assert "pack.W010" not in {f.code for f in preview(team, author, {"s.eval.yaml": suite}, "s.eval.yaml").findings}
