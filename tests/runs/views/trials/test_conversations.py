import pytest
from django.urls import reverse

from runs.launch.launching import launch
from runs.models import Agent
from tests.runs.conftest import local_endpoints  # noqa: F401
from tests.runs.connections import make_connection
from tests.runs.judged_packs import judged_text
from tests.runs.studio_packs import publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.mark.usefixtures("local_endpoints")
def test_the_chat_has_what_the_agent_wrote_as_text_and_no_word_of_judges(team, author, as_author, model_server):
    model_server.reply('{"score": 1, "reason": "the judge spoke"}')
    make_connection(team, model_server, model_list=[{"name": "gpt-small"}])
    agent = Agent.objects.create(team=team, name="s", kind="scripted", config={"default": "<b>hub</b>"})
    trial = work_off(launch(author, publish_text(team, author, judged_text(1)), [agent])).trials.get()
    assert trial.scorecard["llm_judge_details"][0]["normalized_score"] is not None
    text = as_author.get(reverse("runs:conversation", args=[trial.pk])).content.decode()
    assert "Where is hub0?" in text
    assert "&lt;b&gt;hub&lt;/b&gt;" in text
    assert "the judge spoke" not in text


def test_a_trial_that_has_not_begun_says_so(author, as_author, version, agents):
    trial = launch(author, version, [agents["echo"]]).trials.first()
    answer = as_author.get(reverse("runs:conversation", args=[trial.pk]))
    assert "Nothing was said yet" in answer.content.decode()
