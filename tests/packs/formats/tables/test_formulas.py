import csv
import io

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from packs.formats.tables import read_table
from packs.formats.tables.formulas import harmless, original

RUNNING = [
    "=1+1",
    '=HYPERLINK("http://example.org/?"&A1)',
    "+cmd|' /C calc'!A0",
    "-2+3+cmd|' /C calc'!A0",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\tplain",
    "  =1",
    "\u00a0=1",
    "\u200b=1",
    "\ufeff=1",
    "\uff1d1+1",
    "\uff0b1",
    "\uff0d1+1",
    "\uff20SUM(1)",
    "\ufe661",
    "\u22121+1",
    "-",
    "- a list item",
    "-1\n=1",
    "-\u0663",
]
PLAIN = ["", "a=1", "x", "0", "-3.5", "+7", "1e5", "-1.5E-7", "-.5", "1.", "'", "'quoted'", "'-3.5", "[-1]", "{}"]


@pytest.mark.parametrize("text", RUNNING)
def test_a_cell_that_a_spreadsheet_would_run_becomes_a_text(text):
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", PLAIN)
def test_numbers_and_ordinary_texts_stay_as_they_are(text):
    assert (harmless(text), original(text)) == (text, text)


CELLS = st.text(st.sampled_from("'=+-@\t\r\n ,;1.eE\"a\uff1d\u2212\u200b\u0663"), max_size=6) | st.text(max_size=6)


@given(CELLS)
@example("''=1")
@example("'\tx")
@example("'\rx")
def test_every_cell_comes_back_from_a_file(text):
    written = io.StringIO()
    csv.writer(written, lineterminator="\r\n").writerows([["key", "value"], ["k", harmless(text)]])
    [(_, (_, found))] = read_table(written.getvalue()).records
    assert found == text.replace("\r\n", "\n").replace("\r", "\n")
    assert original(harmless(text)) == text
