"""Which files of a workspace belong to its graders: tests, what runs them, and what test tools read by themselves.

An agent may change them while it works, but graders run what the pack says. No format says of a file whom it belongs
to, so names do. A program that the agent is to write, and that graders start, is none of them.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import PurePosixPath

import orjson

from runs.grading.graders.patches import ANY_PARTS

TEST_FOLDERS = ANY_PARTS | {"__tests__"}
TEST_NAMES = ("test_*.*", "*_test.*", "*_tests.*", "*.test.*", "*.spec.*", "*_spec.rb", "conftest.py")
# Words in the names of programs that judge.
JUDGING = frozenset(
    {
        *("assert", "assertions", "check", "checks", "checker", "eval", "evals", "evaluate", "evaluator", "grade"),
        *("grader", "judge", "score", "scorer", "scoring", "test", "tests", "tester", "validate", "validator"),
        *("verify", "verifier"),
    }
)
RUNNING, SHELLS = frozenset({"run", "runner"}), (".bash", ".sh", ".zsh")
_LETTERS, _WORD = re.compile(r"[a-z]+"), re.compile(r"[\w.@+/-]+")
# What is longer says nothing of tools.
MAX_SCRIPT = 256 * 1024

# Tools by the words that start them, with what they read by themselves: names of files, or of folders before a slash.
TOOLS: Mapping[str, tuple[str, ...]] = {
    "pytest": (
        *("conftest.py", "pytest.*", ".pytest.*", "tox.ini", "setup.cfg", "pyproject.toml", "pytest/"),
        *("_pytest.*", "_pytest/", "pluggy.*", "pluggy/", "*.dist-info/", "*.egg-info/"),
    ),
    "unittest": ("unittest.*", "unittest/"),
    "make": ("GNUmakefile", "makefile", "Makefile"),
    **dict.fromkeys(
        ("npm", "npx", "pnpm", "yarn", "jest", "vitest", "mocha"),
        (
            *("package.json", ".npmrc", ".pnpmfile.cjs", ".yarnrc", ".yarnrc.yml", ".mocharc.*", ".babelrc*"),
            *("babel.config.*", "jest.config.*", "vite.config.*", "vitest.config.*"),
        ),
    ),
    "tox": ("tox.ini", "setup.cfg", "pyproject.toml", ".tox/"),
    "nox": ("noxfile.py", ".nox/"),
    "cargo": (".cargo/",),
    "coverage": (".coveragerc", "setup.cfg", "tox.ini", "pyproject.toml"),
    "ruff": ("ruff.toml", ".ruff.toml", "pyproject.toml"),
    "mypy": ("mypy.ini", ".mypy.ini", "setup.cfg", "pyproject.toml"),
    "flake8": (".flake8", "tox.ini", "setup.cfg"),
    "pylint": ("pylintrc*", ".pylintrc*", "setup.cfg", "pyproject.toml"),
    "pyright": ("pyrightconfig.json", "pyproject.toml"),
    "bandit": (".bandit", "pyproject.toml"),
    "eslint": (".eslintrc*", "eslint.config.*", ".eslintignore"),
    "tsc": ("tsconfig.json",),
    "shellcheck": (".shellcheckrc",),
}
COMPILED = ("__pycache__/", "*.pyc")
MODULES_OF_PYTHON = ("sitecustomize.*", "sitecustomize/", "usercustomize.*", "usercustomize/")
# Of these an agent may write one for another purpose: only what they say of a tool counts.
SHARED = ("tox.ini", "setup.cfg", "pyproject.toml", "package.json", "*.dist-info/", "*.egg-info/")
# What these read is what they run. Where the pack has nothing of the kind, the agent is to write it.
BUILDERS = ("make", "npm", "npx", "pnpm", "yarn")
TESTERS = ("pytest", "unittest", "jest", "vitest", "mocha", "tox", "nox", "coverage")
ENTRY_POINTS, CONFTEST, SCRIPTS = "entry_points.txt", "conftest.py", "scripts"

Read = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Runners:
    """What belongs to the graders of a task.

    `texts` are their commands and the names of their tests, `tools` those that they start. `given` are the files of the
    workspace as the agent found it; of these `files` are the graders' own, and `shared` the ones that also say
    something of their tools. `has_tests` says whether the pack has tests at all.
    """

    texts: tuple[str, ...]
    tools: frozenset[str]
    given: Mapping[str, bytes]
    files: Mapping[str, bytes]
    shared: Mapping[str, bytes]
    has_tests: bool

    def changed(self, read: Read) -> dict[str, bytes]:
        """The files to put back, whether or not they changed; `read` gives the text of a file as the agent left it."""
        reported = {path: content.decode("utf-8", "replace") for path, content in self.shared.items()}
        other = [path for path, text in reported.items() if about(read(path), self.tools) != about(text, self.tools)]
        return {**self.files, **{path: self.shared[path] for path in other}}

    def compiled(self, present: Collection[str]) -> list[str]:
        """What Python keeps of modules beside them, and would run in their place; it rebuilds it."""
        found = filter(None, map(_pattern_of(COMPILED).match, present))
        return [place for place in dict.fromkeys(match[1] for match in found) if place not in self.given]

    def planted(self, present: Collection[str], read: Read) -> list[str]:
        """Files and folders that the agent added, and that tools of the graders would read.

        With a file that tests share go the tests that the agent wrote beside it: they can need it.
        """
        added = [path for path in present if path not in self.given]
        # An agent can leave very many files.
        read_by_tools = _pattern_of(tuple(self._patterns()))
        found = dict.fromkeys(
            place for path in added if read_by_tools.match(path) and (place := self._place(path, read))
        )
        found |= dict.fromkeys(place for path in added if (place := self._shadow(path)))
        folders = tuple(place.removesuffix(CONFTEST) for place in found if place.endswith(CONFTEST))
        beside = [path for path in added if path.startswith(folders) and is_of_tests(path) and not self._names(path)]
        return list(dict.fromkeys((*found, *beside)))

    def _place(self, path: str, read: Read) -> str:
        """The file, or the folder above it, that a tool reads; empty for none."""
        places = ((place, pattern) for pattern in self._patterns() if (place := place_of(path, pattern)))
        found = next((place for place, pattern in places if self._counts(place, pattern, read)), "")
        is_given = any(known.startswith(f"{found}/") for known in self.given)
        return path if found and is_given else found

    def _shadow(self, path: str) -> str:
        """The file or folder that Python would take for one of the graders' own modules; empty for none."""
        above = ""
        for part in path.split("/"):
            if f"{above}{part.partition('.')[0]}.py" in self.files:
                return above + part
            above = f"{above}{part}/"
        return ""

    def _patterns(self) -> Iterator[str]:
        yield from MODULES_OF_PYTHON
        for tool in sorted(self.tools):
            yield from self._ours(tool)

    def _ours(self, tool: str) -> tuple[str, ...]:
        """What a tool reads, where that is for the pack to say."""
        if tool in BUILDERS:
            has_any = any(place_of(path, pattern) for path in self.given for pattern in TOOLS[tool])
            return TOOLS[tool] if has_any else ()
        return TOOLS[tool] if tool not in TESTERS or self.has_tests else ()

    def _counts(self, place: str, pattern: str, read: Read) -> bool:
        if pattern not in SHARED:
            return True
        return bool(about(read(f"{place}/{ENTRY_POINTS}" if pattern.endswith("/") else place), self.tools))

    def _names(self, path: str) -> bool:
        return any(path in text for text in self.texts)


def runners_of(given: Mapping[str, bytes], texts: Sequence[str], *, has_hidden: bool = False) -> Runners:
    """What belongs to graders that run these texts; with `has_hidden` they have tests that no agent sees."""
    files = {path: content for path, content in given.items() if is_of_tests(path) or _judges(path, texts)}
    has_tests = has_hidden or any(map(is_of_tests, files))
    shared: dict[str, bytes] = {}
    tools: frozenset[str] = frozenset()
    # What a tool reads can name another one: a Makefile pytest, say.
    while (found := _tools_in((*texts, *_scripts(files), *_scripts(shared)))) != tools:
        tools = found
        read = {pattern for tool in tools for pattern in TOOLS[tool]}
        files |= _fitting(given, read - set(SHARED))
        shared |= _fitting(given, read & set(SHARED))
    return Runners(tuple(texts), tools, given, files, shared, has_tests)


def is_of_tests(path: str) -> bool:
    """Whether a file is a test, or lies among tests."""
    pure = PurePosixPath(path)
    is_among = not TEST_FOLDERS.isdisjoint(part.lower() for part in pure.parts[:-1])
    return is_among or any(fnmatchcase(pure.name.lower(), pattern) for pattern in TEST_NAMES)


def place_of(path: str, pattern: str) -> str:
    """The part of a path that a pattern means: the file itself, or for a pattern with a slash a folder; "" for none."""
    found = _pattern_of((pattern,)).match(path)
    return found[1] if found else ""


@cache
def _pattern_of(patterns: tuple[str, ...]) -> re.Pattern[str]:
    """What matches paths that any of these patterns means; the part that is meant is the first group."""
    names = [re.escape(pattern.rstrip("/")).replace(r"\*", "[^/]*") for pattern in patterns]
    # A link can stand for a folder.
    ends = [r"(?=/|\Z)" if pattern.endswith("/") else r"\Z" for pattern in patterns]
    either = "|".join(name + end for name, end in zip(names, ends, strict=True))
    return re.compile(rf"((?:[^/]*/)*?(?:{either}))")


def about(text: str, tools: Collection[str]) -> list[str]:
    """The parts of a configuration that name a tool: sections of TOML and INI files, members of JSON."""
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError:
        sections = re.split(r"(?m)^(?=\s*\[)", text)
        return [section.strip() for section in sections if any(tool in section for tool in tools)]
    reported = document if isinstance(document, dict) else {}
    return [f"{name}: {reported[name]!r}" for name in (SCRIPTS, *sorted(tools)) if name in reported]


def _judges(path: str, texts: Iterable[str]) -> bool:
    """Whether a file is a program that judges, by its name, and that a command names."""
    name = PurePosixPath(path).name.lower()
    words = set(_LETTERS.findall(name))
    if words.isdisjoint(JUDGING) and (words.isdisjoint(RUNNING) or not name.endswith(SHELLS)):
        return False
    named = {word.removeprefix("./") for text in texts for word in _WORD.findall(text)}
    return any(path == word or path.endswith(f"/{word}") for word in named)


def _fitting(given: Mapping[str, bytes], patterns: Collection[str]) -> dict[str, bytes]:
    return {path: given[path] for path in given if any(place_of(path, pattern) for pattern in patterns)}


def _scripts(files: Mapping[str, bytes]) -> Iterator[str]:
    yield from (content.decode("utf-8", "replace") for content in files.values() if len(content) <= MAX_SCRIPT)


def _tools_in(texts: Iterable[str]) -> frozenset[str]:
    words = {word.rpartition("/")[2] for text in texts for word in _WORD.findall(text)}
    return frozenset(words & TOOLS.keys())
