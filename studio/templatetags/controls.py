"""The parts of forms as tags: fields with their labels, controls, choices, forms that post or narrow a list."""

from collections.abc import Iterable
from typing import Any

from django import template
from django.template.context import Context
from django.template.defaultfilters import truncatechars
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from studio.templatetags.parts import NOTHING, attributes, styled, submit
from studio.templatetags.ui import icon

register = template.Library()

ASKING = {"confirm": "confirm", "confirm_label": "agree", "danger": "danger"}
"""What the script that asks before a form is sent reads, and how tags call it."""


@register.simple_block_tag
def field(content: str, label: str, key: str, *, hint: str = "", optional: bool = False) -> SafeString:
    """A label above a control of the id `key`; a hint has the id `key` without `id_`, and `-hint`."""
    mark = mark_safe(' <span class="field__optional">(optional)</span>') if optional else NOTHING
    above = format_html('<label class="field__label" for="{}">{}{}</label>', key, label, mark)
    if hint:
        above += format_html('<div class="field__hint" id="{}-hint">{}</div>', key.removeprefix("id_"), hint)
    return format_html('<div class="field">{}{}</div>', above, content)


@register.simple_tag
def text_field(label: str, key: str, value: object, styles: str = "", **more: Any) -> SafeString:
    """A labelled line of text. `hint` and `optional` are as for `field`; what else is given is an attribute."""
    about = {name: more.pop(name) for name in ("hint", "optional") if name in more}
    described = f"{key.removeprefix('id_')}-hint" if about.get("hint") else ""
    return field(control(key, value, styles, aria_describedby=described, **more), label, key, **about)


def naming(key: str, styles: str, more: dict[str, Any]) -> SafeString:
    """The attributes of a control: its class, its id, its name (`key` without `id_`), and what else is given."""
    return attributes(_class=styled("input", styles), **{"id": key, "name": key.removeprefix("id_"), **more})


@register.simple_tag
def control(key: str, value: object = "", styles: str = "", **more: Any) -> SafeString:
    """A line of text to type, of the name and id `key` (without `id_`); what else is given is an attribute."""
    return format_html('<input{} value="{}" />', naming(key, styles, more), str(value))


@register.simple_tag
def textarea(key: str, value: object = "", styles: str = "", **more: Any) -> SafeString:
    """Lines of text to type; the rest is as for `control`."""
    # Browsers drop the first line break, which may be one that somebody typed.
    return format_html("<textarea{}>\n{}</textarea>", naming(key, styles, more), str(value))


@register.simple_tag
def select(key: str, choices: Iterable[Any], chosen: Any, styles: str = "", **more: Any) -> SafeString:
    """One of the choices, which are as for `options`; `every` is the label of none, the rest is as for `control`."""
    none = format_html('<option value="">{}</option>', more.pop("every")) if "every" in more else NOTHING
    offered = options(choices, chosen, more.pop("most", 0))
    return format_html("<select{}>{}{}</select>", naming(key, styles, more), none, offered)


@register.simple_tag
def options(choices: Iterable[Any], chosen: Any, most: int = 0) -> SafeString:
    """The options of a select: pairs of a value and a label, or values alone; `most` is how long a label may be."""
    pairs = (each if isinstance(each, tuple | list) else (each, each) for each in choices)
    shown = (
        (value, attributes(selected=value == chosen), truncatechars(label, most or 1000)) for value, label in pairs
    )
    return format_html_join("", '<option value="{}"{}>{}</option>', shown)


@register.simple_tag
def narrowing(label: str, name: str, every: str, choices: Iterable[Any], chosen: Any, **more: Any) -> SafeString:
    """A select that narrows a list to one of the choices, or to every one."""
    return select("", choices, chosen, "narrow", every=every, most=50, name=name, aria_label=label, **more)


@register.simple_block_tag(takes_context=True)
def post(context: Context, content: str, view: str = "", *where: Any, **more: Any) -> SafeString:
    """A form that posts to a view, to the address `action`, or to that of its page; what else is given is an attribute.

    `query` comes after the address of a view. `confirm` is asked first, with `agree` on its button; `danger` makes that
    button red. With `hx_target`, htmx posts the form and swaps that part of the page.
    """
    address = format_html("{}{}", reverse(view, args=where), more.pop("query", "")) if view else more.pop("action", "")
    asked = {f"data_{key}": more.pop(name, "") for key, name in ASKING.items()}
    if "hx_target" in more:
        more = {"hx_post": address, "hx_swap": "outerHTML", **more}
    token = hidden("csrfmiddlewaretoken", context.get("csrf_token", ""))
    return format_html('<form method="post"{}>{}{}</form>', attributes(action=address, **asked, **more), token, content)


@register.simple_tag(takes_context=True)
def act(context: Context, label: str, picture: str, view: str, *where: Any, style: str = "", **more: Any) -> SafeString:
    """A button that posts to a view: `{% act "Pause" "pause" "runs:pause" run.pk style="small" confirm="Sure?" %}`.

    What else is given is as for `post`.
    """
    shown = format_html("{}{}", icon(picture), label)
    return post(context, submit(shown, style=style), view, *where, **more)


@register.simple_block_tag
def seek(content: str, target: str, view: str = "", *where: Any, **more: Any) -> SafeString:
    """A form that narrows a list, the part `target` of the page, as its fields change: from a view, or from `action`.

    What else is given is an attribute.
    """
    address = reverse(view, args=where) if view else more.pop("action", "")
    usual = {"hx_trigger": "change, input delay:250ms, search, submit", "hx_swap": "morph:outerHTML"}
    swapped = {"hx_get": address, "hx_target": target, "hx_push_url": "true", "hx_sync": "this:replace"}
    return format_html(
        '<form role="search"{}>{}</form>', attributes(action=address, **swapped, **(usual | more)), content
    )


@register.simple_tag
def hidden(name: str, value: object, **more: Any) -> SafeString:
    """A value that a form sends without showing it."""
    return format_html('<input type="hidden" name="{}" value="{}"{} />', name, value, attributes(**more))


@register.simple_tag
def check(name: str, label: str, is_checked: object, **more: Any) -> SafeString:
    """A box to tick, or with `type="radio"` one of several."""
    given = attributes(**{"type": "checkbox", "name": name, "checked": bool(is_checked), **more})
    return format_html('<label class="check"><input{} /><span>{}</span></label>', given, label)


@register.simple_tag
def short_control(label: str, name: str, value: object, **more: Any) -> SafeString:
    """A short line of text with its label beside it."""
    return format_html("<label>{} {}</label>", label, control("", value, "narrow", name=name, **more))


@register.simple_tag
def datalist(key: str, values: Iterable[object], **more: Any) -> SafeString:
    """What a control may offer while somebody types."""
    offered = format_html_join("", '<option value="{}"></option>', ((value,) for value in values))
    return format_html('<datalist id="{}"{}>{}</datalist>', key, attributes(**more), offered)
