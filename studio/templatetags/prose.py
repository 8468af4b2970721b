"""Texts of packs that people wrote in Markdown, such as rubrics: the few marks that matter for reading, and no HTML."""

import re
from collections.abc import Iterator
from itertools import groupby

from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

HEADING = re.compile(r"#{1,6}\s+(\S.*)$")
ENTRY = re.compile(r"\s*(?:[-*+]|\d{1,3}[.)])\s+(.+)$")
# Applied to text that is escaped already, code first, so that a mark inside of code stays what it is.
# No mark is looked for beyond the next of its kind: long lines of marks would take too long.
INLINE = re.compile(r"`([^`\n]+)`|\*\*(?=\S)((?:(?!\*\*).)+)(?<=\S)\*\*")
CODE = re.compile(r"`([^`\n]+)`")


@register.filter
def coded(text: str) -> SafeString:
    """A sentence, such as a finding's, with what stands between backticks as code; nothing else in it is a mark."""
    # The text is escaped before the marks are read.
    return mark_safe(CODE.sub(r"<code>\1</code>", escape(text)))


def inline(text: str) -> SafeString:
    """A line with its code and its bold words."""

    def marked(found: re.Match[str]) -> str:
        code, bold = found.groups()
        return f"<code>{code}</code>" if code else f"<strong>{bold}</strong>"

    # The text is escaped before the marks are read.
    return mark_safe(INLINE.sub(marked, escape(text)))


def read(line: str) -> tuple[str, str]:
    """The kind of a line, and what it says."""
    if found := HEADING.match(line):
        return "heading", found[1].rstrip().rstrip("#").rstrip() or found[1]
    if found := ENTRY.match(line):
        return "list", found[1]
    return ("text" if line.strip() else "blank"), line


def blocks(text: str) -> Iterator[SafeString]:
    """The text as headings, lists and paragraphs; whatever is none of the first two is kept line by line."""
    for kind, lines in groupby(map(read, text.splitlines()), lambda line: line[0]):
        said = [(inline(words),) for _, words in lines]
        if kind == "heading":
            yield format_html_join("", '<p class="strong">{}</p>', said)
        elif kind == "list":
            yield format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", said))
        elif kind == "text":
            yield format_html("<p>{}</p>", format_html_join(mark_safe("<br>"), "{}", said))


@register.filter
def prose(text: str) -> SafeString:
    """A text in Markdown for reading; every character that is not one of the few marks is shown as it is."""
    return format_html('<div class="prose">{}</div>', format_html_join("", "{}", ((block,) for block in blocks(text))))
