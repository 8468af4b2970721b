from datetime import timedelta

import pytest
from django.utils import timezone

from packs import audit
from packs.access import FrozenError
from packs.models import AuditEvent


def test_an_event_keeps_who_from_where_with_which_key_and_what_changed(rf, team, author):
    request = rf.get("/", REMOTE_ADDR="192.0.2.7")
    request.user = author
    with audit.coming_from(request):
        audit.by_key("pw_abc")
        audit.record("pack.status", "refunds", team=team, changes={"status": ["active", "archived"]})
    found = AuditEvent.objects.get(kind="pack.status")
    assert (found.actor, found.address, found.key_prefix) == (author, "192.0.2.7", "pw_abc")
    assert found.as_dict()["changes"] == {"status": ["active", "archived"]}
    author.delete()
    assert AuditEvent.objects.get(kind="pack.status").actor_name == "author-default"


def test_what_a_command_or_a_job_does_is_recorded_with_who_it_is_done_for(team, author):
    audit.record("version.published", "refunds 1", team=team, by=author)
    found = AuditEvent.objects.get(kind="version.published")
    assert (found.actor, found.address) == (author, "")


def test_a_kind_that_is_not_described_is_a_mistake_of_ours(db):
    with pytest.raises(KeyError):
        audit.record("pack.eaten")


def test_events_are_written_once_and_kept_for_a_set_time(team, settings):
    settings.AUDIT_DAYS = 30
    AuditEvent.objects.all().delete()
    audit.record("team.created", team, team=team)
    audit.record("team.changed", team, team=team)
    old = AuditEvent.objects.last()
    with pytest.raises(FrozenError):
        AuditEvent.objects.update(subject="nothing")
    AuditEvent._base_manager.filter(pk=old.pk).update(at=timezone.now() - timedelta(days=31))
    assert audit.forget_old_events() == 1
    assert AuditEvent.objects.get().kind == "team.changed"
