"""What AgentV knows of the settings of targets, by provider (agentv I.3)."""

from collections.abc import Mapping

COMMON = frozenset(
    ("name", "provider", "use_target", "grader_target", "judge_target", "workers", "provider_batching",
     "batch_requests", "subagent_mode_allowed", "fallback_targets")
)  # fmt: skip
_RETRIES = (
    "max_retries", "retry_initial_delay_ms", "retry_max_delay_ms", "retry_backoff_factor", "retry_status_codes",
)  # fmt: skip
_MODEL = (*_RETRIES, "api_key", "deployment", "model", "temperature", "max_output_tokens")
_SESSION = ("model", "cwd", "timeout_seconds", "log_dir", "log_format", "stream_log", "system_prompt")
_PROGRAM = ("executable", "command", "binary", "args", "arguments", *_SESSION)
_LONG_LOG = ("log_directory", "log_output_format")

CLI, REPLAY = "cli", "replay"
AZURE = ("azure", "azure-openai")
CODEX = ("codex", "codex-cli")
_COPILOT = ("copilot", "copilot-cli", "copilot-sdk", "copilot_sdk")
_CLAUDE = ("claude", "claude-code", "claude-cli", "claude-sdk")
_PI = ("pi", "pi-cli", "pi-rpc", "pi-sdk", "pi-coding-agent")
_VSCODE = ("vscode", "vscode-insiders")
# Those that look at files by themselves, also where they judge.
AGENTIC = frozenset(
    ("agentv", "cc-mirror", "codex-app-server", "codex-sdk", *CODEX, *_COPILOT, *_CLAUDE, *_PI, *_VSCODE)
)
# Settings of the providers whose settings are known; others may be given any.
SETTINGS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(AZURE, frozenset((*_MODEL, "endpoint", "resource", "version", "api_version", "api_format"))),
    "openai": frozenset((*_MODEL, "endpoint", "base_url", "variant", "api_format")),
    "openrouter": frozenset((*_MODEL, "variant")),
    "anthropic": frozenset((*_MODEL, "variant", "thinking_budget")),
    **dict.fromkeys(("gemini", "google", "google-gemini"), frozenset((*_MODEL, "variant"))),
    **dict.fromkeys(CODEX, frozenset((*_PROGRAM, *_LONG_LOG))),
    **dict.fromkeys(
        ("copilot-sdk", "copilot_sdk"), frozenset((*_SESSION, "cli_url", "cli_path", "github_token", "byok"))
    ),
    **dict.fromkeys(("copilot", "copilot-cli"), frozenset(_PROGRAM)),
    **dict.fromkeys(
        _CLAUDE,
        frozenset((*_SESSION, *_LONG_LOG, "executable", "command", "binary", "max_turns", "max_budget_usd")),
    ),
    **dict.fromkeys(_VSCODE, frozenset(("executable", "wait", "dry_run", "subagent_root", "timeout_seconds"))),
    "mock": frozenset(("response", "trace", "delay_ms", "delay_min_ms", "delay_max_ms")),
}
KNOWN = frozenset(
    (*SETTINGS, "cli", "agentv", "transcript", "replay", "copilot-log", "bedrock", "vertex", *AGENTIC)
)  # fmt: skip
# Settings that were removed, by the provider's name in just this spelling.
REMOVED: Mapping[str, tuple[str, ...]] = {
    "azure": ("api_format",),
    **dict.fromkeys(CODEX, ("log_format", "log_output_format")),
}
# Old spellings that are refused, with what is written in their place.
OLD_SPELLINGS: Mapping[str, str] = {
    "resourceName": "endpoint",
    "deploymentName": "model",
    "maxTokens": "max_output_tokens",
    **{
        "".join((first, *map(str.capitalize, rest))): name
        for name in (
            "provider_batching", "subagent_mode_allowed", "fallback_targets", "base_url", "api_key", "thinking_budget",
            "api_format", "timeout_seconds", "log_dir", "log_directory", "log_format", "log_output_format",
            "system_prompt", "max_turns", "max_budget_usd", "dry_run", "subagent_root", "files_format",
            "attachments_format", "cli_url", "cli_path", "github_token", "session_dir", "session_id",
            "session_state_dir", *_RETRIES,
        )
        for first, *rest in [name.split("_")]
    },
}  # fmt: skip
PLACEHOLDERS = ("PROMPT", "PROMPT_FILE", "OUTPUT_FILE", "FILES", "EVAL_ID", "ATTEMPT")
