"""Converters: records of Connect from the bytes of Kafka and back."""
