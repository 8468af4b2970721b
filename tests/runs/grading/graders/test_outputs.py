import pytest

from runs.grading.graders.outputs import count_tests

BOMB = '<!DOCTYPE a [<!ENTITY b "' + "x" * 100 + '">]><testsuite tests="1"/>'


@pytest.mark.parametrize(
    ("output", "counts"),
    [
        ('{"passed": 3, "failed": 1}', (3, 1, 0, 4)),
        ('{"passed": 3, "error": 2, "total": 9}', (3, 0, 2, 9)),
        ("\n{}\n", None),
        ('<testsuite tests="5" failures="1" errors="1"/>', (3, 1, 1, 5)),
        ('<testsuites tests="4" failures="1"><testsuite tests="9"/></testsuites>', (3, 1, 0, 4)),
        ('<testsuites><testsuite tests="2" failures="1"/><testsuite tests="3"/></testsuites>', (4, 1, 0, 5)),
        ("<testsuite tests='0'/>", None),
        ("<broken", None),
        (BOMB, None),
        ("== 3 passed, 1 FAILED, 2 errors in 0.1s ==", (3, 1, 2, 6)),
        ("1 passed\n2 passed", (3, 0, 0, 3)),
        ("all good", None),
        ("", None),
    ],
)
def test_counts_are_read_from_json_junit_or_phrases(output, counts):
    assert count_tests(output) == counts


def test_only_the_end_of_a_long_output_is_read():
    assert count_tests("9 failed" + " " * 2_000_000 + "1 passed") == (1, 0, 0, 1)
