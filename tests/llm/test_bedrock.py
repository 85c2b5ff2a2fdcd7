"""Bedrock's Converse through boto3, against a server on loopback that speaks it."""

import json
from pathlib import Path

import pytest

pytest.importorskip("boto3", reason="boto3 is optional")

from qaviz.llm import Failure, Request, Settings, Tool, open_session
from qaviz.model.errors import QavizError
from tests.llm_server import Answer, Call, Server, converse, serve

SECRET = "aws-secret-key-0123456789/abc"
TOOL = Tool(name="grade", description="d", parameters={"type": "object", "properties": {"grade": {"type": "integer"}}})


@pytest.fixture(autouse=True)
def _credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_REGION", "us-east-1")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", SECRET)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


def ask(server: Server, folder: Path, *requests: Request, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_BEDROCK_RUNTIME", server.origin)
    settings = Settings(model="bedrock:amazon.nova-lite-v1:0", journal=folder / "j.jsonl")
    with open_session(settings) as session:
        return session.ask(requests), session.spend


def refuse(status: int, code: str, message: str) -> Answer:
    return Answer(status=status, body=json.dumps({"message": message}).encode(), headers={"x-amzn-errortype": code})


def test_text_and_function_calls(tmp_path, monkeypatch):
    """System, prompt, temperature and tool go out as Converse has them; text or arguments come back; again is free."""

    def script(call: Call) -> Answer:
        assert "amazon.nova-lite" in call.path
        assert call.body["inferenceConfig"] == {"maxTokens": 1024, "temperature": 0.1}
        if "toolConfig" in call.body:
            assert call.body["toolConfig"]["toolChoice"] == {"tool": {"name": "grade"}}
            return converse("", tool_input={"grade": 3})
        assert call.system == "s"
        return converse("Paris")

    requests = [Request(prompt="p", system="s"), Request(prompt="p", tool=TOOL)]
    with serve(script) as server:
        replies, spend = ask(server, tmp_path, *requests, monkeypatch=monkeypatch)
        again, none_spent = ask(server, tmp_path, *requests, monkeypatch=monkeypatch)
    assert [reply.text for reply in replies] == ["Paris", '{"grade": 3}']
    assert replies[0].usage
    assert (replies[0].usage.input_tokens, spend.calls) == (100, 2)
    assert (none_spent.calls, [reply.text for reply in again]) == (0, ["Paris", '{"grade": 3}'])


def test_throttling_is_waited_out_and_validation_is_not(tmp_path, monkeypatch):
    """Throttled twice, the third attempt counts; what is invalid fails alone."""

    def script(call: Call) -> Answer:
        if call.prompt == "bad":
            return refuse(400, "ValidationException", "too long")
        if call.number < 2:
            return refuse(429, "ThrottlingException", "slow down")
        return converse("ok")

    with serve(script) as server:
        (good,), spend = ask(server, tmp_path, Request(prompt="good"), monkeypatch=monkeypatch)
        (bad,), _ = ask(server, tmp_path, Request(prompt="bad"), monkeypatch=monkeypatch)
    assert (good.text, spend.calls) == ("ok", 3)
    assert bad.failure is Failure.REJECTED
    assert "too long" in bad.detail


def test_no_access_is_one_error_without_secrets(tmp_path, monkeypatch):
    """A denied model ends the asking; a server that echoes the secret does not get it into the error."""
    with (
        serve(lambda _: refuse(403, "AccessDeniedException", f"no access with {SECRET}")) as server,
        pytest.raises(QavizError, match="AccessDenied") as raised,
    ):
        ask(server, tmp_path, *(Request(prompt=str(i)) for i in range(20)), monkeypatch=monkeypatch)
    assert SECRET not in str(raised.value)
    assert len(raised.value.problems) == 1
