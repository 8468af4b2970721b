import csv
import io

from packs.grid.columns import columns_of
from packs.grid.tables import csv_lines
from packs.mirror import format_of
from tests.packs.grid.benchmark import grid_draft, row


def test_cases_are_written_as_spreadsheets_read_them_and_no_cell_runs(team):
    draft = grid_draft(team, [row(1, input={"question": "=1+1"}), row(2, input={"question": 'a "b"\nc'})])
    found = columns_of(format_of(draft), draft.input_sets.get())
    columns = [found["/id"], found["/input/question"]]
    data = b"".join(csv_lines(columns, draft.cases.order_by("position"))).decode("utf-8-sig")
    assert list(csv.reader(io.StringIO(data))) == [
        ["id", "input.question"],
        ["row-1", "'=1+1"],
        ["row-2", 'a "b"\nc'],
    ]
