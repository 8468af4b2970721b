import pytest
from django.core.management import call_command

from studio.first_start import ADMINISTRATOR


@pytest.mark.django_db
def test_the_password_is_shown_only_the_first_time(capsys):
    call_command("prepare")
    first = capsys.readouterr().out
    call_command("prepare")
    assert ADMINISTRATOR in first
    assert capsys.readouterr().out == ""
