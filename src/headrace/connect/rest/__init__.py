"""Kafka Connect's REST API: routes, answers, listeners."""
