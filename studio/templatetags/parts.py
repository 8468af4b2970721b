"""The shared parts of pages as tags: headings, panels, notices, facts, tables, buttons. See `docs/screens.md`.

A part with content is a pair such as `{% panel "Runs" "runs-title" %} … {% endpanel %}`; a part without is one tag.
"""

from typing import Any

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from studio.keys import PAGES
from studio.templatetags.ui import icon

register = template.Library()

NOTHING = SafeString("")


def attributes(**values: Any) -> SafeString:
    """HTML attributes of those values that say something: true is an attribute without a value."""
    given = {name.strip("_").replace("_", "-"): value for name, value in values.items() if value or value == "0"}
    marks = (format_html(" {}" if value is True else ' {}="{}"', name, value) for name, value in given.items())
    return format_html_join("", "{}", ((mark,) for mark in marks))


def styled(base: str, styles: str) -> str:
    """A class with its modifiers: `button` and `primary small` are `button button--primary button--small`."""
    return " ".join([base, *(f"{base}--{style}" for style in styles.split())])


@register.filter
def fill(text: str, value: object) -> SafeString:
    """A text with a value in the place of its braces: `"Files of {}"|fill:pack`."""
    return format_html(text, value)


@register.simple_tag
def heading(title: str, sub: str = "") -> SafeString:
    """The head of a page that offers nothing to do."""
    return headed(NOTHING, title, sub)


@register.simple_block_tag
def titled(content: str, title: str) -> SafeString:
    """The head of a page that offers nothing to do; its content is the sentence below the title."""
    return headed(NOTHING, title, content)


@register.simple_block_tag
def headed(content: str, title: str, sub: str = "") -> SafeString:
    """The head of a page; its content is what can be done there."""
    below = format_html('<p class="head__sub">{}</p>', sub) if sub else NOTHING
    actions = format_html('<div class="head__actions">{}</div>', content) if content else NOTHING
    return format_html('<div class="head"><div class="head__text"><h1>{}</h1>{}</div>{}</div>', title, below, actions)


@register.simple_tag
def panel_head(title: str, key: str) -> SafeString:
    """The head of a panel that is more than a section, such as a form."""
    return panel_lead(NOTHING, title, key)


@register.simple_block_tag
def panel_lead(content: str, title: str, key: str) -> SafeString:
    """The head of a panel with more than its title; the content stands beside it."""
    return format_html('<div class="panel__head"><h2 id="{}">{}</h2>{}</div>', key, title, content)


@register.simple_block_tag
def panel(content: str, title: str, key: str, *, body: str | bool = False, anchor: str = "") -> SafeString:
    """A section with a heading of the id `key`. `body` puts space around the content; `body="stack"` within it too."""
    if body:
        content = format_html('<div class="panel__body{}">{}</div>', "" if body is True else f" {body}", content)
    named = attributes(aria_labelledby=key, id=anchor)
    return format_html('<section class="panel"{}>{}{}</section>', named, panel_head(title, key), content)


@register.simple_block_tag
def notice(content: str, tone: str, picture: str, title: str = "", *, role: str = "", anchor: str = "") -> SafeString:
    """Something to know before the rest; `tone` is a colour, or empty."""
    above = format_html("<h2>{}</h2>", title) if title else NOTHING
    named = attributes(_class=styled("notice", tone), role=role, id=anchor)
    return format_html("<div{}>{}{}{}</div>", named, icon(picture), above, content)


@register.simple_tag
def note(tone: str, picture: str, text: str, *, title: str = "", role: str = "") -> SafeString:
    """A notice of one paragraph."""
    return notice(format_html("<p>{}</p>", text), tone, picture, title, role=role)


@register.simple_block_tag
def problem(content: str, title: str = "There is a problem") -> SafeString:
    """Why what was sent was refused; the page opens there."""
    return format_html(
        '<div class="notice notice--red" role="alert" tabindex="-1" autofocus>{}<h2>{}</h2>{}</div>',
        icon("circle-alert"),
        title,
        content,
    )


@register.simple_block_tag
def blank(content: str, picture: str, title: str) -> SafeString:
    """What stands in the place of a list that is empty."""
    return format_html('<div class="panel empty">{}<h2>{}</h2>{}</div>', icon(picture), title, content)


@register.simple_block_tag
def factblock(content: str, name: str, styles: str = "") -> SafeString:
    """A fact whose value is more than a text, in a list of facts."""
    return format_html("<dt>{}</dt><dd{}>{}</dd>", name, attributes(_class=styles), content)


@register.simple_tag
def fact(name: str, value: object, styles: str = "") -> SafeString:
    """A name and a value in a list of facts."""
    return factblock(conditional_escape(str(value)), name, styles)


@register.simple_block_tag
def figureblock(content: str, name: str, styles: str = "") -> SafeString:
    """A figure whose value is more than a text, in a row of figures."""
    return format_html("<div>{}</div>", factblock(content, name, styles))


@register.simple_tag
def figure(name: str, value: object, styles: str = "") -> SafeString:
    """A name and a value in a row of figures."""
    return figureblock(conditional_escape(str(value)), name, styles)


def column(said: str) -> SafeString:
    """The head of a column, from `Label` or `Label:classes`. Only screen readers get a label of the class `hidden`."""
    label, _, styles = said.partition(":")
    if styles == "hidden":
        return format_html('<th scope="col"><span class="visually-hidden">{}</span></th>', label)
    return format_html('<th scope="col"{}>{}</th>', attributes(_class=styles), label)


@register.simple_tag
def columns(*said: str) -> SafeString:
    """The head of a table: `{% columns "Agent" "Runs:number wide" %}`."""
    heads = format_html_join("", "{}", ((column(each),) for each in said))
    return format_html("<thead><tr>{}</tr></thead>", heads)


@register.simple_tag
def item_text(title: object, sub: object = "") -> SafeString:
    """The two lines of an entry of a list."""
    below = format_html('<span class="muted small">{}</span>', sub) if sub else NOTHING
    return format_html('<span class="item__text"><span class="item__title">{}</span>{}</span>', title, below)


@register.simple_tag
def icon_submit(label: str, picture: str, *, style: str = "quiet small icon", **more: Any) -> SafeString:
    """A button that sends a form and shows an icon alone; `label` is what it is called."""
    given = {"title": label, **more}
    return submit(icon(picture, label), style=style, **given)


@register.simple_tag(takes_context=True)
def tab(context: Context, name: str, label: str, view: str, *where: Any) -> SafeString:
    """A tab that leads to a view; it is the current one where the variable `tab` is its name."""
    here = attributes(aria_current="page" if context.get("tab") == name else "")
    return format_html('<a href="{}"{}>{}</a>', reverse(view, args=where), here, label)


@register.simple_tag
def copy_button(target: str) -> SafeString:
    """A button that copies the text of an element."""
    return format_html(
        '<button type="button" class="button button--small only-with-js" data-copy="{}">{}Copy</button>',
        target,
        icon("copy"),
    )


@register.simple_tag
def button_to(label: str, picture: str, view: str, *where: Any, **more: Any) -> SafeString:
    """A link to a view that looks like a button; `query` comes after its address, the rest is as for `button_link`."""
    url = format_html("{}{}", reverse(view, args=where), more.pop("query", ""))
    return button_link(label, picture, url, **more)


@register.simple_tag
def button_link(label: str, picture: str, url: str, *, style: str = "", key: str = "", **more: Any) -> SafeString:
    """A link to an address that looks like a button; what else is given is an attribute."""
    named = attributes(_class=styled("button", style), href=url, data_key=key, **more)
    return format_html("<a{}>{}</a>", named, pictured(label, picture))


@register.simple_tag
def submit(label: str, picture: str = "", *, style: str = "", key: str = "", **more: Any) -> SafeString:
    """The button that sends a form; what else is given is an attribute."""
    named = attributes(type="submit", _class=styled("button", style), data_key=key, **more)
    return format_html("<button{}>{}</button>", named, pictured(label, picture))


def pictured(label: str, picture: str) -> SafeString:
    """What a button shows; where there is little room, the picture may stand for its words."""
    if not picture:
        return format_html("{}", label)
    return format_html('{}<span class="button__word">{}</span>', icon(picture), label)


@register.simple_tag
def poll(address: str, target: str, pause: str) -> SafeString:
    """Asks for the newest state of a part of the page, again after each pause."""
    return format_html(
        '<div data-poll hx-get="{}" hx-trigger="every {}, poll" hx-target="{}" hx-swap="morph:outerHTML"></div>',
        address,
        pause,
        target,
    )


@register.simple_block_tag
def table(content: str, caption: str = "", *heads: str, labelled: str = "", rows: bool = False) -> SafeString:
    """A table with a caption for screen readers, or the id of its heading; `rows` lets keys walk through it.

    With heads, which are those of `columns`, the content is the rows of its body.
    """
    if heads:
        content = format_html("{}<tbody>{}</tbody>", columns(*heads), content)
    named = attributes(data_rows=rows, aria_labelledby=labelled)
    above = format_html('<caption class="visually-hidden">{}</caption>', caption) if caption else NOTHING
    return format_html('<div class="table-wrap"><table class="table"{}>{}{}</table></div>', named, above, content)


@register.simple_block_tag
def entry(content: str, view: str, *where: Any, query: str = "") -> SafeString:
    """An entry of a list of links to a view."""
    return format_html('<li><a class="item" href="{}{}">{}</a></li>', reverse(view, args=where), query, content)


@register.simple_tag
def key(pressed: str, does: str) -> SafeString:
    """An entry of the list of keys: `{% key "Ctrl K" "Search" %}`. A comma, `then` and `to` are no keys."""
    names = format_html_join(" ", "{}{}", (pressed_key(name) for name in pressed.split(" ")))
    return format_html("<dt>{}</dt><dd>{}</dd>", names, does)


@register.simple_tag
def keys(page: str) -> SafeString:
    """The entries of the keys that scripts answer on a page: `{% keys "grid" %}`."""
    return format_html_join("", "{}", ((key(pressed, does),) for pressed, does in PAGES[page]))


def pressed_key(name: str) -> tuple[SafeString, str]:
    bare = name.removesuffix(",")
    return (SafeString(bare) if bare in ("then", "to") else format_html("<kbd>{}</kbd>", bare)), name[len(bare) :]


@register.inclusion_tag("parts/searchbox.html")
def searchbox(value: str, placeholder: str, label: str, **more: str) -> dict[str, str]:
    """A box for words to look for, which the key `/` opens. With `live`, an address, `target` follows the typing.

    `id` and `help`, the id of what explains the box, are set where they are given.
    """
    return {"value": value, "placeholder": placeholder, "label": label, **more}


@register.simple_tag
def copyable(key: str, text: str, style: str = "") -> SafeString:
    """A text in a frame, with a button that copies it."""
    framed = format_html('<pre class="{}" id="{}" tabindex="0">{}</pre>', styled("code", style), key, text)
    return format_html('<div class="copyable">{}{}</div>', framed, copy_button(f"#{key}"))


@register.simple_tag
def step(url: str, label: str, picture: str, key: str, **more: Any) -> SafeString:
    """A small button with an icon alone that leads to a neighbour, or rests where there is none."""
    if url:
        return button_link(icon(picture, label), "", url, style="small", key=key, **more)
    return format_html('<span class="button button--small" aria-disabled="true">{}</span>', icon(picture))
