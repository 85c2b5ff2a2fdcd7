"""From documents to a golden dataset: read, cut, ask, refute, prove, keep. What was asked before is not asked again.
`generate` is the same for notebooks.
"""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import polars as pl

from qaviz.documents import Document, chunk_documents, find_documents, read_documents
from qaviz.generation import prove as proving
from qaviz.generation import triplets
from qaviz.generation.passages import Corpus
from qaviz.generation.prove import ACCEPTED, NOT_ASKED, NOT_READ, TO_REVIEW, decide_triplets, find_lacks, plan_proofs
from qaviz.generation.refute import FAILED, REFUTED, refute_triplets
from qaviz.generation.settings import Generation, build_requests, change_generation, read_generation
from qaviz.generation.triplets import FLAGGED
from qaviz.llm import Caps, Estimate, Reply, Session, Settings, open_session, parse_caps
from qaviz.llm.costs import Spend, add_estimates
from qaviz.llm.proof import Passage, proof_request, proof_requests, prove
from qaviz.llm.sending import Cancelled
from qaviz.llm.session import knows_price
from qaviz.loading import silent
from qaviz.model.columns import QUESTION_ID, TAGS
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress
from qaviz.review.statement import refuse_stopped
from qaviz.store import golden_versions as store
from qaviz.store.labels import NOT_REFUTED
from qaviz.store.tables import checked_name
from qaviz.store.workspace import Workspace

TOKENS_FOR_MONEY = 100_000
"""Tokens that stand for one unit of a money cap where the model's price is unknown: at most ten units a million."""

_SOME_QUESTION = "Which figure does the document of this organisation state for the year that is asked about here?"
"""As long as a question is: calls that prove triplets are estimated before there are any."""


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Documents that were read, and their chunks."""

    documents: tuple[Document, ...]
    chunks: pl.DataFrame
    """CHUNKS."""
    problems: tuple[Problem, ...]
    """What could not be read."""

    @property
    def notes(self) -> list[str]:
        """What was left out of documents that were read, each with the document's name."""
        return [f"{document.name}: {note}" for document in self.documents for note in document.notes]


@dataclass(frozen=True, kw_only=True)
class Generated:
    """The result of a generation."""

    collection: Collection
    produced: pl.DataFrame
    """PRODUCED: accepted ones, those to review or not refuted, refuted and failed ones."""
    golden: pl.DataFrame
    """GOLDEN_COLUMNS of the accepted ones."""
    passages: pl.DataFrame
    """PASSAGES of the accepted ones."""
    not_asked: int
    """Chunks that have no reply yet, and triplets that nobody has read a second time, because of a cap, a cancel, or a
    recording without them."""
    spend: Spend
    """Of this generation; what was asked before is free."""
    stopped: str | None
    """Which cap stopped the asking."""
    recorded: bool
    """Whether a recording answered."""

    def count(self, *status: str) -> int:
        """How many of what was produced have one of these: `accepted`, `to review`, `refuted`, `failed`, ..."""
        return self.produced.filter(pl.col("status").is_in(status)).height

    @property
    def counts(self) -> dict[str, int]:
        """documents, chunks, calls, produced, accepted, to_review, refuted, failed, flagged."""
        return {
            "documents": len(self.collection.documents),
            "chunks": self.collection.chunks.height,
            "calls": self.spend.calls,
            "produced": self.produced.height,
            "accepted": self.count(ACCEPTED),
            "to_review": self.count(TO_REVIEW, NOT_REFUTED),
            "refuted": self.count(REFUTED),
            "failed": self.count(FAILED),
            "flagged": self.golden.filter(pl.col(TAGS) == FLAGGED).height,
        }


def read_collection(addresses: Sequence[str], made: Generation, progress: Progress) -> Collection:
    """Read the documents at these paths, folders and addresses and cut them; the same document is taken once, under
    whatever names it is there.

    Raises QavizError if no document can be read, with all that is wrong.
    """
    files, unknown = find_documents(addresses)
    documents, unread = read_documents(files, progress)
    problems = (*unknown, *unread)
    if not documents:
        raise QavizError(*problems) if problems else stop("documents", "none", "files or folders", "Name some.")
    kept = list_once(documents)
    return Collection(documents=kept, chunks=chunk_documents(kept, made.chunking), problems=problems)


def list_once(documents: Sequence[Document]) -> tuple[Document, ...]:
    """The documents without those whose bytes are those of one before."""
    return tuple({document.sha256: document for document in reversed(documents)}.values())[::-1]


def generate_triplets(
    session: Session,
    collection: Collection,
    made: Generation,
    *,
    prover: str | None,
    corrections: Mapping[str, store.Correction],
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Generated:
    """Ask for the chunks' triplets, refute what words can, and have the `prover` read the others a second time. Without
    a prover nothing is accepted but what people have confirmed. The session is this generation's alone. Raises
    QavizError as `Session.ask` does."""
    chunks = collection.chunks
    replies = session.ask(build_requests(chunks, made), progress=progress, cancelled=cancelled)
    corpus = Corpus(chunks)
    produced = _check(session, chunks, replies, made, corpus, corrections, cancelled)
    stopped = session.stopped
    if prover is not None:
        reader, calls = session.for_model(prover), plan_proofs(produced, corpus)
        proofs = prove(reader, [call.item for call in calls], progress=progress, cancelled=cancelled)
        produced = decide_triplets(produced, calls, proofs, corpus)
        stopped = stopped or reader.stopped
    golden = triplets.golden_of(produced, chunks, made.review, made.seed)
    produced = triplets.note_lint(produced, golden)
    unread = produced.filter(pl.col("rule") == NOT_READ).height
    return Generated(
        collection=collection,
        produced=produced,
        golden=golden,
        passages=triplets.passages_of(produced, chunks, golden, session.model, made.prompt.hash),
        not_asked=len({reply.key for reply in replies if reply.failure in NOT_ASKED}) + unread,
        spend=session.spend,
        stopped=stopped,
        recorded=session.recorded,
    )


def _check(
    session: Session,
    chunks: pl.DataFrame,
    replies: Sequence[Reply],
    made: Generation,
    corpus: Corpus,
    corrections: Mapping[str, store.Correction],
    cancelled: Cancelled | None,
) -> pl.DataFrame:
    """PRODUCED of the replies: failed, refuted, to review where the question lacks something, confirmed, or not. A
    question that lacks something is written again once by the model and checked again, unless a person wrote it."""
    language = made.prompt.language
    checked = refute_triplets(correct(triplets.read_replies(chunks, replies), corrections), corpus, language)
    if lacks := find_lacks(checked, corpus):
        of_model = {triplet: lack for triplet, lack in lacks.items() if triplet not in corrections}
        written = session.ask(proving.rewrite_requests(checked, of_model, corpus), cancelled=cancelled)
        checked = refute_triplets(proving.read_rewrites(checked, of_model, written), corpus, language)
        checked = proving.leave_to_people(checked, corpus)
    return confirm(checked, corrections)


def correct(produced: pl.DataFrame, corrections: Mapping[str, store.Correction]) -> pl.DataFrame:
    """PRODUCED with the texts that people wrote for some triplets; what had failed is checked with them."""
    if not corrections:
        return produced
    own = [
        {QUESTION_ID: name} | {text: getattr(correction, text) for text in store.CORRECTED}
        for name, correction in corrections.items()
    ]
    texts = pl.DataFrame(own, dict.fromkeys((QUESTION_ID, *store.CORRECTED), pl.String))
    unchecked = proving.set_where(pl.col(QUESTION_ID).is_in([*corrections]), status=None, rule=None, reason=None)
    return produced.with_columns(unchecked).update(texts, on=QUESTION_ID)


def confirm(produced: pl.DataFrame, corrections: Mapping[str, store.Correction]) -> pl.DataFrame:
    """PRODUCED with those accepted that are not refuted and that a person has read and confirmed."""
    confirmed = [question for question, correction in corrections.items() if correction.confirmed]
    now = pl.col("status").is_in([TO_REVIEW, NOT_REFUTED]) & pl.col(QUESTION_ID).is_in(confirmed)
    note = pl.concat_str(pl.lit("A person has confirmed it."), "reason", separator=" ", ignore_nulls=True)
    return produced.with_columns(proving.set_where(now, status=ACCEPTED, note=note, rule=None, reason=None))


def estimate_generation(session: Session, collection: Collection, made: Generation, prover: str | None) -> Estimate:
    """What asking for all triplets and proving them will take, less what was asked before. Nothing is asked."""
    chunks = collection.chunks
    requests = build_requests(chunks, made)
    asking = session.estimate(requests)
    if prover is None:
        return asking
    replies, corpus = session.ask(requests, cancelled=lambda: True), Corpus(chunks)
    checked = _check(session, chunks, replies, made, corpus, {}, lambda: True)
    passages = chunks.select("text", "document", "heading").iter_rows()
    unasked = [Passage(*row) for row, reply in zip(passages, replies, strict=True) if reply.failure in NOT_ASKED]
    stand_ins = [proof_request(passage, [_SOME_QUESTION] * made.prompt.per_chunk) for passage in unasked]
    proofs = proof_requests([call.item for call in plan_proofs(checked, corpus)])
    return add_estimates(asking, session.for_model(prover).estimate([*proofs, *stand_ins]))


def refuse_more(workspace: Workspace, name: str) -> None:
    """Raise QavizError where a review has stopped the dataset of this name: nothing joins it, or is paid for."""
    line = store.named_datasets(workspace).get(name)
    if line:
        refuse_stopped(workspace, line)


def keep_dataset(workspace: Workspace, name: str, generated: Generated, by: str) -> store.GoldenVersion | None:
    """Keep the accepted triplets as the golden dataset of this name; None, and nothing is kept, if there is none.
    Raises QavizError as `refuse_more` and `store.keep_generated` do."""
    refuse_more(workspace, name)
    if generated.golden.is_empty():
        return None
    return store.keep_generated(workspace, name, generated.golden, generated.passages, by)


def gone_triplets(workspace: Workspace, name: str, chunks: pl.DataFrame) -> pl.DataFrame:
    """PASSAGES of the dataset's triplets whose chunk is in none of its documents any more, where the document was read.
    They stay in the dataset until a person removes them."""
    line = store.named_datasets(workspace).get(checked_name(name, store.NAME_OF_DATASET))
    if line is None:
        return store.passages(workspace, "").head(0)
    there = workspace.golden(store.versions(workspace, line)[-1].golden_id)[QUESTION_ID]
    kept = store.passages(workspace, line).filter(pl.col(QUESTION_ID).is_in(there.implode()))
    read = pl.col("document").is_in(chunks["document"].unique().implode())
    return kept.filter(read & ~pl.col("chunk").is_in(chunks["chunk"].implode()))


def journal_of(workspace: Workspace, name: str) -> Path:
    """Where the replies for the dataset of this name are kept, as they came."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    file = f"{plain}-{sha256(name.encode()).hexdigest()[:8]}".lstrip("-")
    return workspace.folder / "journals" / f"generate-{file}.jsonl"


def read_corrections(workspace: Workspace, name: str) -> dict[str, store.Correction]:
    """What people wrote for the dataset's triplets. A file of before goes into the index; QavizError for a bad one."""
    file, there = journal_of(workspace, name).with_suffix(".mended.json"), store.kept_corrections(workspace, name)
    if not file.exists():
        return there
    try:
        before = {
            str(question): store.Correction(
                **{text: str(texts[text]) for text in store.CORRECTED}, confirmed="confirmed" in texts
            )
            for question, texts in json.loads(file.read_text(encoding="utf-8")).items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        fix = "Remove it: the triplets are then as the model wrote them."
        raise stop(str(file), f"a file that cannot be read ({error})", "corrected triplets", fix) from None
    store.keep_corrections(workspace, name, {question: before[question] for question in before.keys() - there}, None)
    file.unlink()
    return before | there


def payable(settings: Settings) -> tuple[Settings, str | None]:
    """The settings with a cap that can be counted, and what to say of it. A cap in money needs a price. Where it is
    unknown, tokens are capped instead: TOKENS_FOR_MONEY for each unit."""
    caps = settings.caps
    if caps.money is None or knows_price(settings):
        return settings, None
    tokens = min(int(caps.money * TOKENS_FOR_MONEY), caps.tokens or 10**12)
    words = (
        f"No price of {settings.model} is known, so that {caps.money:g} {caps.currency} cannot be counted: "
        f"{tokens:,} tokens are the cap instead. Name your file of prices with --prices."
    )
    return replace(settings, caps=Caps(tokens=tokens, calls=caps.calls, currency=caps.currency)), words


def generate(
    paths: str | Path | Sequence[str | Path],
    *,
    model: str,
    prover: str | None = None,
    prove: bool = True,
    cap: str | None = None,
    review: float | None = None,
    config: Path | None = None,
    workspace: Workspace | None = None,
    dataset: str | None = None,
    replay: Path | None = None,
    by: str = "notebook",
    progress: Progress | None = None,
) -> Generated:
    """Make triplets from documents, each proved from its passage; with a workspace and a name they are kept there.
    `paths` are files, folders, patterns and `s3://bucket/folder`; `model`, `cap` and `config` as in docs/generation.md.
    The `prover`, by default the same model, reads each question a second time; without `prove` nothing is accepted. Of
    what is returned `golden` has the accepted triplets, `produced` all of them with their reasons, `passages` where
    each comes from (polars tables), and `counts` the numbers. Without a workspace replies are not kept. Raises
    QavizError if no document can be read, or the model cannot be asked."""
    made = read_generation(config)
    if review is not None:
        made = change_generation(made, {"review": review})
    named = checked_name(dataset, store.NAME_OF_DATASET) if dataset is not None else ""
    home = workspace if named else None
    if home:
        refuse_more(home, named)
    addresses = [paths] if isinstance(paths, str | Path) else paths
    collection = read_collection([str(address) for address in addresses], made, progress or silent)
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        journal = journal_of(home, named) if home else Path(folder) / "journal.jsonl"
        settings = Settings(model=model, journal=journal, caps=parse_caps([cap] if cap else []), replay=replay)
        corrections, reader = read_corrections(home, named) if home else {}, (prover or model) if prove else None
        with open_session(payable(settings)[0]) as session:
            generated = generate_triplets(
                session, collection, made, prover=reader, corrections=corrections, progress=progress
            )
    if home:
        keep_dataset(home, named, generated, by)
    return generated
