"""Decisions between pipelines by verdicts of a model that never saw the family, against people's labels.

    python -m benchmarks.decisions FOLDER [FOLDER ...]

A pair of pipelines of one set is decided where the decision of a run of the two calls one ahead (`decision.decide`, at
any confidence). Prints pairs decided by verdicts: confirmed (people's labels decide the same), same sign, against; the
regret of the pipeline that verdicts would pick; and by how much shares are off. A FOLDER is as in
`benchmarks.families`.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import polars as pl
from scipy.stats import binomtest

from benchmarks.families import NAME, with_verdicts
from benchmarks.figures import keep, make_parser
from benchmarks.fit_model import judge_unseen, read_folders
from qaviz.analysis.decision import decide
from qaviz.analysis.decision.choice import Kind
from qaviz.model.classes import Diagnosis, Verdict
from qaviz.model.columns import (
    CATEGORY,
    DIAGNOSIS,
    FACTUAL_KNOWLEDGE,
    LABEL,
    PIPELINE,
    QUESTION_ID,
    RESPONSE,
    TAGS,
    VERDICT,
)

LEVEL = 0.05
BY_PEOPLE, BY_VERDICT = "by people", "by verdict"


def count_pairs(first: pl.Series, second: pl.Series) -> tuple[int, float]:
    """Return the sign of first against second, 0 for even, and the p-value of an exact McNemar test."""
    won, lost = int((first & ~second).sum()), int((~first & second).sum())
    return (won > lost) - (won < lost), float(binomtest(won, won + lost).pvalue) if won + lost else 1.0


def find_leader(pair: pl.DataFrame) -> tuple[str | None, str | None]:
    """Which of two pipelines the decision of the run calls ahead, None for none, and its confidence."""
    ids = pair[QUESTION_ID].unique(maintain_order=True)
    golden = pl.DataFrame({QUESTION_ID: ids}).with_columns(
        pl.lit(None, pl.String).alias(name) for name in (TAGS, CATEGORY)
    )
    decision = decide(pair, golden)
    ahead = decision.kind is Kind.AHEAD
    return (decision.subject, str(decision.confidence)) if ahead else (None, None)


def count_decided(rows: pl.DataFrame) -> Counter[str]:
    """Return what becomes of the pairs of pipelines of one set that the decision decides by verdicts."""
    counts: Counter[str] = Counter()
    for name, other in combinations(rows[PIPELINE].unique(maintain_order=True).to_list(), 2):
        pair = rows.filter(pl.col(PIPELINE).is_in([name, other]))
        first, second = (pair.filter(pl.col(PIPELINE) == one) for one in (name, other))
        both = first.join(second, on=QUESTION_ID, suffix=" of the other")
        truth, proved = count_pairs(both[BY_PEOPLE], both[f"{BY_PEOPLE} of the other"])
        counts["pairs"] += 1
        counts["decided by people"] += proved < LEVEL
        leader, confidence = find_leader(pair.filter(pl.col(QUESTION_ID).is_in(both[QUESTION_ID].implode())))
        if leader is None:
            continue
        sign = 1 if leader == name else -1
        kind = "confirmed" if sign == truth and proved < LEVEL else "same sign" if sign == truth else "against"
        counts[kind if truth else "people even"] += 1
        counts[f"{confidence} confidence"] += 1
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    options = make_parser(__doc__, folders=True, keeps=True).parse_args(arguments)
    carried = QUESTION_ID, pl.col(PIPELINE).cast(pl.String), pl.col(RESPONSE).alias("said")
    judged = with_verdicts(judge_unseen(*read_folders(options.folders, *carried)))
    rows = judged.with_columns(
        (pl.col(LABEL) == Verdict.CORRECT.value).alias(BY_PEOPLE),
        (pl.col(VERDICT) == Verdict.CORRECT.value).alias(BY_VERDICT),
        pl.lit(Diagnosis.OFF_TARGET.value).alias(DIAGNOSIS),
        pl.lit(None, pl.Float64).alias(FACTUAL_KNOWLEDGE),
        pl.col("said").alias(RESPONSE),
    )
    total: Counter[str] = Counter()
    errors, regrets = [], []
    for (name,), mine in rows.group_by(NAME, maintain_order=True):
        if mine[PIPELINE].n_unique() < 2:
            continue
        shares = mine.group_by(PIPELINE).agg(pl.mean(BY_PEOPLE, BY_VERDICT))
        picked = shares.sort(BY_VERDICT, PIPELINE, descending=True)[BY_PEOPLE][0]
        regret, error = shares[BY_PEOPLE].max() - picked, (shares[BY_VERDICT] - shares[BY_PEOPLE]).abs()
        counts = count_decided(mine)
        total += counts
        errors.append(error)
        regrets.append(regret)
        print(f"{name:18} {dict(counts)}  regret {regret:.3f}  shares off by {error.mean():.3f} ({error.max():.3f})")
    off = pl.concat(errors)
    if options.keep:
        kinds = {"confirmed": "confirmed", "same_sign": "same sign", "even": "people even", "against": "against"}
        counted = {name: total[kind] for name, kind in kinds.items()}
        people = {"decided": sum(counted.values()), "people": total["decided by people"]}
        keep("decisions", {**counted, **people, "off_points": 100 * float(off.mean())})
    print(
        f"all  {dict(total)}  regret {sum(regrets) / len(regrets):.3f}  shares off by {off.mean():.3f}, {off.max():.3f}"
    )


if __name__ == "__main__":
    main()
