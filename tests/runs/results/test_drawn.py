from runs.results.charts import Chart, Column
from runs.results.drawn import Drawn


def test_heads_have_units_and_values_read_by_their_kind():
    kinds = {"name": "text", "rate": "share", "cost": "usd", "at": "time", "none": "number"}
    columns = tuple(Column(key, key.title(), kind) for key, kind in kinds.items())
    drawn = Drawn(Chart("x", "kinds", "X", "", columns, (("a", 0.5, 0.00024633, "2026-01-02T03:04:05+00:00", None),)))
    assert [head for _, head in drawn.heads] == ["Name", "Rate", "Cost (USD)", "At", "None"]
    (line,) = drawn.lines
    assert [text for _, _, text in line] == ["a", "50.0 %", "0.000246", "2 Jan 2026, 03:04", "–"]


def test_bytes_and_waits_read_in_units_that_fit():
    columns = (Column("size", "Size", "bytes"), Column("age", "Age", "wait"))
    (line,) = Drawn(Chart("x", "kinds", "X", "", columns, ((1536, 75.2),))).lines
    assert [text for _, _, text in line] == ["1.5\xa0KB", "1 min 15 s"]
