import pytest

from studio.templatetags.prose import coded, prose

RUBRIC = """# Kindness (0-4)

How kind it is.
Nothing else.

- **4**: kind, as in `thank you`
- **0**: rude
"""


def test_a_rubric_reads_as_heading_paragraph_and_list():
    assert prose(RUBRIC) == (
        '<div class="prose"><p class="strong">Kindness (0-4)</p>'
        "<p>How kind it is.<br>Nothing else.</p>"
        "<ul><li><strong>4</strong>: kind, as in <code>thank you</code></li>"
        "<li><strong>0</strong>: rude</li></ul></div>"
    )


@pytest.mark.parametrize("text", ["<script>x</script>", "# <b>", "- <img onerror=x>", "`<i>`", '**" onclick="x**'])
def test_no_text_of_a_pack_becomes_html(text):
    shown = prose(text)
    assert "&lt;" in shown or "&quot;" in shown
    assert not any(tag in shown for tag in ("<script", "<b>", "<img", "<i>", '" onclick'))


@pytest.mark.parametrize("text", ["2 * 3 ** 4", "a `tick", "** not bold **", "snake_case_name", ""])
def test_marks_without_meaning_stay_as_they_are(text):
    assert prose(text) == f'<div class="prose">{f"<p>{text}</p>" if text else ""}</div>'


def test_marks_inside_of_code_are_code():
    assert "<code>**kwargs**</code>" in prose("`**kwargs**`")


def test_only_code_is_marked_in_the_words_of_a_finding():
    said = coded("Add `pricing.models` where **/*.py and **all** <b>files</b> are.")
    assert said == "Add <code>pricing.models</code> where **/*.py and **all** &lt;b&gt;files&lt;/b&gt; are."


@pytest.mark.parametrize(
    ("line", "said"), [("# Kind #", "Kind"), ("## a # b  ##  ", "a # b"), ("# #", "#"), ("###### Six", "Six")]
)
def test_marks_that_close_a_heading_are_no_part_of_it(line, said):
    assert prose(line) == f'<div class="prose"><p class="strong">{said}</p></div>'


@pytest.mark.parametrize("text", ["# a" + " " * 100_000 + "b", "# a" + "#" * 100_000 + "b", "**a " * 50_000])
def test_long_lines_of_marks_are_shown_at_once(text):
    assert len(prose(text)) > len(text)
