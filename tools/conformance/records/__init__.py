"""Records through Kafka's own converters, predicates and transforms, and how they are compared with ours.

`python -m tools.conformance.records` asks Kafka's classes and writes tests/fixtures/connect_records.json.
"""
