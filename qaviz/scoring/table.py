"""The scores of a table of responses, by column and in chunks on all threads."""

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial, reduce

import polars as pl

from qaviz.model import columns as c
from qaviz.model.errors import stop
from qaviz.model.metrics import METRICS, Metric
from qaviz.model.plugins import load_plugins, naming_extension
from qaviz.model.records import Progress
from qaviz.scoring import forms
from qaviz.scoring.explanation import find_fact, token_around
from qaviz.scoring.forms import TRIPLET, UNIT, check_texts, distinct, reasons, scorable

CHUNK = 10_000
"""Units scored at a time by one thread: bounds the memory that the forms of their texts take."""

Variants = Future[pl.DataFrame]
"""Golden texts ready to compare with: in the making while the first responses are brought into their forms."""

_ADDED = [*c.SCORES, c.RECALL_BESIDE_FACT, *c.HIT_COLUMNS, c.WARNINGS]
_SCORED = (c.RECALL, c.PRECISION, c.F1, c.EXACT_MATCH, c.QUASI_EXACT_MATCH, c.RECALL_BESIDE_FACT)
SAME_WITHIN = 1e-9
"""Distance up to which two scores are the same. Scores of different counts of words are further apart."""

EXACT_HIT = "exact_hit"
"""Whether the hit is one of the texts in lower case, not only of the normalised ones."""

_TYPES = pl.UInt32, pl.String, pl.Int64, pl.Int64, pl.Boolean, pl.Boolean
_SCHEMA = dict(zip((UNIT, *c.HIT_COLUMNS, EXACT_HIT), _TYPES, strict=True))
_QUOTED = 80
"""Characters of a text that a sentence quotes at most."""
_CURLY = "[‘’‛′“”„″]"
_THOUSANDS = re.compile(r"(?<=[0-9]),(?=[0-9]{3}(?![0-9]))")
_NUMBER = re.compile(r"(?<![0-9A-Za-z])-?[0-9][0-9.,]*")


def score(rows: pl.DataFrame, progress: Progress | None = None) -> pl.DataFrame:
    """Return the rows, in their order, with FMEval's seven word scores and what belongs to them. Needs the text columns
    `answer`, `fact` and `response`. Adds `unscored_fact` and `unscored_answer` (the reason, null where scored), SCORES
    and `recall_beside_fact` (Float64, null where there is nothing to score by), HIT_COLUMNS (null where no variant of
    the fact hit) and `warnings` (a list of sentences, empty where there is none); columns of these names are replaced.
    Raises QavizError where one of the three is missing or not text."""
    check_texts(rows)
    why_not = reasons(rows)
    return rows.with_columns(*why_not, *_score_distinct(scorable(rows, why_not), _ADDED, progress))


def installed_scores(rows: pl.DataFrame) -> list[pl.Series]:
    """The scores of these rows by the metrics of installed packages: a Float64 column each, called as the metric.
    Raises QavizError where a package is broken, or its metric has a name of ours or gives another number of scores."""
    columns = []
    for metric in load_plugins("qaviz.metrics", Metric):
        with naming_extension(f"metric {metric.name}"):
            scores = metric.compute(rows) if metric.compute and metric.name not in METRICS else pl.Series()
        if scores.len() != rows.height:
            expected = f"a name of its own, and {rows.height:,} scores of {rows.height:,} rows"
            raise stop(f"metric {metric.name}", f"{scores.len():,} scores", expected, "Mend or uninstall its package.")
        columns.append(scores.cast(pl.Float64).alias(metric.name))
    return columns


def word_scores(rows: pl.DataFrame) -> pl.DataFrame:
    """As `score`, but SCORES alone are added: enough to tell how another golden dataset would have scored the rows."""
    check_texts(rows)
    return rows.with_columns(*_score_distinct(scorable(rows, reasons(rows)), c.SCORES, None))


def _score_distinct(texts: pl.DataFrame, columns: Sequence[str], progress: Progress | None) -> pl.DataFrame:
    """Return these columns, SCORES or _ADDED, for each row of `scorable` texts; each distinct row is scored once."""
    units, unit = distinct(texts)
    golden = units.unique(TRIPLET, keep="first", maintain_order=True).select(TRIPLET, c.ANSWER, c.FACT)
    scored = []
    with ThreadPoolExecutor(pl.thread_pool_size()) as threads:
        # First in the queue, so that chunks never wait for what no thread has begun.
        variants = [threads.submit(make, golden) for make in (answer_variants, explode_variants)]
        chunks = (units.slice(begin, CHUNK) for begin in range(0, max(units.height, 1), CHUNK))
        for part in threads.map(partial(_score_chunk, variants=variants, columns=columns), chunks):
            scored.append(part)
            if progress:
                done = sum(map(len, scored))
                progress(done / max(units.height, 1), f"scored {done:,} of {units.height:,} distinct responses")
    every = pl.concat(scored)
    return every if every.height == unit.len() else every[unit]  # where no row repeats another, units are the rows


def _score_chunk(units: pl.DataFrame, variants: Sequence[Variants], columns: Sequence[str]) -> pl.DataFrame:
    of_answers, of_facts = variants
    lowered = forms.lower(units[c.RESPONSE])
    normal = forms.normal(lowered)
    responses = units.with_columns(lower=lowered, normal=normal)
    # A row a unit and variant of its fact: whether the response holds it.
    looked = responses.join(_slice_variants(units, of_facts), on=TRIPLET, maintain_order="left").with_columns(
        exact=forms.holds(pl.col("lower"), pl.col("variant_lower")),
        quasi_exact=forms.holds(pl.col("normal"), pl.col("variant_normal")),
    )
    compared = responses.with_columns(stripped=forms.strip(units[c.RESPONSE]), words=forms.words(normal))
    parts = [fact_scores(looked), answer_scores(compared, _slice_variants(units, of_answers))]
    if c.WARNINGS in columns:
        placed = place_facts(looked)
        parts += [placed, warn(looked, parts[0], placed)]
    joined = units.select(UNIT).lazy()
    for part in parts:  # null where it lacks a unit
        joined = joined.join(part.lazy(), on=UNIT, how="left", maintain_order="left")
    none = pl.lit([], dtype=pl.List(pl.String))
    filled = [pl.col(name).fill_null(none) if name == c.WARNINGS else pl.col(name) for name in columns]
    return joined.select(filled).collect()


def _slice_variants(units: pl.DataFrame, variants: Variants) -> pl.DataFrame:
    """Return a slice of the variants with all that the units need: joining each chunk with all would take ages.
    Variants lie in the order of their triplets, and neighbouring units mostly have neighbouring triplets."""
    triplets, every = units.select(pl.min(TRIPLET), last=pl.max(TRIPLET)), variants.result()
    if units.is_empty():
        return every
    begin = every[TRIPLET].search_sorted(triplets[TRIPLET], side="left").item()
    end = every[TRIPLET].search_sorted(triplets["last"], side="right").item()
    return every.slice(begin, end - begin)


def split_facts(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of facts, blanks kept: triplet, fact, needs_all, variant_number (from 1), variant_count.
    Takes triplet and fact; null facts are left out."""
    needs_all = pl.col(c.FACT).str.contains(c.AND_DELIMITER, literal=True)
    by_or, by_and = (pl.col(c.FACT).str.split(mark) for mark in (c.OR_DELIMITER, c.AND_DELIMITER))
    split = golden.drop_nulls(c.FACT).select(
        TRIPLET, pl.when(needs_all).then(by_and).otherwise(by_or), needs_all=needs_all
    )
    count = pl.col(c.FACT).list.len()
    numbered = split.with_columns(variant_number=pl.int_ranges(1, count + 1), variant_count=count)
    return numbered.explode(c.FACT, "variant_number")


def explode_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each fact, ready to look for in responses. Takes triplet and fact (null where unscored).
    Returns what `split_facts` does, fact being called variant, and variant_lower and variant_normal (without the blanks
    around it)."""
    variants = split_facts(golden).rename({c.FACT: "variant"})
    lowered = forms.lower(variants["variant"])
    return variants.with_columns(variant_lower=lowered, variant_normal=forms.normal(lowered).str.strip_chars(" "))


def fact_scores(looked: pl.DataFrame) -> pl.DataFrame:
    """Return unit and the two Factual Knowledge scores of rows that say whether each variant stands there."""
    scores = ((c.FACTUAL_KNOWLEDGE, pl.col("exact")), (c.FACTUAL_KNOWLEDGE_QUASI_EXACT, pl.col("quasi_exact")))
    all_needed = pl.col("needs_all").first()
    return looked.group_by(UNIT, maintain_order=True).agg(
        pl.when(all_needed).then(hits.all()).otherwise(hits.any()).cast(pl.Float64).alias(name) for name, hits in scores
    )


def place_facts(looked: pl.DataFrame) -> pl.DataFrame:
    """Unit, HIT_COLUMNS and `exact_hit` of units that state their fact (`find_fact`), of the rows of `fact_scores`."""
    stated = looked.filter(pl.col("exact") | pl.col("quasi_exact")).unique(UNIT, maintain_order=True)
    hits = ((unit, find_fact(*texts)) for unit, *texts in stated.select(UNIT, c.FACT, c.RESPONSE).iter_rows())
    rows = [(unit, hit.variant, hit.start, hit.end, hit.inside_token, hit.exact) for unit, hit in hits if hit]
    return pl.DataFrame(rows, schema=_SCHEMA, orient="row")


def answer_variants(golden: pl.DataFrame) -> pl.DataFrame:
    """Return the variants of each answer, ready to compare with responses. Takes triplet, answer, fact (null where
    unscored). Returns triplet, golden_stripped, golden_normal, golden_words (distinct, the empty text among them) and
    golden_others: the words that are not the fact's, null without a fact. Null answers are left out."""
    answered = golden.drop_nulls(c.ANSWER).select(TRIPLET, pl.col(c.ANSWER).str.split(c.OR_DELIMITER)).explode(c.ANSWER)
    normal = forms.normal(forms.lower(answered[c.ANSWER]))
    variants = answered.select(
        TRIPLET,
        golden_stripped=forms.strip(answered[c.ANSWER]),
        golden_normal=normal,
        golden_words=forms.words(normal).list.unique(),
    ).with_row_index("variant")
    # By joins: an answer and a fact of 10,000 variants each would make 100,000,000 pairs of words.
    split = split_facts(golden)
    words = split.select(TRIPLET, word=forms.words(forms.normal(forms.lower(split[c.FACT])))).explode("word")
    with_fact = variants.join(split, on=TRIPLET, how="semi").select("variant", TRIPLET, word="golden_words")
    others = with_fact.explode("word").join(words, on=[TRIPLET, "word"], how="anti")
    grouped = others.group_by("variant").agg(golden_others="word")
    filled = pl.col("golden_others").fill_null(pl.lit([], dtype=pl.List(pl.String)))
    golden_others = with_fact.select("variant").join(grouped, on="variant", how="left").with_columns(filled)
    return variants.join(golden_others, on="variant", how="left", maintain_order="left")


def answer_scores(responses: pl.DataFrame, variants: pl.DataFrame) -> pl.DataFrame:
    """Return unit and the scores against the answer, for each the best over the answer's variants. Takes responses
    (unit, triplet, stripped, normal, words) and what `answer_variants` returned. `recall_beside_fact` is null where no
    variant has words other than the fact's."""
    pairs = responses.lazy().join(variants.lazy(), on=TRIPLET, maintain_order="left")
    shared = pairs.with_columns(shared=pl.col("golden_words").list.set_intersection("words"))
    # Each list of words but golden_others holds the empty text once, or counts it once.
    counted = shared.with_columns(
        in_both=pl.col("shared").list.len() - 1,
        in_golden=pl.col("golden_words").list.len() - 1,
        in_response=pl.col("words").list.n_unique() - 1,
        others_in_both=pl.col("golden_others").list.set_intersection("shared").list.len(),
        others=pl.col("golden_others").list.len(),
    )
    compared = counted.select(
        UNIT,
        *(
            # As `definition.ratio`.
            pl.when(pl.col(whole) > 0).then(pl.col("in_both") / pl.col(whole)).otherwise(0.0).alias(name)
            for name, whole in ((c.RECALL, "in_golden"), (c.PRECISION, "in_response"))
        ),
        (pl.col("stripped") == pl.col("golden_stripped")).cast(pl.Float64).alias(c.EXACT_MATCH),
        (pl.col("normal") == pl.col("golden_normal")).cast(pl.Float64).alias(c.QUASI_EXACT_MATCH),
        pl.when(pl.col("others") > 0).then(pl.col("others_in_both") / pl.col("others")).alias(c.RECALL_BESIDE_FACT),
    )
    harmonic = 1.0 / (0.5 / pl.col(c.PRECISION) + 0.5 / pl.col(c.RECALL))  # as `definition.f_measure`
    scored = compared.with_columns(pl.when(pl.col(c.PRECISION) > 0).then(harmonic).otherwise(0.0).alias(c.F1))
    return scored.group_by(UNIT, maintain_order=True).agg(pl.col(_SCORED).max()).collect()


def keep_given(rows: pl.DataFrame, progress: Progress | None = None) -> tuple[pl.DataFrame, pl.Series]:
    """Return what `score` returns with the rows' own SCORES, and for each row which of them qaviz computes otherwise.
    The rows bring `unscored_fact` and `unscored_answer` too; hits, `recall_beside_fact` and warnings are qaviz's. What
    `score` has a reason not to score stays missing: FMEval gives 1.0 for a fact that says nothing. The names of the
    differing scores are one text a row, empty where there is none."""
    ours = score(rows, progress)
    groups = {c.UNSCORED_FACT: c.FACT_SCORES, c.UNSCORED_ANSWER: c.ANSWER_SCORES}
    kept = [pl.when(ours[why].is_null()).then(rows[name]).alias(name) for why in groups for name in groups[why]]
    scored = ours.with_columns(*kept, *(pl.coalesce(ours[why], rows[why]).alias(why) for why in groups))
    apart = [pl.when((scored[name] - ours[name]).abs() > SAME_WITHIN).then(pl.lit(name)) for name in c.SCORES]
    return scored, scored.select(pl.concat_list(apart).list.drop_nulls().list.join(", ")).to_series()


_NO_HIT, _NO_NORMAL_HIT = pl.col(c.FACTUAL_KNOWLEDGE) == 0, pl.col(c.FACTUAL_KNOWLEDGE_QUASI_EXACT) == 0
_LOWER, _TRIMMED = pl.col("variant_lower"), pl.col("variant_lower").str.strip_chars()
_BARE, _BARE_VARIANT = (pl.col(name).str.replace_all(_CURLY, "") for name in ("normal", "variant_normal"))
_IS_CURLY = (pl.col("normal") != _BARE) | (pl.col("variant_normal") != _BARE_VARIANT)
_IS_LONG = pl.col("variant").str.len_chars() > _QUOTED
_SHORT = pl.when(_IS_LONG).then(pl.col("variant").str.head(_QUOTED) + "…").otherwise(pl.col("variant"))
_EMPTY = "empty variant: variant {} of {} is empty once normalised, so every response has it"
_BLANK = "blank in a variant: “{}” keeps the blank beside its delimiter, so the response needs it too"
_QUOTES = "curly apostrophe: “{}” is there but for a curly quotation mark, which FMEval keeps"
_TRAPS: Sequence[tuple[Sequence[pl.Expr], pl.Expr]] = (
    ([pl.col("variant_normal") == ""], pl.format(_EMPTY, "variant_number", "variant_count")),
    (
        [_NO_HIT, ~pl.col("exact") & (_TRIMMED != "") & (_TRIMMED != _LOWER), forms.holds(pl.col("lower"), _TRIMMED)],
        pl.format(_BLANK, _SHORT),
    ),
    (
        [_NO_HIT & _NO_NORMAL_HIT, ~pl.col("quasi_exact") & _IS_CURLY, forms.holds(_BARE, _BARE_VARIANT)],
        pl.format(_QUOTES, _SHORT),
    ),
)
"""What a response's match with a variant walks into: conditions, one after the other, and the sentence that says so."""


def warn(looked: pl.DataFrame, scores: pl.DataFrame, placed: pl.DataFrame) -> pl.DataFrame:
    """Return unit and `warnings` of the units that walked into a trap: a list of sentences, one for each kind. Takes
    what `fact_scores` takes, and what it and `place_facts` returned."""
    scored, warnings = looked.join(scores, on=UNIT, how="left", maintain_order="left"), list[pl.DataFrame]()
    for conditions, sentence in _TRAPS:
        trapped = reduce(pl.DataFrame.filter, conditions, scored).unique(UNIT, keep="first", maintain_order=True)
        warnings.append(trapped.select(UNIT, sentence.alias(c.WARNINGS)))
    suspects = placed.filter(pl.col(c.FACT_INSIDE_TOKEN) | ~pl.col(EXACT_HIT))
    joined = suspects.join(looked.select(UNIT, c.RESPONSE), on=UNIT, maintain_order="left")
    hits = joined.unique(UNIT, maintain_order=True).select(UNIT, c.RESPONSE, c.FACT_VARIANT, c.FACT_START, c.FACT_END)
    sentences = [(unit, sentence) for unit, *hit in hits.iter_rows() for sentence in _describe_hit(*hit)]
    warnings.append(pl.DataFrame(sentences, schema={UNIT: pl.UInt32, c.WARNINGS: pl.String}, orient="row"))
    return pl.concat(warnings).group_by(UNIT, maintain_order=True).agg(c.WARNINGS)


def _describe_hit(response: str, variant: str, start: int, end: int) -> Iterator[str]:
    stated, token = response[start:end], token_around(response, start, end)
    if stated != token:
        yield f"inside a larger token: “{_shorten_text(stated)}” is there only as a part of “{_shorten_text(token)}”"
    signed = response[max(start - 1, 0) : end]
    if _find_numbers(variant) not in (_find_numbers(stated), _find_numbers(signed)):
        yield f"sign or decimal point lost: “{_shorten_text(stated)}” is not “{_shorten_text(variant.strip())}”"


def _shorten_text(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[:_QUOTED]}…"


def _find_numbers(text: str) -> list[str]:
    """Return the numbers of a text with sign and decimal point, without thousands separators."""
    return [number.rstrip(".,") for number in _NUMBER.findall(_THOUSANDS.sub("", text))]
