"""The engine: runs one task with one agent, records what happens and has it graded. Pure: it knows no database."""
