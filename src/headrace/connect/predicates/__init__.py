"""Predicates: which records a transform is applied to."""
