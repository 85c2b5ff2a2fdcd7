"""Triplets of replies: read, and as a golden dataset with the passages that they come from; what documents offer to ask
about, found without a model, and what triplets cover of them.
"""

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import NamedTuple

import polars as pl

from qaviz.documents.chunks import CHUNKS, list_sentences
from qaviz.generation.passages import PHRASES, names, read_values
from qaviz.generation.prove import ACCEPTED, NOT_ASKED, set_where
from qaviz.generation.refute import FACT, FAILED, QUESTION_TYPES, UNANSWERABLE, declines
from qaviz.golden.forms import equivalent_forms
from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import NOTE
from qaviz.llm import Reply
from qaviz.llm.requests import DoubledKeyError, refuse_doubled_keys
from qaviz.model import columns as c
from qaviz.reading import Kind
from qaviz.store.golden_versions import PASSAGES, passages, versions
from qaviz.store.workspace import Workspace

FLAGGED = "review"
"""The tag of a triplet that is flagged for review."""
MOST_OF_A_REPLY = 200
"""Triplets of one reply that are read."""
LONGEST_TEXT = 4_000
_QUOTED = 300
_NAMES: Mapping[str, Sequence[str]] = PHRASES["names_in_replies"]


class Produced(NamedTuple):
    """A triplet of a reply with what is found of it, or a piece of a reply that is no triplet."""

    question_id: str = ""
    chunk: str = ""
    kind: str = FACT
    question: str = ""
    answer: str = ""
    fact: str = ""
    status: str | None = None
    """`accepted`, `to review`, `refuted`, `not refuted` or `failed`; None while it is not checked."""
    rule: str | None = None
    reason: str | None = None
    note: str | None = None
    evidence: str = ""
    """What the second reader quotes from the passage."""
    reply: str = ""
    """Of a failure: the piece of the reply."""


PRODUCED = pl.Schema(Produced.__annotations__)
"""One row a triplet or failure, in the order of the chunks; the columns from `status` to `reason` are CHECKED."""


def read_replies(chunks: pl.DataFrame, replies: Sequence[Reply]) -> pl.DataFrame:
    """PRODUCED of the replies to the chunks, not checked yet: `status` is null but where something failed. Chunks with
    the same text, in copies of a document, were asked once and count once."""
    rows: list[Produced] = []
    seen: set[str] = set()
    for chunk, reply in zip(chunks["chunk"], replies, strict=True):
        if reply.key in seen or reply.failure in NOT_ASKED:
            continue
        seen.add(reply.key)
        for place, piece in enumerate(_read_reply(reply)):
            texts = (piece.reason or "", piece.reply) if piece.status else (piece.question, piece.answer, piece.fact)
            # What it was made from and what it says: the same reply makes the same ids.
            content = "\0".join((chunk, str(place), *texts)).encode(errors="surrogatepass")
            rows.append(piece._replace(question_id=hashlib.sha256(content).hexdigest()[:16], chunk=chunk))
    return pl.DataFrame(rows, schema=PRODUCED, orient="row").unique(c.QUESTION_ID, keep="first", maintain_order=True)


def _fail(why: str, piece: str) -> Produced:
    return Produced(kind="", status=FAILED, rule="reply", reason=why, reply=piece[:_QUOTED])


def _read_reply(reply: Reply) -> list[Produced]:
    """The triplets of a reply in order (`NONE` has none), and a failure for each piece that only looks like one."""
    text = reply.text
    if reply.failure:
        return [_fail(f"{reply.failure.value}: {reply.detail}" if reply.detail else reply.failure.value, text)]
    if text.strip().strip("`").strip().lower() in PHRASES["nothing"]:
        return []
    read: list[Produced] = []
    for piece in _read_objects(text):
        read += [_read_triplet(part) for part in _unfold(piece)] if isinstance(piece, dict) else [piece]
        if len(read) >= MOST_OF_A_REPLY:
            break
    if not read:
        why = "the reply is cut off" if reply.cut else "no JSON object in the reply"
        return [_fail(why if text.strip() else "the reply is empty", text)]
    return read[:MOST_OF_A_REPLY]


def _read_objects(text: str) -> Iterator[dict[str, object] | Produced]:
    """The JSON objects of a text; a failure for each that begins and cannot be read."""
    decoder = json.JSONDecoder(object_pairs_hook=refuse_doubled_keys, strict=False)
    at = text.find("{")
    while at >= 0:
        try:
            piece, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as error:
            following = text.find("\n{", at + 1)
            end = following if following >= 0 else len(text)
            why = "the object is cut off" if end == len(text) else "the object is no valid JSON"
            why = "a key stands twice in the object" if isinstance(error, DoubledKeyError) else why
            if '"' in text[at:end]:
                yield _fail(why, text[at:end])
        else:
            yield piece
        at = text.find("{", end)


def _unfold(piece: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
    """The object, or the objects of the list that it holds."""
    lists = [value for value in piece.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
    if lists and not any(name in piece for name in _NAMES["question"]):
        yield from (item for item in lists[0] if isinstance(item, dict))
    else:
        yield piece


def _read_triplet(piece: Mapping[str, object]) -> Produced:
    lower = {str(name).lower().strip(): value for name, value in piece.items()}
    fields = {
        name: _read_text(next((lower[name] for name in keys if name in lower), None)) for name, keys in _NAMES.items()
    }
    question, answer, fact = (fields[name] for name in ("question", "answer", "fact"))
    kind = (fields["kind"] or "").lower()
    kind = kind if kind in QUESTION_TYPES else FACT
    if question and answer and declines(answer, question):
        # Whatever type it is said to be of: what it claims is that there is no answer.
        kind, fact = UNANSWERABLE, ""
    if question is None or answer is None or (fact is None and kind != UNANSWERABLE):
        lacking = [name for name in ("question", "answer", "fact") if fields[name] is None]
        return _fail(f"the object has no text under {', '.join(lacking)}", json.dumps(piece, ensure_ascii=False))
    fact = "" if kind == UNANSWERABLE else fact or ""
    return Produced(kind=kind, question=question, answer=answer, fact=fact)


def _read_text(value: object) -> str | None:
    """A field as text: lists joined as variants; None for what is no text, or too long for one."""
    if isinstance(value, list) and value and all(isinstance(item, str | int | float) for item in value):
        value = c.OR_DELIMITER.join(str(item) for item in value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or len(value) > LONGEST_TEXT:
        return None
    return " ".join(value.encode(errors="replace").decode().split())


def golden_of(produced: pl.DataFrame, chunks: pl.DataFrame, review: float, seed: int) -> pl.DataFrame:
    """GOLDEN_COLUMNS of the accepted triplets, with other forms of their facts; a share of them is tagged FLAGGED."""
    accepted = produced.filter(pl.col("status") == ACCEPTED)
    # Flagged are those with the smallest hash of seed and id, ceil(review x number) of them.
    drawn = sorted(accepted[c.QUESTION_ID], key=lambda key: hashlib.sha256(f"{seed}\0{key}".encode()).digest())
    flagged = drawn[: math.ceil(round(review * len(drawn), 9))]
    places = {row["chunk"]: place_in_words(row) for row in chunks.iter_rows(named=True)}
    texts = accepted.select(c.FACT, c.ANSWER, c.QUESTION).iter_rows()
    answerable = pl.col("kind") != UNANSWERABLE
    golden = accepted.select(
        *(c.QUESTION_ID, c.QUESTION, c.ANSWER),
        pl.when(answerable).then(pl.Series([with_other_forms(*row) for row in texts], dtype=pl.String)).alias(c.FACT),
        pl.col("kind").alias(c.CATEGORY),
        answerable.alias(c.ANSWERABLE),
        pl.Series(c.SOURCE, [places[chunk] for chunk in accepted["chunk"]], pl.String),
        pl.col("evidence").replace("", None).alias(c.EVIDENCE),
        pl.when(pl.col(c.QUESTION_ID).is_in(flagged)).then(pl.lit(FLAGGED)).alias(c.TAGS),
    )
    kinds = {name: pl.Boolean() if name == c.ANSWERABLE else pl.String() for name in c.GOLDEN_COLUMNS}
    return golden.match_to_schema(pl.Schema(kinds), missing_columns="insert")


def note_lint(produced: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """PRODUCED with what lint finds wrong (errors and warnings) in `golden`, the accepted ones, in their notes."""
    findings = lint(golden).filter(pl.col("severity") != NOTE).group_by(c.QUESTION_ID, maintain_order=True)
    messages = findings.agg(pl.format("Lint, {}: {}", "rule", "message").str.join(" ").alias("lint"))
    noted = produced.join(messages, on=c.QUESTION_ID, how="left", maintain_order="left")
    both = pl.concat_str("note", "lint", separator=" ", ignore_nulls=True)
    return noted.with_columns(set_where(pl.col("lint").is_not_null(), note=both)).drop("lint")


def with_other_forms(fact: str, answer: str, question: str) -> str:
    """The fact with the forms that it lacks: other units, dates and numbers written otherwise."""
    return c.OR_DELIMITER.join([fact, *equivalent_forms(fact, answer, question)])


def place_in_words(chunk: Mapping[str, object]) -> str:
    """`report.pdf, page 3, characters 120 to 480`."""
    page = f", page {chunk['page']}" if chunk["page"] else ""
    return f"{chunk['document']}{page}, characters {chunk['start']} to {chunk['end']}"


def passages_of(
    produced: pl.DataFrame, chunks: pl.DataFrame, golden: pl.DataFrame, model: str, prompt: str
) -> pl.DataFrame:
    """PASSAGES of the accepted triplets."""
    places = chunks.unique("chunk", keep="first").rename({"text": "passage", "start": "start_at", "end": "end_at"})
    flagged = golden.select(c.QUESTION_ID, (pl.col(c.TAGS) == FLAGGED).fill_null(value=False).alias("flagged"))
    accepted = produced.filter(pl.col("status") == ACCEPTED).with_columns(model=pl.lit(model), prompt=pl.lit(prompt))
    placed = accepted.join(places, on="chunk", how="left", maintain_order="left")
    joined = placed.join(flagged, on=c.QUESTION_ID, how="left", maintain_order="left")
    return joined.match_to_schema(PASSAGES, missing_columns="insert", extra_columns="ignore", integer_cast="upcast")


DRAFTS = pl.Schema(
    dict.fromkeys(("answer", "fact", "document"), pl.String())
    | dict.fromkeys(("start", "end"), pl.Int64())
    | {"kind": pl.String(), "page": pl.Int64(), "chunk": pl.String()}
)
"""One row a fact: the sentence that states it, the fact with its other forms, where the sentence stands (characters of
the document's text), and whether the fact is an `amount`, a `date` or a `name`."""

AMOUNT, DATE, NAME = "amount", "date", "name"
_LEAST_WORDS, _LONGEST = 4, 600
"""Words that a sentence needs to hold a fact, and the most characters of one."""


def draft_facts(chunks: pl.DataFrame) -> pl.DataFrame:
    """DRAFTS of all chunks, in reading order; a sentence that two chunks share is drafted once."""
    rows: list[tuple[object, ...]] = []
    for chunk in chunks.iter_rows(named=True):
        for start, end, _ in list_sentences(chunk["text"]):
            sentence, place = chunk["text"][start:end], [chunk["start"] + start, chunk["start"] + end]
            enough = len(sentence.split()) >= _LEAST_WORDS or not sentence.isascii()
            for fact, kind in _find_facts(sentence) if enough and len(sentence) <= _LONGEST else ():
                forms = with_other_forms(fact, sentence, "")
                rows.append((sentence, forms, chunk["document"], *place, kind, chunk["page"], chunk["chunk"]))
    drafts = pl.DataFrame(rows, schema=DRAFTS, orient="row")
    return drafts.unique(["document", "start", "fact"], keep="first", maintain_order=True)


def _find_facts(sentence: str) -> list[tuple[str, str]]:
    """The first four facts of a sentence, each once: amounts, dates and names of two words, as they stand."""
    facts: list[tuple[int, str, str]] = []
    for value in read_values(sentence):
        fact = sentence[value.start : value.end].strip(" .,;")
        if any(char.isdigit() for char in fact):
            facts.append((value.start, fact, DATE if value.kind is Kind.DATE else AMOUNT))
    pairs = map(" ".join, pairwise(names(sentence, first_too=True)))
    facts += [(sentence.index(name), name, NAME) for name in pairs if name in sentence]
    unique = {fact: (fact, kind) for _, fact, kind in sorted(facts)}
    return [*unique.values()][:4]


COVERAGE = pl.Schema({"dimension": pl.String(), "value": pl.String(), "offered": pl.Int64(), "triplets": pl.Int64()})
"""One row a document and section: how many chunks it has, and the accepted triplets that come from it."""

DOCUMENT, SECTION = "document", "section"


def measure_coverage(produced: pl.DataFrame, chunks: pl.DataFrame) -> pl.DataFrame:
    """Return COVERAGE of CHUNKS by the accepted triplets of PRODUCED, in the order of the documents."""
    places = chunks.unique("chunk", keep="first").select("chunk", "document", "heading")
    accepted = produced.filter(pl.col("status") == ACCEPTED).join(places, on="chunk", maintain_order="left")
    section = pl.concat_str("document", pl.col("heading").replace("", None), separator=": ", ignore_nulls=True)
    parts = []
    for dimension, value in ((DOCUMENT, pl.col("document")), (SECTION, section)):
        offered = chunks.group_by(value.alias("value"), maintain_order=True).agg(pl.len().alias("offered"))
        having = accepted.group_by(value.alias("value"), maintain_order=True).agg(pl.len().alias("triplets"))
        joined = offered.join(having, on="value", how="left", maintain_order="left")
        filled = joined.with_columns(pl.col("triplets").fill_null(0))
        parts.append(filled.select(pl.lit(dimension).alias("dimension"), pl.all()).cast(COVERAGE))
    return pl.concat(parts)


def read_kept(workspace: Workspace, line: str) -> tuple[pl.DataFrame, pl.DataFrame]:
    """PRODUCED of the triplets that the newest version of a generated dataset has, and the CHUNKS they come from."""
    golden = workspace.golden(versions(workspace, line)[-1].golden_id)
    texts = golden.select(c.QUESTION_ID, c.QUESTION, *(pl.col(text).fill_null("") for text in (c.ANSWER, c.FACT)))
    kept = passages(workspace, line).join(texts, on=c.QUESTION_ID, maintain_order="left")
    produced = kept.with_columns(note=pl.lit(None, pl.String), status=pl.lit(ACCEPTED))
    chunks = kept.rename({"passage": "text", "start_at": "start", "end_at": "end"}).unique("chunk", maintain_order=True)
    fit = partial(pl.DataFrame.match_to_schema, missing_columns="insert", extra_columns="ignore")
    return fit(produced, PRODUCED), fit(chunks.sort("document", "start"), CHUNKS)
