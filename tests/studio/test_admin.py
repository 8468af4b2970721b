"""Second factors in curation: superusers reset them."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from packs.models import AuditEvent
from runs.models import Notification
from studio.models import SecondFactor
from studio.second_factor.keeping import has_factor
from tests.factors import give_factor
from tests.people import client_of


@pytest.fixture
def as_root(db):
    return client_of(User.objects.create_superuser("root"))


def test_deleting_one_resets_it_and_its_owner_hears_of_it(as_root, author, administrator):
    give_factor(author)
    give_factor(administrator)
    first, second = SecondFactor.objects.order_by("pk")
    as_root.post(reverse("admin:studio_secondfactor_delete", args=[first.pk]), {"post": "yes"})
    assert (has_factor(author), has_factor(administrator)) == (False, True)
    chosen = {"action": "delete_selected", "_selected_action": [second.pk], "post": "yes"}
    as_root.post(reverse("admin:studio_secondfactor_changelist"), chosen)
    assert not has_factor(administrator)
    assert AuditEvent.objects.filter(kind="factor.reset", actor_name="root").count() == 2
    assert Notification.objects.filter(user=author).latest("pk").notice.title == "root reset your second factor."


def test_no_page_shows_the_secret(as_root, author):
    secret, _ = give_factor(author)
    row = SecondFactor.objects.get()
    page = as_root.get(reverse("admin:studio_secondfactor_change", args=[row.pk])).text
    assert author.username in page
    assert not {secret, row.sealed_secret} & set(page.split())
    assert row.sealed_secret not in page
