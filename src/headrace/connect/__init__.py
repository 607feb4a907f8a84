"""A worker that speaks Kafka Connect's REST API and keeps its state in Kafka Connect's three topics."""
