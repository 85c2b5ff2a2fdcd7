"""Responses aligned with a golden dataset, by id or else by the question's text, at once or chunk by chunk.

What does not align is listed. So are error messages that stand where responses belong: such a response is missing.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl
from rapidfuzz import fuzz, process

from qaviz.loading import load_log
from qaviz.loading.load_log import FILE, LINE, entries
from qaviz.loading.melt import find_pipeline_errors
from qaviz.loading.roles import PIPELINE_LIMIT
from qaviz.loading.source import Source
from qaviz.model import columns as c
from qaviz.model.errors import stop

ROW = "\0row"
"""The golden dataset's row that a response answers."""

ERROR = "\0error"
"""The pipeline's error message that stood in place of a response; null where there was none."""

UNANSWERED_LIMIT = 1000
"""Most unanswered questions of a pipeline that are listed one by one: there may be a thousand such pipelines."""

_ASKED, _KEY, _COUNT, _BY_TEXT, _PLACE, _SPOT = "\0asked", "\0key", "\0count", "\0by text", "\0place", "\0spot"
_KEPT = "\0kept"

_QUOTED = 80
"""Characters of a question that the list quotes."""


def align(
    responses: pl.DataFrame, golden: pl.DataFrame, joined: Sequence[tuple[str, str]] = ()
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """The responses that answer a golden question, with ROW, in order; and what is to be listed of all of them.

    A response aligns by its id, unless it asks something else; else by its question's exact text, then with white space
    evened out, then with case and punctuation evened out, then by the pairs in `joined` (a question's text and the
    golden question_id that a person said it means). All but the first two are listed. A text that the golden dataset
    asks more than once aligns with none of them.
    """
    numbered = golden.with_row_index(ROW)
    by_id = responses.join(numbered.select(c.QUESTION_ID, ROW), on=c.QUESTION_ID, how="left", maintain_order="left")
    aligned, other_ids = _prefer_text(by_id, numbered)
    aligned, reworded = _split_id_conflicts(aligned, golden)
    other = "aligned by its id: the golden dataset words the question otherwise"
    notes = [other_ids, entries(reworded, load_log.OTHER_QUESTION, other)]
    if aligned[ROW].null_count():
        aligned = _align_by(aligned, numbered, pl.col(c.QUESTION))
        for kind, how, key in _LOOSER:
            looser = _align_by(aligned, numbered, key)
            notes.append(entries(_newly(aligned, looser), kind, how))
            aligned = looser
        near = _align_joined(aligned, numbered, joined)
        theirs = pl.col(c.QUESTION).str.head(_QUOTED)
        meant = pl.col(ROW).map_elements(golden[c.QUESTION].str.head(_QUOTED).__getitem__, pl.String)
        words = pl.lit('aligned as a person said: "') + theirs + pl.lit('" means "') + meant + pl.lit('"')
        notes.append(entries(_newly(aligned, near), load_log.NEAR, words))
        notes.append(entries(near.filter(pl.col(ROW).is_null()), load_log.UNALIGNED, _why_unaligned(golden)))
        aligned = near.filter(pl.col(ROW).is_not_null())
    return aligned, notes


def _newly(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The rows of `after` that have a ROW and had none `before`."""
    return after.filter(before[ROW].is_null() & after[ROW].is_not_null())


def _prefer_text(aligned: pl.DataFrame, numbered: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows, those whose text is exactly another golden question's aligned with that one; and an entry for each.

    Two files may both number their questions, from 0 and from 1.
    """
    golden_questions = numbered[c.QUESTION].gather(aligned[ROW])
    unlike = (aligned[c.QUESTION] != golden_questions).fill_null(value=False)
    if not unlike.any():
        return aligned, entries(aligned.clear(), load_log.OTHER_ID, "")
    by_text = _align_by(aligned.with_columns(pl.lit(None, pl.UInt32).alias(ROW)), numbered, pl.col(c.QUESTION))
    moved = unlike & by_text[ROW].is_not_null()
    rows = pl.select(pl.when(moved).then(by_text[ROW]).otherwise(aligned[ROW])).to_series()
    detail = "aligned by its question: its id belongs to another one"
    return aligned.with_columns(rows.alias(ROW)), entries(aligned.filter(moved), load_log.OTHER_ID, detail)


def _align_joined(responses: pl.DataFrame, numbered: pl.DataFrame, joined: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """The same rows with ROW filled in where a person joined the question's text with a golden question_id."""
    pairs = pl.DataFrame(list(joined), schema={c.QUESTION: pl.String, _KEY: pl.String}, orient="row")
    meant = pairs.unique(c.QUESTION, keep="first").join(
        numbered.select(pl.col(c.QUESTION_ID).alias(_KEY), pl.col(ROW).alias(_BY_TEXT)), on=_KEY
    )
    with_ids = responses.join(meant.drop(_KEY), on=c.QUESTION, how="left", maintain_order="left")
    return with_ids.with_columns(pl.coalesce(ROW, _BY_TEXT).alias(ROW)).drop(_BY_TEXT)


def repeated_entries(responses: pl.DataFrame, kept: pl.DataFrame) -> pl.DataFrame:
    """An entry for each response that is not the first of its question and pipeline, which are `kept`."""
    detail = pl.lit("this pipeline answers this question twice; one is kept")
    if responses.is_empty() or c.RESPONSE not in responses.columns:
        return entries(responses, load_log.DUPLICATE, detail)
    first = kept.select(ROW, c.PIPELINE, pl.col(c.RESPONSE).alias(_KEPT))
    beside = responses.join(first, on=[ROW, c.PIPELINE], how="left", maintain_order="left")
    is_same = pl.col(c.RESPONSE).eq_missing(pl.col(_KEPT))
    return entries(beside, load_log.DUPLICATE, pl.when(is_same).then(pl.lit(load_log.ANSWERED_ALIKE)).otherwise(detail))


def unanswered_entries(questions: pl.DataFrame) -> pl.DataFrame:
    """An entry for each golden question and pipeline of which no file says anything.

    Of a pipeline with more than UNANSWERED_LIMIT of them, one entry: for the first, with their number.
    """
    many = pl.len().over(c.PIPELINE) > UNANSWERED_LIMIT
    left = questions.filter(many).group_by(c.PIPELINE, maintain_order=True)
    firsts = left.agg(pl.all().first(), pl.len().alias(_COUNT))
    number = pl.col(_COUNT).map_elements("{:,}".format, pl.String)
    bulk = pl.lit("the first of ") + number + " golden questions without a response of this pipeline"
    few = entries(questions.filter(~many), load_log.UNANSWERED, "no response of this pipeline")
    return pl.concat([few, entries(firsts, load_log.UNANSWERED_IN_BULK, bulk)])


def list_unanswered(triplets: pl.DataFrame, pipelines: Iterable[str], there: pl.DataFrame) -> pl.DataFrame:
    """Entries for the questions (QUESTION_ID, FILE, LINE) and pipelines of which no row `there` says anything."""
    names = pl.DataFrame({c.PIPELINE: list(dict.fromkeys(pipelines))}, schema={c.PIPELINE: pl.String})
    expected = triplets.select(c.QUESTION_ID, FILE, LINE).join(names, how="cross")
    return unanswered_entries(expected.join(there, on=[c.QUESTION_ID, c.PIPELINE], how="anti", maintain_order="left"))


def stop_at_wrong_files(aligned: pl.DataFrame, files: Sequence[Source], *, asked_twice: bool = False) -> None:
    """Raise QavizError if no response aligned with the first file, the golden dataset's, or for too many pipelines.

    With `asked_twice` questions have several golden answers.
    """
    where = ", ".join(dict.fromkeys(source.name for source in files[1:]))
    if aligned.is_empty():
        expected = f"question_id or question as in {files[0].name}"
        fix = "Check that the files belong together and that the right columns are mapped; "
        fix += 'write ids alike ("001" is not "1").'
        if asked_twice:
            fix += " If a question has several golden answers: --map COLUMN=answer_variants joins them."
        raise stop(where, "no response to any question of the golden dataset", expected, fix)
    pipelines = aligned[c.PIPELINE].n_unique()
    if pipelines > PIPELINE_LIMIT:
        fix = "Map the column that names the pipeline; each of its repeats counts as one."
        raise stop(where, f"{pipelines:,} different pipelines", f"at most {PIPELINE_LIMIT:,}", fix)


def _align_by(responses: pl.DataFrame, numbered: pl.DataFrame, key: pl.Expr) -> pl.DataFrame:
    """The same rows with ROW filled in where `key` belongs to exactly one golden question."""
    once = numbered.select(key.alias(_KEY), pl.col(ROW).alias(_BY_TEXT)).unique(_KEY, keep="none")
    joined = responses.with_columns(key.alias(_KEY)).join(once, on=_KEY, how="left", maintain_order="left")
    return joined.with_columns(pl.coalesce(ROW, _BY_TEXT).alias(ROW)).drop(_KEY, _BY_TEXT)


def _split_id_conflicts(aligned: pl.DataFrame, golden: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows, without ROW those that ask something else than the golden dataset asks under their id; and the rows
    that ask the same in nearly the same words, or within a longer prompt."""
    golden_questions = golden[c.QUESTION].gather(aligned[ROW]).alias(_ASKED)
    placed = aligned.with_columns(golden_questions).with_row_index(_SPOT)
    # Evening white space is slow, equality is not: it goes first.
    unlike = placed.filter(pl.col(c.QUESTION) != pl.col(_ASKED)).filter(
        _even_blanks(c.QUESTION) != _even_blanks(_ASKED)
    )
    if unlike.is_empty():
        return aligned, aligned.clear()
    texts = unlike.select(normalise_text(c.QUESTION), normalise_text(_ASKED))
    inside = pl.col(c.QUESTION).str.contains(pl.col(_ASKED), literal=True) & (pl.col(_ASKED).str.len_chars() >= 10)
    # Two questions are the same but for spelling (in percent), or one is a longer prompt.
    alike = process.cpdist(texts[c.QUESTION].to_list(), texts[_ASKED].to_list(), scorer=fuzz.ratio) >= 95
    same = texts.select(inside).to_series() | pl.Series(alike)
    conflicts = unlike.filter(~same)[_SPOT]
    row = pl.when(pl.col(_SPOT).is_in(conflicts.implode())).then(None).otherwise(pl.col(ROW)).alias(ROW)
    return placed.with_columns(row).drop(_SPOT, _ASKED), unlike.filter(same)


def _even_blanks(name: str) -> pl.Expr:
    return pl.col(name).str.strip_chars().str.replace_all(r"\s+", " ")


def normalise_text(name: str) -> pl.Expr:
    """A column of texts without what spelling alone changes: case, width, accents' encoding, punctuation, spaces.

    Signs within words and numbers stay (`3.5`, `well-known`), and so does a sign that stands before a number (`-5`).
    """
    plain = pl.col(name).str.normalize("NFKC").str.to_lowercase()
    opened = plain.str.replace_all(r"(^|\s)[\p{Pi}\p{Ps}\"'¿¡]+", "$1")
    bare = opened.str.replace_all(r"[\p{P}&&[^%#]]+(\s|$)", "$1")
    return bare.str.replace_all(r"\s+", " ").str.strip_chars()


_LOOSER = (
    (load_log.WHITE_SPACE, "aligned by its question after white space was evened out", _even_blanks(c.QUESTION)),
    (
        load_log.NORMALISED,
        "aligned by its question after case and punctuation were evened out",
        normalise_text(c.QUESTION),
    ),
)
"""Ways to align questions whose texts differ: the kind that is listed, its sentence, the text that has to be equal."""


def _why_unaligned(golden: pl.DataFrame) -> pl.Expr:
    golden_questions = golden.select(_even_blanks(c.QUESTION)).to_series()
    return (
        pl.when(_even_blanks(c.QUESTION).is_in(golden_questions.filter(golden_questions.is_duplicated()).implode()))
        .then(pl.lit(load_log.ASKED_TWICE))
        .when(pl.col(c.QUESTION).is_not_null() & pl.col(c.QUESTION_ID).is_in(golden[c.QUESTION_ID].implode()))
        .then(
            pl.lit('the golden dataset asks something else under its id than "')
            + pl.col(c.QUESTION).str.head(_QUOTED)
            + '"'
        )
        .when(pl.col(c.QUESTION).is_not_null())
        .then(pl.lit('the golden dataset does not ask "') + pl.col(c.QUESTION).str.head(_QUOTED) + '"')
        .when(pl.col(c.QUESTION_ID).is_not_null())
        .then(pl.lit("the golden dataset has no question with this id"))
        .otherwise(pl.lit("neither question_id nor question"))
    )


_GIVEN = [column for column in c.RESPONSE_COLUMNS if column != c.QUESTION_ID]


@dataclass(frozen=True)
class Chunk:
    """Some of the responses, or all of them, ready to be scored."""

    rows: pl.DataFrame
    """One row a response, in the files' order: GOLDEN_COLUMNS, then RESPONSE_COLUMNS."""
    listed: pl.DataFrame
    """One row for each thing worth knowing: kind (a constant of `load_log`), where, question_id, pipeline, detail."""
    golden: pl.DataFrame
    """One row a triplet: GOLDEN_COLUMNS, null where missing; question_id never null, and unique. It is the whole golden
    dataset, the same for each chunk."""
    scored: bool = False
    """Whether the rows have scores that FMEval's own output brought."""
    sources: tuple[str, ...] = ()
    """Names of the files, of all chunks together."""


class Alignment:
    """A golden dataset, and the responses to it that have come so far."""

    def __init__(self, triplets: pl.DataFrame, files: Sequence[Source], beside: Sequence[str] = ()) -> None:
        """`triplets` has GOLDEN_COLUMNS, and for `list_unanswered` FILE and LINE.

        Problems name `files`, the golden dataset's first. Chunks have the columns `beside` of responses too.
        """
        self.triplets = triplets
        self._golden = triplets.select(c.GOLDEN_COLUMNS).rechunk()
        self._files = files
        self._given = [*_GIVEN, *beside]
        self._nulls: list[pl.DataFrame] = []
        # By pipeline, which golden questions it has answered: one byte each. So a repeated response is found exactly,
        # in whatever chunk or file the first one stood.
        self._answered: dict[str, npt.NDArray[np.bool_]] = {}

    def add(self, responses: pl.DataFrame) -> Chunk:
        """The first response of each pipeline to each question, in order, and what is to be listed of the others.

        Nulls wait for `list_nulls`: a response may follow. Raises QavizError for too many pipelines.
        """
        aligned, notes = align(responses, self.triplets, self._files[0].joined)
        if not aligned.is_empty():
            stop_at_wrong_files(pl.concat([self._list_pipelines(), aligned.select(c.PIPELINE)]), self._files)
        aligned = self._without_errors(aligned)
        given = pl.col(c.RESPONSE).is_not_null()
        nulls = aligned.filter(~given)
        ids = self._golden[c.QUESTION_ID].gather(nulls[ROW])
        self._nulls.append(nulls.select(ROW, c.PIPELINE, ids, FILE, LINE, ERROR))
        answers = aligned.filter(given)
        first = self._note(answers)
        kept = answers.filter(first)
        # One chunk: polars' own format() panics on frames whose first chunk is empty (2.1.0), as filters leave them.
        rows = pl.concat([self._golden[kept[ROW]], kept.select(self._given)], how="horizontal").rechunk()
        empty = kept.filter(~pl.col(c.RESPONSE).str.contains(r"\S"))
        notes.append(repeated_entries(answers.filter(~first), kept))
        notes.append(entries(empty, load_log.EMPTY_RESPONSE, "scored as an empty text"))
        listed = pl.concat(notes)
        return Chunk(rows, listed, self._golden)

    def _note(self, responses: pl.DataFrame) -> pl.Series:
        """Note responses (ROW, PIPELINE). Returns for each whether it is the first of its question and pipeline."""
        # One number for question and pipeline: at a million rows far smaller than the pair.
        pipeline = pl.col(c.PIPELINE).cast(pl.Categorical).to_physical().cast(pl.UInt64)
        pair = pl.col(ROW).cast(pl.UInt64) * 2**32 + pipeline
        first = responses.select(pair.is_first_distinct()).to_series().to_numpy().copy()
        for part in responses.select(ROW, c.PIPELINE).with_row_index(_PLACE).partition_by(c.PIPELINE):
            seen = self._answered.setdefault(part[c.PIPELINE][0], np.zeros(self.triplets.height, np.bool_))
            rows = part[ROW].to_numpy()
            first[part[_PLACE].to_numpy()] &= ~seen[rows]
            seen[rows] = True
        return pl.Series(first, dtype=pl.Boolean)

    def _list_pipelines(self) -> pl.DataFrame:
        return pl.DataFrame({c.PIPELINE: list(self._answered)}, schema={c.PIPELINE: pl.String})

    def _without_errors(self, aligned: pl.DataFrame) -> pl.DataFrame:
        """The rows with ERROR: a response that is an error message is missing, unless a person said it is an answer."""
        given = pl.col(c.ERROR) if c.ERROR in aligned.columns else pl.lit(None, pl.String)
        aligned = aligned.with_columns(pl.when(pl.col(c.RESPONSE).is_null()).then(_shorten(given)).alias(ERROR))
        if any(source.keep_errors for source in self._files):
            return aligned
        error = find_pipeline_errors(aligned[c.RESPONSE], aligned[ROW], self._golden)
        message = pl.when(error).then(_shorten(pl.col(c.RESPONSE)))
        aligned = aligned.with_columns(pl.coalesce(message, ERROR).alias(ERROR))
        return aligned.with_columns(pl.when(pl.col(ERROR).is_null()).then(c.RESPONSE).alias(c.RESPONSE))

    def list_nulls(self) -> pl.DataFrame:
        """Once all responses are in: an entry for each null that stood in place of one, or was an error message."""
        nulls = pl.concat(self._nulls)
        first = self._note(nulls)
        missing, is_error = nulls.filter(first), pl.col(ERROR).is_not_null()
        message = "an error message in place of a response, which is missing: " + pl.col(ERROR)
        null = entries(missing.filter(~is_error), load_log.UNANSWERED, load_log.NULL_RESPONSE)
        failed = entries(missing.filter(is_error), load_log.PIPELINE_ERROR, message)
        return pl.concat([null, failed, repeated_entries(nulls.filter(~first), missing)])

    def list_unanswered(self) -> pl.DataFrame:
        """Once the nulls are in: entries for the golden questions of which a pipeline said nothing.

        Raises QavizError if no response aligned at all.
        """
        questions = (
            self.triplets.select(normalise_text(c.QUESTION)).drop_nulls() if not self._answered else pl.DataFrame()
        )
        stop_at_wrong_files(self._list_pipelines(), self._files, asked_twice=questions.is_duplicated().any())
        questions = self.triplets.select(c.QUESTION_ID, FILE, LINE)
        return pl.concat(
            unanswered_entries(questions.filter(pl.Series(~seen)).with_columns(pl.lit(pipeline).alias(c.PIPELINE)))
            for pipeline, seen in self._answered.items()
        )


def _shorten(message: pl.Expr) -> pl.Expr:
    """An error message on one line, as the list shows it."""
    return message.str.slice(0, 120).str.replace_all(r"\s+", " ")  # as much as a list shows
