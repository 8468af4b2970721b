"""The packs that a fresh studio starts with, each run by the agent that gives the gold answers."""

import pytest

from packs.formats.archives import read_path
from packs.importing import import_pack
from packs.importing.samples import SAMPLES
from packs.publish import publish
from runs.launch.launching import Options, launch
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("path", sorted(SAMPLES.iterdir()), ids=lambda path: path.stem)
def test_every_case_of_a_sample_is_passed_by_its_gold_answer(team, administrator, agents, path):
    files, _ = read_path(path)
    version = publish(import_pack(team, administrator, files, path.stem, slug=path.stem), administrator)
    ended = {}
    for input_set in version.input_sets.all():
        run = work_off(
            launch(administrator, version, [agents["reference"]], Options(input_set=input_set.key, trials=2))
        )
        ended |= {(trial.case_key, trial.number): (trial.status, trial.error) for trial in run.trials.all()}
    assert ended
    assert {name: outcome for name, outcome in ended.items() if outcome != ("passed", "")} == {}
