"""Rules about the merged environment, which only a run would meet (benchmark-pack 5 and 14)."""

from collections.abc import Iterator
from typing import Any

from packs.formats.benchmark_pack.families import ACTIVE, TEXT_FAMILIES
from packs.formats.benchmark_pack.header import section
from packs.formats.document import Document
from packs.formats.findings import Finding, Rule
from packs.formats.values import is_finite, is_text

NO_IMAGE = Rule(
    "benchmark_pack.E511",
    "No container image is named: this family cannot be verified without one.",
    hint="Name an `image` here, or under `defaults.environment` in the manifest.",
    rule="missing-image",
)
NO_IMAGE_FOR_AGENT = Rule(
    "benchmark_pack.W511",
    "No container image is named; other harnesses need one to run the agent.",
    hint="Name an `image` here, or under `defaults.environment` in the manifest.",
    rule="missing-image",
)
NO_WORKDIR = Rule(
    "benchmark_pack.E512",
    "Nothing says where in the image the repository stands.",
    hint="Give `workdir` in the environment or in `eval.tests`.",
    rule="missing-workdir",
)
UNSAFE_WORKDIR = Rule(
    "benchmark_pack.E513",
    "The folder {workdir} must be absolute, without '..' and backslashes.",
    hint="Write for example `/workspace`.",
    rule="unsafe-workdir",
)
BAD_TIMEOUT = Rule(
    "benchmark_pack.E514",
    "The time limit must be a number above 0.",
    hint="Give seconds, or leave it out.",
    rule="timeout-must-be-positive",
)
MISPLACED_FLAG = Rule(
    "benchmark_pack.E515",
    "materialize_workdir_from_image works for terminal tasks only.",
    hint="Leave it out, or make this row a terminal task.",
    rule="misplaced-materialize-flag",
)
BAD_FLAG = Rule(
    "benchmark_pack.E516",
    "materialize_workdir_from_image must be true or false.",
    hint="Write `true` or `false` without quotes.",
    rule="misplaced-materialize-flag",
)


def check_environment(family: str, row: Document, environment: Document) -> Iterator[Finding]:
    """What a run would not start with."""
    yield from _check_image(family, environment)
    if environment.get("timeout_seconds") is not None and not _is_limit(environment["timeout_seconds"]):
        yield BAD_TIMEOUT.at(("environment", "timeout_seconds"), field="environment.timeout_seconds")
    yield from _check_flag(family, environment.get("materialize_workdir_from_image"))
    if family == "terminal_task":
        yield from _check_terminal_folder(environment.get("workdir"))
    if family == "repo_patch":
        yield from _check_repository(section(section(row, "eval"), "tests"), environment)


def _is_limit(value: Any) -> bool:
    return is_finite(value) and value > 0


def _check_image(family: str, environment: Document) -> Iterator[Finding]:
    if is_text(environment.get("image")) or family not in ACTIVE:
        return
    rule = NO_IMAGE_FOR_AGENT if family in TEXT_FAMILIES else NO_IMAGE
    yield rule.at(("environment", "image"), field="environment.image")


def _check_flag(family: str, flag: Any) -> Iterator[Finding]:
    at = ("environment", "materialize_workdir_from_image")
    if not isinstance(flag, bool | None):
        yield BAD_FLAG.at(at)
    elif flag and family != "terminal_task":
        yield MISPLACED_FLAG.at(at)


def _check_terminal_folder(workdir: Any) -> Iterator[Finding]:
    if workdir is None or (isinstance(workdir, str) and not workdir.strip()):
        return
    if not isinstance(workdir, str) or not is_safe_folder(workdir.strip()):
        yield UNSAFE_WORKDIR.at(("environment", "workdir"), field="environment.workdir", workdir=repr(workdir)[:100])


def is_safe_folder(workdir: str) -> bool:
    """Whether a folder of a container is absolute and leads nowhere else (benchmark-pack 5, note 1)."""
    return workdir.startswith("/") and "\\" not in workdir and ".." not in workdir.split("/")


def _check_repository(tests: Document, environment: Document) -> Iterator[Finding]:
    if not is_text(tests.get("workdir")) and not is_text(environment.get("workdir")):
        yield NO_WORKDIR.at(("environment", "workdir"), field="environment.workdir")
    if is_finite(tests.get("timeout_seconds")) and tests["timeout_seconds"] == 0:
        yield BAD_TIMEOUT.at(("eval", "tests", "timeout_seconds"), field="eval.tests.timeout_seconds")
