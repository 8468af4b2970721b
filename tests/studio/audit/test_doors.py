from django.urls import reverse

from packs.models import AuditEvent
from tests.people import PASSWORD, client_of


def kinds():
    return list(AuditEvent.objects.order_by("pk").values_list("kind", "subject"))


def test_sign_ins_failures_and_sign_outs_are_recorded(client, author):
    AuditEvent.objects.all().delete()
    page = reverse("studio:sign-in")
    client.post(page, {"username": author.username, "password": "wrong"})
    client.post(page, {"username": author.username, "password": PASSWORD})
    client.post(reverse("studio:sign-out"))
    name = author.username
    assert kinds() == [("sign_in.failed", name), ("sign_in.succeeded", name), ("sign_in.ended", name)]
    assert AuditEvent.objects.get(kind="sign_in.failed").actor is None


def test_a_password_in_the_field_of_the_name_is_not_kept(client, author):
    client.post(reverse("studio:sign-in"), {"username": PASSWORD, "password": "x"})
    assert PASSWORD not in str(list(AuditEvent.objects.values()))
    assert AuditEvent.objects.filter(kind="sign_in.failed").count() == 1


def test_signing_out_everywhere_else_is_recorded(as_author, author):
    client_of(author)
    AuditEvent.objects.all().delete()
    as_author.post(reverse("studio:sessions-end-others"))
    assert kinds() == [("sign_in.others_ended", author.username)]
