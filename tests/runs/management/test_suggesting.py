"""`manage.py pack suggest`."""

import io
import json

import pytest
from django.core.management import call_command

from packs.editing.files import file_content
from packs.formats.document import PROOF_FILE
from packs.importing import import_pack
from runs.models import Suggestion
from runs.proof.author import read_notes
from tests.runs.connections import make_connection
from tests.runs.proof.makers import TIDY, challenge

pytestmark = pytest.mark.django_db
REPLY = {"wrong": [{"answer": "Leeds or York", "why": "It names two."}], "right": [{"answer": "The hub is in Leeds"}]}


@pytest.fixture
def pack(team, author, model_server, local_endpoints):
    priced = {"name": "small", "input_per_million": 1.0, "output_per_million": 2.0}
    make_connection(team, model_server, model_list=[priced, {"name": "free"}], max_retries=0)
    loose = {"says": ("contains", *TIDY[1:])}
    return import_pack(team, author, challenge(loose, ["Leeds", "York"]), "planted.yaml")


def suggest(*arguments, case="case-1", slug="planted"):
    """What the command prints and how it ends."""
    out, code = io.StringIO(), 0
    try:
        call_command("pack", "suggest", slug, case, *arguments, stdout=out, stderr=out)
    except SystemExit as ended:
        code = ended.code
    return out.getvalue(), code


def test_it_says_what_asking_takes_and_keeps_only_what_is_confirmed(pack, author, model_server):
    said, code = suggest()
    assert (code, model_server.requests) == (0, [])
    assert "Asking small of models takes 1 call and about" in said
    assert "price unknown" in said
    model_server.reply(json.dumps(REPLY))
    said, code = suggest("--ask", "--model", "small", "--user", author.username)
    wrong, right = Suggestion.objects.order_by("-kind")
    assert (code, wrong.created_by) == (0, author)
    assert f"{wrong.pk}  wrong  passed  graders and model part" in said
    assert "    Leeds or York" in said
    assert file_content(pack, PROOF_FILE) is None
    listed = json.loads(suggest("--json")[0])
    assert [each["text"] for each in listed["suggestions"]] == ["The hub is in Leeds", "Leeds or York"]
    assert [each["model"] for each in listed["offers"]] == ["small", "free"]
    assert len(model_server.requests) == 1
    said, code = suggest("--wrong", str(wrong.pk), "--dismiss", "999")
    assert (code, file_content(pack, PROOF_FILE)) == (2, None)
    said, code = suggest("--wrong", str(wrong.pk), "--dismiss", str(right.pk))
    assert (code, Suggestion.objects.count()) == (0, 0)
    notes, _ = read_notes(file_content(pack, PROOF_FILE))
    assert notes.document["cases"][0]["wrong"] == [{"text": "Leeds or York", "origin": "suggested by small"}]


@pytest.mark.parametrize(
    ("arguments", "case", "code", "said"),
    [
        (["--ask"], "case-1", 2, "Name one with --model"),
        (["--ask", "--model", "large"], "case-1", 2, "No such model"),
        ([], "case-9", 2, "has the case 'case-9'"),
        (["--ask", "--model", "small"], "case-1", 3, "something else than JSON"),
    ],
)
def test_what_cannot_be_asked_is_said(pack, model_server, arguments, case, code, said):
    model_server.reply("I cannot help.")
    found, ended = suggest(*arguments, case=case)
    assert ended == code
    assert said in found
    assert Suggestion.objects.count() == 0


def test_a_pack_that_is_not_there_comes_with_those_that_are(pack):
    assert suggest(slug="plant") == ("There is no pack 'plant' in the team 'default'.\n  planted\n", 2)
