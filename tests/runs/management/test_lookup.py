import pytest

from packs.models import VersionStatus
from runs.management.lookup import Misuse, find_agents, find_run, find_version

pytestmark = pytest.mark.django_db


def test_a_version_is_named_by_its_pack_and_number_or_is_the_newest_that_can_be_run(version):
    team = version.pack.team
    assert find_version(team, "parcels") == find_version(team, "parcels@1") == version
    type(version).objects.filter(pk=version.pk).update(status=VersionStatus.ARCHIVED)
    with pytest.raises(Misuse) as misuse:
        find_version(team, "parcels")
    assert misuse.value.choices == [{"version": "parcels@1", "status": "archived"}]


def test_an_agent_that_is_not_there_is_told_with_those_that_are(team, agents):
    assert find_agents(team, ["empty", "echo"]) == [agents["empty"], agents["echo"]]
    with pytest.raises(Misuse) as misuse:
        find_agents(team, ["echo", "nobody"])
    assert misuse.value.code == "invalid_agent_deployment_ids"
    assert {"name": "echo", "kind": "echo"} in misuse.value.choices


def test_a_run_that_is_not_there_is_refused():
    with pytest.raises(Misuse):
        find_run(0)
