import pytest

from runs.grading.graders.patches import denied_paths, is_sensitive, paths_of


def test_every_path_of_a_patch_is_named_once_in_order():
    patch = (
        'diff --git a/src/a b/src/b\nrename from src/a\nrename to src/b\n--- a/src/a\t2020\n+++ "b/src/./c d"\n'
        "--- /dev/null\n+++ b/../x\n--- /etc/passwd\n"
    )
    assert paths_of(patch) == ["src/a", "src/b", "src/c d", "../x", "/etc/passwd"]


TESTS = "tests/test_x.py"


@pytest.mark.parametrize(
    "patch",
    [
        pytest.param(
            'diff --git "a/te\\163ts/test_x.py" "b/te\\163ts/test_x.py"\n--- "a/te\\163ts/test_x.py"\n',
            id="quoted with escapes",
        ),
        pytest.param('+++ "b/\\164ests/test_x.py"\n', id="only one side"),
        pytest.param(
            f"diff --git a/a.py b/a.py\nsimilarity index 100%\ncopy from a.py\ncopy to {TESTS}\n", id="a copy"
        ),
        pytest.param(f"--- x/{TESTS}\n+++ y/{TESTS}\n", id="other prefixes"),
        pytest.param(f"diff --git old/{TESTS} new/{TESTS}\nnew file mode 100644\n", id="an empty file"),
        pytest.param(f"diff --git w/{TESTS} w/{TESTS}\nindex 0..1\nGIT binary patch\nliteral 3\n", id="binary"),
    ],
)
def test_a_path_is_found_however_it_is_written(patch):
    assert TESTS in paths_of(patch)
    assert denied_paths(paths_of(patch), {"allow_paths": ["a.py"]})


def test_lines_may_end_as_they_do_elsewhere():
    patch = "diff --git a/old.py b/x.py\r\nsimilarity index 100%\r\nrename from old.py\r\nrename to x.py\r\n"
    assert paths_of(patch) == ["old.py", "x.py"]
    assert paths_of("diff --git a/x.py b/x.py\r\nnew file mode 100644\r\n") == ["x.py"]
    assert "tests/t.py" in paths_of("diff --git old/tests/t.py new/tests/t.py\r\nnew file mode 100644\r\n")


def test_names_with_blanks_are_told_apart():
    assert paths_of("diff --git a/a b.py b/a b.py\n") == ["a b.py"]
    assert "x b/tests/t.py" in paths_of("diff --git a/x b/tests/t.py a/x b/tests/t.py\n")
    assert paths_of('diff --git a/a.py "b/\\303\\244 b.py"\n') == ["a.py", "ä b.py"]


def test_only_line_ends_end_a_line():
    assert paths_of("--- a/src/\u2028/tests/x\n") == ["src/\u2028/tests/x"]


def test_a_line_without_end_is_looked_at_as_one_path():
    assert denied_paths(paths_of("diff --git " + '"\\' * 100_000), {"allow_paths": ["src"]})
    slashes = "/" * 9_000
    assert denied_paths(paths_of(f"diff --git x{slashes}tests/a x{slashes}tests/a\n"), {})


@pytest.mark.parametrize(
    "path",
    ["tests/x", "src/Test/x", ".github/x", "ci/run", "a/setup.py", "a/x.sh", "Poetry.lock", "pytest.ini", "../x", "/x"],
)
def test_what_builds_tests_or_leads_out_is_sensitive(path):
    assert is_sensitive(path)


@pytest.mark.parametrize("path", ["src/x.py", "config/routes.yaml", "testing/x", "src/ci/x"])
def test_ordinary_files_are_not(path):
    assert not is_sensitive(path)


def test_allowed_paths_are_patterns_or_folders_and_never_lift_what_is_sensitive():
    paths = ["src/a", "docs/b", "src/tests/c"]
    assert denied_paths(paths, {"allow_paths": ["src/"]}) == ["docs/b", "src/tests/c"]
    assert denied_paths(paths, {"allow_paths": ["*"], "allow_sensitive_paths": ["src/*/c"]}) == []
    assert denied_paths(paths, {}) == ["src/tests/c"]
