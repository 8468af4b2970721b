import pytest
from django.db import IntegrityError, transaction

from packs.models import GridChoice
from tests.packs.drafts import draft_of


def test_a_user_has_one_choice_in_each_pack(team, author):
    first, second = draft_of(team), draft_of(team, slug="second")
    GridChoice.objects.create(user=author, pack=first, columns=["/payload/city"])
    GridChoice.objects.create(user=author, pack=second)
    with pytest.raises(IntegrityError), transaction.atomic():
        GridChoice.objects.create(user=author, pack=first)
    assert GridChoice.objects.get(user=author, pack=first).columns == ["/payload/city"]
