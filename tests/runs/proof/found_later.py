"""Cases with a fault that once came out proven, each with the code that names it."""

from tests.runs.proof.makers import TIDY, challenge, measured, program, rows

CLAMP = """\
def clamp(x, low, high):
    if x < low:
        return low
    if x > high:
        return high
    return x
"""
FOUND = {
    "tests of one branch": ("accepts_mutant", rows(program("assert clamp(5, 0, 10) == 5\n", CLAMP))),
    "another day": (
        "accepts_mutant",
        measured("bleu_score", 0.1, "The shipment left the quay at noon and arrives on Monday evening."),
    ),
}
# The right answer in what the agent reads, in each spelling.
for told in (
    "it is the Leeds hub.",
    "dGhlIExlZWRzIGh1Yg==",
    "746865204c6565647320687562",
    "?at=the%20Leeds%20hub",
    "gur Yrrqf uho",
):
    FOUND[f"told as {told}"] = ("leaks", challenge({"v": TIDY}, ["the Leeds hub"], asked=f"Hint: {told}"))
