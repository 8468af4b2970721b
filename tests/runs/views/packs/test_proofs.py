"""The pages about the proof of cases."""

from re import findall
from xml.etree.ElementTree import fromstring

import pytest

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job
from packs.publish import publish
from runs.jobs.proofs import prove_case
from runs.models.proofs import StoredProof
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
PAGE = "/proofs/default/planted/"
ACCEPTED = {"code": "refuses_equal", "reason": "One word."}


@pytest.fixture
def pack(team, author):
    loose = {"says": ("contains", *TIDY[1:])}
    return import_pack(team, author, challenge(loose, ["Leeds", "York"]), "planted")


@pytest.fixture
def case(pack):
    return pack.cases.order_by("position").select_related("pack__team", "input_set").first()


def test_the_page_proves_all_cases_and_says_why_they_are_not(as_author, pack):
    assert "0 of 2 cases proven" in as_author.get(PAGE).content.decode()
    answer = as_author.post(PAGE)
    job = Job.objects.get(kind="prove")
    assert answer.url == f"/packs/jobs/{job.pk}/"
    execute_job(job.pk)
    assert f"{PAGE}" in as_author.get(answer.url).content.decode()
    shown = as_author.get(PAGE).content.decode()
    assert "accepts_everything" in shown
    assert as_author.get(PAGE, {"state": "refuted"}).context["page"].paginator.count == 2
    assert as_author.get(PAGE, {"state": "proven"}).context["page"].paginator.count == 0
    assert as_author.get(PAGE, {"reason": "accepts_everything"}).context["page"].paginator.count == 2
    suites = as_author.get(f"{PAGE}report/", {"as": "junit"})
    assert 'filename="planted-proof.xml"' in suites["Content-Disposition"]
    assert len(fromstring(suites.content).findall(".//testcase/failure")) == 2
    report = as_author.get(f"{PAGE}report/").json()
    assert [case["state"] for case in report["results"][0]["cases"]] == ["refuted", "refuted"]


def test_a_case_is_proven_beside_its_form(as_author, case):
    url = f"/proofs/cases/{case.pk}/"
    assert 'hx-trigger="load"' in as_author.get(url).content.decode()
    shown = as_author.post(url).content.decode()
    assert "It accepts" in shown
    checks = findall(r'href="([^"]+)">Go to the checks', shown)[0].replace("&amp;", "&")
    assert "Validators" in as_author.get(checks).content.decode()
    assert "at=/version/evaluation_spec/validators" in checks
    assert 'hx-trigger="load"' not in as_author.get(url).content.decode()
    refused = as_author.post(f"{url}notes/", {"code": "accepts_everything", "reason": " "})
    assert (refused.status_code, "Say why" in refused.content.decode()) == (422, True)
    as_author.post(f"{url}notes/", {"code": "accepts_everything", "reason": "Lists are fine."})
    found = StoredProof.objects.get(node=case.pk)
    assert "Lists are fine." in [reason["accepted"] for reason in found.document["accepted"]]
    assert "accepts_everything" in as_author.post(f"{url}notes/", {"code": "accepts_everything", "act": "stop"}).text
    assert StoredProof.objects.get(node=case.pk).document["accepted"] == []
    again = as_author.post(f"{url}notes/", {"code": "accepts_everything", "act": "stop"})
    assert (again.status_code, "does not say this" in again.text) == (422, True)


@pytest.mark.parametrize("sent", [{"name": "wrong", "text": "x"}, {"code": "no_reference", "reason": "x"}, {}])
def test_only_what_can_be_meant_is_taken(as_author, case, sent):
    assert as_author.post(f"/proofs/cases/{case.pk}/notes/", sent).status_code == 404


def test_the_rule_is_set_on_the_page_and_shown_where_the_pack_is_published(as_administrator, pack, case):
    as_administrator.post(f"{PAGE}rule/", {"needed": "true"})
    shown = as_administrator.get("/packs/default/planted/publish/")
    assert "have to be proven" in shown.content.decode()
    assert not shown.context["is_ready"]
    prove_case(case)
    answer = as_administrator.post("/packs/default/planted/publish/", {"number": 1})
    assert answer.status_code == 409
    as_administrator.post(f"{PAGE}rule/", {"needed": ""})
    assert as_administrator.post("/packs/default/planted/publish/", {"number": 1}).status_code == 302


def test_over_the_api(as_author, pack):
    url = f"/api/v1/packs/{pack.pk}/proof/"
    assert as_author.get(url).json()["counts"] == {"proven": 0, "stale": 0, "unproven": 2, "refuted": 0}
    answer = as_author.post(url, {}, "application/json")
    assert (answer.status_code, answer.json()["kind"]) == (202, "prove")
    execute_job(answer.json()["id"])
    assert as_author.get(url).json()["state"] == "refuted"
    [first, _] = as_author.get(f"{url}cases/", {"state": "refuted"}).json()["cases"]
    assert "accepts_everything" in [reason["code"] for reason in first["reasons"]]
    assert as_author.get(f"{url}cases/", {"state": "stale"}).json() == {"cases": []}
    assert len(fromstring(as_author.get(f"{url}junit/").content).findall(".//testcase/failure")) == 2


def test_a_version_is_proven_over_the_api(as_author, author, pack):
    url = f"/api/v1/versions/{publish(pack, author).pk}/proof/"
    assert as_author.get(url).json()["counts"]["unproven"] == 2
    execute_job(as_author.post(url).json()["id"])
    assert as_author.get(url).json()["counts"]["refuted"] == 2
