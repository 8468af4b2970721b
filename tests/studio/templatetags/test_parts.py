"""Parts of pages, as templates ask for them."""

import pytest
from django.template import engines
from django.test import RequestFactory


def render(source, **context):
    return engines["django"].from_string(source).render(context, RequestFactory().get("/"))


@pytest.mark.parametrize(
    "source",
    [
        "{% heading text text %}",
        "{% titled text %}{{ text }}{% endtitled %}",
        '{% note "red" "x" "One" title=text %}',
        '{% panel text "key" %}{% endpanel %}',
        '{% note "red" "x" text %}',
        "{% problem text %}{% endproblem %}",
        '{% blank "x" text %}{% endblank %}',
        "{% fact text text %}",
        "{% figure text text %}",
        "{% columns text %}",
        "{% table text text %}{% endtable %}",
        '{% field text "key" hint=text %}{% endfield %}',
        '{% text_field text "key" text placeholder=text %}',
        '{% textarea "key" text placeholder=text %}',
        '{% select "key" values text every=text %}',
        '{% check "name" text True value=text %}',
        "{% options values text %}",
        '{% datalist "key" values %}',
        '{% act text "x" "studio:sign-out" confirm=text %}',
        "{% post action=text data_lint=text %}{% endpost %}",
        '{% button_to text "x" "studio:home" title=text %}',
        '{% icon_submit text "x" value=text %}',
        '{% copyable "key" text %}',
        '{{ "About {}"|fill:text }}',
    ],
)
def test_what_people_typed_is_never_markup(source):
    text = '<b>"&'
    page = render(source, text=text, values=[text])
    assert "<b>" not in page
    assert "&lt;b&gt;&quot;&amp;" in page


def test_a_panel_is_named_by_its_heading():
    page = render('{% panel "Runs" "runs-title" anchor="runs" body="stack" %}<p>None.</p>{% endpanel %}')
    assert page.startswith('<section class="panel" aria-labelledby="runs-title" id="runs">')
    assert '<h2 id="runs-title">Runs</h2>' in page
    assert '<div class="panel__body stack"><p>None.</p></div>' in page


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


def test_a_field_ties_its_label_and_its_hint_to_the_control():
    page = render('{% text_field "Branch" "id_branch" "main" hint="What the run is of." optional=True maxlength=255 %}')
    assert '<label class="field__label" for="id_branch">Branch <span class="field__optional">(optional)</span>' in page
    assert '<div class="field__hint" id="branch-hint">What the run is of.</div>' in page
    control = page[page.index("<input") :]
    for part in (
        'id="id_branch"',
        'name="branch"',
        'value="main"',
        'maxlength="255"',
        'aria-describedby="branch-hint"',
    ):
        assert part in control


def test_a_control_without_a_value_is_empty_and_zero_is_a_value():
    assert 'value=""' in render('{% control "key" "" %}')
    assert 'value="0"' in render('{% control "key" 0 %}')


def test_the_chosen_option_is_selected():
    page = render('{% narrowing "Pack" "pack" "Every pack" pairs "b" %}', pairs=[("a", "A" * 60), ("b", "B")])
    assert '<option value="">Every pack</option>' in page
    assert f'<option value="a">{"A" * 49}…</option><option value="b" selected>B</option>' in page


def test_a_select_offers_none_first_and_a_text_keeps_its_first_line_break():
    page = render('{% select "id_role" roles "b" "narrow" every="Any" aria_label="Role" %}', roles=["a", "b"])
    assert page.startswith('<select class="input input--narrow" id="id_role" name="role" aria-label="Role">')
    assert '<option value="">Any</option><option value="a">a</option><option value="b" selected>b</option>' in page
    assert 'value=""' not in render('{% select "id_role" roles "b" %}', roles=["a", "b"])
    assert ">\n\nHull</textarea>" in render('{% textarea "id_text" text rows=3 %}', text="\nHull")


def test_a_button_that_posts_carries_the_token_and_asks_first():
    page = render(
        '{% act "Delete" "trash-2" "studio:sign-out" confirm="Sure?" agree="Yes" danger=True style="small" %}'
    )
    assert 'data-confirm="Sure?" data-confirm-label="Yes" data-danger' in page
    assert 'name="csrfmiddlewaretoken" value=""' not in page
    assert 'class="button button--small"' in page


def test_a_form_that_posts_goes_to_its_view_with_the_token():
    page = render('{% post "studio:sign-out" query="#end" _class="stack" novalidate=True %}<p>All</p>{% endpost %}')
    start, rest = page.split(">", 1)
    assert start == '<form method="post" action="/sign-out/#end" class="stack" novalidate'
    assert rest.startswith('<input type="hidden" name="csrfmiddlewaretoken" value="')
    assert rest.endswith("<p>All</p></form>")
    assert 'value=""' not in rest


def test_a_form_that_narrows_a_list_asks_its_own_address_as_its_fields_change():
    page = render('{% seek "#rows" "studio:search" id="words" %}<b>All</b>{% endseek %}')
    assert page.startswith('<form role="search" action="/search/" hx-get="/search/" hx-target="#rows"')
    assert 'hx-trigger="change, input delay:250ms, search, submit"' in page
    assert page.endswith('id="words"><b>All</b></form>')
    assert 'hx-trigger="submit"' in render('{% seek "#rows" action="/a/" hx_trigger="submit" %}{% endseek %}')


def test_htmx_posts_a_form_that_names_what_the_answer_replaces():
    page = render('{% post "studio:sign-out" hx_target="#part" %}{% endpost %}')
    assert 'action="/sign-out/" hx-post="/sign-out/" hx-swap="outerHTML" hx-target="#part"' in page
    assert "hx-" not in render('{% post "studio:sign-out" %}{% endpost %}')


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
