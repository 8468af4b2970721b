import uuid

import pytest

from packs import blobs, editing, exporting, publish
from packs.access import FrozenError
from packs.editing import Change
from packs.formats import adapter_of
from packs.formats.checking import check_files
from packs.formats.document import NodeKind
from packs.importing import import_pack, seed
from packs.mirror import read_tree, read_version
from packs.models import Artifact, PackStatus, PackVersion, VersionCase, VersionInputSet, VersionStatus
from packs.publish import PublishRefused, blockers
from tests.packs.drafts import draft_of, pack_text
from tests.packs.formats.challenge_pack.samples import code_of, entries, files_of


@pytest.fixture
def draft(team):
    return draft_of(team)


def state_number(draft, author, number):
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/version/number", number)], author)


def test_a_version_is_the_draft_as_it_was(draft, author):
    version = publish.publish(draft, author, "First light")
    assert (version.number, version.notes, version.published_by, version.case_count) == (1, "First light", author, 3)
    assert read_version(version) == read_tree(draft)
    assert draft.status == PackStatus.ACTIVE
    assert version.status == VersionStatus.RUNNABLE
    assert version.digest == blobs.digest_of_files(exporting.export_draft(draft).files)
    assert exporting.export_version(version).files == exporting.export_draft(draft).files


def test_the_cases_of_a_version_hold_their_stored_documents(draft, author):
    version = publish.publish(draft, author)
    case = version.cases.order_by("position").first()
    assert case.stored == adapter_of("challenge_pack").stored_document(read_tree(draft).input_sets[0].cases[0])
    assert (case.key, case.challenge_key, case.position) == ("case-0", "locate", 0)
    assert len(case.digest) == 64
    assert VersionInputSet.objects.get(version=version).case_count == 3


def test_a_worker_reads_only_the_cases_it_needs(draft, author):
    version = publish.publish(draft, author)
    wanted = version.cases.filter(key="case-1")
    (input_set,) = read_version(version, wanted).input_sets
    assert [case.key for case in input_set.cases] == ["case-1"]


def test_a_version_stays_when_the_draft_goes_on(draft, author):
    version = publish.publish(draft, author)
    frozen = read_version(version)
    editing.remove_node(draft, NodeKind.INPUT_SET, draft.input_sets.get().pk, author)
    assert read_version(PackVersion.objects.get(pk=version.pk)) == frozen


def test_published_rows_refuse_every_change(draft, author):
    version = publish.publish(draft, author)
    for row in (version, version.input_sets.get(), version.cases.first()):
        row.position = row.number = 9
        with pytest.raises(FrozenError):
            row.save()
        with pytest.raises(FrozenError):
            row.save(update_fields=["document"])
    with pytest.raises(FrozenError):
        PackVersion.objects.update(number=9)
    with pytest.raises(FrozenError):
        VersionCase.objects.filter(version=version).update(stored={})
    with pytest.raises(FrozenError):
        VersionCase.objects.bulk_update(list(version.cases.all()), ["stored"])


def test_a_draft_with_errors_is_refused_with_all_of_them(draft, author):
    case = draft.cases.order_by("position").last()
    changes = [Change(NodeKind.CASE, case.pk, "/challenge_key"), Change(NodeKind.PACK, draft.pk, "/pack/name", " ")]
    editing.apply(draft, changes, author)
    with pytest.raises(PublishRefused) as refused:
        publish.publish(draft, author)
    assert refused.value.code == "pack_has_errors"
    paths = {finding.field_path for finding in refused.value.findings}
    assert paths == {"pack.name", "input_sets[0].cases[2].challenge_key"}
    assert not PackVersion.objects.exists()


def test_a_number_is_published_once(draft, author):
    publish.publish(draft, author)
    with pytest.raises(PublishRefused) as refused:
        publish.publish(draft, author)
    assert refused.value.code == "challenge_pack_version_exists"
    assert publish.next_number(draft) == 2
    state_number(draft, author, 7)
    assert publish.publish(draft, author).number == 7
    assert publish.next_number(draft) == 8


def test_publishing_under_a_number_writes_it_into_the_draft(draft, author):
    publish.publish(draft, author)
    version = publish.publish(draft, author, number=2)
    assert version.number == 2
    assert draft.document["version"]["number"] == 2


@pytest.mark.parametrize("code", ["challenge_pack.W302", "challenge_pack.W303"])
def test_a_case_without_content_is_refused_and_the_check_says_so_before(team, author, code):
    files = next(files_of(entry) for entry in entries() if code_of(entry) == code)
    checked = check_files(files)
    assert (checked.is_valid, checked.is_fine) == (True, False)
    with pytest.raises(PublishRefused) as refused:
        publish.publish(import_pack(team, author, files, "pack.zip"), author)
    assert [finding.code for finding in refused.value.findings] == ["challenge_pack.E992"]


def test_a_refused_number_is_not_written(draft, author):
    publish.publish(draft, author)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, "/pack/name", "")], author)
    with pytest.raises(PublishRefused):
        publish.publish(draft, author, number=2)
    draft.refresh_from_db()
    assert draft.document["version"]["number"] == 1


@pytest.mark.parametrize("field", ["name", "family", "slug"])
def test_another_identity_under_one_slug_is_a_conflict(draft, author, field):
    publish.publish(draft, author)
    state_number(draft, author, 2)
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, f"/pack/{field}", "other")], author)
    with pytest.raises(PublishRefused) as refused:
        publish.publish(draft, author)
    assert refused.value.code == "challenge_pack_metadata_conflict"


def test_blanks_and_the_case_of_the_family_make_no_other_identity(draft, author):
    publish.publish(draft, author)
    state_number(draft, author, 2)
    changes = [("name", " Parcels "), ("family", "LOGISTICS")]
    editing.apply(draft, [Change(NodeKind.PACK, draft.pk, f"/pack/{key}", text) for key, text in changes], author)
    assert publish.publish(draft, author).number == 2


def test_a_stored_file_must_be_one_of_the_teams(draft, author, other_team):
    artifact = uuid.uuid4()
    Artifact.objects.create(team=other_team, artifact_id=artifact, blob=blobs.put(b"theirs"))
    document = {"key": "map", "path": "map.txt", "artifact_id": str(artifact)}
    asset = editing.add_node(draft, NodeKind.ASSET, author, document=document).node
    assert [finding.rule for finding in publish.blockers(draft)] == ["Z1"]
    editing.set_asset_content(draft, asset, blobs.put(b"ours"), author)
    assert publish.blockers(draft) == []
    version = publish.publish(draft, author)
    assert [found.content for found in read_version(version).assets] == [b"ours"]


def test_the_id_of_a_stored_file_serves_other_packs_of_the_team(draft, author, team):
    artifact = str(uuid.uuid4())
    Artifact.objects.create(team=team, artifact_id=artifact, blob=blobs.put(b"shared"))
    document = {"key": "map", "path": "map.txt", "artifact_id": artifact}
    editing.add_node(draft, NodeKind.ASSET, author, document=document)
    version = publish.publish(draft, author)
    assert [found.content for found in read_version(version).assets] == [b"shared"]


def test_a_pack_that_is_archived_while_its_version_is_made_is_not_published(draft, author):
    ready = publish.prepare(draft)
    publish.archive(draft)
    with pytest.raises(PublishRefused) as caught:
        publish.write(draft, ready, author, "")
    assert (caught.value.code, draft.versions.count()) == ("pack_is_archived", 0)


def test_an_archived_pack_is_not_published_until_it_is_restored(draft, author):
    publish.archive(draft)
    with pytest.raises(PublishRefused) as refused:
        publish.publish(draft, author)
    assert refused.value.code == "pack_is_archived"
    publish.restore(draft)
    assert draft.status == PackStatus.DRAFT
    publish.publish(draft, author)
    publish.deprecate(draft)
    publish.restore(draft)
    assert draft.status == PackStatus.ACTIVE


def test_a_version_can_be_withdrawn_and_brought_back(draft, author):
    version = publish.publish(draft, author)
    for status in (VersionStatus.DEPRECATED, VersionStatus.ARCHIVED, VersionStatus.RUNNABLE):
        publish.set_version_status(version, status)
        assert PackVersion.objects.get(pk=version.pk).status == status


def test_a_team_is_seeded_once(team, administrator):
    packs = seed(team, administrator)
    assert packs
    assert all(pack.versions.count() == 1 and pack.problem_warnings == 0 for pack in packs)
    assert seed(team, administrator) == []


def test_an_export_with_the_source_needs_an_unedited_draft(team, author):
    data = b"# kept\n" + pack_text()
    draft = draft_of(team, data)
    draft.source, draft.source_name = blobs.put(data), "mine.yaml"
    draft.save()
    assert exporting.export_draft(draft, preserve=True).files == {"mine.yaml": data}
    state_number(draft, author, 3)
    edited = exporting.export_draft(draft, preserve=True)
    assert not edited.is_source
    assert b"# kept" not in edited.files["mine.yaml"]
    editing.undo(draft, author)
    draft.refresh_from_db()
    assert exporting.export_draft(draft, preserve=True).is_source


def test_publishing_looks_into_the_files_that_tests_name(team, author):
    suite = b"tests:\n  - {id: a, input: Hi, assertions: [{include: ./t.yaml}]}\n"
    draft = import_pack(team, author, {"s.eval.yaml": suite, "t.yaml": b"assertions: 5\n"}, "s")
    assert {(found.code, found.rule) for found in blockers(draft)} == {("agentv.E401", "L07")}


@pytest.mark.parametrize(("path", "is_refused"), [("files/a.txt", True), ("./files/a.txt", True), ("b.txt", False)])
def test_a_version_is_refused_where_two_files_would_stand_at_one_place(draft, author, path, is_refused):
    for number, asset in enumerate(("files/a.txt", path)):
        node = editing.add_node(draft, NodeKind.ASSET, author, document={"key": f"file-{number}", "path": asset}).node
        editing.set_asset_content(draft, node, blobs.put(f"bytes {number}".encode()), author)
    if not is_refused:
        version = publish.publish(draft, author)
        assert [asset.content for asset in read_version(version).assets] == [b"bytes 0", b"bytes 1"]
        return
    with pytest.raises(PublishRefused) as refused:
        publish.publish(draft, author)
    assert "pack.E014" in {finding.code for finding in refused.value.findings}
    assert not PackVersion.objects.exists()


@pytest.mark.parametrize("number", [2**31, 2**63, 2**64 - 1])
def test_a_number_that_no_column_holds_is_passed_over(team, author, number):
    manifest = f"id: p\nversion: {number}\ndefaults: {{family: short_answer, environment: {{image: i}}}}\n".encode()
    row = b'{"id": "a", "input": {"question": "Which?"}, "eval": {"accepted_answers": ["b"]}}\n'
    draft = import_pack(team, author, {"manifest.yaml": manifest, "tasks.jsonl": row}, "p")
    assert draft.problem_errors == 0
    assert publish.publish(draft, author).number == 1


def test_two_who_publish_at_once_without_a_number_make_one_version(team, author):
    seed(team, author)
    draft = team.packs.filter(format="agentv").first()
    before = draft.versions.count()
    first, second = publish.prepare(draft), publish.prepare(draft)
    publish.write(draft, first, author, "")
    with pytest.raises(PublishRefused) as refused:
        publish.write(draft, second, author, "")
    assert refused.value.code == "pack_was_published"
    assert draft.versions.count() == before + 1
