from django.urls import reverse

from runs.jobs.scores.rescoring import rescore
from runs.launch.launching import launch
from runs.results.rescoring import Wanted, ask_rescore
from tests.runs.results.test_rescoring import EVALUATION
from tests.runs.working import work_off


def test_the_api_compares_a_re_score_case_by_case(db, as_author, author, version, agents):
    run = work_off(launch(author, version, [agents["echo"]]))
    rows = [ask_rescore(run, author, Wanted(evaluation=text)) for text in (EVALUATION, "")]
    for row in rows:
        rescore(row)
    address = reverse("runs-api:rescore-comparison", args=[rows[0].pk])
    found = as_author.get(address).json()
    assert [column["name"] for column in found["columns"]] == ["former", str(rows[0].pk)]
    assert len(found["results"]) == run.trial_count
    assert found["agreement"]["trials"] == run.trial_count
    other = as_author.get(address, {"with": rows[1].pk, "show": "same"}).json()
    assert [column["name"] for column in other["columns"]] == [str(rows[1].pk), str(rows[0].pk)]
    assert as_author.get(address, {"with": rows[0].pk}).status_code == 404
    assert as_author.get(address, {"run_agent": 0}).status_code == 404
