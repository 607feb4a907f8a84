"""Java's regular expressions, in which configurations of Connect are written, for Python's `re`."""
