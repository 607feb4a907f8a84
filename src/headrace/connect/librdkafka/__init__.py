"""Options of Kafka's Java clients in the words of librdkafka, which Python's clients are built on."""
