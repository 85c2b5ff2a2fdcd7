"""What other forms of answers are worth on responses that people labelled: `python -m benchmarks.expanding FOLDER...`.

Each fact keeps its first variant. Proposed for it are its other variants, which people wrote, and wrong ones: a variant
of another question, a part of its words, another figure. With --model a language model proposes instead, for the first
--triplets questions. A line a regime: how many responses that people call right have a verdict that is not correct, and
how many that they call wrong have one that is; and of the forms, how many of those that people wrote.
"""

import argparse
import random
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

from qaviz.diagnosis import diagnose
from qaviz.golden.expanding import LABELLED, expand_answers, select_expandable
from qaviz.golden.variants import ACCEPTED, TO_REVIEW, ProposedTo, check_form
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.loading import Source, load
from qaviz.model.classes import Verdict
from qaviz.model.columns import (
    ANSWER,
    FACT,
    FACTUAL_KNOWLEDGE,
    LABEL,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    VERDICT,
)
from qaviz.model.records import Thresholds
from qaviz.scoring import score
from qaviz.store.labels import FORM, STATUS

WRITTEN = "written"
"""Whether people wrote the form as a variant of this fact."""
_FIGURE = re.compile(r"\d+")


def read_labelled(folder: Path) -> pl.DataFrame:
    """The aligned rows of a folder with golden.jsonl, responses.jsonl and labels.jsonl, with LABEL."""
    rows = load(Source.of(folder / "golden.jsonl"), [Source.of(folder / "responses.jsonl")]).rows
    labels = pl.read_ndjson(folder / "labels.jsonl").select(QUESTION_ID, PIPELINE, LABEL).unique()
    return rows.join(labels, on=[QUESTION_ID, PIPELINE], maintain_order="left").drop_nulls([LABEL, FACT])


def propose_recorded(facts: Sequence[tuple[str, str]], seed: int = 0) -> Iterator[tuple[str, str, bool]]:
    """QUESTION_ID, FORM and WRITTEN: the further variants of each fact, and three wrong forms."""
    draw = random.Random(seed)
    for question_id, fact in facts:
        first, *others = fact.split(OR_DELIMITER)
        yield from ((question_id, form.strip(), True) for form in others if form.strip())
        another = draw.choice(facts)[1].split(OR_DELIMITER)[0]
        figure = _FIGURE.sub(lambda match: str(int(match.group()[:9]) + 1), first, count=1)
        part = draw.choice(first.split())
        known = {form.strip().lower() for form in fact.split(OR_DELIMITER)}
        for wrong in (another, figure, part):
            if wrong.strip().lower() not in known:
                yield question_id, wrong.strip(), False


def check_recorded(golden: pl.DataFrame, proposals: pl.DataFrame) -> pl.DataFrame:
    """The proposals with STATUS; no response of the set is looked at."""
    joined = proposals.join(golden, on=QUESTION_ID, maintain_order="left")
    texts = joined.select(FORM, QUESTION, ANSWER, FACT).iter_rows()
    checks = (check_form(form, ProposedTo(question, answer or "", fact)) for form, question, answer, fact in texts)
    statuses = [check.status for check in checks]
    return proposals.with_columns(pl.Series(STATUS, statuses, dtype=pl.String))


def propose_by_model(golden: pl.DataFrame, model: str) -> pl.DataFrame:
    """QUESTION_ID, FORM and STATUS of what a model proposes; WRITTEN is not known and false."""
    with TemporaryDirectory() as folder:
        settings = Settings(model=model, journal=Path(folder) / "j.jsonl", caps=parse_caps(["1000calls"]))
        with open_session(settings) as session:
            expanded = expand_answers(session, golden, {}, pl.DataFrame(schema=LABELLED), model)
    print(f"asked {expanded.asked}, without a reply that can be read {expanded.unread}")
    return expanded.forms.select(QUESTION_ID, FORM, STATUS).with_columns(pl.lit(value=False).alias(WRITTEN))


def count_wrong(rows: pl.DataFrame, facts: Mapping[str, str]) -> list[int]:
    """With these facts by question: right responses whose verdict is not correct, wrong ones whose verdict is; right
    ones of which Factual Knowledge is 0, and wrong ones of which it is 1."""
    changed = rows.with_columns(pl.col(QUESTION_ID).replace_strict(facts).alias(FACT))
    judged = diagnose(score(changed.drop(LABEL)), Thresholds()).with_columns(rows[LABEL])
    right = pl.col(LABEL) == Verdict.CORRECT.value
    says = (pl.col(VERDICT) == Verdict.CORRECT.value, pl.col(FACTUAL_KNOWLEDGE) == 1)
    return [judged.filter(cell).height for correct in says for cell in (right & ~correct, ~right & correct)]


def measure(folder: Path, model: str | None, triplets: int) -> None:
    """Print the lines of one set."""
    rows = read_labelled(folder)
    whole = rows.select(QUESTION_ID, QUESTION, ANSWER, FACT).unique(QUESTION_ID, keep="first", maintain_order=True)
    whole = select_expandable(whole).head(triplets)
    rows = rows.filter(pl.col(QUESTION_ID).is_in(whole[QUESTION_ID].implode()))
    golden = whole.with_columns(pl.col(FACT).str.split(OR_DELIMITER).list.first())
    recorded = [*propose_recorded([*whole.select(QUESTION_ID, FACT).iter_rows()])]
    forms = (
        propose_by_model(golden, model)
        if model
        else check_recorded(golden, pl.DataFrame(recorded, schema=[QUESTION_ID, FORM, WRITTEN], orient="row"))
    )
    status, written = pl.col(STATUS), pl.col(WRITTEN)
    regimes = {
        "first variant": forms.clear(),
        "proved": forms.filter(status == ACCEPTED),
        "proved, and right ones confirmed": forms.filter((status == ACCEPTED) | ((status == TO_REVIEW) & written)),
        "all to review confirmed unread": forms.filter(status.is_in([ACCEPTED, TO_REVIEW])),
    }
    print(f"{folder.name}: {golden.height} facts, {rows.height} responses")
    print(forms.group_by(WRITTEN, STATUS).len().sort(WRITTEN, STATUS).rows())
    for name, added in regimes.items():
        joined = {key: OR_DELIMITER.join(new) for key, new in added.group_by(QUESTION_ID).agg(FORM).iter_rows()}
        variants = ((key, fact, joined.get(key)) for key, fact in golden.select(QUESTION_ID, FACT).iter_rows())
        facts = {key: OR_DELIMITER.join(filter(None, (fact, more))) for key, fact, more in variants}
        missed, taken, no_hit, hit = count_wrong(rows, facts)
        verdicts = f"right ones not correct {missed}, wrong ones correct {taken}"
        print(f"  {name}: {added.height} forms; {verdicts}; Factual Knowledge 0 on {no_hit} right, 1 on {hit} wrong")


def main() -> None:
    """Read the options and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--model")
    parser.add_argument("--triplets", type=int, default=100_000)
    options = parser.parse_args()
    for folder in options.folders:
        measure(folder, options.model, options.triplets)


if __name__ == "__main__":
    main()
