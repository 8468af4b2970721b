"""What the audit log is fed by: requests, sign-ins, and rows that matter. `packs.audit` writes it."""
