"""Generated packs: well-formed trees with right and wrong values of every field."""

from hypothesis import strategies as st

from packs.formats import benchmark_pack
from packs.formats.benchmark_pack.families import ACTIVE
from packs.formats.benchmark_pack.rows import tidy
from packs.formats.benchmark_pack.schema.families import EVAL, INPUT
from packs.formats.document import Asset, Case, File, InputSet, NodeKind, Pack

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
words = st.sampled_from(["Leeds", "A", "2", " ", "", "src/", "../x", "inline", "command", "chroot", "python"])
scalars = st.none() | st.booleans() | st.integers(-5, 40) | st.floats(-4, 4) | texts | words
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words | texts, inner, max_size=3), max_leaves=6
)
assets = st.lists(
    st.fixed_dictionaries({}, optional={"path": words, "mount": words, "read_only": scalars, "more": scalars}),
    max_size=2,
)


def part_of(family, schemas):
    names = st.sampled_from([*schemas[family]["properties"], "other"])
    return st.dictionaries(names, values, max_size=5)


@st.composite
def rows(draw):
    family = draw(st.sampled_from([*ACTIVE, "tool_call", "own"]))
    known = family if family in ACTIVE else "short_answer"
    row = {
        "id": draw(texts),
        "family": family,
        "input": draw(part_of(known, INPUT)),
        "eval": draw(part_of(known, EVAL)),
        "assets": draw(assets),
        "environment": draw(st.dictionaries(st.sampled_from(["image", "workdir", "timeout_seconds", "own"]), values)),
        "metadata": draw(values),
        draw(texts): draw(values),
    }
    names = draw(st.sets(st.sampled_from(sorted(row))))
    found = tidy({name: value for name, value in row.items() if name not in names})
    return {"$line": "no row"} if not found or "$line" in found else found


@st.composite
def manifests(draw):
    manifest = {
        "id": draw(texts),
        "version": draw(scalars),
        "defaults": {"family": draw(words), "environment": {"image": draw(scalars)}},
        "asset_defaults": {"read_only": draw(scalars)},
        "other": draw(values),
    }
    names = draw(st.sets(st.sampled_from(sorted(manifest))))
    return {name: value for name, value in manifest.items() if name not in names}


@st.composite
def packs(draw):
    manifest = draw(manifests())
    documents = draw(st.lists(rows(), max_size=4))
    cases = tuple(Case(benchmark_pack.identify(NodeKind.CASE, row)[0], "", row) for row in documents)
    sets = (InputSet("tasks.jsonl", {"file": "tasks.jsonl"}, cases),)
    names = sorted(draw(st.sets(st.sampled_from(["assets/a.txt", "assets/src/b", "hidden/t/run.sh"]))))
    files = tuple(Asset(name, name, {"path": name}, name.encode()) for name in names)
    others = (File("README.md", b"# Read me"),) if draw(st.booleans()) else ()
    key = benchmark_pack.identify(NodeKind.PACK, manifest)[0]
    return Pack("benchmark_pack", key, manifest, (), sets, files, others)
