"""What every sandbox promises; runs for each kind."""

from contextlib import suppress
from uuid import uuid4

import psutil
import pytest

from runs.sandbox.contract import Changes, Command, Limits, PathRefused, Stop, WorkspaceFull
from tests.runs.sandbox.rooms import python, room, wait_until


@pytest.fixture
def workspace(sandbox):
    with sandbox.open_workspace(room(files={"data/in.txt": b"hub", "/workspace/abs.txt": b"7"})) as opened:
        yield opened


def test_the_tasks_files_are_there_under_both_names(workspace):
    result = workspace.run(python("print(open('data/in.txt').read(), open('abs.txt').read())"))
    assert (result.exit_code, result.stdout) == (0, b"hub 7\n")
    assert workspace.read_file("/workspace/data/in.txt", 10).content == b"hub"


def test_input_is_read_and_both_outputs_are_kept(workspace):
    code = "import sys; data = sys.stdin.read(); print(len(data)); print('oops', file=sys.stderr); sys.exit(3)"
    result = workspace.run(python(code, stdin=b"x" * 300_000))
    assert (result.exit_code, result.stdout, result.stderr) == (3, b"300000\n", b"oops\n")


def test_a_program_that_does_not_read_its_input_does_no_harm(workspace):
    assert workspace.run(python("print('done')", stdin=b"x" * 300_000)).stdout == b"done\n"


def test_a_program_that_ends_with_unread_input_is_told_apart_from_one_that_reads_all(workspace):
    found = [
        workspace.run(python(code, stdin=b"x" * size)).left_input
        for code, size in (("", 1_000_000), ("import sys; sys.stdin.read()", 1_000_000), ("", 10))
    ]
    assert found == [True, False, False]


def test_lines_are_passed_on_as_they_come_also_the_last_one_without_an_end(workspace):
    lines = []
    workspace.run(python("print('one'); print('two', end='')", on_line=lines.append))
    assert lines == [b"one", b"two"]


def test_a_line_that_is_not_wanted_stops_the_program(workspace):
    def refuse(line):
        raise KeyError(line)

    with pytest.raises(KeyError):
        workspace.run(python("import time; print('x', flush=True); time.sleep(3600)", on_line=refuse))


@pytest.mark.parametrize(
    ("limits", "code", "stop"),
    [
        ({"timeout": 0.3}, "import time; time.sleep(3600)", Stop.TIMEOUT),
        ({"timeout": 0.3}, "import os, time; os.close(1); os.close(2); time.sleep(3600)", Stop.TIMEOUT),
        ({"is_cancelled": lambda: True}, "import time; time.sleep(3600)", Stop.CANCELLED),
        ({"max_output_bytes": 1000}, "while True: print('x' * 100)", Stop.OUTPUT_LIMIT),
    ],
)
def test_a_program_is_stopped_at_its_limits(workspace, limits, code, stop):
    result = workspace.run(python(code, **limits))
    assert (result.stop, result.exit_code) == (stop, -9)


def test_children_are_gone_when_the_program_has_ended(workspace):
    mark = f"mark-{uuid4().hex}"
    code = f"import os, time\nif os.fork() == 0:\n    time.sleep(3600)\nprint('done')  # {mark}"
    assert workspace.run(python(code)).stdout == b"done\n"
    wait_until(lambda: not any(mark in line for line in commands()))


def commands():
    """The command line of every process of this machine."""
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            yield " ".join(process.cmdline())


def test_the_workers_environment_is_not_passed_on(workspace, monkeypatch):
    monkeypatch.setenv("PACKWRIGHT_SECRET_KEY", "s3cret")
    code = "import os; print(sorted(os.environ))"
    told = workspace.run(python(code, variables={"TOKEN": "t", "PATH": "/nowhere"})).stdout.decode()
    assert "PACKWRIGHT_SECRET_KEY" not in told
    for name in ("HOME", "LC_CTYPE", "PATH", "TOKEN"):
        assert name in told
    assert b"/usr/bin" in workspace.run(python("import os; print(os.environ['PATH'])", variables={"PATH": "/x"})).stdout


def test_texts_are_utf8_for_programs_that_ask_for_the_locale(workspace):
    code = "import locale; locale.setlocale(locale.LC_ALL, ''); print(locale.nl_langinfo(locale.CODESET))"
    uncoerced = {"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    assert workspace.run(python(code, variables=uncoerced)).stdout == b"UTF-8\n"


def test_a_program_that_nobody_reads_ends_as_in_a_shell(workspace):
    result = workspace.run(Command(["sh", "-c", "yes | head -n 1"]))
    assert (result.stdout, result.stderr) == (b"y\n", b"")


def test_a_program_that_does_not_exist_says_so(workspace):
    with pytest.raises(FileNotFoundError):
        workspace.run(Command(["no-such-program"]))


@pytest.mark.parametrize("path", ["/etc/passwd", "../up.txt", "a/../../up.txt", "/workspace/../up.txt", "nul\0"])
def test_paths_outside_the_workspace_are_refused(sandbox, workspace, path):
    with pytest.raises(PathRefused):
        workspace.read_file(path, 10)
    with pytest.raises(PathRefused):
        workspace.list_directory(path, recursive=True)
    with pytest.raises(PathRefused), sandbox.open_workspace(room(files={path: b""})):
        pass


def test_results_can_be_written_compared_and_removed(workspace):
    before = workspace.snapshot()
    workspace.write_file("tool.py", b"#!/bin/sh\necho it runs\n", executable=True)
    assert workspace.run(Command(["./tool.py"])).stdout == b"it runs\n"
    workspace.make_directory("made/below")
    assert workspace.run(python("open('made/below/x', 'w'); open('abs.txt', 'a').write('!')")).exit_code == 0
    assert workspace.delete("/workspace/data")
    expected = Changes(("made/below/x", "tool.py"), ("abs.txt",), ("data/in.txt",))
    assert workspace.changes(before) == expected
    assert workspace.changes(workspace.snapshot()) == Changes()


def test_a_program_starts_in_the_directory_that_is_named(workspace):
    assert workspace.run(python("print(open('in.txt').read())", directory="data")).stdout == b"hub\n"
    assert workspace.run(python("print(open('in.txt').read())", directory="/workspace/data")).stdout == b"hub\n"
    with pytest.raises(FileNotFoundError):
        workspace.run(python("", directory="missing"))
    with pytest.raises(PathRefused):
        workspace.run(python("", directory="/"))


def test_a_rooms_variables_hold_for_every_command_and_a_command_has_its_own(sandbox):
    with sandbox.open_workspace(room(variables={"A": "room", "B": "room"})) as opened:
        told = opened.run(python("import os; print(os.environ['A'], os.environ['B'])", variables={"B": "command"}))
    assert told.stdout == b"room command\n"


def test_read_only_and_executable_files_are_what_they_are_called(sandbox):
    files = {"given/spec.txt": b"spec", "run": b"#!/bin/sh\ncat given/spec.txt\n"}
    asked = room(files=files, read_only=frozenset({"given/spec.txt"}), executable=frozenset({"run"}))
    with sandbox.open_workspace(asked) as opened:
        opened.run(Command(["sh", "-c", "echo no > given/spec.txt; rm -f given/spec.txt; mv given away; mkdir given"]))
        assert opened.read_file("given/spec.txt", 10).content == b"spec"
        assert opened.run(Command(["./run"])).stdout == b"spec"


def test_what_does_not_fit_into_the_workspace_is_refused(sandbox):
    small = Limits(disk_bytes=100_000)
    with pytest.raises(WorkspaceFull), sandbox.open_workspace(room(files={"a": b"x" * 200_000}, limits=small)):
        pass
    with sandbox.open_workspace(room(limits=small)) as opened, pytest.raises(WorkspaceFull):
        opened.write_file("a", b"x" * 200_000)


@pytest.mark.parametrize("arguments", [["a\0b"], ["cat", "a\0b"], []])
def test_arguments_that_no_program_can_have_are_told(workspace, arguments):
    with pytest.raises(FileNotFoundError):
        workspace.run(Command(arguments))


def test_a_file_that_is_no_program_cannot_be_started(workspace):
    with pytest.raises(PermissionError):
        workspace.run(Command(["./abs.txt"]))


def test_a_name_cannot_be_both_a_file_and_a_directory(sandbox):
    with pytest.raises(PathRefused), sandbox.open_workspace(room(files={"a": b"", "a/b": b""})):
        pass


def test_links_pipes_and_directories_are_no_files_to_take(workspace):
    code = (
        "import os; os.symlink('/etc/passwd', 'link'); os.symlink('/etc', 'dir'); os.symlink('loop', 'loop'); "
        "os.mkfifo('pipe'); os.symlink('data/in.txt', 'inner')"
    )
    assert workspace.run(python(code)).exit_code == 0
    for name in ("link", "dir/passwd", "loop", "pipe", "data", "missing"):
        assert workspace.read_file(name, 10) is None
    assert workspace.list_directory("dir", recursive=True) is None
    assert workspace.read_file("inner", 10).content == b"hub"


def test_a_file_is_read_up_to_a_size_and_its_whole_size_is_told(workspace):
    found = workspace.read_file("data/in.txt", 2)
    assert (found.content, found.size, found.is_truncated) == (b"hu", 3, True)
    assert not workspace.read_file("data/in.txt", 3).is_truncated


def test_a_directory_is_listed_with_or_without_what_lies_below(workspace):
    flat = workspace.list_directory(".", recursive=False)
    assert [(entry.path, entry.is_directory) for entry in flat] == [("abs.txt", False), ("data", True)]
    deep = workspace.list_directory("/workspace", recursive=True)
    assert [entry.path for entry in deep] == ["abs.txt", "data", "data/in.txt"]
    assert workspace.list_directory("abs.txt", recursive=False) is None


def test_the_workspace_is_gone_afterwards(sandbox):
    with sandbox.open_workspace(room()) as opened:
        opened.run(python("open('left.txt', 'w')"))
        assert opened.read_file("left.txt", 1) is not None
    with sandbox.open_workspace(room()) as opened:
        assert opened.list_directory(".", recursive=True) == []
