"""Graders of AgentV evals: each assertion of a test is one grader (agentv F).

A specification's `config` has the `assertion` as the format's loader takes it, and the `test` (docs/formats/agentv.md).
The kinds are `agentv.` and the type of the assertion.
"""

from collections.abc import Mapping

# Type of assertion to what judges it, each a `Judge`.
JUDGES: Mapping[str, str] = {
    "contains": "texts:contains",
    "icontains": "texts:icontains",
    "contains-any": "texts:contains_any",
    "icontains-any": "texts:icontains_any",
    "contains-all": "texts:contains_all",
    "icontains-all": "texts:icontains_all",
    "starts-with": "texts:starts_with",
    "ends-with": "texts:ends_with",
    "equals": "texts:equals",
    "is-json": "texts:is_json",
    "regex": "patterns:judge",
    "code-grader": "programs:judge",
    "llm-grader": "judged:judge",
    "composite": "composite:judge",
    "conversation": "conversation:judge",
    "tool-trajectory": "tool_calls:judge",
    "field-accuracy": "fields:judge",
    "latency": "limits:latency",
    "cost": "limits:cost",
    "token-usage": "limits:token_usage",
    "execution-metrics": "limits:execution_metrics",
    "skill-trigger": "skills:judge",
}

# Assertions of any other type are judged as well: by nobody, which they say.
KINDS = (*JUDGES, "custom")
# Those that can need programs run or models asked, themselves or in their members.
NEEDING = ("code-grader", "llm-grader", "composite", "conversation")
