"""Programs in Python with one operator or `return` changed, as mutation testing makes them (method-level operators:
arithmetic and comparison). Texts stay as they are but for that.
"""

import ast
from collections.abc import Iterator

# What each operator becomes. Operators of powers and bits are left out: `n ** 0.5` and `n * 0.5` often bound the same.
_OTHER: dict[type[ast.AST], tuple[str, tuple[str, ...]]] = {
    ast.Add: ("+", ("-", "*")),
    ast.Sub: ("-", ("+",)),
    ast.Mult: ("*", ("+",)),
    ast.Div: ("/", ("*",)),
    ast.FloorDiv: ("//", ("*",)),
    ast.Mod: ("%", ("*",)),
    ast.Lt: ("<", (">=",)),
    ast.LtE: ("<=", (">",)),
    ast.Gt: (">", ("<=",)),
    ast.GtE: (">=", ("<",)),
    ast.Eq: ("==", ("!=",)),
    ast.NotEq: ("!=", ("==",)),
}
# The body of a function alone is no module: it is read below a head of our own.
_HEAD = "def _():\n"


def changed_operators(text: str) -> Iterator[tuple[str, str]]:
    """A name and the program, for each operator that can be changed; none where it is not Python.

    Loops of `while` are left alone: a changed one may never end.
    """
    tree, source, head = _read(text)
    starts = _starts(source)
    for left, operator, right in _operations(tree):
        yield from _changed(source, head, operator, (_end(left, starts), _start(right, starts)))


def returns_taken_out(text: str) -> Iterator[tuple[str, str]]:
    """A name and the program, for each of several `return`s with a value, made to return nothing; none where it is not
    Python. Tests that notice none of it never come by that `return`."""
    tree, source, head = _read(text)
    starts = _starts(source)
    values = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    for value in values if len(values) > 1 else ():
        if not (isinstance(value, ast.Constant) and value.value is None):
            other = source[: _start(value, starts)] + b"None" + source[_end(value, starts) :]
            yield f"a program that returns nothing in line {value.lineno - bool(head)}", other[head:].decode()


def _read(text: str) -> tuple[ast.AST, bytes, int]:
    """A program, its bytes, and how many of these are a head of our own; an empty one where it is not Python."""
    for head in ("", _HEAD):
        try:
            return ast.parse(head + text), (head + text).encode(), len(head)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return ast.Module([], []), b"", 0


def _starts(source: bytes) -> list[int]:
    """Where each line begins."""
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def _operations(node: ast.AST) -> Iterator[tuple[ast.expr, ast.AST, ast.expr]]:
    """The operators with what stands on their left and right, in the order of the text."""
    if isinstance(node, ast.While):
        return
    if isinstance(node, ast.BinOp):
        yield node.left, node.op, node.right
    elif isinstance(node, ast.AugAssign):
        yield node.target, node.op, node.value
    elif isinstance(node, ast.Compare):
        yield from zip([node.left, *node.comparators], node.ops, node.comparators, strict=False)
    for child in ast.iter_child_nodes(node):
        yield from _operations(child)


def _changed(source: bytes, head: int, operator: ast.AST, between: tuple[int, int]) -> Iterator[tuple[str, str]]:
    symbol, others = _OTHER.get(type(operator), ("", ()))
    begin, end = between
    at = source.find(symbol.encode(), begin, end)
    for other in others if at >= 0 else ():
        text = source[:at] + other.encode() + source[at + len(symbol) :]
        yield f"a program with `{other}` in place of `{symbol}`", text[head:].decode()


def _end(node: ast.expr, starts: list[int]) -> int:
    return starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def _start(node: ast.expr, starts: list[int]) -> int:
    return starts[node.lineno - 1] + node.col_offset
