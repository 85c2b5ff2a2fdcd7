"""Whether a judge may be called calibrated: targets and criteria, on grades whose truth is known."""

import polars as pl

from qaviz.judging.agreement import calibrate_criteria
from qaviz.model.columns import PIPELINE, QUESTION_ID
from qaviz.store.labels import COMPOSITE, GRADES, GRADES_SCHEMA

NUMBER = 240


def judged(correctness: list[int], readability: list[int]) -> pl.DataFrame:
    """Kept grades of one response a question; the composite is their mean."""
    rows = [
        {
            QUESTION_ID: f"q{place}",
            PIPELINE: "p",
            COMPOSITE: (one + other) / 2,
            GRADES: [
                {"criterion": name, "grade": grade, "reason": ""}
                for name, grade in (("correctness", one), ("readability", other))
            ],
        }
        for place, (one, other) in enumerate(zip(correctness, readability, strict=True))
    ]
    return pl.DataFrame(rows, schema=GRADES_SCHEMA)


def people(criterion: str, grades: list[int]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            QUESTION_ID: [f"q{place}" for place in range(len(grades))],
            PIPELINE: "p",
            "criterion": criterion,
            "grade": [str(each) for each in grades],
        }
    )


TRUE = [place % 4 for place in range(NUMBER)]
NEAR = [min(3, each + 1) if place % 2 else each for place, each in enumerate(TRUE)]
"""A quarter of them one grade too high: within one always, exact in three of four."""


def test_each_criterion_passes_or_says_what_it_lacks():
    """A criterion graded as people do is calibrated; one that is one grade off on a quarter is not, by exact alone."""
    found = calibrate_criteria(
        judged(TRUE, NEAR), pl.concat([people("correctness", TRUE), people("readability", TRUE)])
    )
    same, lacking = found["correctness"]
    assert (same.exact.value, same.within_one.value, same.weighted_kappa.value, lacking) == (1, 1, 1, ())
    near, lacking = found["readability"]
    assert (near.exact.value, near.within_one.value) == (0.75, 1.0)
    assert near.exact.low < near.exact.value < near.exact.high
    assert len(lacking) == 1
    assert "exact" in lacking[0]
    counts = near.confusion.filter(pl.col("responses") > 0)
    assert all(int(first) - int(second) in (0, 1) for first, second, _ in counts.iter_rows())


def test_grades_far_off_and_few_labels_are_named():
    """Within one fails for grades two apart; below 200 labels, and by one grade for all, nothing is calibrated."""
    far = [3 - each for each in TRUE]
    ((_, lacking),) = calibrate_criteria(judged(far, TRUE), people("correctness", TRUE)).values()
    assert any("within one" in each for each in lacking)
    ((_, lacking),) = calibrate_criteria(judged(TRUE, TRUE), people("correctness", TRUE[:100])).values()
    assert any("200 labels (there are 100)" in each for each in lacking)
    assert calibrate_criteria(judged(TRUE, TRUE), people("wit", TRUE)) == {}
    ((_, lacking),) = calibrate_criteria(judged([2] * 240, [2] * 240), people("correctness", [2] * 240)).values()
    assert lacking == ("30 labels of the rarer class (there are 0)",)
