"""Pages as files on the command line; exports are tried in `../commands/test_run.py`."""

import io

import pytest
from django.core.management import call_command

from runs.launch.launching import launch
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def test_a_run_a_comparison_and_a_replay_are_written_as_the_file_that_people_download(
    author, version, agents, as_author, tmp_path
):
    runs = [work_off(launch(author, version, [agents[name]])) for name in ("echo", "reference")]
    subjects = [
        f"run:{runs[0].pk}",
        f"comparison:{runs[0].pk},{runs[1].pk}",
        f"replay:{runs[0].trials.first().pk}",
    ]
    for subject in subjects:
        file = tmp_path / "page.html"
        call_command("run", "page", subject, "-o", str(file))
        assert file.read_text() == as_author.get("/shares/file/", {"of": subject}).content.decode()


@pytest.mark.parametrize(
    ("subject", "reason"), [("run:999999", "no such run"), ("tables:1", "Write run:12"), ("12", "Write run:12")]
)
def test_what_is_not_there_is_wrong_usage(subject, reason):
    said = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("run", "page", subject, stdout=io.StringIO(), stderr=said)
    assert (ended.value.code, reason in said.getvalue()) == (2, True)
