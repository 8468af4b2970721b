import subprocess
import sys
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from packs.formats.findings import MAX_FINDINGS
from packs.formats.yamlio import CORE_12, GO_YAML, MAX_DEPTH, read

pytestmark = pytest.mark.long


def codes(findings):
    return [finding.code for finding in findings]


def test_a_document_becomes_plain_json_values():
    text = "a: 1\nb:\n  - x: yes\n    y: {z: [~, 1.5, true]}\n  - |\n    two\n    lines\n'c': '1'\n"
    assert read(text, dialect=GO_YAML) == (
        {"a": 1, "b": [{"x": "yes", "y": {"z": [None, 1.5, True]}}, "two\nlines\n"], "c": "1"},
        [],
    )


@pytest.mark.parametrize("text", ["", "  \n \n", "# only a comment\n", "~", "---\n"])
def test_an_empty_document_is_null_without_findings(text):
    assert read(text, dialect=GO_YAML) == (None, [])


def test_json_is_read_as_yaml():
    assert read('{"a": [1, "b\\u00e9", null]}', dialect=CORE_12) == ({"a": [1, "bé", None]}, [])


def test_a_repeated_key_names_both_lines_and_the_first_value_counts():
    value, findings = read("a:\n  k: 1\n  l: 2\n  k: 3\n", file="p.yaml", dialect=GO_YAML)
    assert value == {"a": {"k": 1, "l": 2}}
    (finding,) = findings
    assert (finding.code, finding.file, finding.line, finding.column) == ("yaml.E002", "p.yaml", 4, 3)
    assert finding.path == ("a", "k")
    assert "2" in finding.message
    assert "4" in finding.message


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a: b\n\tc: d\n", 2, 1),
        ("a: 'never closed\nb: c\n", 3, 1),
        ("a: [1, 2\nb: c\n", 2, 2),
        ("a: {x: 1\n", 2, 1),
        ("a: b: c\n", 1, 5),
        ("a:\n    b: 1\n  c: 2\n", 3, 3),
        ("a:\n  - 1\n  b: 2\n", 3, 3),
        ("a: @home\n", 1, 4),
        ("a: `x`\n", 1, 4),
        ("a: %x\n", 1, 4),
        ('a: "b" c\n', 1, 8),
        ('a: "\\q"\n', 1, 5),
        ("a: *\n", 1, 5),
        ("just\na: 1\n", 2, 2),
        ("a: - b\n", 1, 4),
        ("a: | text\n", 1, 6),
        ("a: !e!x 1\n", 1, 4),
        ("%YAML x\n---\na: 1\n", 1, 7),
    ],
)
def test_a_syntax_error_is_one_finding_with_its_place_and_advice(text, line, column):
    value, findings = read(text, dialect=GO_YAML)
    assert value is None
    (finding,) = findings
    assert (finding.code, finding.line, finding.column) == ("yaml.E001", line, column)
    assert finding.hint


def test_anchors_aliases_and_merges_give_their_values():
    text = "base: &b {x: 1, y: 2}\nother: &o {y: 3, z: 4}\nm:\n  y: 0\n  <<: [*b, *o]\nl: [*b, &s text, *s]\n"
    value, findings = read(text, dialect=GO_YAML)
    assert findings == []
    assert value["m"] == {"y": 0, "x": 1, "z": 4}
    assert value["l"] == [{"x": 1, "y": 2}, "text", "text"]


def test_an_alias_to_a_text_can_be_a_key():
    text = "- &k name\n- *k : 1\n- &m '<<'\n- *m : {a: 1}\n"
    assert read(text, dialect=GO_YAML) == (["name", {"name": 1}, "<<", {"<<": {"a": 1}}], [])


def test_a_quoted_merge_sign_is_an_ordinary_key():
    assert read('"<<": {a: 1}', dialect=GO_YAML) == ({"<<": {"a": 1}}, [])


@pytest.mark.parametrize("text", ["a: *a", "a: &a [*a]", "a: {b: &x 1}\n*y : 1\n"])
def test_an_alias_without_a_finished_anchor_is_refused(text):
    value, findings = read(text, dialect=GO_YAML)
    assert value is None
    assert codes(findings) == ["yaml.E010"]


@pytest.mark.parametrize("text", ["<<: 1", "<<: [{a: 1}, 2]", "<<: text"])
def test_only_mappings_can_be_merged(text):
    assert codes(read(text, dialect=GO_YAML)[1]) == ["yaml.E011"]


@pytest.mark.parametrize("text", ["[a]: 1", "{a: 1}: 1", "? - a\n: 1", "x: &a [1]\n*a : 2"])
def test_a_list_or_mapping_as_a_key_is_refused(text):
    assert codes(read(text, dialect=GO_YAML)[1]) == ["yaml.E012"]


@pytest.mark.parametrize("key", ["1", "true", "~", "007", "1.50"])
def test_a_key_of_another_type_keeps_its_written_text_and_is_told(key):
    value, findings = read(f"a:\n  {key}: x\n", dialect=GO_YAML)
    assert value == {"a": {key: "x"}}
    assert [(finding.code, finding.path, finding.line) for finding in findings] == [("yaml.W002", ("a", key), 2)]
    assert codes(read(f"{key}: x", dialect=CORE_12)[1]) == ["yaml.E013"]


def test_a_date_as_a_key_stays_as_it_was_written():
    assert read("2026-01-02: x", dialect=GO_YAML) == ({"2026-01-02": "x"}, [])


@pytest.mark.parametrize("text", ["!!python/object:os.system x", "!local x", "!!binary aGk=", "!!int x", "!!set {a}"])
def test_foreign_tags_are_refused_and_the_text_is_kept(text):
    value, findings = read(f"a: {text}", dialect=GO_YAML)
    assert codes(findings) == ["yaml.E014"]
    assert value is not None


def test_tags_of_the_core_types_are_followed():
    value, findings = read(
        "[!!str 5, !!int '5', !!float 5, !!bool true, !!null ~, !!map {}, !!seq []]", dialect=CORE_12
    )
    assert findings == []
    assert [(type(item), item) for item in value[:5]] == [
        (str, "5"),
        (int, 5),
        (float, 5.0),
        (bool, True),
        (type(None), None),
    ]


@pytest.mark.parametrize("text", [".inf", "-.INF", ".NaN"])
def test_what_json_cannot_hold_is_a_finding_and_stays_as_text(text):
    value, findings = read(f"a: {text}", dialect=GO_YAML)
    assert value == {"a": text}
    assert codes(findings) == ["yaml.E015"]


def test_a_number_beyond_64_bits_says_that_it_loses_digits():
    value, findings = read("[123456789012345678901, 100000000000000000000, 18446744073709551615]", dialect=GO_YAML)
    assert value == [123456789012345680000.0, 1e20, 18446744073709551615]
    assert [(finding.code, finding.path) for finding in findings] == [("yaml.W003", (0,))]


def test_later_documents_are_ignored_or_refused_as_the_dialect_says():
    text = "a: 1\n---\nb: 2\n"
    assert codes(read(text, dialect=GO_YAML)[1]) == ["yaml.W001"]
    value, findings = read(text, dialect=CORE_12)
    assert value == {"a": 1}
    assert [(finding.code, finding.line) for finding in findings] == [("yaml.E016", 2)]


def test_utf_16_with_its_mark_and_a_utf_8_mark_are_read():
    for data in ("\ufeffa: é\n".encode(), "\ufeffa: é\n".encode("utf-16-le"), "a: é\n".encode("utf-16")):
        assert read(data, dialect=GO_YAML) == ({"a": "é"}, [])


@pytest.mark.parametrize(
    ("data", "code", "line", "column"),
    [
        (b"a: b\nc: \xff\n", "yaml.E003", 2, 4),
        (b"a: b\nc: d\x00\n", "yaml.E004", 2, 5),
        ("a: \x1b[0m\n", "yaml.E004", 1, 4),
        ("a: \ud800\n", "yaml.E004", 1, 4),
    ],
)
def test_bytes_that_are_no_text_are_found_with_their_place(data, code, line, column):
    value, findings = read(data, dialect=GO_YAML)
    assert value is None
    assert [(finding.code, finding.line, finding.column) for finding in findings] == [(code, line, column)]


def test_nesting_is_read_up_to_the_limit_and_refused_beyond():
    assert read("[" * MAX_DEPTH + "]" * MAX_DEPTH, dialect=GO_YAML)[1] == []
    assert codes(read("[" * (MAX_DEPTH + 1), dialect=GO_YAML)[1]) == ["yaml.E006"]
    chained = "".join(f"- &a{index} [{'*a' + str(index - 1) if index else ''}]\n" for index in range(MAX_DEPTH + 1))
    assert codes(read(chained, dialect=GO_YAML)[1]) == ["yaml.E006"]


def test_an_alias_bomb_is_refused_before_it_is_built():
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
    bomb += "".join(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 12))
    assert codes(read(bomb, dialect=GO_YAML)[1]) == ["yaml.E009"]


def test_the_number_of_findings_is_capped():
    assert len(read("k: 1\n" * (MAX_FINDINGS + 50), dialect=GO_YAML)[1]) == MAX_FINDINGS


HOSTILE = {
    "brackets": "b'[' * N",
    "braces": "b'{a: ' * (N // 4)",
    "dashes": "b'- ' * (N // 2)",
    "spaces": "b' ' * N",
    "newlines": "b'\\n' * N",
    "quotes": "b'\"' * N",
    "one long quote": "b'\"' + b'a' * N",
    "one long word": "b'a' * N",
    "aliases": "b'a: *b\\n' * (N // 6)",
    "small items": "b'- a\\n' * (N // 4)",
    "empty mappings": "b'[' + b'{},' * (N // 3)",
    "same keys": "b'k: v\\n' * (N // 5)",
    "documents": "b'---\\n' * (N // 4)",
    "comments": "b'#\\n' * (N // 2)",
    "zeros": "b'a: ' + b'0' * N",
    "nul": "b'\\0' * N",
    "high bytes": "b'\\xff' * N",
    "late bad byte": "b'a\\n' * (N // 2) + b'\\xff'",
    "many anchors": "b''.join(b'- &a%d [*a%d]\\n' % (i, i - 1) for i in range(1, N // 20))",
    "too much": "b'a' * (65 * 1024 * 1024)",
}


@pytest.mark.parametrize(("name", "megabytes"), [*((name, 5) for name in HOSTILE), ("same keys", 50)])
def test_megabytes_of_anything_stay_within_time_and_memory(name, megabytes):
    script = f"""
        import re, resource
        from pathlib import Path
        from packs.formats.yamlio import GO_YAML, read, locate
        resource.setrlimit(resource.RLIMIT_CPU, (30, 30))
        N = {megabytes} * 1_000_000
        value, findings = read({HOSTILE[name]}, dialect=GO_YAML)
        assert len(findings) <= 1000
        # Unlike that of getrusage, this peak in kB is not the parent's.
        peak = int(re.search("VmHWM:(.*)kB", Path("/proc/self/status").read_text())[1])
        assert peak < 200_000 + {megabytes} * 16_000
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@given(st.binary(max_size=200))
def test_no_bytes_make_it_raise(data):
    read(data, dialect=GO_YAML)


@given(
    st.lists(
        st.sampled_from([*"[]{}:,-?&*!|>'\"%@`#~ \n\t", "a", "1", "<<", ": ", "- ", "&a ", "*a", "---\n", "\ud800"])
    )
)
def test_no_mix_of_signs_makes_it_raise(parts):
    read("".join(parts), dialect=GO_YAML)
    read("".join(parts), dialect=CORE_12)


nodes = st.recursive(
    st.sampled_from(
        ["a", "'<<'", "1", "~", ".nan", "!!str 5", "!x y", "2026-01-02", "&a a", "*a", "9" * 25, '"\\x41"']
    ),
    lambda children: (
        st.lists(children, max_size=4).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(st.tuples(children | st.just("<<"), children), max_size=4).map(
            lambda pairs: "{" + ", ".join(f"{key} : {value}" for key, value in pairs) + "}"
        )
        | children.map(lambda child: f"&a {child}")
    ),
    max_leaves=12,
)


@given(nodes)
def test_no_mix_of_anchors_merges_tags_and_keys_makes_it_raise(text):
    for dialect in (GO_YAML, CORE_12):
        value, findings = read(f"first: &a x\nsecond: {text}", dialect=dialect)
        assert value is not None or findings
