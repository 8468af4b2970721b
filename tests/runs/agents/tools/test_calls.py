def test_what_is_recorded_of_a_call(shop):
    tools = shop({"a.txt": "hub"})
    tools.call("read_file", {"path": "a.txt"}, call_id="call-7")
    (first, started), (last, done) = tools.events[0], tools.events[-1]
    assert (first, last) == ("tool.call.started", "tool.call.completed")
    assert started == {
        "tool_call_id": "call-7",
        "tool_name": "read_file",
        "tool_category": "primitive",
        "arguments": {"path": "a.txt"},
    }
    assert done == {
        **started,
        "result": {"tool_call_id": "call-7", "content": '{"path":"a.txt","content":"hub"}', "is_error": False},
    }


def test_arguments_that_are_no_json_are_recorded_as_they_were_written(shop):
    tools = shop()
    tools.call("read_file", "{path: a}")
    assert tools.last()[1]["arguments"] == "{path: a}"
