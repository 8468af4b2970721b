"""Every pack of the corpus of AgentV evals: in, edited, published, run, and out again."""

import pytest

from packs import editing, exporting
from packs.access import Role
from packs.formats.archives import read_path
from packs.formats.document import NodeKind
from packs.importing import import_pack
from packs.mirror import read_tree
from packs.models import VersionCase
from packs.publish import publish
from runs.launch.launching import launch
from runs.models import Agent, Trial
from tests.corpora import corpus_folder
from tests.packs.import_ways import WAYS, export, import_again, rows_of
from tests.people import make_member
from tests.runs.working import work_off

FOLDER = corpus_folder("agentv")
FOLDERS = sorted(path for path in FOLDER.iterdir() if path.is_dir())
each_pack = pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: path.name)
pytestmark = pytest.mark.django_db


def edited(team, folder):
    """A draft in whose first test one field was edited."""
    user = make_member(team, Role.CURATOR)
    files, _ = read_path(folder)
    pack = import_pack(team, user, files, folder.name)
    case = pack.cases.order_by("input_set__position", "position").first()
    editing.apply(pack, [editing.Change(NodeKind.CASE, case.pk, "/metadata", {"reviewed": "yes"})], user)
    return pack, user


@pytest.mark.parametrize("name", ["guide-swe-benchmark", "external-datasets", "target-matrix"])
def test_page_api_and_command_make_the_same_rows(name):
    made = {way: rows_of(bring_in(FOLDER / name)) for way, bring_in in WAYS.items()}
    assert made["page"]["errors"] == 0
    assert made["api"] == made["page"]
    assert made["command"] == made["page"]


@each_pack
def test_export_import_and_export_again_give_the_same_bytes(tmp_path, folder):
    pack = WAYS["page"](folder)
    files = export(pack, tmp_path / "out")
    again, files_again = import_again(pack, tmp_path / "out")
    assert files_again == files
    assert read_tree(again) == read_tree(pack)


@each_pack
def test_files_that_were_not_edited_are_exported_byte_for_byte(team, folder):
    files, _ = read_path(folder)
    user = make_member(team, Role.AUTHOR)
    assert dict(exporting.export_draft(import_pack(team, user, files, folder.name), preserve=True).files) == files


@each_pack
def test_a_version_holds_every_test_as_it_was_edited(team, folder):
    pack, user = edited(team, folder)
    version = publish(pack, user)
    stored = VersionCase.objects.filter(version=version).order_by("input_set__position", "position")
    assert stored.count() == pack.cases.count()
    assert stored.first().stored["metadata"] == {"reviewed": "yes"}


@pytest.mark.parametrize("name", ["assert", "assert-extended"])
def test_gold_answers_and_empty_ones_are_judged_by_every_assertion(team, name):
    pack, user = edited(team, FOLDER / name)
    version = publish(pack, user)
    agent, _ = Agent.objects.get_or_create(team=team, name="empty", defaults={"kind": "empty"})
    run = work_off(launch(user, version, [agent]))
    trials = Trial.objects.filter(run=run)
    assert trials.count() == pack.cases.count()
    assert {trial.status for trial in trials} <= {"failed", "passed"}
