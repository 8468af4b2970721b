import pytest
from django.core.management import call_command

from studio.first_start import ADMINISTRATOR


@pytest.mark.django_db
def test_the_administrator_is_named_only_the_first_time(capsys, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    call_command("prepare")
    first = capsys.readouterr().out
    call_command("prepare")
    assert ADMINISTRATOR in first
    assert capsys.readouterr().out == ""
