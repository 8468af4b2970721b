"""`manage.py pack` knows what only the studio can do: to prove."""

import pytest
from django.core.management import get_commands, load_command_class

from packs.importing.samples import SAMPLES


def test_the_studio_adds_prove_to_the_commands_of_packs(capsys):
    command = load_command_class(get_commands()["pack"], "pack")
    parser = command.create_parser("manage.py", "pack")
    assert "prove" in parser.format_help()
    with pytest.raises(SystemExit) as ended:
        command.run_from_argv(["manage.py", "pack", "prove", str(SAMPLES / "unit-conversion.yaml"), "--cases", "1"])
    assert ended.value.code == 0
    assert "proven" in capsys.readouterr().out
