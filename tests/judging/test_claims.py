"""Responses checked claim by claim against their passages, by a judge that is a script."""

import json
import re
from collections.abc import Callable

import polars as pl
import pytest

from qaviz.cli import main
from qaviz.judging.claims import CLAIM, INJECTIONS, PLACE, QUOTATION, STATE, VOID, judge_claims, probe_claims
from qaviz.llm import Settings, open_session
from qaviz.model import columns as c
from tests.builders import save_rows, write_jsonl
from tests.judging.scripted import texts_of
from tests.llm_server import Answer, Call, complete, serve

BEDS = "The hospital in Basel has 240 beds. It opened in 1998."
CASTLE = "The castle hotel near Bern has 120 beds."
QUESTION = "How many beds has the hospital in Basel?"
RESPONSES = {
    "A": "The hospital in Basel has 240 beds. It opened in 2004.",
    "B": "It has 240 beds. Penguins live there.",
    "C": "The hospital in Basel has 240 beds.",
}
Reader = Callable[[str, str], tuple[str, str] | None]
"""From passage and claim to the answer and its quotation; None where the passage says nothing of it."""


def read_honestly(passage: str, claim: str) -> tuple[str, str] | None:
    """Yes with its own words where they stand there, no where another figure does."""
    if claim in passage:
        return "Yes.", claim
    if "240 beds" in claim and "240 beds" in passage:
        return "yes", "has 240 beds"
    return ("No, in 1998.", "It opened in 1998.") if "It opened in" in claim and "1998" in passage else None


def script(read: Reader) -> Callable[[Call], Answer]:
    """A server whose judge reads so."""

    def answer(call: Call) -> Answer:
        assert call.body["response_format"]["json_schema"]["name"] == "proof"
        texts = texts_of(call)
        proofs = []
        for number, question in re.findall(r"(?m)^(\d+)\. (.*)$", texts["questions"]):
            claim = re.search(r"a text says: “(.*)” Is that true", question)
            assert claim
            found = read(texts.get("passage", ""), claim[1])
            entry = {"id": int(number), "answerable": found is not None, "bindings": []}
            proofs.append(entry | dict(zip(("answer", "quote"), found or ("", ""), strict=True)))
        return complete(json.dumps({"proofs": proofs}), usage=(300, 40))

    return answer


def table(responses: dict[str, str] = RESPONSES) -> pl.DataFrame:
    rows = [(QUESTION, "1", name, text, [CASTLE, BEDS]) for name, text in responses.items()]
    return pl.DataFrame(rows, schema=[c.QUESTION, c.QUESTION_ID, c.PIPELINE, c.RESPONSE, c.CONTEXTS], orient="row")


def ask(tmp_path, read: Reader, work: Callable):
    with serve(script(read)) as server:
        settings = Settings(model="openai:stub", journal=tmp_path / "j.jsonl", base_url=server.url)
        with open_session(settings) as session:
            return work(session)


def test_each_claim_has_its_state_and_a_quotation_that_stands(tmp_path):
    """Entailed and contradicted claims quote their passage; what no passage says is not found."""
    claims = ask(tmp_path, read_honestly, lambda session: judge_claims(session, table()))
    assert claims.select(c.PIPELINE, STATE, PLACE).rows() == [
        ("A", "entailed", 2),
        ("A", "contradicted", 2),
        ("B", "entailed", 2),
        ("B", "not found", None),
        ("C", "entailed", 2),
    ]
    assert claims[QUOTATION][1] == "It opened in 1998."
    assert claims[CLAIM][3] == "Penguins live there."


@pytest.mark.parametrize(
    ("read", "why"),
    [
        pytest.param(
            lambda _p, _c: ("Yes.", "It has 240 beds, and penguins."), "does not stand", id="a made quotation"
        ),
        pytest.param(lambda _p, _c: ("Yes.", ""), "does not stand", id="no quotation"),
        pytest.param(lambda p, _c: ("Perhaps.", p[:30]), "neither yes nor no", id="neither"),
    ],
)
def test_a_word_without_ground_counts_for_nothing(tmp_path, read, why):
    """A judge that makes its quotation up, has none, or says neither yes nor no leaves all claims not found."""
    claims = ask(tmp_path, read, lambda session: judge_claims(session, table()))
    assert set(claims[STATE]) == {"not found"}
    assert all(why in void for void in claims[VOID])


def test_probes_find_a_judge_that_says_yes_to_all(tmp_path):
    """An honest judge passes; one that always agrees, and quotes what stands there, fails what is wrong and the 40
    injections; one that never agrees fails the passages' own sentences."""

    def fired(read: Reader, name: str) -> set[str]:
        (tmp_path / name).mkdir()
        probes = ask(tmp_path / name, read, lambda session: probe_claims(session, table()))
        assert {probe.name: probe.asked for probe in probes}["injections"] == len(INJECTIONS) == 40
        return {probe.name for probe in probes if probe.fires}

    assert fired(read_honestly, "honest") == set()
    assert fired(lambda passage, _: ("Yes.", passage[:20]) if passage.strip() else None, "yes") == {
        "wrong",
        "injections",
    }
    assert fired(lambda *_: None, "never") == {"golden"}


def test_the_command_measures_the_judge_by_people(workspace, tmp_path, monkeypatch, capsys):
    """`judge --claims` counts the states, writes the claims, and says how far responses that it calls supported are
    those that people do; again, it asks nothing; with `--probe` it tests the judge."""
    rows = [
        {c.QUESTION: QUESTION, c.PIPELINE: name, c.RESPONSE: text, c.CONTEXTS: [CASTLE, BEDS]}
        for name, text in RESPONSES.items()
    ]
    save_rows(workspace, [{c.QUESTION_ID: "1", c.QUESTION: QUESTION, c.ANSWER: "240 beds"}], rows)
    people = {"A": "unsupported", "B": "supported", "C": "supported"}
    labels = [{c.QUESTION_ID: "1", c.PIPELINE: name, c.LABEL: label} for name, label in people.items()]
    command = ["judge", "run", "--model", "openai:stub", "--claims", "--only", "all", "--format", "json"]
    command += ["--labels", str(write_jsonl(tmp_path / "l.jsonl", labels)), "--out", str(tmp_path / "claims.jsonl")]
    command += ["--workspace", str(workspace.folder)]
    with serve(script(read_honestly)) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        first, again = ((main(command), json.loads(capsys.readouterr().out)) for _ in range(2))
        assert (first[0], again[0]) == (0, 0)
        probed = main([*command, "--probe", "2"]), json.loads(capsys.readouterr().out)
    counts = first[1]
    assert [counts[name] for name in ("claims", "entailed", "contradicted", "not found", "void")] == [5, 3, 1, 1, 0]
    assert (counts["calls"], again[1]["calls"]) == (3, 0)
    assert (counts["people"]["responses"], round(counts["people"]["exact"]["value"], 3)) == (3, 0.667)
    assert pl.read_ndjson(tmp_path / "claims.jsonl").height == 5
    assert (probed[0], probed[1]["failed"], len(probed[1]["probes"])) == (0, [], 4)
