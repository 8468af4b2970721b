"""`manage.py search`, with its exit codes."""

import json

import pytest
from django.core.management import call_command

from packs.models import SearchEntry
from tests.packs.drafts import draft_of


def searching(capsys, *arguments):
    with pytest.raises(SystemExit) as ended:
        call_command("search", *arguments)
    return ended.value.code, capsys.readouterr().out


def test_check_reports_what_differs_and_rebuild_makes_it_right(team, capsys):
    draft_of(team)
    assert searching(capsys, "check")[0] == 0
    SearchEntry.objects.filter(kind="case").first().delete()
    code, told = searching(capsys, "check")
    assert code == 1
    assert "1 missing" in told
    code, told = searching(capsys, "rebuild", "--json")
    assert code == 0
    assert json.loads(told)["right"] is True
    assert searching(capsys, "check")[0] == 0


def test_an_empty_studio_has_an_empty_index_that_is_right(db, capsys):
    code, told = searching(capsys, "check", "--json")
    assert code == 0
    assert {kind["entries"] for kind in json.loads(told)["kinds"]} == {0}
