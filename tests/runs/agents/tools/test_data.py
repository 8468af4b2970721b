import sqlite3

import pytest

ORDERS = '{"orders": [{"id": 1, "total": 5}, {"id": 2, "total": 7}]}'


def test_json_is_asked_in_a_file_and_in_a_text(shop):
    tools = shop({"data/orders.json": ORDERS})
    assert tools.value("query_json", query=".orders[1].total", file_path="data/orders.json")["result"] == "7"
    assert tools.value("query_json", query="[.orders[].id]", json=ORDERS)["result"] == "[1,2]"


@pytest.mark.parametrize(
    "arguments",
    [{"query": ".["}, {"query": " "}, {"query": "."}, {"query": ".", "file_path": "none.json"}],
)
def test_a_question_that_cannot_be_answered_is_told(shop, arguments):
    shop().error(
        "query_json",
        **({"json": "{}"} if "file_path" not in arguments and arguments["query"] != "." else {}),
        **arguments,
    )


def test_an_answer_can_go_to_a_file(shop):
    tools = shop()
    told = tools.value("query_json", query=".orders | length", json=ORDERS, output_path="count.txt")
    assert (told["written"], told["total_bytes"]) == (True, 2)
    assert tools.value("read_file", path="count.txt")["content"] == "2\n"


@pytest.fixture
def database(shop):
    tools = shop()
    held = sqlite3.connect(":memory:")
    held.executescript("create table t (id integer, name text, data blob); insert into t values (1, 'hub', x'ff')")
    tools.workspace.write_file("shop.db", held.serialize())
    return tools


def ask(tools, query, **more):
    return tools.value("query_sql", engine="sqlite", query=query, database_path="shop.db", **more)


def test_sql_reads_and_changes_a_database_of_the_workspace(database):
    assert ask(database, "select * from t") == {
        "columns": ["id", "name", "data"],
        "rows": [[1, "hub", "ff"]],
        "changed": 0,
    }
    assert ask(database, "insert into t values (2, 'yard', null)")["changed"] == 1
    assert ask(database, "select count(*) from t")["rows"] == [[2]]


def test_many_rows_are_cut(database):
    many = "with recursive n(x) as (select 1 union all select x + 1 from n limit 1500) select x from n"
    found = ask(database, many)
    assert (len(found["rows"]), found["truncated"]) == (1000, True)


@pytest.mark.parametrize(
    "arguments",
    [
        {"engine": "oracle", "query": "select 1"},
        {"engine": "sqlite", "query": "selec"},
        {"engine": "sqlite", "query": "select 1", "database_path": "none.db"},
    ],
)
def test_wrong_questions_to_a_database_are_told(shop, arguments):
    shop().error("query_sql", **arguments)
