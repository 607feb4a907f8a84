"""What a pipeline needs besides Python: a Java runtime, resolved jars, the compiled operators."""
