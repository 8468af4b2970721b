"""The cells of the grid of a run: a page has hundreds, which a template would draw several times as slowly.

Those that look alike are drawn once. Calls are few on purpose: deep within templates each can cost much, since Python
3.11 and 3.12 take new memory for every call at some depths.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString

from studio.templatetags.ui import icon

if TYPE_CHECKING:
    from runs.views.results.grid import CaseRow
    from runs.views.results.looks import Look

register = template.Library()


@register.simple_tag
def heat_cells(row: "CaseRow", addresses: Iterable[str]) -> SafeString:
    """The cells of a case; `addresses` has for each agent where its cells are, without the position of the case."""
    position, parts, opens = row.position, [], " data-open"
    for cell, address in zip(row.cells, addresses, strict=True):
        link = ""
        if cell.statuses:
            classes, content = drawn(cell.look)
            link = f'<a class="{classes}" href="{address}{position}/"{opens}{content}</a>'
        parts.append(f'<td class="heat__cell">{link}</td>')
        # The first cell of a line is what the line opens.
        opens = ""
    return SafeString("".join(parts))


@lru_cache(maxsize=4096)
def drawn(look: "Look") -> tuple[str, str]:
    """The classes of a cell, and the rest of it behind its address."""
    pictures = [icon(name) for name in (look.joint_icon, look.icon) if name]
    if look.shares.judged and not look.icon:
        pictures.append(SafeString(f'<span aria-hidden="true">{look.shares.passed}/{look.shares.judged}</span>'))
    pictures += [icon(mark.icon) for mark in look.marks]
    words = escape(look.described)
    shade = "heat" if look.shade is None else f"heat heat--{look.shade}"
    return shade, f' title="{words}">{"".join(pictures)}<span class="visually-hidden">{words}</span>'
