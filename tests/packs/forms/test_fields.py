from packs.formats.challenge_pack.schema import SCHEMA
from packs.formats.document import NodeKind
from packs.formats.findings import Finding, Severity
from packs.formats.task_suite.schema import SCHEMA as TASK_SUITE
from packs.forms.building import Request, build
from packs.forms.fields import dom_id


def form(document, *findings):
    return build(SCHEMA[NodeKind.CASE], document, Request(findings=findings))


def error(*path):
    return Finding("x.E001", Severity.ERROR, path, "Wrong.")


def test_a_link_to_what_is_not_shown_leads_to_the_closest_field():
    shown = form({"inputs": [{"key": "a"}]})
    assert shown.nearest("/inputs/0/key").pointer == "/inputs/0/key"
    assert shown.nearest("/inputs/7/key").pointer == "/inputs"
    assert shown.nearest("/nothing").pointer == ""


def test_problems_below_a_folded_part_are_counted():
    shown = form({"inputs": [{"key": "a"}]}, error("inputs", 0, "value"), error("case_timeout_seconds"))
    assert shown.find("/inputs").problems == 1
    assert shown.problems == 2
    assert shown.problems_in_more == 1


def test_errors_are_told_from_all_problems():
    doubtful = Finding("x.W001", Severity.WARNING, ("inputs", 0, "value"), "Doubtful.")
    item = form({"inputs": [{"key": "a"}]}, error("inputs", 0, "key"), doubtful).find("/inputs/0")
    assert (item.problems, item.errors) == (2, 1)


def test_long_lists_fold_their_items_but_not_those_with_problems():
    document = {"inputs": [{"key": f"k{index}", "kind": "text", "value": 1} for index in range(9)]}
    items = form(document, error("inputs", 3, "value")).find("/inputs").fields
    assert [item.is_open for item in items] == [index == 3 for index in range(9)]
    short = form({"inputs": document["inputs"][:2]}).find("/inputs").fields
    assert [item.is_open for item in short] == [True, True]


def test_metrics_that_every_task_has_are_folded_until_something_is_wrong_with_one():
    metrics = {"tracked_metrics": [{"type": "tokens", "fields": ["total_tokens"]}, {"type": "latency", "fields": []}]}
    request = Request(findings=[error("tracked_metrics", 1, "fields")])
    shown = build(TASK_SUITE[NodeKind.CASE], metrics, request).find("/tracked_metrics").fields
    assert [metric.is_open for metric in shown] == [False, True]


def test_an_empty_required_field_is_quiet_until_it_is_touched():
    shown = form({}, error("challenge_key"))
    assert shown.find("/challenge_key").quiet
    assert shown.find("/challenge_key").has_error


def test_fields_have_names_of_their_own_on_the_page():
    names = [field.dom_id for field in form({"payload": {"a/b": 1, "a": {"b": 2}}}).walk()]
    assert len(set(names)) == len(names)
    assert dom_id("/\ud800").isascii()


def test_writing_begins_at_the_first_gap_that_the_check_names_else_at_the_first_longer_text():
    document = {
        "case_key": "a",
        "inputs": [{"key": "q", "kind": "text"}],
        "expectations": [{"key": "e", "kind": "text"}],
    }
    finding = Finding("x.W001", Severity.WARNING, ("expectations", 0), "Empty.")
    assert form(document, finding).entry.pointer == "/expectations/0/value"
    assert form(document).entry.pointer == "/inputs/0/value"
    assert form({}).entry.pointer == ""
