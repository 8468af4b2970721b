"""Programs in Python with one operator changed, as mutation testing makes them (method-level operators: arithmetic and
comparison). Texts stay as they are but for that operator.
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
    for head in ("", _HEAD):
        try:
            tree = ast.parse(head + text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        source = (head + text).encode()
        starts = [0]
        for line in source.splitlines(keepends=True):
            starts.append(starts[-1] + len(line))
        for left, operator, right in _operations(tree):
            yield from _changed(source, len(head), operator, (_end(left, starts), _start(right, starts)))
        return


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
