"""Cases that models judge, proven with their judges."""

import json
from dataclasses import asdict
from itertools import count

import pytest

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job, JobStatus
from runs.jobs.judging import Scope, estimates_of, judging_of, start_estimating, start_judging
from runs.jobs.proofs import ProofRefused, prove_case, start_proving, state_answer
from runs.models.proofs import StoredProof, report_of
from runs.proof.document import Spread, read_proof
from runs.proof.probes import Work
from tests.runs.connections import make_connection
from tests.runs.judged_packs import judged_text
from tests.runs.proof.makers import TIDY, challenge, evals

pytestmark = pytest.mark.django_db(transaction=True)
JUDGE = "{key: tone, mode: rubric, model: gpt-small, samples: 1, context_from: [final_output], rubric: Be kind.}"
RIGHT = "Dear customer, we are sorry."


@pytest.fixture
def case(team, author, model_server, local_endpoints):
    priced = {"name": "gpt-small", "input_per_million": 1.0, "output_per_million": 2.0}
    make_connection(team, model_server, max_retries=0, model_list=[priced])
    pack = import_pack(team, author, {"pack.yaml": judged_text(1, JUDGE, slug="judged").encode()}, "judged")
    case = pack.cases.select_related("pack__team", "input_set").get()
    state_answer(case, "reference", Work(RIGHT), author)
    return case


def asked(case, author):
    job = start_judging(Scope(case.pack, case), author)
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def says(model_server, scores):
    """Have the judge give the right answer these scores in turn, and all others the lowest."""
    numbers = count()

    def answer(request):
        is_right = RIGHT in json.dumps(request["messages"])
        return json.dumps({"score": scores[next(numbers) % len(scores)] if is_right else 1, "reasoning": "So."})

    model_server.answer = answer


def test_what_asking_takes_is_what_is_asked(case, author, model_server):
    taken = judging_of(case)
    assert (model_server.requests, taken.cost_usd > 0, taken.tokens > taken.calls) == ([], True, True)
    says(model_server, [5])
    job = asked(case, author)
    assert job.status == JobStatus.COMPLETED, job.error
    assert len(model_server.requests) == taken.calls


def test_the_spread_of_the_right_answer_is_seen_and_stays_until_the_case_changes(case, author, as_author, model_server):
    prove_case(case)
    found = read_proof(StoredProof.objects.get(node=case.pk).document)
    assert ([reason.code for reason in found.reasons][0], found.spread) == ("needs_judge", None)
    says(model_server, [5, 4, 5, 4, 5])
    asked(case, author)
    proof = read_proof(StoredProof.objects.get(node=case.pk).document)
    assert (proof.spread.gradings, proof.spread.passed) == (5, 5)
    assert proof.spread.lowest < proof.spread.highest
    assert not {"needs_judge", "flaky"} & {reason.code for reason in proof.reasons}
    page = as_author.get(f"/proofs/cases/{case.pk}/").text
    assert "Judges graded the right answer 5 times: 5 passed" in page
    before = len(model_server.requests)
    # Proving without judges keeps what they said.
    execute_job(start_proving(case.pack, author).pk)
    [shown] = report_of(case.pack)["cases"]
    assert (shown["spread"]["passed"], len(model_server.requests)) == (5, before)
    state_answer(case, "wrong", Work("Go away."), author)
    execute_job(start_proving(case.pack, author).pk)
    assert report_of(case.pack)["cases"][0]["spread"] is None


def test_a_judge_that_wavers_refutes_the_case(case, author, model_server):
    says(model_server, [5, 1])
    asked(case, author)
    proof = read_proof(StoredProof.objects.get(node=case.pk).document)
    assert isinstance(proof.spread, Spread)
    assert 0 < proof.spread.passed < 5
    [flaky] = [reason for reason in proof.reasons if reason.code == "flaky"]
    assert "with scores from 0." in flaky.message
    # What was paid for stays, although another time could give another verdict.
    before = len(model_server.requests)
    execute_job(start_proving(case.pack, author).pk)
    assert read_proof(StoredProof.objects.get(node=case.pk).document) == proof
    assert len(model_server.requests) == before


def test_a_job_that_was_lost_asks_nobody_again(case, author, model_server):
    job = start_judging(Scope(case.pack, case), author)
    Job.objects.filter(pk=job.pk).update(outcome={"revision": case.pack.revision, "begun": 1})
    execute_job(job.pk)
    job.refresh_from_db()
    assert (job.status, job.outcome, model_server.requests) == (JobStatus.REFUSED, {"code": "not_answered"}, [])


def test_the_page_says_what_asking_takes_before_it_asks(case, as_author, model_server):
    url = f"/proofs/cases/{case.pk}/"
    prove_case(case)
    page = as_author.get(url).text
    assert f"takes {judging_of(case).calls} calls and about" in page
    assert "Ask the judges" in page
    assert model_server.requests == []
    job = Job.objects.get(pk=as_author.post(url, {"judges": "ask"}).url.split("/")[-2])
    assert (job.kind, job.parameters["case"]) == ("prove", case.pk)
    found = as_author.get(f"/api/v1/cases/{case.pk}/proof/").json()
    assert (found["case_key"], found["state"], found["spread"]) == (case.key, "unproven", None)
    assert found["judging"] == asdict(judging_of(case))
    again = as_author.post(f"/api/v1/cases/{case.pk}/proof/", {}, "application/json")
    assert (again.status_code, again.json()["id"]) == (202, job.pk)


def test_nobody_is_offered_where_no_model_judges_or_none_answers(team, author, case):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds"]), "planted")
    assert judging_of(pack.cases.select_related("pack__team", "input_set").get()) is None
    team.connections.all().delete()
    assert judging_of(case) is None


@pytest.fixture
def several(team, author, case):
    """A pack of three judged cases; the judge does not know the right answer of the last one."""
    pack = import_pack(team, author, {"pack.yaml": judged_text(3, JUDGE, slug="several").encode()}, "several")
    for each in list(pack.cases.select_related("pack__team", "input_set").order_by("position"))[:2]:
        state_answer(each, "reference", Work(RIGHT), author)
    pack.refresh_from_db()
    return pack


def done(job):
    execute_job(job.pk)
    job.refresh_from_db()
    return job


def test_the_judges_of_a_whole_set_are_asked_once_a_job_has_said_what_that_takes(several, author, model_server):
    scope = Scope(several, input_set=several.input_sets.get())
    with pytest.raises(ProofRefused) as refused:
        start_judging(scope, author)
    assert refused.value.code == "no_estimate"
    job = done(start_estimating(scope, author))
    assert (job.status, job.outcome["judged"], model_server.requests) == (JobStatus.COMPLETED, 3, [])
    [(found, taken, cases)] = estimates_of(several)
    assert (found, cases, taken.cost_usd > 0) == (scope, 3, True)
    says(model_server, [5])
    job = done(start_judging(scope, author))
    assert job.outcome["cases"].keys() <= {"proven", "refuted", "unproven"}
    assert len(model_server.requests) == taken.calls
    spreads = [each["spread"] for each in report_of(several)["cases"]]
    assert [spread and spread["passed"] for spread in spreads] == [5, 5, 0]
    # An edit makes another estimate necessary.
    state_answer(several.cases.order_by("position").last(), "reference", Work(RIGHT), author)
    several.refresh_from_db()
    assert estimates_of(several) == []
    with pytest.raises(ProofRefused):
        start_judging(scope, author)


def test_a_job_that_was_lost_goes_on_after_the_case_at_which_it_was(several, author, model_server):
    done(start_estimating(Scope(several), author))
    job = start_judging(Scope(several), author)
    Job.objects.filter(pk=job.pk).update(outcome={"revision": several.revision, "begun": 1})
    says(model_server, [5])
    assert done(job).outcome["judged"] == 2
    assert [bool(each["spread"]) for each in report_of(several)["cases"]] == [False, True, True]


def test_a_judge_beside_a_program_is_asked_once_a_worker_has_said_what_that_takes(
    team, author, case, as_author, model_server
):
    files = evals(
        [
            {"name": "ran", "type": "code-grader", "command": ["sh", "-c", "echo '{\"score\": 1}'"]},
            {"name": "tone", "type": "llm-grader", "target": "gpt-small", "prompt": "Is it kind?"},
        ],
        ("Where?", "Leeds"),
    )
    mixed = import_pack(team, author, files, "mixed").cases.select_related("pack__team", "input_set").get()
    url = f"/proofs/cases/{mixed.pk}/"
    assert judging_of(mixed) is None
    assert "Ask the judges" not in as_author.get(url).text
    refused = as_author.post(f"/api/v1{url.replace('proofs/', '')}proof/", {}, "application/json")
    assert (refused.status_code, refused.json()["findings"][0]["code"]) == (422, "api.no_estimate")
    done(Job.objects.get(pk=as_author.post(url, {"judges": "estimate"}).url.split("/")[-2]))
    taken = judging_of(mixed)
    assert (taken.calls > 5, model_server.requests) == (True, [])
    assert f"takes {taken.calls} calls" in as_author.get(url).text


def test_the_page_and_the_api_estimate_and_ask_for_whole_sets(several, author, as_author, model_server):
    url, api = f"/proofs/{several.team.slug}/{several.slug}/", f"/api/v1/packs/{several.pk}/proof/"
    assert "Estimate" not in as_author.get(url).text
    execute_job(start_proving(several, author).pk)
    assert "Ask the judges" not in as_author.get(url).text
    assert "ask for the estimate first" in as_author.post(url, {"judges": "ask"}, follow=True).text
    done(Job.objects.get(pk=as_author.post(url, {"judges": "estimate"}).url.split("/")[-2]))
    [known] = as_author.get(api).json()["judging"]
    assert (known["input_set"], known["cases"]) == ("", 3)
    assert f"takes {known['calls']} calls" in as_author.get(url).text
    key = several.input_sets.get().key
    answer = as_author.post(api, {"judges": "estimate", "input_set": key}, "application/json")
    done(Job.objects.get(pk=answer.json()["id"]))
    assert {each["input_set"] for each in as_author.get(api).json()["judging"]} == {"", key}
    says(model_server, [5])
    answer = as_author.post(api, {"judges": "ask", "input_set": key}, "application/json")
    assert (answer.status_code, done(Job.objects.get(pk=answer.json()["id"])).outcome["judged"]) == (202, 3)
    assert as_author.post(api, {"judges": "ask", "input_set": "nope"}, "application/json").status_code == 404
