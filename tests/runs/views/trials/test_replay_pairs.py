import pytest
from django.urls import reverse

from packs.access import Role
from runs.launch.launching import launch
from runs.models import Agent
from tests.people import client_of, make_member
from tests.runs.studio_packs import pack_text, publish_text
from tests.runs.working import work_off

pytestmark = pytest.mark.django_db


def call(number, **change):
    payload = {"tool_name": f"tool{number}", "arguments": {"number": number}, "result": {"content": f"found {number}"}}
    return {"type": "tool.call.completed", "payload": {**payload, **change}}


CALLS = [call(number) for number in range(40)]
# Another answer of the eleventh call, one call more after the twentieth, and other arguments of the thirtieth.
OTHERS = [*CALLS[:10], call(10, result={"content": "a\n<b>new</b>"}), *CALLS[11:20], call(99), *CALLS[20:29]]
OTHERS += [call(29, arguments={"number": 7}), *CALLS[30:]]


@pytest.fixture
def version(team, author):
    return publish_text(team, author, pack_text({"default": 1}))


@pytest.fixture
def trial_of(team, author, version):
    """A finished trial of an agent that told these events: `trial_of(name, events)`."""

    def make(name, events):
        config = {"default": {"output": "hub", "events": events}}
        agent = Agent.objects.create(team=team, name=name, kind="scripted", config=config)
        return work_off(launch(author, version, [agent])).trials.get()

    return make


@pytest.fixture
def pair(trial_of):
    return trial_of("one", CALLS), trial_of("two", OTHERS)


@pytest.fixture
def long_pair(trial_of):
    """Trials of 600 calls each, which differ in the result of the 400th."""
    calls = [call(number) for number in range(600)]
    return trial_of("long", calls), trial_of("longer", [*calls[:400], call(400, result={"content": "x"}), *calls[401:]])


def page(client, a, b, query="", **headers):
    return client.get(f"{reverse('runs:replay-compare')}?a={a}&b={b}{query}", headers=headers)


def compared(client, pair, query=""):
    return page(client, pair[0].pk, pair[1].pk, query).context


def tool_of(context):
    return [step and step["tool_name"] for _, step in context["row"]["steps"]]


def test_the_page_opens_where_the_replays_part(as_author, pair):
    context = compared(as_author, pair)
    assert (context["row"]["state"], tool_of(context)) == ("changed", ["tool10", "tool10"])
    assert context["difference_number"] == 1
    assert [item["is_current"] for item in context["items"] if item.get("state") == "changed"][0]


def test_differences_are_reached_forth_and_back(as_author, pair):
    context = compared(as_author, pair, "&row=1")
    assert context["difference_number"] == 0
    first = as_author.get(context["first_difference"]).context
    second = as_author.get(first["difference_after"]).context
    assert tool_of(second) == [None, "tool99"]
    third = as_author.get(second["difference_after"]).context
    assert tool_of(third) == ["tool29", "tool29"]
    assert as_author.get(third["difference_before"]).context["row"]["number"] == second["row"]["number"]


def test_equal_stretches_are_folded_until_they_are_opened(as_author, pair):
    context = compared(as_author, pair)
    fold = next(item for item in context["items"] if item.get("fold"))
    opened = as_author.get(fold["url"]).context
    assert len(opened["items"]) == len(context["items"]) - 1 + fold["fold"]
    # It stays open for a reader who goes on to the next difference.
    assert len(as_author.get(opened["difference_after"]).context["items"]) == len(opened["items"])
    everything = as_author.get(context["everything_url"]).context
    assert len(everything["items"]) == everything["total"]


def test_rows_are_walked_one_by_one_past_the_folds(as_author, pair):
    context = compared(as_author, pair, "&row=1")
    seen = [context["row"]["number"]]
    while context["row_after"]:
        context = as_author.get(context["row_after"]).context
        seen.append(context["row"]["number"])
    assert seen == sorted(set(seen))
    assert seen[-1] == context["total"]


def test_a_changed_row_shows_both_results_line_by_line(as_author, pair):
    answer = page(as_author, pair[0].pk, pair[1].pk)
    [(_, asked), (_, answered)] = answer.context["row"]["groups"]
    assert {part["label"]: part["is_plain"] for part in asked}["arguments"]
    changed = next(part for part in answered if not part["is_plain"])
    assert [[(piece.kind, piece.text) for piece in pieces] for _, _, pieces in changed["sides"]] == [
        [("missing", "found 10")],
        [("extra", "a\n<b>new</b>")],
    ]
    assert "<b>new</b>" not in answer.content.decode()


def test_a_step_of_one_side_is_shown_without_marks(as_author, pair):
    row = as_author.get(compared(as_author, pair)["difference_after"]).context["row"]
    assert row["state"] == "only_b"
    parts = [part for _, parts in row["groups"] for part in parts]
    assert [part["one"].text for part in parts if part["label"] == "tool_name"] == ["tool99"]
    assert all(part["is_plain"] for part in parts)


def test_totals_stand_side_by_side_with_what_b_has_more(as_author, pair):
    totals = {figure.name: (figure.a, figure.b, figure.delta) for figure in compared(as_author, pair)["totals"]}
    assert totals["Tool calls"] == (40, 41, 1)
    assert totals["Score"][0] == totals["Score"][1]


def test_swapping_turns_the_sides_round(as_author, pair):
    context = as_author.get(compared(as_author, pair)["swap_url"]).context
    assert (context["a"].trial, context["b"].trial) == (pair[1], pair[0])
    assert context["counts"]["only_a"] == 1


def test_a_trial_beside_itself_has_no_difference(as_author, pair):
    context = compared(as_author, (pair[0], pair[0]))
    assert (context["first_difference"], context["counts"]["same"]) == ("", context["total"])


def test_a_trial_that_has_not_begun_stands_beside_one_that_has(as_author, author, version, pair):
    waiting = launch(author, version, [pair[0].run_agent.agent]).trials.get()
    context = compared(as_author, (waiting, pair[1]))
    assert context["counts"]["only_b"] == context["total"]
    assert page(as_author, waiting.pk, waiting.pk).context["total"] == 0


def test_long_replays_come_in_windows(as_author, long_pair):
    context = compared(as_author, long_pair, "&open=all&row=250")
    numbers = [item["a"]["number"] for item in context["items"]]
    assert numbers == list(range(201, 401))[: len(numbers)]
    following = as_author.get(context["window_after"]).context
    assert following["items"][0]["a"]["number"] == numbers[-1] + 1
    back = as_author.get(following["window_before"]).context
    assert [item["url"] for item in back["items"]][-1] == following["window_before"]


def test_moving_about_in_long_replays_reads_only_what_is_shown(as_author, long_pair, django_assert_max_num_queries):
    compared(as_author, long_pair)
    with django_assert_max_num_queries(18) as queries:
        context = compared(as_author, long_pair, "&row=250")
    assert context["counts"]["changed"] == 1
    # An alignment reads the payloads of all events in their order.
    reads = [query["sql"] for query in queries.captured_queries if "runs_event" in query["sql"]]
    assert not [sql for sql in reads if "payload" in sql and " IN (" not in sql]


def test_an_alignment_is_not_kept_beyond_new_events(as_author, long_pair):
    changed = long_pair[1]
    before = compared(as_author, long_pair)["total"]
    last = changed.events.latest("sequence")
    columns = {"event_type": "workspace.reset", "source": last.source, "occurred_at": last.occurred_at}
    changed.events.create(sequence=last.sequence + 1, **columns)
    changed.replay.delete()
    assert compared(as_author, long_pair)["total"] == before + 1


@pytest.mark.parametrize("number", ["", "x", "0", "-1", "²", "9" * 30, "987654321"])
def test_what_is_no_trial_is_not_found(as_author, pair, number):
    assert page(as_author, number, pair[0].pk).status_code == 404
    if number:
        assert page(as_author, pair[0].pk, number).status_code == 404


@pytest.mark.parametrize("query", ["&row=0", "&row=x", "&row=99999999999999999999", "&open=x,²,,7", "&row=-4"])
def test_odd_places_lead_to_a_row_all_the_same(as_author, pair, query):
    assert page(as_author, pair[0].pk, pair[1].pk, query).status_code == 200


def test_both_trials_have_to_be_ones_that_may_be_seen(as_stranger, team, pair):
    a, b = pair
    assert page(as_stranger, a.pk, b.pk).status_code == 404
    assert page(client_of(make_member(team, Role.VIEWER)), a.pk, b.pk).status_code == 200


def test_htmx_gets_the_rows_without_the_shell(as_author, pair):
    answer = page(as_author, pair[0].pk, pair[1].pk, **{"HX-Request": "true"})
    assert answer.content.decode().lstrip().startswith('<div class="replay"')


def test_a_trial_is_offered_those_of_its_case_in_this_run_and_in_others(as_author, team, author, version, pair):
    agents = [Agent.objects.create(team=team, name=name, kind="echo", config={}) for name in ("x", "y")]
    here, rival = work_off(launch(author, version, agents)).trials.order_by("pk")
    context = as_author.get(reverse("runs:replay-compare"), {"a": here.pk}).context
    assert [list(rivals) for _, rivals in context["lists"]] == [[rival], [pair[1], pair[0]]]


@pytest.mark.parametrize("name", ["trial", "replay"])
def test_trials_and_replays_lead_to_the_choice(as_author, pair, name):
    answer = as_author.get(reverse(f"runs:{name}", args=[pair[0].pk]))
    assert f'{reverse("runs:replay-compare")}?a={pair[0].pk}"' in answer.content.decode()


def test_the_choice_costs_the_same_for_many_trials(as_author, team, author, version, django_assert_max_num_queries):
    agents = [Agent.objects.create(team=team, name=f"e{number}", kind="echo", config={}) for number in range(8)]
    runs = [launch(author, version, agents) for _ in range(3)]
    with django_assert_max_num_queries(10):
        context = as_author.get(reverse("runs:replay-compare"), {"a": runs[0].trials.earliest("pk").pk}).context
    assert [len(rivals) for _, rivals in context["lists"]] == [7, 10]


def test_trials_of_two_cases_are_compared_and_said_to_be_of_two(as_author, team, author):
    version = publish_text(team, author, pack_text({"default": 2}), slug="two-cases")
    echo = Agent.objects.create(team=team, name="e", kind="echo", config={})
    one, other = work_off(launch(author, version, [echo])).trials.order_by("pk")
    assert not compared(as_author, (one, other))["is_one_case"]
    assert compared(as_author, (one, one))["is_one_case"]
