"""Values out of JSON Schemas: most of them as a schema wants them, some odd."""

from typing import Any

from hypothesis import strategies as st

DIGITS = "9" * 400
TEXTS = (
    *("", " ", "  \n", "a", "0", "-1", "1.0", "1e3", "no", "yes", "on", "null", "~", "true", "12:30", "<<"),
    *("a\nb", "a\n\n", " a", "a ", "a\rb", "a\tb", "\ta", "a: b", "a #b", "- a", "*a", "&a", "!a", "%a", "@a", "{a"),
    *("\x00", "\x07", "\x1b[31m", "\x7f", "\x85", "\u2028", "\ufeff", "\ufffe", "\u202e", "é", "e\u0301", "🙂", "²"),
    *("..", "../../x", "/x", "./a", "a/../b", "a//b", "~", "C:\\x", "file:", "file://a.md", "https://example.org/a"),
    *("{{ a..b }}", "{{ name }}", "${", "${{X}}", "{0}%s", "(?<a>b", "(", "[", "\\", "a" * 130, "k" * 1100, "x" * 5000),
    *("literal:", "literal:a", "case.payload.", "case.payload.a", f"case.payload.a.{DIGITS}", "final_output", DIGITS),
)  # fmt: skip
NUMBERS = (
    *(0, 1, -1, 2, 3, 7, 100, 255, 65536, 2**31 - 1, 2**31, 2**53 + 1, 2**63 - 1, 2**63, 2**64 - 1, -(2**63)),
    *(0.0, -0.0, 0.5, 1.0, 1.5, 2.9, 1e-7, 1e15, 1e16, 1e20, 1e300, -1e300, 5e-324, 0.1, 100.0, 4294967296.0),
)  # fmt: skip
KEYS = (
    "x-note",
    "a.b",
    "a/b",
    "a~b",
    "no",
    "1",
    "<<",
    "",
    " ",
    "ü",
    "\x07",
    "$line",
    "type",
    "key",
    "id",
    "name",
    "metadata",
)

texts = st.sampled_from(TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
numbers = st.sampled_from(NUMBERS) | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False, allow_infinity=False)
keys = st.sampled_from(KEYS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
scalars = st.none() | st.booleans() | numbers | texts


def _nested(depth: int) -> Any:
    value: Any = 1
    for number in range(depth):
        value = [value] if number % 2 else {"a": value}
    return value


anything = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3), max_leaves=5
) | st.sampled_from([8, 40, 80]).map(_nested)


@st.composite
def of_schema(draw: st.DrawFn, schema: dict[str, Any], depth: int = 5) -> Any:
    """A value that mostly fits a schema; some of its texts and numbers are odd, and a few parts something else."""
    if draw(st.integers(0, 39)) == 0:
        return draw(anything)
    shapes = schema.get("oneOf") or schema.get("anyOf")
    if shapes:
        return draw(of_schema(draw(st.sampled_from(shapes)), depth))
    if schema.get("examples") and draw(st.booleans()):
        return draw(st.sampled_from(schema["examples"]))
    if "const" in schema or "enum" in schema:
        return draw(st.sampled_from(schema.get("enum") or [schema["const"]]))
    return draw(_of_type(schema, depth))


def _of_type(schema: dict[str, Any], depth: int) -> st.SearchStrategy[Any]:
    match schema.get("type"):
        case "object":
            return objects(schema, depth)
        case "array":
            least = schema.get("minItems", 0)
            inner = of_schema(schema.get("items", {}), depth - 1)
            return st.lists(inner, min_size=least, max_size=least + (2 if depth > 0 else 0))
        case "string":
            return st.sampled_from(["a", "b", "some text", "key-1", "file.txt"]) | texts
        case "integer" | "number":
            return _within(schema)
        case kind:
            return st.booleans() if kind == "boolean" else anything


def _within(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    least, most = schema.get("minimum", schema.get("exclusiveMinimum", -10)), schema.get("maximum", 100)
    inside = [value for value in NUMBERS if least <= value <= most] + [least, most]
    if schema["type"] == "integer":
        inside = [value for value in inside if value == int(value)]
    return st.sampled_from(inside) | numbers


@st.composite
def objects(draw: st.DrawFn, schema: dict[str, Any], depth: int) -> dict[str, Any]:
    """An object with what a schema requires, a few of its other fields, and now and then one of nobody's."""
    known = schema.get("properties", {})
    required = [name for name in schema.get("required", ()) if name in known]
    more = draw(st.lists(st.sampled_from(sorted(known)), max_size=3 if depth > 0 else 0, unique=True)) if known else []
    found = {name: draw(of_schema(known[name], depth - 1)) for name in dict.fromkeys([*required, *more])}
    for condition in schema.get("allOf", ()):
        then = condition.get("then", {}).get("properties", {})
        if _holds(condition.get("if", {}), found):
            found |= {name: draw(of_schema(part, depth - 1)) for name, part in then.items() if draw(st.booleans())}
    open_to = schema.get("additionalProperties")
    if isinstance(open_to, dict) or not known:
        inner = of_schema(open_to, depth - 1) if isinstance(open_to, dict) else anything
        found |= draw(st.dictionaries(keys, inner, max_size=2 if depth > 0 else 0))
    elif draw(st.integers(0, 9)) == 0:
        found[draw(keys)] = draw(anything)
    return found


def _holds(condition: dict[str, Any], value: dict[str, Any]) -> bool:
    wanted = condition.get("properties", {})
    return bool(wanted) and all(
        value.get(name) == part["const"] if "const" in part else value.get(name) in part.get("enum", ())
        for name, part in wanted.items()
    )
