"""Sinks that write the records of topics as files: to S3, and to a folder."""
