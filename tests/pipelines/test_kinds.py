"""Pipelines of other makers: Bedrock's knowledge bases, FMEval's model runners."""

import json

import pytest

from qaviz.model.errors import QavizError
from qaviz.pipelines import parse_pipelines
from tests.llm_server import Answer, Call, serve

MODEL = "arn:aws:bedrock:us-east-1::foundation-model/amazon.nova-lite-v1:0"


@pytest.fixture
def aws(monkeypatch):
    """Credentials of nobody."""
    pytest.importorskip("boto3", reason="boto3 is optional")
    for name, value in {
        "AWS_REGION": "us-east-1",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
        "AWS_SECRET_ACCESS_KEY": "aws-secret-key-0123456789",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)


def generated(text: str, *cited: str) -> Answer:
    references = [{"content": {"type": "TEXT", "text": each}, "location": {"type": "S3"}} for each in cited]
    reply = {"sessionId": "s", "output": {"text": text}, "citations": [{"retrievedReferences": references}]}
    return Answer(body=json.dumps(reply).encode())


@pytest.mark.usefixtures("aws")
def test_a_knowledge_base_answers_with_its_citations(ask, monkeypatch):
    """RetrieveAndGenerate is asked as Bedrock has it; cited texts are contexts, each once; throttling is asked again, a
    refused question and an answer without text are errors of their own questions."""

    def script(call: Call) -> Answer:
        asked = call.body["input"]["text"]
        if asked == "question 2?" and sum(each.body == call.body for each in server.calls) == 1:
            said = json.dumps({"message": "slow down"}).encode()
            return Answer(status=429, body=said, headers={"x-amzn-errortype": "ThrottlingException"})
        if asked == "question 3?":
            said = json.dumps({"message": "no"}).encode()
            return Answer(status=400, body=said, headers={"x-amzn-errortype": "ValidationException"})
        if asked == "question 4?":
            return Answer(body=b'{"sessionId": "s", "output": {}}')
        return generated(f"answer to {asked}", "passage a", "passage b", "passage a")

    with serve(script) as server:
        monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_AGENT_RUNTIME", server.origin)
        found, rows = ask(f"kb=bedrock-kb:KB12345678/{MODEL}")
        (first,) = [call for call in server.calls if call.body["input"]["text"] == "question 1?"]
    configuration = first.body["retrieveAndGenerateConfiguration"]["knowledgeBaseConfiguration"]
    assert first.path == "/retrieveAndGenerate"
    assert configuration == {"knowledgeBaseId": "KB12345678", "modelArn": MODEL}
    assert (rows["1"]["response"], rows["1"]["contexts"]) == ("answer to question 1?", ["passage a", "passage b"])
    assert rows["2"]["response"] == "answer to question 2?"
    assert (found.errors, rows["3"]["response"], rows["4"]["response"]) == (2, None, None)
    assert "ValidationException" in rows["3"]["error"]


@pytest.mark.parametrize("target", ["KB1", "KB1/", "/model", "KB 1/model", "KB12345678901/model"])
def test_what_is_no_knowledge_base(target):
    """A knowledge base is an id and a model."""
    with pytest.raises(QavizError, match="MODEL_ARN"):
        parse_pipelines([f"kb=bedrock-kb:{target}"])


RUNNER = """
from fmeval.model_runners.model_runner import ModelRunner

class Stub(ModelRunner):
    def __init__(self):
        super().__init__('{"q": $prompt}', output="said.text")

    def predict(self, prompt):
        asked = self._composer.compose(prompt)
        return self._extractor.extract_output({"said": {"text": "ran " + asked["q"]}}, 1), None

runner = Stub()
"""


@pytest.mark.fmeval
def test_a_model_runner_of_the_installed_fmeval(ask, golden, tmp_path, monkeypatch):
    """A ModelRunner of FMEval itself, with its own composer and extractor, is asked by its `predict`."""
    pytest.importorskip("fmeval", reason="FMEval is not installed")
    (tmp_path / "runner_of_fmeval.py").write_text(RUNNER)
    monkeypatch.chdir(tmp_path)
    found, rows = ask("P=python:runner_of_fmeval:runner", golden=golden.head(2))
    assert found.errors == 0
    assert rows["1"]["response"] == "ran question 1?"
