"""A second reading proves: triplets enter where a blind reader answers the same and quotes it, else nothing."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from qaviz.documents import chunk_documents
from qaviz.generation.pipeline import (
    Collection,
    Generated,
    estimate_generation,
    generate_triplets,
    list_once,
    read_collection,
)
from qaviz.generation.prove import agree
from qaviz.generation.settings import Generation
from qaviz.llm import Settings, open_session, parse_caps
from qaviz.llm.sending import Limits
from qaviz.loading import Source, silent
from qaviz.store.golden_versions import Correction
from tests.documents import files
from tests.generation.model import OTHER, REPORT, answer_by_key, author, form_of, passage_of, questions_of
from tests.generation.test_refute import CASES
from tests.llm_server import Answer, Call, complete, serve

Script = Callable[[Call], Answer]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "alder-2023.md").write_text(REPORT)
    (folder / "baykal-2023.md").write_text(OTHER)
    return folder


def generate(
    docs: Path,
    script: Script,
    *,
    prover: str | None = "openai:reader",
    cap: str = "",
    corrections: Mapping[str, Correction] | None = None,
    **limits,
) -> Generated:
    """What a model makes of the documents; the journal stands beside them."""
    made = Generation()
    documents = list_once([files.read(Source.of(path)) for path in sorted(docs.iterdir())])
    collection = Collection(documents=documents, chunks=chunk_documents(documents, made.chunking), problems=())
    with serve(script) as server:
        settings = Settings(
            model="openai:writer", journal=docs.parent / "journal.jsonl", base_url=server.url,
            caps=parse_caps([cap] if cap else []), limits=Limits(**limits),
        )  # fmt: skip
        with open_session(settings) as session:
            return generate_triplets(session, collection, made, prover=prover, corrections=corrections or {})


def proofs(call: Call, change: Callable[[dict[str, object]], Mapping[str, object]]) -> Answer:
    """The replies of an honest reader, each changed."""
    honest = json.loads(json.loads(answer_by_key(call).body)["choices"][0]["message"]["content"])
    return complete(json.dumps({"proofs": [change(proof) for proof in honest["proofs"]]}))


def reader(change: Callable[[dict[str, object]], Mapping[str, object]]) -> Script:
    return lambda call: proofs(call, change) if form_of(call) == "proof" else author(call)


def test_what_two_readings_say_is_accepted_with_its_quotation(docs: Path):
    """Five of six sound triplets and the wrong figure: the sound ones are accepted, each with words of its passage."""
    made = generate(docs, author)
    accepted = made.produced.filter(made.produced["status"] == "accepted")
    assert (made.counts["accepted"], made.counts["to_review"], made.counts["refuted"]) == (6, 0, 1)
    texts = dict(made.collection.chunks.select("chunk", "text").iter_rows())
    assert all(row["evidence"] in texts[row["chunk"]] for row in accepted.iter_rows(named=True))
    assert set(made.passages["evidence"]) == set(accepted["evidence"])


@pytest.mark.parametrize(
    "change",
    [
        lambda proof: proof | {"answer": "87"},
        lambda proof: proof | {"quote": "A sentence that stands nowhere."},
        lambda proof: proof | {"answerable": False},
    ],
    ids=["another answer", "a made quotation", "finds nothing"],
)
def test_a_reader_that_lies_lets_nothing_in(docs: Path, change: Callable[[dict[str, object]], Mapping[str, object]]):
    """Whatever a bad second reader says, nothing is accepted; what is not refuted is to review, with both answers."""
    made = generate(docs, reader(change))
    assert (made.counts["accepted"], made.counts["to_review"], made.counts["refuted"]) == (0, 6, 1)
    assert made.produced.filter(made.produced["status"] == "to review")["reason"].null_count() == 0


def test_a_reader_that_drips_lets_nothing_in(docs: Path):
    """A second reader whose replies come too late leaves all to review, and counts as not read."""

    def slow(call: Call) -> Answer:
        return replace(answer_by_key(call), delay_s=1.0) if form_of(call) == "proof" else author(call)

    made = generate(docs, slow, timeout_s=0.3, attempts=1)
    assert (made.counts["accepted"], made.counts["to_review"]) == (0, 6)


def test_without_a_reader_nothing_is_accepted(docs: Path):
    """With no prover triplets are refuted or not refuted, and none enters."""
    made = generate(docs, author, prover=None)
    assert (made.counts["accepted"], made.counts["to_review"], made.counts["refuted"]) == (0, 6, 1)
    assert set(made.produced["status"]) == {"not refuted", "refuted"}


def unanswerable(question: str) -> Script:
    """A model that writes one question which the documents are said not to answer."""
    triplet = {"type": "unanswerable", "question": question, "answer": "The documents do not say.", "fact": ""}

    def script(call: Call) -> Answer:
        if form_of(call) == "proof":
            return answer_by_key(call)
        return complete(json.dumps(triplet) if "travel rules" in call.prompt and "1,850" not in call.prompt else "NONE")

    return script


def test_an_unanswerable_question_is_asked_of_the_whole_corpus(docs: Path):
    """A question that another document answers is refuted with the answer; one that none answers is accepted."""
    (docs / "rules.md").write_text("# Alder travel rules\n\nBookings of Alder and Baykal go through Tom Okafor.\n")
    made = generate(docs, unanswerable("In which year was Baykal founded?"))
    found = made.produced.filter(made.produced["question"].str.contains("founded"))
    assert found.select("status", "rule").row(0) == ("refuted", "answered")
    assert "1987" in found["reason"][0]

    (docs.parent / "journal.jsonl").unlink()
    made = generate(docs, unanswerable("Who audits the books of Baykal and Alder?"))
    assert made.produced.filter(made.produced["question"].str.contains("audits"))["status"].to_list() == ["accepted"]


def test_a_question_that_lacks_its_source_is_written_again_once(docs: Path):
    """A question without a name is written again by the model, checked and proved; one that stays so is to review, and
    one that a person wrote stays as written."""
    pronoun = {"question": "How many people did it employ at the end of 2023?"}
    pronoun |= {"answer": "Alder employed 1,850 people at the end of 2023.", "fact": "1,850"}

    def script(rewrite: str) -> Script:
        def reply(call: Call) -> Answer:
            if form_of(call) == "rewrite":
                return complete(json.dumps({"question": rewrite}))
            if form_of(call) == "proof":
                return answer_by_key(call)
            return complete(json.dumps(pronoun) if "1,850" in passage_of(call) else "NONE")

        return reply

    better = "How many people did Alder employ at the end of 2023?"
    made = generate(docs, script(better))
    assert made.golden["question"].to_list() == [better]
    assert pronoun["question"] in made.produced["note"][0]
    (docs.parent / "journal.jsonl").unlink()
    made = generate(docs, script("How many did they employ at the end of 2023?"))
    assert made.produced.select("status", "rule").row(0) == ("to review", "ambiguous")
    written = {made.produced["question_id"][0]: Correction(**pronoun, confirmed=True)}
    (docs.parent / "journal.jsonl").unlink()
    made = generate(docs, script(better), corrections=written)
    assert made.golden["question"].to_list() == [pronoun["question"]]


def test_the_second_model_shares_the_cap_and_nothing_is_paid_twice(docs: Path):
    """Another prover's calls count to the same cap; what a cap left is read by the same command, and only that."""
    asked: list[str] = []

    def script(call: Call) -> Answer:
        asked.append(call.body["model"])
        return author(call)

    first = generate(docs, script, cap="3calls", in_flight=1)
    assert (first.spend.calls, first.not_asked > 0, first.stopped is not None) == (3, True, True)
    second = generate(docs, script)
    third = generate(docs, script)
    assert (second.counts["accepted"], third.spend.calls) == (6, 0)
    assert set(asked) == {"writer", "reader"}
    assert len(asked) == first.spend.calls + second.spend.calls


def test_the_estimate_has_both_readings(docs: Path):
    """Before anything is asked a chunk is two calls; once all is there, none."""
    made = Generation()
    collection = read_collection([str(docs)], made, silent)
    with serve(author) as server:
        settings = Settings(model="openai:writer", journal=docs.parent / "journal.jsonl", base_url=server.url)
        with open_session(settings) as session:
            before = estimate_generation(session, collection, made, "openai:reader")
            generate_triplets(session, collection, made, prover="openai:reader", corrections={})
            after = estimate_generation(session, collection, made, "openai:reader")
    assert (before.calls, after.calls) == (2 * collection.chunks.height, 0)


@pytest.mark.parametrize(("question", "answer", "fact", "other", "same"), CASES["agree"])
def test_answers_agree_by_what_they_say(question: str, answer: str, fact: str, other: str, same: bool):
    """Values in any form, names, sides and words agree; another value, name or side, and a refusal, do not."""
    assert agree(question, answer, fact, other) is same


def test_the_same_document_under_two_names_is_one(docs: Path):
    """A copy under another name adds no chunk, no call and no triplet."""
    alone = generate(docs, author)
    (docs / "copy of alder.md").write_text(REPORT)
    again = generate(docs, author)
    assert (again.counts["documents"], again.counts["chunks"], again.spend.calls) == (2, alone.counts["chunks"], 0)
    assert len(read_collection([str(docs)], Generation(), silent).documents) == 2


def test_questions_reach_the_reader_without_answers(docs: Path):
    """A second reader sees passage and questions; no answer and no fact of the first is in its message."""
    prompts: list[Call] = []

    def script(call: Call) -> Answer:
        prompts.append(call)
        return author(call)

    made = generate(docs, script)
    read = [call for call in prompts if form_of(call) == "proof"]
    for call in read:
        beside = call.prompt.replace(passage_of(call), "").replace("\n".join(questions_of(call)), "")
        assert not any(row["answer"] in beside or row["fact"] in beside for row in made.golden.iter_rows(named=True))
