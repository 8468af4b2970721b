"""Parts of pages, as templates ask for them."""

import pytest
from django.template import engines
from django.test import RequestFactory


def render(source, **context):
    return engines["django"].from_string(source).render(context, RequestFactory().get("/"))


def require_escaped(source):
    """A template shows a text with markup, given as `text` and in `values`, as the text that it is."""
    text = '<b>"&'
    page = render(source, text=text, values=[text])
    assert "<b>" not in page
    assert "&lt;b&gt;&quot;&amp;" in page


@pytest.mark.parametrize(
    "source",
    [
        "{% heading text text %}",
        "{% titled text %}{{ text }}{% endtitled %}",
        '{% note "red" "x" "One" title=text %}',
        '{% panel text "key" %}{% endpanel %}',
        '{% panel_lead text "key" %}{{ text }}{% endpanel_lead %}',
        '{% note "red" "x" text %}',
        "{% problem text %}{% endproblem %}",
        '{% blank "x" text %}{% endblank %}',
        "{% fact text text %}",
        "{% figure text text %}",
        "{% columns text %}",
        "{% table text text %}{% endtable %}",
        '{% button_to text "x" "studio:home" title=text %}',
        '{% icon_submit text "x" value=text %}',
        '{% copyable "key" text %}',
        '{{ "About {}"|fill:text }}',
    ],
)
def test_what_people_typed_is_never_markup(source):
    require_escaped(source)


def test_a_panel_is_named_by_its_heading():
    page = render('{% panel "Runs" "runs-title" anchor="runs" body="stack" %}<p>None.</p>{% endpanel %}')
    assert page.startswith('<section class="panel" aria-labelledby="runs-title" id="runs">')
    assert '<h2 id="runs-title">Runs</h2>' in page
    assert '<div class="panel__body stack"><p>None.</p></div>' in page


def test_the_head_of_a_panel_may_hold_more_than_its_title():
    page = render('{% panel_lead "Runs" "runs-title" %}<b>All</b>{% endpanel_lead %}')
    assert page == '<div class="panel__head"><h2 id="runs-title">Runs</h2><b>All</b></div>'


def test_a_page_without_actions_has_no_place_for_them():
    assert "head__actions" not in render('{% heading "Runs" %}')
    assert '<div class="head__actions"><b>Go</b></div>' in render('{% headed "Runs" %}<b>Go</b>{% endheaded %}')


def test_the_sentence_below_a_title_may_hold_a_link():
    page = render('{% titled "Gate" %}Of <a href="/p/">Hull</a>{% endtitled %}')
    assert '<h1>Gate</h1><p class="head__sub">Of <a href="/p/">Hull</a></p>' in page


def test_a_refusal_is_announced_and_gets_the_focus():
    page = render("{% problem %}<p>Too long.</p>{% endproblem %}")
    assert 'role="alert" tabindex="-1" autofocus' in page
    assert "<h2>There is a problem</h2><p>Too long.</p>" in page


def test_the_heads_of_a_table():
    page = render('{% table "Agents" "Agent" "Runs:number wide" "Actions:hidden" rows=True %}<tr></tr>{% endtable %}')
    assert '<table class="table" data-rows><caption class="visually-hidden">Agents</caption>' in page
    assert '<th scope="col">Agent</th><th scope="col" class="number wide">Runs</th>' in page
    assert '<th scope="col"><span class="visually-hidden">Actions</span></th>' in page
    assert "<tbody><tr></tr></tbody>" in page


def test_a_link_keeps_its_query_and_its_key():
    page = render('{% button_to "All" "" "studio:search" query="?q=a&amp;b={}"|fill:word key="g a" %}', word="x&y")
    assert 'href="/search/?q=a&amp;b=x&amp;y"' in page
    assert 'data-key="g a"' in page


def test_the_tab_of_the_page_is_the_current_one():
    source = '{% tab "home" "Home" "studio:home" %}{% tab "other" "Other" "studio:search" %}'
    assert render(source, tab="home").count('aria-current="page"') == 1
    assert '<a href="/" aria-current="page">Home</a>' in render(source, tab="home")


def test_keys_are_set_apart_from_what_joins_them():
    assert render('{% key "g then h, p" "Go" %}') == (
        "<dt><kbd>g</kbd> then <kbd>h</kbd>, <kbd>p</kbd></dt><dd>Go</dd>"
    )


def test_a_step_without_a_neighbour_rests():
    assert 'aria-disabled="true"' in render('{% step url "Next" "chevron-right" "j" %}', url="")
    page = render('{% step url "Next" "chevron-right" "j" id="after" %}', url="/next/")
    assert 'href="/next/" data-key="j" id="after"' in page
    assert 'aria-label="Next"' in page


def test_a_search_box_follows_typing_where_it_is_told_what_to_show():
    assert "hx-get" not in render('{% searchbox "" "Words" "Search" %}')
    live = render('{% searchbox "word" "Words" "Search" live="/here/" target="#rows" %}')
    assert 'hx-get="/here/"' in live
    assert 'hx-target="#rows"' in live
    assert 'value="word"' in live
