from packs.access import Role
from packs.audit import record
from packs.models import AuditEvent


def test_those_who_curate_a_team_read_its_events_and_superusers_all(team, other_team, members, stranger):
    AuditEvent.objects.all().delete()
    for each in (team, other_team, None):
        record("team.changed", "x", team=each)
    seen = {role: AuditEvent.objects.readable_by(user).count() for role, user in members.items()}
    assert seen == {Role.VIEWER: 0, Role.AUTHOR: 0, Role.REVIEWER: 0, Role.CURATOR: 1, Role.ADMINISTRATOR: 1}
    stranger.is_superuser = True
    assert AuditEvent.objects.readable_by(stranger).count() == 3
