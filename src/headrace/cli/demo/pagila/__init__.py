"""`headrace demo pagila`: tables of PostgreSQL to a lake on S3 by Connect's own configurations, and back to compare."""
