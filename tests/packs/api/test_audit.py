from packs.access import Scope
from packs.audit import record
from packs.models import AuditEvent
from studio.tokens import Wish, issue


def log(client, key="", **asked):
    headers = {"authorization": f"Bearer {key}"} if key else {}
    return client.get("/api/v1/audit/", asked, headers=headers)


def test_curators_collect_the_log_page_by_page(as_administrator, as_author, team, other_team):
    AuditEvent.objects.all().delete()
    for number in range(3):
        record("secret.created", f"S{number}", team=team)
    record("secret.created", "THEIRS", team=other_team)
    first = log(as_administrator, kind="secret", limit=2).json()
    assert [event["subject"] for event in first["results"]] == ["S2", "S1"]
    assert [event["subject"] for event in as_administrator.get(first["next"]).json()["results"]] == ["S0"]
    assert log(as_author).status_code == 403


def test_a_key_reads_the_log_only_with_the_scope_of_curators(client, administrator, team):
    record("secret.created", "TRACKER", team=team)
    _, reader = issue(administrator, Wish("reader", scopes=[Scope.READ]))
    _, editor = issue(administrator, Wish("editor", scopes=[Scope.EDIT]))
    assert log(client, reader).status_code == 403
    assert log(client, editor, kind="secret").json()["results"][0]["subject"] == "TRACKER"
    administrator.is_superuser = True
    administrator.save()
    assert log(client, reader).status_code == 403
