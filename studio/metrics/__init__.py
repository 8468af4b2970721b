"""What Prometheus reads: `requests` as web processes count them, `rows` and files as they are, `queues` that wait.

`collected` is all of it, `pictures` the same as charts.
"""
