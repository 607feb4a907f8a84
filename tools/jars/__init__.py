"""Resolves the jar sets with Apache Ivy and writes jars.lock."""
