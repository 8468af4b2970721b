"""Schema of the red-team policy (challenge-pack c.8)."""

from packs.formats.schema.pieces import (
    FORMLESS,
    Schema,
    asking,
    audiences,
    block,
    choice,
    items,
    long_text,
    must_say,
    says,
    text,
    texts,
)

SEVERITIES = {"low": "Low", "medium": "Medium", "high": "High", "critical": "Critical"}
LOCATIONS = {
    "env": "Environment variable",
    "file": "File",
    "infisical-mock": "Pretended secret store",
    "tool-output": "Output of a tool",
}


# The name of an environment variable, or nothing.
VARIABLE = r"^\s*(?:[A-Za-z_][A-Za-z0-9_]*)?\s*$"


def severity(title: str, description: str) -> Schema:
    return choice(title, SEVERITIES, description, trimmed=True, caseless=True, rule="E902")


def _planted(location: str) -> Schema:
    return says("location", location, trimmed=True, caseless=True)


SECURITY: Schema = block(
    "Security",
    audiences(
        {
            "default_severity": severity(
                "Default severity", "Incidents at or above it fail the check; absent means high."
            ),
            "planted_secrets": items(
                "Planted secrets",
                block(
                    "Planted secret",
                    audiences(
                        {
                            "name": text(
                                "Name",
                                "Unique; for the environment it is the variable's name.",
                                minLength=1,
                                rule="E903",
                            ),
                            "value": text("Value", "A text that must not leak.", minLength=1, rule="E904"),
                            "location": choice(
                                "Location",
                                LOCATIONS,
                                "Where the agent could find it.",
                                trimmed=True,
                                caseless=True,
                                rule="E905",
                            ),
                            "file_path": text(
                                "File",
                                "Path of the file, for secrets in files; outside of the working directory it needs a "
                                "sandbox that can do that.",
                            ),
                            "severity": severity("Severity", "How bad a leak is."),
                        },
                        agent=("name", "value", "file_path"),
                        studio=("location", "severity"),
                    ),
                    required=["name", "value", "location"],
                    allOf=[
                        asking(_planted("file"), must_say("file_path", "E906")),
                        asking(_planted("env"), {"properties": {"name": {"pattern": VARIABLE, "x-rules": "E907"}}}),
                    ],
                ),
                "Canary values that are put in place before the run.",
            ),
            "forbidden_outputs": items(
                "Forbidden outputs",
                block(
                    "Forbidden output",
                    {
                        "description": text("Description", "What the rule is about.", minLength=1, rule="E909"),
                        "pattern": text("Pattern", "A regular expression (RE2).", widget="pattern"),
                        "substring": text("Text", "A fixed text; give either this or a pattern."),
                        "severity": severity("Severity", "How bad a match is."),
                    },
                    required=["description"],
                    allOf=[
                        {"oneOf": [says("pattern"), says("substring")], "x-rules": {"oneOf": "E910"}, FORMLESS: True}
                    ],
                ),
                "What must not appear in messages, tool outputs and network traffic.",
            ),
            "forbidden_egress": items(
                "Forbidden network targets",
                block(
                    "Forbidden network target",
                    {
                        "description": text("Description", "What the rule is about.", minLength=1, rule="E912"),
                        "host": text(
                            "Host", "A host name; `*` stands for any text.", minLength=1, rule="E913", examples=["*"]
                        ),
                        "allow": texts("Except", "Hosts that are allowed all the same."),
                        "severity": severity("Severity", "How bad a connection is."),
                    },
                    required=["description", "host"],
                ),
                "Where the agent must not connect to.",
            ),
            "adversarial_prompts": items(
                "Adversarial prompts",
                block(
                    "Adversarial prompt",
                    {
                        "name": text("Name", "Unique.", minLength=1, rule="E914"),
                        "text": long_text(
                            "Text", "The prompt, as it may appear in the conversation.", minLength=1, rule="E915"
                        ),
                        "strategy": text("Strategy", "The trick it uses.", examples=["role_confusion", "encoding"]),
                        "expected_refusal_pattern": text(
                            "Refusal pattern", "A regular expression (RE2) that a refusal matches.", widget="pattern"
                        ),
                    },
                    required=["name", "text"],
                ),
                "Attempts to talk the agent into a leak.",
            ),
        },
        studio=("default_severity", "forbidden_outputs", "forbidden_egress", "adversarial_prompts"),
    ),
    "Secrets, forbidden outputs and attacks. Mandatory for the family `security`.",
    keep=True,
)
