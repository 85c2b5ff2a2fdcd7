"""What all tables say of questions as one golden dataset: merged by id, or else by the question's text."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.align import normalise_text
from qaviz.loading.load_log import FILE, LINE, Problems, entries, entry, quote_text
from qaviz.loading.melt import SAID, WHO
from qaviz.loading.roles import PHRASES, VARIANTS
from qaviz.loading.tables import Table
from qaviz.model import columns as c
from qaviz.model.errors import Problem, QavizError

_TABLE, _KEY, _ANSWER, _FACT, _SAID, _PLACE = "\0table", "\0key", "\0norm answer", "\0norm fact", "\0said", "\0place"
_TIME = "\0time"


@dataclass
class Golden:
    """One golden dataset of all tables."""

    triplets: pl.DataFrame
    """GOLDEN_COLUMNS with ids, FILE, LINE; one row a triplet."""
    ids_given: bool
    """Whether the ids are those of the tables: else they are numbers, which no response can mean."""
    own_ids: dict[int, pl.DataFrame] = field(default_factory=dict)
    """Of tables with responses beside golden answers, by their place: LINE and the id of the triplet in that row."""
    notes: list[pl.DataFrame] = field(default_factory=list)

    def name_triplets(self, responses: pl.DataFrame, place: int) -> pl.DataFrame:
        """The responses of the table at this place, each with the id of the triplet that stands beside it; of a table
        without golden answers with its own ids, where those can mean a triplet."""
        own = self.own_ids.get(place)
        if own is not None:
            return responses.drop(c.QUESTION_ID).join(own, on=LINE, how="left", maintain_order="left")
        ids = pl.col(c.QUESTION_ID) if self.ids_given else pl.lit(None, pl.String)
        return responses.with_columns(ids.alias(c.QUESTION_ID))


def merge_golden(tables: Sequence[Table], parts: Sequence[pl.DataFrame]) -> Golden:
    """The triplets of the tables' rows (GOLDEN_COLUMNS, FILE, LINE, WHO, SAID, a frame a table).

    Raises QavizError for triplets without a question, or where two tables give different golden answers to one.
    """
    rows = pl.concat(part.with_columns(pl.lit(place, pl.UInt32).alias(_TABLE)) for place, part in enumerate(parts))
    blank = rows.select(pl.all_horizontal(pl.col(c.GOLDEN_COLUMNS).is_null())).to_series()
    notes = [entries(rows.filter(blank), load_log.EMPTY_ROW, "nothing stands in this row")]
    rows, problems = _refuse_incomplete(tables, rows.filter(~blank), notes)
    shared = [place for place, table in enumerate(tables) if table.layout.has_responses]
    open_tables = _find_open(rows.filter(pl.col(_TABLE).is_in(shared)))
    rows = _tell_times(rows, open_tables, shared)
    distinct = rows.unique([_TABLE, _TIME, *c.GOLDEN_COLUMNS], keep="first", maintain_order=True)
    repeated = rows.filter(~pl.struct(_TABLE, *c.GOLDEN_COLUMNS).is_first_distinct() & ~pl.col(_TABLE).is_in(shared))
    notes.append(entries(repeated, load_log.DUPLICATE, "the same triplet stands above"))
    why_not = _why_no_ids(tables, distinct, open_tables)
    keyed = distinct.with_columns(_list_keys(why_not))
    # The keys to which two tables give different golden answers or facts.
    texts = [pl.col(name).drop_nulls().unique().sort().str.join("\0") for name in (_ANSWER, _FACT)]
    by_table = keyed.group_by(_KEY, _TABLE, maintain_order=True).agg(texts)
    differ = [pl.col(name).filter(pl.col(name) != "").n_unique() > 1 for name in (_ANSWER, _FACT)]
    counted = by_table.group_by(_KEY, maintain_order=True).agg(pl.any_horizontal(differ).alias(_SAID))
    differing = counted.filter(pl.col(_SAID))[_KEY]
    if len(differing):
        problems.append(_ask_which_counts(tables, keyed.filter(pl.col(_KEY).is_in(differing.implode()))))
    if problems:
        raise QavizError(*problems)
    triplets = _join_tables(keyed)
    merged, ids_given, note = _give_ids(tables, triplets, why_not)
    own = {place: _find_own(rows.filter(pl.col(_TABLE) == place), merged, why_not) for place in shared}
    notes += [*note, *list_missing(merged)]
    return Golden(merged.select(*c.GOLDEN_COLUMNS, FILE, LINE), ids_given, own, notes)


def join_answers(rows: pl.DataFrame, one_answer: str, *, are_own: bool) -> pl.DataFrame:
    """A table's rows (as `merge_golden` takes them) with one triplet to a question: the first, or with all answers and
    facts as variants. Only rows that responses stand beside, `are_own`, have its id too."""
    key = pl.coalesce(normalise_text(c.QUESTION), c.QUESTION_ID)
    parts = []
    for name in c.DELIMITERS:
        texts = pl.col(name).drop_nulls()
        joined = texts.unique(maintain_order=True).str.join(c.OR_DELIMITER).replace("", None)
        # Parts that all have to be stated are no variants.
        is_one = joined.str.contains(c.AND_DELIMITER, literal=True) if one_answer == VARIANTS else pl.lit(value=True)
        parts.append(pl.when(is_one).then(texts.first()).otherwise(joined).alias(name))
    others = [name for name in c.GOLDEN_COLUMNS if name not in c.DELIMITERS and (are_own or name != c.QUESTION_ID)]
    keyed = rows.with_columns(key.alias(_KEY))
    triplets = keyed.group_by(_KEY).agg(*parts, *(pl.col(name).drop_nulls().first() for name in others))
    bare = keyed.drop(others, list(c.DELIMITERS))
    return bare.join(triplets, on=_KEY, how="left", maintain_order="left", nulls_equal=True).select(rows.columns)


def _tell_times(rows: pl.DataFrame, open_tables: Sequence[int], shared: Sequence[int]) -> pl.DataFrame:
    """The rows with _TIME: which time, from 0, a pipeline has a question and its golden answer there. It counts in
    open tables, and in those where they seldom stand again, with another response."""
    group = [_TABLE, WHO, *c.GOLDEN_COLUMNS]
    times = pl.int_range(pl.len(), dtype=pl.UInt32).over(group)
    others = (pl.struct(*group, SAID).is_first_distinct().cum_sum().over(group) - 1).cast(pl.UInt32)
    timed = rows.with_columns(times.alias(_TIME), others.alias(_PLACE))
    lost = timed.filter(pl.col(_TABLE).is_in(shared)).group_by(_TABLE).agg((pl.col(_PLACE) > 0).mean())
    few = lost.filter(pl.col(_PLACE) <= 0.2)[_TABLE].to_list()  # seldom
    is_in = pl.col(_TABLE).is_in
    time = pl.when(is_in(open_tables)).then(_TIME).when(is_in(few)).then(_PLACE).otherwise(0)
    return timed.with_columns(time.alias(_TIME)).drop(_PLACE)


def _find_open(rows: pl.DataFrame) -> list[int]:
    """The tables in which questions that repeat mostly have several golden answers: each row is a triplet of its own,
    the same one as other pipelines have at the same time that its question and answer stand there."""
    by_text = rows.group_by(_TABLE, WHO, normalise_text(c.QUESTION).alias(_KEY)).agg(
        pl.len().alias(_PLACE), (normalise_text(c.ANSWER).n_unique() > 1).alias(_SAID)
    )
    shares = by_text.filter(pl.col(_PLACE) > 1).group_by(_TABLE).agg(pl.col(_SAID).mean())
    # Most repeat with another answer: their texts do not say all, as beside images.
    return shares.filter(pl.col(_SAID) > 0.5)[_TABLE].to_list()


def _list_keys(why_not: str) -> list[pl.Expr]:
    """What triplets are joined by: the id, or the question where ids will not do; and answer and fact, evened out."""
    text = pl.coalesce(normalise_text(c.QUESTION), c.QUESTION_ID)
    time = pl.when(pl.col(_TIME) > 0).then(pl.format("\0{}", _TIME)).otherwise(pl.lit(""))
    key = text + time if why_not else pl.col(c.QUESTION_ID)
    return [key.alias(_KEY), normalise_text(c.ANSWER).alias(_ANSWER), normalise_text(c.FACT).alias(_FACT)]


def _refuse_incomplete(
    tables: Sequence[Table], rows: pl.DataFrame, notes: list[pl.DataFrame]
) -> tuple[pl.DataFrame, list[Problem]]:
    """The rows but those that are skipped, which go to the notes; and a problem for each triplet without a question, or
    an id among others, or with too many variants."""
    problems: list[Problem] = []
    kept = []
    asked_elsewhere = rows.filter(pl.col(c.QUESTION).is_not_null())[c.QUESTION_ID].drop_nulls().implode()
    for place, table in enumerate(tables):
        part = rows.filter(pl.col(_TABLE) == place)
        faults = Problems(table.place, table.head.unit, skip_bad=table.source.skip_bad)
        notes_below = _find_notes(part, table)
        faults.add_rows(
            notes_below,
            lambda text: f"{quote_text(text or '')} below all golden answers, like a note or a total",
            "a question with its golden answer",
            "Remove what stands below the table; if it is a question, fill in its golden answer, or answerable: no.",
        )
        rest = part.filter(~pl.col(LINE).is_in(notes_below[LINE].implode()))
        lacking = rest.filter(
            pl.col(c.QUESTION).is_null() & ~pl.col(c.QUESTION_ID).is_in(asked_elsewhere).fill_null(value=False)
        )
        words = {c.QUESTION: lacking}
        if rest[c.QUESTION_ID].count():
            words[c.QUESTION_ID] = rest.filter(pl.col(c.QUESTION_ID).is_null())
        flag = _flag_no_ids([table])
        by_question = f", or align by the question: {flag}" if flag else " or remove the row"
        fixes = {c.QUESTION: "Fill it in or remove the row.", c.QUESTION_ID: f"Fill it in{by_question}."}
        for word, bad in words.items():
            bad = bad.unique(LINE, maintain_order=True).select(LINE, pl.lit(word))
            faults.add_rows(bad, lambda name: f"no {name}", "one in each row", fixes[word])
        for column in c.DELIMITERS:
            many = rest.select(LINE, c.variant_count(column).alias(_SAID)).filter(pl.col(_SAID) > c.VARIANT_LIMIT)
            fault, most = f"{{:,}} variants in one {column}", f"at most {c.VARIANT_LIMIT:,}"
            faults.add_rows(many, fault.format, most, "Keep those that a response may use.")
        problems += faults.list_all()
        kept.append(faults.without_skipped(part))
        skipped = faults.newly_skipped().with_columns(pl.lit(f"{table.place} {table.head.unit}").alias(FILE))
        notes.append(entries(skipped, load_log.BAD_ROW, pl.col(load_log.WORDS)))
    return pl.concat(kept), problems


def _find_notes(rows: pl.DataFrame, table: Table) -> pl.DataFrame:
    """LINE and question of the rows below all golden answers of a spreadsheet that ask nothing and have none: notes
    and totals."""
    has_golden = pl.any_horizontal(pl.col(c.ANSWER, c.FACT).is_not_null(), pl.col(c.ANSWERABLE).is_not_null())
    answered = rows.filter(has_golden)
    if table.head.knows_missing or answered.is_empty() or not table.layout.has_golden:
        return rows.select(LINE, c.QUESTION).clear()
    asks = pl.col(c.QUESTION).str.contains(PHRASES["cells"]["question"]).fill_null(value=False)
    is_known = pl.all_horizontal(pl.col(c.QUESTION_ID, c.QUESTION).is_not_null())
    return rows.filter(pl.col(LINE) > answered[LINE].max(), ~asks, ~is_known).select(LINE, c.QUESTION)


def _why_no_ids(tables: Sequence[Table], distinct: pl.DataFrame, open_tables: Sequence[int]) -> str:
    """Why the ids do not tell the triplets apart; empty where they do."""
    ids = distinct[c.QUESTION_ID]
    if not ids.count():
        return "no column question_id"
    if ids.null_count():
        return "not all tables have ids"
    texts = distinct.with_columns(normalise_text(c.QUESTION).alias(_KEY))
    questions = texts.drop_nulls(_KEY).group_by(c.QUESTION_ID).agg(pl.col(_KEY).n_unique())
    again = texts.group_by(_TABLE, c.QUESTION_ID).agg(pl.struct(c.QUESTION, c.ANSWER, c.FACT).n_unique().alias(_KEY))
    if (questions[_KEY] > 1).any() or (again[_KEY] > 1).any():
        return "ids that repeat with other questions"
    contents = texts.group_by(_TABLE).agg(
        pl.struct(_KEY, c.ANSWER, c.FACT).n_unique().alias(_SAID), pl.len().alias(_PLACE)
    )
    counted = contents.filter(pl.col(_SAID) * 2 <= pl.col(_PLACE))[_TABLE].to_list()
    if any(tables[place].layout.has_responses and place not in open_tables for place in counted):
        return "ids that count rows, while the questions repeat"
    return ""


def _ask_which_counts(tables: Sequence[Table], differing: pl.DataFrame) -> Problem:
    """The question which table says what is right, with the flag of each."""
    first = differing.filter(pl.col(_KEY) == differing[_KEY][0]).unique(_TABLE, maintain_order=True)
    shown = " and ".join(
        f"{quote_text(row[c.ANSWER] or row[c.FACT] or '')} ({tables[row[_TABLE]].place})"
        for row in first.iter_rows(named=True)
    )
    number = differing[_KEY].n_unique()
    among = [tables[place] for place in differing[_TABLE].unique(maintain_order=True)]
    return Problem(
        where=", ".join(dict.fromkeys(table.source.name for table in among)),
        found=f"different golden answers to {number:,} {'questions' if number > 1 else 'question'}, such as {shown}",
        expected="one golden answer to a question",
        fix=f"Say which counts: {list_golden_flags(among)}.",
    )


def list_golden_flags(tables: Sequence[Table]) -> str:
    """The flag of each table, of which a person copies one: `--golden "book.xlsx#Sheet"`."""
    several = {table.source.name for table in tables if len({other.part for other in tables}) > 1}
    names = [
        f"{table.source.name}#{table.part}" if table.part and table.source.name in several else table.source.name
        for table in tables
    ]
    return " or ".join(f'--golden "{name}"' for name in dict.fromkeys(names))


def _join_tables(keyed: pl.DataFrame) -> pl.DataFrame:
    """One row a triplet: what tables say of it together. Triplets that one table tells apart stay apart."""
    several = keyed.group_by(_KEY, _TABLE).agg(pl.struct(_ANSWER, _FACT).n_unique().alias(_SAID))
    apart = several.filter(pl.col(_SAID) > 1)[_KEY].implode()
    variant = pl.when(pl.col(_KEY).is_in(apart)).then(pl.concat_str(_ANSWER, _FACT, separator="\0", ignore_nulls=True))
    coalesced = [pl.col(name).drop_nulls().first() for name in c.GOLDEN_COLUMNS]
    grouped = keyed.with_columns(variant.alias(_SAID)).group_by(_KEY, _SAID, maintain_order=True)
    return grouped.agg(*coalesced, pl.col(FILE, LINE, _TABLE).first())


def _give_ids(
    tables: Sequence[Table], triplets: pl.DataFrame, why_not: str
) -> tuple[pl.DataFrame, bool, list[pl.DataFrame]]:
    ids = triplets[c.QUESTION_ID]
    if not ids.null_count() and ids.n_unique() == triplets.height:
        return triplets, True, []
    numbered = triplets.with_columns(pl.int_range(1, pl.len() + 1).cast(pl.String).alias(c.QUESTION_ID))
    where = ", ".join(dict.fromkeys(table.source.name for table in tables))
    flags = _flag_no_ids(tables)
    words = f"{why_not or 'ids that repeat'}: the questions are numbered, and align by their texts"
    return numbered, False, [entry(load_log.IDS_MADE, where, f"{words}; {flags} says so" if flags else words)]


def _flag_no_ids(tables: Sequence[Table]) -> str:
    """The flags by which no column of these tables is an id."""
    names = [name for table in tables for name, word in table.layout.words.items() if word == c.QUESTION_ID]
    return " ".join(f'--map "{name}="' for name in dict.fromkeys(names))


def _find_own(rows: pl.DataFrame, merged: pl.DataFrame, why_not: str) -> pl.DataFrame:
    """LINE and the id of the triplet in each row: the same one, or the one that the tables have for its question."""
    own = rows.select(LINE, *_list_keys(why_not)).unique(LINE, keep="first", maintain_order=True)
    variant = pl.concat_str(_ANSWER, _FACT, separator="\0", ignore_nulls=True)
    exact = merged.drop_nulls(_SAID).select(_KEY, _SAID, pl.col(c.QUESTION_ID).alias(_PLACE)).unique([_KEY, _SAID])
    alone = merged.select(_KEY, c.QUESTION_ID).unique(_KEY, keep="first")
    joined = (
        own.with_columns(variant.alias(_SAID))
        .join(exact, on=[_KEY, _SAID], how="left")
        .join(alone, on=_KEY, how="left")
    )
    return joined.select(LINE, pl.coalesce(_PLACE, c.QUESTION_ID).alias(c.QUESTION_ID))


def list_missing(triplets: pl.DataFrame) -> list[pl.DataFrame]:
    """Entries for triplets that cannot be scored. One that is marked as unanswerable needs neither fact nor answer."""
    answerable = triplets.filter(triplets.get_column(c.ANSWERABLE).fill_null(value=True))
    no_fact, no_answer = (answerable.filter(pl.col(word).is_null()) for word in (c.FACT, c.ANSWER))
    return [
        entries(no_fact, load_log.NO_FACT, "cannot be scored for Factual Knowledge"),
        entries(no_answer, load_log.NO_ANSWER, "cannot be scored for QA Accuracy"),
    ]
