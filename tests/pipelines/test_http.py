"""Pipelines over HTTP: what they send and read, and what a hostile server can do."""

import json

import pytest

from qaviz.model.errors import QavizError
from qaviz.pipelines import parse_pipelines
from tests.llm_server import Answer, Call, complete, serve

pytestmark = pytest.mark.slow


def answer(call: Call, **fields: object) -> Answer:
    return Answer(body=json.dumps({"response": f"answer to {call.body['question']}"} | fields).encode())


def test_question_out_answer_in(ask):
    """By default a question goes as JSON, and response, contexts, cost and latency come back in its row."""
    with serve(lambda call: answer(call, contexts=["a", {"text": "b"}], cost=0.5)) as server:
        found, rows = ask(f"P={server.origin}/ask")
    assert (found.rows, found.errors) == (12, 0)
    assert server.calls[0].body.keys() == {"question_id", "question"}
    row = rows["3"]
    assert (row["pipeline"], row["response"], row["cost"]) == ("P", "answer to question 3?", 0.5)
    assert row["contexts"] == ["a", "b"]
    assert row["latency_ms"] > 0


def test_an_entry_of_a_file(ask, tmp_path, monkeypatch):
    """Headers from the environment, a body template and paths do what the entry says; the secret stays out of files."""
    monkeypatch.setenv("PIPE_TOKEN", "very-secret-token")
    file = tmp_path / "pipelines.toml"
    file.write_text(
        '[pipelines.rag]\nurl = "URL"\nresponse = "data.text"\ncontexts = "data.docs[].body"\ncost = "usage.usd"\n'
        'body = \'{"q": "Q: {{question}}", "k": 3}\'\nheaders = {Authorization = "Bearer ${PIPE_TOKEN}"}\n'
    )

    def script(call: Call) -> Answer:
        if call.body["q"] == "Q: question 2?":
            return Answer(body=b"denied: very-secret-token", status=403)
        said = {"data": {"text": "yes", "docs": [{"body": "d"}]}, "usage": {"usd": 2}}
        return Answer(body=json.dumps(said).encode())

    with serve(script) as server:
        file.write_text(file.read_text().replace("URL", server.origin))
        _, rows = ask(f"rag=@{file}")
        assert server.calls[0].headers["authorization"] == "Bearer very-secret-token"
        assert server.calls[0].body["k"] == 3
    assert (rows["1"]["response"], rows["1"]["contexts"], rows["1"]["cost"]) == ("yes", ["d"], 2.0)
    assert "403" in rows["2"]["error"]
    assert "very-secret" not in "".join(each.read_text() for each in tmp_path.iterdir())


def test_an_entry_that_will_not_do_is_refused_without_its_values(tmp_path):
    """A field that has another type may hold a secret: its place is said, not what stands there."""
    (tmp_path / "p.toml").write_text('[pipelines.rag]\nurl = "http://x"\nheaders = {pin = 8713}\nin_flight = 8713\n')
    with pytest.raises(QavizError, match=r"headers\.pin") as refused:
        parse_pipelines([f"@{tmp_path / 'p.toml'}"])
    assert "8713" not in str(refused.value)


HOSTILE = {
    "1": lambda _: Answer(body=b"busy", status=429, headers={"retry-after": "0"}),
    "2": lambda _: Answer(body=b"oops", status=500),
    "3": lambda _: Answer(body=b"{}", delay_s=6),
    "4": lambda call: Answer(body=answer(call).body, cut=True),
    "5": lambda _: Answer(body=b'{"response": '),
    "6": lambda _: Answer(body=json.dumps({"response": "x" * 10_000_000}).encode()),
    "7": lambda _: Answer(body=b"", status=302, headers={"location": "http://127.0.0.2:9/steal"}),
    "8": lambda _: Answer(body=b'{"response": "\xff\xfe"}'),
    "9": lambda _: Answer(body=b'{"response": null}'),
    "10": lambda _: Answer(body=b"[" * 100_000),
    "11": lambda _: Answer(body=b"data: Paris\n\n", headers={"content-type": "text/event-stream"}),
}
SAID = {
    "1": "429",
    "2": "500",
    "3": "within",
    "4": "no whole reply",
    "5": "no JSON",
    "6": "bytes",
    "7": "redirect",
    "8": "UTF-8",
    "11": "stream of events",
}


def test_a_hostile_server_loses_no_other_question(ask):
    """429, 500, hangs, cut bodies, wrong JSON, 10 MB, a redirect, broken UTF-8 and a stream of events are each the
    error of their own question, with its reason; what may pass is asked again, what will not is not."""

    def script(call: Call) -> Answer:
        return HOSTILE.get(call.body["question_id"], answer)(call)

    with serve(script) as server:
        found, rows = ask(f"P={server.origin}", timeout_s=2.0, attempts=2)
        asked = [call.body["question_id"] for call in server.calls]
    assert found.errors == len(HOSTILE)
    assert rows["12"]["response"] == "answer to question 12?"
    for each in HOSTILE:
        assert rows[each]["response"] is None
        assert rows[each]["error"]
    assert all(words in rows[each]["error"] for each, words in SAID.items())
    assert {each: asked.count(each) for each in ("1", "2", "3", "4", "5", "7")} == {
        **dict.fromkeys(["1", "2", "3", "4"], 2),
        **dict.fromkeys(["5", "7"], 1),
    }


def test_a_server_that_is_not_there_ends_soon(ask):
    """Ten questions that fail one after the other end the asking, with the reason."""
    with serve(answer) as server:
        gone = server.origin
    with pytest.raises(QavizError, match="no connection"):
        ask(f"P={gone}", attempts=1)


def test_a_model(ask, monkeypatch):
    """`openai:MODEL` asks an OpenAI-compatible server, and a refused question is a row with its reason."""

    def script(call: Call) -> Answer:
        return Answer(body=b"no", status=422) if "question 2?" in call.prompt else complete("Paris")

    with serve(script) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        found, rows = ask("M=openai:stub", repeat=1)
    assert (found.errors, rows["1"]["response"], rows["2"]["response"]) == (1, "Paris", None)
    assert rows["2"]["error"]


NO_SPECS = (
    "",
    "P",
    "=http://x",
    "P=ftp://x",
    "P=http://x/{{question}}",
    "P=http://user:pa55word@host/",
    "P=python:nothing",
    "P=@missing.toml",
    "P=bash:x",
)


@pytest.mark.parametrize("spec", NO_SPECS)
def test_specs_that_are_none(spec):
    """What is no pipeline is refused in a sentence that repeats no secret."""
    with pytest.raises(QavizError) as refused:
        parse_pipelines([spec])
    assert "pa55word" not in str(refused.value)
    assert "Error" not in str(refused.value)
