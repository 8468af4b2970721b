"""Running programs for tools in the workspace, and the primitives that do: exec, run_tests, build (challenge-pack c.5).

A program that ends with another code than 0 makes the call a failed one; the sandbox has done its part all the same,
so its own events tell of a completed command.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from runs.agents.tools.contract import POSITIVE, TEXT, Arguments, Bench, Done, Primitive, ToolFailed, named, parameters
from runs.agents.tools.places import readable
from runs.sandbox.contract import Command, CommandResult, Stop

DEFAULT_SECONDS = 120.0
LONGEST_SECONDS = 3600.0
MAX_SHOWN = 32 * 1024
MAX_OUTPUT_BYTES = 8 * 1024 * 1024
STOPPED = {
    Stop.TIMEOUT: "the command ran longer than its time limit",
    Stop.CANCELLED: "the run was cancelled",
    Stop.OUTPUT_LIMIT: "the command wrote more than is kept",
    Stop.MEMORY: "the command used more memory than it may",
    Stop.DISK: "the command wrote more than the workspace holds",
    Stop.PROCESSES: "the command started more processes than it may",
}


@dataclass(frozen=True, slots=True)
class Program:
    """A program to run for a tool: an argument list, and what is special about it. `seconds` None for the default."""

    arguments: Sequence[str]
    directory: str = "."
    variables: dict[str, str] | None = None
    stdin: bytes = b""
    seconds: float | None = None


def run(bench: Bench, program: Program, action: str) -> CommandResult:
    """Run a program and record it. Raises ToolFailed when it cannot be started or has to be stopped."""
    command = Command(
        program.arguments,
        stdin=program.stdin,
        variables=program.variables,
        directory=program.directory,
        timeout=bench.seconds(min(program.seconds or DEFAULT_SECONDS, LONGEST_SECONDS)),
        max_output_bytes=MAX_OUTPUT_BYTES,
        is_cancelled=bench.watch.is_cancelled,
    )
    bench.record("sandbox.command.started", {"sandbox_action": action, "command": list(program.arguments)})
    try:
        result = bench.room.run(command)
    except (FileNotFoundError, PermissionError) as error:
        message = f"{program.arguments[0]!r} cannot be started: {error.strerror or error}"
        bench.record("sandbox.command.failed", {"sandbox_action": action, "error": message})
        raise ToolFailed(message) from error
    if result.stop:
        message = STOPPED[result.stop]
        shown = {"stdout": shortened(result.stdout), "stderr": shortened(result.stderr)}
        reported = {"sandbox_action": action, "error": message, "timed_out": result.stop is Stop.TIMEOUT, **shown}
        bench.record("sandbox.command.failed", reported)
        raise ToolFailed(message, facts=shown)
    bench.record("sandbox.command.completed", {"sandbox_action": action, "exit_code": result.exit_code})
    return result


def shortened(data: bytes) -> str:
    """The text of an output; of a long one its beginning and its end."""
    text = data.decode("utf-8", "replace")
    if len(text) <= MAX_SHOWN:
        return text
    half = MAX_SHOWN // 2
    return f"{text[:half]}\n[{len(text) - MAX_SHOWN} characters left out]\n{text[-half:]}"


def outcome(result: CommandResult, **more: Any) -> Done:
    """The result of a program as tools give it."""
    value = {
        **more,
        "exit_code": result.exit_code,
        "stdout": shortened(result.stdout),
        "stderr": shortened(result.stderr),
    }
    return Done(value, is_error=result.exit_code != 0)


def execute(bench: Bench, arguments: Arguments) -> Done:
    return outcome(run(bench, _program(bench, arguments, arguments["command"]), "exec"))


def _program(bench: Bench, arguments: Arguments, command: Sequence[str]) -> Program:
    return Program(
        command,
        readable(bench, arguments.get("working_directory", "")),
        arguments.get("environment"),
        seconds=arguments.get("timeout_seconds"),
    )


def run_tests(bench: Bench, arguments: Arguments) -> Done:
    return _project(bench, arguments, "run_tests", TEST_COMMANDS)


def build(bench: Bench, arguments: Arguments) -> Done:
    return _project(bench, arguments, "build", BUILD_COMMANDS)


def _project(bench: Bench, arguments: Arguments, action: str, known: "Known") -> Done:
    """Run the command that is given, or the one that the files of the project ask for."""
    given = arguments.get("command")
    directory = readable(bench, arguments.get("working_directory", ""))
    command = given or next(_fitting(bench, directory, known), None)
    if command is None:
        files = ", ".join(dict.fromkeys(name for name, _ in known))
        raise ToolFailed(f"no command was given, and none of {files} says what to run")
    if isinstance(command, str):
        command = ("sh", "-c", command)
    program = replace(_program(bench, arguments, command), directory=directory)
    return outcome(run(bench, program, action), command=list(command))


# A file at the top of a project and the command that it stands for, in the order in which they are tried.
Known = tuple[tuple[str, tuple[str, ...]], ...]
TEST_COMMANDS: Known = (
    ("pytest.ini", ("python3", "-m", "pytest", "-q")),
    ("pyproject.toml", ("python3", "-m", "pytest", "-q")),
    ("setup.py", ("python3", "-m", "pytest", "-q")),
    ("package.json", ("npm", "test", "--silent")),
    ("go.mod", ("go", "test", "./...")),
    ("Cargo.toml", ("cargo", "test", "--offline")),
    ("Makefile", ("make", "test")),
    ("tests", ("python3", "-m", "unittest", "discover", "-s", "tests")),
)
BUILD_COMMANDS: Known = (
    ("Makefile", ("make",)),
    ("package.json", ("npm", "run", "build", "--silent")),
    ("go.mod", ("go", "build", "./...")),
    ("Cargo.toml", ("cargo", "build", "--offline")),
    ("pyproject.toml", ("python3", "-m", "compileall", "-q", ".")),
    ("setup.py", ("python3", "-m", "compileall", "-q", ".")),
)


def _fitting(bench: Bench, directory: str, known: Known) -> Iterator[tuple[str, ...]]:
    names = {entry.path for entry in bench.room.list_directory(directory, recursive=False) or ()}
    yield from (command for name, command in known if name in names)


DIRECTORY = named(TEXT, "Where to run it; the workspace when left out.")
VARIABLES = {
    "type": "object",
    "additionalProperties": {"type": "string"},
    "description": "Environment variables to set.",
}
COMMAND = {"type": "array", "items": {"type": "string"}, "minItems": 1}
LINE_OR_COMMAND = {
    "oneOf": [{"type": "string", "minLength": 1}, COMMAND],
    "description": "A shell line, or a program with its arguments; the project's own when left out.",
}
OF_A_PROJECT = parameters(
    command=LINE_OR_COMMAND, working_directory=DIRECTORY, environment=VARIABLES, timeout_seconds=POSITIVE
)
PRIMITIVES = (
    Primitive(
        "exec",
        "shell",
        "Runs a program in the workspace. No shell reads the arguments; name sh for a shell line.",
        parameters(
            ("command",),
            command=named(COMMAND, "The program and its arguments, one entry each."),
            working_directory=DIRECTORY,
            environment=VARIABLES,
            timeout_seconds=POSITIVE,
        ),
        execute,
    ),
    Primitive("run_tests", "build", "Runs the tests of the project in the workspace.", OF_A_PROJECT, run_tests),
    Primitive("build", "build", "Builds the project in the workspace.", OF_A_PROJECT, build),
)
