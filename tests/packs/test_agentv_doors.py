"""What is wrong with AgentV evals is told the same at every door: command, preview, draft, form, YAML lens, API."""

import io
import json
import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from packs.exporting import export_draft
from packs.formats.archives import write_zip
from packs.formats.command import main
from packs.formats.findings import render_path
from packs.importing import import_pack

TEST = b"tests:\n  - {id: t1, criteria: ok, input: hi}\n"
PROMPTED = b"""\
tests:
  - id: t1
    criteria: ok
    input: hi
    assertions:
      - {name: a, type: llm-grader, prompt: {command: [bun, run, ../prompts/gone.ts]}}
"""
# What is odd: the files, whether it is about the suite or its test, and what is told of it: severity, code, place.
DOORS = {
    "tests outside of the pack": (
        {"sub/s.eval.yaml": b"name: ok\ntests: ../../shared/cases.yaml\n"},
        "input-sets",
        {("warning", "agentv.W204", "tests")},
    ),
    "an odd role of the suite": (
        {"s.eval.yaml": b"input:\n  - {role: robot, content: hi}\n" + TEST},
        "input-sets",
        {("error", "agentv.E122", "input[0].role")},
    ),
    "a prompt without its program": (
        {"sub/s.eval.yaml": PROMPTED},
        "cases",
        {("error", "agentv.E218", "assertions[0]")},
    ),
    "an entry of another ending": (
        {"s.eval.yaml": b"tests:\n  - file://cases/a.json\n", "cases/a.json": b"[]\n"},
        "cases",
        {("warning", "agentv.W110", ""), ("warning", "agentv.W204", "")},
    ),
    "a blank id": (
        {"s.eval.yaml": TEST.replace(b"t1", b'"  "')},
        "cases",
        {("error", "agentv.E116", "id")},
    ),
}


def told(findings):
    """Severity, code and place below the node of what has to be done something about."""
    kept = [finding for finding in findings if finding["severity"] != "note"]
    return {(each["severity"], each["code"], place_of(each["path"])) for each in kept}


def place_of(path):
    whole = path if isinstance(path, str) else render_path(tuple(path))
    return re.sub(r"^(?:input_sets\[0\]\.?)?(?:(?:cases|tests)\[0\]\.?)?", "", whole)


@pytest.mark.parametrize("title", DOORS)
def test_every_door_tells_the_same(title, as_author, team, tmp_path):
    files, kind, expected = DOORS[title]
    for name, content in files.items():
        path = tmp_path / "odd" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    assert told(by_command(tmp_path / "odd")) == expected
    sent = {"team": team.pk, "files": [SimpleUploadedFile("odd.zip", write_zip(files))]}
    preview = as_author.post(reverse("packs:import"), sent).context["preview"]
    assert told([finding.as_dict() for finding in preview.findings]) == expected
    assert as_author.post(reverse("packs:import-confirm"), {"token": preview.token}).status_code == 302
    pack = team.packs.get()
    rows = {"input-sets": pack.input_sets, "cases": pack.cases}[kind]
    row = rows.get()
    assert told(row.findings) == expected
    assert told(as_author.get(f"/api/v1/{kind}/{row.pk}/").json()["findings"]) == expected
    body = json.dumps({"document": row.document})
    put = as_author.put(f"/api/v1/{kind}/{row.pk}/", body, content_type="application/json", headers={"If-Match": "*"})
    assert told(put.json()["findings"]) == expected
    base = f"/packs/{team.slug}/{pack.slug}/edit/{kind.replace('input-', '')}/{row.pk}/"
    shown = as_author.get(base).content.decode()
    assert set(re.findall(r'data-code="([^"]+)"', shown)) >= {code for _, code, _ in expected}
    text = as_author.get(f"{base}?lens=yaml").context["text"]
    linted = as_author.post(f"{base}lint/", {"text": text, "seen": pack.revision}).json()["findings"]
    assert told(linted) == expected


def by_command(path):
    out = io.StringIO()
    main(["check", str(path), "--json"], out, io.StringIO())
    [result] = json.loads(out.getvalue())["results"]
    return result["findings"]


def test_tests_outside_of_the_pack_stay_named_whatever_is_added(as_author, team):
    files, _, _ = DOORS["tests outside of the pack"]
    pack = import_pack(team, None, files, "odd")
    written = export_draft(pack).files
    assert written["sub/s.eval.yaml"] == b"name: ok\ntests: ../../shared/cases.yaml\n"
    document = {"id": "own", "criteria": "ok", "input": "hi"}
    body = json.dumps({"input_set": pack.input_sets.get().pk, "document": document})
    made = as_author.post(f"/api/v1/packs/{pack.pk}/cases/", body, content_type="application/json")
    assert made.status_code == 201
    pack.refresh_from_db()
    assert b"tests:\n  - file://../../shared/cases.yaml\n  - id: own\n" in export_draft(pack).files["sub/s.eval.yaml"]
