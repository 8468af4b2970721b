"""Who gets what happened."""

import pytest

from packs.access import Role
from packs.editing import Change, apply
from packs.editing.proposals import ask, propose
from packs.formats.document import NodeKind
from packs.notices import GATE_FAILED, PROPOSAL_ASKED, REVIEW_ASKED, RUN_ENDED, RUN_FAILED, VERSION_PUBLISHED
from packs.publish import publish
from runs.jobs.gating.checks import judge, keep
from runs.jobs.notices.noting import note
from runs.launch.launching import launch
from runs.models import Agent, Delivery, Notification, NotificationChoice, StoredNotice
from tests.packs.drafts import draft_of
from tests.people import make_member
from tests.runs.evals import eval_test, publish_evals
from tests.runs.gated import gated_run, publish_suites
from tests.runs.noticed import notice, webhook
from tests.runs.queues import begin_run, queue_of
from tests.runs.reviews import reviewer
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.fixture
def viewer(team):
    return make_member(team, Role.VIEWER)


def got(user):
    return list(Notification.objects.filter(user=user).order_by("pk").values_list("notice__kind", flat=True))


def test_members_get_what_concerns_them_but_not_what_they_did(team, author, viewer, stranger):
    note(notice(team, [author, viewer, stranger], by=author.pk))
    assert (got(author), got(viewer), got(stranger)) == ([], [RUN_ENDED], [])


def test_nothing_is_kept_where_nobody_wants_it(team, author, viewer):
    NotificationChoice.objects.create(user=viewer, kind=RUN_ENDED, in_studio=False)
    assert note(notice(team, [viewer])) is None
    assert not StoredNotice.objects.exists()


def test_mail_is_sent_to_those_who_chose_it_and_have_an_address(team, author, viewer, settings):
    settings.SMTP = "smtp://mail.example.org"
    for user in (author, viewer):
        NotificationChoice.objects.create(user=user, kind=RUN_ENDED, in_studio=False, by_mail=True)
    viewer.email = "viewer@example.org"
    viewer.save()
    note(notice(team, [author, viewer]))
    row = Notification.objects.get()
    assert (row.user, row.in_studio, row.mail_at is not None) == (viewer, False, True)


def test_webhooks_of_the_team_get_the_kinds_that_they_name(team, other_team, viewer):
    wanted = webhook(team)
    webhook(team, kinds=[GATE_FAILED])
    webhook(other_team)
    paused = webhook(team)
    paused.is_active = False
    paused.save()
    note(notice(team, [viewer]))
    assert [row.webhook for row in Delivery.objects.all()] == [wanted]


def test_the_end_of_a_run_is_noted_for_who_started_it(team, author):
    version = publish_evals(team, author, eval_test("one"))
    agent = Agent.objects.create(team=team, name="Done", kind="scripted", config={"default": "done"})
    run = work_off(launch(author, version, [agent]))
    assert got(author) == [RUN_ENDED]
    facts = StoredNotice.objects.get().facts
    assert (facts["run"], facts["status"], sum(facts["trials"].values())) == (run.pk, "completed", 1)


def test_a_run_without_one_verdict_is_noted_as_failed(team, author):
    version = publish_evals(team, author, eval_test("one"))
    agent = Agent.objects.create(team=team, name="Gone", kind="http", config={"url": "https://127.0.0.1:9/"})
    work_off(launch(author, version, [agent]))
    assert got(author) == [RUN_FAILED]


def test_a_red_gate_is_noted_once_and_a_green_one_not(team, author):
    suites = publish_suites(team, author)
    keep(judge(gated_run(author, suites), "ci_merge_gate"))
    assert GATE_FAILED not in got(author)
    keep(judge(gated_run(author, suites, capital_1="Lyon"), "ci_merge_gate"))
    assert got(author).count(GATE_FAILED) == 1


def test_the_reviewers_of_a_queue_are_asked(team, author):
    asked = reviewer(team, "asked")
    queue_of(begin_run(team, author), author)
    assert got(asked) == [REVIEW_ASKED]


def test_a_proposal_that_waits_reaches_reviewers_and_who_made_the_pack(team, author):
    draft, asked = draft_of(team), reviewer(team, "asked")
    other = reviewer(team, "proposer")
    draft.created_by = author
    draft.save()
    ask(propose(draft, other, "Shorter questions"))
    assert (got(author), got(asked), got(other)) == ([PROPOSAL_ASKED], [REVIEW_ASKED], [])


def test_who_made_a_pack_gets_the_versions_that_others_publish(team, author):
    version = publish_evals(team, author, eval_test("one"))
    assert got(author) == []
    apply(version.pack, [Change(NodeKind.PACK, version.pack_id, "/x-note", "more")], None)
    publish(version.pack, reviewer(team, "publisher"))
    assert got(author) == [VERSION_PUBLISHED]
