"""A text is in the same language in every process, whatever the seed of Python's hashes."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXTS = ["a o e", "de la que", "se no me", "o que é a casa", "en un dia", "el de la", "no se"]


def test_a_tie_of_languages_is_broken_alike_in_every_process():
    """Texts that two languages fit as well are told alike under four seeds."""
    script = f"from qaviz.reading import detect_language\nprint([detect_language(text, '') for text in {TEXTS!r}])"
    outcomes = {
        subprocess.run(
            [sys.executable, "-c", script],
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
            cwd=ROOT,
            check=True,
            capture_output=True,
        ).stdout
        for seed in (1, 2, 3, 4)
    }

    assert len(outcomes) == 1
