import io
import json

from django.core.management import BaseCommand
from django.db import DatabaseError

from packs.management.answers import Misuse, described, refuse, say_unusable


def answered(act, **options):
    """What a command prints on standard output and on standard error."""
    command = BaseCommand(stdout=io.StringIO(), stderr=io.StringIO())
    act(command, options)
    return command.stdout.getvalue(), command.stderr.getvalue()


def test_a_program_gets_one_document_and_a_person_lines():
    misuse = Misuse("There is no pack.", "not_found", [{"pack": "widgets"}])
    out, err = answered(lambda command, options: refuse(command, misuse, options), json=True)
    assert json.loads(out)["error"] == {
        "code": "not_found",
        "message": "There is no pack.",
        "choices": [{"pack": "widgets"}],
    }
    assert err == ""
    out, err = answered(lambda command, options: refuse(command, misuse, options), json=False)
    assert out == ""
    assert "widgets" in err


def test_a_database_that_was_not_prepared_is_told_with_what_to_do():
    error = DatabaseError("no such table")
    out, _ = answered(lambda command, options: say_unusable(command, error, options), json=True)
    assert json.loads(out)["error"]["code"] == "database"
    assert "manage.py prepare" in out


def test_trouble_with_a_file_names_the_file():
    assert described(FileNotFoundError(2, "No such file", "a.yaml")).startswith("a.yaml:")
