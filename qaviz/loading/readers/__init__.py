"""Readers of file formats: each returns the same `Table`, and every problem of the file at once."""
