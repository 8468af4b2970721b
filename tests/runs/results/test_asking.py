import pytest

from runs.launch.launching import launch
from runs.results.asking import asking_of
from tests.runs.connections import make_connection
from tests.runs.grading.judges.benches import scores
from tests.runs.judged_packs import judged_text
from tests.runs.results.test_judgings import CALL_USD, ONE, PRICED
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_run_without_judges_takes_nothing(author, version, agents):
    assert asking_of(work_off(launch(author, version, [agents["echo"]]))) == {}


def test_longer_answers_cost_more_and_an_order_that_nobody_sees_nothing(
    team, author, agents, model_server, local_endpoints
):
    make_connection(team, model_server, model_list=PRICED, max_retries=0)
    model_server.reply(scores(5))
    run = work_off(launch(author, publish_text(team, author, judged_text(22, ONE)), [agents["echo"]]))
    said = asking_of(run)
    assert said["all"] == {"calls": 22, "tokens": 220, "cost_usd": pytest.approx(22 * CALL_USD)}
    assert said["padded"]["calls"] == 22
    assert said["padded"]["tokens"] > 220
    assert said["padded"]["cost_usd"] > said["all"]["cost_usd"]
    assert said["swapped"] == {"calls": 0, "tokens": 0, "cost_usd": 0.0}
