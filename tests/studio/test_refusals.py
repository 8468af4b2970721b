from studio.refusals import body_of, finding_of


def test_a_refusal_has_its_findings_in_the_shape_of_the_command_line():
    [found] = body_of(finding_of("too_large", "Too much.", ("cases", 0), "Send less."))["findings"]
    assert (found["code"], found["path"], found["severity"]) == ("api.too_large", "cases[0]", "error")
    assert (found["message"], found["hint"]) == ("Too much.", "Send less.")
