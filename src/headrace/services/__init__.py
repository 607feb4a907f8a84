"""Real services for development and tests, without containers: a Kafka broker, PostgreSQL, an S3 endpoint."""
