"""Programs in container images. The promises that all sandboxes share are in `test_contract.py`."""

import json
from dataclasses import replace

import docker
import pytest

from packs.formats.task import GraderSpec
from runs.sandbox import container
from runs.sandbox.attacks import ATTACKS, attack, open_scene
from runs.sandbox.container.engine import LABEL_OF_PLACE
from runs.sandbox.contract import Command, Limits, Room, SandboxUnavailable, Stop
from runs.sandbox.slots import MAX_SLOTS
from tests.runs.sandbox.containers import IMAGE, InImage, forget_client
from tests.runs.sandbox.rooms import python, room
from tests.runs.workspaces import of, start, task_of, tell
from tests.services import wait_until

pytestmark = pytest.mark.services


@pytest.fixture
def client(container_engine):
    found = docker.DockerClient(base_url=container_engine)
    yield found
    found.close()


@pytest.fixture
def workspace(container_engine):
    with InImage().open_workspace(room()) as opened:
        yield opened


def test_without_an_engine_the_obstacle_says_where_one_is_looked_for(monkeypatch, tmp_path):
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    forget_client()
    assert "DOCKER_HOST" in container.obstacle()
    with pytest.raises(SandboxUnavailable), container.open_workspace(Room(image=IMAGE)):
        pass
    forget_client()


def test_an_image_that_is_not_there_is_named_with_how_to_get_it(container_engine):
    with (
        pytest.raises(SandboxUnavailable, match="docker pull nowhere:7"),
        container.open_workspace(Room(image="nowhere:7")),
    ):
        pass


def test_programs_have_no_network_no_rights_and_a_file_system_that_they_cannot_change(workspace):
    code = (
        "import os\n"
        "print(os.getuid() != 0, os.listdir('/sys/class/net'))\n"
        "print([line.split()[1] for line in open('/proc/self/status') if line.startswith('CapEff')])\n"
        "try:\n    open('/etc/new', 'w')\nexcept OSError as error:\n    print(error.errno)\n"
    )
    told = workspace.run(python(code)).stdout.decode().splitlines()
    assert told == ["True ['lo']", "['0000000000000000']", "30"]


@pytest.mark.parametrize("key", ["use_network", "open_sockets", "share_by_number", "become_more", "ask_kernel"])
def test_the_engine_withstands_attacks_on_what_lies_outside(container_engine, key):
    with open_scene() as scene:
        assert attack(InImage(), ATTACKS[key], scene) == ""


def test_programs_of_an_image_have_threads_processes_and_pairs_of_sockets(workspace):
    code = (
        "import socket, subprocess, threading\n"
        "started = threading.Thread(target=lambda: print('thread', flush=True)); started.start(); started.join()\n"
        "subprocess.run(['/bin/echo', 'process'])\n"
        "for family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK):\n"
        "    kind = socket.SOCK_RAW if family == socket.AF_NETLINK else socket.SOCK_STREAM\n"
        "    socket.socket(family, kind).close()\n"
        "left, right = socket.socketpair(); left.send(b'pair'); print(right.recv(9).decode())\n"
    )
    result = workspace.run(python(code))
    assert result.stdout.split() == [b"thread", b"process", b"pair"], result.stderr


def test_a_program_that_takes_too_much_memory_is_told_so(container_engine):
    with InImage().open_workspace(room(limits=Limits(memory_bytes=64 * 1024 * 1024))) as opened:
        result = opened.run(python("held = b'x' * (300 * 1024 * 1024)"))
    assert (result.stop, result.exit_code) == (Stop.MEMORY, -9)


def test_as_many_processors_are_had_as_the_task_states_and_no_limit_is_more_than_there_are(container_engine):
    code = (
        "import glob\n"
        "for name in glob.glob('/sys/fs/cgroup/cpu.max') + glob.glob('/sys/fs/cgroup/cpu*/cpu.cfs_quota_us'):\n"
        "    print(open(name).read().split()[0])\n"
        "    break\n"
    )
    told = []
    for stated in (0.5, 4096.0, None):
        with InImage().open_workspace(room(limits=Limits(processors=stated))) as opened:
            told.append(opened.run(python(code)).stdout.strip())
    assert told[0] == b"50000"
    assert told[1] == told[2] in (b"max", b"-1")


def test_processes_are_limited(container_engine):
    code = (
        "import os, time\n"
        "for number in range(100):\n"
        "    try:\n        pid = os.fork()\n    except OSError:\n        break\n"
        "    if not pid:\n        time.sleep(60)\n"
        "print(10 < number < 40)\n"
    )
    with InImage().open_workspace(room(limits=Limits(processes=40))) as opened:
        assert opened.run(python(code)).stdout == b"True\n"


def test_the_images_own_files_can_be_the_start_of_the_workspace(container_engine):
    asked = room(files={"inner/task.txt": b"of the task"}, materialize_from_image=True)
    with InImage().open_workspace(asked) as opened:
        assert opened.read_file("inner/given.txt", 100).content == b"of the image"
        assert opened.read_file("inner/again.txt", 100).content == b"of the image"
        assert opened.read_file("link", 100).content == b"of the image"
        assert opened.read_file("out", 100) is None
        shown = opened.run(Command(["sh", "-c", "cat inner/task.txt; echo more >> inner/given.txt"]))
        assert (shown.exit_code, shown.stdout) == (0, b"of the task")
        assert opened.read_file("inner/given.txt", 100).content == b"of the imagemore\n"
    with InImage().open_workspace(room()) as opened:
        assert opened.list_directory(".", recursive=True) == []


def test_hooks_and_graders_of_a_pack_read_it_in_the_image_and_its_agent_does_not(container_engine):
    check = (
        "import json, pathlib, sys; json.load(sys.stdin)\n"
        "print(json.dumps({'score': float(pathlib.Path('a.txt').read_text() == 'in the pack')}))"
    )
    assertion = {"name": "check", "type": "code-grader", "command": ["python3", "-c", check], "directory": "evals"}
    spec = GraderSpec("check", "agentv.code-grader", config={"assertion": assertion, "test": {"folder": "evals"}})
    task = replace(task_of(tell("before_each"), files={"a": ""}), graders=(spec,))
    look = (
        "import json, os; print(json.load(open('told.json'))['workspace_path'], "
        "[path for path, _, names in os.walk('/') if 'a.txt' in names and 'evals' in path])"
    )
    outcome, events = start(task, look, sandbox=InImage())
    assert outcome.final_output == "/workspace []", outcome.error
    assert json.loads(of(events, "grader.verification.code_executed")[0]["stdout"]) == {"score": 1.0}


def test_a_grader_that_leaves_its_input_unread_in_an_image_is_the_authors_to_mend(container_engine):
    assertion = {
        "name": "check",
        "type": "code-grader",
        "command": ["true"],
        "directory": "evals",
        "big": "x" * 300_000,
    }
    spec = GraderSpec("check", "agentv.code-grader", config={"assertion": assertion, "test": {"folder": "evals"}})
    outcome, events = start(replace(task_of(files={"a": ""}), graders=(spec,)), sandbox=InImage())
    assert of(events, "grader.verification.code_executed")[0]["left_input"]
    assert [grade.outcome for grade in outcome.grades] == ["pack_error"]


def left_at(client, folder):
    labels = {LABEL_OF_PLACE: container.name_of(folder)}
    return client.containers.create(IMAGE, ["true"], labels=labels, network_mode="none").id


def test_no_container_is_left_also_not_of_a_worker_that_died(container_engine, client):
    with InImage().open_workspace(room()) as opened:
        opened.run(python("import time; time.sleep(60)", timeout=0.5))
        assert client.containers.list(all=True) == []
        own = left_at(client, opened.place.slot.folder)
        dead = left_at(client, opened.place.slot.folder.with_name(str(MAX_SLOTS - 1)))
        elsewhere = left_at(client, "/another/place/3")
        assert container.sweep() == 1
        assert dead not in {found.id for found in client.containers.list(all=True)}

    def is_swept():
        container.sweep()
        return own not in {found.id for found in client.containers.list(all=True)}

    # Another process may use the slot that was left, for a while.
    wait_until(is_swept, "the sweep of a slot")
    assert {found.id for found in client.containers.list(all=True)} == {elsewhere}
    client.containers.get(elsewhere).remove()
