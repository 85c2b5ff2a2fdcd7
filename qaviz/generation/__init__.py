"""Triplets from documents: a model is asked chunk by chunk, and each triplet is checked against its chunk."""
