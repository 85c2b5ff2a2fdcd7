"""Proof by quotation: what a blind second reader says counts only with words that stand in the passage."""

import json

import pytest

from qaviz.llm import Reply, Request, Settings, open_session
from qaviz.llm.proof import Passage, proof_request, prove, read_proofs
from qaviz.llm.providers import converse_body
from tests.llm_server import Answer, Call, complete, serve

PASSAGE = Passage(
    "Staff of Alder have ten days off for a parent, and three days for “an extended family member”.",
    document="alder-leave-2023.md",
    heading="Bereavement",
)
RIGHT = {"id": 1, "answerable": True, "answer": "three days", "quote": 'three days for "an extended family member"'}


def read(*proofs: object, questions: int = 1, **reply: object):
    return read_proofs(Reply(key="", text=json.dumps({"proofs": proofs}), **reply), PASSAGE, questions)


def test_an_answer_counts_with_a_quotation_that_stands():
    """The answer, its quotation and the words that bind the question, in passage or document name, are kept."""
    bound = [{"qualifier": "who", "words": "extended family member"}, {"qualifier": "when", "words": "2023"}]
    (proof,) = read(RIGHT | {"bindings": bound})
    assert proof.void is None
    assert (proof.answerable, proof.answer, len(proof.bindings)) == (True, "three days", 2)


@pytest.mark.parametrize(
    "wrong",
    [
        {"quote": ""},
        {"quote": None},
        {"quote": "four days for an extended family member"},
        {"quote": "an"},
        {"answer": ""},
        {"answer": 3},
        {"answerable": "yes"},
        {"id": 2},
        {"id": True},
        {"id": "1"},
        {"bindings": [{"qualifier": "who", "words": "a cousin"}]},
    ],
    ids=json.dumps,
)
def test_what_does_not_stand_is_void(wrong):
    """Without a quotation, with another one, under another number or of another type a proof says nothing."""
    (proof,) = read(RIGHT | wrong)
    assert proof.answerable is None
    assert proof.void


def test_each_question_has_its_own_proof():
    """Of three questions the one without a reply and the one with two are void, and one is not answered there."""
    proofs = read(
        {"id": 1, "answerable": False, "answer": "", "quote": ""}, RIGHT | {"id": 3}, RIGHT | {"id": 3}, questions=3
    )
    assert [proof.answerable for proof in proofs] == [False, None, None]
    assert all(proof.void for proof in proofs[1:])


@pytest.mark.parametrize(
    "text", ["", "yes", "[1]", '{"proofs": 3}', '{"proofs": []} {"proofs": []}', '{"proofs": [], "proofs": []}']
)
def test_a_reply_that_is_none_voids_all(text):
    """Prose, other JSON and doubled keys prove nothing."""
    assert all(proof.void for proof in read_proofs(Reply(key="", text=text), PASSAGE, 2))


def test_questions_are_asked_by_number_and_paid_once(tmp_path):
    """A call has one passage and its questions from 1 under the schema `proof`; what was asked is not asked again."""

    def reader(call: Call) -> Answer:
        assert call.body["response_format"]["json_schema"]["name"] == "proof"
        assert PASSAGE.text in call.prompt
        numbers = [number for number in range(1, 13) if f"\n{number}. " in call.prompt]
        return complete(json.dumps({"proofs": [RIGHT | {"id": number} for number in numbers]}))

    questions = [f"How many days for cousin {number}?" for number in range(12)]
    with serve(reader) as server:
        settings = Settings(model="openai:reader", journal=tmp_path / "journal.jsonl", base_url=server.url)
        for _ in range(2):
            with open_session(settings) as session:
                ((*proofs,),) = prove(session, [(PASSAGE, questions)])
            assert [proof.answer for proof in proofs] == ["three days"] * 12
        assert len(server.calls) == 2


def test_requests_without_a_schema_are_those_of_before():
    """A request without a schema has the key that it had, so nothing is paid twice; Converse calls a tool."""
    assert Request(prompt="Hello").key("openai:x").startswith("820fd61aabed41ae")
    choice = converse_body(proof_request(PASSAGE, ["How many days?"]))["toolConfig"]
    assert choice["toolChoice"] == {"tool": {"name": "proof"}}
