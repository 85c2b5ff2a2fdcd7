"""Writes the recorded judge of the sample run: grades that were written by hand, as a language model would send them.

    python -m benchmarks.record_sample_judge

Run it again whenever the prompt or the default rubric changes: a recording answers only the requests it was made for.
"""

import json
import tempfile
from pathlib import Path

from qaviz.judging.prompts import GIVES_NO_ANSWER, NONCE, Judge, criteria_of, grade_requests, nonce_of
from qaviz.judging.runs import ALL, Only, select_rows
from qaviz.llm.journal import Entry
from qaviz.loading import Source, load
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.runs import SAMPLE_JUDGE, SAMPLE_JUDGE_FILE, draft

SAMPLE = Path(__file__).parents[1] / "sample_data"
RIGHT = "It gives what the golden answer gives"
WRONG = "It gives another value than the golden answer"

GRADES: dict[tuple[str, str], tuple[int, int, int, str]] = {
    ("jassy-role", "Pipeline1"): (3, 3, 3, f"{RIGHT}: President and CEO."),
    ("net-sales", "Pipeline1"): (3, 3, 3, f"{RIGHT}, in millions instead of billions."),
    ("office", "Pipeline1"): (3, 3, 3, f"{RIGHT}, with the street abbreviated."),
    ("operating-income", "Pipeline1"): (3, 3, 3, f"{RIGHT}, more precisely."),
    ("one-medical", "Pipeline1"): (3, 3, 3, f"{RIGHT}."),
    ("challenge", "Pipeline1"): (
        2,
        2,
        3,
        "Pressures that the golden answer does not name, but plausible ones.",
    ),
    ("cash", "Pipeline1"): (3, 3, 3, f"{RIGHT}, in millions."),
    ("aws-sales", "Pipeline1"): (3, 3, 3, f"{RIGHT}."),
    ("rivian-shares", "Pipeline1"): (3, 3, 3, f"{RIGHT}."),
    ("shares-outstanding", "Pipeline1"): (3, 3, 3, f"{RIGHT}."),
    ("jassy-role", "Pipeline2"): (3, 3, 2, f"{RIGHT}, with much that was not asked for."),
    ("net-sales", "Pipeline2"): (0, 1, 3, f"{WRONG}: 170.0 instead of 134.4 billion dollars."),
    ("office", "Pipeline2"): (1, 1, 3, "It names the city only; the golden answer gives the street address."),
    ("operating-income", "Pipeline2"): (3, 3, 3, f"{RIGHT}, rounded."),
    ("one-medical", "Pipeline2"): (3, 3, 3, f"{RIGHT}, and the price."),
    ("challenge", "Pipeline2"): (
        1,
        1,
        3,
        "It speaks of cloud customers alone, not of the golden answer's challenge.",
    ),
    ("cash", "Pipeline2"): (3, 3, 3, f"{RIGHT}, rounded."),
    ("aws-sales", "Pipeline2"): (3, 3, 3, f"{RIGHT}, more precisely."),
    ("rivian-shares", "Pipeline2"): (0, 1, 3, f"{WRONG}: 2,158 instead of 158 million shares."),
    ("shares-outstanding", "Pipeline2"): (0, 0, 1, "It names a document, not a number of shares."),
    ("jassy-role", "Pipeline3"): (3, 3, 3, f"{RIGHT}."),
    ("net-sales", "Pipeline3"): (0, 0, 3, "It says that it cannot answer."),
    ("office", "Pipeline3"): (0, 1, 3, "It names another place: Arlington instead of Seattle."),
    ("operating-income", "Pipeline3"): (3, 3, 2, f"{RIGHT}, after a long way there."),
    ("one-medical", "Pipeline3"): (3, 3, 3, f"{RIGHT}, in another date format."),
    ("challenge", "Pipeline3"): (0, 0, 3, "It says that it found no answer."),
    ("cash", "Pipeline3"): (0, 1, 3, f"{WRONG}: 54.3 instead of 50.07 billion dollars."),
    ("rivian-shares", "Pipeline3"): (3, 3, 3, f"{RIGHT}, and the share of the stake."),
    ("shares-outstanding", "Pipeline3"): (3, 3, 3, f"{RIGHT}."),
}
DECLINED = {("net-sales", "Pipeline3"), ("challenge", "Pipeline3")}


def main() -> None:
    """Write the file."""
    drafted = draft(load(Source.of(SAMPLE / "golden.jsonl"), [Source.of(SAMPLE / "responses.jsonl")]))
    judge = Judge(model=SAMPLE_JUDGE)
    rows = select_rows(drafted.rows, Only(which=ALL), drafted.thresholds)
    entries = []
    for row in rows.iter_rows(named=True):
        pair = row[QUESTION_ID], row[PIPELINE]
        *grades, reason = GRADES[pair]
        said: dict[str, object] = {NONCE: nonce_of(judge, row)}
        for criterion, grade in zip(criteria_of(judge.rubric), grades, strict=True):
            said[criterion] = {"reason": reason, "grade": grade}
        said[GIVES_NO_ANSWER] = pair in DECLINED
        (request,) = grade_requests(judge, row)
        message = {"role": "assistant", "content": json.dumps(said, ensure_ascii=False)}
        usage = round(request.size / 4), 120
        raw = {
            "model": "example-judge, written by hand",
            "choices": [{"message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]},
        }
        key = request.key(SAMPLE_JUDGE)
        text = json.dumps(raw, ensure_ascii=False)
        at = "2026-11-22T00:00:00.000+00:00"
        entries.append(Entry(key=key, model=SAMPLE_JUDGE, at=at, seconds=0.0, format="openai", raw=text, usage=usage))
    with tempfile.NamedTemporaryFile(dir=SAMPLE, delete=False) as file:
        file.writelines(entry.line() for entry in entries)
    Path(file.name).replace(SAMPLE / SAMPLE_JUDGE_FILE)
    (SAMPLE / SAMPLE_JUDGE_FILE).chmod(0o644)


if __name__ == "__main__":
    main()
