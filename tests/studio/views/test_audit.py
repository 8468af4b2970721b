from django.urls import reverse

from packs.access import Role
from packs.audit import record
from packs.models import AuditEvent
from tests.people import client_of


def test_curators_read_the_log_of_their_team_and_others_are_told_who_can_help(members, team):
    record("secret.created", "TRACKER", team=team)
    record("sign_in.failed", "somebody")
    for role, user in members.items():
        answer = client_of(user).get(reverse("studio:audit"), {"kind": "secret"})
        may = role in {Role.CURATOR, Role.ADMINISTRATOR}
        assert answer.status_code == (200 if may else 403)
        assert ("TRACKER" in answer.text) is may
        assert "somebody" not in answer.text


def test_a_superuser_reads_what_belongs_to_no_team(as_stranger, stranger, team):
    record("sign_in.failed", "somebody")
    stranger.is_superuser = True
    stranger.save()
    assert "somebody" in as_stranger.get(reverse("studio:audit"), {"kind": "sign_in"}).text


def test_the_log_downloads_as_it_is_filtered_and_that_is_recorded(as_administrator, team):
    record("secret.created", "TRACKER", team=team)
    record("member.created", "ann", team=team)
    got = as_administrator.get(reverse("studio:audit-file", args=["jsonl"]), {"kind": "member", "subject": "ann"})
    assert b"".join(got).count(b"\n") == 1
    assert AuditEvent.objects.filter(kind="file.downloaded", subject__contains="/audit/").exists()
    assert as_administrator.get(reverse("studio:audit-file", args=["xml"])).status_code == 404
