"""What a pipeline needs besides Python: a Java runtime, downloaded jars, the compiled operators."""
