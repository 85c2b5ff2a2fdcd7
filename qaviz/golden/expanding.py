"""Other forms of golden answers: a model proposes them once a question, rules prove them, and people confirm the rest.

A form only joins the variants of a fact; what stands there is never replaced.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import polars as pl

from qaviz.golden.variants import ACCEPTED, LONGEST, REJECTED, TO_REVIEW, ProposedTo, check_form
from qaviz.judging.prompts import NONCE
from qaviz.llm import Fence, Reply, Request, Session, Tool, fence_texts
from qaviz.llm.requests import object_schema, read_objects
from qaviz.model import columns as c
from qaviz.model.classes import Verdict
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
MOST_RUNS = 20
"""Runs whose labels a form is held against, the newest first."""


def select_expandable(golden: pl.DataFrame) -> pl.DataFrame:
    """The triplets of GOLDEN_COLUMNS whose fact can have further forms: a fact, and not one joined by `<AND>`."""
    fact = pl.col(c.FACT).fill_null("")
    return golden.filter(fact.str.strip_chars() != "", ~fact.str.contains(c.AND_DELIMITER, literal=True))


def _fence_triplets(golden: pl.DataFrame, passages: Mapping[str, str]) -> list[Fence]:
    """What a model is shown of each triplet; `passages` are by question_id, where there is one.

    Only the first variant is shown: variants that join the fact do not make the request another one.
    """
    names = (PASSAGE, c.QUESTION, c.ANSWER, "golden_fact")
    triplets = golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT).iter_rows()
    shown = (
        (passages.get(question_id), question, answer, fact.split(c.OR_DELIMITER)[0])
        for question_id, question, answer, fact in triplets
    )
    return [fence_texts({name: text for name, text in zip(names, texts, strict=True) if text}) for texts in shown]


def requests_for_forms(golden: pl.DataFrame, passages: Mapping[str, str]) -> list[Request]:
    """One request a triplet, in their order, for other forms of its answer. The same triplet makes the same request."""
    return [_build_request(fence) for fence in _fence_triplets(golden, passages)]


def _build_request(fence: Fence) -> Request:
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
) -> tuple[pl.DataFrame, int]:
    """Ask for other forms of each answer of `select_expandable`, and check each: ANSWER_FORMS, and how many answers
    have no reply that can be read. Raises as `Session.ask`.

    `passages` are by question_id; `wrong` are `list_wrong_responses`.
    """
    fences = _fence_triplets(golden, passages)
    replies = session.ask([_build_request(fence) for fence in fences], progress=progress)
    wrong_of = dict(wrong.group_by(c.QUESTION_ID).agg(c.RESPONSE).iter_rows())
    rows, unread = list[tuple[str, ...]](), 0
    triplets = golden.select(c.QUESTION_ID, c.QUESTION, c.ANSWER, c.FACT).iter_rows()
    for (question_id, question, answer, fact), fence, reply in zip(triplets, fences, replies, strict=True):
        forms = read_forms(reply, fence.nonce)
        unread += forms is None
        triplet = ProposedTo(question, answer or "", fact, wrong_of.get(question_id, ()))
        for form in forms or []:
            check = check_form(form, triplet)
            rows.append((question_id, form, question, fact, *check, model))
            if check.status == ACCEPTED:  # a further form that it matches is of no more use
                triplet = replace(triplet, fact=f"{triplet.fact}{c.OR_DELIMITER}{form}")
    return pl.DataFrame(rows, schema=ANSWER_FORMS, orient="row"), unread


def edits_of_forms(golden: pl.DataFrame, forms: pl.DataFrame) -> pl.DataFrame:
    """EDITS that add accepted forms (ANSWER_FORMS) behind the variants of their facts; nothing is taken away."""
    accepted = still_proposed(golden, forms.filter(pl.col(STATUS) == ACCEPTED))
    added = accepted.group_by(c.QUESTION_ID, maintain_order=True).agg(pl.col(FORM).str.join(c.OR_DELIMITER))
    facts = added.join(golden.select(c.QUESTION_ID, c.FACT), on=c.QUESTION_ID, maintain_order="left")
    return facts.select(
        c.QUESTION_ID,
        pl.lit(c.FACT).alias(FIELD),
        pl.lit(None, pl.String).alias(BEFORE),
        pl.concat_str(c.FACT, FORM, separator=c.OR_DELIMITER).alias(AFTER),
        pl.lit(PROPOSED_FORM).alias(RULE),
    ).select(EDITS.names())


def still_proposed(golden: pl.DataFrame, forms: pl.DataFrame) -> pl.DataFrame:
    """The forms (ANSWER_FORMS) whose question and first variant are still there, and that no variant matches yet."""
    now = golden.select(c.QUESTION_ID, c.QUESTION, pl.col(c.FACT).fill_null("").alias("fact_now"))
    first = pl.col(c.FACT).str.split(c.OR_DELIMITER).list.first().str.strip_chars().str.to_lowercase()
    level = pl.element().str.to_lowercase().str.strip_chars()
    variants = pl.col("fact_now").str.split(c.OR_DELIMITER).list.eval(level)
    there = forms.join(now, on=[c.QUESTION_ID, c.QUESTION], maintain_order="left").filter(variants.list.contains(first))
    new = [
        not any(variant.strip().lower() in form.lower() for variant in fact.split(c.OR_DELIMITER) if variant.strip())
        for form, fact in there.select(FORM, "fact_now").iter_rows()
    ]
    return there.filter(pl.Series(new, dtype=pl.Boolean)).select(ANSWER_FORMS.names())


def count_forms(forms: pl.DataFrame) -> dict[str, int]:
    """How many forms are accepted, to review and rejected, each by its name."""
    counted = dict(forms[STATUS].value_counts().iter_rows())
    return {status: counted.get(status, 0) for status in (ACCEPTED, TO_REVIEW, REJECTED)}


def journal_of_forms(workspace: Workspace, line: str) -> Path:
    """Where the replies about this line of golden dataset versions are kept, as they came."""
    file = workspace.folder / "journals" / f"expand-{line}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    return file


def list_wrong_responses(workspace: Workspace, line: str) -> pl.DataFrame:
    """QUESTION_ID and RESPONSE of responses in runs of this line that people call wrong and the fact misses."""
    of_line = {version.golden_id for version in versions(workspace, line)}
    tables = [pl.DataFrame(schema={c.QUESTION_ID: pl.String(), c.RESPONSE: pl.String()})]
    for run in [run for run in workspace.runs() if run.golden_id in of_line][:MOST_RUNS]:
        labels = kept_labels(workspace, run).unique([c.QUESTION_ID, c.PIPELINE], keep="last")
        wrong = labels.filter(pl.col(c.LABEL) != Verdict.CORRECT.value)
        if not wrong.is_empty():
            rows = workspace.rows(run, (c.QUESTION_ID, c.PIPELINE, c.RESPONSE, c.FACTUAL_KNOWLEDGE))
            missed = rows.filter(pl.col(c.FACTUAL_KNOWLEDGE).fill_null(0) == 0).join(
                wrong, on=[c.QUESTION_ID, c.PIPELINE]
            )
            tables.append(missed.drop_nulls(c.RESPONSE).select(c.QUESTION_ID, c.RESPONSE))
    return pl.concat(tables)


def edits_not_taken_back(workspace: Workspace, version: GoldenVersion) -> pl.DataFrame:
    """`edits_of_forms` of this version, without forms that an earlier version had and somebody has taken away."""
    forms = kept_answer_forms(workspace, version.golden_id)
    earlier = kept_edits(workspace, version.line).filter(pl.col(RULE) == PROPOSED_FORM).drop_nulls(AFTER)
    added = earlier.select(c.QUESTION_ID, pl.col(AFTER).str.split(c.OR_DELIMITER).alias(FORM)).explode(FORM)
    return edits_of_forms(workspace.golden(version.golden_id), forms.join(added, on=[c.QUESTION_ID, FORM], how="anti"))
