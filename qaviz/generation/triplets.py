"""What passages are asked for; replies become triplets, these pass the gate, and what passed becomes a dataset."""

import hashlib
import math
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from qaviz.documents import ChunkRow
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.gate import ACCEPTED, REJECTED, UNPROVED, Bm25, check_triplets
from qaviz.generation.gate.cases import UNANSWERABLE
from qaviz.generation.gate.kinds import MISSPELLING, QUESTION_TYPES
from qaviz.generation.gate.passages import JOINT, join_chunks
from qaviz.generation.prompting import Generation, Prompt, parse_reply
from qaviz.golden.forms import equivalent_forms
from qaviz.golden.lint import lint
from qaviz.golden.lint.findings import NOTE
from qaviz.llm import Failure, Reply
from qaviz.model import columns as c
from qaviz.model.errors import stop
from qaviz.store.golden_versions import PASSAGES

FAILED = "failed"
CONFIRMED = "confirmed"
"""The key under which a person's own words for a triplet say that it is right as it stands."""
TO_REVIEW = "review"
"""The tag of a triplet that is flagged for review."""


class Produced(NamedTuple):
    """A triplet of a reply with what the gate says of it, or a piece of a reply that is no triplet."""

    question_id: str
    chunk: str
    kind: str = ""
    question: str = ""
    answer: str = ""
    fact: str = ""
    status: str | None = None
    """`accepted`, `to review`, `rejected` or `failed`; None while it is not checked."""
    rule: str | None = None
    reason: str | None = None
    margin: float | None = None
    note: str | None = None
    reply: str = ""
    """Of a failure: the piece of the reply."""
    turns: str = ""
    """Of a follow-up, a line each: the question and the answer before it, and the follow-up as it is put."""


PRODUCED = pl.Schema(Produced.__annotations__)
"""One row a triplet or failure, in the order of the chunks; the columns from `status` to `note` are CHECKED."""

NOT_ASKED = (Failure.CAP, Failure.CANCELLED, Failure.NOT_RECORDED)
"""Why a chunk has no reply that is no failure: it was not asked yet."""


def plan_prompts(prompt: Prompt, documents: Sequence[int]) -> list[Prompt]:
    """The prompt of each passage in turn, by of how many documents it is: with the types that turn on so many.

    With a mix each asks for its types by number, so that all together have it: each triplet asked for is of the type
    that lacks most of its share so far, so no type is ever off by a whole one. Languages and personas take turns.
    """
    asked_for = dict.fromkeys(prompt.mix, 0)
    return [
        _take_turn(replace(prompt, **_select_types(prompt, number, asked_for)), place)
        for place, number in enumerate(documents)
    ]


def share_of_two(prompt: Prompt) -> float:
    """Which share of the triplets turns on two documents."""
    shares = prompt.mix or dict.fromkeys(prompt.types, 1 / max(1, len(prompt.types)))
    return sum(share for name, share in shares.items() if QUESTION_TYPES[name].documents > 1)


def _take_turn(prompt: Prompt, place: int) -> Prompt:
    if prompt.personas:
        prompt = replace(prompt, personas=(prompt.personas[place % len(prompt.personas)],))
    if prompt.languages:
        prompt = replace(prompt, language=prompt.languages[place % len(prompt.languages)], languages=())
    return prompt


def _select_types(prompt: Prompt, documents: int, asked_for: dict[str, int]) -> dict[str, Any]:
    """The types and mix of a passage of so many documents; counts in `asked_for` what is asked for."""
    types = tuple(name for name in prompt.types if QUESTION_TYPES[name].documents == documents)
    shares = {name: share for name, share in prompt.mix.items() if QUESTION_TYPES[name].documents == documents}
    if not shares:
        return {"types": types, "mix": {}}
    whole = sum(shares.values())
    numbers = dict.fromkeys(shares, 0)
    for _ in range(prompt.per_chunk):
        so_far = sum(asked_for[name] for name in shares) + 1
        lacking = {name: share / whole * so_far - asked_for[name] for name, share in shares.items()}
        name = max(lacking, key=lacking.__getitem__)
        asked_for[name] += 1
        numbers[name] += 1
    return {"types": types, "mix": {name: number / prompt.per_chunk for name, number in numbers.items() if number}}


def pair_chunks(chunks: pl.DataFrame, prompt: Prompt) -> pl.DataFrame:
    """CHUNKS that join two of different documents, as many as the prompt's types over two documents need.

    Each has a chunk, taken at even distances, and the one of another document that is most like it, by BM25. Raises
    QavizError where such types are asked for and all chunks are of one document.
    """
    share, rows = share_of_two(prompt), [*c.typed_rows(chunks, ChunkRow)]
    if not share:
        return chunks.clear()
    documents = np.array([row["document"] for row in rows])
    if len(set(documents)) < 2:
        raise stop("documents", "one", "two or more for questions over two documents", "Name more, or change the mix.")
    if share >= 1:
        expected = "one type over a single document, at least"
        raise stop("question types", "only types over two documents", expected, "Add one, such as single fact.")
    number = min(len(rows), math.ceil(round(share / (1 - share) * len(rows), 9)))
    index = Bm25([f"{row['heading']} {row['text']}" for row in rows])
    joined: dict[frozenset[str], ChunkRow] = {}
    for place in range(number):
        row = rows[place * len(rows) // number]
        scores = index.scores(f"{row['heading']} {row['text']}")
        scores[documents == row["document"]] = -1
        other = rows[int(scores.argmax())]
        joined.setdefault(frozenset((row["chunk"], other["chunk"])), join_chunks(row, other))
    return pl.DataFrame([*joined.values()], schema=CHUNKS)


def read_replies(chunks: pl.DataFrame, replies: Sequence[Reply]) -> pl.DataFrame:
    """PRODUCED of the replies to the chunks, not checked yet: `status` is null but where something failed.

    Chunks with the same text, in copies of a document, were asked once and count once.
    """
    rows: list[Produced] = []
    seen: set[str] = set()
    for chunk, reply in zip(chunks["chunk"], replies, strict=True):
        if reply.key in seen or reply.failure in NOT_ASKED:
            continue
        seen.add(reply.key)
        rows += _read_reply(chunk, reply)
    return pl.DataFrame(rows, schema=PRODUCED, orient="row").unique(c.QUESTION_ID, keep="first", maintain_order=True)


def _read_reply(chunk: str, reply: Reply) -> list[Produced]:
    if reply.failure:
        detail = f": {reply.detail}" if reply.detail else ""
        return [_fail_triplet(chunk, 0, f"{reply.failure.value}{detail}", reply.text[:300])]
    rows = []
    for place, parsed in enumerate(parse_reply(reply.text, cut=reply.cut)):
        if parsed.failure:
            rows.append(_fail_triplet(chunk, place, parsed.failure, parsed.piece))
        else:
            texts = (parsed.question, parsed.answer, parsed.fact)
            own = triplet_id(chunk, str(place), *texts)
            rows.append(Produced(own, chunk, parsed.kind, *texts, turns=parsed.turns))
    return rows


def _fail_triplet(chunk: str, place: int, why: str, piece: str) -> Produced:
    known_by = triplet_id(chunk, str(place), why, piece)
    return Produced(known_by, chunk, status=FAILED, rule="reply", reason=why, reply=piece)


def triplet_id(*parts: str) -> str:
    """A triplet's id: what it was made from and what it says; the same reply makes the same ids."""
    return hashlib.sha256("\0".join(parts).encode(errors="surrogatepass")).hexdigest()[:16]


def check_produced(produced: pl.DataFrame, chunks: pl.DataFrame, made: Generation) -> pl.DataFrame:
    """PRODUCED with every triplet accepted or rejected, by the gate and by how many a document may have."""
    failed = produced["status"].eq_missing(FAILED)
    checked = check_triplets(produced.filter(~failed), chunks, made.prompt.wanted_languages).select(PRODUCED.names())
    order = produced.select(c.QUESTION_ID)
    joined = order.join(
        pl.concat([checked, produced.filter(failed)]), on=c.QUESTION_ID, how="left", maintain_order="left"
    )
    return joined if made.per_document is None else _limit_documents(joined, chunks, made.per_document)


def _limit_documents(produced: pl.DataFrame, chunks: pl.DataFrame, most: int) -> pl.DataFrame:
    """Reject what a document has beyond its number: first each chunk's first triplet is taken, then each second one."""
    places = chunks.unique("chunk", keep="first").select("chunk", "document")
    accepted = produced.filter(pl.col("status") == ACCEPTED).join(places, on="chunk", maintain_order="left")
    ranked = accepted.with_row_index("place").with_columns(pl.col("place").rank("ordinal").over("chunk").alias("rank"))
    ordered = ranked.sort("rank", "place").with_columns(pl.int_range(pl.len()).over("document").alias("number"))
    beyond = ordered.filter(pl.col("number") >= most)[c.QUESTION_ID]
    over = pl.col(c.QUESTION_ID).is_in(beyond.implode())
    why = f"Its document has {most:,} accepted triplets already, spread over its chunks."
    return produced.with_columns(
        pl.when(over).then(pl.lit(REJECTED)).otherwise("status").alias("status"),
        pl.when(over).then(pl.lit("quota")).otherwise("rule").alias("rule"),
        pl.when(over).then(pl.lit(why)).otherwise("reason").alias("reason"),
    )


def golden_of(produced: pl.DataFrame, chunks: pl.DataFrame, made: Generation) -> pl.DataFrame:
    """GOLDEN_COLUMNS of the accepted triplets, with other forms of their facts; `review` is the tag of flagged ones."""
    accepted = produced.filter(pl.col("status") == ACCEPTED)
    flagged = set(flag_for_review(accepted[c.QUESTION_ID], made.review, made.seed))
    places = {row["chunk"]: row for row in c.typed_rows(chunks.unique("chunk", keep="first"), ChunkRow)}
    rows = [
        {
            c.QUESTION_ID: row[c.QUESTION_ID],
            c.QUESTION: misspell(row[c.QUESTION], row[c.QUESTION_ID])
            if row["kind"] == MISSPELLING
            else row[c.QUESTION],
            c.ANSWER: row[c.ANSWER],
            c.FACT: None
            if row["kind"] == UNANSWERABLE
            else with_other_forms(row[c.FACT], row[c.ANSWER], row[c.QUESTION]),
            c.CATEGORY: row["kind"],
            c.ANSWERABLE: row["kind"] != UNANSWERABLE,
            c.SOURCE: place_in_words(places[row["chunk"]]),
            c.TAGS: TO_REVIEW if row[c.QUESTION_ID] in flagged else None,
        }
        for row in accepted.iter_rows(named=True)
    ]
    kinds = {name: pl.Boolean() if name == c.ANSWERABLE else pl.String() for name in c.GOLDEN_COLUMNS}
    return pl.DataFrame(rows, schema=kinds)


def note_lint(produced: pl.DataFrame, golden: pl.DataFrame) -> pl.DataFrame:
    """PRODUCED with what lint finds wrong in accepted triplets (errors and warnings) added to their notes.

    `golden` are the accepted ones, as `golden_of` returns them.
    """
    findings = lint(golden).filter(pl.col("severity") != NOTE).group_by(c.QUESTION_ID, maintain_order=True)
    messages = findings.agg(pl.format("Lint, {}: {}", "rule", "message").str.join(" ").alias("lint"))
    noted = produced.join(messages, on=c.QUESTION_ID, how="left", maintain_order="left")
    both = pl.concat_str("note", "lint", separator=" ", ignore_nulls=True)
    return noted.with_columns(pl.when(pl.col("lint").is_null()).then("note").otherwise(both).alias("note")).drop("lint")


def with_other_forms(fact: str, answer: str, question: str) -> str:
    """The fact with the forms that it lacks: other units, dates and numbers written otherwise."""
    return c.OR_DELIMITER.join([fact, *equivalent_forms(fact, answer, question)])


def place_in_words(chunk: Mapping[str, object]) -> str:
    """`report.pdf, page 3, characters 120 to 480`; of a passage that joins two: their documents."""
    if JOINT in str(chunk["chunk"]):
        return str(chunk["document"])
    page = f", page {chunk['page']}" if chunk["page"] else ""
    return f"{chunk['document']}{page}, characters {chunk['start']} to {chunk['end']}"


_PLAIN_WORD = re.compile(r"(?<![\w'’-])[a-zà-ỹ]{5,}(?![\w'’-])")
MOST_MISSPELLED = 2
"""Words of a question with a typing error."""


def misspell(question: str, seed: str) -> str:
    """The question with typing errors, as people make them: two letters exchanged, one doubled or left out.

    Names, figures and short words stay as they are, so that the question is still about the same. The same seed makes
    the same errors.
    """
    rng = random.Random(seed)  # no secret hangs on it
    words = [*_PLAIN_WORD.finditer(question)]
    for match in sorted(rng.sample(words, min(MOST_MISSPELLED, len(words))), key=lambda word: -word.start()):
        word = match.group()
        at = rng.randrange(1, len(word) - 2)
        ways = (
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at : at + 1] + word[at:],
            word[:at] + word[at + 1 :],
        )
        changed = rng.choice([way for way in ways if way != word])
        question = question[: match.start()] + changed + question[match.end() :]
    return question


def flag_for_review(ids: Sequence[str] | pl.Series, share: float, seed: int) -> list[str]:
    """The ids that are flagged: ceil(share x number) of them, those with the smallest hash of seed and id."""
    number = math.ceil(round(share * len(ids), 9))
    return sorted(ids, key=lambda key: hashlib.sha256(f"{seed}\0{key}".encode()).digest())[:number]


def passages_of(
    produced: pl.DataFrame, chunks: pl.DataFrame, golden: pl.DataFrame, model: str, prompt: str
) -> pl.DataFrame:
    """PASSAGES of the accepted triplets."""
    places = chunks.unique("chunk", keep="first").rename({"text": "passage", "start": "start_at", "end": "end_at"})
    flagged = golden.select(c.QUESTION_ID, (pl.col(c.TAGS) == TO_REVIEW).fill_null(value=False).alias("flagged"))
    joined = (
        produced.filter(pl.col("status") == ACCEPTED)
        .join(places, on="chunk", how="left", maintain_order="left")
        .join(flagged, on=c.QUESTION_ID, how="left", maintain_order="left")
    )
    return joined.with_columns(model=pl.lit(model), prompt=pl.lit(prompt)).select(
        pl.col(name).cast(kind) for name, kind in PASSAGES.items()
    )


def mend(produced: pl.DataFrame, mended: Mapping[str, Mapping[str, str]]) -> pl.DataFrame:
    """PRODUCED with the texts that a person wrote for some triplets, by their id: question, answer, fact."""
    ids = produced[c.QUESTION_ID]
    columns = {
        name: pl.Series(
            [mended.get(question_id, {}).get(name, text) for question_id, text in zip(ids, produced[name], strict=True)]
        )
        for name in (c.QUESTION, c.ANSWER, c.FACT)
    }
    written = pl.col(c.QUESTION_ID).is_in([*mended])
    texts = produced.with_columns(column.cast(pl.String).alias(name) for name, column in columns.items())
    return texts.with_columns(pl.when(written).then(None).otherwise("status").alias("status"))


def confirm(produced: pl.DataFrame, mended: Mapping[str, Mapping[str, str]]) -> pl.DataFrame:
    """PRODUCED with those accepted that were to review and that a person has read and confirmed."""
    confirmed = [question for question, texts in mended.items() if CONFIRMED in texts]
    now = (pl.col("status") == UNPROVED) & pl.col(c.QUESTION_ID).is_in(confirmed)
    note = pl.format("A person has confirmed it. {}", "reason")
    return produced.with_columns(
        pl.when(now).then(pl.lit(ACCEPTED)).otherwise("status").alias("status"),
        pl.when(now).then(note).otherwise("note").alias("note"),
        *(pl.when(now).then(None).otherwise(name).alias(name) for name in ("rule", "reason")),
    )
