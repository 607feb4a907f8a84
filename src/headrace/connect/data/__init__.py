"""What Connect moves: records, their schemas, and the configuration of what works on them."""
