import io
import json

import pytest
from django.core.management import call_command

from runs.sandbox import SANDBOXES
from runs.sandbox.contract import Isolation
from studio.management.commands.doctor import verdict

pytestmark = [pytest.mark.long, pytest.mark.django_db]

WORKING = {"database": {"works": True, "detail": ""}}
SAFE = {"is_chosen": True, "isolation": "full", "obstacle": "", "attacks": [{"held": True}]}


def examine(*options):
    told = io.StringIO()
    with pytest.raises(SystemExit) as ended:
        call_command("doctor", *options, stdout=told)
    return ended.value.code, told.getvalue()


def test_it_tells_every_part_and_every_sandbox_as_one_document():
    code, text = examine("--json", "--quick")
    told = json.loads(text)
    assert told["exit_code"] == code
    assert all(part["works"] for part in told["parts"].values())
    assert [found["kind"] for found in told["sandboxes"]] == list(SANDBOXES)
    assert sum(found["is_chosen"] for found in told["sandboxes"]) <= 1


@pytest.mark.skipif(bool(SANDBOXES["bubblewrap"].obstacle()), reason=SANDBOXES["bubblewrap"].obstacle())
def test_a_sandbox_that_confines_withstands_all_attacks(settings):
    settings.SANDBOX = "bubblewrap"
    code, text = examine("--json")
    found = {entry["kind"]: entry for entry in json.loads(text)["sandboxes"]}
    assert (code, found["bubblewrap"]["is_chosen"], found["local"]["attacks"]) == (0, True, [])
    assert len(found["bubblewrap"]["attacks"]) > 10
    assert [attack["key"] for attack in found["bubblewrap"]["attacks"] if not attack["held"]] == []


def test_people_read_it_line_by_line(settings):
    settings.SANDBOX, settings.ALLOW_LOCAL_COMMANDS = "local", True
    code, text = examine("--quick")
    assert code == 1
    assert all(kind in text for kind in SANDBOXES)


@pytest.mark.parametrize(
    ("parts", "sandboxes", "code"),
    [
        (WORKING, [SAFE], 0),
        ({"database": {"works": False}}, [SAFE], 3),
        (WORKING, [{**SAFE, "attacks": [{"held": False}]}], 1),
        (WORKING, [{**SAFE, "isolation": Isolation.NONE}], 1),
        (WORKING, [{**SAFE, "obstacle": "missing"}], 1),
        (WORKING, [{**SAFE, "is_chosen": False}], 1),
    ],
)
def test_the_worst_decides(parts, sandboxes, code):
    assert verdict(parts, sandboxes) == code
