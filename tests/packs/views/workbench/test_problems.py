import json
import re

import pytest

from packs.editing import recheck
from packs.formats.document import NodeKind
from packs.models import Case
from tests.packs.drafts import draft_of, pack_text

URL = "/packs/default/parcels/edit/problems/"


@pytest.fixture
def broken(team):
    text = pack_text(3).decode()
    text = text.replace("difficulty: easy", "difficulty: simple")
    text = text.replace("case_key: case-1", "case_key: case-0")
    return draft_of(team, text.replace("type: contains", "type: contians").encode())


def test_every_problem_leads_to_its_field(as_author, broken):
    nodes = as_author.get(URL).context["nodes"]
    found = [finding for node in nodes for finding in node.findings]
    assert {node.kind for node in nodes} >= {"Pack", "Challenge", "Case"}
    assert len([item for item in found if item["severity"] == "error"]) == broken.problem_errors
    for finding in found:
        page = as_author.get(finding["url"])
        assert page.status_code == 200
        codes = {item.code for field in page.context["form"].walk() for item in field.findings}
        assert finding["code"] in codes


def test_problems_can_be_narrowed_to_a_severity(as_author, broken):
    nodes = as_author.get(URL, {"severity": "warning"}).context["nodes"]
    assert all(finding["severity"] == "warning" for node in nodes for finding in node.findings)


def test_a_long_list_of_problems_comes_in_pages_without_gaps(as_author, team):
    draft = draft_of(team, pack_text(130))
    for row in Case.objects.filter(pack=draft):
        row.document = {**row.document, "challenge_key": "nowhere"}
        row.save()
    recheck(draft)
    urls, start = [], 0
    while start is not None:
        context = as_author.get(URL, {"start": start}).context
        urls += [node.url for node in context["nodes"]]
        start = context["after"]
    assert len(set(urls)) == len(urls)
    assert sum(f"/{NodeKind.CASE.value}s/" in url for url in urls) == 130


def test_a_viewer_may_read_the_problems(as_viewer, as_stranger, broken):
    assert as_viewer.get(URL).status_code == 200
    assert as_stranger.get(URL).status_code == 404


def test_the_list_of_problems_costs_two_queries_a_kind_at_most(as_author, broken, django_assert_max_num_queries):
    with django_assert_max_num_queries(9):
        as_author.get(URL)


def test_browsers_may_fetch_the_page_of_a_field_ahead(as_author, broken):
    response = as_author.get(URL)
    nonce = re.search(r'<script type="speculationrules" nonce="([^"]+)">', response.text)
    assert f"'nonce-{nonce[1]}'" in response.headers["Content-Security-Policy"]
    rules = json.loads(response.text.split(nonce[0])[1].split("</script>")[0])
    assert rules["prefetch"][0]["where"] == {"selector_matches": ".finding a"}
