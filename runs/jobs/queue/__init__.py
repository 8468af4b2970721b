"""Messages, workers, leases: which trial is whose, and what happens when a worker is gone."""
