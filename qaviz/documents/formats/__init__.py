"""Readers of document formats: each yields blocks. They run in a process of their own (see `qaviz.documents`)."""
