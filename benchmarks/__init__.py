"""Four changelog queries measured on Headrace and on Flink: same topics, same SQL text, every answer checked."""
