import pytest

from runs.grading.graders.runners import about, is_of_tests, place_of, runners_of

PYTEST = ("python -m pytest -q",)
GIVEN = {
    "src/app.py": b"x = 1\n",
    "tests/test_app.py": b"import pytest\n",
    "tests/run.sh": b"sh tests/helper.sh\n",
    "check.py": b"",
    "solution.py": b"",
    "run.sh": b"",
    "deploy.sh": b"",
    "Makefile": b"test:\n\tpytest\n",
    "pyproject.toml": b'[project]\nname = "app"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    "package.json": b'{"scripts": {"test": "jest"}, "version": "1"}',
}


def own(*texts):
    return set(runners_of(GIVEN, texts).files)


@pytest.mark.parametrize(
    "path", ["tests/helper.py", "a/TEST/b.txt", "test_app.py", "src/app_test.go", "web/app.spec.ts", "conftest.py"]
)
def test_tests_are_known_by_their_names(path):
    assert is_of_tests(path)


@pytest.mark.parametrize("path", ["src/app.py", "contest.py", "latest/app.py", "testing.md", "greatest_hits.py"])
def test_the_work_is_no_test(path):
    assert not is_of_tests(path)


def test_what_the_agent_is_to_write_is_left_to_it_although_graders_start_it():
    tests = {"tests/test_app.py", "tests/run.sh"}
    assert own("python solution.py", "sh deploy.sh", "python -m src.app") == tests


@pytest.mark.parametrize(
    ("text", "path"), [("python ./check.py --all", "check.py"), ("bash run.sh", "run.sh"), ("make test", "Makefile")]
)
def test_programs_that_judge_belong_to_whoever_runs_them(text, path):
    assert path in own(text)
    assert path not in own("true")


def test_a_tool_that_another_one_starts_counts_as_well():
    assert runners_of(GIVEN, ("make test",)).tools == {"make", "pytest"}


def changed(left, *texts):
    files = {**{path: content.decode() for path, content in GIVEN.items()}, **left}
    return set(runners_of(GIVEN, texts).changed(lambda path: files.get(path, "")))


def test_of_a_shared_configuration_only_what_it_says_of_the_tools_is_guarded():
    version = GIVEN["pyproject.toml"].decode().replace('"app"', '"other"')
    options = GIVEN["pyproject.toml"].decode().replace("-q", "-p evil")
    assert "pyproject.toml" not in changed({"pyproject.toml": version}, *PYTEST)
    assert "pyproject.toml" in changed({"pyproject.toml": options}, *PYTEST)
    assert "pyproject.toml" in changed({"pyproject.toml": ""}, *PYTEST)
    assert "package.json" not in changed({"package.json": '{"scripts": {"test": "jest"}, "version": "2"}'}, "npm test")
    assert "package.json" in changed({"package.json": '{"scripts": {"test": "true"}}'}, "npm test")


def planted(added, *texts, given=GIVEN, **more):
    runners = runners_of(given, texts or PYTEST, **more)
    return runners.planted([*given, *added], lambda path: added.get(path, ""))


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("conftest.py", "", "conftest.py"),
        ("src/deep/conftest.py", "", "src/deep/conftest.py"),
        (".pytest.ini", "", ".pytest.ini"),
        ("setup.cfg", "[tool:pytest]\naddopts = -x", "setup.cfg"),
        ("pytest.py", "", "pytest.py"),
        ("pytest.cpython-311-x86_64-linux-gnu.so", "", "pytest.cpython-311-x86_64-linux-gnu.so"),
        ("_pytest/__init__.py", "", "_pytest"),
        ("pytest", "", "pytest"),
        ("sitecustomize/__init__.py", "", "sitecustomize"),
    ],
)
def test_what_tools_read_by_themselves_is_not_the_agents_to_add(path, text, found):
    assert planted({path: text}) == [found]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("setup.cfg", "[metadata]\nname = app"),
        ("src/app.egg-info/entry_points.txt", "[console_scripts]\napp = app:main"),
        ("tests/test_more.py", ""),
        ("noxfile.py", ""),
        ("src/contest.py", ""),
    ],
)
def test_everything_else_is(path, text):
    assert planted({path: text}) == []


def test_a_plugin_of_pytest_in_the_workspace_goes_with_its_folder():
    assert planted(
        {"evil-1.dist-info/entry_points.txt": "[pytest11]\nevil = evil", "evil-1.dist-info/METADATA": ""}
    ) == ["evil-1.dist-info"]


def test_with_a_shared_file_of_tests_go_the_tests_that_may_need_it_unless_they_are_asked_for():
    added = {"tests/more/conftest.py": "", "tests/more/test_more.py": "", "tests/test_other.py": ""}
    assert planted(added) == ["tests/more/conftest.py", "tests/more/test_more.py"]
    assert planted(added, "pytest tests/more/test_more.py") == ["tests/more/conftest.py"]


def test_an_agent_that_is_to_write_the_tests_sets_them_up_itself():
    given = {"src/app.py": b""}
    assert planted({"conftest.py": "", "tests/test_app.py": ""}, given=given) == []
    assert planted({"conftest.py": ""}, given=given, has_hidden=True) == ["conftest.py"]


def test_a_builder_reads_what_the_pack_says_where_it_says_something():
    assert planted({"GNUmakefile": ""}, "make test") == ["GNUmakefile"]
    assert planted({"GNUmakefile": "", "Makefile": ""}, "make test", given={"src/app.py": b""}) == []


def test_an_analysis_is_set_up_by_the_pack_alone():
    assert planted({"ruff.toml": "", ".flake8": ""}, "ruff check .", given={"src/app.py": b""}) == ["ruff.toml"]


@pytest.mark.parametrize("path", ["tests/test_app/__init__.py", "tests/test_app.cpython-311.so", "tests/test_app.pyc"])
def test_nothing_that_the_agent_added_stands_for_a_module_of_the_graders(path):
    assert planted({path: "", "tests/test_apples.py": "", "test_app.py": ""}) == [path.removesuffix("/__init__.py")]


def test_compiled_files_go_wherever_they_are():
    given = {"tests/test_app.py": b"", "lib/old.pyc": b""}
    found = runners_of(given, ()).compiled(
        [*given, "a/__pycache__/b.pyc", "a/__pycache__/c.pyc", "d.pyc", "pycache.py"]
    )
    assert found == ["a/__pycache__", "d.pyc"]


def test_a_folder_in_which_the_pack_has_files_stays():
    given = {"unittest/app.py": b"", "tests/test_app.py": b""}
    assert planted({"unittest/more.py": ""}, "python -m unittest", given=given) == ["unittest/more.py"]


@pytest.mark.parametrize(
    ("path", "pattern", "place"),
    [
        ("a/b/conftest.py", "conftest.py", "a/b/conftest.py"),
        ("conftest.py\n", "conftest.py", ""),
        ("a\nb/conftest.py", "conftest.py", "a\nb/conftest.py"),
        ("a/pytest/b/c.py", "pytest/", "a/pytest"),
        ("mypytest.ini", "pytest.*", ""),
    ],
)
def test_a_pattern_means_whole_names(path, pattern, place):
    assert place_of(path, pattern) == place


def test_a_configuration_speaks_of_a_tool_by_its_name():
    text = "[pytest]\naddopts = -q\n[other]\nname = x\n[dev]\nneeds = pytest\n"
    assert about(text, ("pytest",)) == ["[pytest]\naddopts = -q", "[dev]\nneeds = pytest"]
    assert about('{"jest": {"a": 1}, "scripts": {}}', ("jest",)) == ["scripts: {}", "jest: {'a': 1}"]
    assert about("[1, 2]", ("pytest",)) == []
