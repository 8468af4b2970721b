"""What Prometheus reads: `requests` as web processes count them, `rows` and files as they are, `queues` that wait."""
