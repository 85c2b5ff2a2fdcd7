"""Amazon Bedrock's Converse, through boto3, which finds the keys of AWS as every tool of AWS does."""

import asyncio
import json
import logging
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from qaviz.llm.requests import Failure, Request
from qaviz.llm.transport import (
    AWS_SECRETS,
    BEDROCK,
    LARGEST_REPLY,
    Content,
    PassingError,
    RejectedError,
    TooLargeError,
    clean,
    plausible_usage,
)
from qaviz.model.errors import QavizError, stop
from qaviz.model.secrets import Secrets, in_one_line

PASSING_CODES = {
    *("ThrottlingException", "TooManyRequestsException", "ServiceUnavailableException", "InternalServerException"),
    *("ModelTimeoutException", "ModelNotReadyException", "ModelErrorException", "RequestTimeoutException"),
}
REJECTED_CODES = {"ValidationException"}


class BedrockCalls:
    """Calls of one of Bedrock's services, in threads, with its errors told apart."""

    def __init__(self, service: str, timeout_s: float, in_flight: int) -> None:
        self._client = _open_client(service, timeout_s, in_flight)
        # boto3 waits for a reply in the thread that asked.
        self._threads = ThreadPoolExecutor(in_flight, thread_name_prefix="bedrock")
        self._timeout_s = timeout_s
        self.secrets = Secrets(os.environ.get(name) for name in AWS_SECRETS)

    async def call(self, operation: str, request: dict[str, object]) -> dict[str, object]:
        """What the operation replies. Raises as `Transport.send`."""
        try:
            async with asyncio.timeout(self._timeout_s):
                waiting = asyncio.get_running_loop().run_in_executor(self._threads, self._call, operation, request)
                return await waiting
        except TimeoutError as error:
            raise PassingError(Failure.TIMED_OUT, f"Bedrock: no reply within {self._timeout_s:g} s") from error

    def close(self) -> None:
        """End its connections and threads."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        self._client.close()

    def _call(self, operation: str, request: dict[str, object]) -> dict[str, object]:
        from botocore.exceptions import BotoCoreError, ClientError

        try:
            reply = getattr(self._client, operation)(**request)
        except ClientError as error:
            raise self._error(error.response) from None
        except BotoCoreError as error:
            if type(error).__name__ in ("NoCredentialsError", "PartialCredentialsError", "NoRegionError"):
                raise _stop_asking(type(error).__name__) from None
            if type(error).__name__ == "ParamValidationError":
                raise RejectedError(Failure.REJECTED, f"Bedrock: {type(error).__name__}") from None
            raise PassingError(Failure.SERVER_ERROR, f"Bedrock: {type(error).__name__}") from None
        return {name: value for name, value in reply.items() if name != "ResponseMetadata"}

    def _error(self, response: Any) -> Exception:  # noqa: ANN401 (a dictionary of botocore's own type)
        code = str(response.get("Error", {}).get("Code", ""))
        status = response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0)
        message = self.secrets.hide(str(response.get("Error", {}).get("Message", "")))
        words = in_one_line(f"Bedrock: {code}: {message}")
        if code in PASSING_CODES or status >= 500 or status == 429:
            return PassingError(Failure.SERVER_ERROR, words)
        if code in REJECTED_CODES:
            return RejectedError(Failure.REJECTED, words)
        return _stop_asking(words)


class BedrockTransport:
    """Sends Converse requests to one model."""

    format = BEDROCK

    def __init__(self, name: str, timeout_s: float, in_flight: int) -> None:
        self._name, self._calls = name, BedrockCalls("bedrock-runtime", timeout_s, in_flight)

    async def send(self, request: Request) -> str:
        """As `Transport.send`."""
        reply = await self._calls.call("converse", {"modelId": self._name, **request_body(request)})
        raw = self._calls.secrets.hide(json.dumps(reply, default=str))
        if len(raw) > LARGEST_REPLY:
            raise TooLargeError
        return raw

    async def close(self) -> None:
        """As `Transport.close`."""
        self._calls.close()


def _open_client(service: str, timeout_s: float, in_flight: int) -> Any:  # noqa: ANN401 (boto3 makes its clients' types when it runs)
    try:
        import boto3
        from botocore.config import Config
        from botocore.exceptions import BotoCoreError
    except ImportError:
        raise stop(
            "bedrock",
            "boto3 is not installed",
            "boto3, which speaks to Amazon Bedrock",
            "Install it: pip install boto3.",
        ) from None
    # botocore writes down headers, which have signatures, at DEBUG.
    logging.getLogger("botocore").setLevel(logging.INFO)
    config = Config(
        # What is tried again, and when, is decided by the session, which counts it.
        retries={"total_max_attempts": 1},
        read_timeout=timeout_s,
        connect_timeout=min(timeout_s, 20),
        max_pool_connections=in_flight,
    )
    try:
        return boto3.session.Session().client(service, config=config)
    except (BotoCoreError, ValueError) as error:
        raise _stop_asking(type(error).__name__) from None


def _stop_asking(found: str) -> QavizError:
    """The error of a service that refuses every request."""
    fix = "Set AWS_REGION and the credentials as for the AWS command line, and ask for access to the model."
    return stop("Amazon Bedrock", found, "a region, credentials, and access to the model", fix)


def request_body(request: Request) -> dict[str, object]:
    """The request as Converse has it, without the model."""
    body: dict[str, object] = {
        "messages": [{"role": "user", "content": [{"text": clean(request.prompt)}]}],
        "inferenceConfig": {"maxTokens": request.max_tokens, "temperature": request.temperature},
    }
    if request.system:
        body["system"] = [{"text": clean(request.system)}]
    if request.tool:
        tool = request.tool
        specification = {
            "name": tool.name,
            "description": tool.description,
            "inputSchema": {"json": dict(tool.parameters)},
        }
        body["toolConfig"] = {"tools": [{"toolSpec": specification}], "toolChoice": {"tool": {"name": tool.name}}}
    return body


def read_converse(raw: str) -> Content | None:
    """What a raw reply says; None if it is no reply of Converse."""
    try:
        reply = json.loads(raw)
        parts = reply["output"]["message"]["content"]
        arguments = [json.dumps(part["toolUse"]["input"], ensure_ascii=False) for part in parts if "toolUse" in part]
        text = "\n".join(arguments) if arguments else "".join(part["text"] for part in parts if "text" in part)
        usage = reply.get("usage") or {}
        return Content(
            text=clean(text),
            refused=reply.get("stopReason") in ("guardrail_intervened", "content_filtered"),
            cut=reply.get("stopReason") == "max_tokens",
            usage=plausible_usage(usage.get("inputTokens"), usage.get("outputTokens")),
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
