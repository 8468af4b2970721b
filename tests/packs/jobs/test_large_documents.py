"""Documents that are too much for a page: what it leaves out, says so and keeps; and who edits and checks them."""

import pytest

from packs.editing import Change, apply
from packs.formats import FORMATS
from packs.formats.costs import MAX_KEPT_VALUES
from packs.formats.document import PROOF_FILE, NodeKind
from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Case, Job
from packs.views.workbench.addresses import PACK, NodeRef, node_url, url_of
from packs.views.workbench.uses import uses
from tests.packs.drafts import draft_of
from tests.packs.fine.generated import bases

UNWRITABLE = "x" * 9_000_000
WIDE = [{"a": number} for number in range(MAX_KEPT_VALUES + 1)]


@pytest.fixture
def draft(team):
    return draft_of(team)


def with_note(draft, value):
    """The first case of a draft, with something large in it: files can hold what no form sends."""
    case = draft.cases.order_by("pk").first()
    Case.objects.filter(pk=case.pk).update(document={**case.document, "x-note": value})
    case.refresh_from_db()
    return case


def page_of(client, case, **query):
    answer = client.get(node_url(case.pack, NodeRef(NodeKind.CASE, case.pk), **query))
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("value", [UNWRITABLE, WIDE], ids=["text", "values"])
@pytest.mark.parametrize("lens", ["yaml", "preview", "try", "stored", "problems"])
def test_every_lens_of_a_large_document_answers_without_it(as_author, draft, value, lens):
    case = with_note(draft, value)
    page = page_of(as_author, case, lens=lens)
    assert "<code>x-note</code>" in page
    assert len(page) < 200_000
    ref = NodeRef(NodeKind.CASE, case.pk)
    for name in ("edit-lens", "edit-sides", "edit-recheck"):
        method = as_author.post if name == "edit-recheck" else as_author.get
        assert method(url_of(draft, name, ref)).status_code in (200, 204)


def test_the_lens_says_why_a_text_cannot_be_shown_and_offers_the_export(as_author, draft):
    case = with_note(draft, UNWRITABLE)
    path = url_of(draft, "edit-lens", NodeRef(NodeKind.CASE, case.pk))
    assert "This has more than 4 MB or 10,000 values" in as_author.get(path).content.decode()
    Case.objects.filter(pk=case.pk).update(document={**case.document, "x-note": 2**70})
    text = as_author.get(path).content.decode()
    assert "This cannot be written as YAML" in text
    assert "/export/" in text
    assert "<textarea" not in text


def test_a_form_keeps_what_it_does_not_show(as_author, draft):
    """Of a text that can be kept, since the whole form is one request."""
    case = with_note(draft, "x" * 4_500_000)
    ref = NodeRef(NodeKind.CASE, case.pk)
    sent = {"seen": draft.revision, "o:": "", "t:/case_key": "renamed", "t:/challenge_key": "locate"}
    assert as_author.post(node_url(draft, ref), sent).status_code == 302
    case.refresh_from_db()
    assert case.key == "renamed"
    assert case.document["x-note"] == "x" * 4_500_000


@pytest.mark.parametrize("door", ["cell", "api", "duplicate", "remove"])
def test_a_job_edits_a_heavy_document_and_another_one_checks_it(as_author, draft, door):
    case = with_note(draft, WIDE)
    ref, before = NodeRef(NodeKind.CASE, case.pk), draft.cases.count()
    if door == "cell":
        sent = {"at": "/case_key", "text": "renamed", "seen": draft.revision}
        assert "too large" in as_author.post(url_of(draft, "edit-cell-check", ref), sent).content.decode()
        assert as_author.post(url_of(draft, "edit-cell-save", ref), sent).status_code in (200, 302)
    elif door == "api":
        changes = [{"kind": "case", "node": case.pk, "pointer": "/case_key", "value": "renamed"}]
        answer = as_author.post(f"/api/v1/packs/{draft.pk}/changes/", {"changes": changes}, "application/json")
        assert answer.status_code == 202
    elif door == "duplicate":
        assert "/jobs/" in as_author.post(url_of(draft, "edit-act", ref), {"act": door})["Location"]
    else:
        assert as_author.delete(f"/api/v1/cases/{case.pk}/", headers={"If-Match": "*"}).status_code == 202
    draft.refresh_from_db()
    revision, job = draft.revision, Job.objects.get()
    execute_job(job.pk)
    job.refresh_from_db()
    assert job.status == "completed", job.error
    draft.refresh_from_db()
    assert draft.revision == revision + 1
    if door in ("cell", "api"):
        case.refresh_from_db()
        assert (case.key, case.document["x-note"]) == ("renamed", WIDE)
    else:
        assert draft.cases.count() == before + {"duplicate": 1, "remove": -1}[door]
    if door != "remove":
        assert Job.objects.filter(kind="check").exists()


@pytest.mark.parametrize("format_name", [name for name in FORMATS if name != "challenge_pack"])
def test_pages_of_other_formats_leave_out_what_is_too_large(as_author, team, author, format_name):
    case = with_note(import_pack(team, author, bases()[format_name][-1], "sample"), UNWRITABLE)
    for lens in ("yaml", "preview", "stored"):
        assert "x-note" in page_of(as_author, case, lens=lens)


def test_nothing_is_tried_or_checked_in_a_request_of_a_heavy_settings_document(as_author, draft):
    """Findings of its cases are not fixed one by one either: a fix is tried against all that the pack declares."""
    draft.document = {**draft.document, "x-note": WIDE}
    draft.save(update_fields=["document"])
    found = as_author.post(url_of(draft, "edit-lint", PACK, section="other"), {"text": "x: 1", "seen": draft.revision})
    assert {finding["code"] for finding in found.json()["findings"]} <= {"form.E006"}
    case = draft.cases.first()
    change = Change(NodeKind.CASE, case.pk, "/challenge_key", "lokate")
    apply(draft, [change], None)
    for at in (PACK, NodeRef(NodeKind.CASE, case.pk)):
        assert as_author.get(url_of(draft, "edit-fixes", at)).content.decode().strip() == ""
    assert as_author.get(url_of(draft, "edit-problems-fixes")).status_code == 200


def test_what_a_large_document_uses_is_left_open_and_not_denied(team, author):
    """A file that nothing else uses may be used there; who searches for it reads no such document in a request."""
    pack = import_pack(team, author, bases()["agentv"][-1], "sample")
    key = pack.assets.exclude(key=PROOF_FILE).values_list("key", flat=True)[0]
    for case in pack.cases.all():
        Case.objects.filter(pk=case.pk).update(document={**case.document, "x-note": key + UNWRITABLE})
    assert uses(pack, [key]) == {key: None}


def test_a_case_is_added_below_large_settings_with_the_names_that_the_checks_use(as_author, draft):
    draft.document = {**draft.document, "x-note": WIDE}
    draft.save(update_fields=["document"])
    input_set = draft.input_sets.get()
    assert as_author.post(f"{url_of(draft, 'edit')}add/cases/", {"input_set": input_set.pk}).status_code == 302
    added = draft.cases.order_by("pk").last()
    before = draft.cases.order_by("pk").first()
    assert [each["key"] for each in added.document["expectations"]] == [
        each["key"] for each in before.document["expectations"]
    ]
