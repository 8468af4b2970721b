"""The budgets of the code: sizes, and a test for every module."""

import ast
import re
from functools import cache
from pathlib import Path

from django.apps import apps

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("studio", "packs", "runs")
MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 30
# Modules that hold no behaviour of their own: names that Django looks for, and values without functions.
WITHOUT_TEST = {"__init__.py", "apps.py", "wsgi.py", "asgi.py", "celery.py", "urls.py", "settings.py"}


def modules() -> list[Path]:
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    return sorted(path.relative_to(ROOT) for path in found if "migrations" not in path.parts)


@cache
def nodes(path: Path) -> list[ast.AST]:
    return list(ast.walk(ast.parse((ROOT / path).read_text())))


def functions(path: Path) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in nodes(path) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def has_test(path: Path) -> bool:
    """A module is covered by its own test file, by a folder of its name, or by that of a package above it."""
    folder = ROOT / "tests" / path.parent
    if (folder / f"test_{path.stem}.py").exists() or any((folder / path.stem).glob("test_*.py")):
        return True
    return any(
        (ROOT / "tests" / package.parent / f"test_{package.name}.py").exists() for package in list(path.parents)[:-2]
    )


def python_files() -> list[Path]:
    folders = (*PACKAGES, "tests", "benchmarks")
    found = (path for folder in folders for path in (ROOT / folder).rglob("*.py"))
    return [path for path in found if not {"migrations", "node_modules"} & set(path.parts)]


def test_no_file_is_longer_than_the_budget():
    lengths = {path.relative_to(ROOT): len(path.read_text().splitlines()) for path in python_files()}
    assert {str(path): lines for path, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_functions_are_short():
    lengths = sorted(
        (node.end_lineno or node.lineno) - node.lineno + 1 for path in modules() for node in functions(path)
    )
    assert lengths[int(len(lengths) * 0.95)] <= MAX_FUNCTION_LINES


def test_every_module_has_its_test():
    assert [str(path) for path in modules() if path.name not in WITHOUT_TEST and not has_test(path)] == []


def ordered_by() -> list[tuple[Path, int, str]]:
    """Every name that a call of `order_by` in the code states, with its place."""
    calls = [
        (path, node)
        for path in modules()
        for node in nodes(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "order_by"
    ]
    return [
        (path, node.lineno, argument.value.lstrip("-").rpartition("__")[2])
        for path, node in calls
        for argument in node.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def test_nothing_is_ordered_by_a_relation_that_has_an_order_of_its_own():
    """Django sorts by the order of the related model then, such as `position`, which several rows share: what belongs
    together no longer stands together. The column, such as `run_agent_id`, is what is meant."""
    relations = {
        field.name
        for model in apps.get_models()
        for field in model._meta.get_fields()
        if field.many_to_one and field.related_model and list(field.related_model._meta.ordering) not in ([], ["id"])
    }
    assert [place for place in ordered_by() if place[2] in relations] == []


def test_packs_name_no_runs_in_strings_either():
    """What joins packs and runs stands in `studio`: `packs.companion` and the tag `place`."""
    files = [*(ROOT / "packs").rglob("*.py"), *(ROOT / "templates" / "packs").rglob("*.html")]
    texts = {path: path.read_text() for path in files if "migrations" not in path.parts}
    found = {
        f"{path.relative_to(ROOT)}:{number}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if re.search(r"""["'](-?runs(:|__|/|\.)|.*__runs__)""", line)
    }
    assert found == set()
