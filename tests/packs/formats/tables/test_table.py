from packs.formats.tables import read_table


def test_a_table_has_a_cell_for_every_name_whatever_it_was_read_from():
    for text in ("a,b\n1\n", '{"a": 1}\n{"b": 2}\n', '[{"a": 1}, {"b": 2}]'):
        table = read_table(text)
        assert {len(record) for _, record in table.records} == {len(table.names)}
