"""The primitives of kind data: questions to JSON with jq and to SQLite databases (challenge-pack c.5)."""

from typing import Any

import orjson

from runs.agents.tools.commands import Program, run, shortened
from runs.agents.tools.contract import TEXT, Arguments, Bench, Done, Primitive, ToolFailed, named, parameters
from runs.agents.tools.places import readable, writable
from runs.sandbox.contract import CommandResult

KIND = "data"
MAX_ROWS = 1000
# Runs inside the sandbox, so that neither a hostile database file nor an endless query reaches the worker.
SQL_PROGRAM = """
import json, sqlite3, sys
asked = json.load(sys.stdin)
def plain(value):
    return value.hex() if isinstance(value, bytes) else value
try:
    found = sqlite3.connect(asked["database"] or ":memory:")
    cursor = found.execute(asked["query"])
    names = [column[0] for column in cursor.description or ()]
    rows = [[plain(value) for value in row] for row in cursor.fetchmany(asked["limit"] + 1)] if names else []
    found.commit()
    told = {"columns": names, "rows": rows, "changed": max(cursor.rowcount, 0)}
except sqlite3.Error as error:
    told = {"error": str(error)}
json.dump(told, sys.stdout)
"""


def query_json(bench: Bench, arguments: Arguments) -> Done:
    path, text = arguments.get("file_path", "").strip(), arguments.get("json", "")
    if bool(path) == bool(text.strip()):
        raise ToolFailed("give exactly one of file_path and json")
    query = arguments["query"].strip()
    if not query:
        raise ToolFailed("query is required")
    # In parentheses, so that no filter can be read as an option.
    named_file = ["./" + readable(bench, path)] if path else []
    result = run(bench, Program(["jq", "-c", f"({query}\n)", *named_file], stdin=text.encode()), "query_json")
    if result.exit_code != 0:
        raise ToolFailed(shortened(result.stderr).strip() or f"jq ended with exit code {result.exit_code}")
    return _given(bench, arguments, result.stdout, "result")


def query_sql(bench: Bench, arguments: Arguments) -> Done:
    if arguments["engine"].strip().lower() not in ("sqlite", "sqlite3"):
        raise ToolFailed(f"there is no database engine {arguments['engine']!r} here; sqlite is the only one")
    database = arguments.get("database_path", "").strip()
    asked = {
        "database": readable(bench, database) if database else "",
        "query": arguments["query"],
        "limit": MAX_ROWS,
    }
    if database and bench.room.read_file(asked["database"], 0) is None:
        raise ToolFailed(f"database {database!r} was not found")
    program = Program(["python3", "-I", "-c", SQL_PROGRAM], stdin=orjson.dumps(asked))
    reported = _described(run(bench, program, "query_sql"))
    if "error" in reported:
        raise ToolFailed(str(reported["error"]))
    rows = reported["rows"]
    value = {"columns": reported["columns"], "rows": rows[:MAX_ROWS], "changed": reported["changed"]}
    if len(rows) > MAX_ROWS:
        value["truncated"] = True
    if arguments.get("output_path", "").strip():
        return _given(bench, arguments, orjson.dumps(value), "result")
    return Done(value)


def _described(result: CommandResult) -> dict[str, Any]:
    try:
        reported = orjson.loads(result.stdout)
    except orjson.JSONDecodeError as error:
        raise ToolFailed(shortened(result.stderr).strip() or "the query gave no result") from error
    return reported if isinstance(reported, dict) else {"error": "the query gave no result"}


def _given(bench: Bench, arguments: Arguments, data: bytes, member: str) -> Done:
    """The result itself, or the place where it was put."""
    target = arguments.get("output_path", "").strip()
    if not target:
        return Done({"query": arguments["query"], member: shortened(data).rstrip("\n")})
    path = writable(bench, target)
    bench.room.write_file(path, data)
    bench.record("sandbox.file.written", {"path": path, "size": len(data), "action": "write"})
    return Done({"query": arguments["query"], "output_path": target, "written": True, "total_bytes": len(data)})


OUTPUT = named(TEXT, "A file of the workspace for the result, instead of the reply.")
PRIMITIVES = (
    Primitive(
        "query_json",
        KIND,
        "Asks a JSON document with a jq filter: a file of the workspace, or a given text.",
        parameters(("query",), query=named(TEXT, "The jq filter."), file_path=TEXT, json=TEXT, output_path=OUTPUT),
        query_json,
    ),
    Primitive(
        "query_sql",
        KIND,
        "Runs one SQL statement on a SQLite database of the workspace.",
        parameters(
            ("engine", "query"),
            engine=named(TEXT, "sqlite"),
            query=TEXT,
            database_path=named(TEXT, "A file of the workspace; an empty database in memory when left out."),
            output_path=OUTPUT,
        ),
        query_sql,
    ),
)
