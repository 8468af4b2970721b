import pytest

from runs.agents.tools.files import MAX_READ_BYTES

PROJECT = {"a.py": "import os\nprint(1)\n", "src/b.py": "IMPORT = 2\n", "src/c.txt": "import me\n"}


def test_a_file_that_was_written_can_be_read_again(shop):
    tools = shop()
    written = tools.value("write_file", path="/workspace/out/a.txt", content="né")
    assert written == {"path": "/workspace/out/a.txt", "written": True, "bytes": 3}
    assert tools.value("read_file", path="out/a.txt")["content"] == "né"
    assert [kind for kind, _ in tools.events if kind.startswith("sandbox")] == [
        "sandbox.file.written",
        "sandbox.file.read",
    ]


def test_a_long_file_is_read_up_to_the_limit_and_says_so(shop):
    found = shop({"long.txt": "x" * (MAX_READ_BYTES + 1)}).value("read_file", path="long.txt")
    assert (len(found["content"]), found["truncated"], found["size"]) == (MAX_READ_BYTES, True, MAX_READ_BYTES + 1)


@pytest.mark.parametrize("path", ["/etc/hostname", "../x", "a/../../x", "missing.txt"])
def test_nothing_outside_the_workspace_is_read(shop, path):
    tools = shop(PROJECT)
    tools.error("read_file", path=path)
    assert tools.origin() == "primitive"


def test_a_file_cannot_be_written_over_a_directory(shop):
    shop(PROJECT).error("write_file", path="src", content="x")


def test_files_are_listed_below_a_directory(shop):
    tools = shop(PROJECT)
    assert [file["path"] for file in tools.value("list_files")["files"]] == ["a.py", "src/b.py", "src/c.txt"]
    assert [file["path"] for file in tools.value("list_files", prefix="src")["files"]] == ["src/b.py", "src/c.txt"]
    tools.error("list_files", prefix="nowhere")


def test_files_are_found_by_name(shop):
    tools = shop(PROJECT)
    assert tools.value("search_files", pattern="*.py")["files"] == ["a.py", "src/b.py"]
    assert tools.value("search_files", pattern="src/*.py")["files"] == ["src/b.py"]
    cut = tools.value("search_files", pattern="*", max_results=1)
    assert (cut["files"], cut["truncated"]) == (["a.py"], True)


def test_lines_are_found_by_pattern(shop):
    tools = shop({**PROJECT, "bin.dat": "\0import\n"})
    found = tools.value("search_text", pattern=r"^import\b")["matches"]
    assert [(hit["path"], hit["line_number"], hit["line_text"]) for hit in found] == [
        ("a.py", 1, "import os"),
        ("src/c.txt", 1, "import me"),
    ]
    loose = tools.value("search_text", pattern="import", include="*.py", case_sensitive=False)["matches"]
    assert [hit["path"] for hit in loose] == ["a.py", "src/b.py"]
    assert tools.value("search_text", pattern="import", path="a.py", max_results=1)["matches"][0]["path"] == "a.py"


@pytest.mark.parametrize("pattern", ["(", " ", "a(?=b)"])
def test_a_pattern_that_cannot_be_used_is_refused(shop, pattern):
    shop(PROJECT).error("search_text", pattern=pattern)
