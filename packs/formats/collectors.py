"""The values that a trial can be measured by, and each in words (challenge-pack d.5)."""

COLLECTED: dict[str, str] = {
    "run_total_latency_ms": "From the first start to the last end of the trial.",
    "run_ttft_ms": "From the start of the trial to its first output.",
    "run_input_tokens": "Tokens that went into the agent's models.",
    "run_output_tokens": "Tokens that came out of the agent's models.",
    "run_total_tokens": "All tokens of the agent's models.",
    "run_tool_call_count": "Tool calls of the agent.",
    "run_agent_tokens": "All tokens without those of standings that were shown.",
    "run_race_context_tokens": "Tokens of standings that were shown.",
    "run_model_cost_usd": "Tokens × the pack's prices.",
    "run_completed_successfully": "Trials that ended as planned ÷ trials.",
    "run_failure_count": "Failed calls, commands and ends.",
    "validator_pass_rate": "Mean score of the graders.",
    "behavioral_recovery_score": "How the agent went on after failures.",
    "behavioral_exploration_efficiency_score": "How little the agent repeated.",
    "behavioral_error_cascade_score": "How seldom failures followed each other.",
    "behavioral_scope_adherence_score": "How well the agent kept to its tools.",
}
