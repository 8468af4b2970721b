"""Resetting a second factor when nobody can sign in."""

import json

import pytest
from django.core.management import call_command

from packs.models import AuditEvent
from studio.second_factor.keeping import has_factor
from tests.factors import give_factor


def test_it_takes_the_factor_of_a_user_away(author, capsys):
    give_factor(author)
    call_command("second_factor", "reset", author.username, "--json")
    assert json.loads(capsys.readouterr().out) == {"user": author.username}
    assert not has_factor(author)
    assert AuditEvent.objects.get(kind="factor.reset").subject == author.username


@pytest.mark.parametrize("name", ["author-default", "nobody-of-this-name"])
def test_who_has_none_is_named(author, capsys, name):
    with pytest.raises(SystemExit) as ended:
        call_command("second_factor", "reset", name)
    assert ended.value.code == 2
    assert name in capsys.readouterr().err
