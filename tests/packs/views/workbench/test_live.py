import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from packs import editing
from packs.editing.pointers import value_at
from packs.formats import adapter_of
from packs.formats.beginning import EXAMPLE
from packs.formats.findings import from_pointer
from packs.importing import create_pack
from packs.models import Case, Job
from tests.packs.drafts import draft_of, pack_text
from tests.packs.views.workbench.pages import Page

WIDE = adapter_of("challenge_pack").PACK_WIDE


def slot_codes(response):
    return re.findall(r'data-code="([^"]+)"', response.content.decode())


def test_a_changed_field_is_saved_and_checked_by_itself(node_page, case):
    response = node_page(f"cases/{case.pk}").live("/inputs/0/key", **{"t:/inputs/0/key": ""})
    case.refresh_from_db()
    assert case.document["inputs"][0]["key"] == ""
    assert any(code.startswith("challenge_pack.E") for code in slot_codes(response))


def test_the_answer_names_the_new_revision_and_the_problems_of_the_pack(node_page, draft, case):
    response = node_page(f"cases/{case.pk}").live("/challenge_key", **{"t:/challenge_key": "nowhere"})
    draft.refresh_from_db()
    html = response.content.decode()
    assert f'value="{draft.revision}"' in html
    assert 'id="problem-count"' in html
    assert draft.problem_errors


def test_the_answer_brings_the_text_that_the_yaml_lens_shows_then(node_page, draft, case):
    change = {"t:/inputs/0/value": "Both\nat once"}
    response = node_page(f"cases/{case.pk}").live("/inputs/0/value", **change, lens="yaml")
    draft.refresh_from_db()
    lens = node_page(f"cases/{case.pk}", lens="yaml").response.context["text"]
    text = re.search(rf'<textarea data-yaml="{draft.revision}">\n(.*?)</textarea>', response.content.decode(), re.S)
    assert unescape(text[1]) == lens
    assert "Both" in lens
    assert b"data-yaml" not in node_page(f"cases/{case.pk}").live("/inputs/0/value", **change).content


def test_the_answer_says_what_the_heads_of_the_items_say_now(node_page, case):
    named = node_page(f"cases/{case.pk}").live("/inputs/0/key", **{"t:/inputs/0/key": "renamed"}).context["parts"]
    assert [(part.summary.split(" · ")[:2], part.errors) for part in named][0] == (["renamed", "text"], 0)
    emptied = node_page(f"cases/{case.pk}").live("/inputs/0/key", **{"t:/inputs/0/key": ""}).context["parts"]
    assert [part.errors for part in emptied if part.pointer == "/inputs/0"] == [1]


def test_the_cases_of_a_challenge_follow_a_key_that_is_changed_in_the_form(node_page, draft):
    challenge = draft.challenges.get()
    node_page(f"challenges/{challenge.pk}").live("/key", **{"t:/key": "find"})
    draft.refresh_from_db()
    assert set(draft.cases.values_list("challenge_key", flat=True)) == {"find"}
    assert draft.problem_errors == 0


def test_an_unchecked_box_takes_the_value_out(node_page, draft):
    path = "/version/evaluation_spec/scorecard/dimensions/0/gate"
    shown = node_page("pack", section="version.evaluation_spec.scorecard")
    shown.live(path, **{f"b?:{path}": "true"})
    draft.refresh_from_db()
    dimension = draft.document["version"]["evaluation_spec"]["scorecard"]["dimensions"][0]
    assert dimension["gate"] is True
    shown.live(path, seen=draft.revision)
    draft.refresh_from_db()
    assert "gate" not in draft.document["version"]["evaluation_spec"]["scorecard"]["dimensions"][0]


def test_a_field_can_be_drawn_anew_after_a_change_of_type(node_page, case):
    at = "/inputs/0/value"
    response = node_page(f"cases/{case.pk}").live(at, draw="1", **{f"k:{at}": "list", f"t:{at}": "Leeds"})
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == ["Leeds"]
    assert f'name="l:{at}"' in response.content.decode()


def test_a_lossy_change_of_type_is_made_once_it_is_confirmed(node_page, case):
    at = "/inputs/0/value"
    shown = node_page(f"cases/{case.pk}")
    shown.live(at, draw="1", **{f"k:{at}": "null", f"t:{at}": "Leeds"})
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "Leeds"
    shown.live(at, seen=2, draw="1", confirm=at, **{f"k:{at}": "null", f"t:{at}": "Leeds"})
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] is None


def test_the_same_field_changed_twice_gives_both_values_to_choose_from(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    someone_else(case, "/inputs/0/value", "theirs")
    response = shown.live("/inputs/0/value", **{"t:/inputs/0/value": "mine"})
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "theirs"
    assert [(item.yours, item.theirs) for item in response.context["disputes"]] == [("mine", "theirs")]


def test_a_field_that_somebody_else_left_alone_never_conflicts(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    someone_else(case, "/expectations/0/value", "theirs")
    response = shown.live("/inputs/0/value", **{"t:/inputs/0/value": "mine"})
    case.refresh_from_db()
    assert case.document["inputs"][0]["value"] == "mine"
    assert not response.context["disputes"]


def test_a_pointer_that_is_none_is_a_bad_request(node_page, case):
    assert node_page(f"cases/{case.pk}").live("inputs").status_code == 400


@pytest.mark.parametrize("at", ["", "/nothing/of/this", "/inputs/99/key", "/case_key/below"])
def test_an_odd_pointer_breaks_nothing(node_page, case, at):
    before = case.document
    assert node_page(f"cases/{case.pk}").live(at).status_code == 200
    case.refresh_from_db()
    assert case.document == before


def queries_of(shown):
    with CaptureQueriesContext(
        connection,
    ) as queries:
        shown.live("/inputs/0/value", **{"t:/inputs/0/value": "Another question"})
    return len(queries)


def test_a_live_check_asks_no_more_in_a_large_pack(team, node_page, case, as_author):
    few = queries_of(node_page(f"cases/{case.pk}"))
    large = draft_of(team, pack_text(400), slug="large")
    first = Case.objects.filter(pack=large).order_by("position").first()
    shown = node_page(f"cases/{case.pk}")
    shown.base, shown.path = "/packs/default/large/edit/", f"cases/{first.pk}"
    shown.controls["seen"] = str(large.revision)
    assert queries_of(shown) == few


def test_what_only_the_whole_pack_tells_is_asked_for_after_the_edits(node_page, as_author, draft):
    path = "/version/evaluation_spec/validators/0/expected_from"
    shown = node_page("pack", section="version.evaluation_spec.validators")
    changed = shown.live(path, **{f"t:{path}": "case.expectations.nowhere"})
    assert WIDE.isdisjoint(slot_codes(changed))
    address = f"{shown.base}pack/recheck/?section=version.evaluation_spec.validators"
    answer = as_author.post(address)
    assert WIDE.intersection(slot_codes(answer))
    draft.refresh_from_db()
    assert f'data-revision="{draft.revision}"' in answer.content.decode()
    assert draft.problem_warnings
    assert draft.checked_revision == draft.revision


def test_a_draft_that_is_edited_meanwhile_keeps_its_findings(draft, author, case):
    def edit(pointer, value):
        editing.apply(draft, [editing.Change(case.kind, case.pk, pointer, value)], author)

    def meanwhile(execute, sql, *arguments):
        if not edited and sql.startswith("SELECT") and "packs_case" in sql:
            edited.append(sql)
            edit("/inputs/0/value", "newer")
        return execute(sql, *arguments)

    edited = []
    edit("/inputs/0/key", "")
    with connection.execute_wrapper(meanwhile):
        assert not editing.recheck_aside(draft)
    draft.refresh_from_db()
    assert draft.problem_errors
    assert draft.checked_revision < draft.revision


def test_a_job_checks_a_large_draft_while_somebody_types(node_page, as_author, case, monkeypatch):
    monkeypatch.setattr("packs.editing.sizes.MANY_CASES", 2)
    shown = node_page(f"cases/{case.pk}")
    for _ in range(2):
        assert as_author.post(f"{shown.base}cases/{case.pk}/recheck/").status_code == 204
    assert [job.kind for job in Job.objects.filter(pack=shown.draft)] == ["check"]


HUGE = "123456789012345678901234567890"


def test_a_number_that_cannot_be_stored_exactly_is_said_at_its_field_and_drawn_as_it_is_stored(node_page, case):
    response = node_page(f"cases/{case.pk}").live("/payload", **{"j:/payload": f'{{"a": {HUGE}}}'})
    case.refresh_from_db()
    assert case.document["payload"] == {"a": float(HUGE)}
    assert "json.W003" in slot_codes(response)
    assert "1.2345678901234568e+29" in response.content.decode()


def test_a_value_that_no_file_can_say_is_not_lost_without_a_word(node_page, case):
    before = case.document
    for text in ('{"a": 1e999}', '{"a": "\\ud83d"}', '{"a":' * 200 + "1" + "}" * 200):
        response = node_page(f"cases/{case.pk}").live("/payload", **{"j:/payload": text})
        assert "form.E001" in slot_codes(response)
        assert text[:10] in unescape(response.content.decode())
        case.refresh_from_db()
        assert case.document == before


@pytest.mark.parametrize(
    ("name", "at"),
    [
        ("challenge_pack", "/inputs/0/value"),
        ("benchmark_pack", "/input/question"),
        ("task_suite", "/description"),
        ("agentv", "/criteria"),
    ],
)
def test_a_typed_field_costs_few_queries_in_every_format(as_author, author, team, name, at):
    pack = create_pack(team, author, name, "A pack", first=EXAMPLE)
    case = pack.cases.first()
    shown = Page(as_author, pack, f"cases/{case.pk}")
    with CaptureQueriesContext(connection) as context:
        shown.live(at, **{f"t:{at}": "Other words"})
    # Marks of a transaction ask nothing; outside of a test it has others.
    asked = [query["sql"] for query in context if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert len(asked) <= (11 if name == "agentv" else 10)
    case.refresh_from_db()
    assert value_at(case.document, from_pointer(at)) == "Other words"


def test_what_somebody_else_wrote_since_the_page_was_drawn_stays(node_page, case, someone_else):
    shown = node_page(f"cases/{case.pk}")
    someone_else(case, "/inputs/0/kind", "json")
    shown.live("/inputs/0/value", **{"t:/inputs/0/value": "mine"})
    case.refresh_from_db()
    assert case.document["inputs"][0] == {"key": "prompt", "kind": "json", "value": "mine"}


def test_a_long_text_of_a_case_comes_back_as_its_preview(node_page, case):
    pointer = "/inputs/0/value"
    page = node_page(f"cases/{case.pk}")
    long = page.live(pointer, **{f"t:{pointer}": "# Parcels\n\n<b>Where</b> is **PX-1**?"}).content.decode()
    assert "data-preview" in long
    assert "&lt;b&gt;Where&lt;/b&gt; is <strong>PX-1</strong>?" in long
    page = node_page(f"cases/{case.pk}")
    short = page.live(pointer, **{f"t:{pointer}": "Where is **PX-1**?"}).content.decode()
    assert "data-preview" in short
    assert "<strong>" not in short
