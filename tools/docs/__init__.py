"""The pages of docs/ that are written from the code: what it declares, refuses and prints."""
