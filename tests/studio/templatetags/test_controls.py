"""Parts of forms, as templates ask for them."""

import pytest

from tests.studio.templatetags.test_parts import render, require_escaped


@pytest.mark.parametrize(
    "source",
    [
        '{% field text "key" hint=text %}{% endfield %}',
        '{% text_field text "key" text placeholder=text %}',
        '{% textarea "key" text placeholder=text %}',
        '{% select "key" values text every=text %}',
        '{% check "name" text True value=text %}',
        "{% options values text %}",
        '{% datalist "key" values %}',
        '{% act text "x" "studio:sign-out" confirm=text %}',
        "{% post action=text data_lint=text %}{% endpost %}",
    ],
)
def test_what_people_typed_is_never_markup(source):
    require_escaped(source)


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
