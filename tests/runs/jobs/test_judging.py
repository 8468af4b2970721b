"""Cases that models judge, proven with their judges."""

import json
from dataclasses import asdict
from itertools import count

import pytest

from packs.importing import import_pack
from packs.jobs import execute_job
from packs.models import Job, JobStatus
from runs.jobs.judging import judging_of, start_judging
from runs.jobs.proofs import prove_case, start_proving, state_answer
from runs.models.proofs import StoredProof, report_of
from runs.proof.document import Spread, read_proof
from runs.proof.probes import Work
from tests.runs.connections import make_connection
from tests.runs.judged_packs import judged_text
from tests.runs.proof.makers import TIDY, challenge

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
    job = start_judging(case, author)
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
    job = start_judging(case, author)
    Job.objects.filter(pk=job.pk).update(outcome={"is_asked": True})
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
    job = Job.objects.get(pk=as_author.post(url, {"judges": "true"}).url.split("/")[-2])
    assert (job.kind, job.parameters["case"]) == ("prove", case.pk)
    found = as_author.get(f"/api/v1/cases/{case.pk}/proof/").json()
    assert (found["case_key"], found["state"], found["spread"]) == (case.key, "unproven", None)
    assert found["judging"] == asdict(judging_of(case))
    again = as_author.post(f"/api/v1/cases/{case.pk}/proof/")
    assert (again.status_code, again.json()["id"]) == (202, job.pk)


def test_nobody_is_offered_where_no_model_judges_or_none_answers(team, author, case):
    pack = import_pack(team, author, challenge({"says": TIDY}, ["Leeds"]), "planted")
    assert judging_of(pack.cases.select_related("pack__team", "input_set").get()) is None
    team.connections.all().delete()
    assert judging_of(case) is None
