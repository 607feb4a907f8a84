"""Kafka Connect on Spark: records, transforms, converters and the worker that runs connectors."""
