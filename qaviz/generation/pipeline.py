"""From documents to a golden dataset: read, cut, ask, prove, keep; on this machine or under Ray. What was asked before
is not asked again. `generate` is the same for notebooks.
"""

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import polars as pl
import pyarrow as pa

from qaviz.bulk.shards import map_shards
from qaviz.documents import ChunkRow, Document, chunk_documents, find_documents, read_documents
from qaviz.documents.chunks import CHUNKS
from qaviz.generation.coverage import GapPlan
from qaviz.generation.gate import ACCEPTED, REJECTED, UNPROVED
from qaviz.generation.gate.passages import JOINT
from qaviz.generation.prompting import Generation, build_request, check_generation, read_generation
from qaviz.generation.triplets import (
    FAILED,
    NOT_ASKED,
    TO_REVIEW,
    check_produced,
    confirm,
    golden_of,
    mend,
    note_lint,
    pair_chunks,
    passages_of,
    plan_prompts,
    read_replies,
)
from qaviz.llm import Caps, Estimate, Reply, Request, Session, Settings, open_session, parse_caps
from qaviz.llm.journal import entry_of, open_journal
from qaviz.llm.session import Cancelled, knows_price
from qaviz.loading import silent
from qaviz.model.columns import QUESTION_ID, TAGS, typed_rows
from qaviz.model.errors import Problem, QavizError, stop
from qaviz.model.records import Progress
from qaviz.review.statement import refuse_stopped
from qaviz.store.files import replacing
from qaviz.store.golden_versions import (
    GoldenVersion,
    checked_dataset_name,
    keep_generated,
    named_datasets,
    passages,
    versions,
)
from qaviz.store.workspace import Workspace

JOURNALS_FOLDER = "journals"
TOKENS_FOR_MONEY = 100_000
"""Tokens that stand for one unit of a money cap where the model's price is unknown: at most ten units a million."""

WORKERS = 2
"""Workers that rates and caps are divided by."""
BATCH = 64
"""Most chunks that a worker asks before the driver keeps the replies."""


@dataclass(frozen=True, kw_only=True)
class Collection:
    """Documents that were read, and their chunks."""

    documents: tuple[Document, ...]
    chunks: pl.DataFrame
    """CHUNKS."""
    problems: tuple[Problem, ...]
    """What could not be read."""
    joined: pl.DataFrame = field(default_factory=lambda: pl.DataFrame(schema=CHUNKS))
    """CHUNKS that join two of different documents, for questions over both."""

    @property
    def passages(self) -> pl.DataFrame:
        """CHUNKS and those that join two."""
        return pl.concat([self.chunks, self.joined])

    @property
    def notes(self) -> list[str]:
        """What was left out of documents that were read, each with the document's name."""
        return [f"{document.name}: {note}" for document in self.documents for note in document.notes]


@dataclass(frozen=True, kw_only=True)
class Generated:
    """The result of a generation."""

    collection: Collection
    produced: pl.DataFrame
    """PRODUCED: accepted ones, those to review, rejected and failed ones."""
    golden: pl.DataFrame
    """GOLDEN_COLUMNS of the accepted ones."""
    passages: pl.DataFrame
    """PASSAGES of the accepted ones."""
    not_asked: int
    """Chunks that have no reply yet, because of a cap, a cancel, or a recording without them."""
    calls: int
    """Requests that were sent now, retries too."""
    cost: float | None
    """What they cost; None where no price is known."""
    currency: str
    tokens: int
    stopped: str | None
    """Which cap stopped the asking."""
    recorded: bool
    """Whether a recording answered."""

    def count(self, status: str) -> int:
        """How many of what was produced are `accepted`, `to review`, `rejected` or `failed`."""
        return self.produced.filter(pl.col("status") == status).height

    @property
    def counts(self) -> dict[str, int]:
        """documents, chunks, calls, produced, accepted, to_review, rejected, failed, flagged."""
        return {
            "documents": len(self.collection.documents),
            "chunks": self.collection.chunks.height,
            "calls": self.calls,
            "produced": self.produced.height,
            "accepted": self.count(ACCEPTED),
            "to_review": self.count(UNPROVED),
            "rejected": self.count(REJECTED),
            "failed": self.count(FAILED),
            "flagged": self.golden.filter(pl.col(TAGS) == TO_REVIEW).height,
        }


def read_collection(addresses: Sequence[str], made: Generation, progress: Progress) -> Collection:
    """Read the documents at these paths, folders and addresses and cut them; the same document is taken once.

    Raises QavizError if no document can be read, with all that is wrong.
    """
    files, unknown = find_documents(addresses)
    documents, unread = read_documents(files, progress)
    by_content = {(document.sha256, document.name): document for document in documents}
    problems = (*unknown, *unread)
    if not documents:
        raise QavizError(*problems) if problems else stop("documents", "none", "files or folders", "Name some.")
    kept = tuple(by_content.values())
    chunks = chunk_documents(kept, made.chunking)
    return Collection(documents=kept, chunks=chunks, problems=problems, joined=pair_chunks(chunks, made.prompt))


def requests_for(chunks: pl.DataFrame, made: Generation) -> list[Request]:
    """One request a chunk or joined passage, in their order."""
    rows = [*typed_rows(chunks, ChunkRow)]
    prompts = plan_prompts(made.prompt, [1 + row["chunk"].count(JOINT) for row in rows])
    return [
        build_request(prompt, row, temperature=made.temperature, max_tokens=made.max_tokens)
        for prompt, row in zip(prompts, rows, strict=True)
    ]


def estimate_generation(session: Session, collection: Collection, made: Generation) -> Estimate:
    """What asking for all chunks will take, less what was asked before."""
    return session.estimate(requests_for(collection.passages, made))


def generate_triplets(
    session: Session,
    collection: Collection,
    made: Generation,
    model: str,
    *,
    gaps: GapPlan | None = None,
    mended: Mapping[str, Mapping[str, str]] | None = None,
    heard: Callable[[int, Reply], None] | None = None,
    progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> Generated:
    """Ask for the chunks' triplets and prove each of them. Raises QavizError as `Session.ask` does.

    With `gaps` only its chunks are asked, as it says, and what is returned are the triplets that are new.
    """
    before, chunks = session.spend, collection.passages
    if gaps:
        made, chunks = gaps.made, gaps.chunks
    replies = session.ask(requests_for(chunks, made), heard=heard, progress=progress, cancelled=cancelled)
    produced = read_replies(chunks, replies)
    known = gaps.covered if gaps else produced.clear()
    whole = pl.concat([known.with_columns(status=pl.lit(None, pl.String)), produced]).unique(
        QUESTION_ID, keep="first", maintain_order=True
    )
    produced = confirm(check_produced(mend(whole, mended or {}), collection.passages, made), mended or {})
    produced = produced.join(known, on=QUESTION_ID, how="anti", maintain_order="left")
    golden = golden_of(produced, collection.passages, made)
    produced = note_lint(produced, golden)
    spend = session.spend
    return Generated(
        collection=collection,
        produced=produced,
        golden=golden,
        passages=passages_of(produced, collection.passages, golden, model, made.prompt.hash),
        not_asked=len({reply.key for reply in replies if reply.failure in NOT_ASKED}),
        calls=spend.calls - before.calls,
        cost=None if spend.cost is None else spend.cost - (before.cost or 0.0),
        currency=spend.currency,
        tokens=spend.input_tokens + spend.output_tokens - before.input_tokens - before.output_tokens,
        stopped=session.stopped,
        recorded=session.recorded,
    )


def refuse_more(workspace: Workspace, name: str) -> None:
    """Raise QavizError where a review has stopped the dataset of this name: nothing joins it, or is paid for."""
    line = named_datasets(workspace).get(name)
    if line:
        refuse_stopped(workspace, line)


def keep_dataset(workspace: Workspace, name: str, generated: Generated, by: str) -> GoldenVersion | None:
    """Keep the accepted triplets as the golden dataset of this name; None, and nothing is kept, if there is none.

    Raises QavizError as `refuse_more` and `store.keep_generated` do.
    """
    refuse_more(workspace, name)
    if generated.golden.is_empty():
        return None
    return keep_generated(workspace, name, generated.golden, generated.passages, by)


def gone_triplets(workspace: Workspace, name: str, chunks: pl.DataFrame) -> pl.DataFrame:
    """PASSAGES of the dataset's triplets whose chunk is in none of its documents any more, where the document was read.

    They stay in the dataset until a person removes them.
    """
    line = named_datasets(workspace).get(checked_dataset_name(name))
    if line is None:
        return passages(workspace, "").head(0)
    there = workspace.golden(versions(workspace, line)[-1].golden_id)[QUESTION_ID]
    kept = passages(workspace, line).filter(pl.col(QUESTION_ID).is_in(there.implode()))
    read = pl.col("document").is_in(chunks["document"].unique().implode())
    return kept.filter(read & ~pl.col("chunk").is_in(chunks["chunk"].implode()))


def journal_of(workspace: Workspace, name: str) -> Path:
    """Where the replies for the dataset of this name are kept, as they came."""
    return workspace.folder / JOURNALS_FOLDER / f"generate-{_file_name(name)}.jsonl"


def _file_name(name: str) -> str:
    """The name as a file's: its plain letters, and a hash that tells it from others."""
    plain = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40]
    return f"{plain}-{sha256(name.encode()).hexdigest()[:8]}".lstrip("-")


def read_mended(workspace: Workspace, name: str) -> dict[str, dict[str, str]]:
    """The texts that people wrote for triplets of this dataset, by the triplets' ids."""
    file = _mended_file(workspace, name)
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as error:
        words = f"a file that cannot be read ({error})"
        fix = "Remove it: the triplets are then as the model wrote them."
        raise stop(str(file), words, "mended triplets", fix) from None
    return {str(name): {str(key): str(text) for key, text in texts.items()} for name, texts in content.items()}


def keep_mended(workspace: Workspace, name: str, mended: Mapping[str, Mapping[str, str]]) -> None:
    """Remember texts that a person wrote for triplets of this dataset, beside earlier ones."""
    file = _mended_file(workspace, name)
    file.parent.mkdir(parents=True, exist_ok=True)
    all_of_them = read_mended(workspace, name) | {question_id: dict(texts) for question_id, texts in mended.items()}
    with replacing(file) as unfinished:
        unfinished.write_text(json.dumps(all_of_them, ensure_ascii=False, indent=1), encoding="utf-8")


def _mended_file(workspace: Workspace, name: str) -> Path:
    return journal_of(workspace, name).with_suffix(".mended.json")


def payable(settings: Settings) -> tuple[Settings, str | None]:
    """The settings with a cap that can be counted, and what to say of it.

    A cap in money needs a price. Where it is unknown, tokens are capped instead: TOKENS_FOR_MONEY for each unit.
    """
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
    cap: str | None = None,
    review: float | None = None,
    config: Path | None = None,
    workspace: Workspace | None = None,
    dataset: str | None = None,
    replay: Path | None = None,
    by: str = "notebook",
    progress: Progress | None = None,
) -> Generated:
    """Make triplets from documents, each checked against its passage; with a workspace and a name they are kept there.

    `paths` are files, folders, patterns and `s3://bucket/folder`; `model`, `cap` and `config` as in docs/generation.md.
    Of what is returned `golden` has the accepted triplets, `produced` all of them with their reasons, `passages` where
    each comes from (polars tables), and `counts` the numbers. Without a workspace replies are not kept. Raises
    QavizError if no document can be read, or the model cannot be asked.
    """
    made = read_generation(config)
    if review is not None:
        made = replace(made, review=review)
    check_generation(made, "generate")
    named = checked_dataset_name(dataset) if dataset is not None else ""
    if workspace and named:
        refuse_more(workspace, named)
    addresses = [paths] if isinstance(paths, str | Path) else paths
    collection = read_collection([str(address) for address in addresses], made, progress or silent)
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        kept = workspace is not None and bool(named)
        journal = journal_of(workspace, named) if workspace and kept else Path(folder) / "journal.jsonl"
        journal.parent.mkdir(parents=True, exist_ok=True)
        settings = Settings(model=model, journal=journal, caps=parse_caps([cap] if cap else []), replay=replay)
        with open_session(payable(settings)[0]) as session:
            mended = read_mended(workspace, named) if workspace and kept else {}
            generated = generate_triplets(session, collection, made, model, mended=mended, progress=progress)
    if workspace and kept:
        keep_dataset(workspace, named, generated, by)
    return generated


def ask_on_ray(settings: Settings, chunks: pl.DataFrame, made: Generation) -> int:
    """Ask for the chunks that the journal has no reply to, in Ray workers; returns how many replies came.

    Each worker has its share of rates and caps, and returns journal lines, which this process keeps. Ray's own
    processor for HTTP neither retries nor checks replies, so `map_batches` runs qaviz's client. Chunks that a worker
    could not ask stay unasked: `generate_triplets` asks for them. Raises QavizError where Ray is not installed.
    """
    with open_journal(settings.journal) as journal:
        keyed = {request.key(settings.model): asdict(request) for request in requests_for(chunks, made)}
        left = {key: request for key, request in keyed.items() if key not in journal}
        waiting = [*left.values()]
        batch = max(1, min(BATCH, -(-len(waiting) // WORKERS)))
        shards = [json.dumps(waiting[at : at + batch]) for at in range(0, len(waiting), batch)]
        share = share_out(settings, WORKERS)

        def ask(_shared: pa.Table, shard: str) -> str:
            return _ask(share, [Request(**fields) for fields in json.loads(shard)])

        before = len(journal)
        for lines in map_shards(ask, shards, pa.table({})) if shards else ():
            entries = (entry_of(line.encode()) for line in lines.splitlines())
            journal.append([entry for entry in entries if entry is not None and entry.key not in journal])
        return len(journal) - before


def share_out(settings: Settings, workers: int) -> Settings:
    """The settings of one worker of several: rates and caps divided."""
    limits, caps = settings.limits, settings.caps

    def part(number: float | None) -> float | None:
        return None if number is None else number / workers

    def whole(number: int | None) -> int | None:
        return None if number is None else max(1, number // workers)

    return replace(
        settings,
        limits=replace(
            limits,
            in_flight=max(1, limits.in_flight // workers),
            requests_per_minute=part(limits.requests_per_minute),
            tokens_per_minute=part(limits.tokens_per_minute),
        ),
        caps=replace(caps, money=part(caps.money), tokens=whole(caps.tokens), calls=whole(caps.calls)),
    )


def _ask(settings: Settings, requests: Sequence[Request]) -> str:
    """In a worker: ask these requests. Returns the replies as journal lines."""
    with tempfile.TemporaryDirectory(prefix="qaviz-") as folder:
        journal = Path(folder) / "journal.jsonl"
        with open_session(replace(settings, journal=journal)) as session:
            session.ask(requests)
        with open_journal(journal) as kept:
            return b"".join(entry.line() for entry in kept.entries()).decode()
