"""Judges: language models that grade responses and triplets by a rubric, and what is known of how well they do.

A judge is a model, a prompt and a rubric together. Its grades are kept per criterion; what it says is heard where words
leave a verdict open; and its agreement with people is measured.
"""
