"""Responses to the golden dataset's questions: by id, else by the question's text. What does not align is listed."""

from collections.abc import Sequence

import polars as pl

from qaviz.loading import load_log
from qaviz.loading.column_mapping import PIPELINE_LIMIT
from qaviz.loading.load_log import entries
from qaviz.loading.source import Source
from qaviz.model.columns import PIPELINE, QUESTION, QUESTION_ID, RESPONSE
from qaviz.model.errors import stop

ROW = "\0row"
"""The golden dataset's row that a response answers."""

ERROR = "\0error"
"""The pipeline's error message that stood in place of a response; null where there was none."""

UNANSWERED_LIMIT = 1000
"""Most unanswered questions of a pipeline that are listed one by one: there may be a thousand such pipelines."""

_ASKED = "\0asked"
_KEY = "\0key"
_COUNT = "\0count"
_BY_TEXT = "\0by text"

_QUOTED = 80
"""Characters of a question that the list quotes."""


def align(
    responses: pl.DataFrame, golden: pl.DataFrame, by_id: bool, joined: Sequence[tuple[str, str]] = ()
) -> tuple[pl.DataFrame, list[pl.DataFrame]]:
    """The responses that answer a golden question, with ROW, in order; and what is to be listed of all of them.

    A response aligns by its id if `by_id`, unless its text is exactly that of another golden question; else by its
    question's exact text, then with white space evened out, then with case and punctuation evened out, then by the
    pairs in `joined` (a question's text and the golden question_id that a person said it means). All but the first two
    are listed. A text that the golden dataset asks more than once aligns with none of them.
    """
    numbered = golden.with_row_index(ROW)
    ids = numbered.select(QUESTION_ID, ROW) if by_id else numbered.select(QUESTION_ID, ROW).clear()
    aligned, other_ids = _prefer_text(responses.join(ids, on=QUESTION_ID, how="left", maintain_order="left"), numbered)
    other = "aligned by its id, though the golden dataset asks something else under it"
    notes = [other_ids, entries(_other_questions(aligned, golden), load_log.OTHER_QUESTION, other)]
    if aligned.get_column(ROW).null_count():
        aligned = _align_by(aligned, numbered, pl.col(QUESTION))
        for kind, words, key in _LOOSER:
            looser = _align_by(aligned, numbered, key)
            notes.append(entries(_newly(aligned, looser), kind, words))
            aligned = looser
        near = _align_joined(aligned, numbered, joined)
        notes.append(entries(_newly(aligned, near), load_log.NEAR, _near_words(golden)))
        notes.append(entries(near.filter(pl.col(ROW).is_null()), load_log.UNALIGNED, _why_unaligned(golden)))
        aligned = near.filter(pl.col(ROW).is_not_null())
    return aligned, notes


def _newly(before: pl.DataFrame, after: pl.DataFrame) -> pl.DataFrame:
    """The rows of `after` that have a ROW and had none `before`."""
    return after.filter(before.get_column(ROW).is_null() & after.get_column(ROW).is_not_null())


def _prefer_text(aligned: pl.DataFrame, numbered: pl.DataFrame) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The rows, those whose text is exactly another golden question's aligned with that one; and an entry for each.

    Two files may both number their questions, from 0 and from 1.
    """
    asked = numbered.get_column(QUESTION).gather(aligned.get_column(ROW))
    unlike = (aligned.get_column(QUESTION) != asked).fill_null(value=False)
    if not unlike.any():
        return aligned, entries(aligned.clear(), load_log.OTHER_ID, "")
    by_text = _align_by(aligned.with_columns(pl.lit(None, pl.UInt32).alias(ROW)), numbered, pl.col(QUESTION))
    moved = unlike & by_text.get_column(ROW).is_not_null()
    rows = pl.select(pl.when(moved).then(by_text.get_column(ROW)).otherwise(aligned.get_column(ROW))).to_series()
    said = "aligned by its question: its id belongs to another one"
    return aligned.with_columns(rows.alias(ROW)), entries(aligned.filter(moved), load_log.OTHER_ID, said)


def _align_joined(responses: pl.DataFrame, numbered: pl.DataFrame, joined: Sequence[tuple[str, str]]) -> pl.DataFrame:
    """The same rows with ROW filled in where a person joined the question's text with a golden question_id."""
    pairs = pl.DataFrame(list(joined), schema={QUESTION: pl.String, _KEY: pl.String}, orient="row")
    meant = pairs.unique(QUESTION, keep="first").join(
        numbered.select(pl.col(QUESTION_ID).alias(_KEY), pl.col(ROW).alias(_BY_TEXT)), on=_KEY
    )
    found = responses.join(meant.drop(_KEY), on=QUESTION, how="left", maintain_order="left")
    return found.with_columns(pl.coalesce(ROW, _BY_TEXT).alias(ROW)).drop(_BY_TEXT)


def _near_words(golden: pl.DataFrame) -> pl.Expr:
    """What is said of a response that a person joined with a question: both texts."""
    texts = golden.get_column(QUESTION).str.head(_QUOTED)
    asked = pl.col(ROW).map_elements(texts.__getitem__, pl.String)
    theirs = pl.col(QUESTION).str.head(_QUOTED)
    return pl.lit('aligned as a person said: "') + theirs + pl.lit('" means "') + asked + pl.lit('"')


def repeated_entries(responses: pl.DataFrame) -> pl.DataFrame:
    """An entry for each response that is not the first of its question and pipeline."""
    return entries(responses, load_log.DUPLICATE, "this pipeline answers this question twice; one is kept")


def empty_entries(responses: pl.DataFrame) -> pl.DataFrame:
    """An entry for each response that says nothing."""
    empty = responses.filter(~pl.col(RESPONSE).str.contains(r"\S"))
    return entries(empty, load_log.EMPTY_RESPONSE, "scored as an empty text")


def null_entries(responses: pl.DataFrame) -> pl.DataFrame:
    """An entry for each null that stands in place of a response, and for each that was an error message (ERROR)."""
    is_error = pl.col(ERROR).is_not_null()
    said = pl.lit("an error message in place of a response, which is missing: ") + pl.col(ERROR)
    return pl.concat(
        [
            entries(responses.filter(~is_error), load_log.UNANSWERED, "the file has a null in place of the response"),
            entries(responses.filter(is_error), load_log.PIPELINE_ERROR, said),
        ]
    )


def unanswered_entries(questions: pl.DataFrame) -> pl.DataFrame:
    """An entry for each golden question and pipeline of which no file says anything.

    Of a pipeline with more than UNANSWERED_LIMIT of them, one entry: for the first, with their number.
    """
    many = pl.len().over(PIPELINE) > UNANSWERED_LIMIT
    firsts = (
        questions.filter(many).group_by(PIPELINE, maintain_order=True).agg(pl.all().first(), pl.len().alias(_COUNT))
    )
    number = pl.col(_COUNT).map_elements("{:,}".format, pl.String)
    bulk = pl.lit("the first of ") + number + " golden questions without a response of this pipeline"
    return pl.concat(
        [
            entries(questions.filter(~many), load_log.UNANSWERED, "no response of this pipeline"),
            entries(firsts, load_log.UNANSWERED_IN_BULK, bulk),
        ]
    )


def stop_at_wrong_files(aligned: pl.DataFrame, files: Sequence[Source]) -> None:
    """Raise QavizError if no response aligned with the first file, the golden dataset's, or for too many pipelines."""
    where = ", ".join(dict.fromkeys(source.name for source in files[1:]))
    if aligned.is_empty():
        expected = f"question_id or question as in {files[0].name}"
        fix = "Check that the files belong together and that the right columns are mapped."
        raise stop(where, "no response to any question of the golden dataset", expected, fix)
    pipelines = aligned.get_column(PIPELINE).n_unique()
    if pipelines > PIPELINE_LIMIT:
        fix = "Map the column that names the pipeline; each of its repeats counts as one."
        raise stop(where, f"{pipelines:,} different pipelines", f"at most {PIPELINE_LIMIT:,}", fix)


def _align_by(responses: pl.DataFrame, numbered: pl.DataFrame, key: pl.Expr) -> pl.DataFrame:
    """The same rows with ROW filled in where `key` belongs to exactly one golden question."""
    once = numbered.select(key.alias(_KEY), pl.col(ROW).alias(_BY_TEXT)).unique(_KEY, keep="none")
    found = responses.with_columns(key.alias(_KEY)).join(once, on=_KEY, how="left", maintain_order="left")
    return found.with_columns(pl.coalesce(ROW, _BY_TEXT).alias(ROW)).drop(_KEY, _BY_TEXT)


def _other_questions(aligned: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    asked = golden.get_column(QUESTION).gather(aligned.get_column(ROW)).alias(_ASKED)
    # Evening white space is slow, equality is not: it goes first.
    unlike = aligned.with_columns(asked).filter(pl.col(QUESTION) != pl.col(_ASKED))
    return unlike.filter(_even_blanks(QUESTION) != _even_blanks(_ASKED))


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
    (load_log.WHITE_SPACE, "aligned by its question after white space was evened out", _even_blanks(QUESTION)),
    (
        load_log.NORMALISED,
        "aligned by its question after case and punctuation were evened out",
        normalise_text(QUESTION),
    ),
)
"""Ways to align questions whose texts differ: the kind that is listed, its sentence, the text that has to be equal."""


def _why_unaligned(golden: pl.DataFrame) -> pl.Expr:
    asked = golden.select(_even_blanks(QUESTION)).to_series()
    return (
        pl.when(_even_blanks(QUESTION).is_in(asked.filter(asked.is_duplicated()).implode()))
        .then(pl.lit("the golden dataset asks this question more than once: question_id has to say which is meant"))
        .when(pl.col(QUESTION).is_not_null())
        .then(pl.lit('the golden dataset does not ask "') + pl.col(QUESTION).str.head(_QUOTED) + '"')
        .when(pl.col(QUESTION_ID).is_not_null())
        .then(pl.lit("the golden dataset has no question with this id"))
        .otherwise(pl.lit("neither question_id nor question"))
    )
