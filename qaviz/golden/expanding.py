"""Other forms of golden answers: a model proposes them once a question, rules prove them, and people confirm the rest.

A form only joins the variants of a fact; what stands there is never replaced.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.golden.variants import ACCEPTED, LONGEST, REJECTED, TO_REVIEW, Check, ProposedTo, check_form
from qaviz.judging.prompts import NONCE
from qaviz.llm import Fence, Reply, Request, Session, Tool, fence_texts
from qaviz.llm.requests import object_schema, read_objects
from qaviz.llm.sending import Cancelled
from qaviz.model.classes import Verdict
from qaviz.model.columns import (
    AND_DELIMITER,
    ANSWER,
    FACT,
    FACTUAL_KNOWLEDGE,
    LABEL,
    OR_DELIMITER,
    PIPELINE,
    QUESTION,
    QUESTION_ID,
    RESPONSE,
)
from qaviz.model.records import Progress
from qaviz.store.golden_versions import AFTER, BEFORE, EDITS, FIELD, RULE, GoldenVersion, kept_edits, versions
from qaviz.store.labels import ANSWER_FORMS, FORM, STATUS, kept_answer_forms, kept_labels
from qaviz.store.workspace import Workspace

PROPOSED_FORM = "proposed-form"
"""The rule of lint that shows what is to review, and that an edit of this origin names."""
PASSAGE = "passage"
TOOL_NAME = "submit_forms"
MOST_FORMS = 8
"""Forms of one answer that are asked for, and read."""


def select_expandable(golden: pl.DataFrame) -> pl.DataFrame:
    """The triplets of GOLDEN_COLUMNS whose fact can have further forms: a fact, and not one joined by `<AND>`."""
    fact = pl.col(FACT).fill_null("")
    return golden.filter(fact.str.strip_chars() != "", ~fact.str.contains(AND_DELIMITER, literal=True))


def requests_for_forms(golden: pl.DataFrame, passages: Mapping[str, str]) -> list[Request]:
    """One request a triplet, in their order; `passages` are by question_id, where there is one.

    Only the first variant is shown: variants that join the fact do not make the request another one.
    """
    triplets = golden.select(QUESTION_ID, QUESTION, ANSWER, FACT).iter_rows()
    return [
        build_request(question, answer or "", fact.split(OR_DELIMITER)[0], passages.get(question_id, ""))
        for question_id, question, answer, fact in triplets
    ]


def build_request(question: str, answer: str, fact: str, passage: str) -> Request:
    """The request for other forms of one answer. The same triplet makes the same request."""
    fence = _fence(question, answer, fact, passage)
    lines = (
        "You list other ways in which a correct response could state the golden fact of a question.",
        "Each form means exactly the same, no more and no less: another name of the same thing, an abbreviation or "
        "what it stands for, the same amount in another unit or notation, the same date in another format, a usual "
        "short form, a usual spelling, its name in another language of the question's readers.",
        f"At most {MOST_FORMS} forms of at most {LONGEST} characters, none of them a sentence. "
        "Leave out what is wider, narrower or only likely; an empty list is a good reply.",
        fence.notice,
        f"Call the function {TOOL_NAME} once, or reply with its arguments as one JSON object and nothing else; "
        f'"{NONCE}" is "{fence.nonce}".',
    )
    forms = {"type": "array", "maxItems": MOST_FORMS, "items": {"type": "string"}}
    parameters = object_schema({NONCE: {"type": "string", "enum": [fence.nonce]}, "forms": forms})
    tool = Tool(name=TOOL_NAME, description="Submit other forms of the golden fact.", parameters=parameters)
    return Request(system="\n".join(lines), prompt=fence.text, temperature=0.1, max_tokens=400, tool=tool)


def _fence(question: str, answer: str, fact: str, passage: str) -> Fence:
    texts = {PASSAGE: passage, QUESTION: question, ANSWER: answer, "golden_fact": fact}
    return fence_texts({name: text for name, text in texts.items() if text})


def read_forms(reply: Reply, nonce: str) -> list[str] | None:
    """The forms of a reply, each once and on one line; None where it is no reply to what was asked."""
    if reply.failure or reply.cut:
        return None
    objects = [content for content in read_objects(reply.text) if content is None or content.get(NONCE) == nonce]
    forms = objects[0].get("forms") if len(objects) == 1 and objects[0] else None
    if not isinstance(forms, list):
        return None
    texts = (" ".join(form.split()) for form in forms[:MOST_FORMS] if isinstance(form, str))
    return [*dict.fromkeys(filter(None, texts))]


def expand_answers(
    session: Session,
    golden: pl.DataFrame,
    passages: Mapping[str, str],
    wrong: pl.DataFrame,
    model: str,
    *,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> tuple[pl.DataFrame, int]:
    """Ask for other forms of each answer of `select_expandable`, and check each: ANSWER_FORMS, and how many answers
    have no reply that can be read. Raises as `Session.ask`.

    `passages` are by question_id; `wrong` are `list_wrong_responses`.
    """
    requests = requests_for_forms(golden, passages)
    replies = session.ask(requests, progress=progress, cancelled=cancelled)
    wrong_of = dict(wrong.group_by(QUESTION_ID).agg(RESPONSE).iter_rows())
    rows, unread = list[tuple[str, ...]](), 0
    for (question_id, question, answer, fact), reply in zip(
        golden.select(QUESTION_ID, QUESTION, ANSWER, FACT).iter_rows(), replies, strict=True
    ):
        passage = passages.get(question_id, "")
        forms = read_forms(reply, _fence(question, answer or "", fact.split(OR_DELIMITER)[0], passage).nonce)
        if forms is None:
            unread += 1
        checked = _check_in_turn(forms or [], ProposedTo(question, answer or "", fact, wrong_of.get(question_id, ())))
        rows += [(question_id, form, question, fact, *check, model) for form, check in checked]
    return pl.DataFrame(rows, schema=ANSWER_FORMS, orient="row"), unread


def _check_in_turn(forms: Sequence[str], triplet: ProposedTo) -> Iterator[tuple[str, Check]]:
    """Each form with its check; one that an accepted form before it would match is of no more use."""
    for form in forms:
        check = check_form(form, triplet)
        if check.status == ACCEPTED:
            triplet = replace(triplet, fact=f"{triplet.fact}{OR_DELIMITER}{form}")
        yield form, check


def edits_of_forms(golden: pl.DataFrame, forms: pl.DataFrame) -> pl.DataFrame:
    """EDITS that add accepted forms (ANSWER_FORMS) behind the variants of their facts; nothing is taken away."""
    accepted = still_proposed(golden, forms.filter(pl.col(STATUS) == ACCEPTED))
    added = accepted.group_by(QUESTION_ID, maintain_order=True).agg(pl.col(FORM).str.join(OR_DELIMITER))
    facts = added.join(golden.select(QUESTION_ID, FACT), on=QUESTION_ID, maintain_order="left")
    return facts.select(
        QUESTION_ID,
        pl.lit(FACT).alias(FIELD),
        pl.lit(None, pl.String).alias(BEFORE),
        pl.concat_str(FACT, FORM, separator=OR_DELIMITER).alias(AFTER),
        pl.lit(PROPOSED_FORM).alias(RULE),
    ).select(EDITS.names())


def still_proposed(golden: pl.DataFrame, forms: pl.DataFrame) -> pl.DataFrame:
    """The forms (ANSWER_FORMS) whose question and first variant are still there, and that no variant matches yet."""
    now = golden.select(
        QUESTION_ID, pl.col(QUESTION).alias("question_now"), pl.col(FACT).fill_null("").alias("fact_now")
    )
    first = pl.col(FACT).str.split(OR_DELIMITER).list.first().str.strip_chars()
    level = pl.element().str.to_lowercase().str.strip_chars()
    variants = pl.col("fact_now").str.split(OR_DELIMITER).list.eval(level)
    there = forms.join(now, on=QUESTION_ID, maintain_order="left").filter(
        pl.col(QUESTION) == pl.col("question_now"),
        variants.list.contains(first.str.to_lowercase()),
    )
    new = [
        not any(variant.strip().lower() in form.lower() for variant in fact.split(OR_DELIMITER) if variant.strip())
        for form, fact in there.select(FORM, "fact_now").iter_rows()
    ]
    return there.filter(pl.Series(new, dtype=pl.Boolean)).select(ANSWER_FORMS.names())


def count_forms(forms: pl.DataFrame) -> dict[str, int]:
    """How many forms are accepted, to review and rejected, each by its name."""
    counted = dict(forms[STATUS].value_counts().iter_rows())
    return {status: counted.get(status, 0) for status in (ACCEPTED, TO_REVIEW, REJECTED)}


MOST_RUNS = 20
"""Runs whose labels a form is held against, the newest first."""


def journal_of_forms(workspace: Workspace, line: str) -> Path:
    """Where the replies about this line of golden dataset versions are kept, as they came."""
    file = workspace.folder / "journals" / f"expand-{line}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def list_wrong_responses(workspace: Workspace, line: str) -> pl.DataFrame:
    """QUESTION_ID and RESPONSE of responses in runs of this line that people call wrong and the fact misses."""
    of_line = {version.golden_id for version in versions(workspace, line)}
    tables = [pl.DataFrame(schema={QUESTION_ID: pl.String(), RESPONSE: pl.String()})]
    for run in [run for run in workspace.runs() if run.golden_id in of_line][:MOST_RUNS]:
        labels = kept_labels(workspace, run).unique([QUESTION_ID, PIPELINE], keep="last")
        wrong = labels.filter(pl.col(LABEL) != Verdict.CORRECT.value)
        if not wrong.is_empty():
            rows = workspace.rows(run, (QUESTION_ID, PIPELINE, RESPONSE, FACTUAL_KNOWLEDGE))
            missed = rows.filter(pl.col(FACTUAL_KNOWLEDGE).fill_null(0) == 0).join(wrong, on=[QUESTION_ID, PIPELINE])
            tables.append(missed.drop_nulls(RESPONSE).select(QUESTION_ID, RESPONSE))
    return pl.concat(tables)


def edits_not_taken_back(workspace: Workspace, version: GoldenVersion) -> pl.DataFrame:
    """`edits_of_forms` of this version, without forms that an earlier version had and somebody has taken away."""
    forms = kept_answer_forms(workspace, version.golden_id)
    earlier = kept_edits(workspace, version.line).filter(pl.col(RULE) == PROPOSED_FORM).drop_nulls(AFTER)
    added = earlier.select(QUESTION_ID, pl.col(AFTER).str.split(OR_DELIMITER).alias(FORM)).explode(FORM)
    return edits_of_forms(workspace.golden(version.golden_id), forms.join(added, on=[QUESTION_ID, FORM], how="anti"))
