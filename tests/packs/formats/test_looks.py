"""What is said of files that are no pack."""

import zipfile
from io import BytesIO

import pytest

from packs.formats.archives import read_upload
from packs.formats.checking import check_files
from packs.formats.looks import UNRECOGNISED, UNSUPPORTED, is_signed

PROMPTFOO = b"""description: Greetings
prompts: ["Say hello to {{name}}", file://prompts/other.txt]
providers: [openai:gpt-4.1-mini, anthropic:messages:claude-sonnet]
defaultTest:
  assert: [{type: latency, threshold: 2000}]
tests:
  - description: Ann
    vars: {name: Ann}
    assert: [{type: contains, value: Ann}]
"""


def zipped(**files):
    data = BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "."), content)
    return data.getvalue()


def told(name, data):
    files, before = read_upload(name, data)
    checked = check_files(files, before=before)
    assert checked.pack is None
    return [(finding.code, finding.file, finding.message) for finding in checked.findings]


@pytest.mark.parametrize(
    ("name", "data", "looks"),
    [
        ("pack.yaml", b"", "an empty file"),
        ("pack.yaml", b" \n\n", "a file of blanks"),
        ("pack.yaml", "name: x\n".encode("utf-16"), "text in UTF-16"),
        ("pack.yaml", "name: x\n".encode("utf-16-le"), "text in UTF-16 without its mark"),
        ("pack.yaml", "name: x\n".encode("utf-32"), "text in UTF-32"),
        ("pack.yaml", "name: Zoë\n".encode("latin-1"), "text that is not UTF-8"),
        ("pack.yaml", b"task: arc\ndataset_path: ai2_arc\n", "YAML with the keys dataset_path, task"),
        ("pack.yaml", b"- one\n", "YAML without keys at its top"),
        ("data.json", b'{"rows": []}', "JSON with the keys rows"),
        ("rows.jsonl", b'{"prompt": "a", "ideal": "b"}\n', "rows of JSON with the keys ideal, prompt"),
        ("pack.yaml", b"<!DOCTYPE html><html>", "a web page"),
        ("pack.zip", zipped(pack__yaml="x" * 5000)[:300], "a ZIP archive that is cut off or damaged"),
        ("outer.zip", zipped(inner__zip=zipped(a__txt="a")), "a ZIP archive inside the upload"),
        ("sheet.xlsx", zipped(**{"[Content_Types]__xml": "<a/>"}), "an Office document"),
        ("outer.zip", zipped(inner__xlsx=zipped(**{"[Content_Types]__xml": "<a/>"})), "an Office document"),
        ("pack.rar", b"Rar!\x1a\x07\x00 ...", "a RAR archive"),
        ("pack.png", b"\x89PNG\r\n\x1a\n....", "a picture (PNG)"),
        ("pack.svg", b'<?xml version="1.0"?><svg xmlns="x"/>', "a picture (SVG)"),
        ("pack.pdf", b"%PDF-1.7", "a PDF document"),
        ("a.bin", bytes(range(256)), "a binary file"),
        ("rows.csv", b"question,answer\n", "a table of text"),
        ("rows.json", b'[{"question": "a"}]', "a list in JSON"),
        ("notes.txt", b"hello", "text"),
    ],
)
def test_each_file_is_called_what_it_looks_like(name, data, looks):
    assert [(code, message) for code, _, message in told(name, data)] == [
        (UNRECOGNISED.code, f"No format of a pack can be recognised: this is {looks}.")
    ]


def test_text_that_cannot_be_read_is_said_to_be_wrong_at_its_line():
    files, before = read_upload("pack.yaml", b"pack:\n  slug: [one\n  name: two\n")
    first, second = check_files(files, before=before).findings
    assert (first.code, second.code.partition(".")[0], second.line) == (UNRECOGNISED.code, "yaml", 3)


def test_an_archive_that_cannot_be_read_is_not_also_said_to_hold_no_files():
    assert [code for code, _, _ in told("pack.tar.gz", b"\x1f\x8b not gzip")] == ["files.E017"]


def test_every_file_of_an_archive_is_named():
    found = told("all.zip", zipped(a__png=b"\x89PNG", b__yaml=b"", c__txt=b"hello"))
    assert [(file, message.rpartition("this is ")[2]) for _, file, message in found] == [
        ("a.png", "a picture (PNG)."),
        ("b.yaml", "an empty file."),
        ("c.txt", "text."),
    ]


def test_no_files_at_all_are_said_to_be_none():
    assert told("empty.zip", zipped()) == [
        (UNRECOGNISED.code, "", "No format of a pack can be recognised: there are no files.")
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("promptfooconfig.yaml", PROMPTFOO),
        ("my-eval.yaml", PROMPTFOO),
        ("my-eval.yaml", PROMPTFOO.replace(b"providers", b"targets")),
        ("promptfooconfig.json", b'{"prompts": ["a"], "providers": ["echo"], "tests": []}'),
        ("promptfooconfig.js", b"module.exports = {prompts: []}"),
        (
            "tests.yaml",
            b"# yaml-language-server: $schema=https://promptfoo.dev/config-schema.json\ntests: [{vars: {}}]\n",
        ),
        ("all.zip", zipped(promptfooconfig__yaml=PROMPTFOO, tests__csv=b"name\nAnn\n")),
    ],
)
def test_a_configuration_of_promptfoo_is_called_one_and_nothing_is_made_of_it(name, data):
    assert [code for code, _, _ in told(name, data)] == [UNSUPPORTED.code]


def test_an_agentv_suite_that_speaks_of_prompts_stays_one():
    suite = b"prompts: none\ntests:\n  - {id: a, criteria: ok, input: hi}\n"
    assert check_files({"any.yaml": suite}).format == "agentv"


@pytest.mark.parametrize(
    ("data", "is_other"),
    [(b"\x1f\x8b\x08\x00", True), (b"SQLite format 3\x00", True), (b"BMI,age\n21,40\n", False), (b"BZh,x\n", False)],
)
def test_a_sign_of_another_kind_is_no_beginning_of_a_text(data, is_other):
    assert is_signed(data) is is_other
