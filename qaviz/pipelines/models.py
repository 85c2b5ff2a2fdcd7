"""Language models as pipelines, through the one door to them, and Amazon Bedrock's knowledge bases."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from qaviz.llm import Caps, Limits, Reply, Request, Settings, open_session
from qaviz.llm.asking import Cancelled
from qaviz.llm.bedrock import BedrockCalls
from qaviz.llm.requests import Failure
from qaviz.pipelines.answers import Answer, JsonObject, Question, read_answer, reject
from qaviz.pipelines.pipeline import Pipeline

_FIELD = re.compile(r"\{\{\s*(question|contexts)\s*\}\}")
Heard = Callable[[int, Answer | str], None]
"""Called with a question's place and its answer, or why there is none."""


def ask_model(
    pipeline: Pipeline,
    questions: Sequence[tuple[Question, int]],
    journal: Path,
    limits: Limits,
    heard: Heard,
    *,
    caps: Caps,
    prices: Path | None,
    key_file: Path | None,
    cancelled: Cancelled,
) -> str | None:
    """Ask the model each question, with the number of its repeat. Returns which cap stopped the asking, in words.

    Raises QavizError as `Session.ask`.
    """
    settings = Settings(
        model=f"{pipeline.kind}:{pipeline.target}",
        journal=journal,
        caps=caps,
        limits=limits,
        prices=prices,
        key_file=key_file,
    )
    requests = [Request(prompt=_fill_prompt(pipeline, question), repeat=repeat) for question, repeat in questions]

    def hear(place: int, reply: Reply) -> None:
        if reply.failure and reply.failure is not Failure.REFUSED:
            heard(place, f"{reply.failure.value}{': ' if reply.detail else ''}{reply.detail}")
        else:
            given = pipeline.passages.get(questions[place][0].question_id)
            latency = round(reply.seconds * 1000, 1)
            heard(place, Answer(response=reply.text, contexts=given, cost=reply.cost, latency_ms=latency))

    with open_session(settings) as session:
        session.ask(requests, heard=hear, cancelled=cancelled)
        return session.stopped


def _fill_prompt(pipeline: Pipeline, question: Question) -> str:
    """The prompt, filled in one pass: nothing in a question or a passage is a template."""
    passages = pipeline.passages.get(question.question_id, ())
    fields = {"question": question.fields()["question"], "contexts": "\n\n".join(passages)}
    return _FIELD.sub(lambda match: fields[match[1]], pipeline.prompt)


class KnowledgeBaseTransport:
    """Asks one knowledge base through one model."""

    def __init__(self, pipeline: Pipeline, timeout_s: float, in_flight: int) -> None:
        base, _, model = pipeline.target.partition("/")
        self._configuration = {
            "type": "KNOWLEDGE_BASE",
            "knowledgeBaseConfiguration": {"knowledgeBaseId": base, "modelArn": model},
        }
        self._calls = BedrockCalls("bedrock-agent-runtime", timeout_s, in_flight)

    async def ask(self, question: Question) -> Answer:
        """As `Transport.ask`."""
        request = {
            "input": {"text": question.fields()["question"]},
            "retrieveAndGenerateConfiguration": self._configuration,
        }
        return read_citations(await self._calls.call("retrieve_and_generate", request))

    async def close(self) -> None:
        """As `Transport.close`."""
        self._calls.close()


def read_citations(reply: JsonObject) -> Answer:
    """The answer, and the texts that it cites, each once. Raises RejectedError where there is none."""
    try:
        cited = [
            reference["content"]["text"]
            for citation in reply.get("citations") or []
            for reference in citation.get("retrievedReferences") or []
            if isinstance((reference.get("content") or {}).get("text"), str)
        ]
        return read_answer({"response": reply["output"]["text"], "contexts": list(dict.fromkeys(cited))})
    except (KeyError, TypeError, AttributeError) as error:
        raise reject(f"no answer of RetrieveAndGenerate: {type(error).__name__}") from error
