"""The primitive that hands in the final answer (challenge-pack c.5)."""

from runs.agents.tools.contract import TEXT, Arguments, Bench, Done, Primitive, ToolFailed, named, parameters

NAME = "submit"


def submit(bench: Bench, arguments: Arguments) -> Done:
    if not arguments["answer"].strip():
        raise ToolFailed("answer is required")
    return Done({"submitted": True}, final_output=arguments["answer"])


PRIMITIVES = (
    Primitive(
        NAME,
        "",
        "Hands in your final answer. Nothing can be done after it.",
        parameters(("answer",), answer=named(TEXT, "The whole answer.")),
        submit,
        needs_workspace=False,
    ),
)
