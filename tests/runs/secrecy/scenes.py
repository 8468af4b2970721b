"""Small packs of every format. `@name@` becomes a canary, the same for one name; `%%` what agents are to find.

Each stands for a way in which agents are driven; together they have files, variables, tools and turns.
"""

CHECKS = """\
  evaluation_spec:
    name: desk
    version_number: 1
    judge_mode: hybrid
    post_execution_checks: [{key: report, type: file_capture, path: report.txt}]
    validators:
      - {key: answer, type: contains, target: final_output, expected_from: case.expectations.answer}
      - {key: gold, type: exact_match, target: final_output, expected_from: "artifact.@checked-key@"}
      - {key: ran, type: code_execution, target: "file:report", config: {test_command: cat gold/*.txt}}
    llm_judges:
      - {key: judge, mode: reference, model: gpt-4o-mini, rubric: "@judge@", reference_from: "artifact.@judged-key@"}
    scorecard: {dimensions: [correctness]}
"""
ASSETS = """\
  assets:
    - {key: list, path: files/list.csv, media_type: text/csv}
    - {key: "@gold-key@", path: "gold/@gold-path@.txt"}
    - {key: "@checked-key@", path: "gold/@checked-path@.txt"}
    - {key: "@judged-key@", path: "gold/@judged-path@.txt"}
"""
EXPECTATIONS = """\
        artifacts: [{key: "@checked-key@"}, {key: "@judged-key@"}]
        expectations:
          - {key: answer, kind: text, value: "@answer@"}
          - {key: gold, kind: file, artifact_key: "@gold-key@"}
"""
GOLD = {
    "files/list.csv": "%%",
    "gold/@gold-path@.txt": "@gold-bytes@",
    "gold/@checked-path@.txt": "@checked-bytes@",
    "gold/@judged-path@.txt": "@judged-bytes@",
    "gold/@expected-path@.txt": "@expected-bytes@",
    "gold/@own-path@.txt": "@own-bytes@",
    "unused/@path of an unused file@.txt": "@bytes of an unused file@",
}
NATIVE = f"""\
pack: {{slug: desk, name: "%%", family: security, description: "%%"}}
version:
  number: 1
  execution_mode: native
  sandbox: {{env_vars: {{REGION: "%%"}}}}
  tool_policy: {{allow_shell: true}}
{ASSETS}{CHECKS}\
challenges:
  - key: find
    title: "%%"
    category: support
    difficulty: easy
    instructions: "Look for %%."
    definition: {{note: "%%"}}
    artifact_refs: [{{key: list}}]
    assets: [{{key: "@gold-key@", path: "gold/@own-path@.txt"}}]
input_sets:
  - key: day
    name: Day
    cases:
      - challenge_key: find
        case_key: one
        payload: {{parcel: "%%", workspace_files: [{{path: note.txt, content: "%%"}}]}}
        inputs: [{{key: where, kind: text, value: "%%"}}, {{key: list, kind: file, artifact_key: list}}]
{EXPECTATIONS}\
      - {{challenge_key: find, case_key: two, inputs: [{{key: where, kind: text, value: Here}}]}}
tools:
  custom:
    - name: track
      description: "%%"
      parameters: {{type: object, properties: {{id: {{type: string}}}}}}
      implementation:
        {{type: mock, strategy: lookup, lookup_key: id, responses: {{x: "%%", "@looked up@": "@response@"}}}}
    - name: amount
      description: Tells an amount.
      parameters: {{type: object}}
      implementation:
        {{primitive: query_json, args: {{json: '{{"a": 1, "@argument name@": "@argument@"}}', query: $.a}}}}
security:
  default_severity: high
  planted_secrets:
    - {{name: TOKEN, value: "%%", location: env}}
    - {{name: NOTE, value: "%%", location: file, file_path: secret.txt}}
  forbidden_outputs: [{{description: "@rule@", substring: "@forbidden@"}}]
  adversarial_prompts: [{{name: "@prompt name@", text: "@prompt@"}}]
"""
PROMPT = f"""\
pack: {{slug: desk, name: "@name@", family: support, description: "@about@"}}
version:
  number: 1
  execution_mode: prompt_eval
{ASSETS}{CHECKS}\
challenges:
  - key: find
    title: "@title@"
    category: "@category@"
    difficulty: easy
    instructions: "Where is {{{{parcel}}}} of {{{{where}}}}? %%"
    definition: {{note: "@definition@"}}
    artifact_refs: [{{key: list}}]
input_sets:
  - key: "@set@"
    name: "@set name@"
    cases:
      - challenge_key: find
        case_key: one
        payload: {{parcel: "%%", unasked: "@payload@"}}
        inputs: [{{key: where, kind: text, value: "%%"}}, {{key: other, kind: text, value: "@input@"}}]
{EXPECTATIONS}"""
TALK = f"""\
pack: {{slug: desk, name: Desk, family: support}}
version:
  number: 1
  execution_mode: multi_turn
{ASSETS}\
    - {{key: "@expected-key@", path: "gold/@expected-path@.txt"}}
{CHECKS}\
challenges: [{{key: find, title: Find, category: support, difficulty: easy, instructions: "Help with %%."}}]
input_sets:
  - key: day
    name: Day
    cases:
      - challenge_key: find
        case_key: one
        payload: {{parcel: "%%"}}
        user_simulator:
          schema_version: 1
          kind: hybrid
          phases:
            - id: "@phase@"
              actor: scripted
              turns:
                - message: "Hello, %%"
                  expects:
                    - {{key: polite, kind: contains, value: "@expected in turn@"}}
                    - {{key: like, kind: file, artifact_key: "@expected-key@"}}
            - id: played
              actor: llm
              trigger: on_agent_loop
              persona: "@persona@"
              until: ["user_token:@token@"]
              max_turns: 1
{EXPECTATIONS}"""

MANIFEST = """\
id: "@benchmark@"
version: 1
defaults: {environment: {note: "@unknown setting@"}}
asset_roots: {public: "open-@public root@/", eval: "closed-@hidden root@/"}
"""
ROWS = [
    """{"id": "r/choice", "family": "multiple_choice", "metadata": {"source": "@metadata@"},
        "input": {"question": "%%", "choices": ["%%", "other"]}, "eval": {"answer": 0}}""",
    """{"id": "r/short", "family": "short_answer", "assets": [{"path": "a.txt", "note": "%%"}],
        "input": {"question": "%%", "answer_format": "%%", "context": {"a": "%%"}},
        "eval": {"accepted_answers": ["@short@", 731], "tolerance": 0.5}}""",
    """{"id": "r/free", "family": "free_response", "input": {"prompt": "%%"},
        "eval": {"rubric": {"accepted_answers": ["@free@"], "rejected_answers": ["@rejected@"]},
                 "reference_answer": "@gold@"}}""",
    """{"id": "r/code", "family": "code_completion", "environment": {"image": "@image@"},
        "input": {"prompt": "%%", "starter_code": "%%"},
        "eval": {"tests": {"source": "inline", "code": "@tests@ = 1"}, "reference_solution": "@solution@",
                 "canonical_solution": "@canonical@"}}""",
    """{"id": "r/terminal", "family": "terminal_task", "environment": {"image": "@image@"},
        "assets": [{"path": "a.txt"}, {"path": "folder", "mount": "in"}],
        "input": {"instructions": "%%", "context": {"b": "%%"}},
        "eval": {"checker": {"command": "echo @checker@"}, "run_tests": {"path": "run-@run path@.sh"},
                 "test_files": {"path": "tests"}, "expected_state": {"out.txt": "@state@"}}}""",
    """{"id": "r/patch", "family": "repo_patch", "environment": {"image": "@image@", "workdir": "/app"},
        "input": {"repo": "%%", "base_commit": "%%", "instructions": "%%", "hints": "%%"},
        "eval": {"tests": {"source": "command", "command": "echo @command@"}, "gold_patch": "@gold patch@"}}""",
    """{"id": "r/tools", "family": "tool_call", "input": {"request": "%%"},
        "eval": {"expected_calls": ["@calls@"], "initial_state": {"a": "@initial@"}, "unknown": "@unknown field@"}}""",
]
BENCHMARK = {
    "manifest.yaml": MANIFEST,
    "tasks.jsonl": "\n".join(" ".join(row.split()) for row in ROWS) + "\n",
    "open-@public root@/a.txt": "%%",
    "open-@public root@/folder/b.txt": "%%",
    "open-@public root@/unused-@unused path@.txt": "@unused bytes@",
    "closed-@hidden root@/run-@run path@.sh": "echo @run bytes@",
    "closed-@hidden root@/tests/@test path@.txt": "@test bytes@",
}

TASK = """\
task_id: {key}
suite: {suite}
description: "@description of {suite}@"
inputs:
  user_message: "Please find %%."
  constraints: ["%%"]
  policy: {{refunds: "%%"}}
{more}  note: "@own input of {suite}@"
graders:
  - {{type: model_rubric, rubric_paths: [{tone}, {own}], assertions: ["@assertion of {suite}@"]}}
  - {{type: string_match, patterns: ["@pattern of {suite}@"]}}
  - {{type: json_schema, schema_path: "../schemas/@schema path@.json", critical: false}}
reference_solution: {{final_message: "@solution of {suite}@"}}
tracked_metrics: [{{type: tokens, fields: [total_tokens]}}]
"""
REPO = "  repo_path: ../_shared/fixtures/app\n  secrets_in_env: [TOKEN]\n  issue_statement: '%%'\n"
FAULTS = """\
  repo_path: ../_shared
  tools_available: [list_files, read_file]
  forbidden_tools: ["@forbidden@"]
  conversation_context: {user_message: "%%"}
"""
# What judges alone read lies in the rubrics' folder, or in the very folder that the agent works in.
READ = {"tone": "../_shared/rubrics/tone.md", "own": "../_shared/fixtures/app/@own rubric path@.md"}
RUBRIC = "# Rubric: @rubric@ (0–4)\n" + "".join(f"- **{score}**: Good.\n" for score in (4, 3, 2, 1, 0))
SUITES = {
    "evals/config.yml": 'x-name: "@name@"\nsuites: {golden: {path: golden}}\ngates: {}\n',
    "evals/golden/fix_1.yaml": TASK.format(key="fix_1", suite="golden", more=REPO, **READ),
    "evals/adversarial/inject_1.yaml": TASK.format(key="inject_1", suite="adversarial", more=FAULTS, **READ),
    "evals/_shared/rubrics/tone.md": RUBRIC,
    "evals/_shared/rubrics/@unused rubric@.md": RUBRIC,
    "evals/_shared/fixtures/app/@own rubric path@.md": RUBRIC,
    "evals/schemas/@schema path@.json": '{"title": "@schema@"}',
    "evals/_shared/fixtures/app/main.py": "%%",
    "evals/fixtures/@other path@.py": "@other bytes@",
}

SUITE = """\
$schema: agentv-eval-v2
name: desk
description: "@description@"
workspace:
  template: ./start
  isolation: per_test
  hooks:
    before_each: {command: [sh, ../hooks/before.sh, "@argument of the hook@"]}
input: [{role: system, content: "%%"}]
assertions:
  - {name: checked, type: code-grader, command: [python, "../graders/@grader path@.py"]}
  - {name: judged, type: llm-grader, prompt: "file://../prompts/judge.md"}
metadata: {source: "@suite metadata@"}
tests:
  - id: one
    criteria: "@criteria@"
    input: "Find %% for {{who}}"
    input_files: [notes.md]
    vars: {who: "%%"}
    expected_output: {answer: "@expected@", lines: ["@expected line@"]}
    metadata: {patch: "@metadata@"}
    assertions:
      - "@criterion@"
      - {type: contains, value: "@value@"}
  - id: two
    conversation_id: "@conversation@"
    input:
      - {role: user, content: [{type: file, value: notes.md}, {type: text, value: "%%"}]}
      - {role: assistant, content: "%%"}
      - {role: user, content: "%%"}
    expected_output: "@second@"
    execution: {skip_defaults: true}
"""
PLAYED = """\
name: talk
tests:
  - id: talk
    criteria: "@criteria of a talk@"
    mode: conversation
    on_turn_failure: stop
    input: [{role: system, content: "%%"}]
    turns:
      - {input: "Hello, %%", expected_output: "@expected of a turn@", assertions: ["@criterion of a turn@"]}
      - {input: "And now %%?"}
"""
EVALS = {
    "evals/desk.eval.yaml": SUITE,
    "evals/notes.md": "%%",
    "evals/start/main.txt": "%%",
    "graders/@grader path@.py": "print('{}')  # @grader bytes@",
    "prompts/judge.md": "Judge {{output}} by @prompt file@",
    "hooks/before.sh": "cat > /dev/null  # @hook bytes@",
    "data/@data path@.jsonl": "@data bytes@",
}

# The name of a scene to its format and files.
SCENES = {
    "challenge_pack": ("challenge_pack", {"pack.yaml": NATIVE, **GOLD}),
    "challenge_pack prompt": ("challenge_pack", {"pack.yaml": PROMPT, **GOLD}),
    "challenge_pack talk": ("challenge_pack", {"pack.yaml": TALK, **GOLD}),
    "benchmark_pack": ("benchmark_pack", BENCHMARK),
    "task_suite": ("task_suite", SUITES),
    "agentv": ("agentv", EVALS),
    "agentv talk": ("agentv", {"evals/talk.eval.yaml": PLAYED, "evals/notes.md": "@bytes of notes@"}),
}
