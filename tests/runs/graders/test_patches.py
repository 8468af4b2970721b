import pytest

from runs.graders.patches import denied_paths, is_sensitive, paths_of


def test_every_path_of_a_patch_is_named_once_in_order():
    patch = (
        'diff --git a/src/a b/src/b\nrename from src/a\nrename to src/b\n--- a/src/a\t2020\n+++ "b/src/./c d"\n'
        "--- /dev/null\n+++ b/../x\n--- /etc/passwd\n"
    )
    assert paths_of(patch) == ["src/a", "src/b", "src/c d", "../x", "/etc/passwd"]


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
