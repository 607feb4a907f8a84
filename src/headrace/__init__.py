"""Headrace: Flink SQL changelog pipelines on Spark Structured Streaming, from Python."""

__version__ = "0.1.0"
