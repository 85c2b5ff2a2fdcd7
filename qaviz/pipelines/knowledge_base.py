"""Amazon Bedrock's knowledge bases as pipelines: RetrieveAndGenerate, with its citations as contexts."""

from collections.abc import Mapping
from typing import Any

from qaviz.llm.bedrock import BedrockCalls
from qaviz.pipelines.answers import Answer, Question, read_answer, reject
from qaviz.pipelines.specs import Pipeline


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
        asked = {
            "input": {"text": question.fields()["question"]},
            "retrieveAndGenerateConfiguration": self._configuration,
        }
        return read_citations(await self._calls.call("retrieve_and_generate", asked))

    async def close(self) -> None:
        """As `Transport.close`."""
        self._calls.close()


def read_citations(reply: Mapping[str, Any]) -> Answer:
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
