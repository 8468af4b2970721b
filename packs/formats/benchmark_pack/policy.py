"""Where files may stand: relative paths, and the path policy of components (benchmark-pack 2, 4.2 and 8.2)."""

from collections.abc import Iterable, Iterator

from packs.formats.paths import normal_path, path_trouble

AGENT, TEST_SANDBOX, EVALUATOR, RESULT = "agent", "test_sandbox", "evaluator", "result"
COMPONENTS = (AGENT, TEST_SANDBOX, EVALUATOR)
PUBLIC_FOLDER = "securebench/public"
EVALUATION_FOLDER = "securebench/evaluation_inputs"
EVALUATOR_FOLDER = "securebench/evaluator"
# Where an agent is told its task, unless a tester chooses another place.
TASK_FILE = "task.json"

DENIED = (
    "ground_truth",
    "scorer",
    "eval",
    "task/hidden.json",
    "task/evaluation_inputs.json",
    "input/hidden.json",
    "output/score.json",
)
ALLOWED = {
    AGENT: (PUBLIC_FOLDER,),
    TEST_SANDBOX: (PUBLIC_FOLDER, EVALUATION_FOLDER),
    EVALUATOR: (EVALUATOR_FOLDER,),
}
RESERVED = {AGENT: (EVALUATION_FOLDER, EVALUATOR_FOLDER), TEST_SANDBOX: (EVALUATION_FOLDER, EVALUATOR_FOLDER)}


def internal_trouble(component: str, path: str) -> str:
    """What keeps a framework file from standing at a path; empty where it may."""
    return path_trouble(path) or _denied(path) or _outside(component, path)


def mount_trouble(component: str, path: str) -> str:
    """What keeps a file of the workspace from standing at a path; empty where it may."""
    return path_trouble(path) or _denied(path) or _reserved(component, path)


def _denied(path: str) -> str:
    return "is denied by the path policy" if is_below(normal_path(path), DENIED) else ""


def _outside(component: str, path: str) -> str:
    roots = ALLOWED.get(component, ())
    return "" if is_below(normal_path(path), roots) else "lies outside the folders of this component"


def _reserved(component: str, path: str) -> str:
    is_reserved = is_below(normal_path(path), RESERVED.get(component, ()))
    return "is reserved for what agents may not see" if is_reserved else ""


def is_below(path: str, roots: Iterable[str]) -> bool:
    """Whether a path is one of the roots, or lies below one: whole steps are compared."""
    return any(path == root or path.startswith(root + "/") for root in roots)


def collisions(paths: Iterable[str]) -> Iterator[int]:
    """The positions of paths that are equal to an earlier one, contain it or lie inside it."""
    taken, above = set[str](), set[str]()
    for position, path in enumerate(paths):
        steps = path.split("/")
        folders = {"/".join(steps[:depth]) for depth in range(1, len(steps))}
        if path in taken or path in above or not taken.isdisjoint(folders):
            yield position
        taken.add(path)
        above |= folders
