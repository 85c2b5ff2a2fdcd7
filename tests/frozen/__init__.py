"""What must not change by accident: today's behaviour as data, a file a subject, beside the goldens of packs and gates.

`python -m tests.frozen` writes all of them again, `python -m tests.frozen verdicts` one: a wanted change is a diff.
"""
