"""What can be done with a run on its page."""

import pytest

from packs.access import Role
from runs.jobs.trials.retrying import retry
from runs.launch.launching import launch
from runs.models import RunStatus
from tests.people import client_of, make_member
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(author, version, agents):
    return launch(author, version, [agents["echo"]])


@pytest.fixture
def finished(author, version, agents):
    return work_off(launch(author, version, [agents["empty"]]))


def status_of(run):
    run.refresh_from_db()
    return run.status


def test_a_run_is_paused_and_resumed_and_its_page_offers_just_what_can_be_done(as_author, waiting):
    page = f"/runs/{waiting.pk}/"
    assert f"{page}pause/" in as_author.get(page).content.decode()
    as_author.post(f"{page}pause/")
    assert status_of(waiting) == RunStatus.PAUSED
    shown = as_author.get(page).content.decode()
    assert f"{page}resume/" in shown
    assert f"{page}pause/" not in shown
    as_author.post(f"{page}resume/")
    assert status_of(waiting) == RunStatus.QUEUED


def test_acts_in_vain_change_nothing(as_author, finished):
    for act, sent in (("pause", {}), ("resume", {}), ("retry", {"which": "errors"}), ("retry", {"which": "all"})):
        assert as_author.post(f"/runs/{finished.pk}/{act}/", sent).status_code == 302
    for count in ("0", "x", "1000000"):
        as_author.post(f"/runs/{finished.pk}/more/", {"count": count})
    assert status_of(finished) == RunStatus.COMPLETED
    assert finished.trials.count() == 3


def test_failed_trials_are_run_again_and_what_they_were_can_be_read(as_author, finished):
    as_author.post(f"/runs/{finished.pk}/retry/", {"which": "failed"})
    assert work_off(finished).counts == {"failed": 3}
    trial = finished.trials.first()
    address = f"/runs/trials/{trial.pk}/attempts/1/"
    assert address in as_author.get(f"/runs/trials/{trial.pk}/").content.decode()
    attempt = as_author.get(address)
    assert attempt.context["attempt"].status == "failed"
    assert "system.run.started" in attempt.content.decode()
    assert as_author.get(f"/runs/trials/{trial.pk}/attempts/2/").status_code == 404


def test_trials_are_added(as_author, finished):
    as_author.post(f"/runs/{finished.pk}/more/", {"count": "2"})
    assert work_off(finished).counts == {"failed": 9}


def test_who_may_only_read_is_offered_nothing_and_may_do_nothing(team, finished):
    viewer = client_of(make_member(team, Role.VIEWER))
    retry(finished, "failed")
    page = viewer.get(f"/runs/{finished.pk}/")
    assert page.status_code == 200
    for act in ("pause", "resume", "retry", "more"):
        assert f"/runs/{finished.pk}/{act}/" not in page.content.decode()
        assert viewer.post(f"/runs/{finished.pk}/{act}/").status_code == 403
