"""Single message transforms, each over whole batches of records."""
