"""What every sandbox promises to the program that comes after an agent; runs for each kind."""

import json
from contextlib import suppress

import pytest

from runs.sandbox.contract import Command, Limits, WorkspaceFull
from tests.runs.sandbox.rooms import python, room

GIVEN = {"tests/run.sh": b"exit 1\n", "tests/deep/a.py": b"assert 0\n", "src/app.py": b"x = 1\n"}
# A package of the user's for this Python, and files under fixed names.
LEAVE = """
import os, site, tempfile
os.makedirs(site.getusersitepackages(), exist_ok=True)
open(os.path.join(site.getusersitepackages(), "evil.pth"), "w").write("import sys; print('5 passed')")
open(os.path.join(os.environ["HOME"], ".profile"), "w").write("echo 5 passed")
open(os.path.join(tempfile.gettempdir(), "left"), "w").write("")
"""
SEEN = """
import json, os, site, sys, tempfile
home = os.environ["HOME"]
# The Python that runs this may itself stand in the folder of temporary files.
known = {".cache", *sys.executable.split("/")}
listed = [sorted(set(os.listdir(folder)) - known) for folder in (home, tempfile.gettempdir())]
found = [*listed, site.ENABLE_USER_SITE]
open(home + "/mine", "w").write("secret")
print(json.dumps(found))
"""
CLOSE = """
import os
for folder, names, files in os.walk(".", topdown=False):
    for name in files + names:
        os.chmod(os.path.join(folder, name), 0)
os.chmod(".", 0)
"""


@pytest.fixture
def workspace(sandbox):
    with sandbox.open_workspace(room(files=GIVEN)) as opened:
        yield opened


def with_site(code, **more):
    """A command of a Python that looks for packages as Python does."""
    return Command([*python(code).arguments[:1], "-c", code], **more)


def test_a_command_with_a_home_of_its_own_finds_nothing_that_others_left_and_leaves_nothing(workspace):
    assert workspace.run(with_site(LEAVE)).exit_code == 0
    result = workspace.run(with_site(SEEN, own_home=True))
    assert result.exit_code == 0, result
    assert json.loads(result.stdout) == [[], [], False]
    assert json.loads(workspace.run(with_site(SEEN, own_home=True)).stdout)[0] == []
    left = workspace.run(with_site("import os, tempfile; print('mine' in os.listdir(tempfile.gettempdir()))"))
    assert left.stdout.endswith(b"False\n")


def test_a_login_shell_reads_no_profile_of_the_agents(workspace):
    workspace.write_file(".profile", b"echo 5 passed\n")
    told = workspace.run(Command(["sh", "-lc", "echo done"], own_home=True))
    assert told.stdout == b"done\n"


def test_what_was_closed_is_opened_for_reading_listing_and_running(workspace):
    workspace.run(python(CLOSE))
    workspace.open_up()
    assert workspace.read_file("tests/deep/a.py", 100).content == b"assert 0\n"
    assert set(workspace.snapshot()) == set(GIVEN)
    assert workspace.run(python("print(open('src/app.py').read())", own_home=True)).stdout == b"x = 1\n\n"


def test_a_folder_that_was_closed_is_no_trouble_of_the_machine(workspace):
    workspace.run(python("import os; os.chmod('src', 0); os.chmod('.', 0)"))
    assert workspace.run(Command(["true"])).exit_code == 0
    with suppress(PermissionError):
        workspace.run(Command(["true"], directory="src"))


@pytest.mark.parametrize(
    "tamper",
    [
        "open('tests/run.sh', 'w').write('exit 0')",
        "os.unlink('tests/run.sh')",
        "os.unlink('tests/run.sh'); os.symlink('../src/app.py', 'tests/run.sh')",
        "os.unlink('tests/run.sh'); os.link('src/app.py', 'tests/run.sh')",
        "os.unlink('tests/run.sh'); os.mkdir('tests/run.sh'); os.mknod('tests/run.sh/x')",
        "os.unlink('tests/run.sh'); os.mkfifo('tests/run.sh')",
        "os.rename('tests', 'other'); os.symlink('other', 'tests')",
        "os.rename('tests', 'other'); os.mknod('tests')",
        "os.chmod('tests', 0); os.chmod('.', 0)",
        "os.link('tests/run.sh', 'same')",
    ],
)
def test_a_file_is_put_back_whatever_stands_in_its_place(workspace, tamper):
    workspace.run(python(f"import os\n{tamper}"))
    workspace.put_back({path: GIVEN[path] for path in ("tests/run.sh", "tests/deep/a.py")})
    result = workspace.run(Command(["sh", "tests/run.sh"], own_home=True))
    assert (result.exit_code, result.stderr) == (1, b"")
    assert workspace.read_file("tests/deep/a.py", 100).content == b"assert 0\n"


def test_only_what_changed_is_put_back_and_told(workspace):
    assert workspace.put_back(GIVEN) == ()
    workspace.run(python("open('src/app.py', 'a').write('y = 2\\n')"))
    assert workspace.put_back(GIVEN) == ("src/app.py",)
    assert workspace.put_back(GIVEN) == ()


def test_a_workspace_that_is_full_has_no_place_for_what_was_removed(sandbox):
    limits = Limits(disk_bytes=4 * 2**20)
    fill = "import os\nos.unlink('given')\ntry:\n    open('big', 'wb').write(b'x' * (8 << 20))\nexcept OSError: pass"
    with sandbox.open_workspace(room(files={"given": b"x" * 2**20}, limits=limits)) as workspace:
        workspace.run(python(fill))
        with pytest.raises(WorkspaceFull):
            workspace.put_back({"given": b"x" * 2**20})
