"""The replay builder against the replay vectors of the corpus."""

import pytest
import yaml

from runs.replay import StepIndex, build_steps, index_steps, replay
from tests.corpora import corpus_folder

FILE = corpus_folder("challenge-pack") / "replay-vectors.yaml"
VECTORS = yaml.load(FILE.read_text(), Loader=yaml.CSafeLoader)["replays"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_a_replay_is_built_as_upstream_builds_it(vector):
    assert replay(vector["events"]) == vector["replay"]


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_paging_through_a_stored_index_gives_the_same_steps(vector):
    index = StepIndex(**index_steps(vector["events"]).as_dict())
    events = {event["sequence_number"]: event for event in vector["events"]}
    pages = []
    for first in range(0, len(index), 3):
        positions = range(first, min(first + 3, len(index)))
        needed = {number: events[number] for number in index.sequences(positions)}
        pages += build_steps(index, positions, needed)
    assert {**index.summary, "steps": pages} == vector["replay"]
