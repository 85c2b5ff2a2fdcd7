"""Triplets from documents: a model is asked chunk by chunk, and each triplet is proved in its chunk."""
