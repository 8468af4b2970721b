"""The page docs/audience.md, made from what the schemas state; `python -m tests.audience_page` writes it."""

from pathlib import Path

from packs.formats import FORMATS, adapter_of
from packs.formats.audience import fields_of, name_of
from packs.formats.document import NodeKind

PAGE = Path(__file__).resolve().parent.parent / "docs" / "audience.md"

HEAD = """# Who sees which field

What agents may see of a pack, field by field. A part of a document is named where all that is in it has the same
audience; `[]` stands for the entries of a list, `*` for names that authors choose. Keys that a format does not know are
never told. Files are kept apart by their places and uses: see the page of each format.

`agents` means that agents may see the value: in a prompt, as data, in a file or a variable. `studio` means that only
people, graders and judges do. `if not asked` is given to agents only where nothing else asks them for anything.

This page is made from the formats' schemas, where each field states its audience once (`x-audience`):
`python -m tests.audience_page`. A test gives every field of the studio a mark of its own and looks for it in all that
agents of every kind can reach."""
WORDS = {"agent": "agents", "studio": "studio", "unasked": "if not asked"}
NODES = {
    NodeKind.PACK: "The pack",
    NodeKind.CHALLENGE: "A challenge",
    NodeKind.INPUT_SET: "An input set",
    NodeKind.CASE: "A case",
    NodeKind.ASSET: "A file",
}


def summary(fields, depth=1):
    """The shortest paths at which all fields have one audience, with the audience, in the order of the fields."""
    groups = {}
    for field in fields:
        groups.setdefault(field.path[:depth], []).append(field)
    for path, found in groups.items():
        if len({field.audience for field in found}) == 1:
            # A part of free content stands alone: what is around it has another audience.
            yield (path if found[0].schema else found[0].path), found[0].audience
        else:
            # A value that can be of several shapes is a field itself beside those that it can hold.
            yield from ((path, field.audience) for field in found if len(field.path) == depth)
            yield from summary([field for field in found if len(field.path) > depth], depth + 1)


def rows(node, fields, label):
    """The lines of one kind of node. Ends the program where a field states no audience."""
    for path, audience in dict.fromkeys(summary(fields)):
        if audience not in WORDS:
            raise SystemExit(f"{label}, {node}: the schema does not say who may see `{name_of(path)}` (`audience=`).")
        yield f"| {node} | `{name_of(path)}` | {WORDS[audience]} |"


def render():
    parts = [HEAD]
    for adapter in map(adapter_of, FORMATS):
        parts += [f"\n## {adapter.LABEL}\n", "| Where | Field | Who sees it |", "| --- | --- | --- |"]
        for kind, schema in adapter.SCHEMA.items():
            parts += rows(NODES[kind], fields_of(schema), adapter.LABEL)
    return "\n".join(parts) + "\n"


if __name__ == "__main__":
    PAGE.write_text(render())
