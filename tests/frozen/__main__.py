"""`python -m tests.frozen [SUBJECT ...]`: write the frozen answers again, all of them if none is named."""

import sys
import tempfile
from pathlib import Path

from tests.frozen.subjects import HERE, SUBJECTS, as_text, read_items

if __name__ == "__main__":
    for subject in sys.argv[1:] or SUBJECTS:
        with tempfile.TemporaryDirectory() as folder:
            answers = SUBJECTS[subject](read_items(subject), Path(folder))
        (HERE / f"{subject}.json").write_text(as_text(answers), "utf-8")
