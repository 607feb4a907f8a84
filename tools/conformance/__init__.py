"""Requests to Kafka's own Connect worker with its answers, and how they are compared with ours.

`python -m tools.conformance` asks a live worker and writes tests/fixtures/connect_answers.json.
"""
