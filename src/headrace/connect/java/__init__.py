"""Connectors written in Java, on Kafka's own Connect worker, which ours starts, watches and speaks for."""
